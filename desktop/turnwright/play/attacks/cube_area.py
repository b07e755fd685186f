"""Areas made of cubes, as people write them: each cube's place along three axes, in steps of one cube."""

from __future__ import annotations

from typing import TypeAlias

Cube: TypeAlias = tuple[int, int, int]


def parse_cubes(text: str) -> tuple[Cube, ...]:
    """Return the cubes of a text like `0,0,0 1,0,0 1,0,1`. ValueError where it isn't one."""
    return tuple(_cube(one) for one in text.replace(";", " ").split())


def _cube(text: str) -> Cube:
    column, row, layer = (int(number) for number in text.split(","))
    return column, row, layer
