"""How low hit points go, and what stands before them."""

from __future__ import annotations

from typing import Literal

import msgspec


class HealthFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """How low hit points go: to 0, or to minus their maximum.

    `temporary_adds`: temporary ones add up, up to the maximum by `temporary_over` (0: without limit). `damage_type_id`:
    all damage that somebody deals has a type. `asked`: the maximum of whoever has none written down is asked for.
    """

    floor: Literal["zero", "minus-maximum"] = "zero"
    temporary_adds: bool = False
    temporary_over: int = 0
    typed: bool = False
    asked: bool = False

    def lowest(self, maximum: int) -> int:
        """Return the fewest hit points that somebody with this maximum can have."""
        return -maximum if self.floor == "minus-maximum" else 0

    def most_temporary(self, maximum: int) -> int | None:
        """Return the most temporary hit points that somebody with this maximum can have, None where nothing limits them."""
        return maximum // self.temporary_over if self.temporary_over else None
