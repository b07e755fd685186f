"""A line chart of a chance at each turn, with its interval."""

from turnwright.ui.plots.fan import FanPlot, FanRow


class ChanceLine(FanPlot):
    """A chance at each turn of a fight as a line, with its interval as a band."""

    chart_height = 150

    def set_chances(
        self, chances: tuple[tuple[float, float, float, str], ...], *, axis: str = "", summary: str = ""
    ) -> None:
        """Set the chances as tuples of value, low end, high end, and readout text."""
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
            *((row.round, *row.share[2::-2], row.share[4]) for row in self._rows),
        ]
