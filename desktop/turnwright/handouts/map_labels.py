"""Positions of labels on a printed map: on the free square nearest the middle of the labelled area, else outside it.

All lengths are in squares, measured from the map's upper left corner.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from heapq import nsmallest
from typing import Final

import msgspec

from turnwright.encounter.prepared import Point

Box = tuple[float, float, float, float]  # left, upper, right and lower edge
AROUND: Final = 4  # squares around the named area in which its label may be placed, with a line to it
TRIED: Final = 600  # maximum number of squares to try
CROWDED: Final = 3.0  # a crowded square counts as this many squares further away
GAP: Final = 0.35  # gap between the frame and a label outside it


class PlaceLabel(msgspec.Struct, frozen=True):
    """The middle of a label, and the square that its line leads to (None if the label is on the area itself)."""

    at: tuple[float, float]
    to: tuple[float, float] | None = None


class LabelPlaces:
    """Finds free positions for labels of one size on a map. `taken` are boxes to keep free."""

    def __init__(self, columns: int, rows: int, size: tuple[float, float], taken: Iterable[Box] = ()) -> None:
        self._frame: Box = (0.0, 0.0, float(columns), float(rows))
        self._size = size
        self._taken = [*taken]

    def place(self, squares: Collection[Point], crowded: Collection[Point] = ()) -> PlaceLabel:
        """Reserve and return a position for the label of some squares, avoiding `crowded` squares if possible."""
        middle = _middle(squares)
        place = next((at for at in _nearest(squares, middle, crowded) if self._is_free(at)), None)
        if place is not None:
            return self._take(PlaceLabel(place))
        target = _centre(min(squares, key=lambda at: _far(_centre(at), middle)))
        nearby = {
            (x, y)
            for column, row in (min(squares), max(squares), (int(target[0]), int(target[1])))
            for x in range(column - AROUND, column + AROUND + 1)
            for y in range(row - AROUND, row + AROUND + 1)
        }
        place = next((at for at in _nearest(nearby, target, crowded) if self._is_free(at)), None)
        return self._take(PlaceLabel(place or self._outside(target), target))

    def free_in(self, box: tuple[int, int, int, int]) -> tuple[float, float] | None:
        """Return the free position nearest to the middle of a box (edges in squares), or None."""
        left, top, right, bottom = box
        width, height = self._size
        middle = ((left + right) / 2, (top + bottom) / 2)
        steps = [
            (x, y)
            for x in _steps(left + width / 2, right - width / 2)
            for y in _steps(top + height / 2, bottom - height / 2)
        ]
        return next((at for at in sorted(steps, key=lambda at: _far(at, middle)) if self._is_free(at)), None)

    def _box(self, at: tuple[float, float]) -> Box:
        width, height = self._size
        return at[0] - width / 2, at[1] - height / 2, at[0] + width / 2, at[1] + height / 2

    def _is_free(self, at: tuple[float, float]) -> bool:
        left, top, right, bottom = box = self._box(at)
        inside = (
            left >= self._frame[0] and top >= self._frame[1] and right <= self._frame[2] and bottom <= self._frame[3]
        )
        return inside and not any(_overlap(box, taken) for taken in self._taken)

    def _take(self, label: PlaceLabel) -> PlaceLabel:
        self._taken.append(self._box(label.at))
        return label

    def _outside(self, target: tuple[float, float]) -> tuple[float, float]:
        """Return a position beyond the right or lower edge, whichever is nearer, clear of the labels already there."""
        _, _, right, bottom = self._frame
        width, height = self._size
        is_right = right - target[0] <= bottom - target[1]
        for step in range(400):
            way = (step + 1) // 2 * (1 if step % 2 else -1)
            if is_right:
                at = (right + width / 2 + GAP, min(max(height / 2, target[1]), bottom) + way * height * 1.1)
            else:
                at = (min(max(width / 2, target[0]), right) + way * width * 1.1, bottom + height / 2 + GAP)
            if at[0] > 0 and at[1] > 0 and not any(_overlap(self._box(at), taken) for taken in self._taken):
                break
        return at


def _nearest(
    squares: Collection[Point], middle: tuple[float, float], crowded: Collection[Point]
) -> list[tuple[float, float]]:
    """Return the centres of squares, nearest to `middle` first. Crowded squares count as further away."""
    nearest = nsmallest(TRIED, squares, key=lambda at: (_far(_centre(at), middle) + CROWDED * (at in crowded), at))
    return [_centre(at) for at in nearest]


def _steps(low: float, high: float) -> list[float]:
    """Return positions from `low` to `high` in steps of half a square."""
    return [low + number / 2 for number in range(int((high - low) * 2) + 1)] if high >= low else []


def _middle(squares: Collection[Point]) -> tuple[float, float]:
    count = len(squares)
    return sum(x for x, _ in squares) / count + 0.5, sum(y for _, y in squares) / count + 0.5


def _centre(at: Point) -> tuple[float, float]:
    return at[0] + 0.5, at[1] + 0.5


def _far(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
