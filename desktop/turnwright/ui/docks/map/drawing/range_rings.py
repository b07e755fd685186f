"""The outline of all squares within a distance of a space, for both ways of counting diagonals."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath, QPolygonF

from turnwright.encounter.prepared import Point


def ring_path(at: Point, size: int, squares: int, diagonals: str) -> QPainterPath:
    """Return the outline of the area within a distance of a space. All lengths are in squares."""
    path = QPainterPath()
    left, top = at
    right, bottom = left + size, top + size
    if diagonals != "alternating":
        path.addRect(left - squares, top - squares, right - left + 2 * squares, bottom - top + 2 * squares)
        return path
    quarter = [(max_columns(squares, down), down) for down in range(squares + 1)]
    steps: list[tuple[int, int]] = []
    for wide, down in quarter:  # from the side to the top, along the squares' edges
        steps += [(wide, max(0, down - 1) if down else 0), (wide, down)]
    steps.append((0, squares))
    corners = [QPointF(right + wide, bottom + down) for wide, down in steps]
    corners += [QPointF(left - wide, bottom + down) for wide, down in reversed(steps)]
    corners += [QPointF(left - wide, top - down) for wide, down in steps]
    corners += [QPointF(right + wide, top - down) for wide, down in reversed(steps)]
    path.addPolygon(QPolygonF([*corners, corners[0]]))
    return path


def max_columns(squares: int, rows: int) -> int:
    """Return the number of columns in range, `rows` rows away, if every second diagonal counts double."""
    wide = squares
    while wide > 0 and max(wide, rows) + min(wide, rows) // 2 > squares:
        wide -= 1
    return wide
