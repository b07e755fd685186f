"""Style sheets of the application, and of docks used at the table, whose controls are taller.

The application's style sheet is the same in both arrangements. Changing it takes half a second, because Qt polishes
every widget again.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

from turnwright.storage.resources import read_text, resource_path


def style_sheet(tokens: Mapping[str, str], scale: float, *, dark: bool) -> str:
    """Return the application's style sheet for a theme and a scale. Lengths are multiples of 4 logical pixels."""
    steps = {f"s{n}": str(max(1, round(4 * n * scale))) for n in (1, 2, 3, 5, 6)}
    thinner = {f"s{n}m": str(max(0, round(4 * n * scale) - 1)) for n in (1, 2, 3)}
    box = round(14 * scale)
    sizes = {
        "r": str(round(6 * scale)),
        "arrow": str(round(10 * scale)),
        "box": str(box),
        "control": str(round(20 * scale)),
        "table": str(round(30 * scale)),
        "row": str(round(28 * scale)),
        "low": str(round(18 * scale)),
        "dot": str(box - 8),
        "half": str((box + 2) // 2),
    }
    files = {"icons": resource_path("themes").as_posix(), "mode": "dark" if dark else "light"}
    return Template(read_text("themes/window.qss")).substitute(tokens, **steps, **thinner, **sizes, **files)


def table_style_sheet(scale: float) -> str:
    """Return the style sheet of docks used at the table. Controls that are pressed in a hurry are taller."""
    heights = {"table": 30, "quiet": 24, "act": 38, "low": 18, "entry": 46}
    lengths = {name: str(round(height * scale)) for name, height in heights.items()}
    return Template(read_text("themes/table.qss")).substitute(lengths)
