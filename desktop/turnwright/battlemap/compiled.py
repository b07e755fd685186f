"""The kernels as one set: plain functions until warmed, from then on compiled from the very same functions.

Compiling takes seconds once and a fraction of one from the cache, so it belongs in a worker thread; until it is done,
or where numba is missing, everything works with the plain functions, only slower.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from inspect import get_annotations, isfunction
from threading import Lock
from types import FunctionType
from typing import TYPE_CHECKING, Any
from zlib import crc32

from turnwright.battlemap.arrays import IN_NUMBA
from turnwright.battlemap.kernels import corners, paths, rays

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


@dataclass(frozen=True, slots=True)
class KernelSet:
    """The public kernels by name; see `kernels.paths`, `kernels.rays` and `kernels.corners` for their parameters."""

    mark_steps: Callable[..., None]
    reach: Callable[..., None]
    walk: Callable[..., int]
    line: Callable[..., int]
    sight: Callable[..., int]
    covers: Callable[..., None]


PLAIN = KernelSet(paths.mark_steps, paths.reach, paths.walk, rays.line, rays.sight, corners.covers)


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
                compiled = _compile(numba, (paths, rays, corners))
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


def _compile(numba: ModuleType, modules: tuple[ModuleType, ...]) -> dict[FunctionType, Any]:
    """Return the modules' compiled functions by their plain ones; called functions stand before their callers.

    The functions are copied into a scope of their own, in which calls lead to compiled functions; so the modules keep
    their plain ones. A fixed signature means that an array of another kind is refused rather than compiled for anew in
    the middle of a turn.
    """
    found: dict[FunctionType, Any] = {}
    edition = _edition(modules)
    for module in modules:
        scope = {name: found.get(value, value) if isfunction(value) else value for name, value in vars(module).items()}
        for plain in _functions(module):
            found[plain] = scope[plain.__name__] = _jit(numba, _copy(plain, scope, edition), _signature(plain))
    return found


def _copy(plain: FunctionType, scope: dict[str, Any], edition: str) -> FunctionType:
    """Return a function in another scope, named so that numba's cache tells it apart by what it calls, too.

    The cache wants the file of a function to exist. A frozen program has none but itself.
    """
    code = plain.__code__.replace(co_filename=sys.executable) if hasattr(sys, "_MEIPASS") else plain.__code__
    copy = FunctionType(code, scope, plain.__name__, plain.__defaults__)
    copy.__qualname__ = f"{plain.__name__}-{edition}"
    return copy


def _functions(module: ModuleType) -> list[FunctionType]:
    """Return the functions that a module defines, in its order."""
    return [value for value in vars(module).values() if isfunction(value) and value.__module__ == module.__name__]


def _edition(modules: tuple[ModuleType, ...]) -> str:
    """Return a short name for this source of the kernels, which changes with any function or constant in them."""
    parts = [
        repr((code.co_name, code.co_code, code.co_consts, code.co_names))
        for module in modules
        for code in (function.__code__ for function in _functions(module))
    ]
    parts += [
        repr((name, value)) for module in modules for name, value in vars(module).items() if isinstance(value, int)
    ]
    return f"{crc32(''.join(parts).encode()):08x}"


def _jit(numba: ModuleType, function: FunctionType, signature: str) -> Any:
    """Return the function compiled, and cached if a cache can be written (a frozen program may have nowhere).

    Kernels allocate nothing, so they need no counting of references (`_nrt`): each helper called with arrays would
    count up and down, locked, and that makes finding paths six times slower.
    """
    try:
        return numba.njit(signature, cache=True, nogil=True, _nrt=False)(function)
    except RuntimeError:
        return numba.njit(signature, nogil=True, _nrt=False)(function)


def _signature(function: FunctionType) -> str:
    """Return a kernel's argument types as numba writes them, from its annotations."""
    words = [IN_NUMBA[word] for argument, word in get_annotations(function).items() if argument != "return"]
    return f"({', '.join(words)},)"
