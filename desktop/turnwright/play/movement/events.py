"""Events of what combatants do: actions, attacks, movement, features, and what they spend on them."""

from __future__ import annotations

from turnwright.dice.roll import Modifier
from turnwright.play.kernel.events import Event


class Moved(Event, frozen=True):
    """Somebody moved `feet` at a price of `cost` feet of movement, for the reasons given."""

    who: str
    feet: int
    cost: int
    mode: str
    why: tuple[Modifier, ...] = ()


class ForceMoved(Event, frozen=True, tag="Shifted"):
    """Somebody was put elsewhere without walking: `forced`, `teleport` or `provoking`; feet above level 0."""

    who: str
    to: tuple[int, int]
    how: str
    elevation: int = 0


class StoodUp(Event, frozen=True):
    """Somebody stood up for so many feet of movement."""

    who: str
    cost: int


class Mounted(Event, frozen=True):
    """Somebody mounted another, for so many feet of movement; `controlled`: it obeys."""

    who: str
    mount: str
    cost: int
    controlled: bool = True


class Dismounted(Event, frozen=True):
    """Somebody is off their mount, for so many feet of movement, or (0) not by their own will."""

    who: str
    mount: str
    cost: int = 0


class Dragged(Event, frozen=True):
    """Somebody takes hold of an ally to pull it along."""

    who: str
    ally: str


class MoveStopped(Event, frozen=True, tag="Halted"):
    """Something that happened on the way stopped somebody's move."""

    who: str


class FallBegan(Event, frozen=True):
    """Somebody drops out of the air from so many feet above the ground."""

    who: str
    feet: int


class Pushed(Event, frozen=True):
    """Somebody was pushed, in feet, without spending movement or provoking anyone."""

    who: str
    feet: int
