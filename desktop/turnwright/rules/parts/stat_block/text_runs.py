"""The pieces of a stat block: text runs, some of which can be rolled, and paragraphs of them."""

from __future__ import annotations

import re
from typing import Protocol

import msgspec

from turnwright.rules.system_data import SystemData

_DICE_IN_TEXT = re.compile(r"\b[1-9]\d{0,2}d(?:4|6|8|10|12|20|100)(?:\s?[+\-−]\s?\d{1,3})?\b")


class TextRun(msgspec.Struct, frozen=True):
    """A stretch of text; with `roll` it can be clicked, and `label` is the title of the roll.

    `about` names the number that the roll belongs to (`save:dex`, `feature:axe`), for explanations.
    """

    text: str
    roll: str = ""
    label: str = ""
    about: str = ""


class Paragraph(msgspec.Struct, frozen=True):
    """A paragraph with its bold lead-in; `about` names its field (`hp`), or its feature (`feature:axe`)."""

    lead: str
    runs: tuple[TextRun, ...]
    about: str = ""


class Translate(Protocol):
    """A function that returns the words of a message key, with its parameters filled in."""

    def __call__(self, key: str, /, **params: object) -> str:
        """Return the words of a message key."""
        ...


class StatBlockNames:
    """The names of ids, from the catalogue, and of message keys; an id without a name is written as it is."""

    def __init__(self, catalogue: SystemData | None, say: Translate) -> None:
        self.say = say
        self.data = catalogue or SystemData("", "")
        self.abilities = {entry.id: entry.name for entry in catalogue.abilities} if catalogue else {}
        self.ability_shorts = {entry.id: entry.short for entry in catalogue.abilities} if catalogue else {}
        self.skills = {entry.id: entry.name for entry in catalogue.skills} if catalogue else {}
        self._of_subjects = [entry for entry in catalogue.skills if entry.of_subjects] if catalogue else []
        self.sizes = {entry.id: entry.name for entry in catalogue.sizes} if catalogue else {}
        self.damage = {entry.id: entry.name for entry in catalogue.damage_types} if catalogue else {}
        self.conditions = {entry.id: entry.name for entry in catalogue.conditions} if catalogue else {}
        self.speeds = {entry.id: entry.name for entry in catalogue.speeds} if catalogue else {}

    def skill_name(self, id: str) -> str:
        """Return the name of a skill: `Mining Lore` for one of many subjects, `lore-mining`."""
        general = next((entry for entry in self._of_subjects if id.startswith(f"{entry.id}-")), None)
        if general is None:
            return (self.skills.get(id) or id).capitalize()
        return f"{id.removeprefix(f'{general.id}-').replace('-', ' ').title()} {general.name}"


def runs_of_text(text: str, label: str) -> tuple[TextRun, ...]:
    """Return running text with the dice in it as rolls."""
    pieces = []
    end = 0
    for found in _DICE_IN_TEXT.finditer(text):
        if found.start() > end:
            pieces.append(TextRun(text[end : found.start()]))
        pieces.append(TextRun(found.group(), found.group().replace("−", "-").replace(" ", ""), label))
        end = found.end()
    if end < len(text):
        pieces.append(TextRun(text[end:]))
    return tuple(pieces)


def die_text(die: str, bonus: int) -> str:
    """Return the roll of a check or attack with a bonus; empty where the game names no die."""
    return f"{die}{bonus:+d}" if die and bonus else die
