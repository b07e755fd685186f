"""The damage and healing rows: parts with their alias tables, damage types, and the damage taken for each amount."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final

from turnwright.dice.distributions import Distribution, convolve
from turnwright.forecast import sheet
from turnwright.forecast.tables import alias_columns, at_least, multiplied, typed_amounts

if TYPE_CHECKING:
    from turnwright.dice.expression import RollSpec
    from turnwright.forecast.building.questions import AskedEffect, Cell, Questions

ONE: Final = 2  # the whole roll, in halves
PROBES: Final = (1, 7, 30)  # sample amounts: if all are taken unchanged, every amount of this type is


class TooMuchDamage(ValueError):
    """Raised if the maximum of a single damage part exceeds the limit of a sheet."""


class Amounts:
    """Collects the parts of damage and healing rolls, and their damage types."""

    def __init__(self) -> None:
        self.parts: list[list[int]] = []
        self.alias: list[tuple[int, int]] = []
        self.types: dict[tuple[str, bool], int] = {}
        self.most: dict[int, int] = {}
        self._rows: dict[tuple[tuple[int, Distribution], ...], int] = {}
        self._tables: dict[Distribution, int] = {}

    def add(
        self, spec: RollSpec | str, *, mundane: bool = False, times: int = 1, bonus: str = "", least: int = 0
    ) -> tuple[int, int]:
        """Add the parts of a damage roll; return the first row and the number of rows.

        A roll with a single part is at least `least`. The roll is then multiplied by `times`, and `bonus` dice are
        added to its first part. Raise TooMuchDamage or DiceError if the roll can't be used.
        """
        rows = []
        amounts = typed_amounts(spec)
        for number, part in enumerate(amounts):
            chances = multiplied(at_least(part.chances, least if len(amounts) == 1 else 0), times)
            if bonus and not number:
                chances = convolve(chances, typed_amounts(bonus)[0].chances)
            rows.append((self._type(part.kind, mundane=mundane), chances))
        return self._add(tuple(rows))

    def add_twice(
        self, plain: RollSpec | str, critical: RollSpec | str, *, times: int, kind: str, mundane: bool
    ) -> tuple[int, int]:
        """Add a roll of one damage type, followed by its critical version; return the first row and 1."""
        number = self._type(kind, mundane=mundane)
        return self._add(((number, _total(plain)), (number, multiplied(_total(critical), times))))[0], 1

    def add_healing(self, spec: RollSpec | str) -> tuple[int, int]:
        """Add a healing roll, which has no type; return its row and 1."""
        return self._add(((self._type("", mundane=False), _total(spec)),))

    def packed(self, cells: Iterable[Cell], several: Mapping[int, str]) -> list[Cell]:
        """Return cells in which several dice are a row of parts. `several` are the dice, by their unique number."""
        return [
            (margin, edge, self._dice(several[die - sheet.SEVERAL]) if die >= sheet.SEVERAL else die, flat, certain)
            for margin, edge, die, flat, certain in cells
        ]

    def _dice(self, text: str) -> int:
        return sheet.SEVERAL + self._add(((-1, typed_amounts(text)[0].chances),))[0]

    def _add(self, rows: tuple[tuple[int, Distribution], ...]) -> tuple[int, int]:
        index = self._rows.get(rows)
        if index is None:
            index = self._rows[rows] = len(self.parts)
            for kind, chances in rows:
                if chances.high > sheet.MOST_AMOUNT // 2:  # a critically failed save may double it
                    raise TooMuchDamage(str(chances.high))
                self.most[kind] = max(self.most.get(kind, 0), chances.high)
                self.parts.append([self._table(chances), len(chances.chances), chances.low, kind, ONE])
        return index, len(rows)

    def _table(self, chances: Distribution) -> int:
        index = self._tables.get(chances)
        if index is None:
            index = self._tables[chances] = len(self.alias)
            self.alias += alias_columns(chances.chances)
        return index

    def _type(self, kind: str, *, mundane: bool) -> int:
        return self.types.setdefault((kind, mundane), len(self.types))

    # Damage taken -----------------------------------------------------------------------------------------------------

    def taken(self, questions: Questions, layers: Sequence[AskedEffect | None]) -> tuple[object, list[list[int]]]:
        """Return the row of damage taken for each layer of effects, combatant and type, and these rows.

        The first row changes nothing.
        """
        rows = [list(range(sheet.MOST_AMOUNT + 1))]
        row_of: dict[tuple[int, int, AskedEffect | None], int] = {}
        shapes: dict[tuple[int, ...], int] = {tuple(rows[0]): 0}
        found: list[list[list[int]]] = []
        for effect in layers:
            found.append([])
            for combatant in questions.combatants:
                own = []
                for (kind, mundane), number in self.types.items():
                    key = questions.class_of[combatant.id], number, effect
                    if key not in row_of:
                        most = 2 * self.most.get(number, 0)
                        row = self._arriving(questions, combatant.id, kind, effect, mundane=mundane, most=most)
                        row_of[key] = shapes.setdefault(row, len(rows)) if row else 0
                        if row_of[key] == len(rows):
                            rows.append(list(row))
                    own.append(row_of[key])
                found[-1].append(own)
        return found, rows

    def _arriving(
        self, questions: Questions, who: str, kind: str, effect: AskedEffect | None, *, mundane: bool, most: int
    ) -> tuple[int, ...]:
        """Return the damage taken for each amount, or an empty tuple if no amount is changed."""

        def ask() -> tuple[int, ...]:
            if all(questions.arrives(who, kind, amount, effect, mundane=mundane) == amount for amount in PROBES):
                return ()
            taken = [questions.arrives(who, kind, amount, effect, mundane=mundane) for amount in range(most + 1)]
            return (*taken, *[taken[-1]] * (sheet.MOST_AMOUNT - most))

        return questions.remembered(("arrives", questions.class_of[who], kind, effect, mundane, most), ask)


def _total(spec: RollSpec | str) -> Distribution:
    """Return the chances of the whole amount of a roll, which is at least 0."""
    return at_least(reduce(convolve, (part.chances for part in typed_amounts(spec)), Distribution(0, (1.0,))), 0)
