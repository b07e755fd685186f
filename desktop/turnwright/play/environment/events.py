"""Events of environments: entries used, recharge, countdown pools, teleports, announcements."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class EntryUsed(Event, frozen=True):
    """An entry of an environment was triggered."""

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
    """A combatant was moved to a free space drawn at random within some feet."""

    who: str
    feet: int


class RechargeRolled(Event, frozen=True):
    """A spent world action's recharge was rolled; `ready`: it is back, `face` is 0 where unknown."""

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
    """A text was announced to the group."""

    text: str


class PoolRolled(Event, frozen=True):
    """A countdown's dice were rolled: those at or above `face` left the pool."""

    countdown: str
    faces: tuple[int, ...]
    face: int
    left: int
