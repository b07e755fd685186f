"""Conditions and effects applied, noted or ended by hand, those that remain after another, and the lifting of doom.

If the system's sources don't define a condition that remains, a non-blocking prompt offers it. Otherwise, or with strict
rules, it applies automatically.
"""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import (
    AbilityId,
    CombatantId,
    CombatantIds,
    ConditionId,
    EffectId,
    PositiveOrNone,
    Prose,
)
from turnwright.encounter.lookups import find_effect, track_value
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.effects import (
    LIFT_DOOM,
    LINGERING_CONDITIONS,
    DoomRemedy,
    LingeringConditions,
)
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.play.effects.durations import apply_timed_effect
from turnwright.play.kernel.commands import Command, command, copy_fields, require_targets
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.effect_records import end_effect, put_condition
from turnwright.play.state.fatigue import apply_doomed, set_level
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.conditions.condition_rules import is_immune_to, is_out_of_play, lingering_rules
from turnwright.rules.parts.damage.dying import level_conditions
from turnwright.rules.system import RuleSystem

YES, NO = "yes", "no"
LIFT, LEAVE_DOOMED = "lift", "leave-doomed"


def start(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Apply the lingering conditions, or offer them."""
    data = data_of(procedure, LingeringConditions)
    if not _still_due(tx, rules, data):
        return None
    condition = rules.conditions[data.condition]
    if not condition.external or tx.strictness == "enforce":
        _put_conditions(tx, rules, data)
        return None
    options = (Option(YES, "option.yes"), Option(NO, "option.no"))
    granted = lingering_rules(tx, rules, data.who, data.condition)
    also = ", ".join(lingering_rule.text or rules.conditions[lingering_rule.what].name for lingering_rule in granted)
    question = choice_ask("brought", "ask.brought", options, data.who, also, rule=data.rule)
    subject = f"{tx.need(Combatant, data.who).label}: {condition.name}"
    ask(tx, procedure, "prompt.brought", [question], subject=subject, blocks=False)
    return goto(procedure, LINGERING_CONDITIONS.apply)


def apply(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Apply the lingering conditions, if the user chose to."""
    if YES in choices_of(answers, "brought") and _still_due(tx, rules, data_of(procedure, LingeringConditions)):
        _put_conditions(tx, rules, data_of(procedure, LingeringConditions))


def _still_due(tx: Transaction, rules: RuleSystem, data: LingeringConditions) -> bool:
    return not is_out_of_play(tx, data.who) and data.condition in condition_names(tx, rules, data.who)


def _put_conditions(tx: Transaction, rules: RuleSystem, data: LingeringConditions) -> None:
    for lingering_rule in lingering_rules(tx, rules, data.who, data.condition):
        put_condition(tx, rules, data.who, lingering_rule.what, source=f"<condition.{data.condition}>", rule=data.rule)


def begin_lift_doom(tx: Transaction, rules: RuleSystem, who: str, source: str) -> None:
    """Ask whether to lift a combatant's doom, if `source` names magic that can."""
    mighty = any(name in source.casefold() for name in rules.data.dying.remedies)
    if mighty and _doom_of(tx, rules, who) is not None:
        begin(tx, LIFT_DOOM.ask_lift, DoomRemedy(who, source))


def ask_lift(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask whether to lift the doom."""
    data = data_of(procedure, DoomRemedy)
    rule = rules.rule_id("doomed.remedy")
    options = (Option(LIFT, "option.lift_doom"), Option(LEAVE_DOOMED, "option.leave_doomed"))
    question = choice_ask("remedy", "ask.lift_doom", options, detail=data.source, rule=rule)
    ask(tx, procedure, "prompt.remedy", [question], subject=tx.need(Combatant, data.who).label)
    return goto(procedure, LIFT_DOOM.lift_doomed)


def lift_doomed(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Lift the doom, if the user chose to."""
    effect = _doom_of(tx, rules, data_of(procedure, DoomRemedy).who)
    if effect is not None and LIFT in choices_of(answers, "remedy"):
        end_effect(tx, rules, effect, rules.rule_id("doomed.remedy"))


def _doom_of(tx: Transaction, rules: RuleSystem, who: str) -> Effect | None:
    return find_effect(tx, who, rules.role("doomed"))


@command(
    script="condition {targets} {condition} [value {value}] [until {ends:duration}] "
    "[for {rounds} [by {by} | own turns {counted=affected}]] [ended by {save} {dc}] [from {source}]"
)
class ApplyCondition(Command, frozen=True):
    """Apply a condition to combatants. If it has levels, `value` sets the level (default: one higher).

    The fields from `by` on make it a timed effect and have the same meaning as in `Effect`.
    """

    targets: CombatantIds
    condition: ConditionId
    value: PositiveOrNone = 0
    ends: Duration = Duration()
    source: str = ""
    by: CombatantId = ""
    rounds: PositiveOrNone = 0
    counted: Literal["creator", "affected"] = "creator"
    sustained: bool = False
    save: AbilityId = ""
    dc: PositiveOrNone = 0
    due: Literal["", "turn-start", "turn-end"] = ""
    note: Prose = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Apply the condition to each target."""
        for who in require_targets(self.targets):
            if tx.need(Combatant, who).dead:
                tx.forbid("refused.target_dead", "", who=tx.need(Combatant, who).label)
            condition = rules.conditions.get(self.condition)
            track = next((id for id, name in level_conditions(rules).items() if name == self.condition), "")
            rule = condition.ledger[0] if condition and condition.ledger else ""
            if self.rounds or self.sustained or self.save or self.due:
                _apply_timed_effect(self, tx, rules, who, rule)
                continue
            if track and not is_immune_to(tx, who, self.condition):
                set_level(tx, rules, who, track, self.value or track_value(tx, who, track) + 1, rule)
                apply_doomed(tx, rules, who)
                continue
            value, ends, source, by = self.value, self.ends, self.source, self.by
            put_condition(tx, rules, who, self.condition, value=value, ends=ends, source=source, by=by, rule=rule)


def _apply_timed_effect(command: ApplyCondition, tx: Transaction, rules: RuleSystem, who: str, rule: str) -> None:
    """Apply a timed effect to a combatant, unless it is immune to the condition."""
    if command.rounds < 0 or command.dc < 0:
        raise Refused("refused.negative")
    if is_immune_to(tx, who, command.condition):
        put_condition(tx, rules, who, command.condition)  # this reports the immunity
        return
    condition = rules.conditions.get(command.condition)
    effect = copy_fields(
        Effect,
        command,
        id="",
        target=who,
        name=command.condition,
        value=command.value or int(condition is not None and condition.valued),
        rounds_left=command.rounds,
        counted_on=command.counted,
        reminder_at=command.due,
        note=command.note.strip(),
    )
    apply_timed_effect(tx, rules, effect, rule)


@command(script="end effect {effect}")
class EndEffect(Command, frozen=True):
    """End an effect."""

    effect: EffectId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """End an effect by hand."""
        end_effect(tx, rules, tx.need(Effect, self.effect))


@command(script="remind {effect} {text:rest}")
class SetEffectNote(Command, frozen=True):
    """Set an effect note, which replaces the text of its condition. An empty note restores the original text."""

    effect: EffectId
    text: Prose = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set the note of an effect."""
        tx.update(tx.need(Effect, self.effect), note=self.text.strip())


STAGES = stages_in(globals(), LINGERING_CONDITIONS, LIFT_DOOM)
