"""A command that no module of play names, and the folder that it lies in among a package's modules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

from turnwright.cli.script import parser
from turnwright.play import registry, table
from turnwright.ui.dialogs import manual_commands

NAME = "turnwright.play.table.whistle"


@contextmanager
def whistle_among_commands() -> Iterator[ModuleType]:
    """Let this folder join a package of play; yield the module of the command."""
    usual = table.__path__
    table.__path__ = [*usual, str(Path(__file__).parent)]
    _forget()
    try:
        yield import_module(NAME)
    finally:
        table.__path__ = usual
        _forget()
        del sys.modules[NAME], table.whistle  # type: ignore[attr-defined] # set by the import


def _forget() -> None:
    """Have what is derived from the commands derived again."""
    for found in (
        registry.command_types,
        registry.event_types,
        parser.templates,
        manual_commands.manual_commands,
    ):
        found.cache_clear()
