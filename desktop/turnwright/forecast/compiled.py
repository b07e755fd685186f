"""The fight loop: plain Python functions at first, replaced with compiled versions when they are ready.

The first compilation takes seconds, loading from the cache a fraction of a second, so use a worker. If numba is
missing or fails, the plain loop plays the same fights, only more slowly.
"""

from __future__ import annotations

from ctypes import CFUNCTYPE, c_int64, c_void_p
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from turnwright.compilation import compile_modules
from turnwright.forecast import kernel, policy, random_stream
from turnwright.forecast.layout import FIELDS, FightResult, PackedSheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

MODULES: Final = (random_stream, policy, kernel)
OFTEN: Final = (  # functions called in every turn of every fight
    policy.can_pay, policy.has_target, policy.action_for, policy.target_for, kernel.take_damage, kernel.arriving, kernel.hit,
    kernel.attack, kernel.perform, kernel.refill_supplies, kernel.start_turn, kernel.end_turn, kernel.take_turn,
    kernel.play_fight,
)  # fmt: skip
Played = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


class FightLoop:
    """The loop over fights, compiled or plain. The program has a single instance, which threads may share."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._entry: Any = None  # keeps the compiled code
        self._compiled: Callable[..., None] | None = None
        self._tried = False

    @property
    def is_compiled(self) -> bool:
        """Whether the loop has been compiled."""
        return self._compiled is not None

    @property
    def was_tried(self) -> bool:
        """Whether compilation was attempted, successfully or not."""
        return self._tried

    def warm(self) -> bool:
        """Compile the loop unless that was attempted before. Return False if numba is missing or can't be loaded."""
        with self._lock:
            if not self._tried:
                self._tried = True
                try:
                    import numba

                    from turnwright.forecast.numba_records import type_of

                    compiled: dict[Any, Any] = compile_modules(
                        numba, MODULES, type_of, entry=kernel.play_fights, inlined=OFTEN
                    )
                except (ImportError, OSError):  # OSError: its native library is missing
                    return False
                self._entry = compiled[kernel.play_fights]
                self._compiled = CFUNCTYPE(None, c_void_p, c_int64, c_int64, c_int64)(self._entry.address)
            return self._compiled is not None

    def play(self, packed: PackedSheet, seed: int, first: int, count: int) -> Played:
        """Play `count` fights, beginning with number `first`; return a row for each fight, and the totals."""
        if self._compiled is None:
            return play_plainly(packed, seed, first, count)
        sums, results = np.zeros(packed.sums_size, np.int64), np.zeros((count, FightResult.width), np.int64)
        blocks = packed.blocks(results, sums)
        fight = np.array(
            [
                packed.numbers.get(name, 0) if kind == "int" else blocks[name].ctypes.data
                for name, kind in FIELDS.items()
            ],
            np.int64,
        )
        self._compiled(fight.ctypes.data, seed, first, count)
        return results, sums


def play_plainly(packed: PackedSheet, seed: int, first: int, count: int) -> Played:
    """Play fights in plain Python, with the same results as the compiled loop.

    It uses lists and objects, which plain Python reads faster than arrays.
    """
    fight = packed.plain(count)
    kernel.play_fights(fight, seed, first, count)
    sums = np.array([number for name in packed.sums for number in getattr(fight, name)], np.int64)
    return np.array([list(result) for result in fight.results], np.int64).reshape(count, FightResult.width), sums


@lru_cache(maxsize=1)
def fight_loop() -> FightLoop:
    """Return the program's single `FightLoop`."""
    return FightLoop()
