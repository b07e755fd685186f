"""The command that renames a combatant."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@journal("journal.renamed")
class Renamed(Event, frozen=True):
    """A combatant's label was changed."""

    who: CombatantId
    before: str


@command(script="rename {who} {label:rest}")
class Rename(Command, frozen=True):
    """Rename a combatant."""

    who: CombatantId
    label: str

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Change a combatant's label. Refuse an empty one."""
        if not self.label.strip():
            raise Refused("refused.no_name")
        before = tx.need(Combatant, self.who)
        after = tx.update(before, label=self.label.strip())
        if after.label != before.label:
            tx.emit(Renamed(who=self.who, before=before.label))
