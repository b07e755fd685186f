"""Parser for a condition in short form: `poi 3` is poisoned for 3 rounds, `exh 2` is exhaustion level 2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Literal

import msgspec

Lasting = Literal["removed", "rounds", "turn", "save"]
SILENT = frozenset({"for", "r", "round", "rounds", "until", "ends"})


class ConditionWord(msgspec.Struct, frozen=True):
    """A condition by its name. `has_level`: a number after the name is its level."""

    id: str
    name: str
    icon: str = ""
    has_level: bool = False


class LineWords(msgspec.Struct, frozen=True):
    """The words that can be typed in a line: damage types, conditions (the common ones first), saves and checks.

    The first name of a save is its full name, the last its short one. The first name of a check is the one shown.
    """

    kinds: tuple[str, ...] = ()
    conditions: tuple[ConditionWord, ...] = ()
    saves: tuple[tuple[str, tuple[str, ...]], ...] = ()
    checks: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def condition(self, text: str) -> ConditionWord | None:
        """Return the condition whose name contains the words of a text, or None.

        The words can be abbreviated. Common conditions, and matches at the start of a name, come first.
        """
        parts = text.split()
        for start in range(3):  # the index of the word in the name where the text starts
            for condition in self.conditions:
                words = condition.name.lower().replace("-", " ").split()[start:]
                if len(words) >= len(parts) and all(map(str.startswith, words, parts)):
                    return condition
        return None

    def shortest(self, condition: ConditionWord) -> str:
        """Return the shortest abbreviation of a condition."""
        name = condition.name.lower()
        return next((name[:n] for n in range(1, len(name)) if self.condition(name[:n]) is condition), name)

    def save(self, word: str) -> str:
        """Return the id of the save with a name that starts with `word`, or an empty string.

        `word` needs at least two letters.
        """
        matches = (id for id, names in self.saves if any(name.lower().startswith(word) for name in names))
        return next(matches, "") if len(word) > 1 else ""

    def check(self, text: str) -> str:
        """Return the id of the check whose name contains the words of a text, or an empty string.

        The last word can be abbreviated. Matches at the start of a name come first.
        """
        for start in range(3 if len(text) > 1 else 0):
            for id, names in self.checks:
                if any(" ".join(name.lower().split()[start:]).startswith(text) for name in names):
                    return id
        return ""

    def save_name(self, id: str) -> str:
        """Return the full name of a save."""
        return next((names[0] for save, names in self.saves if save == id), id)

    def nearest_check(self, word: str) -> str:
        """Return the name of the check or save that is most similar to a word, or an empty string."""
        return self.nearest(word, [names[0] for _id, names in (*self.checks, *self.saves)])

    def nearest(self, word: str, names: Iterable[str] = ()) -> str:
        """Return the most similar word among `names`, or among all conditions and saves, or an empty string."""
        candidates = list(names) or [
            *(condition.name for condition in self.conditions),
            *(save[1][0] for save in self.saves),
        ]
        lower = {name.lower(): name for name in candidates}
        near = get_close_matches(word, lower, 1, 0.5) or [name for name in lower if name[:1] == word[:1]]
        return lower[near[0]] if near else ""


class EnteredCondition(msgspec.Struct, frozen=True):
    """A condition as typed. `unknown` is the first word that wasn't recognised."""

    condition: str = ""
    level: int = 0
    lasts: Lasting = "removed"
    rounds: int = 0
    save: str = ""
    dc: int = 0
    unknown: str = ""

    @property
    def turns(self) -> int:
        """The number of turns it lasts, or 0 if it doesn't end by turns."""
        return 1 if self.lasts == "turn" else self.rounds

    @property
    def counted(self) -> Literal["creator", "affected"]:
        """Whose turns are counted. With `end`, the condition ends at the end of the affected creature's turn."""
        return "affected" if self.lasts == "turn" else "creator"


def read_condition(text: str, words: LineWords) -> EnteredCondition:
    """Parse a condition: its abbreviation, a level or rounds, `end`, or `save wis 14`.

    The first number after a condition with levels is its level. Any other number is its rounds, or the DC of its save.
    """
    parts = text.lower().replace(",", " ").split()
    name, rest = _name_first(parts, words)
    if name is None:
        return EnteredCondition(unknown=parts[0] if parts else "")
    entered = EnteredCondition(name.id)
    for part in rest:
        entered = _with_word(entered, part, name, words)
    return entered


def nearest_word(entered: EnteredCondition, words: LineWords) -> str:
    """Return the known word most similar to the unknown one: a word for the end of the condition, or a condition."""
    ends = ("end", "save", *(names[-1] for _id, names in words.saves)) if entered.condition else ()
    return words.nearest(entered.unknown, ends)


def _name_first(parts: Sequence[str], words: LineWords) -> tuple[ConditionWord | None, Sequence[str]]:
    """Return the condition named by the first words, or None, and the words after its name."""
    for count in range(min(3, len(parts)), 0, -1):
        condition = words.condition(" ".join(parts[:count]))
        if condition is not None:
            return condition, parts[count:]
    return None, parts


def _with_word(entered: EnteredCondition, part: str, name: ConditionWord, words: LineWords) -> EnteredCondition:
    change = msgspec.structs.replace
    if part.isdecimal():
        number = min(int(part), 1000)
        if entered.save and not entered.dc:
            return change(entered, dc=number)
        if name.has_level and not entered.level:
            return change(entered, level=number)
        return change(entered, rounds=number, lasts="rounds" if number else "removed")
    if part == "end":
        return change(entered, lasts="turn")
    if part == "save":
        return change(entered, lasts="save")
    save = words.save(part)
    if save:
        return change(entered, lasts="save", save=save)
    return entered if part in SILENT or entered.unknown else change(entered, unknown=part)
