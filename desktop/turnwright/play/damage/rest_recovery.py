"""Commands of time that passes outside the rounds: rests, and hours of lying there."""

from __future__ import annotations

from turnwright.encounter.running import Track, track_id
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import TrackSet
from turnwright.rules.system import RuleSystem


def clear_exertion(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Remove the fatigue levels that exertion has cost: any rest is long enough."""
    for option in rules.data.actions:
        track = tx.get(Track, track_id(who, option.exertion.tires)) if option.exertion else None
        if option.exertion is not None and track is not None and track.value:
            rule = dict(option.exertion.ledgers).get("recovery", "")
            tx.remove(track)
            tx.emit(TrackSet(who=who, track=track.name, before=track.value, after=0, rule=rule))
