"""The base class of all commands, and what a command's class declares about itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import msgspec

from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem

Handler = Callable[[Any, Transaction, RuleSystem], None]


class CommandInfo(msgspec.Struct, frozen=True):
    """What a command declares for the programs that give it.

    `script` is its grammar in the script language, such as `concentrate {who} [on {on}]`; `label` the word key of its
    undo label where that isn't `step.<command>`; `manual` the group of the *By Hand* menu that offers it.
    """

    script: str = ""
    label: str = ""
    manual: str = ""


class Command(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Base of all commands; the tag is the class name. The function `handle` of its module carries it out."""

    __command__: ClassVar[CommandInfo] = CommandInfo()


C = TypeVar("C", bound=Command)


def command(*, script: str = "", label: str = "", manual: str = "") -> Callable[[type[C]], type[C]]:
    """Return the decorator that sets a command's `__command__`."""

    def declare(decorated: type[C]) -> type[C]:
        decorated.__command__ = CommandInfo(script, label, manual)
        return decorated

    return declare


def handler_of(command: Command) -> Handler:
    """Return the function that carries out a command, which stands beside its class."""
    handler: Handler = sys.modules[type(command).__module__].handle
    return handler
