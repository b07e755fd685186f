"""What features add to each command among 200 combatants, and what a map adds, in the engine.

Creatures that ship fight on a map of 60 × 60 squares and without one, with all of their features and with one attack
alone; batches alternate, so that a slow spell of the machine falls on all. Run: python benchmarks/bench_features.py
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "desktop"), str(ROOT)]

from tests.play.crowd_table import COMMANDS, GAMES, MANY, costs, crowd  # noqa: E402
from turnwright.workspace.kernel_library import await_kernels  # noqa: E402

BATCHES, MOST = 12, 1.5
KINDS = [(on_map, features) for on_map in (False, True) for features in (False, True)]


def milliseconds(act: Callable[[], object]) -> float:
    """Return the CPU time of an act."""
    start = time.process_time()
    act()
    return (time.process_time() - start) * 1000


def main() -> int:
    """Print the medians, in milliseconds; 1 where features add more than half."""
    print(f"{'':22}{'attack alone':>14}{'features':>10}{'':>7}{'on a map':>12}{'features':>10}{'':>7}    CPU ms")
    await_kernels()
    met = True
    for game in GAMES:
        fights = {kind: crowd(game, MANY, on_map=kind[0], features=kind[1]) for kind in KINDS}
        for name, make in COMMANDS.items():
            times: dict[tuple[bool, bool], list[float]] = {kind: [] for kind in KINDS}
            for batch in range(BATCHES):
                for kind, session in fights.items():
                    if name != "MovePath" or kind[0]:
                        times[kind] += (
                            costs(session, make, milliseconds) if batch else costs(session, make, milliseconds)[:0]
                        )
            medians = {kind: median(some) for kind, some in times.items() if some}
            line = f"{game:8}{name:14}"
            for on_map, width in ((False, 14), (True, 12)):
                plain, full = medians.get((on_map, False)), medians.get((on_map, True))
                if plain is None or full is None:
                    line += " " * (width + 17)
                    continue
                line += f"{plain:{width}.2f}{full:10.2f}{full / plain:6.2f}×"
                met &= full < MOST * plain
            print(line)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
