"""Finds the line of a key in a TOML file. Runs only where there are findings."""

from __future__ import annotations

import re
from bisect import bisect_right

from turnwright.storage.inline_values import InlineValue
from turnwright.storage.keys import KeyPath
from turnwright.storage.layout import Layout


class LineIndex:
    """The lines of one text. A text that can't be cut has all its keys on line 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._places: dict[KeyPath, int] = {(): 0}
        self._values: dict[KeyPath, tuple[int, str]] = {}
        try:
            layout = Layout(text)
        except ValueError:
            return
        at = len(layout.byte_order_mark)
        for block in layout.blocks:
            self._mark(block.path, at + len(block.lead))
            at += len(block.head())
            for item in block.items:
                path = block.path_of(item)
                at += len(item.lead)
                self._mark(path, at)
                self._values[path] = at + len(item.start), item.value
                at += len(item.text()) - len(item.lead)
            at += len(block.end)

    def line_of(self, path: KeyPath) -> int:
        """Return the line, from 1, of a key, or of the nearest table around it that is in the text."""
        for length in range(len(path), -1, -1):
            top = path[:length]
            if top in self._values:
                start, value = self._values[top]
                inner = _inside(value, path[length:])
                return self._line(start + inner if inner else self._places[top])
            if top in self._places:
                return self._line(self._places[top])
        return 1

    def _mark(self, path: KeyPath, at: int) -> None:
        """Note the place of a key, and of the tables around it that have no header of their own."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._places:
                break
            self._places[path[:length]] = at

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)


def _inside(value: str, rest: KeyPath) -> int:
    """Return the offset of the rest of a path in a value's text, 0 where it is unknown."""
    if not rest or value[:1] not in ("[", "{"):
        return 0
    try:
        inline = InlineValue(value)
    except (ValueError, IndexError):
        return 0
    for index, (part, offset) in enumerate(zip(inline.parts, inline.offsets(), strict=True)):
        names = tuple(token.name for token in part.keys) if part.keys else (index,)
        if names == rest[: len(names)]:
            return offset + _inside(part.value, rest[len(names) :])
    return 0
