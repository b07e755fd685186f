"""Splits a feature's text into sentences, in the plain form that templates match."""

from __future__ import annotations

import re
from typing import Final

MAX_SENTENCE: Final = 600  # in characters; longer sentences never match
_TOO_LONG: Final = "\u2026 "
_HEADS: Final = (
    "Trigger|Response|Requirements?|Frequency|Effect|Critical Success|Critical Failure|Success|Failure"
    "|Maximum Duration|Stage [1-9]"
)
_ENDS: Final = re.compile(
    r"(?<!\bvs\.)(?<=[.!?])[\"')\u201d\u2019]*+ (?=[\"'(\u201c\u2018]?[A-Z0-9+\u2022*])"
    rf"|; | ?\u2022 ?|(?<!\bCritical) (?=(?:{_HEADS}):? [A-Z0-9])"
)
_AVERAGE: Final = re.compile(r"\b\d{1,4}\s*\((\d{1,3}d\d{1,4}(?:\s*[+\-\u2212\u2013]\s*\d{1,4})?)\)")
_DICE: Final = re.compile(r"\b(\d{1,3}d\d{1,4})\s*([+\-\u2212\u2013])\s*(\d{1,4})\b")
_UNIT: Final = re.compile(r"\b(\d{1,5})[\s-]*(?:foot|feet|ft\b\.?)")
_PLUS: Final = re.compile(r"\+(?=[a-z])")
_MARKS: Final = re.compile(r"['\u2018\u2019\u02bc`]|\*\*|__")
_OTHER: Final = re.compile(r"(?:[^\w+/\-]|_|(?<!\w)[-/]|[-/](?!\w))++")
_MINUS: Final = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2010": "-", "\u2011": "-"})


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text in plain form, in order."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [plain for line in lines for each in _ENDS.split(line) if each and (plain := plain_sentence(each))]


def plain_sentence(text: str) -> str:
    """Return a sentence in plain form: lower case, a space after each word, no punctuation.

    The average before dice is removed (`7 (2d6)`), and distances become `10 feet`. A sentence that is too long is
    replaced by a placeholder that no template matches.
    """
    if len(text) > MAX_SENTENCE:
        return _TOO_LONG
    text = _AVERAGE.sub(r" \1", _MARKS.sub("", text.lower().translate(_MINUS)))
    text = _UNIT.sub(r"\1 feet ", _PLUS.sub("+ ", _DICE.sub(r"\1\2\3", text)))
    words = _OTHER.sub(" ", text).split()
    return " ".join(words) + " " if words else ""
