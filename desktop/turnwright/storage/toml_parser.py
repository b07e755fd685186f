"""The one parser of people's files: TOML 1.0 as `tomllib` reads it, at the speed of `rtoml` where both agree.

`rtoml` also takes TOML 1.1, which `tomllib` refuses. A text that may hold any of it goes to `tomllib`: line breaks,
comments and a last comma in `{ }`, the escapes backslash e and backslash x, and times without seconds.
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
_MAX_REPORTED = 500_000  # letters; a mistake in a longer text is reported in the words of the faster parser
_PLACE = re.compile(r" at (line \d+ column \d+)\Z")


def parse_tables(text: str) -> dict[str, Any]:
    """Return the tables of a TOML 1.0 text without byte-order mark; ValueError or RecursionError where it is none."""
    try:
        tables = rtoml.loads(text.replace("\r\n", "\n"))  # as tomllib reads line ends
    except ValueError as error:
        if "recurs" in str(error) and any(line.count(".") > _MAX_PARTS for line in text.splitlines()):
            raise RecursionError from error
        if len(text) > _MAX_REPORTED:
            raise ValueError(_PLACE.sub(_place_text, str(error))) from error
        tables = None
    if tables is None or _is_doubtful(text):
        import tomllib  # for few files: it reports a mistake with its place

        return tomllib.loads(text)
    return tables


def _place_text(match: re.Match[str]) -> str:
    """Return a place as `tomllib` writes it."""
    return f" (at {match[1].replace(' column', ', column')})"


def _is_doubtful(text: str) -> bool:
    """Return whether a text may hold what `rtoml` takes and `tomllib` refuses."""
    return (
        text.startswith("\ufeff")
        or text.count("\r") != text.count("\r\n")
        or "\\e" in text
        or "\\x" in text
        or bool(_NO_SECONDS.search(text))
        or _holds_odd_table(text)
    )


def _holds_odd_table(text: str) -> bool:
    """Return whether a small table may go on below its line, or have a last comma."""
    end = 0
    while match := _UNCLEAR_TABLE.search(text, end):
        at = match.start()
        end = text.find("\n", at) % (len(text) + 1)
        bare, found = _STRING_OR_COMMENT.sub("", text[text.rfind("\n", 0, at) + 1 : end]), 1
        while found:
            bare, found = _PLAIN_TABLE.subn("", bare)
        if any(mark in bare for mark in "\"'{}"):
            return True
    return False
