"""The command `ApplyCondition`: apply a condition to combatants."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import AbilityId, CombatantId, CombatantIds, ConditionId, PositiveOrNone, Prose
from turnwright.encounter.lookups import track_value
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.play.effects.durations import apply_timed_effect
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.requirements import require_targets
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import put_condition
from turnwright.play.state.fatigue import apply_doomed, set_level
from turnwright.rules.parts.conditions.condition_rules import is_immune_to
from turnwright.rules.parts.damage.dying import level_conditions
from turnwright.rules.system import RuleSystem


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
    effect = Effect(
        "",
        who,
        command.condition,
        command.source,
        command.value or int(condition is not None and condition.valued),
        command.ends,
        by=command.by,
        rounds_left=command.rounds,
        counted_on=command.counted,
        sustained=command.sustained,
        save=command.save,
        dc=command.dc,
        reminder_at=command.due,
        note=command.note.strip(),
    )
    apply_timed_effect(tx, rules, effect, rule)
