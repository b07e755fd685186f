"""The one style sheet: the looks of cards, headers, tables, tool bars, tabs and inputs beyond the palette."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

from turnwright.storage.resources import read_text, resource_path
from turnwright.ui.fonts import BaseFont


def style_sheet(tokens: Mapping[str, str], base: BaseFont, *, dark: bool) -> str:
    """Return the style sheet for these colours at a scale; lengths are steps of 4 logical pixels."""
    scale = base.scale
    steps = {f"s{n}": str(max(1, round(4 * n * scale))) for n in (1, 2, 3, 5, 6)}
    thinner = {f"s{n}m": str(max(0, round(4 * n * scale) - 1)) for n in (1, 2, 3)}
    box = round(14 * scale)
    sizes = {
        "r": str(round(6 * scale)),
        "arrow": str(round(10 * scale)),
        "box": str(box),
        "control": str(round((30 if base.is_at_table else 20) * scale)),
        "act": str(round(38 * scale)),
        "entry": str(round(46 * scale)),
        "quiet": str(round((24 if base.is_at_table else 20) * scale)),
        "row": str(round(28 * scale)),
        "low": str(round(18 * scale)),
        "dot": str(box - 8),
        "half": str((box + 2) // 2),
    }
    files = {"icons": resource_path("themes").as_posix(), "mode": "dark" if dark else "light"}
    return Template(read_text("themes/window.qss")).substitute(tokens, **steps, **thinner, **sizes, **files)
