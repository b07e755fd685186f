"""Checks and saves that the game master calls for, their results, and exertion.

Results of checks and saves, and those that the game master calls for: saving throws and group checks.

Exertion such as sprinting: free turns, checks that get harder, fatigue after a failure, and catching your breath.
"""

from typing import Literal

import msgspec

from turnwright.dice.expression import Modifier, Roll
from turnwright.encounter import field_specs, prepared, running, state
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import (
    CALLED_SAVES,
    FAILED,
    FAILURE,
    GROUP_CHECK,
    MADE,
    Ask,
    AskResult,
    CalledSaves,
    Degree,
    GroupCheckInProgress,
    Option,
    roll_ask,
)
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, goto
from turnwright.play.kernel.transaction import Command, Transaction, command, require, require_targets
from turnwright.play.state import events, hit_points
from turnwright.rules.parts.actions.action_options import group_check_bonus
from turnwright.rules.parts.checks import ability_checks
from turnwright.rules.parts.checks.ability_checks import (
    CHECKED,
    SPRINTED,
    check_roll,
    degree_if_used,
    exertion_dc,
    exertion_turns_track,
    free_turns_left,
    has_rested,
    is_success,
    reported_degree,
    roll_with_edge,
    round_end_seconds,
    save_roll,
)
from turnwright.rules.parts.movement.routes import sprint_direction, sprint_effect
from turnwright.rules.system import ExplainedNumber
from turnwright.rules.system_data.numbers import ActionCheck, ActionOption, ExertionFigures

UNKNOWN_ROLL = Roll(origin="typed")
PURPOSE = "ask.save"


@journal("journal.group_checked", when={"numbers": "journal.group_checked_numbers"}, result="result")
class GroupChecked(Event, frozen=True):
    """One roll counted for a whole group; `numbers` is the bonus for the group's size, included in the total."""

    who: field_specs.CombatantIds
    check: field_specs.CheckId
    total: int
    numbers: int = 0
    passed: bool | None = None
    dc: int = 0
    roll: Roll | None = None

    @property
    def result(self) -> str:
        """The word key of the result against a DC, or an empty string without a DC."""
        return "" if self.passed is None else f"<journal.group_{'passed' if self.passed else 'failed'}>"


def pass_or_fail_options() -> tuple[Option, ...]:
    """Return the options to report a roll without a known DC as a success or a failure."""
    return (Option(MADE, "option.made"), Option(FAILED, "option.failed"))


def result_of(tx: Transaction, answer: AskResult, purpose: str, who: str, detail: str, dc: int, rule: str) -> bool:
    """Compare an answer with a DC, report the roll, and return whether it succeeded."""
    return is_success(degree_of(tx, answer, purpose, who, detail, dc, rule) or FAILURE)


def degree_of(
    tx: Transaction, answer: AskResult, purpose: str, who: str, detail: str, dc: int, rule: str, steps: int = 0
) -> Degree | None:
    """Compare an answer with a DC, report the roll, and return its degree, or None if it was skipped.

    If the dice are unknown, the answer contains the reported result. `steps` make the degree better or worse.
    """
    if not answer.chosen and answer.roll is None:
        tx.emit(events.Skipped(purpose=purpose, who=who, detail=detail))
        return None
    if answer.chosen or answer.roll is None:
        degree, rolled = reported_degree(answer.chosen), answer.roll or UNKNOWN_ROLL
    else:
        degree, rolled = ability_checks.degree_of(tx.rules, answer.roll, dc) or FAILURE, answer.roll
    degree = ability_checks.LADDER[min(max(ability_checks.LADDER.index(degree) + steps, 0), 3)]
    shown_degree, passed = degree_if_used(tx.rules, degree), is_success(degree)
    tx.emit(
        events.Rolled(
            who=who, purpose=purpose, roll=rolled, detail=detail, dc=dc, passed=passed, degree=shown_degree, rule=rule
        )
    )
    return degree


