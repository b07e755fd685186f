"""Finds the line of a key in a TOML file. Only used if there are findings."""

from __future__ import annotations

import re
from bisect import bisect_right

from turnwright.storage.toml.keys import KeyPath
from turnwright.storage.toml.pieces import key_match, names_of, pieces_of, scalar_end

_GAP = re.compile(r"(?:\s++|#[^\n]*+|,)*+")


class LineIndex:
    """The line numbers of all keys in a text. If the text can't be parsed, every key is on line 1."""

    def __init__(self, text: str) -> None:
        self._text = text = text.removeprefix("\ufeff")
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._places: dict[KeyPath, int] = {(): 0}
        self._values: dict[KeyPath, int] = {}
        at = 0
        try:
            for piece in pieces_of(text):
                if piece.path is not None:
                    self._mark(piece.path, at + piece.start)
                    if not piece.is_header:
                        self._values[piece.path] = key_match(text, at + piece.start).end()
                at += len(piece.text)
        except ValueError:
            return

    def line_of(self, path: KeyPath) -> int:
        """Return the line of a key, counted from 1.

        If the key isn't in the text, return the line of the nearest enclosing table.
        """
        known = path
        while known not in self._places:
            known = known[:-1]
        if known != path and (start := self._values.pop(known, 0)):
            self._mark_inside(known, start)
            return self.line_of(path)
        return bisect_right(self._starts, self._places[known])

    def _mark(self, path: KeyPath, at: int) -> None:
        """Store the position of a key, and of the enclosing tables that have no header."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._places:
                break
            self._places[path[:length]] = at

    def _mark_inside(self, path: KeyPath, at: int) -> int:
        """Store the positions of the keys in a list or inline table.

        Return the end of the value that starts at this offset.
        """
        first = self._text[at]
        if first not in "[{":
            return scalar_end(self._text, at)
        index = 0
        at = self._skip(at + 1)
        while self._text[at] not in "]}":
            inner = (*path, index)
            if first == "{":
                match = key_match(self._text, at)
                inner = (*path, *names_of(match[1]))
                at = match.end()
            self._mark(inner, at)
            at = self._skip(self._mark_inside(inner, at))
            index += 1
        return at + 1

    def _skip(self, at: int) -> int:
        match = _GAP.match(self._text, at)
        return match.end() if match else at
