"""The fight loop: plain Python functions at first, replaced with compiled versions when they are ready.

The first compilation takes seconds, loading from the cache a fraction of a second, so use a worker. If numba is
missing or fails, the plain loop plays the same fights, only more slowly.
"""

from __future__ import annotations

from ctypes import POINTER, c_int32, c_int64
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from turnwright.compilation import compile_modules
from turnwright.forecast import kernel, policy, random_stream
from turnwright.forecast.array_types import IN_NUMBA
from turnwright.forecast.layout import FIGHT_COLUMNS, PackedSheet

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

                    compiled: dict[Any, Any] = compile_modules(
                        numba, MODULES, IN_NUMBA, entry=kernel.play_fights, inlined=OFTEN
                    )
                except (ImportError, OSError):  # OSError: its native library is missing
                    return False
                self._compiled = compiled[kernel.play_fights]
            return self._compiled is not None

    def play(self, packed: PackedSheet, seed: int, first: int, count: int) -> Played:
        """Play `count` fights, beginning with number `first`; return a row for each fight, and the totals."""
        if self._compiled is None:
            return play_plainly(packed, seed, first, count)
        state, sums = np.zeros(packed.state_size, np.int64), np.zeros(packed.sums_size, np.int64)
        fights = np.zeros(count * FIGHT_COLUMNS, np.int64)
        blocks = (packed.data, packed.alias, state, sums, fights)
        self._compiled(*(_address(block) for block in blocks), seed, first, count)
        return fights.reshape(count, FIGHT_COLUMNS), sums


def _address(block: NDArray[np.int32] | NDArray[np.int64]) -> Any:
    """Return a pointer to an array for the compiled loop. It is valid only while the array exists."""
    return block.ctypes.data_as(POINTER(c_int32 if block.dtype == np.int32 else c_int64))


def play_plainly(packed: PackedSheet, seed: int, first: int, count: int) -> Played:
    """Play fights in plain Python, with the same results as the compiled loop.

    It uses lists, which plain Python indexes faster than arrays.
    """
    state, sums, fights = [0] * packed.state_size, [0] * packed.sums_size, [0] * (count * FIGHT_COLUMNS)
    kernel.play_fights(packed.data.tolist(), packed.alias.tolist(), state, sums, fights, seed, first, count)
    return np.array(fights, np.int64).reshape(count, FIGHT_COLUMNS), np.array(sums, np.int64)


@lru_cache(maxsize=1)
def fight_loop() -> FightLoop:
    """Return the program's single `FightLoop`."""
    return FightLoop()
