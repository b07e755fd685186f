"""Reads the columns that databases of 5e creatures have in common: hit points, rating, abilities, lists of features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.importers.common import as_list, as_text, challenge_rating
from turnwright.storage.statblock_text.numbers import as_int

Record = Mapping[str, Any]
ABILITIES: Final = (
    ("str", "strength"), ("dex", "dexterity"), ("con", "constitution"),
    ("int", "intelligence"), ("wis", "wisdom"), ("cha", "charisma"),
)  # fmt: skip
_NOTHING: Final[tuple[Any, ...]] = (None, "", "null", "[]", "{}", [], {}, False)


def column_fields(record: Record, report: ConversionReport, scores: str = "") -> dict[str, Any]:
    """Return fields of a creature by its columns; UnreadableError where it has no hit points.

    `scores` is what stands before the names of the columns of abilities.
    """
    hp = as_int(record.get("hit_points"))
    if hp is None or hp < 1:
        raise UnreadableError(f"hit_points: {record.get('hit_points')!r} is no number of hit points")
    rating = challenge_rating(record.get("challenge_rating")) or challenge_rating(record.get("cr"))
    if not rating:
        report.add_note("challenge_rating", record.get("challenge_rating"), "is no challenge rating")
    abilities: list[tuple[str, int]] = []
    for id, name in ABILITIES:
        score = as_int(record.get(f"{scores}{name}"))
        if score is None:
            report.add_note(f"{scores}{name}", record.get(f"{scores}{name}"), "is no ability score")
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
    """Yield the cost, the number and the record of each feature in a creature's lists, `sections` by cost."""
    for section, cost in sections:
        if record.get(section) and not isinstance(record[section], list):
            report.add_note(section, record[section], "is no list of features, and not kept")
        for number, entry in enumerate(as_list(record.get(section)), 1):
            if isinstance(entry, dict) and (entry.get("name") or entry.get("desc")):
                yield cost, number, entry
            else:
                report.add_note(f"{section} {number}", entry, "is no feature, and not kept")


def note_unknown_fields(record: Record, known: frozenset[str], report: ConversionReport, owner: str = "") -> None:
    """Report the unknown fields of a record that hold anything; `owner` names the feature whose record it is."""
    for key in sorted(record.keys() - known):
        if record[key] not in _NOTHING:
            field = f"{owner}: {key}" if owner else key
            report.add_note(field, record[key], "is not known in these records, and not kept")
