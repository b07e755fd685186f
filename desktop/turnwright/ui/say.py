"""The words of the running application, found where the application keeps them, so that no widget carries a catalogue about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from turnwright.ui.resident import resident

if TYPE_CHECKING:
    from turnwright.storage.words import Words


class _Holder(QObject):
    def __init__(self, words: Words, parent: QObject) -> None:
        super().__init__(parent)
        self.words = words


def _with_shipped_words(app: QApplication) -> _Holder:
    from turnwright.storage.words import Words

    return _Holder(Words.load(), app)


def use_words(app: QApplication, words: Words) -> None:
    """Make these the words that `say` speaks with."""
    resident(_Holder, lambda _: _Holder(words, app), "words are asked for").words = words


def spoken_words() -> Words:
    """Return the words that `say` speaks with, loaded now if nobody has."""
    return resident(_Holder, _with_shipped_words, "words are asked for").words


def say(key: str, /, **params: object) -> str:
    """Return the words for a key, or the key itself as plain text where the catalogue has none."""
    return spoken_words()(key, **params)


def figure_of(number: int) -> str:
    """Return a number as it is written, with a proper minus below nothing."""
    return str(number) if number >= 0 else f"\u2212{-number}"
