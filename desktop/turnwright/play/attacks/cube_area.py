"""Areas made of cubes, as text: each cube's position along three axes, in steps of one cube."""

from __future__ import annotations

from typing import TypeAlias

Cube: TypeAlias = tuple[int, int, int]


def parse_cubes(text: str) -> tuple[Cube, ...]:
    """Parse a list of cubes such as `0,0,0 1,0,0 1,0,1`. Raise ValueError if it is malformed."""
    return tuple(_cube(cube) for cube in text.replace(";", " ").split())


def _cube(text: str) -> Cube:
    column, row, layer = (int(number) for number in text.split(","))
    return column, row, layer