def ask_saves(tx: Transaction, procedure: Procedure, data: CalledSaves, answers: Answers) -> Procedure:
    """Ask each named combatant for its save."""
    detail = f"<save.{data.save}>"
    asks = [
        roll_ask(who, PURPOSE, detail, roll_with_edge(save_roll(tx, tx.rules, who, data.save), data.edge), data.dc)
        for who in data.who
        if tx.get(running.Combatant, who) is not None
    ]
    return ask(tx, goto(procedure, CALLED_SAVES.finish_saves), "prompt.save", asks, subject=detail)


def finish_saves(tx: Transaction, procedure: Procedure, data: CalledSaves, answers: Answers) -> None:
    """Report the results of the saves."""
    detail = f"<save.{data.save}>"
    for who, answer in answers.items():
        if tx.get(running.Combatant, who) is None:
            continue
        if data.dc and not answer.skipped:
            result_of(tx, answer, PURPOSE, who, detail, data.dc, "")
        elif answer.roll is not None:
            tx.emit(events.Rolled(who=who, purpose=PURPOSE, roll=answer.roll, detail=detail))
        else:
            tx.emit(events.Skipped(who=who, purpose=PURPOSE, detail=detail))


@command(script="saves {save} {who} [against {dc}] [{edge}]")
class CallForSaves(Command, frozen=True):
    """Ask each combatant for a saving throw without further effects.

    `dc` is the difficulty class (0: none). `edge` is advantage or disadvantage for all of them.
    """

    who: field_specs.CombatantIds
    save: field_specs.AbilityId
    dc: field_specs.PositiveOrNone = 0
    edge: Literal["", "advantage", "disadvantage"] = ""

    def handle(self, tx: Transaction) -> None:
        """Begin the saves of the named combatants."""
        begin(tx, CALLED_SAVES.ask_saves, CalledSaves(require_targets(self.who), self.save, self.dc, self.edge))


def ask_roll(tx: Transaction, procedure: Procedure, data: GroupCheckInProgress, answers: Answers) -> Next:
    """Ask for the group's single roll."""
    first = next((who for who in data.members if tx.get(running.Combatant, who) is not None), "")
    if not first:
        return None
    spec = check_roll(tx, tx.rules, first, data.check)
    bonus = group_check_bonus(tx.rules, data.members, data.check)
    rule = tx.rule_id("control.check.strength" if bonus else "control.check.one-roll")
    if bonus:
        spec = msgspec.structs.replace(spec, modifiers=(*spec.modifiers, Modifier(bonus, "why.numbers", rule)))
    question = Ask("check", "roll", "ask.check", first, f"<check.{data.check}>", spec, data.dc, rule=rule)
    ask(tx, procedure, "prompt.check", [question], subject=tx.need(running.Combatant, first).label)
    return goto(procedure, GROUP_CHECK.apply_result)


def apply_result(tx: Transaction, procedure: Procedure, data: GroupCheckInProgress, answers: Answers) -> None:
    """Report the result of the roll for the whole group."""
    answer = answers.get("check")
    detail = f"<check.{data.check}>"
    if answer is None or answer.roll is None or answer.roll.total is None:
        tx.emit(events.Skipped(purpose="ask.check", detail=detail))
        return
    bonus = group_check_bonus(tx.rules, data.members, data.check)
    rule = tx.rule_id("control.check.strength" if bonus else "control.check.one-roll")
    who, total = data.members, answer.roll.total
    met = total >= data.dc if data.dc else None
    tx.emit(events.Rolled(who=who[0], purpose="ask.check", roll=answer.roll, detail=detail, bookkeeping=True))
    tx.emit(
        GroupChecked(
            who=who, check=data.check, total=total, numbers=bonus, passed=met, dc=data.dc, roll=answer.roll, rule=rule
        )
    )


@command(script="group check {who} {check} [against {dc}]", manual="group-check")
class GroupCheck(Command, frozen=True):
    """Call for a single ability check for a whole group, rolled by the first member."""

    who: field_specs.CombatantIds
    check: field_specs.CheckId
    dc: field_specs.PositiveOrNone = 0

    def handle(self, tx: Transaction) -> None:
        """Begin a group check. Refuse it if the system has no rules for groups."""
        members = require_targets(self.who)
        require(tx.rules.data.groups.dc_base, "refused.no_groups")
        begin(tx, GROUP_CHECK.ask_roll, GroupCheckInProgress(members, self.check, self.dc))


