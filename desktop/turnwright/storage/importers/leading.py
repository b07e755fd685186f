"""Cells that hold a figure and words beside it: `12 (15 with mage armor)`, `135 (18d10 + 36)`."""

from __future__ import annotations

import re
from typing import Any

from turnwright.storage.importers.drafting import text_of, whole

_LEADING = re.compile(r"\s*([+-]?\d{1,6})\b[\s,;:]*(.*)", re.DOTALL)


def leading(value: Any) -> tuple[int | None, str]:
    """Return the first figure of a cell and what else stands in it, without brackets around all of that.

    None where a cell does not begin with a whole number; everything in it is text then.
    """
    number = whole(value)
    if number is not None:
        return number, ""
    text = text_of(value).strip()
    found = _LEADING.fullmatch(text)
    if not found:
        return None, text
    rest = found[2].strip()
    if rest.startswith("(") and rest.endswith(")") and rest.count("(") == 1:
        rest = rest[1:-1].strip()
    return int(found[1]), rest
