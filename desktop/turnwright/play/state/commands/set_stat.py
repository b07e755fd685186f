"""The command that enters a number missing from a stat block."""

from __future__ import annotations

from typing import Annotated

from turnwright.encounter.field_specs import MAX_NUMBER, CombatantId, FieldSpec, StatName
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import StatSet
from turnwright.rules.system import RuleSystem


@command(script="supply {who} {stat} {value}")
class SetStat(Command, frozen=True):
    """Enter a number that is missing from a stat block, such as `passive.perception`, for the rest of the fight."""

    who: CombatantId
    stat: StatName
    value: Annotated[int, FieldSpec(least=0, most=MAX_NUMBER, label="set-stat.number")]

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Record a number missing from a stat block. It applies until another value is entered."""
        if not self.stat.strip():
            raise Refused("refused.empty")
        combatant = tx.need(Combatant, self.who)
        numbers = dict(combatant.supplied_numbers) | {self.stat: self.value}
        tx.update(combatant, supplied_numbers=tuple(numbers.items()))
        rule = rules.rule_id("passive.scores") if self.stat.startswith("passive.") else ""
        tx.emit(StatSet(who=self.who, stat=self.stat, value=self.value, rule=rule))
