"""Events of damage and recovery: temporary hit points, death and return, rests, time passed."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class Rested(Event, frozen=True):
    """A rest was finished."""

    length: str


class TimePassed(Event, frozen=True):
    """Hours went by."""

    hours: int


class TempHpGained(Event, frozen=True, tag="TemporaryGained"):
    """Temporary hit points were offered, and the number after that."""

    target: str
    offered: int
    before: int
    after: int
    source: str = ""


class TempHpLost(Event, frozen=True, tag="TemporaryLost"):
    """Temporary hit points ran out with a rest."""

    target: str
    before: int


class Died(Event, frozen=True):
    """A combatant died."""

    who: str


class RestoredToLife(Event, frozen=True):
    """A combatant was restored to life."""

    who: str
