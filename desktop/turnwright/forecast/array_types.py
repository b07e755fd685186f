"""Type aliases for the arrays of the forecast loop, and the numba type of each."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence
    from typing import TypeAlias

    Numbers: TypeAlias = Sequence[int]  # the packed sheet; read-only
    AliasTables: TypeAlias = Sequence[int]  # pairs of a threshold and another index; read-only
    State: TypeAlias = MutableSequence[int]  # the state of one fight
    Sums: TypeAlias = MutableSequence[int]  # totals of all fights
    Fights: TypeAlias = MutableSequence[int]  # one row per fight

IN_NUMBA: Final = MappingProxyType(
    {
        "bool": "boolean",
        "int": "int64",
        "Numbers": "CPointer(int32)",
        "AliasTables": "CPointer(int64)",
        "State": "CPointer(int64)",
        "Sums": "CPointer(int64)",
        "Fights": "CPointer(int64)",
    }
)
