"""All texts of the window and the journal, keyed by message.

A text can contain `{name}` for a parameter, and `{n|one raider|{n} raiders}` for the singular and plural of a number. A
name that isn't a parameter is looked up in the default terms (`{unit}`, `{game_master}`). Rule systems can replace
these terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

import rtoml

from turnwright.storage.resources import read_text

TextPieces = tuple["str | TextParameter", ...]
DEFAULT_PREFIX, LOWERCASE_SUFFIX = "usual.", "-small"  # keys of default terms, and of their lowercase forms


class TextParameter:
    """A placeholder in a text. `forms` are its singular and plural texts."""

    __slots__ = ("forms", "name")

    def __init__(self, name: str, forms: tuple[TextPieces, ...] = ()) -> None:
        self.name = name
        self.forms = forms

    def fill_in(self, params: Mapping[str, object]) -> str:
        """Return the parameter's text, or its name in braces if the parameter is missing."""
        if self.name not in params:
            return f"{{{self.name}}}"
        value = params[self.name]
        if not self.forms:
            return str(value)
        return _filled(self.forms[0 if value in (1, "1") else -1], params)


class WordCatalogue:
    """The texts of one language by key. If a key has no text, the key itself is shown."""

    def __init__(
        self,
        texts: Mapping[str, str],
        language: str = "en",
        defaults: Mapping[str, str] | None = None,
        terms: Mapping[str, str] | None = None,
    ) -> None:
        self.language = language
        self._texts = texts
        self._defaults = _usual_in(texts) if defaults is None else defaults
        self._usual = self._defaults if terms is None else terms

    @classmethod
    def load(cls, language: str = "en") -> WordCatalogue:
        """Read a language's texts. Raise FileNotFoundError if the language isn't shipped."""
        return cls(texts_of(language), language, _defaults_of(language))

    def with_terms(self, terms: Mapping[str, str]) -> WordCatalogue:
        """Return the catalogue with a rule system's terms instead of the default terms."""
        own = {name: terms.get(name.removesuffix(LOWERCASE_SUFFIX), text) for name, text in self._defaults.items()}
        small = {name: text.lower() for name, text in own.items() if name.endswith(LOWERCASE_SUFFIX)}
        return WordCatalogue(self._texts, self.language, self._defaults, own | small)

    def __call__(self, key: str, /, **params: object) -> str:
        """Return the text of a key with its parameters filled in, or the key itself if it has no text."""
        text = self._texts.get(key)
        if text is None:
            return key
        return fill_in(text, {**self._usual, **params}) if "{" in text else text

    def raw(self, key: str) -> str:
        """Return the text of a key with its parameters in braces. Raise KeyError if it has no text."""
        return self._texts[key]

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def fill_in(text: str, params: Mapping[str, object]) -> str:
    """Return a text with its parameters filled in. Placeholders in parameter values are not replaced."""
    return _filled(_pieces(text), params) if "{" in text else text


def parameters_of(text: str) -> frozenset[str]:
    """Return the names of the parameters in a text, including those in singular and plural forms."""
    return frozenset(_names(_pieces(text)))


def _names(pieces: TextPieces) -> Iterator[str]:
    for piece in pieces:
        if isinstance(piece, TextParameter):
            yield piece.name
            for form in piece.forms:
                yield from _names(form)


def _filled(pieces: TextPieces, params: Mapping[str, object]) -> str:
    return "".join(piece if isinstance(piece, str) else piece.fill_in(params) for piece in pieces)


@lru_cache(maxsize=4096)
def _pieces(text: str) -> TextPieces:
    pieces: list[str | TextParameter] = []
    at = 0
    while (start := text.find("{", at)) >= 0:
        end = _closing(text, start)
        if end < 0:
            break
        pieces.append(text[at:start])
        name, *forms = _split(text[start + 1 : end])
        pieces.append(TextParameter(name.strip(), tuple(_pieces(form) for form in forms)))
        at = end + 1
    pieces.append(text[at:])
    return tuple(pieces)


def _closing(text: str, start: int) -> int:
    """Return the index of the brace that closes the one at `start`, or -1."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return -1


def _split(inside: str) -> list[str]:
    """Split a text at bars, except those in inner braces."""
    parts, depth = [""], 0
    for letter in inside:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


@cache
def texts_of(language: str) -> Mapping[str, str]:
    """Return a language's texts. The file is read only once."""
    tables = rtoml.loads(read_text(f"words/{language}.toml"))
    return {".".join(path): text for path, text in texts_in(tables)}


def usual_terms() -> Mapping[str, str]:
    """Return the default terms by name."""
    return _defaults_of("en")


@cache
def _defaults_of(language: str) -> Mapping[str, str]:
    """Return a language's default terms. They are cached, because searching all texts takes milliseconds."""
    return _usual_in(texts_of(language))


def _usual_in(texts: Mapping[str, str]) -> dict[str, str]:
    return {key.removeprefix(DEFAULT_PREFIX): text for key, text in texts.items() if key.startswith(DEFAULT_PREFIX)}


def texts_in(table: Mapping[str, object], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield all texts in a table and its subtables, each with its path."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from texts_in(value, (*path, key))
        else:
            yield (*path, key), str(value)
