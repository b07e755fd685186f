"""Type aliases for the arrays that kernels read and fill, and the numba type of each.

A kernel's annotations are its compiled signature: `compiled` maps these names to numba types. Arrays that are
only read have a read-only type there, which also accepts writable arrays. All are C-contiguous.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    Flags: TypeAlias = NDArray[np.bool_]  # [row, column]
    Bytes: TypeAlias = NDArray[np.uint8]  # [row, column], read-only
    Feet: TypeAlias = NDArray[np.int16]  # [row, column], read-only
    Levels: TypeAlias = NDArray[np.int32]  # [row, column] elevations, read-only
    Scratch: TypeAlias = NDArray[np.int32]  # 2-D, writable
    Marks: TypeAlias = NDArray[np.uint8]  # 2-D, writable
    Picked: TypeAlias = NDArray[np.bool_]  # 2-D, writable
    Row: TypeAlias = NDArray[np.int32]  # 1-D, writable
    Heights: TypeAlias = NDArray[np.float64]  # 1-D, read-only
    Shares: TypeAlias = NDArray[np.float64]  # 1-D, writable
    # Segments [number, x0 y0 x1 y1], what each stops, its ring or 0, and for each square where its numbers start in the last.
    Walls: TypeAlias = tuple[
        NDArray[np.int32], NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]
    ]

IN_NUMBA: Final = MappingProxyType(
    {
        "bool": "boolean",
        "int": "int64",
        "float": "float64",
        "Flags": "Array(boolean, 2, 'C', readonly=True)",
        "Bytes": "Array(uint8, 2, 'C', readonly=True)",
        "Feet": "Array(int16, 2, 'C', readonly=True)",
        "Levels": "Array(int32, 2, 'C', readonly=True)",
        "Scratch": "int32[:, ::1]",
        "Marks": "uint8[:, ::1]",
        "Picked": "boolean[:, ::1]",
        "Row": "int32[::1]",
        "Heights": "Array(float64, 1, 'C', readonly=True)",
        "Shares": "float64[::1]",
        "Walls": "Tuple((Array(int32, 2, 'C', readonly=True), Array(uint8, 1, 'C', readonly=True),"
        " Array(int32, 1, 'C', readonly=True), Array(int32, 1, 'C', readonly=True),"
        " Array(int32, 1, 'C', readonly=True)))",
    }
)
