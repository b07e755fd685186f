"""Merges the damage in Open5e's fields with that of the same feature's prose.

Its fields often lack a bonus or a type, or hold a column's default; prose has both. Where the two differ, a field's dice
and bonus win, prose's type wins, and every difference is reported.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.importers.damage_placement import (
    DAMAGE_FIELDS,
    ProsePart,
    prose_parts,
    split_damage,
    with_damage,
)
from turnwright.storage.statblock_text.damage import PART, dice_problem_in, normalised_dice_text

_TERM = re.compile(r"([+-]?)\s*(?:(\d*)d(\d+)|(\d+))", re.IGNORECASE)
_PART = re.compile(PART, re.IGNORECASE)


class DiceTerms(NamedTuple):
    """The dice and the flat sum of an expression without types: dice in order of their faces."""

    dice: tuple[tuple[int, int], ...]
    flat: int


class DamageField(NamedTuple):
    """One part of damage in a field; None for a missing bonus, empty for a missing type."""

    number: int
    faces: int
    bonus: int | None
    kind: str

    @property
    def dice(self) -> str:
        """The dice in the form of an expression; a part without faces is that many points."""
        plain = f"{self.number}d{self.faces}" if self.faces else f"{self.number}"
        return f"{plain}{self.bonus:+d}" if self.bonus else plain

    @property
    def text(self) -> str:
        """The dice with their type."""
        return f"{self.dice} {self.kind}".rstrip()


@lru_cache(maxsize=2048)
def dice_terms(text: str) -> DiceTerms:
    """Return the dice and the sum of the flat numbers of an expression, types left out."""
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
    """Return a feature with dice that its source gives without types, such as `2d10+1d8+6`."""
    if dice_problem_in(text):
        report.add_note(f"{name}: damage_dice", text, "are no dice; what prose says of them stands")
        return feature
    own, said = dice_terms(text), dice_terms(feature.damage)
    if own == said:
        return _known(feature, feature.damage)
    together = f"{feature.damage} + {feature.save_damage}"
    if feature.save_damage and own in (dice_terms(together), dice_terms(feature.save_damage)):
        return _known(feature, feature.damage)
    if not feature.damage and not feature.save_damage:
        return _known(feature, _typed(feature.text, own) or text)
    parts = split_damage(feature.damage)
    bonuses = sum(dice_terms(part.partition(" ")[0]).flat != 0 for part in parts)
    if bonuses > 1 or (own.dice != said.dice and _holds(said.dice, own.dice)):  # one bonus can't stand for several
        report.add_note(f"{name}: damage", feature.damage, f"the source's own figure is only {text}; prose has it all")
        return feature
    report.add_note(
        f"{name}: damage", feature.damage, f"prose says {feature.damage}, the source's own figure is {text}"
    )
    if own.dice != said.dice:
        return _known(feature, f"{text} {parts[0].partition(' ')[2]}".rstrip() if len(parts) == 1 else text)
    dice, _, kind = parts[0].partition(" ")
    bonus = dice_terms(dice).flat + own.flat - said.flat
    first = f"{re.split('[+-]', dice)[0]}{bonus:+d}" if bonus else re.split("[+-]", dice)[0]
    return _known(feature, " + ".join((f"{first} {kind}".rstrip(), *parts[1:])))


def _holds(more: tuple[tuple[int, int], ...], less: tuple[tuple[int, int], ...]) -> bool:
    """Return whether all dice of `less` are among those of `more`."""
    return not Counter(less) - Counter(more)


def _known(feature: Feature, damage: str) -> Feature:
    """Return a feature with damage that no longer counts as read from prose."""
    if damage and dice_problem_in(damage):
        return feature
    read = tuple(field for field in feature.read if field != "damage")
    return msgspec.structs.replace(feature, damage=damage, read=read)


def _typed(text: str, own: DiceTerms) -> str:
    """Return the first part of a text with the same dice, with its type."""
    for found in _PART.finditer(text):
        dice = found["dice"] or found["bare"]
        if dice and dice_terms(normalised_dice_text(dice)) == own:
            kind = found["words"].split()[0].lower() if found["words"] else ""
            return f"{normalised_dice_text(dice)} {kind}".rstrip()
    return ""


def with_parts(feature: Feature, parts: list[DamageField], report: ConversionReport, name: str) -> Feature:
    """Return a feature with the parts of damage that its source gives, merged with those of its prose.

    A part that prose has as ongoing, or as damage of a failed save, stays there; one that prose has only in
    another use of the feature, or only at times, stays in the text.
    """
    whole = " + ".join(part.text for part in parts)
    if feature.damage in ("", whole) and not feature.save_damage and not feature.ongoing:
        return _known(feature, whole)
    said = prose_parts(feature)
    for part in parts:
        same = next((one for one in said if not one.met and _same_dice(one.text, part)), None)
        if same is not None:
            _take(part, same, report, name)
        elif part.faces and f"{part.number}d{part.faces}" in feature.text:
            why = "prose has it at times, or in another way, only; it stands in the text"
            report.add_note(f"{name}: damage", part.text, why)
        else:
            _correct(part, said, report, name)
    placed = with_damage(feature, said)
    if any(dice_problem_in(text) for field in DAMAGE_FIELDS if (text := getattr(placed, field))):
        return feature
    for one in said:
        if one.field == "damage" and not one.met:
            why = "stands in the prose only; the source's own figures lack it"
            report.add_note(f"{name}: damage", one.text, why)
    return placed


def _correct(part: DamageField, said: list[ProsePart], report: ConversionReport, name: str) -> None:
    """Replace the first unmatched part of the damage in prose by a part of the source, or append it."""
    one = next((one for one in said if one.field == "damage" and not one.met), None)
    told = one.text if one else "nothing of it"
    report.add_note(f"{name}: damage", told, f"prose says {told}, the source's own figure is {part.text}")
    if one is None:
        said.append(ProsePart("damage", part.text, met=True, own=True))
    else:
        kind = one.text.partition(" ")[2]
        one.text, one.met, one.own = f"{part.dice} {kind or part.kind}".rstrip(), True, part.kind == kind


def _take(part: DamageField, one: ProsePart, report: ConversionReport, name: str) -> None:
    """Take the bonus of a part of the source for the same dice in prose, and report each difference."""
    dice, _, kind = one.text.partition(" ")
    flat = dice_terms(dice).flat
    if part.bonus is not None and part.faces and flat != part.bonus:
        report.add_note(
            f"{name}: {one.field}", one.text, f"prose says {one.text}, the source's own figure is {part.text}"
        )
        one.text = f"{part.dice} {kind}".rstrip()
    if part.kind and part.kind != kind:
        why = f"prose says {one.text}, which stands; the source's field says {part.kind}"
        report.add_note(f"{name}: damage_type", part.kind, why)
    whole = part.bonus is not None or flat == 0 or not part.faces
    one.met, one.own = True, whole and part.kind == kind


def _same_dice(said: str, part: DamageField) -> bool:
    found = dice_terms(said.partition(" ")[0])
    if not part.faces:
        return not found.dice and found.flat == part.number
    return found.dice == ((part.faces, part.number),)
