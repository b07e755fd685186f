"""Reader of a condition in a few keys: `poi 3` is poisoned for 3 rounds, `exh 2` exhaustion of level 2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Literal

import msgspec

Lasting = Literal["removed", "rounds", "turn", "save"]
SILENT = frozenset({"for", "r", "round", "rounds", "until", "ends"})


class ConditionWord(msgspec.Struct, frozen=True):
    """A condition by its name; `has_level` where a number behind it is its level."""

    id: str
    name: str
    icon: str = ""
    has_level: bool = False


class LineWords(msgspec.Struct, frozen=True):
    """The words that a line understands: damage types, conditions (the common ones first), saves and checks.

    Of the names of a save the first is its full one, the last the short one; of those of a check the first is shown.
    """

    kinds: tuple[str, ...] = ()
    conditions: tuple[ConditionWord, ...] = ()
    saves: tuple[tuple[str, tuple[str, ...]], ...] = ()
    checks: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def condition(self, text: str) -> ConditionWord | None:
        """Return the condition whose words begin with those of a text, the common ones and the beginning first."""
        parts = text.split()
        for start in range(3):  # the word of the name with which the text begins
            for one in self.conditions:
                words = one.name.lower().replace("-", " ").split()[start:]
                if len(words) >= len(parts) and all(map(str.startswith, words, parts)):
                    return one
        return None

    def shortest(self, condition: ConditionWord) -> str:
        """Return the fewest letters that mean a condition."""
        name = condition.name.lower()
        return next((name[:n] for n in range(1, len(name)) if self.condition(name[:n]) is condition), name)

    def save(self, word: str) -> str:
        """Return the id of the save with a name that begins with a word of two letters or more, empty for none."""
        found = (id for id, names in self.saves if any(name.lower().startswith(word) for name in names))
        return next(found, "") if len(word) > 1 else ""

    def check(self, text: str) -> str:
        """Return the id of the check with a name in which a word begins with a text, the first words before others."""
        for start in range(3 if len(text) > 1 else 0):
            for id, names in self.checks:
                if any(" ".join(name.lower().split()[start:]).startswith(text) for name in names):
                    return id
        return ""

    def save_name(self, id: str) -> str:
        """Return the full name of a save."""
        return next((names[0] for one, names in self.saves if one == id), id)

    def nearest_check(self, word: str) -> str:
        """Return the check or save whose name is most like a word, empty for none."""
        return self.nearest(word, [names[0] for _id, names in (*self.checks, *self.saves)])

    def nearest(self, word: str, names: Iterable[str] = ()) -> str:
        """Return the known word most like another, empty for none; of `names`, or of all conditions and saves."""
        known = list(names) or [*(one.name for one in self.conditions), *(each[1][0] for each in self.saves)]
        lower = {name.lower(): name for name in known}
        near = get_close_matches(word, lower, 1, 0.5) or [name for name in lower if name[:1] == word[:1]]
        return lower[near[0]] if near else ""


class EnteredCondition(msgspec.Struct, frozen=True):
    """A condition as it was typed; `unknown` is the first word that wasn't understood."""

    condition: str = ""
    level: int = 0
    lasts: Lasting = "removed"
    rounds: int = 0
    save: str = ""
    dc: int = 0
    unknown: str = ""

    @property
    def turns(self) -> int:
        """The turns that it lasts, 0 where turns don't end it."""
        return 1 if self.lasts == "turn" else self.rounds

    @property
    def counted(self) -> Literal["creator", "affected"]:
        """Whose turns count: `end` means the end of the bearer's own."""
        return "affected" if self.lasts == "turn" else "creator"


def read_condition(text: str, words: LineWords) -> EnteredCondition:
    """Return the condition that a text stands for: its first letters, level or rounds, `end`, `save wis 14`.

    The first number behind a condition with levels is its level, any other its rounds, or the DC of its save.
    """
    parts = text.lower().replace(",", " ").split()
    name, rest = _name_first(parts, words)
    if name is None:
        return EnteredCondition(unknown=parts[0] if parts else "")
    found = EnteredCondition(name.id)
    for part in rest:
        found = _with_word(found, part, name, words)
    return found


def nearest_word(entered: EnteredCondition, words: LineWords) -> str:
    """Return the known word most like the one not understood: behind a condition how it may end, else a condition."""
    ends = ("end", "save", *(names[-1] for _id, names in words.saves)) if entered.condition else ()
    return words.nearest(entered.unknown, ends)


def _name_first(parts: Sequence[str], words: LineWords) -> tuple[ConditionWord | None, Sequence[str]]:
    """Return the condition of the first words, as many of them as belong to its name, and the words behind it."""
    for count in range(min(3, len(parts)), 0, -1):
        found = words.condition(" ".join(parts[:count]))
        if found is not None:
            return found, parts[count:]
    return None, parts


def _with_word(found: EnteredCondition, part: str, name: ConditionWord, words: LineWords) -> EnteredCondition:
    change = msgspec.structs.replace
    if part.isdecimal():
        number = min(int(part), 1000)
        if found.save and not found.dc:
            return change(found, dc=number)
        if name.has_level and not found.level:
            return change(found, level=number)
        return change(found, rounds=number, lasts="rounds" if number else "removed")
    if part == "end":
        return change(found, lasts="turn")
    if part == "save":
        return change(found, lasts="save")
    save = words.save(part)
    if save:
        return change(found, lasts="save", save=save)
    return found if part in SILENT or found.unknown else change(found, unknown=part)
