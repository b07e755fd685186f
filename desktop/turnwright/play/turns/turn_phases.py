"""The phases at the start and end of a turn, keyed by the names that rule systems use for them.

A phase runs for the members of the active slot, and `parent` waits for the procedures it begins. `is_due` returns
whether it has an effect whose order may matter. Other phases run in their usual place without asking.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from turnwright.encounter.lookups import effects_named, scene_of
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, EnvironmentEffect
from turnwright.encounter.procedure_state.turns import WORLD_TURN, TurnEnd, WorldTurn
from turnwright.encounter.state import Lookup
from turnwright.play.asking.exertion import catch_breath_all
from turnwright.play.damage.zero_hp_rules import begin_zero_hp_turn
from turnwright.play.effects.durations import (
    begin_decrease,
    count_down,
    counting_effects,
    decreasing_effects,
    effects_in_play,
    expire_effects,
    has_expiring,
)
from turnwright.play.effects.persistent_damage import begin_persistent_damage
from turnwright.play.kernel.scheduler import begin, data_of
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import lose_unspent
from turnwright.play.state.effect_records import start_followups
from turnwright.play.state.limited_uses import reset_all_uses, reset_uses, restore_uses
from turnwright.play.turns.end_of_turn_saves import (
    affliction_effects,
    begin_flat_checks,
    begin_saves,
    flat_check_effects,
)
from turnwright.play.turns.legendary_and_lair_actions import begin_legendary_actions
from turnwright.play.turns.recharge import begin_recharges
from turnwright.play.turns.resource_refill_choice import refill_at_turn_start
from turnwright.play.turns.turn_triggers import (
    TurnMoment,
    acting_features,
    begin_reminders,
    begin_triggers,
    due_reminders,
    triggered_features,
)
from turnwright.rules.hooks import Hook, HookContext, run_hooks
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.economy.limited_uses import LEGENDARY, awaiting_recharge
from turnwright.rules.system import RuleSystem

Members = tuple[str, ...]
PhaseAction = Callable[[Transaction, RuleSystem, Members, str], None]
PhaseCheck = Callable[[Lookup, RuleSystem, Members], bool]


AFTER_DELAY = frozenset({"legendary", "lose-unspent"})  # phases that run when a turn ends but not when it is delayed


def _never(lookup: Lookup, rules: RuleSystem, who: Members) -> bool:
    return False


class TurnPhase(NamedTuple):
    """A phase of a turn: its function, and whether it has an effect whose order can be chosen.

    `option` is the id of its option in the prompt, which scripts use, if it differs from the phase's name.
    """

    run: PhaseAction
    is_due: PhaseCheck = _never
    option: str = ""


def alive(lookup: Lookup, who: Members) -> Members:
    """Return those members of a slot who are in play."""
    return tuple(member for member in who if not is_out_of_play(lookup, member))


def _surroundings(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """List the environment entries that affect combatants at the end of their turn."""
    rows: list[tuple[str, str, str]] = []
    for member in alive(tx, who):
        result = run_hooks(tx, rules, Hook.TURN_ENDING, HookContext(member, "turn"))
        start_followups(tx, result, parent)
        rows += [(offer.environment, offer.entry, offer.who) for offer in result.offers]
    procedure, data = _end(tx, parent)
    tx.update(procedure, data=msgspec.structs.replace(data, entries=tuple(rows)))


def _rows(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """Apply the next environment entry to a combatant at the end of its turn. The phase repeats until none is left."""
    procedure, data = _end(tx, parent)
    if data.entries:
        environment, entry, target = data.entries[0]
        phases = ("environment-entries", *data.phases)
        tx.update(procedure, data=msgspec.structs.replace(data, entries=data.entries[1:], phases=phases))
        effect = EnvironmentEffect(environment, entry, targets=(target,), targets_confirmed=True)
        begin(tx, ENVIRONMENT_EFFECT.ask_targets, effect, parent)


def _end(tx: Transaction, id: str) -> tuple[Procedure, TurnEnd]:
    procedure = tx.need(Procedure, id)
    return procedure, data_of(procedure, TurnEnd)


def _begun(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    for member in alive(tx, who):
        start_followups(tx, run_hooks(tx, rules, Hook.TURN_STARTED, HookContext(member, "turn")), parent)
        restore_uses(tx, member, LEGENDARY)
        reset_uses(tx, member, "round")
    reset_all_uses(tx, "turn")


def _recharges(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    for member in alive(tx, who):
        begin_recharges(tx, member)


def _breath(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    for member in alive(tx, who):
        catch_breath_all(tx, rules, member)


def _world(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """Begin the environment's turn for each participant, in encounters with rolling movement."""
    if scene_of(tx).rolling:
        begin(tx, WORLD_TURN.next_combatant, WorldTurn(remaining=alive(tx, who)), parent)


