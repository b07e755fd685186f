"""All plans of an encounter: combinations of worths with a number of creatures each, and a sum within a window.

The search is complete within its limits: at most three kinds, and few of the strongest kind if there are others.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

Slots = tuple[tuple[float, int], ...]  # pairs of a worth and a number of creatures, the most worth first
MOST_KINDS: Final = 3
MOST_LEADERS: Final = (4, 2)  # of the strongest kind if there is a second one, or also a third one
MOST_SECOND: Final = 3  # of the second kind if there is a third one
WEAKEST: Final = 50  # a kind worth less than this part of the whole isn't used
_NEAR: Final = 1e-6


class WorthWindow(NamedTuple):
    """The sums that an encounter may have: from `low` to `high`, preferably `best`."""

    low: float
    high: float
    best: float

    def holds(self, total: float) -> bool:
        """Return whether a sum is in the window."""
        return self.low - _NEAR <= total <= self.high + _NEAR

    def distance(self, total: float) -> float:
        """Return the distance of a sum from the best one, as a part of it."""
        return abs(total - self.best) / self.best


class WorthPlan(NamedTuple):
    """A plan: its slots without those that are kept, the number of all enemies, and the sum with its factor."""

    slots: Slots
    foes: int
    total: float


def worth_plans(
    worths: Iterable[float],
    window: WorthWindow,
    factors: Sequence[float],
    foes: tuple[int, int],
    kept: tuple[int, float] = (0, 0.0),
    kinds: int = MOST_KINDS,
) -> list[WorthPlan]:
    """Return all plans with sums in a window.

    `factors` are those for each number of enemies, from 0. They don't fall. `foes` are the fewest and the most enemies,
    and `kept` are the number and the sum of the enemies that are there already.
    """
    least, most = foes
    high = window.high + _NEAR
    usable = sorted({worth for worth in worths if worth >= window.high / WEAKEST}, reverse=True)
    found: list[WorthPlan] = []

    def add(slots: Slots, count: int, worth: float) -> None:
        total = worth * factors[count]
        if count >= least and window.holds(total):
            found.append(WorthPlan(slots, count, total))

    def fill(slots: Slots, start: int, count: int, worth: float) -> None:
        left = kinds - len(slots)
        for at in range(start, len(usable)):
            each = usable[at]
            if (worth + each * (most - count)) * factors[most] < window.low - _NEAR:
                return  # not even as many as possible are enough
            for number, now in _numbers(each, count, worth, most):
                if now * factors[count + number] > high:
                    break
                longer = (*slots, (each, number))
                add(longer, count + number, now)
                if left > 1 and count + number < most and _may_grow(longer):
                    fill(longer, at, count + number, now)

    if kept[0]:
        add((), *kept)
    if kinds and most > kept[0]:
        fill((), 0, *kept)
    return found


def _numbers(each: float, count: int, worth: float, most: int) -> Iterator[tuple[int, float]]:
    return ((number, worth + each * number) for number in range(1, most - count + 1))


def _may_grow(slots: Slots) -> bool:
    """Return whether another, weaker kind may join."""
    leaders = slots[0][1]
    return leaders <= MOST_LEADERS[0] if len(slots) == 1 else leaders <= MOST_LEADERS[1] and slots[1][1] <= MOST_SECOND
