"""The parts of a stat block: text runs, some of which can be rolled, and paragraphs made of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, Protocol

import msgspec

from turnwright.rules.system_data import SystemData

_MINUS = re.compile(r"(?<![\w/])-(?=\d)|(?<=\dd\d)-(?=\d)|(?<=\dd\d\d)-(?=\d)")
_NUMBERS = re.compile(r"\d+(?:/\d+)?")
_DICE_IN_TEXT = re.compile(r"\b[1-9]\d{0,2}d(?:4|6|8|10|12|20|100)(?:\s?[+\-−]\s?\d{1,3})?\b")


class TextRun(msgspec.Struct, frozen=True):
    """A piece of text. If it has a `roll`, it can be clicked, and `label` is the title of the roll.

    `about` names the number that the roll belongs to (`save:dex`, `feature:axe`), for explanations. An empty `style`
    means plain text.
    """

    text: str
    roll: str = ""
    label: str = ""
    about: str = ""
    style: Literal["", "bold", "italic"] = ""


class Paragraph(msgspec.Struct, frozen=True):
    """A paragraph with its bold label (`lead`). `about` names its field (`hp`) or its feature (`feature:axe`).

    A `joined` paragraph continues the previous line, after a semicolon, or after a comma if both have the same label.
    `name` is the name of its feature, without price and limits.
    """

    lead: str
    runs: tuple[TextRun, ...]
    about: str = ""
    joined: bool = False
    name: str = ""


class Translate(Protocol):
    """A function that translates a message key and fills in its parameters."""

    def __call__(self, key: str, /, **params: object) -> str:
        """Return the translation of a message key."""
        ...


class StatBlockNames:
    """Names for ids from the catalogue, and translations of message keys. An id without a name is shown unchanged."""

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

        terms = dict(self.data.terms)
        # Stat blocks use the game's unit, unless it has a separate form for them.
        self._unit = {} if "unit_stat" in terms or "unit" not in terms else {"unit_stat": terms["unit"]}

    @property
    def style(self) -> str:
        """Return the game's layout of stat blocks."""
        return self.data.presentation.style

    def styled(self, key: str, **params: object) -> str:
        """Return the translation of a stat block key, preferring the one for the game's layout."""
        own = f"ui.stat.{key}-{self.style}"
        text = self.say(own, **params)
        return self.say(f"ui.stat.{key}", **params) if text == own else text

    def distance(self, figure: int | str) -> str:
        """Return a distance with its unit. A range that isn't a number doesn't change."""
        if isinstance(figure, str) and not _NUMBERS.fullmatch(figure.strip()):
            return figure
        return self.say("ui.stat.feet", n=figure, **self._unit)

    def skill_name(self, id: str) -> str:
        """Return the name of a skill. `lore-mining`, a skill of a subject, becomes `Mining Lore`."""
        general = next((entry for entry in self._of_subjects if id.startswith(f"{entry.id}-")), None)
        if general is None:
            return (self.skills.get(id) or id).capitalize()
        return f"{id.removeprefix(f'{general.id}-').replace('-', ' ').title()} {general.name}"


def runs_of_text(text: str, label: str, rolls: Mapping[str, str] = MappingProxyType({})) -> tuple[TextRun, ...]:
    """Split running text into runs, with its dice as rolls.

    `rolls` maps dice to the full roll, for example with a damage type.
    """
    pieces = []
    end = 0
    for match in _DICE_IN_TEXT.finditer(text):
        if match.start() > end:
            pieces.append(TextRun(true_minus(text[end : match.start()])))
        dice = match.group().replace("−", "-").replace(" ", "")
        pieces.append(TextRun(true_minus(match.group()), rolls.get(dice, dice), label))
        end = match.end()
    if end < len(text):
        pieces.append(TextRun(true_minus(text[end:])))
    return tuple(pieces)


def true_minus(text: str) -> str:
    """Replace the minus before each negative number with a typographic one."""
    return _MINUS.sub("\N{MINUS SIGN}", text)


def joined_runs(lines: Iterable[Paragraph]) -> tuple[tuple[Paragraph, tuple[TextRun, ...]], ...]:
    """Return the displayed lines, each with its own runs and those of the paragraphs joined to it."""
    lines_with_runs: list[tuple[Paragraph, list[TextRun]]] = []
    lead = ""
    for line in lines:
        if not line.joined or not lines_with_runs:
            lines_with_runs.append((line, list(line.runs)))
        else:
            again = bool(line.lead) and line.lead == lead
            words = [] if again or not line.lead else [TextRun(f"{line.lead} ", style="bold")]
            lines_with_runs[-1][1].extend((TextRun(", " if again else "; "), *words, *line.runs))
        lead = line.lead
    return tuple((line, tuple(runs)) for line, runs in lines_with_runs)


def die_text(die: str, bonus: int) -> str:
    """Return the roll of a check or attack with a bonus. Empty if the game has no die."""
    return f"{die}{bonus:+d}" if die and bonus else die
