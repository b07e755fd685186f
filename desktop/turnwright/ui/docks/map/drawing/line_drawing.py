"""Barriers and doors drawn by hand: snapping their ends, adding them to a map and removing them. Independent of Qt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from math import dist
from typing import Final

import msgspec

from turnwright.encounter.prepared import BarrierKind, Door, DoorKind, Map, MapBarrier, Place, Point
from turnwright.ui.models.display_names import unique_id

CLOSE: Final = 0.2  # squares; an end within this distance of another snaps to it
SNAPS_PER_SQUARE, FREE_PER_SQUARE = 4, 64
SHORTEST: Final = 0.1
RIM: Final = 0.02  # squares; excludes lines along the edge of a square


def snapped(field: Map, point: Place, *, is_free: bool = False) -> Place:
    """Return the snapped end of a line: a nearby end of another line, or the nearest quarter of a square.

    With `is_free`, it is only rounded to a fine grid.
    """
    ends = [] if is_free else [end for end in line_ends(field) if dist(end, point) <= CLOSE]
    if ends:
        return min(ends, key=lambda end: dist(end, point))
    steps = FREE_PER_SQUARE if is_free else SNAPS_PER_SQUARE
    across = min(max(0.0, round(point[0] * steps) / steps), float(field.columns))
    return across, min(max(0.0, round(point[1] * steps) / steps), float(field.rows))


def line_ends(field: Map) -> Iterator[Place]:
    """Yield the ends of all barriers and doors."""
    for barrier in field.barriers:
        if barrier.points:
            yield from (barrier.points[0], barrier.points[-1])
    for door in field.doors:
        yield from (door.at[:2], door.at[2:])


def with_barrier(field: Map, kind: BarrierKind, start: Place, end: Place) -> Map:
    """Return the map with a barrier segment added. A barrier of the same kind is extended if it ends at the start."""
    if dist(start, end) < SHORTEST:
        return field
    for number, barrier in enumerate(field.barriers):
        if barrier.kind == kind and barrier.points and barrier.points[0] != barrier.points[-1]:
            longer = _longer(barrier.points, start, end)
            if longer is not None:
                joined = msgspec.structs.replace(barrier, points=longer)
                barriers = (*field.barriers[:number], joined, *field.barriers[number + 1 :])
                return msgspec.structs.replace(field, barriers=barriers)
    return msgspec.structs.replace(field, barriers=(*field.barriers, MapBarrier(kind, (start, end))))


def with_door(field: Map, start: Place, end: Place) -> Map:
    """Return the map with a door from point to point."""
    if dist(start, end) < SHORTEST:
        return field
    door = Door(unique_id("", [other.id for other in field.doors], "door"), (*start, *end))
    return msgspec.structs.replace(field, doors=(*field.doors, door))


def with_door_kind(field: Map, id: str, kind: DoorKind) -> Map:
    """Return the map with the type of a door changed."""
    doors = tuple(msgspec.structs.replace(door, kind=kind) if door.id == id else door for door in field.doors)
    return msgspec.structs.replace(field, doors=doors)


def without_door(field: Map, id: str) -> Map:
    """Return the map without a door."""
    return msgspec.structs.replace(field, doors=tuple(door for door in field.doors if door.id != id))


def without_lines(field: Map, squares: Collection[Point]) -> Map:
    """Return the map without the doors and barrier segments in some squares. The rest of a barrier stays."""
    doors = tuple(door for door in field.doors if not _is_in_any(door.at[:2], door.at[2:], squares))
    barriers = tuple(piece for barrier in field.barriers for piece in _pieces(barrier, squares))
    if (doors, barriers) == (field.doors, field.barriers):
        return field
    return msgspec.structs.replace(field, doors=doors, barriers=barriers)


def _longer(points: tuple[Place, ...], start: Place, end: Place) -> tuple[Place, ...] | None:
    if points[-1] == start:
        return (*points, end)
    if points[-1] == end:
        return (*points, start)
    if points[0] == start:
        return (end, *points)
    return (start, *points) if points[0] == end else None


def _pieces(barrier: MapBarrier, squares: Collection[Point]) -> Iterable[MapBarrier]:
    """Yield the parts of a barrier outside some squares. An object that touches them is removed as a whole."""
    cut = [_is_in_any(start, end, squares) for start, end in pairwise(barrier.points)]
    if not any(cut):
        yield barrier
    elif barrier.kind != "object":
        points: list[Place] = []
        for (start, end), goes in zip(pairwise(barrier.points), cut, strict=True):
            if goes:
                if len(points) > 1:
                    yield msgspec.structs.replace(barrier, points=tuple(points))
                points = []
            else:
                points = [*(points or [start]), end]
        if len(points) > 1:
            yield msgspec.structs.replace(barrier, points=tuple(points))


def _is_in_any(start: Place, end: Place, squares: Collection[Point]) -> bool:
    return any(_crosses(start, end, square) for square in squares)


def _crosses(start: Place, end: Place, square: Point) -> bool:
    """Whether a segment passes through the inside of a square."""
    first, last = 0.0, 1.0
    for axis in (0, 1):
        low, high = square[axis] + RIM, square[axis] + 1 - RIM
        step = end[axis] - start[axis]
        if step == 0:
            if not low <= start[axis] <= high:
                return False
            continue
        near, far = sorted(((low - start[axis]) / step, (high - start[axis]) / step))
        first, last = max(first, near), min(last, far)
    return first <= last
