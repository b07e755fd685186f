"""The initiative of mounts with their own turns: a controlled mount acts just before its rider."""

from __future__ import annotations

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.procedure_state.movement import STAY_SEATED, ForcedDismount
from turnwright.encounter.procedure_state.turn_order import INITIATIVE
from turnwright.encounter.procedure_state.turns import TURN_START, TurnStart
from turnwright.encounter.running import Combatant, Effect, Slot
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import Answers, begin, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_effect, put_condition
from turnwright.play.turn_order.initiative import remove_from_slot, set_initiative, slot_of, slots_in_order
from turnwright.rules.parts.movement.riding import control_conditions, control_options, is_controlled_mount, riders_of
from turnwright.rules.system import RuleSystem

CONTROL_ASK = "control"


def control_asks(tx: Transaction, rules: RuleSystem, mount: str, *, wants_control: bool) -> list[Ask]:
    """Return the ask whether a rider controls its mount, where the game offers a choice."""
    if not rules.data.movement.mount_actions:
        return []
    modes, rule = control_options(tx, rules, mount)
    leads = wants_control and rules.role("led-mount") in modes
    wanted = rules.role("led-mount") if leads else rules.role("independent-mount")
    options = tuple(Option(mode, f"<condition.{mode}>") for mode in modes)
    return [Ask(CONTROL_ASK, "choice", "ask.mount_control", options=options, suggested=(wanted,), rule=rule)]


def control_mount(tx: Transaction, rules: RuleSystem, rider: str, mount: str, control: str) -> None:
    """Record on a mount how it is ridden; a controlled mount acts just before its rider from now on."""
    if control not in control_options(tx, rules, mount)[0]:
        control = rules.role("independent-mount")
    put_condition(tx, rules, mount, control, by=rider, rule=control_options(tx, rules, mount)[1])
    if control != rules.role("led-mount"):
        return
    own, place = place_before_rider(tx, rules, rider, mount)
    if own is not None and place is not None and not own.acted and clock_of(tx).active == place.id:
        tx.update(own, joined_to=place.id, acted=True)
        begin(tx, TURN_START.start_joint_turn, TurnStart(own.id))


def place_before_rider(tx: Transaction, rules: RuleSystem, rider: str, mount: str) -> tuple[Slot | None, Slot | None]:
    """Move a mount to just before its rider in the turn order; return both slots, None where there are none."""
    place, own = slot_of(tx, rider), slot_of(tx, mount)
    if place is None or mount in place.members:
        return None, None
    if own is not None and len(own.members) > 1:
        remove_from_slot(tx, own, mount)
    rule = rules.rule_id("mount.initiative")
    set_initiative(tx, rules, tx.need(Combatant, mount), place.count, "mounted", fixed=place.fixed, rule=rule)
    new = slot_of(tx, mount)
    if new is None:
        return None, None
    tied = [one for one in slots_in_order(tx) if one.id != new.id and _tie_key(one) == _tie_key(place)]
    here = [one.id for one in tied].index(place.id)
    for rank, one in enumerate(tied):  # slots tied with the rider keep their place
        tx.update(one, tie_rolls=(*one.tie_rolls, here - rank + 1 if rank < here else here - rank))
    return tx.update(new, tie_rolls=(*place.tie_rolls, 1)), tx.need(Slot, place.id)


def _tie_key(slot: Slot) -> tuple[int, bool, bool, tuple[int, ...]]:
    return slot.count, slot.fixed, slot.first_actor, slot.tie_rolls


def release_mount(tx: Transaction, rules: RuleSystem, rider: str, mount: str) -> None:
    """End the control effects of a rider on a mount that it no longer rides."""
    for effect in list(tx.of(Effect, mount)):
        if effect.name in control_conditions(rules) and effect.by == rider:
            end_effect(tx, rules, effect)


def place_prepared_mounts(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Move mounts that were prepared with riders to just before those riders."""
    for rider in list(tx.all(Combatant)) if rules.data.movement.mount_actions else ():
        if rider.rides and rider.controlled:
            tx.update(rider, controlled=False)
            control_mount(tx, rules, rider.id, rider.rides, rules.role("led-mount"))
        elif rider.rides and is_controlled_mount(tx, rules, rider.rides) and not _is_before(tx, rider.rides, rider.id):
            place_before_rider(tx, rules, rider.id, rider.rides)
    return goto(procedure, INITIATIVE.finish)


def _is_before(lookup: Lookup, mount: str, rider: str) -> bool:
    own, place = slot_of(lookup, mount), slot_of(lookup, rider)
    return place is None or (
        own is not None and own.count == place.count and own.tie_rolls[:-1] == place.tie_rolls[:-1]
    )


def begin_seat_checks(tx: Transaction, rules: RuleSystem, who: str, parent: str = "") -> None:
    """Begin the saves by which riders of a force-moved mount stay seated, where the game has them."""
    rule = rules.rule_id("mount.moved")
    for rider in riders_of(tx, who) if rule else ():
        begin(tx, STAY_SEATED.ask_stay_seated, ForcedDismount(rider.id, rule, ends_prone=True), parent)


STAGES = stages_in(globals(), INITIATIVE)
