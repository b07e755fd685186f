"""The battle map in one run: squares in reach against a heap, cover against its own source uncompiled, and edited walls.

Batches alternate, so that a slow spell of the machine falls on both; the medians are compared. What is timed is the
whole call, arrays made and records returned. Run: python benchmarks/bench_map.py. It exits 1 below a target.
"""

from __future__ import annotations

import random
import sys
from heapq import heappop, heappush
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "desktop"))

from turnwright.battlemap import compiled, sight
from turnwright.battlemap.grid import Grid, TerrainLayers, build
from turnwright.battlemap.paths import open_ground, reachable
from turnwright.battlemap.spaces import Space
from turnwright.encounter.prepared import Map, MapBarrier
from turnwright.rules.parts.positions.geometry import built_grid
from turnwright.workspace.kernel_library import await_kernels

if TYPE_CHECKING:
    from collections.abc import Callable

SIDE, BUDGET, WALLS, TARGETS = 100, 60, 200, 30
SEGMENTS, MOST_MS = 3000, 16
START = (50, 50)


def terrain() -> tuple[Grid, list[list[int]]]:
    """Return a map with 12 % walls and 20 % squares of double cost, and the feet to enter each square."""
    faces = random.Random(7)
    squares = [(column, row) for row in range(SIDE) for column in range(SIDE) if (column, row) != START]
    walls = faces.sample(squares, SIDE * SIDE * 12 // 100)
    free = [square for square in squares if square not in set(walls)]
    difficult = faces.sample(free, SIDE * SIDE * 20 // 100)
    grid = build(SIDE, SIDE, TerrainLayers(obstacles=dict.fromkeys(walls, "wall"), difficult=difficult))
    return grid, (open_ground(grid) * (1 + grid.difficult)).tolist()


def by_heap(entry: list[list[int]], start: tuple[int, int], budget: int) -> dict[tuple[int, int], int]:
    """Return the feet to each square in reach, the usual way: a heap, a dictionary, and no square beyond the budget.

    It keeps the same rule: eight neighbours, no diagonal past a wall's corner. It knows no edges and no sizes.
    """
    best = {start: 0}
    heap = [(0, start)]
    while heap:
        feet, (column, row) = heappop(heap)
        if feet > best[column, row]:
            continue
        for down in (-1, 0, 1):
            to_row = row + down
            if not 0 <= to_row < SIDE:
                continue
            for across in (-1, 0, 1):
                to_column = column + across
                if not 0 <= to_column < SIDE or not entry[to_row][to_column]:
                    continue
                if across and down and not (entry[row][to_column] and entry[to_row][column]):
                    continue
                cost = feet + entry[to_row][to_column]
                if cost <= budget and cost < best.get((to_column, to_row), budget + 1):
                    best[to_column, to_row] = cost
                    heappush(heap, (cost, (to_column, to_row)))
    return best


def seconds(work: Callable[[], object], times: int) -> float:
    """Return how long one call takes, in seconds, on average over `times`."""
    began = perf_counter()
    for _ in range(times):
        work()
    return (perf_counter() - began) / times


def compare(name: str, ours: Callable[[], object], times: int, other: Callable[[], object], batches: int) -> float:
    """Return how many times as fast as the other we are, and print it."""
    seconds(ours, times), seconds(other, 1)
    pairs = [(seconds(ours, times), seconds(other, 1)) for _ in range(batches)]
    our, their = (median(column) * 1e6 for column in zip(*pairs, strict=True))
    print(f"{name:<44}{our:>10.1f} µs{their:>12.0f} µs{their / our:>9.1f} ×")
    return their / our


def main() -> int:
    """Print each ratio and return 1 where one misses its target, or the two disagree."""
    if not await_kernels():
        print("no compiled kernels: nothing to compare")
        return 1
    grid, table = terrain()
    entry, walker = open_ground(grid) * (1 + grid.difficult), Space(*START)
    entry = entry.astype("int16")
    reach = reachable(grid, walker, entry, BUDGET)
    if {square: reach.cost_to(square) for square in reach.squares()} != by_heap(table, START, BUDGET):
        print("the two disagree about what is in reach")
        return 1

    faces = random.Random(11)
    squares = faces.sample([(column, row) for column in range(40) for row in range(40)], WALLS + TARGETS + 1)
    field = build(40, 40, TerrainLayers(obstacles=dict.fromkeys(squares[:WALLS], "wall")))
    archer, *targets = (Space(*square) for square in squares[WALLS:])

    def uncompiled() -> object:
        with mock.patch.object(sight, "kernels", return_value=compiled.PLAIN):
            return sight.cover_many(field, archer, targets)

    if uncompiled() != sight.cover_many(field, archer, targets):
        print("the two disagree about cover")
        return 1
    print(f"{'':<44}{'Turnwright':>13}{'other':>15}{'ratio':>11}")
    met = (
        compare(
            f"reach of 12 squares, {SIDE}×{SIDE} (heap, limited)",
            lambda: reachable(grid, walker, entry, BUDGET),
            50,
            lambda: by_heap(table, START, BUDGET),
            41,
        )
        >= 20
    )
    met &= (
        compare(
            f"cover of {TARGETS} targets, {WALLS} walls (uncompiled)",
            lambda: sight.cover_many(field, archer, targets),
            20,
            uncompiled,
            11,
        )
        >= 50
    )
    edited = wall_edited()
    print(f"a wall edited among {SEGMENTS} segments, {SIDE}×{SIDE}{edited:>15.1f} ms of CPU (at most {MOST_MS})")
    return 0 if met and edited <= MOST_MS else 1


def wall_edited() -> float:
    """Return the median CPU time in milliseconds for the grid of a map after a wall was added to it."""
    chance = random.Random(3)
    spots = [(chance.randint(1, 98 * 64) / 64, chance.randint(1, 98 * 64) / 64) for _ in range(SEGMENTS // 3)]
    walls = [MapBarrier("wall", ((x, y), (x + 0.5, y + 1), (x - 0.75, y + 0.25), (x, y))) for x, y in spots]
    times = []
    for number in range(12):
        field = Map(columns=SIDE, rows=SIDE, barriers=(*walls, MapBarrier("wall", ((3, 3), (5 + number, 6.5)))))
        began = process_time()
        built_grid(field, ())
        times.append((process_time() - began) * 1000)
    return median(times[1:])


if __name__ == "__main__":
    sys.exit(main())
