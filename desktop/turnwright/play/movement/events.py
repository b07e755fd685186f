"""Events of movement: moves, forced movement, mounting, dragging, falling."""

from __future__ import annotations

from turnwright.dice.roll import Modifier
from turnwright.play.kernel.events import Event


class Moved(Event, frozen=True):
    """A combatant moved `feet` at a cost of `cost` feet of movement, for the reasons given."""

    who: str
    feet: int
    cost: int
    mode: str
    why: tuple[Modifier, ...] = ()


class ForceMoved(Event, frozen=True, tag="Shifted"):
    """A combatant was put elsewhere without walking: `forced`, `teleport` or `provoking`; feet above level 0."""

    who: str
    to: tuple[int, int]
    how: str
    elevation: int = 0


class StoodUp(Event, frozen=True):
    """A combatant stood up for `cost` feet of movement."""

    who: str
    cost: int


class Mounted(Event, frozen=True):
    """A combatant mounted another for `cost` feet of movement; `controlled`: the mount obeys."""

    who: str
    mount: str
    cost: int
    controlled: bool = True


class Dismounted(Event, frozen=True):
    """A combatant dismounted for `cost` feet of movement, or (0) involuntarily."""

    who: str
    mount: str
    cost: int = 0


class Dragged(Event, frozen=True):
    """A combatant took hold of an ally to drag it along."""

    who: str
    ally: str


class MoveStopped(Event, frozen=True, tag="Halted"):
    """A move was stopped by an event on the way."""

    who: str


class FallBegan(Event, frozen=True):
    """A combatant falls from `feet` above the ground."""

    who: str
    feet: int


class Pushed(Event, frozen=True):
    """A combatant was pushed `feet` without spending movement or provoking opportunity attacks."""

    who: str
    feet: int
