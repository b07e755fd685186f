"""Events about combatants that enter a fight."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, CountdownId, Side, WaveId
from turnwright.play.kernel.events import Event, journal


@journal("journal.joined", kind="warn", joins=("who",))
class CombatantAdded(Event, frozen=True, tag="Joined"):
    """A combatant entered the fight."""

    who: CombatantId
    side: Side


@journal("journal.pool_started", kind="world", what="countdown")
class PoolStarted(Event, frozen=True):
    """A countdown began."""

    countdown: CountdownId
    dice: int


@journal("journal.wave_{why}", kind="world")
class WaveJoined(Event, frozen=True, tag="WaveCame"):
    """A wave arrived: in its `round`, by `hand`, or by its trigger (`half`, `first-down`, `all-down`)."""

    wave: WaveId
    why: str


@journal("journal.likeness", kind="world")
class LookAlikeRolled(Event, frozen=True, tag="LikenessDrawn"):
    """A randomly chosen combatant determined the looks of a new creature."""

    who: CombatantId
    like: CombatantId
