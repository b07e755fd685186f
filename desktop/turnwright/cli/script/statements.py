"""The statements of a script: a command of `play`, or one of the few statements that are more than that."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from turnwright.cli.script.lexer import WordReader
from turnwright.cli.script.resolve import NameResolver
from turnwright.play.kernel.commands import Command


class UndoStatement(msgspec.Struct, frozen=True):
    """Undo a number of steps."""

    steps: int = 1


class RedoStatement(msgspec.Struct, frozen=True):
    """Redo a number of steps."""

    steps: int = 1


class SaveStatement(msgspec.Struct, frozen=True):
    """Write the files."""


class RollStatement(msgspec.Struct, frozen=True):
    """Answer the open rolls in order with the typed totals; with none, the machine rolls them."""

    typed: tuple[str, ...] = ()


class PickStatement(msgspec.Struct, frozen=True):
    """Answer the most urgent open choice of options or targets."""

    options: tuple[str, ...]


class ReplyStatement(msgspec.Struct, frozen=True):
    """Answer one ask, by its id or by the combatant it asks."""

    ask: str
    values: tuple[str, ...]


class SkipStatement(msgspec.Struct, frozen=True):
    """Put the most urgent prompt aside."""


Statement = (
    Command
    | UndoStatement
    | RedoStatement
    | SaveStatement
    | RollStatement
    | PickStatement
    | ReplyStatement
    | SkipStatement
)
StatementParser = Callable[[WordReader, NameResolver], Statement]
