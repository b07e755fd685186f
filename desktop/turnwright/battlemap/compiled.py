"""The set of kernels: plain Python functions, replaced with compiled ones if there is a library of them.

Both give the same results; the plain functions are slower.
"""

from collections.abc import Callable, Iterator
from ctypes import CDLL, c_char_p, c_int64
from dataclasses import dataclass
from functools import lru_cache, wraps
from inspect import get_annotations
from struct import Struct
from typing import Any, Final

from turnwright.battlemap.arrays import ARRAYS, RECORDS
from turnwright.battlemap.kernels import corners, paths, rays

REFUSED: Final = -(1 << 63)  # returned by a compiled kernel for arrays of another kind


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
        self.current = PLAIN

    def use(self, library: CDLL) -> None:
        """Use the kernels of a library. Raise AttributeError or TypeError if they don't fit."""
        found = {name: _callable(getattr(library, name), getattr(PLAIN, name)) for name in KernelSet.__slots__}
        compiled = KernelSet(**found)
        _try(compiled)
        self.current = compiled


@lru_cache(maxsize=1)
def shared() -> Kernels:
    """Return the program's single `Kernels`."""
    return Kernels()


def kernels() -> KernelSet:
    """Return the compiled kernels if they are in use, else the plain ones."""
    return shared().current


def words_of(record: object, holder: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and annotation of a function's parameters or of a record's fields, with those of records inside."""
    for name, annotation in get_annotations(record).items():  # type: ignore[arg-type]
        word = str(getattr(annotation, "__forward_arg__", annotation))
        if word in RECORDS:
            yield from words_of(RECORDS[word], f"{holder}{name}.")
        elif name != "return":
            yield f"{holder}{name}", word


def _callable(function: Any, plain: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls a compiled kernel with the same arguments as the plain one.

    The kernel takes the address of a table of words, each an array's object or a number. It reads the place and shape
    of an array from the object's header: asking numpy for them would take longer than many a kernel. For the same
    reason, the expression for the table is compiled here, as named tuples do with theirs.
    """
    import numpy as np

    function.argtypes, function.restype = (c_char_p,), c_int64
    words = [*words_of(plain)]
    pack = Struct("P" + "".join("d" if word == "float" else "q" for _, word in words)).pack
    values = ", ".join(f"id({name})" if word in ARRAYS else name for name, word in words)
    parameters = ", ".join(name for name in get_annotations(plain) if name != "return")
    table = eval(f"lambda {parameters}: pack({id(np.ndarray)}, {values})", {"pack": pack})  # noqa: S307 - see above

    @wraps(plain)
    def call(*arguments: object) -> int:
        result: int = function(table(*arguments))
        if result == REFUSED:
            raise TypeError(f"{plain.__name__}: the compiled kernel doesn't accept these kinds of arrays")
        return result

    return call


def _try(compiled: KernelSet) -> None:
    """Raise TypeError if the compiled kernels can't read the arrays of this numpy."""
    import numpy as np

    marks, flags = np.zeros((2, 1, 2), np.uint8), np.zeros((1, 2), np.bool_)
    for kernels, out in zip((PLAIN, compiled), marks, strict=True):
        kernels.mark_steps(out, flags, flags, flags, flags.astype(np.uint8), 0, 0, 1)
    if not marks[0].any() or marks[0].tolist() != marks[1].tolist():
        raise TypeError("the compiled kernels don't fit this version of numpy")