def catch_breath(tx: Transaction, who: str, option: ActionOption) -> None:
    """Restore the free turns of a combatant that has rested for long enough, and remove the action's fatigue."""
    exertion = option.exertion
    if exertion is None or not has_rested(tx, who, exertion):
        return
    for mark in (*state.effects_named(tx, who, SPRINTED), *state.effects_named(tx, who, CHECKED)):
        tx.remove(mark)
    tx.discard(running.Track, running.track_id(who, exertion_turns_track(option.id)))
    _clear_fatigue(tx, who, exertion, dict(exertion.ledgers).get("recovery", option.rule()))


def clear_exertion(tx: Transaction, who: str) -> None:
    """Remove the fatigue levels caused by exertion. Any rest is long enough."""
    for option in tx.rules.data.actions:
        if option.exertion is not None:
            _clear_fatigue(tx, who, option.exertion, dict(option.exertion.ledgers).get("recovery", ""))


def _clear_fatigue(tx: Transaction, who: str, exertion: ExertionFigures, rule: str) -> None:
    tired = tx.get(running.Track, running.track_id(who, exertion.tires))
    if tired is not None:
        tx.remove(tired)
        if tired.value:
            tx.emit(events.TrackSet(who=who, track=exertion.tires, before=tired.value, after=0, rule=rule))


def catch_breath_all(tx: Transaction, who: str) -> None:
    """At the start of a combatant's turn, recover from each exertion that ended long enough ago."""
    for option in tx.rules.data.actions:
        if option.exertion is not None:
            catch_breath(tx, who, option)


def is_free_turn(tx: Transaction, who: str, option: ActionOption) -> bool:
    """Count a turn of exertion, record when it ends, and return whether it was a free turn."""
    exertion = option.exertion
    if exertion is None:
        return True
    free = free_turns_left(tx, tx.rules, who, exertion, option.id) > 0
    name = exertion_turns_track(option.id)
    count = tx.get(running.Track, running.track_id(who, name)) or running.Track(running.track_id(who, name), who, name)
    tx.update(count, value=count.value + 1)
    for mark in state.effects_named(tx, who, SPRINTED):
        tx.remove(mark)
    tx.put(running.Effect(tx.next_id("effect"), who, SPRINTED, value=round_end_seconds(tx), shown=False))
    return free


def record_check(tx: Transaction, who: str) -> None:
    """Record the time of an exertion check. The next checks are harder for a while."""
    tx.put(running.Effect(tx.next_id("effect"), who, CHECKED, value=state.clock_of(tx).elapsed_seconds, shown=False))


def exertion_check_dc(tx: Transaction, who: str, option: ActionOption, trial: ActionCheck) -> ExplainedNumber:
    """Return the DC of the exertion check due now."""
    return exertion_dc(tx, who, trial.dc, option.exertion or ExertionFigures("", 0, 0, ""), trial.ledger)


def add_fatigue(tx: Transaction, who: str, option: ActionOption) -> None:
    """Add the fatigue level that a failed exertion check costs. It applies immediately."""
    if option.exertion is not None and option.trial is not None:
        hit_points.change_track(tx, who, option.exertion.tires, 1, option.trial.ledger)


def set_sprint_direction(tx: Transaction, who: str, path: tuple[prepared.Point, ...]) -> None:
    """Record the direction of a straight move. The combatant must keep to it for the rest of the turn."""
    mark, here = sprint_effect(tx, tx.rules, who), tx.need(running.Combatant, who).position
    if mark is not None and here is not None and path:
        across, down = sprint_direction(tx, tx.rules, who) or (0, 0)
        tx.update(mark, end_condition=f"{across + path[-1][0] - here[0]},{down + path[-1][1] - here[1]}")
