"""Merges the damage in Open5e's fields with the damage in the text of the same feature.

The fields often lack a bonus or a type, or contain a default value; the text has both. If the two differ, the dice and
bonus of the field are used with the type of the text, and every difference is reported.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.importers.damage_placement import (
    DAMAGE_FIELDS,
    ProsePart,
    prose_parts,
    split_damage,
    with_damage,
)
from turnwright.importers.statblock_text.damage import PART, dice_problem_in, normalised_dice_text
from turnwright.storage.conversion_report import ConversionReport

_TERM = re.compile(r"([+-]?)\s*(?:(\d*)d(\d+)|(\d+))", re.IGNORECASE)
_PART = re.compile(PART, re.IGNORECASE)


class DiceTerms(NamedTuple):
    """The dice and the flat sum of an expression without types. Dice are ordered by their faces."""

    dice: tuple[tuple[int, int], ...]
    flat: int


class DamageField(NamedTuple):
    """One damage part from a field. A missing bonus is None, a missing type is empty."""

    number: int
    faces: int
    bonus: int | None
    kind: str

    @property
    def dice(self) -> str:
        """The dice as an expression. A part without faces is a flat number."""
        plain = f"{self.number}d{self.faces}" if self.faces else f"{self.number}"
        return f"{plain}{self.bonus:+d}" if self.bonus else plain

    @property
    def text(self) -> str:
        """The dice with their type."""
        return f"{self.dice} {self.kind}".rstrip()


@lru_cache(maxsize=2048)
def dice_terms(text: str) -> DiceTerms:
    """Return the dice and the sum of the flat numbers of an expression, ignoring types."""
    dice: list[tuple[int, int]] = []
    flat = 0
    for sign, count, faces, number in _TERM.findall(text.replace("\N{MINUS SIGN}", "-")):
        factor = -1 if sign == "-" else 1
        if faces:
            dice.append((int(faces), factor * int(count or 1)))
        else:
            flat += factor * int(number)
    return DiceTerms(tuple(sorted(dice)), flat)


def with_dice(feature: Feature, text: str, report: ConversionReport, name: str) -> Feature:
    """Merge the untyped dice of a source, such as `2d10+1d8+6`, into a feature's damage."""
    if dice_problem_in(text):
        report.add_note(f"{name}: damage_dice", text, "not dice; text value used")
        return feature
    data_terms, text_terms = dice_terms(text), dice_terms(feature.damage)
    if data_terms == text_terms:
        return _known(feature, feature.damage)
    together = f"{feature.damage} + {feature.save_damage}"
    if feature.save_damage and data_terms in (dice_terms(together), dice_terms(feature.save_damage)):
        return _known(feature, feature.damage)
    if not feature.damage and not feature.save_damage:
        return _known(feature, _typed(feature.text, data_terms) or text)
    parts = split_damage(feature.damage)
    bonuses = sum(dice_terms(part.partition(" ")[0]).flat != 0 for part in parts)
    if bonuses > 1 or (
        data_terms.dice != text_terms.dice and _holds(text_terms.dice, data_terms.dice)
    ):  # one bonus can't replace several
        report.add_note(f"{name}: damage", feature.damage, f"data value {text} is incomplete; text value used")
        return feature
    report.add_note(f"{name}: damage", feature.damage, f"data value {text} used; the text says {feature.damage}")
    if data_terms.dice != text_terms.dice:
        return _known(feature, f"{text} {parts[0].partition(' ')[2]}".rstrip() if len(parts) == 1 else text)
    dice, _, kind = parts[0].partition(" ")
    bonus = dice_terms(dice).flat + data_terms.flat - text_terms.flat
    first = f"{re.split('[+-]', dice)[0]}{bonus:+d}" if bonus else re.split("[+-]", dice)[0]
    return _known(feature, " + ".join((f"{first} {kind}".rstrip(), *parts[1:])))


def _holds(more: tuple[tuple[int, int], ...], less: tuple[tuple[int, int], ...]) -> bool:
    """Return whether `more` includes all dice of `less`."""
    return not Counter(less) - Counter(more)


