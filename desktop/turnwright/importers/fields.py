"""Reads fields that several formats share: columns of databases, cells with a number and a note, damage defences.

Assigns the damage in a source's data to the fields in which the feature's text deals it.

Sources list all dice of a feature together, such as those for a hit, for a failed save, or for every ten minutes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from turnwright.encounter.field_specs import dice_problem
from turnwright.encounter.prepared import Feature
from turnwright.importers.common import as_list, as_text, challenge_rating, named_numbers
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.damage import TYPES, as_int, normalised_dice_text
from turnwright.importers.vocabulary import pattern, terms
from turnwright.storage.fights import ConversionReport, UnreadableError

Record = Mapping[str, Any]
ABILITIES: Final[tuple[tuple[str, str], ...]] = tuple(terms("abilities", "names").items())
_NOTHING: Final[tuple[Any, ...]] = (None, "", "null", "[]", "{}", [], {}, False)
_ANY_WEAPON: Final = pattern("fields", "any_weapon")
_LEADING = re.compile(r"\s*([+-]?\d{1,6})\b[\s,;:]*(.*)", re.DOTALL)
# Types and clauses, and the materials excepted from nonmagical weapons.
Defence = tuple[tuple[str, ...], tuple[str, ...] | None]


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
    abilities = named_numbers((id, record.get(f"{scores}{name}")) for id, name in ABILITIES)
    for column in (f"{scores}{name}" for id, name in ABILITIES if id not in dict(abilities)):
        report.add_note(column, record.get(column), "not an ability score; ignored")
    alignment = as_text(record.get("alignment")).strip()
    return {"hp": hp, "rating": rating, "abilities": abilities, "alignment": alignment}


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


def number_and_note(value: Any) -> tuple[int | None, str]:
    """Return the number at the start of a cell, and the rest of its text without surrounding brackets.

    The number is None if the cell doesn't start with a whole number; the second value is then the full text.
    """
    number, text = as_int(value), as_text(value).strip()
    match = _LEADING.fullmatch(text)
    if number is not None or not match:
        return number, "" if number is not None else text
    rest = match[2].strip()
    is_aside = rest.startswith("(") and rest.endswith(")") and rest.count("(") == 1
    return int(match[1]), rest[1:-1].strip() if is_aside else rest


def hit_points(value: Any, least: int = 1) -> tuple[int, str]:
    """Return a cell's hit points and the note after them. Raise UnreadableError if there are fewer than `least`."""
    hp, note = number_and_note(value)
    if hp is None:
        raise UnreadableError(f"hp: expected a number of hit points, found {note!r}" if note else "no hit points")
    if hp < least:
        raise UnreadableError(f"hp: expected at least {least}, found {hp}")
    return hp, note


def armor_class(value: Any, report: ConversionReport) -> tuple[int, str]:
    """Return the Armor Class of a cell and the note after it. If it has none, report that and return 0."""
    ac, note = number_and_note(value)
    if ac is None:
        report.add_note("ac", note, "not an Armor Class; set to 0" if note else "missing; set to 0")
        return 0, ""
    return ac, note


def rating_or_note(value: Any, report: ConversionReport) -> str:
    """Return a challenge rating as printed. If there is none, report that and return an empty string."""
    rating = challenge_rating(value)
    if not rating:
        report.add_note("cr", value or "", "not a challenge rating; left empty" if value else "missing; left empty")
    return rating


def damage_types_with_clauses(parts: Iterable[str], field: str, report: ConversionReport, *, weapons: bool) -> Defence:
    """Return damage types and verbatim clauses, and the materials excepted from nonmagical weapons.

    The second value is None if nonmagical weapons aren't included. If `weapons`, the creature has a separate field for
    them, and they aren't listed as a clause. Every clause is reported.
    """
    kinds: dict[str, None] = {}
    mundane: tuple[str, ...] | None = None
    for part in parts:
        read = header_lines.damage_types(part)
        kinds.update(dict.fromkeys(read.kinds))
        if weapons and read.weapons is not None:
            mundane = (*(mundane or ()), *read.weapons)
        for clause in read.clauses:
            if weapons and _ANY_WEAPON.fullmatch(clause):
                mundane = mundane or ()
            elif clause != read.nonmagical or not weapons:
                kinds.setdefault(clause)
                report.add_note(field, clause, "not a damage type; kept as worded")
    return tuple(kinds), mundane


def conditions_with_clauses(value: Any, field: str, report: ConversionReport) -> tuple[str, ...]:
    """Return condition immunities, with unknown clauses verbatim. Clauses and damage types among them are reported."""
    read = header_lines.condition_list(value)
    for clause in read.clauses:
        report.add_note(field, clause, "not a condition; kept as worded")
    for kind in read.kinds:
        if kind in TYPES:
            report.add_note(field, kind, "damage type among the condition immunities; kept there")
    return (*read.kinds, *read.clauses)


