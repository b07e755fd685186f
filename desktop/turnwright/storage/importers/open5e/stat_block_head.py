"""Reads the head lines that both of Open5e's formats write alike; results are remembered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from turnwright.encounter.prepared import Feature, NamedNumbers, SourceNote
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.importers.common import as_text, challenge_rating
from turnwright.storage.statblock_text import header_lines
from turnwright.storage.statblock_text.markup import plain_text
from turnwright.storage.statblock_text.numbers import as_int

ABILITIES: Final = (
    ("str", "strength"), ("dex", "dexterity"), ("con", "constitution"),
    ("int", "intelligence"), ("wis", "wisdom"), ("cha", "charisma"),
)  # fmt: skip
MOVEMENT_MODES: Final = ("walk", "fly", "swim", "climb", "burrow")
MAX_NAME: Final = 60
MAX_BONUS: Final = 40  # beyond this it is a slip of the finger
_ANY_WEAPON = re.compile(
    r"(?:damage\s+from\s+)?non-?\s?magical\s+(?:weapons?|attacks?|weapon\s+attacks?)", re.IGNORECASE
)
_EXCEPTED = re.compile(
    r"(?:damage\s+from\s+)?non-?\s?magical,?\s+(?:and\s+)?non-\w+\s+(?:weapons?|attacks?)", re.IGNORECASE
)
_COUNTED = re.compile(r"\b(one|two|three|four|five|\d{1,2})\s+legendary\s+actions?\b", re.IGNORECASE)
_NUMBERS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_CASTS = re.compile(
    r"spellcasting\s+ability\s+is\s+(Str|Dex|Con|Int|Wis|Cha)|(Str|Dex|Con|Int|Wis|Cha)[a-z]+\s+as\s+the\s+spellcasting\s+ability",
    re.IGNORECASE,
)
senses_in = lru_cache(maxsize=512)(header_lines.senses)
conditions_in = lru_cache(maxsize=256)(header_lines.condition_list)
plain = lru_cache(maxsize=256)(plain_text)
rating_in = lru_cache(maxsize=256)(challenge_rating)


class DamageKinds(NamedTuple):
    """Damage types and clauses of a creature, and whether nonmagical weapons in general are among them."""

    kinds: tuple[str, ...]
    mundane: bool
    clauses: tuple[str, ...]


@lru_cache(maxsize=512)
def damage_kinds(text: str, *, weapons: bool) -> DamageKinds:
    """Read a line of damage types; `weapons`: nonmagical weapons without exception are a flag instead of a clause."""
    if not text:
        return DamageKinds((), False, ())
    clauses = _EXCEPTED.findall(text) if "on-" in text else []
    read = header_lines.damage_types(_EXCEPTED.sub("", text) if clauses else text)
    mundane = False
    for clause in read.clauses:
        if weapons and (_ANY_WEAPON.fullmatch(clause) or (read.mundane and len(read.clauses) == 1)):
            mundane = True
        else:
            clauses.append(clause)
    return DamageKinds((*read.kinds, *clauses), mundane, tuple(clauses))


def damage_of(text: Any, field: str, report: ConversionReport) -> tuple[tuple[str, ...], bool]:
    """Return a line's damage types with its clauses, which are reported, and whether it has nonmagical weapons in general."""
    if text is None or text == "":
        return (), False
    if not isinstance(text, str):
        report.add_note(field, text, "is no list of damage types, and not kept")
        return (), False
    found = damage_kinds(text, weapons=field != "damage_vulnerabilities")
    for clause in found.clauses:
        report.add_note(field, clause, "is kept as it is worded")
    return found.kinds, found.mundane


def conditions_of(text: Any, report: ConversionReport) -> tuple[str, ...]:
    """Return the conditions of a line; unknown conditions are reported."""
    if not text:
        return ()
    if not isinstance(text, str):
        report.add_note("condition_immunities", text, "is no list of conditions, and not kept")
        return ()
    found = conditions_in(text)
    for clause in found.clauses:
        report.add_note("condition_immunities", clause, "is no condition that is known here, and kept as it is worded")
    return (*found.kinds, *found.clauses)


def note_unknown_fields(record: Mapping[str, Any], known: frozenset[str], report: ConversionReport) -> None:
    """Report the unknown fields of a record, where they hold anything."""
    for key in () if record.keys() <= known else record.keys() - known:
        if record[key] not in (None, "", "null", "[]", "{}", [], {}, False):
            report.add_note(key, record[key], "is not known in these records, and not kept")


def abilities_of(scores: Iterable[tuple[str, Any]], report: ConversionReport) -> NamedNumbers:
    """Return ability scores; invalid scores are reported."""
    figures: list[tuple[str, int]] = []
    for id, value in scores:
        score = value if type(value) is int else as_int(value)
        if score is None:
            report.add_note(id, value, "is no ability score")
        else:
            figures.append((id, score))
    return tuple(figures)


def size_of(value: Any, report: ConversionReport) -> str:
    """Return a size in small letters; medium, and a note, for an invalid size."""
    size = as_text(value).strip().lower()
    if size in header_lines.SIZES:
        return size
    report.add_note("size", value, "is no size; it is taken for medium")
    return "medium"


def split_name(name: Any, text: Any, report: ConversionReport) -> tuple[str, str]:
    """Return a feature's name and its prose; a sentence in the name's place is prose too, and reported."""
    if type(name) is str and type(text) is str and text and 0 < len(name) < MAX_NAME and name[0] != " ":
        return name, text
    name, text = " ".join(as_text(name).split()), as_text(text)
    head = name.partition("(")[0]
    if len(head) <= MAX_NAME and (text or ":" not in name):
        return name or "Nameless", text
    short, colon, _ = name.partition(":")
    if not colon or len(short) > MAX_NAME:
        short = f"{name[:MAX_NAME].rpartition(' ')[0] or name[:MAX_NAME]} \N{HORIZONTAL ELLIPSIS}"
    report.add_note(f"{short}: name", name, "is a sentence and no name; it is kept in the text")
    return short, f"{name}. {text}" if text else name


def legendary_count(text: str) -> int:
    """Return the number of legendary actions a round that a preamble states, 0 where it states none."""
    if "egendary" not in text:
        return 0
    found = header_lines.legendary_count(text)
    if found:
        return found
    counted = _COUNTED.search(text)
    return (_NUMBERS.get(counted[1].lower()) or int(counted[1])) if counted else 0


def casting_ability(features: Iterable[Feature]) -> str:
    """Return the ability that the first spellcasting feature names."""
    for feature in features:
        if "pellcasting" in feature.text and (found := _CASTS.search(feature.text)):
            return (found[1] or found[2]).lower()
    return ""


def add_source_note(remarks: list[SourceNote], field: str, text: str) -> None:
    """Add a remark unless its text is empty."""
    if text:
        remarks.append(SourceNote(field, text))