def _known(feature: Feature, damage: str) -> Feature:
    """Set a feature's damage, which then no longer counts as read from the text."""
    if damage and dice_problem_in(damage):
        return feature
    read = tuple(field for field in feature.read if field != "damage")
    return msgspec.structs.replace(feature, damage=damage, read=read)


def _typed(text: str, terms: DiceTerms) -> str:
    """Return the first damage in a text with the same dice, including its type, or an empty string."""
    for match in _PART.finditer(text):
        dice = match["dice"] or match["bare"]
        if dice and dice_terms(normalised_dice_text(dice)) == terms:
            kind = match["words"].split()[0].lower() if match["words"] else ""
            return f"{normalised_dice_text(dice)} {kind}".rstrip()
    return ""


def with_parts(feature: Feature, parts: list[DamageField], report: ConversionReport, name: str) -> Feature:
    """Merge the damage parts of a source with those in the feature's text.

    A part that the text describes as ongoing damage or as damage on a failed save keeps that field. A part that the
    text mentions only for another use of the feature, or under a condition, is kept as text only.
    """
    whole = " + ".join(part.text for part in parts)
    if feature.damage in ("", whole) and not feature.save_damage and not feature.ongoing:
        return _known(feature, whole)
    text_parts = prose_parts(feature)
    for part in parts:
        same = next(
            (text_part for text_part in text_parts if not text_part.met and _same_dice(text_part.text, part)), None
        )
        if same is not None:
            _take(part, same, report, name)
        elif part.faces and f"{part.number}d{part.faces}" in feature.text:
            report.add_note(f"{name}: damage", part.text, "conditional damage; kept as text only")
        else:
            _correct(part, text_parts, report, name)
    placed = with_damage(feature, text_parts)
    if any(dice_problem_in(text) for field in DAMAGE_FIELDS if (text := getattr(placed, field))):
        return feature
    for text_part in text_parts:
        if text_part.field == "damage" and not text_part.met:
            report.add_note(f"{name}: damage", text_part.text, "missing from the data; read from the text")
    return placed


def _correct(part: DamageField, text_parts: list[ProsePart], report: ConversionReport, name: str) -> None:
    """Replace the first unmatched part of the text's damage with a part from the source, or append it."""
    text_part = next((candidate for candidate in text_parts if candidate.field == "damage" and not candidate.met), None)
    text = text_part.text if text_part else "nothing about it"
    report.add_note(f"{name}: damage", text, f"data value {part.text} used; the text says {text}")
    if text_part is None:
        text_parts.append(ProsePart("damage", part.text, met=True, own=True))
    else:
        kind = text_part.text.partition(" ")[2]
        text_part.text, text_part.met, text_part.own = (
            f"{part.dice} {kind or part.kind}".rstrip(),
            True,
            part.kind == kind,
        )


def _take(part: DamageField, text_part: ProsePart, report: ConversionReport, name: str) -> None:
    """Apply the bonus of a source's part to the text part with the same dice, and report each difference."""
    dice, _, kind = text_part.text.partition(" ")
    flat = dice_terms(dice).flat
    if part.bonus is not None and part.faces and flat != part.bonus:
        report.add_note(
            f"{name}: {text_part.field}", text_part.text, f"data value {part.text} used; the text says {text_part.text}"
        )
        text_part.text = f"{part.dice} {kind}".rstrip()
    if part.kind and part.kind != kind:
        why = f"text value {text_part.text} used; the data says {part.kind}"
        report.add_note(f"{name}: damage_type", part.kind, why)
    is_complete = part.bonus is not None or flat == 0 or not part.faces
    text_part.met, text_part.own = True, is_complete and part.kind == kind


def _same_dice(text: str, part: DamageField) -> bool:
    terms = dice_terms(text.partition(" ")[0])
    if not part.faces:
        return not terms.dice and terms.flat == part.number
    return terms.dice == ((part.faces, part.number),)
