"""Parses users' files as TOML 1.0, with the results of `tomllib` but the speed of `rtoml`.

`rtoml` also accepts TOML 1.1, which `tomllib` rejects. A text that may contain TOML 1.1 is therefore parsed by
`tomllib`. TOML 1.1 adds line breaks, comments and a trailing comma in `{ }`, the escapes backslash e and backslash x,
and times without seconds. If there are findings, the lines of their keys are looked up in the text.
"""

import re
from bisect import bisect_right
from typing import Any

import rtoml

from turnwright.storage.toml.values import KeyPath, key_match, names_of, pieces_of, scalar_end

_STRING = r'"(?!"")(?:[^"\\\n]|\\.)*+"|\'(?!\'\')[^\'\n]*+\''
_UNCLEAR_TABLE = re.compile(rf'\{{(?!(?:[^{{}}"\'#\n,]|{_STRING}|,(?![ \t]*+\}}))*+\}})')
_STRING_OR_COMMENT = re.compile(rf"{_STRING}|#.*+")
_PLAIN_TABLE = re.compile(r"\{(?:[^{},\n]|,(?![ \t]*+\}))*+\}")
_NO_SECONDS = re.compile(r":(?<=\d\d:)(?<!:\d\d:)\d\d(?!:)")
_MAX_PARTS = 500
_MAX_REPORTED = 500_000  # in characters; for longer texts, the faster parser reports the mistakes
_PLACE = re.compile(r" at (line \d+ column \d+)\Z")


def parse_tables(text: str) -> dict[str, Any]:
    """Parse a TOML 1.0 text without a byte-order mark into tables.

    Raise ValueError or RecursionError if it is invalid.
    """
    try:
        tables = rtoml.loads(text.replace("\r\n", "\n"))  # same line ends as tomllib
    except ValueError as error:
        if "recurs" in str(error) and any(line.count(".") > _MAX_PARTS for line in text.splitlines()):
            raise RecursionError from error
        if len(text) > _MAX_REPORTED:
            raise ValueError(_PLACE.sub(_place_text, str(error))) from error
        tables = None
    if tables is None or _is_doubtful(text):
        import tomllib  # rarely needed: it reports mistakes with their positions

        return tomllib.loads(text)
    return tables


def _place_text(match: re.Match[str]) -> str:
    """Return a position in the notation of `tomllib`."""
    return f" (at {match[1].replace(' column', ', column')})"


def _is_doubtful(text: str) -> bool:
    """Whether a text may contain syntax that `rtoml` accepts and `tomllib` rejects."""
    return (
        text.startswith("\ufeff")
        or text.count("\r") != text.count("\r\n")
        or "\\e" in text
        or "\\x" in text
        or bool(_NO_SECONDS.search(text))
        or _holds_odd_table(text)
    )


def _holds_odd_table(text: str) -> bool:
    """Whether an inline table may span several lines or have a trailing comma."""
    end = 0
    while match := _UNCLEAR_TABLE.search(text, end):
        at = match.start()
        end = text.find("\n", at) % (len(text) + 1)
        bare, replaced = _STRING_OR_COMMENT.sub("", text[text.rfind("\n", 0, at) + 1 : end]), 1
        while replaced:
            bare, replaced = _PLAIN_TABLE.subn("", bare)
        if any(mark in bare for mark in "\"'{}"):
            return True
    return False


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
