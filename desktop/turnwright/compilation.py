"""Compiles modules of plain functions on arrays with numba, in a separate scope, and caches the results."""

from __future__ import annotations

import sys
from inspect import get_annotations, isfunction
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from types import ModuleType

LITTLE: Final = 620  # bytes of bytecode; a call of a smaller function costs more than its body


def compile_modules(
    numba: ModuleType,
    modules: tuple[ModuleType, ...],
    type_of: Callable[[str], Any],
    *,
    entry: Callable[..., object] | None = None,
    inlined: Collection[object] = (),
) -> dict[FunctionType, Any]:
    """Compile the functions of modules. Return the compiled functions, keyed by the plain ones.

    Functions must be defined before their callers. `type_of` returns numba's type for an annotation. The functions are copied to a separate scope in which they call each other's compiled versions, so the modules keep
    their plain functions. Signatures are fixed: an array of another type is rejected, instead of causing a new
    compilation in the middle of a turn.

    If there is an `entry`, only it can be called from Python, as a C function whose address is returned. The others
    take pointers, because an array argument takes seven words, but a pointer only one. The functions in
    `inlined` and all small functions are inlined.
    """
    compiled: dict[FunctionType, Any] = {}
    edition = edition_of(modules)
    for module in modules:
        scope = {
            name: compiled.get(value, value) if isfunction(value) else value for name, value in vars(module).items()
        }
        for plain in _functions(module):
            copy, signature = _copy(plain, scope, edition), _signature(plain, type_of)
            if entry is not None and plain.__name__ == entry.__name__:
                compiled[plain] = _cached(numba.cfunc, numba.void(*signature), nopython=True)(copy)
            else:
                compiler = _cached(numba.njit, signature, nogil=True, _nrt=False)
                if entry is not None:
                    inline = plain in inlined or len(plain.__code__.co_code) < LITTLE
                    inner = {"no_cpython_wrapper": True, "error_model": "numpy", "forceinline": inline}
                    compiler = _cached(numba.njit, signature, nogil=True, _nrt=False, **inner)
                compiled[plain] = scope[plain.__name__] = compiler(copy)
    return compiled


def _copy(plain: FunctionType, scope: dict[str, Any], edition: str) -> FunctionType:
    """Return a copy of a function in another scope. Its name depends on the functions it calls, for numba's cache.

    The cache requires that the function's file exists. A frozen program has no file except its own.
    """
    code = plain.__code__.replace(co_filename=sys.executable) if hasattr(sys, "_MEIPASS") else plain.__code__
    copy = FunctionType(code, scope, plain.__name__, plain.__defaults__)
    copy.__qualname__ = f"{plain.__name__}-{edition}"
    return copy


def _functions(module: ModuleType) -> list[FunctionType]:
    """Return the functions defined in a module, in order."""
    return [value for value in vars(module).values() if isfunction(value) and value.__module__ == module.__name__]


def edition_of(modules: tuple[ModuleType, ...]) -> str:
    """Return a short hash of the kernels' source. It changes with any function, constant or record in them."""
    parts = [
        repr((code.co_name, code.co_code, code.co_consts, code.co_names))
        for module in modules
        for code in (function.__code__ for function in _functions(module))
    ]
    for module in modules:
        for name, value in vars(module).items():
            if isinstance(value, int) or hasattr(value, "_fields"):
                parts.append(repr((name, getattr(value, "_fields", value))))
    return f"{crc32(''.join(parts).encode()):08x}"


def _cached(compiler: Callable[..., Any], signature: object, **options: object) -> Callable[[FunctionType], Any]:
    """Return a decorator that compiles a function, and caches it if the cache is writable.

    Kernels allocate nothing, so they don't need reference counting (`_nrt`). Helpers with array arguments would
    otherwise change the counts atomically, which makes pathfinding six times slower.
    """

    def compiled(function: FunctionType) -> Any:
        try:
            return compiler(signature, cache=True, **options)(function)
        except RuntimeError:
            return compiler(signature, **options)(function)

    return compiled


def _signature(function: FunctionType, type_of: Callable[[str], Any]) -> tuple[Any, ...]:
    """Return a kernel's argument types for numba, from its annotations."""
    return tuple(type_of(word) for argument, word in get_annotations(function).items() if argument != "return")


def named_type(numba: ModuleType, word: str, types: Mapping[str, Any]) -> Any:
    """Return numba's type for a word of an annotation, given its name or a named tuple, whose fields have such types."""
    found = types[word]
    if isinstance(found, str):
        return numba.core.sigutils.normalize_signature(f"({found},)")[0][0]
    fields = (field.__forward_arg__ for field in get_annotations(found).values())
    return numba.types.BaseTuple.from_types(tuple(named_type(numba, field, types) for field in fields), found)
