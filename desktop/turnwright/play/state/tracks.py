"""Changes to counters on combatants (tracks)."""

from __future__ import annotations

from turnwright.encounter.running import Track, track_id
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import TrackSet


def change_track(tx: Transaction, who: str, name: str, by: int, rule: str = "") -> None:
    """Add to a track, which is created if necessary. It never falls below 0."""
    track = tx.get(Track, track_id(who, name)) or Track(track_id(who, name), who, name)
    after = max(0, track.value + by)
    tx.update(track, value=after)
    tx.emit(TrackSet(who=who, track=name, before=track.value, after=after, rule=rule))
