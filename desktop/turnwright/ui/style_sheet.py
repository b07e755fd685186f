"""The style sheet of the application, and that of docks used at the table, where controls are higher.

Setting the first again takes half a second, since every widget is polished anew; so it is the same in both arrangements.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

from turnwright.storage.resources import read_text, resource_path


def style_sheet(tokens: Mapping[str, str], scale: float, *, dark: bool) -> str:
    """Return the style sheet for these colours at a scale; lengths are steps of 4 logical pixels."""
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
    """Return the style sheet of docks that are used at the table: what is pressed in a hurry is higher."""
    heights = {"table": 30, "quiet": 24, "act": 38, "low": 18, "entry": 46}
    lengths = {name: str(round(height * scale)) for name, height in heights.items()}
    return Template(read_text("themes/table.qss")).substitute(lengths)
