"""The base class of all commands, the metadata that a command's class declares, and requirements that commands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, TypeVar

import msgspec

from turnwright.dice.ast import DiceError
from turnwright.dice.expression import parse
from turnwright.encounter.field_specs import specs_of
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.events import Phrase, phrase
from turnwright.play.kernel.transaction import Refused, Transaction, require
from turnwright.rules.system import RuleSystem

_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
S = TypeVar("S", bound=msgspec.Struct)


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

    def handle(self, tx: Transaction) -> None:
        """Run the command: change records, emit events and begin procedures, or raise Refused."""
        raise NotImplementedError

    def subject(self, lookup: Lookup, /) -> str:
        """Return the name of the command's subject for its undo label: the combatants in `who` or `targets`."""
        who = getattr(self, "who", "") or getattr(self, "targets", ())
        return combatant_names(lookup, (who,) if isinstance(who, str) else who)

    @property
    def merge_key(self) -> str:
        """The key that merges successive commands into one step: the field `merge`. Empty for a separate step."""
        return str(getattr(self, "merge", ""))


C = TypeVar("C", bound=Command)


def command(*, script: str = "", label: str = "", manual: str = "") -> Callable[[type[C]], type[C]]:
    """Return the decorator that sets a command's `__command__`."""

    def declare(decorated: type[C]) -> type[C]:
        decorated.__command__ = CommandInfo(script, label, manual)
        return decorated

    return declare


def copy_fields(kind: type[S], source: msgspec.Struct, **fields: Any) -> S:
    """Return a new record with the values of the source's fields of the same names, and with these other fields."""
    shared = {name: getattr(source, name) for name in source.__struct_fields__ if name in kind.__struct_fields__}
    return kind(**shared | fields)


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


def require_no_open_prompt(tx: Transaction) -> None:
    """Refuse the command while a prompt that blocks the turn order is open."""
    blocking = next((prompt for prompt in tx.all(Prompt) if prompt.blocks), None)
    if blocking is not None:
        raise Refused("refused.prompt_open", params={"what": blocking.subject or f"<{blocking.title}>"})


def require_check(rules: RuleSystem, check: str) -> None:
    """Refuse an ability or skill check that the system doesn't have. The refusal lists the known checks."""
    ability, colon, skill = check.partition(":")
    abilities = [ability_data.id for ability_data in rules.data.abilities]
    skills = [skill_data.id for skill_data in rules.data.skills]
    if ability not in abilities or (colon and skill not in skills):
        available = {"abilities": ", ".join(abilities), "skills": ", ".join(skills)}
        raise Refused("refused.no_such_check", params={"what": check, **available})


def require_combatants(tx: Transaction, command: Command) -> None:
    """Refuse a command if any of its combatant fields names a combatant that doesn't exist."""
    for spec in specs_of(type(command)):
        ids = getattr(command, spec.name) if spec.kind in ("combatant", "combatants") else ()
        for who in (ids,) if isinstance(ids, str) else ids:
            if who or spec.required:
                tx.need(Combatant, who)


def require_targets(targets: tuple[str, ...]) -> tuple[str, ...]:
    """Return the targets without duplicates. Raise Refused if there are none."""
    require(targets, "refused.no_target")
    return tuple(dict.fromkeys(targets))


@contextmanager
def require_dice(text: str) -> Iterator[None]:
    """Refuse text in which the code inside the block finds a mistake, with the parser's reason."""
    try:
        yield
    except DiceError as error:
        raise Refused("refused.dice_expression", params={"what": text, "why": str(error)}) from error


def require_dice_expression(expression: str) -> None:
    """Refuse text that isn't a dice expression, with the parser's reason."""
    with require_dice(expression):
        parse(expression)


def require_amount(amount: int) -> None:
    """Refuse a negative amount."""
    require(amount >= 0, "refused.negative")
