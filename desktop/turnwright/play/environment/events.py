"""Events of the surroundings: rows of environments, countdown pools, and whom they bring or move about."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class EntryUsed(Event, frozen=True):
    """A row of an environment was set off."""

    environment: str
    entry: str
    targets: tuple[str, ...] = ()
    actor: str = ""


class TrapDisturbed(Event, frozen=True, tag="Disturbed"):
    """Something was disturbed and may come down by round `due`."""

    environment: str
    entry: str
    due: int


class Teleported(Event, frozen=True):
    """Somebody was moved to a free space drawn at random within so many feet."""

    who: str
    feet: int


class RechargeRolled(Event, frozen=True):
    """A spent world action was rolled for; `ready` says whether it is back, `face` is 0 where nobody knows it."""

    environment: str
    entry: str
    face: int
    needed: int
    ready: bool


class EntryReadySet(Event, frozen=True, tag="ReadinessSet"):
    """A world action was recharged or spent by hand."""

    environment: str
    entry: str
    ready: bool


class PoolAdjusted(Event, frozen=True):
    """Dice were added to a pool or taken from it."""

    countdown: str
    by: int
    left: int
    reason: str = ""


class PoolStopped(Event, frozen=True):
    """A countdown was stopped."""

    countdown: str


class PoolUnstoppableSet(Event, frozen=True, tag="PoolUnstoppable"):
    """A countdown can't be stopped any more, or can again."""

    countdown: str
    unstoppable: bool


class PoolExpired(Event, frozen=True):
    """A countdown's last die left it."""

    countdown: str


class Announced(Event, frozen=True):
    """Something was said to the table."""

    text: str


class PoolRolled(Event, frozen=True):
    """A countdown's dice were rolled: those at or above `face` left, so many remain."""

    countdown: str
    faces: tuple[int, ...]
    face: int
    left: int
