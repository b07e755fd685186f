"""The initiative of mounts that have their own turns. A controlled mount acts just before its rider."""

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
    """Return the ask whether a rider controls its mount, if the rules allow a choice."""
    if not rules.data.movement.mount_actions:
        return []
    modes, rule = control_options(tx, rules, mount)
    leads = wants_control and rules.role("led-mount") in modes
    suggested = rules.role("led-mount") if leads else rules.role("independent-mount")
    options = tuple(Option(mode, f"<condition.{mode}>") for mode in modes)
    return [Ask(CONTROL_ASK, "choice", "ask.mount_control", options=options, suggested=(suggested,), rule=rule)]


def control_mount(tx: Transaction, rules: RuleSystem, rider: str, mount: str, control: str) -> None:
    """Record how a mount is ridden. A controlled mount now acts just before its rider."""
    if control not in control_options(tx, rules, mount)[0]:
        control = rules.role("independent-mount")
    put_condition(tx, rules, mount, control, by=rider, rule=control_options(tx, rules, mount)[1])
    if control != rules.role("led-mount"):
        return
    mount_slot, rider_slot = place_before_rider(tx, rules, rider, mount)
    if (
        mount_slot is not None
        and rider_slot is not None
        and not mount_slot.acted
        and clock_of(tx).active == rider_slot.id
    ):
        tx.update(mount_slot, joined_to=rider_slot.id, acted=True)
        begin(tx, TURN_START.start_joint_turn, TurnStart(mount_slot.id))


def place_before_rider(tx: Transaction, rules: RuleSystem, rider: str, mount: str) -> tuple[Slot | None, Slot | None]:
    """Move a mount to just before its rider in the turn order. Return both slots, or None and None."""
    rider_slot, mount_slot = slot_of(tx, rider), slot_of(tx, mount)
    if rider_slot is None or mount in rider_slot.members:
        return None, None
    if mount_slot is not None and len(mount_slot.members) > 1:
        remove_from_slot(tx, mount_slot, mount)
    rule = rules.rule_id("mount.initiative")
    set_initiative(tx, rules, tx.need(Combatant, mount), rider_slot.count, "mounted", fixed=rider_slot.fixed, rule=rule)
    new = slot_of(tx, mount)
    if new is None:
        return None, None
    tied = [slot for slot in slots_in_order(tx) if slot.id != new.id and _tie_key(slot) == _tie_key(rider_slot)]
    here = [slot.id for slot in tied].index(rider_slot.id)
    for rank, slot in enumerate(tied):  # slots tied with the rider keep their places
        tx.update(slot, tie_rolls=(*slot.tie_rolls, here - rank + 1 if rank < here else here - rank))
    return tx.update(new, tie_rolls=(*rider_slot.tie_rolls, 1)), tx.need(Slot, rider_slot.id)


def _tie_key(slot: Slot) -> tuple[int, bool, bool, tuple[int, ...]]:
    return slot.count, slot.fixed, slot.first_actor, slot.tie_rolls


def release_mount(tx: Transaction, rules: RuleSystem, rider: str, mount: str) -> None:
    """End the rider's control effects on a mount after dismounting."""
    for effect in list(tx.of(Effect, mount)):
        if effect.name in control_conditions(rules) and effect.by == rider:
            end_effect(tx, rules, effect)


def place_prepared_mounts(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Move mounts that were prepared with a rider to just before that rider."""
    for rider in list(tx.all(Combatant)) if rules.data.movement.mount_actions else ():
        if rider.rides and rider.controlled:
            tx.update(rider, controlled=False)
            control_mount(tx, rules, rider.id, rider.rides, rules.role("led-mount"))
        elif rider.rides and is_controlled_mount(tx, rules, rider.rides) and not _is_before(tx, rider.rides, rider.id):
            place_before_rider(tx, rules, rider.id, rider.rides)
    return goto(procedure, INITIATIVE.finish)


def _is_before(lookup: Lookup, mount: str, rider: str) -> bool:
    mount_slot, rider_slot = slot_of(lookup, mount), slot_of(lookup, rider)
    return rider_slot is None or (
        mount_slot is not None
        and mount_slot.count == rider_slot.count
        and mount_slot.tie_rolls[:-1] == rider_slot.tie_rolls[:-1]
    )


def begin_seat_checks(tx: Transaction, rules: RuleSystem, who: str, parent: str = "") -> None:
    """Begin the saves of riders to stay seated when their mount is moved by force, if the rules require them."""
    rule = rules.rule_id("mount.moved")
    for rider in riders_of(tx, who) if rule else ():
        begin(tx, STAY_SEATED.ask_stay_seated, ForcedDismount(rider.id, rule, ends_prone=True), parent)


STAGES = stages_in(globals(), INITIATIVE)
