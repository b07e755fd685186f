"""Names of squares, and conversion of squares and edges to runs, rectangles and lines, row by row from the left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from turnwright.battlemap.spaces import Square

SquareEdge: TypeAlias = tuple[int, int, bool]  # the corner where it starts (column, row), and whether it is horizontal
FourNumbers: TypeAlias = tuple[int, int, int, int]
LETTERS: Final = 26


def column_name(column: int) -> str:
    """Return the letters of a column: A to Z, then AA."""
    name = ""
    column += 1
    while column > 0:
        column, letter = divmod(column - 1, LETTERS)
        name = chr(ord("A") + letter) + name
    return name


def square_name(square: Square) -> str:
    """Return the name of a square, such as `C7`."""
    return f"{column_name(square[0])}{square[1] + 1}"


def row_runs(squares: Iterable[Square]) -> Iterator[tuple[int, int, int]]:
    """Split squares into runs along rows: first column, row, length."""
    rows: dict[int, list[int]] = {}
    for column, row in squares:
        rows.setdefault(row, []).append(column)
    for row in sorted(rows):
        yield from ((start, row, length) for start, length in _runs(sorted(rows[row])))


def rectangles_of(squares: Iterable[Square]) -> tuple[FourNumbers, ...]:
    """Combine squares into a few rectangles (column, row, width, height), merging equal runs in consecutive rows."""
    rows: dict[int, list[tuple[int, int]]] = {}
    for column, row, width in row_runs(squares):
        rows.setdefault(row, []).append((column, width))
    growing: dict[tuple[int, int], list[int]] = {}  # maps run (column, width) to [first row, rows so far]
    rectangles: list[FourNumbers] = []
    for row, runs in rows.items():
        for run, (top, height) in [*growing.items()]:
            if run not in runs or top + height != row:
                rectangles.append((run[0], top, run[1], height))
                del growing[run]
        for run in runs:
            growing.setdefault(run, [row, 0])[1] += 1
    rectangles += [(column, top, width, height) for (column, width), (top, height) in growing.items()]
    return tuple(sorted(rectangles, key=lambda rectangle: (rectangle[1], rectangle[0])))


def merged_segments(edges: Collection[SquareEdge]) -> tuple[FourNumbers, ...]:
    """Convert edges to segments, merging edges in line; horizontal segments first."""
    segments: list[FourNumbers] = []
    for across in (True, False):
        lines: dict[int, list[int]] = {}
        for column, row, runs in set(edges):
            if runs == across:
                lines.setdefault(row if across else column, []).append(column if across else row)
        for line in sorted(lines):
            for start, length in _runs(sorted(lines[line])):
                segments.append((start, line, start + length, line) if across else (line, start, line, start + length))
    return tuple(segments)


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """Yield runs of consecutive numbers as first number and length."""
    start = 0
    for place in range(1, len(numbers) + 1):
        if place == len(numbers) or numbers[place] != numbers[place - 1] + 1:
            yield numbers[start], place - start
            start = place
