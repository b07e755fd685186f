"""What damage, conditions and the end of effects do to records: the acts that handlers and stages share."""

from __future__ import annotations

from turnwright.encounter.running import Track, track_id
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import TrackSet


def change_track(tx: Transaction, who: str, name: str, by: int, rule: str = "") -> None:
    """Add to a track, making it where there is none."""
    track = tx.get(Track, track_id(who, name)) or Track(track_id(who, name), who, name)
    after = max(0, track.value + by)
    tx.update(track, value=after)
    tx.emit(TrackSet(who=who, track=name, before=track.value, after=after, rule=rule))
