"""The command that restores a spent resource by hand."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, ResourceId
from turnwright.encounter.running import Track, track_id
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import ResourceRestored
from turnwright.rules.system import RuleSystem


@command(script="regain {who} {resource}")
class RestoreResource(Command, frozen=True):
    """Restore one point of a spent resource by hand."""

    who: CombatantId
    resource: ResourceId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Restore one point of a spent resource; refuse it if none is spent."""
        track = tx.get(Track, track_id(self.who, self.resource))
        if track is None or track.value >= track.maximum:
            raise Refused("refused.nothing_spent", params={"resource": f"<resource.{self.resource}>"})
        tx.update(track, value=track.value + 1)
        tx.emit(ResourceRestored(who=self.who, resource=self.resource))
