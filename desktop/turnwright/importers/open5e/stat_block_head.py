"""Reads the head lines that both of Open5e's formats share. Results are cached."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from turnwright.encounter.prepared import Feature
from turnwright.importers.common import as_text
from turnwright.importers.fields import Defence, column_fields, damage_types_with_clauses
from turnwright.importers.open5e.database import Book
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.damage import as_int, number_in_words
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.storage.fights import ConversionReport

MAX_NAME: Final = 60
MAX_BONUS: Final = 40  # a higher bonus is a typing mistake
_COUNTED = re.compile(r"\b(one|two|three|four|five|\d{1,2})\s+legendary\s+actions?\b", re.IGNORECASE)
senses_in = lru_cache(maxsize=512)(header_lines.senses)
conditions_in = lru_cache(maxsize=256)(header_lines.condition_list)
plain = lru_cache(maxsize=256)(plain_text)


def damage_of(text: Any, field: str, report: ConversionReport) -> Defence:
    """Return a line's damage types and clauses, and the exceptions to nonmagical weapons. Clauses are reported."""
    if text is not None and not isinstance(text, str):
        report.add_note(field, text, "not a list of damage types; ignored")
    if not text or not isinstance(text, str):
        return (), None
    return damage_types_with_clauses([text], field, report, weapons=field != "damage_vulnerabilities")


def conditions_of(text: Any, report: ConversionReport) -> tuple[str, ...]:
    """Return the conditions of a line. Unknown conditions are reported."""
    if text and not isinstance(text, str):
        report.add_note("condition_immunities", text, "not a list of conditions; ignored")
    conditions = conditions_in(text if isinstance(text, str) else "")
    for clause in conditions.clauses:
        report.add_note("condition_immunities", clause, "not a condition; kept as worded")
    return (*conditions.kinds, *conditions.clauses)


def shared_fields(
    record: Mapping[str, Any],
    features: Sequence[Feature],
    legendary: int,
    book: Book,
    report: ConversionReport,
    scores: str = "",
) -> dict[str, Any]:
    """Return the fields of a creature that both formats share. `scores` is the prefix of ability score columns.

    Raise UnreadableError if it has no hit points.
    """
    ac = as_int(record.get("armor_class"))
    if ac is None:
        report.add_note("armor_class", record.get("armor_class"), "not an Armor Class; set to 0")
    casting = next((ability for feature in features if (ability := header_lines.spellcasting_in(feature.text))), "")
    return column_fields(record, report, scores) | {
        "size": as_text(record.get("size")).strip().lower(),
        "ac": ac or 0,
        "hit_dice": as_text(record.get("hit_dice")).replace(" ", ""),
        "features": tuple(features),
        "legendary": legendary,
        "spellcasting": casting,
        "slots": (),
        "read": tuple(field for field, value in (("legendary", legendary), ("spellcasting", casting)) if value),
        "licence": book.licence,
        "system": book.system,
    }


def bonuses_of(
    record: Mapping[str, Any], columns: Sequence[tuple[str, str]], report: ConversionReport
) -> list[tuple[str, int]]:
    """Return the ids and bonuses in the given columns. Values that aren't numbers are reported."""
    bonuses: list[tuple[str, int]] = []
    for id, column in columns:
        bonus = as_int(record.get(column))
        if bonus is not None:
            bonuses.append((id, bonus))
        elif record.get(column) is not None:
            report.add_note(column, record[column], "not a bonus; ignored")
    return bonuses


def split_name(name: Any, text: Any, report: ConversionReport) -> tuple[str, str]:
    """Return a feature's name and text. If the name is really a sentence, it is added to the text and reported."""
    name, text = " ".join(as_text(name).split()), as_text(text)
    head = name.partition("(")[0]
    if len(head) <= MAX_NAME and (text or ":" not in name):
        return name or "Nameless", text
    short, colon, _ = name.partition(":")
    if not colon or len(short) > MAX_NAME:
        short = f"{name[:MAX_NAME].rpartition(' ')[0] or name[:MAX_NAME]} \N{HORIZONTAL ELLIPSIS}"
    report.add_note(f"{short}: name", name, "a sentence instead of a name; kept in the text")
    return short, f"{name}. {text}" if text else name


def legendary_count(text: str) -> int:
    """Return the number of legendary actions per round that a preamble states, or 0 if it doesn't state one."""
    if "egendary" not in text:
        return 0
    counted = _COUNTED.search(text)
    return header_lines.legendary_count(text) or (number_in_words(counted[1]) if counted else 0)


def preamble_count(name: str) -> int:
    """Return the number of legendary actions if a feature's name is really a preamble, or 0 for any other name."""
    return legendary_count(name) if "legendary action" in name else 0
