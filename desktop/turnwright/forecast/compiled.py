"""The fight loop: a plain Python function, replaced with a compiled one if there is a library of it.

Both play the same fights; the plain loop is slower.
"""

from __future__ import annotations

from ctypes import CDLL, c_char_p, c_int64
from functools import lru_cache
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from turnwright.forecast import kernel
from turnwright.forecast.layout import FIELDS, FightResult, PackedSheet

if TYPE_CHECKING:
    from numpy.typing import NDArray

ARGUMENTS: Final = Struct("5q")  # nothing, the address of the fight, the seed, the first fight and their number
Played = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


class FightLoop:
    """The loop over fights, compiled or plain. The program has a single instance, which threads may share."""

    def __init__(self) -> None:
        self._compiled: Any = None

    @property
    def is_compiled(self) -> bool:
        """Whether the loop is compiled."""
        return self._compiled is not None

    def use(self, library: CDLL) -> None:
        """Use the compiled loop of a library. Raise AttributeError if it doesn't have one."""
        function = library.play_fights
        function.argtypes, function.restype = (c_char_p,), c_int64
        self._compiled = function

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
        self._compiled(ARGUMENTS.pack(0, fight.ctypes.data, seed, first, count))
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
