"""Splits one line of a script into words, some of them in quotes, read from left to right."""

from __future__ import annotations

import re
from typing import NamedTuple

_WORD = re.compile(r'\s*(?:"(?P<quoted>[^"]*)"(?=\s|$)|(?P<comment>#.*)|(?P<bare>[^\s"]+)|(?P<stray>"))')


class ScriptError(ValueError):
    """A line that is not understood, in words for its author."""


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
    def at_end(self) -> bool:
        """Whether no word is left."""
        return self._at >= len(self._words)

    def next_is(self, *keywords: str) -> bool:
        """Return whether the next word is one of these."""
        return not self.at_end and not self._words[self._at].quoted and self._words[self._at].text in keywords

    def accept(self, *keywords: str) -> bool:
        """Read these words if they come next, all of them, in this order."""
        ahead = self._words[self._at : self._at + len(keywords)]
        found = len(ahead) == len(keywords) and all(
            word.text == keyword and not word.quoted for word, keyword in zip(ahead, keywords, strict=True)
        )
        if found:
            self._at += len(keywords)
        return found

    def peek(self) -> Word:
        """Return the next word and leave it; an empty one at the end."""
        return Word("") if self.at_end else self._words[self._at]

    def expect(self, what: str) -> str:
        """Read a word; ScriptError that names `what` is missing."""
        if self.at_end:
            raise ScriptError(f"{what} is missing")
        self._at += 1
        return self._words[self._at - 1].text

    def expect_number(self, what: str) -> int:
        """Read a whole number."""
        text = self.expect(what)
        try:
            return int(text)
        except ValueError as error:
            raise ScriptError(f"{what}: expected a whole number, found {text}") from error

    def number_or_default(self, default: int) -> int:
        """Read a whole number if one comes next."""
        return self.expect_number("a number") if re.fullmatch(r"[+-]?\d+", self.peek().text) else default

    def until(self, *keywords: str) -> list[str]:
        """Read all words up to one of these or the end."""
        words = []
        while not self.at_end and not self.next_is(*keywords):
            words.append(self.expect("a word"))
        return words

    def rest(self) -> str:
        """Read all remaining words as one text."""
        return " ".join(self.until())

    def expect_end(self) -> None:
        """Raise ScriptError where any word is left."""
        if not self.at_end:
            raise ScriptError(f"{self.rest()} is not understood here")
