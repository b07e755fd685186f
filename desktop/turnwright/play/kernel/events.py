"""The base class of all events with their journal lines, and the records for phrases and journal lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import ClassVar, TypeVar

import msgspec

from turnwright.dice.roll import Roll
from turnwright.encounter.facts import FightFact
from turnwright.encounter.field_specs import WordKey, specs_by_name
from turnwright.play.kernel.journal import (
    NO_SUBJECT,
    SUBJECT_TABLES,
    JournalTemplate,
    LabelLookup,
    Value,
    shown,
    subject_of,
)


class Phrase(msgspec.Struct, frozen=True, omit_defaults=True):
    """A word key with its parameters: names, numbers, or further word keys in angle brackets (`<condition.prone>`)."""

    key: str
    params: tuple[tuple[str, str | int], ...] = ()


def phrase(key: str, **params: str | int) -> Phrase:
    """Return the phrase for a word key and its parameters."""
    return Phrase(key, tuple(params.items()))


class Event(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """Base of all events; the tag is the class name. `rule` is the id of the ledger rule that caused it, if any.

    Events contain ids and numbers. The decorator `journal` declares an event's line; events without it have no line.
    `bookkeeping`: the line reports upkeep, not play, even if its template says otherwise.
    """

    __journal__: ClassVar[JournalTemplate | None] = None

    rule: str = ""
    bookkeeping: bool = False

    @property
    def journal_key(self) -> str:
        """The word key of the line. Override it if it depends on more than whether a field is set."""
        template = self.__journal__
        if template is None:
            return ""
        key = next((key for field, key in template.when if getattr(self, field)), template.key)
        return key.format_map(msgspec.structs.asdict(self)) if "{" in key else key

    @property
    def journal_kind(self) -> str:
        """The kind of the line. Override it if it depends on the outcome."""
        return self.__journal__.kind if self.__journal__ else ""

    @property
    def journal_joins(self) -> tuple[str, ...]:
        """The parameters that successive lines join as a list. Override it if they depend on the outcome."""
        return self.__journal__.joins if self.__journal__ else ()

    @property
    def is_bookkeeping(self) -> bool:
        """Whether the line reports upkeep, not play."""
        return self.bookkeeping or (self.__journal__ is not None and self.__journal__.bookkeeping)


E = TypeVar("E", bound=Event)
_NOTHING: Mapping[str, str] = MappingProxyType({})


def journal(
    key: str,
    *,
    kind: str = "plain",
    about: str = "",
    when: Mapping[str, str] = _NOTHING,
    bookkeeping: bool = False,
    joins: tuple[str, ...] = (),
    **params: str,
) -> Callable[[type[E]], type[E]]:
    """Return the decorator that declares an event's line (see `JournalTemplate`)."""

    def declare(decorated: type[E]) -> type[E]:
        decorated.__journal__ = JournalTemplate(
            key, kind, about, tuple(when.items()), tuple(params.items()), bookkeeping, joins
        )
        return decorated

    return declare


def line_of(event: Event, template: JournalTemplate, names: LabelLookup) -> tuple[Phrase, tuple[str, str]]:
    """Return the phrase of an event's line, and the key of the line's subject."""
    values: dict[str, Value] = dict(getattr(event, "params", ()))
    specs = specs_by_name(type(event))
    for name, spec in specs.items():
        value = shown(spec, event, names)
        if value is not None and name != "rule":
            values[name] = value
    for name, attribute in template.params:
        values[name] = values.pop(attribute) if attribute in specs else getattr(event, attribute)
    for name, param in getattr(event, "params", ()):
        values.setdefault(name, param)  # a reason may have a parameter named like a field
    about = specs.get(template.about) or next((spec for spec in specs.values() if spec.kind in SUBJECT_TABLES), None)
    return phrase(event.journal_key, **values), subject_of(about, event) if about else NO_SUBJECT


class DamageAdjustment(msgspec.Struct, frozen=True, omit_defaults=True):
    """One adjustment of the damage that a target takes: the amounts before and after, and the reason.

    `kind` is the damage type that was adjusted, if there were several.
    """

    reason: str
    before: int
    after: int
    rule: str = ""
    kind: str = ""


@journal("journal.done_anyway", kind="warn")
class RuleOverridden(Event, frozen=True):
    """The game master overrode a rule that forbids an action. `reason` is a word key with its parameters."""

    reason: WordKey
    params: tuple[tuple[str, str | int], ...] = ()


class JournalLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the journal. `index` is its position among its step's lines; `kind` classifies it.

    `subject` is the key (table, id) of the record to show when the line is clicked, or two empty strings.
    `bookkeeping`: the line reports upkeep, not play. `events` is the number of events in the line, and `facts` are the
    facts that reports count.
    """

    serial: int
    index: int
    round: int
    phrase: Phrase
    kind: str = "plain"
    turn: str = ""
    subject: tuple[str, str] = ("", "")
    rule: str = ""
    roll: Roll | None = None
    why: tuple[DamageAdjustment, ...] = ()
    bookkeeping: bool = False
    events: int = 1
    facts: tuple[FightFact, ...] = ()
