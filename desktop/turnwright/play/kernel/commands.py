"""The base class of all commands, and the metadata that a command's class declares."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

import msgspec

from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.events import Phrase, phrase
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem

_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


class CommandInfo(msgspec.Struct, frozen=True):
    """Metadata of a command for scripts and the window.

    `script` is its grammar in the script language, such as `concentrate {who} [on {on}]`. `label` is the word key of
    its undo label, if that isn't `step.<command>`. `manual` is the id of its form in the *By Hand* menu; the form's
    word keys begin with `ui.manual.<id>`.
    """

    script: str = ""
    label: str = ""
    manual: str = ""


class Command(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Base of all commands; the tag is the class name. A command runs with its method `handle`."""

    __command__: ClassVar[CommandInfo] = CommandInfo()

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Run the command: change records, emit events and begin procedures, or raise Refused."""
        raise NotImplementedError

    def subject(self, lookup: Lookup, /) -> str:
        """Return the name of the command's subject for its undo label: the combatants in `who` or `targets`."""
        who = getattr(self, "who", "") or getattr(self, "targets", ())
        return combatant_names(lookup, (who,) if isinstance(who, str) else who)

    @property
    def merge_key(self) -> str:
        """The key that merges successive commands into one step, or an empty string for a separate step."""
        return ""


C = TypeVar("C", bound=Command)


def command(*, script: str = "", label: str = "", manual: str = "") -> Callable[[type[C]], type[C]]:
    """Return the decorator that sets a command's `__command__`."""

    def declare(decorated: type[C]) -> type[C]:
        decorated.__command__ = CommandInfo(script, label, manual)
        return decorated

    return declare


def combatant_names(lookup: Lookup, ids: Sequence[str]) -> str:
    """Return the labels of up to three combatants as a list."""
    labels = [combatant.label if (combatant := lookup.get(Combatant, id)) else id for id in ids[:3]]
    return ", ".join(labels) + (" …" if len(ids) > 3 else "")


def record_name(record: msgspec.Struct) -> str:
    """Return the name or title of a prepared record, or its id if it has neither."""
    return str(getattr(record, "name", "") or getattr(record, "title", "") or getattr(record, "id", ""))


def undo_label(command: Command, lookup: Lookup) -> Phrase:
    """Return the command's label, usually `step.<command>`, with the name of its subject."""
    default_key = "step." + _WORDS.sub("_", type(command).__name__).lower()
    return phrase(command.__command__.label or default_key, what=command.subject(lookup))
