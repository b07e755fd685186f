"""The effect of further creatures on an encounter's budget: the number that still fits, or the higher threat."""

from collections.abc import Collection
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from turnwright.rules.parts.preparation.encounter_budgets import Budget, group_factor, kind_worth
from turnwright.rules.parts.preparation.proposals import Challenge
from turnwright.rules.system_data.suggest import SuggestFigures
from turnwright.rules.word_keys import rating_number

MOST_COPIES: Final = 20
_BEYOND: Final = 2  # times the amount of the gravest threat, if it has no end
FitGroup = Literal["now", "more", "strong", "unknown"]


class BudgetFit(NamedTuple):
    """One more creature in an encounter: it fits `now`, raises the threat to the gravest (`more`), or is too `strong`.

    `copies` is how many of it fit, and `adds` is the worth of each.
    """

    group: FitGroup
    copies: int = 0
    adds: Fraction = Fraction(0)


class BudgetFits:
    """Finds what still fits a budget. `threat` is the gravest with a fair chance to win."""

    def __init__(self, budget: Budget, suggest: SuggestFigures) -> None:
        self._budget = budget
        self._foes = sum(part.count for part in budget.entries if part.why[:1] != ("place",))
        self._strongest = Challenge(suggest, budget.figures, budget.levels).strongest
        fair = {band.id for band in suggest.bands if band.least}
        gravest = max((at for at, (name, _) in enumerate(budget.steps) if name in fair), default=len(budget.steps) - 1)
        self.threat = budget.steps[gravest][0]
        self._ends = (self._end_of(gravest - 1), self._end_of(gravest))
        self._words = frozenset({*budget.figures.twice, budget.figures.hazard, budget.figures.complex} - {""})
        self._known: dict[object, BudgetFit] = {}

    def of(self, rating: str, xp: int, type: str, words: tuple[str, ...]) -> BudgetFit:
        """Return the effect of one more creature. `words` are its tags."""
        of_note = self._words.intersection(map(str.casefold, (type, *words)))
        key = (rating, xp, of_note)
        if key not in self._known:
            self._known[key] = self._fit(rating, xp, of_note)
        return self._known[key]

    def found(self) -> Collection[BudgetFit]:
        """Return all different fits so far."""
        return self._known.values()

    def _fit(self, rating: str, xp: int, words: frozenset[str]) -> BudgetFit:
        budget, number = self._budget, rating_number(rating)
        adds = kind_worth(budget.figures, rating, xp, "", words, budget.levels)
        if number is None and adds is None:
            return BudgetFit("unknown")
        if number is not None and number > self._strongest:
            return BudgetFit("strong")
        if not adds:  # too weak for the table
            return BudgetFit("now")
        fits, most = self._ends
        count = next((count for count in range(MOST_COPIES) if not self._is_within(count + 1, adds, fits)), MOST_COPIES)
        return BudgetFit("now" if count else "more" if self._is_within(1, adds, most) else "strong", count, adds)

    def _end_of(self, at: int) -> Fraction:
        """Return the amount at which a threat ends."""
        steps = self._budget.steps
        if self._budget.figures.bound == "least":
            return steps[at + 1][1] if at + 1 < len(steps) else steps[at][1] * _BEYOND
        return steps[at][1] if at >= 0 else Fraction(0)

    def _is_within(self, count: int, adds: Fraction, end: Fraction) -> bool:
        figures, size = self._budget.figures, self._budget.size
        total = (self._budget.unadjusted + count * adds) * group_factor(figures, self._foes + count, size)
        return total < end if figures.bound == "least" else total <= end
