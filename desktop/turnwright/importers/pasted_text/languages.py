"""Reads the labels of stat blocks in German, French and Spanish, so that their numbers come in like those in English."""

import re
from functools import cache
from typing import Any, Final, NamedTuple

from turnwright.importers.vocabulary import terms

_METRES = re.compile(r"(\d+(?:[.,]\d+)?)(?:\s?/\s?(\d+(?:[.,]\d+)?))?[\s-]?(?:m\b|M[eè]t(?:er|re)[ns]?\b|metros?\b)", re.IGNORECASE)  # fmt: skip
_SQUARE: Final = 1.5  # metres that these books print for five feet


class _Language(NamedTuple):
    """One language: a word that only its stat blocks contain, its phrases with numbers, and its words."""

    sign: re.Pattern[str]
    phrases: tuple[tuple[re.Pattern[str], str], ...]
    words: re.Pattern[str]
    english: tuple[str, ...]


@cache
def _languages() -> dict[str, _Language]:
    return {name: _language(tables) for name, tables in terms("pasted_text_languages", "known").items()}


def _language(tables: Any) -> _Language:
    phrases = (*tables["phrases"], *terms("pasted_text_languages", "order"))
    longest_first = sorted(tables["words"].items(), key=lambda word: -len(word[0]))
    words = "|".join(rf"(?P<w{at}>{words})" for at, (words, _) in enumerate(longest_first))
    return _Language(
        re.compile(tables["sign"]),
        tuple((re.compile(phrase, re.IGNORECASE), english) for phrase, english in phrases),
        re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE),
        tuple(english for _, english in longest_first),
    )


def language_of(text: str) -> str:
    """Return the language of a text's stat blocks, or an empty string for English."""
    return next((name for name, language in _languages().items() if language.sign.search(text)), "")


def in_english(text: str, language: str) -> str:
    """Return a text with its labels, terms and distances in English. Names and other words stay as they are."""
    known = _languages()[language]
    count = len(known.phrases) - len(terms("pasted_text_languages", "order"))
    text = _METRES.sub(_feet, text)
    for phrase, english in known.phrases[:count]:
        text = phrase.sub(english, text)
    text = known.words.sub(lambda match: known.english[int((match.lastgroup or "w0")[1:])], text)
    for phrase, english in known.phrases[count:]:
        text = phrase.sub(english, text)
    return text


def _feet(match: re.Match[str]) -> str:
    figures = [round(float(metres.replace(",", ".")) / _SQUARE) * 5 for metres in match.groups() if metres]
    return f"{'/'.join(map(str, figures))} ft."
