"""The command `SetTrack`: correct a track by hand."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, TrackName
from turnwright.encounter.running import Track, track_id
from turnwright.play.damage.death_saves import check_counts
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import MOVED
from turnwright.play.state.events import TrackSet
from turnwright.play.state.fatigue import set_level
from turnwright.play.state.limited_uses import set_uses
from turnwright.rules.parts.damage.dying import FAILURES, LEVEL_TRACKS, SUCCESSES
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.economy.limited_uses import maximum_uses
from turnwright.rules.system import RuleSystem, label_of


@command(script="track {who} {track} {value}")
class SetTrack(Command, frozen=True):
    """Set the value of a track, such as fatigue, by hand."""

    who: CombatantId
    track: TrackName
    value: int

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set a track: a number that the system counts, death saves, or a creature's limited uses.

        Raising a resource above its maximum requires an override. It lasts until the resource is next restored.
        """
        if self.value < 0:
            raise Refused("refused.negative")
        if maximum_uses(tx, self.who, self.track):
            set_uses(tx, rules, self.who, self.track, self.value)
            return
        if self.track not in (MOVED, SUCCESSES, FAILURES, *rules.resources, *rules.conditions):
            raise Refused("refused.unknown", params={"what": self.track})
        if self.track in LEVEL_TRACKS:
            set_level(tx, rules, self.who, self.track, self.value)
            return
        id = track_id(self.who, self.track)
        track = tx.get(Track, id) or Track(id, self.who, self.track)
        resource = rules.resources.get(self.track)
        counted = resource is not None and resources.is_finite(resource)
        most = resources.maximum(tx, self.who, resource) if resource is not None and counted else 0
        if resource is not None and counted and self.value > max(track.value, most):
            rule = resource.ledger[0] if resource.ledger else ""
            tx.forbid("refused.more_than_all", rule, who=label_of(tx, self.who), most=most)
        tx.update(track, value=self.value, maximum=max(most, self.value) if counted else track.maximum)
        tx.emit(TrackSet(who=self.who, track=self.track, before=track.value, after=self.value))
        if self.track in (SUCCESSES, FAILURES):
            check_counts(tx, rules, self.who)