def _perils(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """Begin saves and checks of combatants at 0 hit points, before the environment affects them."""
    world = next((procedure.id for procedure in tx.all(Procedure) if procedure.at == WORLD_TURN.next_combatant), "")
    begin_zero_hp_turn(tx, rules, alive(tx, who), world or parent)


def _is_dying(lookup: Lookup, rules: RuleSystem, who: Members) -> bool:
    return any(effects_named(lookup, member, rules.role("dying")) for member in alive(lookup, who))


def _expiry(moment: TurnMoment) -> TurnPhase:
    return TurnPhase(
        lambda tx, rules, who, _: expire_effects(tx, rules, who, moment),
        lambda lookup, _, who: has_expiring(lookup, who, moment),
    )


def _countdown(counted_on: str, option: str) -> TurnPhase:
    return TurnPhase(
        lambda tx, rules, who, _: count_down(tx, rules, who, counted_on),
        lambda lookup, _, who: bool(counting_effects(lookup, who, counted_on)),
        option,
    )


def _triggers(moment: TurnMoment) -> TurnPhase:
    return TurnPhase(
        lambda tx, rules, who, parent: begin_triggers(tx, rules, alive(tx, who), moment, parent),
        lambda lookup, rules, who: any(
            acting_features(lookup, rules, member, moment) or triggered_features(lookup, rules, member, moment)
            for member in alive(lookup, who)
        ),
    )


def _reminders(moment: TurnMoment) -> TurnPhase:
    return TurnPhase(
        lambda tx, _, who, parent: begin_reminders(tx, who, moment, parent),
        lambda lookup, _, who: bool(due_reminders(lookup, who, moment)),
        "notes",
    )


START_PHASES: Mapping[str, TurnPhase] = MappingProxyType(
    {
        "refill": TurnPhase(lambda tx, rules, who, parent: refill_at_turn_start(tx, rules, alive(tx, who), parent)),
        "expire": _expiry("turn-start"),
        "count-rounds": _countdown("creator", "rounds"),
        "turn-started": TurnPhase(_begun),
        "trigger": _triggers("turn-start"),
        "recharges": TurnPhase(
            _recharges, lambda lookup, _, who: any(awaiting_recharge(lookup, member) for member in alive(lookup, who))
        ),
        "catch-breath": TurnPhase(_breath),
        "reminders": _reminders("turn-start"),
        "world-turn": TurnPhase(_world),
        "zero-hp": TurnPhase(_perils, _is_dying, "dying"),
    }
)
END_PHASES: Mapping[str, TurnPhase] = MappingProxyType(
    {
        "expire": _expiry("turn-end"),
        "count-turns": _countdown("affected", "turns"),
        "environment": TurnPhase(_surroundings),
        "ongoing": TurnPhase(
            lambda tx, _, who, parent: begin_persistent_damage(tx, who, parent),
            lambda lookup, _, who: any(effect.damage for effect in effects_in_play(lookup, who)),
        ),
        "flat-checks": TurnPhase(
            begin_flat_checks,
            lambda lookup, rules, who: bool(flat_check_effects(lookup, rules, who)),
            "flat",
        ),
        "afflictions": TurnPhase(begin_saves, lambda lookup, _, who: bool(affliction_effects(lookup, who))),
        "condition-decrease": TurnPhase(
            begin_decrease,
            lambda lookup, rules, who: bool(decreasing_effects(lookup, rules, who)),
            "conditions",
        ),
        "trigger": _triggers("turn-end"),
        "reminders": _reminders("turn-end"),
        "environment-entries": TurnPhase(_rows),
        "legendary": TurnPhase(begin_legendary_actions),
        "lose-unspent": TurnPhase(lambda tx, rules, who, _: lose_unspent(tx, rules, who)),
    }
)


# The order of phases ---------------------------------------------------------------------------------------------


def pending_phases(
    lookup: Lookup, rules: RuleSystem, phases: Mapping[str, TurnPhase], listed: Members, who: Members
) -> Members:
    """Return the phases whose order can be chosen, in the suggested order, or () if there is no choice."""
    if not rules.data.turns.order_chosen:
        return ()
    due = tuple(name for name in listed if phases[name].is_due(lookup, rules, who))
    return due if len(due) > 1 else ()


def fixed_order(rules: RuleSystem, names: Members) -> tuple[tuple[str, str], ...]:
    """Return the fixed order of phases, as pairs of the later and the earlier phase."""
    chain = [name for name in rules.data.turns.fixed_chain if name in names]
    return tuple((later, earlier) for n, later in enumerate(chain) for earlier in chain[:n])


def option_ids(phases: Mapping[str, TurnPhase], names: Members) -> dict[str, str]:
    """Return the option ids of phases in a prompt, keyed by phase name."""
    return {name: phases[name].option or name for name in names}


def ordered(listed: Members, chosen: Members) -> Members:
    """Return all phases in `listed`. The chosen phases are rearranged within the places they have."""
    following = iter(chosen)
    return tuple(next(following) if name in chosen else name for name in listed)
