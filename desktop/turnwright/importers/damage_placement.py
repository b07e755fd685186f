"""Assigns the damage in a source's data to the fields in which the feature's text deals it.

Sources list all dice of a feature together, such as those for a hit, for a failed save, or for every ten minutes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from turnwright.encounter.bounds import dice_problem
from turnwright.encounter.prepared import Feature
from turnwright.importers.statblock_text.damage import normalised_dice_text
from turnwright.storage.conversion_report import ConversionReport

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
    figures = {field: " + ".join(part.text for part in parts if part.field == field) for field in DAMAGE_FIELDS}
    read_still = {part.field for part in parts if not part.own}
    read = tuple(field for field in feature.read if field not in DAMAGE_FIELDS or field in read_still)
    return msgspec.structs.replace(
        feature, read=read, **{field: text.replace("+ -", "-") for field, text in figures.items()}
    )


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
    stated = {
        *(prose_part.text for prose_part in prose),
        *(part for prose_part in feature.other_damage for part in split_damage(prose_part.damage)),
    }
    unplaced = [part for part in sound if part not in stated]
    unplaced = [part for part in unplaced if not _corrects(part, prose, report, name)]
    if unplaced and not prose:
        prose, unplaced = [ProsePart("damage", part, own=True) for part in unplaced], []
    for part in unplaced:
        report.add_note(f"{name}: damage", part, "the text doesn't deal this damage at once; kept as text only")
    return with_damage(feature, prose)


def remaining_damage(feature: Feature, prose_report: ConversionReport, report: ConversionReport) -> None:
    """Report the notes on a feature's text, except those on damage that the source's data provides."""
    dice = {part.partition(" ")[0] for field in DAMAGE_FIELDS for part in split_damage(getattr(feature, field))}
    for note in prose_report.notes:
        if not (
            note.field.endswith(": damage")
            and note.why == TEXT_ONLY
            and dice & {normalised_dice(dice_text) for dice_text in _DICE.findall(note.text)}
        ):
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
    places = [
        prose_part
        for prose_part in said
        if not prose_part.own and (not kind or prose_part.text.partition(" ")[2] in (kind, ""))
    ]
    if len(places) != 1:
        return False
    (place,) = places
    before = place.text
    place.text, place.own = part if kind else f"{part} {before.partition(' ')[2]}".strip(), True
    if before.partition(" ")[0] != place.text.partition(" ")[0]:
        report.add_note(f"{name}: {place.field}", before, f"data value {place.text} used; the text says {before}")
    return True
