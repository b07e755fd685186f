"""What a line of a script can order: one of the commands of `play`, or one of the few things that are more than that."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from turnwright.cli.lines import Reader
from turnwright.cli.names import Names
from turnwright.play.commands import Command


class TakeBack(msgspec.Struct, frozen=True):
    """Undo so many steps."""

    steps: int = 1


class BringBack(msgspec.Struct, frozen=True):
    """Redo so many steps."""

    steps: int = 1


class Save(msgspec.Struct, frozen=True):
    """Write the files."""


class Roll(msgspec.Struct, frozen=True):
    """Answer the open rolls in order with what was typed; with nothing typed, the machine rolls them."""

    typed: tuple[str, ...] = ()


class Pick(msgspec.Struct, frozen=True):
    """Answer the most urgent open choice of options or targets."""

    options: tuple[str, ...]


class Reply(msgspec.Struct, frozen=True):
    """Answer one ask, by its id or by whom it asks."""

    ask: str
    values: tuple[str, ...]


class Skip(msgspec.Struct, frozen=True):
    """Put the most urgent prompt aside."""


Order = Command | TakeBack | BringBack | Save | Roll | Pick | Reply | Skip
Parser = Callable[[Reader, Names], Order]
