"""A fight worked out on paper: numbered steps in Markdown, each a journal line, how it comes about, and the rules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_STEP = re.compile(r"(?P<number>\d+)\. `(?P<line>[^`]+)` — (?P<how>.+)")
_RULE = re.compile(r"\b(?:a5e|ap|dnd5e(?:-2024)?|pf2e)(?:\.[a-z0-9_-]+)+")
_SUM = re.compile(r"(?<![\d=])(?P<sum>\d+(?: [-+×] \d+)+) = (?P<total>\d+)")
_ROW = re.compile(
    r"\| (?P<who>[^|]+) \| (?P<hp>-?\d+) \| (?:(?P<column>\d+), (?P<row>\d+)|none) \| (?P<dead>yes|no) \|"
)


class Step(NamedTuple):
    """One line of the journal as somebody expects it, and the ids of the rules that they name for it."""

    number: int
    line: str
    how: str
    rules: frozenset[str]

    @property
    def sums(self) -> list[tuple[str, int, int]]:
        """Each sum of the working, what stands behind its equals sign, and what it comes to."""
        return [(one["sum"], int(one["total"]), _added_up(one["sum"])) for one in _SUM.finditer(self.how)]


class Standing(NamedTuple):
    """How somebody is expected to stand in the end."""

    who: str
    hp: int
    position: tuple[int, int] | None
    dead: bool


def steps(path: Path) -> list[Step]:
    """Read the steps of a file."""
    found = (_STEP.fullmatch(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [
        Step(int(one["number"]), one["line"], one["how"], frozenset(_RULE.findall(one["how"]))) for one in found if one
    ]


def standing_at_the_end(path: Path) -> list[Standing]:
    """Read the table of those who are left, and of those who aren't."""
    return [
        Standing(one["who"], int(one["hp"]), _square(one["column"], one["row"]), one["dead"] == "yes")
        for one in _ROW.finditer(path.read_text(encoding="utf-8"))
    ]


def _square(column: str | None, row: str | None) -> tuple[int, int] | None:
    return None if column is None or row is None else (int(column), int(row))


def _added_up(text: str) -> int:
    """Add up a sum in which products come first."""
    total = 0
    for sign, term in re.findall(r"(^|[-+]) ?(\d+(?: × \d+)*)", text):
        product = 1
        for factor in term.split(" × "):
            product *= int(factor)
        total += -product if sign == "-" else product
    return total
