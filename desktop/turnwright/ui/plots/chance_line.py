"""Chart of a chance from turn to turn, with its interval."""

from __future__ import annotations

from PySide6.QtCore import QSize

from turnwright.ui.fonts import scaled
from turnwright.ui.plots.fan import FanPlot, FanRow

HEIGHT = 150


class ChanceLine(FanPlot):
    """A chance over the turns of a fight as a line, its interval as a band around it."""

    def set_chances(
        self, chances: tuple[tuple[float, float, float, str], ...], *, axis: str = "", summary: str = ""
    ) -> None:
        """Show chances with their intervals (value, low, high) and what is read out of each."""
        self.set_rows(
            tuple(
                FanRow(number, (low, low, value, high, high), text)
                for number, (value, low, high, text) in enumerate(chances, start=1)
            ),
            axis=axis,
            summary=summary,
        )

    def rows(self) -> list[tuple[str | float, ...]]:
        return [
            ("turn", "chance", "low", "high"),
            *((one.round, *one.share[2::-2], one.share[4]) for one in self._rows),
        ]

    def sizeHint(self) -> QSize:
        return QSize(scaled(320), scaled(HEIGHT))
