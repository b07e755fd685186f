"""What a side does in a forecast: six figures, the same for the loop and for fights in the real engine."""

from __future__ import annotations

from typing import Final

import msgspec

TARGET, FINISHES, SPENDS, HEALS_AT, FLEES_AT, MOVES_UP, POLICY_FIGURES = range(7)
WEAKEST, RANDOMLY, STRONGEST, SAME, NEAREST = range(5)
FREELY, FOR_TWO = range(2)


class Policy(msgspec.Struct, frozen=True):
    """How a side fights.

    `target`: whom it attacks. `finishes`: it attacks those who are down, too. `spends`: limited uses freely, or those
    that reach several only where they reach two. `heals_at`: an ally with at most so many hundredths of its hit points
    is healed, 0 for those who are down alone. `flees_at`: the fight is lost once so many hundredths of it are down.
    `moves_up`: those who reach nobody come closer.
    """

    target: int = WEAKEST
    finishes: bool = False
    spends: int = FREELY
    heals_at: int = 34
    flees_at: int = 100
    moves_up: bool = True

    @property
    def figures(self) -> tuple[int, int, int, int, int, int]:
        """The policy as a row of numbers."""
        return (self.target, self.finishes, self.spends, self.heals_at, self.flees_at, self.moves_up)


DEFAULT_POLICY: Final = Policy()
