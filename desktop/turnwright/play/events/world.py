"""Events of the surroundings: rows of environments, countdown pools, and whom they bring or move about."""

from __future__ import annotations

from turnwright.play.events.told import Event


class EntryUsed(Event, frozen=True):
    """A row of an environment was set off."""

    environment: str
    entry: str
    targets: tuple[str, ...] = ()
    actor: str = ""


class EntryFailed(Event, frozen=True):
    """A row was tried and did not work (a word key says why)."""

    environment: str
    entry: str
    reason: str
    actor: str = ""


class Found(Event, frozen=True):
    """A check on a row came out: what it hides is found, or a feat on it works. `secret`: the row itself was."""

    environment: str
    entry: str
    who: str
    secret: bool = False


class Reflected(Event, frozen=True):
    """A mirror sent a spell back at its caster, or (not `back`) into an empty square; it broke."""

    environment: str
    entry: str
    who: str
    caster: str
    back: bool


class Disturbed(Event, frozen=True):
    """Something was disturbed and may come down by round `due`."""

    environment: str
    entry: str
    due: int


class Pushed(Event, frozen=True):
    """Somebody was pushed, in feet, without spending movement or provoking anyone."""

    who: str
    feet: int


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


class ReadinessSet(Event, frozen=True):
    """A world action was recharged or spent by hand."""

    environment: str
    entry: str
    ready: bool


class PoolStarted(Event, frozen=True):
    """A countdown began."""

    countdown: str
    dice: int


class PoolRolled(Event, frozen=True):
    """A countdown's dice were rolled: those at or above `face` left, so many remain."""

    countdown: str
    faces: tuple[int, ...]
    face: int
    left: int


class PoolAdjusted(Event, frozen=True):
    """Dice were added to a pool or taken from it."""

    countdown: str
    by: int
    left: int
    reason: str = ""


class PoolStopped(Event, frozen=True):
    """A countdown was stopped."""

    countdown: str


class PoolUnstoppable(Event, frozen=True):
    """A countdown can't be stopped any more, or can again."""

    countdown: str
    unstoppable: bool


class PoolExpired(Event, frozen=True):
    """A countdown's last die left it."""

    countdown: str


class WaveCame(Event, frozen=True):
    """A wave of reinforcements came: by its `round`, by `hand`, or by what it waited for (`half`, `first-down`, `all-down`)."""

    wave: str
    why: str


class Announced(Event, frozen=True):
    """Something was said to the table."""

    text: str


class LikenessDrawn(Event, frozen=True):
    """A newcomer looks like somebody drawn at random."""

    who: str
    like: str


class CaughtFire(Event, frozen=True):
    """A thing began to burn."""

    thing: str
