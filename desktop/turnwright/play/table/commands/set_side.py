"""The command that changes a combatant's side, for example if it is charmed, bribed or betrayed."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, CombatantIds, Side
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.requirements import require_targets
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@journal("journal.side_changed", kind="warn", joins=("who",))
class SideChanged(Event, frozen=True):
    """A combatant changed to another side."""

    who: CombatantId
    before: Side
    side: Side


@command(script="side {targets} {side:rest}", manual="side")
class SetSide(Command, frozen=True):
    """Move combatants to another side."""

    targets: CombatantIds
    side: Side

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Change the side of combatants. Refuse an empty side."""
        side = self.side.strip()
        if not side:
            raise Refused("refused.no_side")
        for who in require_targets(self.targets):
            combatant = tx.need(Combatant, who)
            if combatant.side != side:
                tx.update(combatant, side=side)
                tx.emit(SideChanged(who=who, before=combatant.side, side=side))