def damage_fields(read: Callable[[str], Defence]) -> dict[str, Any]:
    """Return a creature's fields for immunities, resistances and vulnerabilities.

    `read` takes the name of a field, and returns its damage types and the materials excepted from nonmagical weapons.
    """
    immunities, mundane_immunity = read("immunities")
    resistances, mundane_resistance = read("resistances")
    vulnerabilities, _ = read("vulnerabilities")
    return {
        "immunities": immunities,
        "mundane_immunity": mundane_immunity is not None,
        "resistances": resistances,
        "mundane_resistance": mundane_resistance is not None,
        "mundane_except": tuple(dict.fromkeys((*(mundane_immunity or ()), *(mundane_resistance or ())))),
        "vulnerabilities": vulnerabilities,
    }


DAMAGE_FIELDS = ("damage", "save_damage", "ongoing")
TEXT_ONLY = "kept as text only"  # reason in notes about damage that doesn't fit any field
_DICE = re.compile(r"\d*d\d+(?:\s*[+\-\u2212\u2013]\s*\d+)?")
_PARTS = re.compile(r" (?=[+-] )")


def normalised_dice(text: str) -> str:
    """Return dice in the form of dice expressions: no spaces, plain minus signs, no `+-`."""
    return normalised_dice_text(text).removesuffix("+0").removesuffix("+")


class ProsePart(msgspec.Struct):
    """A part of the damage stated in the text, and its field.

    `met` means that a part of the source's data matches it; `own` means that both agree entirely.
    """

    field: str
    text: str
    met: bool = False
    own: bool = False


def prose_parts(feature: Feature) -> list[ProsePart]:
    """Return the parts of a feature's damage that were read from its text, with their fields."""
    return [ProsePart(field, part) for field in DAMAGE_FIELDS for part in split_damage(getattr(feature, field))]


def with_damage(feature: Feature, parts: Sequence[ProsePart]) -> Feature:
    """Set the damage of a feature. A field counts as read from the text unless the data confirms all its parts."""
    joined = {field: " + ".join(part.text for part in parts if part.field == field) for field in DAMAGE_FIELDS}
    figures = {field: text.replace("+ -", "-") for field, text in joined.items()}
    read_still = {part.field for part in parts if not part.own}
    read = tuple(field for field in feature.read if field not in DAMAGE_FIELDS or field in read_still)
    return msgspec.structs.replace(feature, read=read, **figures)


def placed_damage(feature: Feature, parts: Sequence[str], report: ConversionReport, name: str) -> Feature:
    """Assign the damage in a source's data (`parts`, such as `2d6+5 piercing`) to the fields of a feature.

    A part that the text also states keeps its field and no longer counts as read from the text. If the two differ, the
    data takes precedence. If no field fits a part, it is reported and remains in the text only.
    """
    sound = [part for part in parts if part and not dice_problem(part)]
    for part in parts:
        if part not in sound:
            report.add_note(f"{name}: damage", part, "not a dice expression; ignored")
    prose = prose_parts(feature)
    for prose_part in prose:
        prose_part.own = prose_part.text in sound
    stated = {prose_part.text for prose_part in prose}
    stated |= {part for other in feature.other_damage for part in split_damage(other.damage)}
    unplaced = [part for part in sound if part not in stated and not _corrects(part, prose, report, name)]
    if unplaced and not prose:
        prose, unplaced = [ProsePart("damage", part, own=True) for part in unplaced], []
    for part in unplaced:
        report.add_note(f"{name}: damage", part, "the text doesn't deal this damage at once; kept as text only")
    return with_damage(feature, prose)


def remaining_damage(feature: Feature, prose_report: ConversionReport, report: ConversionReport) -> None:
    """Report the notes on a feature's text, except those on damage that the source's data provides."""
    dice = {part.partition(" ")[0] for field in DAMAGE_FIELDS for part in split_damage(getattr(feature, field))}
    for note in prose_report.notes:
        is_kept = note.field.endswith(": damage") and note.why == TEXT_ONLY
        if not is_kept or dice.isdisjoint(map(normalised_dice, _DICE.findall(note.text))):
            report.add_note(note.field, note.text, note.why)


def loose_dice_pattern(dice: str) -> str:
    """Return a pattern that matches dice with any spaces and any minus sign."""
    return re.escape(dice).replace(r"\+", r" ?\+ ?").replace(r"\-", r" ?[-\u2212\u2013] ?")


def split_damage(text: str) -> list[str]:
    """Return the parts of a damage expression, each with its type."""
    return [part.removeprefix("+ ").strip() for part in _PARTS.split(text)] if text else []


def _corrects(part: str, said: Sequence[ProsePart], report: ConversionReport, name: str) -> bool:
    """Replace a matching part of the text's damage with the source's. Return False unless exactly one part matches."""
    _, _, kind = part.partition(" ")
    kinds = (kind, "")
    places = [part for part in said if not part.own and (not kind or part.text.partition(" ")[2] in kinds)]
    if len(places) != 1:
        return False
    (place,) = places
    before = place.text
    place.text, place.own = part if kind else f"{part} {before.partition(' ')[2]}".strip(), True
    if before.partition(" ")[0] != place.text.partition(" ")[0]:
        report.add_note(f"{name}: {place.field}", before, f"data value {place.text} used; the text says {before}")
    return True
