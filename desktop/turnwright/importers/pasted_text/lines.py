"""Splits a pasted text into lines without markup, and finds headings, emphasised words, list items and decoration."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from typing import Final

import msgspec

MAX_TEXT: Final = 200_000
MAX_LINES: Final = 5_000
MAX_LINE: Final = 8_000
_QUOTE = re.compile(r"^\s*(?:>\s?)+")
_DECORATION = re.compile(
    r"(?:[\s_*=|:\-\u2013\u2014~+]+|\\?(?:page|pagebreak|pagebreaknum|column|columnbreak)|\}\}|```\w*|:+)\s*"
)
_OPENS = re.compile(r"^\{\{[\w,\-:#%. ]*(?:\{\{)?\s*$|^\}\}$")
_INLINE_BLOCK = re.compile(r"\{\{[\w,\-:#%.]*\s|\}\}|\{[\w,\-:#%.; ]*\}$")
_TAG = re.compile(r"<[^<>]{0,300}>")
_IMAGE = re.compile(r"!\[[^\[\]]{0,300}\]\([^()]{0,600}\)")
_LINK = re.compile(r"\[([^\[\]]{1,300})\]\([^()]{0,600}\)")
_HEADING = re.compile(r"^(#{1,6})\s*(.*?)\s*#*$")
_BULLET = re.compile(r"^(?:[*\u2022\u25cf\u25aa\u25e6\u00b7]\s+(?=\S)|[-+]\s+(?=[^\W\d]|[*_]))")
_LEAD = re.compile(r"^([*_]{1,3})(?=\S)([^*_]{1,120}?(?:[*_]?[^*_]{0,60})?)\1[*_]*(.*)$")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3})(?=\S)(.{1,400}?)(?<=\S)\1(?![\w*])")
_LEADERS = re.compile(r"\.{4,}|\u2026{2,}")
_ODD: Final = str.maketrans({
    "\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u2009": " ", "\u200a": " ", "\u2002": " ", "\u2003": " ", "\t": " ",
    "\u00ad": None, "\u200b": None, "\u200c": None, "\u200d": None, "\ufeff": None, "\u2060": None,
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl",
    "\u2212": "-", "\u2012": "-", "\ufe63": "-", "\uff0d": "-", "\u2010": "-", "\u2011": "-",
    "\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\x0c": " ",
})  # fmt: skip
_RANGE_OF_NUMBERS = re.compile(r"(?<=\d)(\s?)(?:--|[\u2013\u2014])\1(?=\d)")
_MINUS = re.compile(r"(?<![\d\w])\u2013(?=\s?\d)|(?<=\()\u2013(?=\s?\d)|(?<=\d)\s?\u2013\s?(?=\d+\))")


class TextLine(msgspec.Struct, frozen=True):
    """A line without markup, with its number in the source (from 1).

    `heading` is the level of a heading, or 0. `lead` contains the emphasised words at the start of the line. `bullet`
    marks a list item. A line of decoration or spaces has no text.
    """

    number: int
    text: str
    heading: int = 0
    lead: str = ""
    bullet: bool = False


def text_lines(text: str, most: int = MAX_TEXT, most_lines: int = MAX_LINES) -> tuple[TextLine, ...]:
    """Return the lines of a text within limits; each is cut at `MAX_LINE` characters."""
    rows = text[:most].replace("\r\n", "\n").replace("\r", "\n").split("\n")[:most_lines]
    return tuple(_line(number, row[:MAX_LINE]) for number, row in enumerate(rows, 1))


def _line(number: int, row: str) -> TextLine:
    text = _QUOTE.sub("", row.translate(_ODD)).strip()
    if not text or _DECORATION.fullmatch(text) or _OPENS.match(text):
        return TextLine(number, "")
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "&" in text:
        text = unescape(text)
    if "](" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    text = _INLINE_BLOCK.sub(" ", text) if "{" in text or "}" in text else text
    if text.startswith("|") or text.count("|") >= 3:
        text = " ".join(cell.strip(" *_") for cell in text.strip("|").split("|"))
    text = _RANGE_OF_NUMBERS.sub("-", _LEADERS.sub(" ", text))
    heading = _HEADING.match(text)
    if heading:
        text = heading[2]
    text = text.strip().removesuffix("\\").removeprefix(": ").strip()
    bullet = _BULLET.match(text)
    if bullet:
        text = text[bullet.end() :]
    lead = _LEAD.match(text)
    head = _MINUS.sub("-", plain_line(lead[2])) if lead else ""
    whole = plain_line(text).replace("::", " ", 1) if "::" in text else plain_line(text)
    whole = " ".join(_MINUS.sub("-", whole).split())
    return TextLine(number, whole, len(heading[1]) if heading else 0, " ".join(head.split()), bullet is not None)


def plain_line(text: str) -> str:
    """Return a line without emphasis, backquotes and backslashes."""
    for _ in range(3):
        if "*" not in text and "_" not in text:
            break
        text = _EMPHASIS.sub(r"\2", text)
    text = text.replace("**", "").replace("***", "").replace("`", "")
    return re.sub(r"\\([\\*_{}\[\]()#+\-.!|>~])", r"\1", text).strip()


def joined_lines(parts: Iterable[str]) -> str:
    """Join broken lines and split words to one text. List items and spell levels keep their own lines."""
    text = ""
    for part in parts:
        if not text:
            text = part
        elif stays_apart(part):
            text = f"{text}\n{part}"
        elif text.endswith("-") and len(text) > 1 and text[-2].isalpha() and part[:1].islower():
            word = text.rpartition(" ")[2][:-1]
            text = f"{text}{part}" if "-" in word or word.lower() in _PREFIXES else f"{text[:-1]}{part}"
        elif text.endswith("-") and len(text) > 1 and text[-2].isdigit():
            text = f"{text}{part}"
        else:
            text = f"{text} {part}"
    return text


_PREFIXES: Final = frozenset({"half", "non", "self", "well", "long", "two", "one", "three", "once", "ever", "multi"})
_APART = re.compile(
    r"\u2022|(?i:At will|Cantrips?|Constant|Rituals?|\d(?:st|nd|rd|th)(?:[- ]level)?|\d+/(?:day|rest|long rest)(?: each)?)\b[^.:]{0,60}[:(]"
    r"|Stage \d|(?:Critical )?(?:Success|Failure)\b|Trigger\b|Requirements?\b|Effect\b|Frequency\b|Maximum Duration\b|Saving Throw\b"
)


def stays_apart(part: str) -> bool:
    """Whether a line must not be joined to the previous one: a list item, a spell level, a degree of success."""
    return _APART.match(part) is not None


def ends_sentence(text: str) -> bool:
    """Whether a line may end a sentence, so that another feature can begin after it."""
    return not text or text[-1] in ".!?:)]\"';"
