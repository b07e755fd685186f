"""The set of kernels: plain Python functions at first, replaced with compiled versions once they are warmed.

The first compilation takes seconds, loading from the cache a fraction of a second, so use a worker thread. Until
it is done, or if numba is missing, everything works with the plain functions, only more slowly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from turnwright.battlemap.arrays import IN_NUMBA
from turnwright.battlemap.kernels import corners, paths, rays, segments
from turnwright.compilation import compile_modules, named_type

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class KernelSet:
    """The public kernels by name; their parameters are documented in `kernels.paths`, `rays` and `corners`."""

    mark_steps: Callable[..., None]
    reach: Callable[..., None]
    walk: Callable[..., int]
    line: Callable[..., int]
    sight: Callable[..., int]
    seen_squares: Callable[..., None]
    covers: Callable[..., None]


PLAIN = KernelSet(paths.mark_steps, paths.reach, paths.walk, rays.line, rays.sight, rays.seen_squares, corners.covers)


class Kernels:
    """The current kernel set. The program has a single instance, which threads may share."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inuse = PLAIN
        self._tried = False

    @property
    def current(self) -> KernelSet:
        """Return the compiled set once it has been warmed, or else the plain set."""
        return self._inuse

    def warm(self) -> bool:
        """Compile the kernels unless that was attempted before. Return False if numba is missing or can't be loaded."""
        with self._lock:
            if not self._tried:
                self._tried = True
                try:
                    import numba
                except (ImportError, OSError):  # OSError: its native library is missing
                    return False
                modules = (paths, segments, rays, corners)
                compiled = compile_modules(numba, modules, lambda word: named_type(numba, word, IN_NUMBA))
                self._inuse = KernelSet(**{name: compiled[getattr(PLAIN, name)] for name in KernelSet.__slots__})
            return self._inuse is not PLAIN


@lru_cache(maxsize=1)
def shared() -> Kernels:
    """Return the program's single `Kernels`."""
    return Kernels()


def kernels() -> KernelSet:
    """Return the compiled kernels if they have been warmed, else the plain ones. Never compiles or waits."""
    return shared().current


def warm() -> bool:
    """Compile the kernels or load them from the cache, in a worker thread. Return False if numba can't be used."""
    return shared().warm()
