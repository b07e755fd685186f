"""Exertion such as sprinting: free turns, checks that get harder, fatigue after a failure, and catching your breath."""

from __future__ import annotations

from turnwright.encounter.lookups import clock_of, effects_named
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant, Effect, Track, track_id
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import TrackSet
from turnwright.play.state.fatigue import change_track
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.parts.checks.action_checks import (
    CHECKED,
    SPRINTED,
    exertion_dc,
    exertion_turns_track,
    free_turns_left,
    has_rested,
    round_end_seconds,
)
from turnwright.rules.parts.movement.straight_line_moves import sprint_direction, sprint_effect
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import ActionCheck, ActionOption, ExertionFigures


def catch_breath(tx: Transaction, who: str, option: ActionOption) -> None:
    """Restore the free turns of a combatant that has rested for long enough, and remove the action's fatigue."""
    exertion = option.exertion
    if exertion is None or not has_rested(tx, who, exertion):
        return
    for mark in (*effects_named(tx, who, SPRINTED), *effects_named(tx, who, CHECKED)):
        tx.remove(mark)
    tx.discard(Track, track_id(who, exertion_turns_track(option.id)))
    _clear_fatigue(tx, who, exertion, dict(exertion.ledgers).get("recovery", option.rule()))


def clear_exertion(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Remove the fatigue levels caused by exertion. Any rest is long enough."""
    for option in rules.data.actions:
        if option.exertion is not None:
            _clear_fatigue(tx, who, option.exertion, dict(option.exertion.ledgers).get("recovery", ""))


def _clear_fatigue(tx: Transaction, who: str, exertion: ExertionFigures, rule: str) -> None:
    tired = tx.get(Track, track_id(who, exertion.tires))
    if tired is not None:
        tx.remove(tired)
        if tired.value:
            tx.emit(TrackSet(who=who, track=exertion.tires, before=tired.value, after=0, rule=rule))


def catch_breath_all(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """At the start of a combatant's turn, recover from each exertion that ended long enough ago."""
    for option in rules.data.actions:
        if option.exertion is not None:
            catch_breath(tx, who, option)


def is_free_turn(tx: Transaction, rules: RuleSystem, who: str, option: ActionOption) -> bool:
    """Count a turn of exertion, record when it ends, and return whether it was a free turn."""
    exertion = option.exertion
    if exertion is None:
        return True
    free = free_turns_left(tx, rules, who, exertion, option.id) > 0
    name = exertion_turns_track(option.id)
    count = tx.get(Track, track_id(who, name)) or Track(track_id(who, name), who, name)
    tx.update(count, value=count.value + 1)
    for mark in effects_named(tx, who, SPRINTED):
        tx.remove(mark)
    tx.put(Effect(tx.next_id("effect"), who, SPRINTED, value=round_end_seconds(tx), shown=False))
    return free


def record_check(tx: Transaction, who: str) -> None:
    """Record the time of an exertion check. The next checks are harder for a while."""
    tx.put(Effect(tx.next_id("effect"), who, CHECKED, value=clock_of(tx).elapsed_seconds, shown=False))


def exertion_check_dc(
    tx: Transaction, rules: RuleSystem, who: str, option: ActionOption, trial: ActionCheck
) -> ExplainedNumber:
    """Return the DC of the exertion check due now."""
    exertion = option.exertion or ExertionFigures("", 0, 0, "")
    return exertion_dc(tx, who, trial.dc, exertion, trial.ledger)


def add_fatigue(tx: Transaction, who: str, option: ActionOption) -> None:
    """Add the fatigue level that a failed exertion check costs. It applies immediately."""
    if option.exertion is not None and option.trial is not None:
        change_track(tx, who, option.exertion.tires, 1, option.trial.ledger)


def set_sprint_direction(tx: Transaction, rules: RuleSystem, who: str, path: tuple[Point, ...]) -> None:
    """Record the direction of a straight move. The combatant must keep to it for the rest of the turn."""
    mark, here = sprint_effect(tx, rules, who), tx.need(Combatant, who).position
    if mark is not None and here is not None and path:
        across, down = sprint_direction(tx, rules, who) or (0, 0)
        tx.update(mark, end_condition=f"{across + path[-1][0] - here[0]},{down + path[-1][1] - here[1]}")
