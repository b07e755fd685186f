"""The base class of all events, with the templates of their journal lines.

A template has the word key of an event's line, and the event's fields that fill in names and numbers.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, ClassVar, TypeVar

import msgspec

from turnwright.dice.expression import Roll
from turnwright.encounter import field_specs
from turnwright.encounter.facts import FightFact
from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup, find_entry, wave_name
from turnwright.rules.system import and_list, word_key

Value = str | int
_SQUARE = re.compile(r"-?\d+, -?\d+")
NO_SUBJECT = ("", "")
SUBJECT_TABLES: Mapping[str, str] = {
    "combatant": Combatant.table, "combatants": Combatant.table, "environment": Environment.table,
    "countdown": Countdown.table,
}  # fmt: skip
# Fields of these kinds contain the last part of a word key; the kind is the first part.
WORD_KINDS = frozenset({"check", "condition", "resource", "side", "speed", "track"})


class JournalTemplate(msgspec.Struct, frozen=True):
    """The line of an event: its word key, its kind, and exceptions for the event's fields.

    `key` may contain a field's value, as in `journal.rested_{length}`. `when` maps fields to other keys: the first
    field that is set counts. `params` maps placeholders in the text to fields and properties with other names. `about`
    is the field that names the record to show when the line is clicked (default: the first field that names a record).
    `bookkeeping`: the line reports upkeep, not play. `joins`: successive lines that differ only in one of these
    parameters become one line with a list; the first parameter is the subject of the sentence.
    """

    key: str
    kind: str = "plain"
    about: str = ""
    when: tuple[tuple[str, str], ...] = ()
    params: tuple[tuple[str, str], ...] = ()
    bookkeeping: bool = False
    joins: tuple[str, ...] = ()


class LabelLookup:
    """Labels and names of records, looked up by id. A removed record has its label from before this step."""

    def __init__(self, now: Lookup, before: Lookup) -> None:
        self._now = now
        self._before = before

    def label(self, id: str) -> str:
        """Return a combatant's label."""
        combatant = self._now.get(Combatant, id) or self._before.get(Combatant, id)
        return combatant.label if combatant else id

    def knows(self, id: str) -> bool:
        """Return whether an id is empty or belongs to a combatant, perhaps one removed in this step."""
        return not id or self._now.get(Combatant, id) is not None or self._before.get(Combatant, id) is not None

    def labels(self, ids: tuple[str, ...]) -> str:
        """Join labels as a list: `Ann, Bob and Cass`. Three or more successive numbers become a range: `Goblin 1–4`."""
        return label_list(self.label(id) for id in ids)

    def countdown(self, id: str) -> str:
        """Return a countdown's name."""
        countdown = self._now.get(Countdown, id) or self._before.get(Countdown, id)
        return countdown.name if countdown else id

    def entry(self, environment: str, entry: str) -> str:
        """Return the name of a feature or action of an environment."""
        place = self._now.get(Environment, environment) or self._before.get(Environment, environment)
        row = find_entry(place, entry) if place else None
        return row.name if row else entry


def label_list(labels: Iterable[str]) -> str:
    """Join labels as a list: `Ann, Bob and Cass`. Three or more successive numbers become a range: `Goblin 1–4`."""
    parts = [label.rpartition(" ") for label in labels]
    runs: list[list[tuple[str, str, str]]] = []
    for part in parts:
        stem, _, number = part
        last = runs[-1][-1] if runs else ("", "", "")
        if stem and stem == last[0] and number.isdecimal() and last[2].isdecimal() and int(number) == int(last[2]) + 1:
            runs[-1].append(part)
        else:
            runs.append([part])
    return and_list(text for run in runs for text in _run_labels(run))


def _run_labels(run: list[tuple[str, str, str]]) -> list[str]:
    """Return the labels of a run of successive numbers, as a range if there are three or more."""
    if len(run) < 3:
        return ["".join(part) for part in run]
    stem, _, first = run[0]
    return [f"{stem} {first}–{run[-1][2]}"]


def number_text(value: int) -> str:
    """Return a number as text, with a true minus sign if it is negative."""
    return f"\N{MINUS SIGN}{-value}" if value < 0 else str(value)


def roll_total(roll: Roll) -> str:
    """Return a roll's total as text, with a mark for a natural 20 or 1, or `?` if it is unknown."""
    total = "?" if roll.total is None else number_text(roll.total)
    if roll.natural not in (1, 20):
        return total
    return f"natural {roll.natural}" if roll.total == roll.natural else f"{total} ({roll.natural}!)"


def game_time(seconds: int) -> str:
    """Format seconds of game time as `m:ss`, or as `h:mm:ss` from one hour on."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _place_text(place: str) -> str:
    """Return the text for a place. Squares are prefixed with the word for a square."""
    return f"<journal.square> {place}" if _SQUARE.fullmatch(place) else place


SHOWN: Mapping[str, Callable[[Any, LabelLookup], Value]] = {
    "combatant": lambda id, names: names.label(id),
    "combatants": lambda ids, names: names.labels(ids),
    "countdown": lambda id, names: names.countdown(id),
    "places": lambda places, names: "; ".join(
        f"{names.labels(tuple(id for id, _ in those))}: {_place_text(place)}"
        for place, those in groupby(places, itemgetter(1))
    ),
    "record": lambda roll, _: roll_total(roll) if isinstance(roll, Roll) else "?",
    "texts": lambda texts, _: ", ".join(texts),
    "wave": lambda wave, _: wave_name(wave),
    "word": lambda key, _: word_key(key),
}


def shown(spec: field_specs.FieldSpec, event: msgspec.Struct, names: LabelLookup) -> Value | None:
    """Return the value of an event's field for its line, or None if lines don't show this kind of field."""
    value = getattr(event, spec.name)
    if spec.kind in SHOWN:
        return SHOWN[spec.kind](value, names)
    if spec.kind == "entry":
        return names.entry(getattr(event, "environment", ""), value)
    if spec.kind in WORD_KINDS:
        return f"<{spec.kind}.{value}>" if value else ""
    if spec.kind == "number":
        return "?" if value is None or (spec.zero_is_none and not value) else int(value)
    return value if isinstance(value, str) else None


def subject_of(spec: field_specs.FieldSpec, event: msgspec.Struct) -> tuple[str, str]:
    """Return the key of the first record that a field names, or two empty strings if it names none."""
    value = getattr(event, spec.name)
    id = value if isinstance(value, str) else next(iter(value), "")
    return (SUBJECT_TABLES[spec.kind], id) if id else NO_SUBJECT


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


class CombatantEvent(Event, frozen=True):
    """Base of the events that are first of all about a combatant, `who`."""

    who: field_specs.CombatantId


class CountdownEvent(Event, frozen=True):
    """Base of the events about a countdown."""

    countdown: field_specs.CountdownId


class EntryEvent(Event, frozen=True):
    """Base of the events about an entry of an environment: a feature or a world action."""

    environment: field_specs.EnvironmentId
    entry: field_specs.EntryId


E = TypeVar("E", bound=Event)
_NOTHING: Mapping[str, str] = {}


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
    specs = field_specs.specs_by_name(type(event))
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

    reason: field_specs.WordKey
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
