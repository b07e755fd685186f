"""Commands about the surroundings: rows of environments and countdown pools."""

from __future__ import annotations

from turnwright.play.commands.base import Command


class UseEntry(Command, frozen=True):
    """Set off a row of an environment, world action or feature: by whom and on whom (empty: it is asked).

    `attack` is the total of an attack on the row itself, held against its AC; `level` a spell's level (0 a cantrip).
    """

    environment: str
    entry: str
    actor: str = ""
    targets: tuple[str, ...] = ()
    attack: int | None = None
    level: int = 0


class SetReady(Command, frozen=True):
    """Recharge a world action by hand, or spend it."""

    environment: str
    entry: str
    ready: bool = True


class StartPool(Command, frozen=True):
    """Start a prepared countdown, or one described now; it first rolls at the next top of round."""

    countdown: str


class AdjustPool(Command, frozen=True):
    """Add dice to a pool or take some from it, saying why."""

    pool: str
    by: int
    reason: str = ""


class BringWave(Command, frozen=True):
    """Bring in a wave of the roster now, by its id; an empty one means the first that has not come yet."""

    wave: str = ""


class StopPool(Command, frozen=True):
    """Stop a countdown; it will not expire."""

    pool: str


class SetUnstoppable(Command, frozen=True):
    """Say whether a pool can be stopped."""

    pool: str
    unstoppable: bool = True
