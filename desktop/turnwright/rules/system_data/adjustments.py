"""Ways in which somebody may be stronger or weaker than their stat block says."""

from __future__ import annotations

import msgspec


class Adjustment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A way of being stronger or weaker: the condition of the same id says how; here stands what hit points it gives.

    `hp` pairs a level with what joins the hit points from that level on.
    """

    id: str
    name: str
    hp: tuple[tuple[int, int], ...] = ()
    ledger: tuple[str, ...] = ()

    def hit_points(self, level: int) -> int:
        """Return what joins somebody's hit points at a level."""
        return next((more for least, more in reversed(self.hp) if level >= least), 0)
