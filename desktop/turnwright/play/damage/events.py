"""Events of the encounter's course: set-up, rounds and turns, rolls, who comes and goes, what people wrote."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class Rested(Event, frozen=True):
    """A rest was finished."""

    length: str


class TimePassed(Event, frozen=True):
    """Hours went by."""

    hours: int


class TempHpGained(Event, frozen=True, tag="TemporaryGained"):
    """Temporary hit points: what was offered, and what is there now."""

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
    """Somebody is dead."""

    who: str


class RestoredToLife(Event, frozen=True):
    """Somebody was brought back from death."""

    who: str
