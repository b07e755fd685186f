"""The base class of all commands, and what a command's class declares about itself."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

import msgspec

from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.events import Phrase, phrase
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem

Handler = Callable[[Any, Transaction, RuleSystem], None]
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


class CommandInfo(msgspec.Struct, frozen=True):
    """What a command declares for the programs that give it.

    `script` is its grammar in the script language, such as `concentrate {who} [on {on}]`; `label` the word key of its
    undo label where that isn't `step.<command>`; `manual` the id of its form in the *By Hand* menu, whose words begin with
    `ui.manual.<id>`.
    """

    script: str = ""
    label: str = ""
    manual: str = ""


class Command(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Base of all commands; the tag is the class name. The function `handle` of its module carries it out."""

    __command__: ClassVar[CommandInfo] = CommandInfo()

    def subject(self, lookup: Lookup, /) -> str:
        """Return the name of what the command is about, for its undo label: the combatants that it names first."""
        who = getattr(self, "who", "") or getattr(self, "targets", ())
        return combatant_names(lookup, (who,) if isinstance(who, str) else who)

    @property
    def merge_key(self) -> str:
        """Commands in succession with the same key make one step; empty: a step of its own."""
        return ""


C = TypeVar("C", bound=Command)


def command(*, script: str = "", label: str = "", manual: str = "") -> Callable[[type[C]], type[C]]:
    """Return the decorator that sets a command's `__command__`."""

    def declare(decorated: type[C]) -> type[C]:
        decorated.__command__ = CommandInfo(script, label, manual)
        return decorated

    return declare


def combatant_names(lookup: Lookup, ids: Sequence[str]) -> str:
    """Return the labels of up to three combatants in a list."""
    named = [one.label if (one := lookup.get(Combatant, id)) else id for id in ids[:3]]
    return ", ".join(named) + (" …" if len(ids) > 3 else "")


def record_name(record: msgspec.Struct) -> str:
    """Return the name or title of a prepared record, or else its id."""
    return str(getattr(record, "name", "") or getattr(record, "title", "") or getattr(record, "id", ""))


def undo_label(command: Command, lookup: Lookup) -> Phrase:
    """Return the command's word key, usually `step.<command>`, with the name of its subject, where it has one."""
    usual = "step." + _WORDS.sub("_", type(command).__name__).lower()
    return phrase(command.__command__.label or usual, what=command.subject(lookup))


def handler_of(command: Command) -> Handler:
    """Return the function that carries out a command, which stands beside its class."""
    handler: Handler = sys.modules[type(command).__module__].handle
    return handler
