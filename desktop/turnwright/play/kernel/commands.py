"""The base class of all commands, and what a command's class declares about itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeVar

import msgspec


class CommandInfo(msgspec.Struct, frozen=True):
    """What a command declares for the programs that give it.

    `script` is its grammar in the script language, such as `concentrate {who} [on {on}]`; `label` the word key of its
    undo label where that isn't `step.<command>`; `manual` the group of the *By Hand* menu that offers it.
    """

    script: str = ""
    label: str = ""
    manual: str = ""


class Command(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Base of all commands; the tag is the class name."""

    __command__: ClassVar[CommandInfo] = CommandInfo()


C = TypeVar("C", bound=Command)


def command(*, script: str = "", label: str = "", manual: str = "") -> Callable[[type[C]], type[C]]:
    """Return the decorator that sets a command's `__command__`."""

    def declare(decorated: type[C]) -> type[C]:
        decorated.__command__ = CommandInfo(script, label, manual)
        return decorated

    return declare
