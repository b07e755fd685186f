"""Merges the damage in Open5e's fields with that of the same feature's prose.

Its fields often lack a bonus or a type, or hold a column's default; prose has both. Where the two differ, a field's dice
and bonus win, prose's type wins, and every difference is reported.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.statblock_text.damage import PART, dice_problem_in, normalised_dice_text

_TERM = re.compile(r"([+-]?)\s*(?:(\d*)d(\d+)|(\d+))", re.IGNORECASE)
_SPLIT = re.compile(r" (?=[+-] )")
_PART = re.compile(PART, re.IGNORECASE)
_FIELDS: Final = ("damage", "save_damage", "ongoing")


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
    parts = [part.removeprefix("+ ") for part in _SPLIT.split(feature.damage)]
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
    said = {field: _tokens(getattr(feature, field)) for field in _FIELDS}
    laid = _Laid(said, report, name)
    for part in parts:
        if not laid.has(part):
            if part.faces and f"{part.number}d{part.faces}" in feature.text:
                report.add_note(
                    f"{name}: damage",
                    part.text,
                    "prose has it at times, or in another way, only; it stands in the text",
                )
            else:
                laid.corrects(part)
    figures = {field: " + ".join(tokens) for field, tokens in laid.said.items()}
    if any(dice_problem_in(text) for text in figures.values() if text):
        return feature
    own = laid.owned()
    read = tuple(field for field in feature.read if field not in own)
    return msgspec.structs.replace(feature, **figures, read=read)


def _tokens(text: str) -> list[str]:
    return [part.removeprefix("+ ") for part in _SPLIT.split(text)] if text else []


class _Laid:
    """Parts matched with the damage of prose, by field: the tokens that match the source, partly or wholly."""

    def __init__(self, said: dict[str, list[str]], report: ConversionReport, name: str) -> None:
        self.said = said
        self._own = {field: [False] * len(tokens) for field, tokens in said.items()}
        self._met = {field: [False] * len(tokens) for field, tokens in said.items()}
        self._account = report
        self._name = name

    def has(self, part: DamageField) -> bool:
        """Return whether prose has such dice, after taking the source's bonus and reporting a difference."""
        for field, tokens in self.said.items():
            for at, token in enumerate(tokens):
                if not self._met[field][at] and _same_dice(token, part):
                    self._meets(part, field, at)
                    return True
        return False

    def corrects(self, part: DamageField) -> None:
        """Replace the first unmatched part of the damage by a part of the source, or append it."""
        tokens = self.said["damage"]
        at = next((n for n, met in enumerate(self._met["damage"]) if not met), None)
        told = "nothing of it" if at is None else tokens[at]
        self._account.add_note(
            f"{self._name}: damage", told, f"prose says {told}, the source's own figure is {part.text}"
        )
        if at is None:
            tokens.append(part.text)
            self._met["damage"].append(True)
            self._own["damage"].append(True)
            return
        kind = tokens[at].partition(" ")[2]
        tokens[at] = f"{part.dice} {kind or part.kind}".rstrip()
        self._met["damage"][at] = True
        self._own["damage"][at] = part.kind == kind

    def owned(self) -> set[str]:
        """Return the fields that match the source wholly, after reporting damage in prose only."""
        for token, met in zip(self.said["damage"], self._met["damage"], strict=True):
            if not met:
                self._account.add_note(
                    f"{self._name}: damage", token, "stands in the prose only; the source's own figures lack it"
                )
        return {field for field, own in self._own.items() if own and all(own)}

    def _meets(self, part: DamageField, field: str, at: int) -> None:
        dice, _, kind = self.said[field][at].partition(" ")
        whole = True
        if part.bonus is None:
            whole = dice_terms(dice).flat == 0 or not part.faces
        elif part.faces and dice_terms(dice).flat != part.bonus:
            told = self.said[field][at]
            self._account.add_note(
                f"{self._name}: {field}", told, f"prose says {told}, the source's own figure is {part.text}"
            )
            self.said[field][at] = f"{part.dice} {kind}".rstrip()
        if part.kind and part.kind != kind:
            why = f"prose says {self.said[field][at]}, which stands; the source's field says {part.kind}"
            self._account.add_note(f"{self._name}: damage_type", part.kind, why)
        self._met[field][at] = True
        self._own[field][at] = whole and part.kind == kind


def _same_dice(said: str, part: DamageField) -> bool:
    found = dice_terms(said.partition(" ")[0])
    if not part.faces:
        return not found.dice and found.flat == part.number
    return found.dice == ((part.faces, part.number),)
