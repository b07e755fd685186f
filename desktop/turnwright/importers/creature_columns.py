"""Reads the columns shared by databases of 5e creatures: hit points, challenge rating, abilities, lists of features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.importers.common import as_list, as_text, challenge_rating
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport, UnreadableError

Record = Mapping[str, Any]
ABILITIES: Final = (
    ("str", "strength"), ("dex", "dexterity"), ("con", "constitution"),
    ("int", "intelligence"), ("wis", "wisdom"), ("cha", "charisma"),
)  # fmt: skip
_NOTHING: Final[tuple[Any, ...]] = (None, "", "null", "[]", "{}", [], {}, False)


def column_fields(record: Record, report: ConversionReport, scores: str = "") -> dict[str, Any]:
    """Return the fields of a creature from its columns. Raise UnreadableError if it has no hit points.

    `scores` is the prefix of the ability columns.
    """
    hp = as_int(record.get("hit_points"))
    if hp is None or hp < 1:
        raise UnreadableError(f"hit_points: expected a number of hit points, found {record.get('hit_points')!r}")
    rating = challenge_rating(record.get("challenge_rating")) or challenge_rating(record.get("cr"))
    if not rating:
        report.add_note("challenge_rating", record.get("challenge_rating"), "not a challenge rating; left empty")
    abilities: list[tuple[str, int]] = []
    for id, name in ABILITIES:
        score = as_int(record.get(f"{scores}{name}"))
        if score is None:
            report.add_note(f"{scores}{name}", record.get(f"{scores}{name}"), "not an ability score; ignored")
        else:
            abilities.append((id, score))
    return {
        "hp": hp,
        "rating": rating,
        "abilities": tuple(abilities),
        "alignment": as_text(record.get("alignment")).strip(),
    }


def feature_entries(
    record: Record, sections: Sequence[tuple[str, str]], report: ConversionReport
) -> Iterator[tuple[str, int, Record]]:
    """Yield the cost, number and record of each feature in a creature's lists.

    Each of the `sections` is the key of a list and the cost of its features.
    """
    for section, cost in sections:
        if record.get(section) and not isinstance(record[section], list):
            report.add_note(section, record[section], "not a list of features; ignored")
        for number, entry in enumerate(as_list(record.get(section)), 1):
            if isinstance(entry, dict) and (entry.get("name") or entry.get("desc")):
                yield cost, number, entry
            else:
                report.add_note(f"{section} {number}", entry, "not a feature; ignored")


def note_unknown_fields(record: Record, known: frozenset[str], report: ConversionReport, owner: str = "") -> None:
    """Add a note on each unknown field with a value; `owner` is the feature that the record describes, if any."""
    for key in sorted(record.keys() - known):
        if record[key] not in _NOTHING:
            field = f"{owner}: {key}" if owner else key
            report.add_note(field, record[key], "unknown field; ignored")
