"""The kernels as one set: plain functions until warmed, from then on compiled from the very same functions.

Compiling takes seconds once and a fraction of one from the cache, so it belongs in a worker thread; until it is done,
or where numba is missing, everything works with the plain functions, only slower.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from turnwright.battlemap.arrays import IN_NUMBA
from turnwright.battlemap.kernels import corners, paths, rays, segments
from turnwright.compilation import compile_modules

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class KernelSet:
    """The public kernels by name; see `kernels.paths`, `kernels.rays` and `kernels.corners` for their parameters."""

    mark_steps: Callable[..., None]
    reach: Callable[..., None]
    walk: Callable[..., int]
    line: Callable[..., int]
    sight: Callable[..., int]
    seen_squares: Callable[..., None]
    covers: Callable[..., None]


PLAIN = KernelSet(paths.mark_steps, paths.reach, paths.walk, rays.line, rays.sight, rays.seen_squares, corners.covers)


class Kernels:
    """The kernel set in use. A single instance lives as long as the program; threads may share it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inuse = PLAIN
        self._tried = False

    @property
    def current(self) -> KernelSet:
        """Return the compiled set once warmed, else the plain set."""
        return self._inuse

    def warm(self) -> bool:
        """Compile the kernels unless that was tried before; False where numba is missing or can't be loaded."""
        with self._lock:
            if not self._tried:
                self._tried = True
                try:
                    import numba
                except (ImportError, OSError):  # OSError: its native library is missing
                    return False
                compiled = compile_modules(numba, (paths, segments, rays, corners), IN_NUMBA)
                self._inuse = KernelSet(**{name: compiled[getattr(PLAIN, name)] for name in KernelSet.__slots__})
            return self._inuse is not PLAIN


@lru_cache(maxsize=1)
def shared() -> Kernels:
    """Return the program's single `Kernels`."""
    return Kernels()


def kernels() -> KernelSet:
    """Return the compiled kernels if they have been warmed, else the plain ones. Never compiles, never waits."""
    return shared().current


def warm() -> bool:
    """Compile the kernels or load them from the cache: seconds, meant for a worker thread. False without numba."""
    return shared().warm()
