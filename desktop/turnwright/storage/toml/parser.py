"""Parses users' files as TOML 1.0, with the results of `tomllib` but the speed of `rtoml`.

`rtoml` also accepts TOML 1.1, which `tomllib` rejects. A text that may contain TOML 1.1 is therefore parsed by
`tomllib`. TOML 1.1 adds line breaks, comments and a trailing comma in `{ }`, the escapes backslash e and backslash x,
and times without seconds.
"""

from __future__ import annotations

import re
from typing import Any

import rtoml

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
