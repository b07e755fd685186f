"""Events that befall combatants: damage and healing, conditions and levels, and things that break."""

from __future__ import annotations

from turnwright.dice.roll import Roll
from turnwright.play.events.told import Adjustment, Event


class DamageTaken(Event, frozen=True):
    """Damage reached somebody: what was dealt by type, what was made of it, and the hit points before and after.

    `critical`: it is that of a critical hit.
    """

    target: str
    dealt: tuple[tuple[str, int], ...]
    taken: int
    hp_before: int
    hp_after: int
    temp_before: int = 0
    temp_after: int = 0
    source: str = ""
    why: tuple[Adjustment, ...] = ()
    roll: Roll | None = None
    critical: bool = False


class DroppedToZero(Event, frozen=True):
    """Somebody came to 0 hit points, or below where the game goes there: `hp`."""

    who: str
    hp: int = 0


class Healed(Event, frozen=True):
    """Hit points were restored: offered `amount`, of which the maximum let some in."""

    target: str
    amount: int
    hp_before: int
    hp_after: int
    source: str = ""


class TemporaryGained(Event, frozen=True):
    """Temporary hit points: what was offered, and what is there now."""

    target: str
    offered: int
    before: int
    after: int
    source: str = ""


class TemporaryLost(Event, frozen=True):
    """Temporary hit points ran out with a rest."""

    target: str
    before: int


class HitPointsSet(Event, frozen=True):
    """Hit points were corrected by hand."""

    who: str
    hp: int
    temp_hp: int
    hp_max: int


class Died(Event, frozen=True):
    """Somebody is dead."""

    who: str


class RestoredToLife(Event, frozen=True):
    """Somebody was brought back from death."""

    who: str


class EffectGained(Event, frozen=True):
    """An effect began. `valued`: its value is how strong it is."""

    target: str
    name: str
    value: int = 0
    ends: str = ""
    source: str = ""
    valued: bool = False


class EffectEnded(Event, frozen=True):
    """An effect ended."""

    target: str
    name: str


class EffectCounted(Event, frozen=True):
    """An effect lasts so many rounds more (`left`) or, where that is 0, stands at another value."""

    target: str
    name: str
    left: int = 0
    value: int = 0


class Unaffected(Event, frozen=True):
    """Something did not touch somebody, for a reason (a word key)."""

    who: str
    what: str
    reason: str


class TrackSet(Event, frozen=True):
    """A track, such as fatigue, came to a value."""

    who: str
    track: str
    before: int
    after: int


class Reminded(Event, frozen=True):
    """A round began, and something still holds for somebody since the round named."""

    who: str
    name: str
    since: int


class ThingDamaged(Event, frozen=True):
    """A thing on the map took damage and stands."""

    thing: str
    amount: int
    left: int


class ThingBroken(Event, frozen=True):
    """A thing on the map was destroyed."""

    thing: str
    amount: int
