"""Puts the damage that a source gives as data where the prose of the same feature deals it.

Sources list all dice of a feature side by side: those of the hit, those of a failed save, those of every ten minutes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from turnwright.encounter.bounds import dice_problem
from turnwright.encounter.prepared import Feature
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.statblock_text.damage import normalised_dice_text

DAMAGE_FIELDS = ("damage", "save_damage", "ongoing")
TEXT_ONLY = "stands in the text only"  # the reason that reading prose gives for damage without a place
_DICE = re.compile(r"\d*d\d+(?:\s*[+\-\u2212\u2013]\s*\d+)?")
_PARTS = re.compile(r" (?=[+-] )")


def normalised_dice(text: str) -> str:
    """Return dice in the form of expressions: without spaces, odd minus signs and `+-`."""
    return normalised_dice_text(text).removesuffix("+0").removesuffix("+")


class ProsePart(msgspec.Struct):
    """A part of the damage that prose states, in its field; `met` by a part of the source, whose `own` it is where all agrees."""

    field: str
    text: str
    met: bool = False
    own: bool = False


def prose_parts(feature: Feature) -> list[ProsePart]:
    """Return the parts of damage that a feature has from its prose, by their fields."""
    return [ProsePart(field, part) for field in DAMAGE_FIELDS for part in split_damage(getattr(feature, field))]


def with_damage(feature: Feature, parts: Sequence[ProsePart]) -> Feature:
    """Return a feature with parts of damage in their fields; a field whose parts are all the source's own isn't read."""
    figures = {field: " + ".join(one.text for one in parts if one.field == field) for field in DAMAGE_FIELDS}
    read_still = {one.field for one in parts if not one.own}
    read = tuple(field for field in feature.read if field not in DAMAGE_FIELDS or field in read_still)
    return msgspec.structs.replace(
        feature, read=read, **{field: text.replace("+ -", "-") for field, text in figures.items()}
    )


def placed_damage(feature: Feature, parts: Sequence[str], report: ConversionReport, name: str) -> Feature:
    """Return a feature whose damage is the source's own: `parts` such as `2d6+5 piercing`, in its order.

    A part that prose states too keeps its field, and no longer counts as read from prose. Where the two differ the
    source's own stands, and a part without a place in the prose is reported, and left to the text.
    """
    sound = [part for part in parts if part and not dice_problem(part)]
    for part in parts:
        if part not in sound:
            report.add_note(f"{name}: damage", part, "is no dice expression")
    said = prose_parts(feature)
    for one in said:
        one.own = one.text in sound
    stated = {*(one.text for one in said), *(part for one in feature.other_damage for part in split_damage(one.damage))}
    left = [part for part in sound if part not in stated]
    left = [part for part in left if not _corrects(part, said, report, name)]
    if left and not said:
        said, left = [ProsePart("damage", part, own=True) for part in left], []
    for part in left:
        report.add_note(
            f"{name}: damage", part, "its prose doesn't say that this is dealt at once; it stands in the text only"
        )
    return with_damage(feature, said)


def remaining_damage(feature: Feature, prose_report: ConversionReport, report: ConversionReport) -> None:
    """Report the notes on a feature's prose, but for damage left to the text that the source's own data has given."""
    dice = {part.partition(" ")[0] for field in DAMAGE_FIELDS for part in split_damage(getattr(feature, field))}
    for note in prose_report.notes:
        if not (
            note.field.endswith(": damage")
            and note.why == TEXT_ONLY
            and dice & {normalised_dice(one) for one in _DICE.findall(note.text)}
        ):
            report.add_note(note.field, note.text, note.why)


def loose_dice_pattern(dice: str) -> str:
    """Return a pattern of dice with any spaces and any minus sign."""
    return re.escape(dice).replace(r"\+", r" ?\+ ?").replace(r"\-", r" ?[-\u2212\u2013] ?")


def split_damage(text: str) -> list[str]:
    """Return the parts of a damage expression, each with its type."""
    return [part.removeprefix("+ ").strip() for part in _PARTS.split(text)] if text else []


def _corrects(part: str, said: Sequence[ProsePart], report: ConversionReport, name: str) -> bool:
    """Replace the differing part of the prose by the source's, if there is just one of its type."""
    _, _, kind = part.partition(" ")
    places = [one for one in said if not one.own and (not kind or one.text.partition(" ")[2] in (kind, ""))]
    if len(places) != 1:
        return False
    (place,) = places
    told = place.text
    place.text, place.own = part if kind else f"{part} {told.partition(' ')[2]}".strip(), True
    if told.partition(" ")[0] != place.text.partition(" ")[0]:
        report.add_note(f"{name}: {place.field}", told, f"prose says {told}, the source's own figure is {place.text}")
    return True
