"""The rows of damage and healing: parts with their alias tables, types of damage, and what arrives of each amount."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from turnwright.dice.distributions import Distribution, convolve
from turnwright.forecast import sheet
from turnwright.forecast.tables import alias_columns, at_least, multiplied, typed_amounts

if TYPE_CHECKING:
    from turnwright.dice.roll import RollSpec
    from turnwright.forecast.building.questions import Questions

ONE: Final = 2  # a roll as it is, in halves
PROBES: Final = (1, 7, 30)  # amounts by which a type is known that reaches a target unchanged


class TooMuchDamage(ValueError):
    """Damage of which a single part can be more than a sheet holds."""


class Amounts:
    """Collects the parts of damage and healing, and the types that they have."""

    def __init__(self) -> None:
        self.parts: list[list[int]] = []
        self.alias: list[tuple[int, int]] = []
        self.types: dict[tuple[str, bool], int] = {}
        self.most: dict[int, int] = {}
        self._rows: dict[tuple[tuple[int, Distribution], ...], int] = {}
        self._means: list[float] = []
        self._tables: dict[Distribution, int] = {}

    def add(
        self, spec: RollSpec | str, *, mundane: bool = False, times: int = 1, bonus: str = "", least: int = 0
    ) -> tuple[int, int]:
        """Add the parts of a damage roll; return the first row and their number.

        `times` multiplies the roll, then `bonus` dice join its first part; it is at `least` so much before. TooMuchDamage,
        DiceError.
        """
        found = []
        amounts = typed_amounts(spec)
        for number, part in enumerate(amounts):
            floor = least if len(amounts) == 1 else 0
            chances = multiplied(at_least(part.chances, floor), times)
            if bonus and not number:
                chances = convolve(chances, typed_amounts(bonus)[0].chances)
            found.append((self._type(part.kind, mundane=mundane), chances))
        return self._add(tuple(found))

    def add_twice(
        self, plain: RollSpec | str, critical: RollSpec | str, *, times: int, kind: str, mundane: bool
    ) -> tuple[int, int]:
        """Add a roll of one type as it is, and right after it as a critical hit has it; return the first row and 1."""
        number, found = self._type(kind, mundane=mundane), []
        for spec, factor in ((plain, 1), (critical, times)):
            whole = Distribution(0, (1.0,))
            for part in typed_amounts(spec):
                whole = convolve(whole, part.chances)
            found.append((number, multiplied(at_least(whole, 0), factor)))
        return self._add(tuple(found))[0], 1

    def add_healing(self, spec: RollSpec | str) -> tuple[int, int]:
        """Add a roll of healing, which has no type; return its row and 1."""
        whole = Distribution(0, (1.0,))
        for part in typed_amounts(spec):
            whole = convolve(whole, part.chances)
        return self._add(((self._type("", mundane=False), at_least(whole, 0)),))

    def mean(self, first: int, count: int) -> float:
        """Return the average of some parts together."""
        return sum(self._means[first : first + count])

    def _add(self, found: tuple[tuple[int, Distribution], ...]) -> tuple[int, int]:
        known = self._rows.get(found)
        if known is None:
            known = self._rows[found] = len(self.parts)
            for kind, chances in found:
                if chances.high > sheet.MOST_AMOUNT // 2:  # a critical failure of a save may double it
                    raise TooMuchDamage(str(chances.high))
                self.most[kind] = max(self.most.get(kind, 0), chances.high)
                self._means.append(chances.mean)
                self.parts.append([self._table(chances), len(chances.chances), chances.low, kind, ONE])
        return known, len(found)

    def _table(self, chances: Distribution) -> int:
        known = self._tables.get(chances)
        if known is None:
            known = self._tables[chances] = len(self.alias)
            self.alias += alias_columns(chances.chances)
        return known

    def _type(self, kind: str, *, mundane: bool) -> int:
        return self.types.setdefault((kind, mundane), len(self.types))

    # What arrives -----------------------------------------------------------------------------------------------------

    def taken(self, questions: Questions) -> tuple[list[list[int]], list[list[int]]]:
        """Return for each combatant and type the row of what arrives, and those rows; the first changes nothing."""
        rows = [list(range(sheet.MOST_AMOUNT + 1))]
        known: dict[tuple[int, int], int] = {}
        shapes: dict[tuple[int, ...], int] = {tuple(rows[0]): 0}
        found = []
        for one in questions.combatants:
            own = []
            for (kind, mundane), number in self.types.items():
                key = questions.class_of[one.id], number
                if key not in known:
                    row = self._arriving(questions, one.id, kind, mundane=mundane, most=2 * self.most.get(number, 0))
                    known[key] = shapes.setdefault(row, len(rows)) if row else 0
                    if known[key] == len(rows):
                        rows.append(list(row))
                own.append(known[key])
            found.append(own)
        return found, rows

    def _arriving(self, questions: Questions, who: str, kind: str, *, mundane: bool, most: int) -> tuple[int, ...]:
        """Return what arrives of each amount, empty where nothing changes."""

        def ask() -> tuple[int, ...]:
            if all(questions.arrives(who, kind, amount, mundane=mundane) == amount for amount in PROBES):
                return ()
            asked = [questions.arrives(who, kind, amount, mundane=mundane) for amount in range(most + 1)]
            return (*asked, *[asked[-1]] * (sheet.MOST_AMOUNT - most))

        return questions.remembered(("arrives", questions.class_of[who], kind, mundane, most), ask)
