"""Compilation of whole modules of plain functions over arrays, in a scope of their own, kept in numba's cache."""

from __future__ import annotations

import sys
from inspect import get_annotations, isfunction
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from types import ModuleType

LITTLE: Final = 620  # bytes of Python's code: a call costs more than what such a function does


def compile_modules(
    numba: ModuleType,
    modules: tuple[ModuleType, ...],
    types: Mapping[str, str],
    *,
    entry: Callable[..., object] | None = None,
    inlined: Collection[object] = (),
) -> dict[FunctionType, Any]:
    """Return the modules' compiled functions by their plain ones; called functions stand before their callers.

    `types` are numba's names for those in annotations. The functions are copied into a scope of their own, in which calls lead to compiled functions; so the modules keep
    their plain ones. A fixed signature means that an array of another kind is refused rather than compiled for anew in
    the middle of a turn. Where an `entry` is named, it alone can be called from Python, as a function of C that takes
    addresses, and the others take pointers: an array argument is seven words, a pointer one. Those `inlined` are copied
    into each of their callers, and so is each little one.
    """
    found: dict[FunctionType, Any] = {}
    edition = edition_of(modules)
    for module in modules:
        scope = {name: found.get(value, value) if isfunction(value) else value for name, value in vars(module).items()}
        for plain in _functions(module):
            copy, signature = _copy(plain, scope, edition), _signature(plain, types)
            if entry is not None and plain.__name__ == entry.__name__:
                found[plain] = _cached(numba.cfunc, f"void{signature}", nopython=True)(copy).ctypes
            else:
                compiler = _cached(numba.njit, signature, nogil=True, _nrt=False)
                if entry is not None:
                    inline = plain in inlined or len(plain.__code__.co_code) < LITTLE
                    inner = {"no_cpython_wrapper": True, "error_model": "numpy", "forceinline": inline}
                    compiler = _cached(numba.njit, signature, nogil=True, _nrt=False, **inner)
                found[plain] = scope[plain.__name__] = compiler(copy)
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


def edition_of(modules: tuple[ModuleType, ...]) -> str:
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


def _cached(compiler: Callable[..., Any], signature: str, **options: object) -> Callable[[FunctionType], Any]:
    """Return what compiles a function and caches it, if a cache can be written (a frozen program may have nowhere).

    Kernels allocate nothing, so they need no counting of references (`_nrt`): each helper called with arrays would
    count up and down, locked, and that makes finding paths six times slower.
    """

    def compiled(function: FunctionType) -> Any:
        try:
            return compiler(signature, cache=True, **options)(function)
        except RuntimeError:
            return compiler(signature, **options)(function)

    return compiled


def _signature(function: FunctionType, types: Mapping[str, str]) -> str:
    """Return a kernel's argument types as numba writes them, from its annotations."""
    words = [types[word] for argument, word in get_annotations(function).items() if argument != "return"]
    return f"({', '.join(words)},)"
