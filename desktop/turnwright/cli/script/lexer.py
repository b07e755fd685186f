"""Splits a line of a script into words, which may be quoted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from turnwright.cli.script.arguments import Argument, alternatives
from turnwright.encounter.field_specs import CLOSE, LIKENESS, nearest_hint

NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_MOST_SHOWN = 12
_WORD = re.compile(r'\s*(?:"(?P<quoted>[^"]*)"(?=\s|$)|(?P<comment>#.*)|(?P<bare>[^\s"]+)|(?P<stray>"))')


class ScriptError(ValueError):
    """An error in a line of a script. The message is for the script's author."""


class MissingWordError(ScriptError):
    """An error for missing words. `expected` describes them, and `example` is a valid replacement.

    `line` is an example of a whole line. `replaces_rest`: the example replaces the rest of the line.
    """

    def __init__(self, expected: str, example: Sequence[str], line: str = "", *, replaces_rest: bool = False) -> None:
        super().__init__(f"expected {expected}")
        self.example, self.line, self.replaces_rest = list(example), line, replaces_rest

    def located(self, verb: Sequence[str], words: WordReader) -> ScriptError:
        """Return the error with its statement, and with an example of a whole line."""
        rest = [] if self.replaces_rest else words.words_left
        line = self.line or " ".join([*verb, *words.words_read, *(self.example[:1] if rest else self.example), *rest])
        return ScriptError(f"{' '.join(verb)}: {self}, for example `{line}`")


class UnknownWordError(ScriptError):
    """An error for an unknown word. The message suggests the most similar known word, or the first ones."""

    def __init__(self, message: str, text: str, known: Sequence[tuple[str, str]] = ()) -> None:
        self._message, self._text, self._known = message, text, known
        self.hint = nearest_hint(text, [name for pair in known for name in pair if name])
        ids = [id for id, _ in known]
        expected = f"{', '.join(ids[:_MOST_SHOWN])}, …" if len(ids) > _MOST_SHOWN else alternatives(ids) if ids else ""
        super().__init__(message + (self.hint or (f"; expected {expected}" if expected else "")))

    def with_note(self, note: str) -> UnknownWordError:
        """Return the error with a note after its message."""
        return UnknownWordError(self._message + note, self._text, self._known)

    def among(self, keywords: Iterable[str], line: Iterable[str]) -> ScriptError:
        """Return the error, suggesting the keyword that this or another word of the line was probably meant to be."""
        names = [*keywords, *(name for pair in self._known for name in pair if name)]
        others = ((word, nearest_hint(word, keywords, CLOSE)) for word in line if word not in keywords)
        other = next((ScriptError(f"unexpected '{word}'{hint}") for word, hint in others if hint), None)
        hint = nearest_hint(self._text, names, CLOSE if other is not None else LIKENESS)
        return ScriptError(self._message + hint) if hint else other or self


def unknown_name(kind: str, text: str, known: Sequence[tuple[str, str]]) -> UnknownWordError:
    """Return the error for a name that isn't in the (id, name) pairs."""
    return UnknownWordError(f"unknown {kind} '{text}'", text, known)


class Word(NamedTuple):
    """A word of a line. A quoted word is never a keyword."""

    text: str
    quoted: bool = False

    @property
    def typed(self) -> str:
        """The word as typed, including quotes."""
        return f'"{self.text}"' if self.quoted else self.text


def split_words(line: str) -> list[Word]:
    """Return the words of a line without its comment. Raise ScriptError if a quote isn't closed."""
    words: list[Word] = []
    for match in _WORD.finditer(line.rstrip()):
        if match["stray"] is not None:
            raise ScriptError("unclosed quote, or text directly after the closing quote")
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
        """All unquoted words of the line."""
        return [word.text for word in self._words if not word.quoted]

    @property
    def at_end(self) -> bool:
        """Whether no word is left."""
        return self._at >= len(self._words)

    def peek(self) -> Word:
        """Return the next word without reading it, or an empty word at the end."""
        return Word("") if self.at_end else self._words[self._at]

    def next_is(self, keywords: Iterable[str]) -> bool:
        """Return whether the next word is one of these keywords."""
        return not self.at_end and not self.peek().quoted and self.peek().text in keywords

    def accept(self, *keywords: str) -> bool:
        """Read the next word if it is one of these keywords."""
        is_next = self.next_is(keywords)
        self._at += is_next
        return is_next

    def expect(self, argument: Argument, keywords: Iterable[str] = ()) -> str:
        """Read a word. Raise MissingWordError if no word is left, or if the next word is one of the keywords."""
        if self.at_end or self.next_is(keywords):
            raise MissingWordError(argument.name, (argument.example,), argument.line)
        self._at += 1
        return self._words[self._at - 1].text

    @property
    def words_read(self) -> list[str]:
        """The words read so far, as typed."""
        return [word.typed for word in self._words[: self._at]]

    @property
    def words_left(self) -> list[str]:
        """The words that haven't been read yet, as typed."""
        return [word.typed for word in self._words[self._at :]]

    def back(self) -> None:
        """Unread the last word."""
        self._at = max(0, self._at - 1)

    def until(self, is_end: Callable[[Word], bool] = lambda word: False) -> list[str]:
        """Read all words before one that ends a list."""
        words = list(takewhile(lambda word: not is_end(word), self._words[self._at :]))
        self._at += len(words)
        return [word.text for word in words]

    def expect_end(self, known: Iterable[str], note: str = "") -> None:
        """Raise ScriptError if a word is left.

        The message suggests the most similar of the `known` words, or otherwise contains the note.
        """
        if not self.at_end:
            word, rest = self.peek(), " ".join(self.until())
            hint = "" if word.quoted else nearest_hint(word.text, known)
            raise ScriptError(f"unexpected '{word.text if hint else rest}'{hint or note}")


def whole_number(text: str, noun: str) -> int:
    """Parse a whole number. Raise ScriptError if the text isn't one. `noun` describes the expected number."""
    if NUMBER.fullmatch(text) is None:
        raise UnknownWordError(f"{noun}: expected a whole number, found '{text}'", text)
    return int(text)
