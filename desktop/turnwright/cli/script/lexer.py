"""Splits one line of a script into words, some of them in quotes, read from left to right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from turnwright.encounter.suggestions import nearest_hint

NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_WORD = re.compile(r'\s*(?:"(?P<quoted>[^"]*)"(?=\s|$)|(?P<comment>#.*)|(?P<bare>[^\s"]+)|(?P<stray>"))')


class ScriptError(ValueError):
    """A line that is not understood, in words for its author."""


class UnknownWordError(ScriptError):
    """An unknown word; the message names the nearest known word, or else some of those known."""

    def __init__(self, message: str, text: str, known: Sequence[tuple[str, str]] = ()) -> None:
        self._message, self._text, self._known = message, text, known
        self.hint = nearest_hint(text, [name for pair in known for name in pair if name])
        shown = ", ".join(id for id, _ in known[:12]) + (", …" if len(known) > 12 else "")
        super().__init__(message + (self.hint or (f"; there is {shown}" if shown else "")))

    def with_note(self, note: str) -> UnknownWordError:
        """Return the error with a note behind its message."""
        return UnknownWordError(self._message + note, self._text, self._known)

    def among(self, keywords: Iterable[str], line: Iterable[str]) -> ScriptError:
        """Return the error with the keyword that was meant, be it by another word of the line."""
        hint = nearest_hint(self._text, [*keywords, *(name for pair in self._known for name in pair if name)])
        if hint:
            return ScriptError(self._message + hint)
        hints = ((word, nearest_hint(word, keywords)) for word in line if word not in keywords)
        return next((ScriptError(f"{word} is not understood here{hint}") for word, hint in hints if hint), self)


def unknown_name(kind: str, text: str, known: Sequence[tuple[str, str]]) -> UnknownWordError:
    """Return the error for a name that none of the (id, name) pairs has."""
    return UnknownWordError(f"there is no {kind} {text}", text, known)


class Word(NamedTuple):
    """One word; a quoted one is never a keyword."""

    text: str
    quoted: bool = False


def split_words(line: str) -> list[Word]:
    """Return the words of a line without its comment. ScriptError for a quotation that does not end."""
    words: list[Word] = []
    for match in _WORD.finditer(line.rstrip()):
        if match["stray"] is not None:
            raise ScriptError("a quotation that begins here does not end, or something stands right behind it")
        if match["comment"] is not None:
            break
        quoted = match["quoted"] is not None
        words.append(Word(match["quoted"] if quoted else match["bare"], quoted))
    return words


class WordReader:
    """Reads the words of a line one after another."""

    def __init__(self, words: list[Word]) -> None:
        self._words = words
        self._at = 0

    @property
    def bare_words(self) -> list[str]:
        """All words of the line that stand without quotes."""
        return [word.text for word in self._words if not word.quoted]

    @property
    def at_end(self) -> bool:
        """Whether no word is left."""
        return self._at >= len(self._words)

    def peek(self) -> Word:
        """Return the next word and leave it; an empty one at the end."""
        return Word("") if self.at_end else self._words[self._at]

    def next_is(self, keywords: Iterable[str]) -> bool:
        """Return whether the next word is one of these keywords."""
        return not self.at_end and not self.peek().quoted and self.peek().text in keywords

    def accept(self, *keywords: str) -> bool:
        """Read the next word if it is one of these keywords."""
        found = self.next_is(keywords)
        self._at += found
        return found

    def expect(self, what: str, keywords: Iterable[str] = ()) -> str:
        """Read a word; ScriptError that names `what` where none is left, or where a keyword stands in its place."""
        if self.at_end or self.next_is(keywords):
            raise ScriptError(f"{what} is missing")
        self._at += 1
        return self._words[self._at - 1].text

    def back(self) -> None:
        """Give back the last word."""
        self._at = max(0, self._at - 1)

    def until(self, is_end: Callable[[Word], bool] = lambda word: False) -> list[str]:
        """Read all words up to one that is the end of a list."""
        found = list(takewhile(lambda word: not is_end(word), self._words[self._at :]))
        self._at += len(found)
        return [word.text for word in found]

    def expect_end(self, known: Iterable[str], note: str = "") -> None:
        """Raise ScriptError where any word is left: with that of the `known` words that was meant, or with a note."""
        if not self.at_end:
            word, rest = self.peek(), " ".join(self.until())
            hint = "" if word.quoted else nearest_hint(word.text, known)
            raise ScriptError(f"{rest} is not understood here{hint or note}")


def whole_number(text: str, what: str) -> int:
    """Return a whole number; ScriptError for anything else."""
    if NUMBER.fullmatch(text) is None:
        raise UnknownWordError(f"{what}: expected a whole number, found {text}", text)
    return int(text)
