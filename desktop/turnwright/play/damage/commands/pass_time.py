"""The command `PassTime`: advance time by hours outside rounds."""

from __future__ import annotations

from turnwright.encounter.field_specs import Positive
from turnwright.encounter.running import Combatant
from turnwright.play.asking.exertion import clear_exertion
from turnwright.play.damage.death_saves import pass_hours
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem


@command(script="hours {hours}")
class PassTime(Command, frozen=True):
    """Let hours pass outside combat. Stable combatants may regain consciousness."""

    hours: Positive

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Advance time by hours, and wake stable combatants that are due."""
        require_running(tx)
        if self.hours < 1:
            raise Refused("refused.hours")
        tx.emit(TimePassed(hours=self.hours, rule=rules.rule_id("stable.recover")))
        for combatant in list(tx.all(Combatant)):
            clear_exertion(tx, rules, combatant.id)
        pass_hours(tx, rules, self.hours)


@journal("journal.time_passed")
class TimePassed(Event, frozen=True):
    """Hours passed."""

    hours: int
