"""The words of the running application, found where the application keeps them, so that no widget carries a catalogue about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from turnwright.ui.app_singletons import app_singleton

if TYPE_CHECKING:
    from turnwright.storage.word_catalogue import WordCatalogue


class _Holder(QObject):
    def __init__(self, words: WordCatalogue, parent: QObject) -> None:
        super().__init__(parent)
        self.words = words


def _with_shipped_words(app: QApplication) -> _Holder:
    from turnwright.storage.word_catalogue import WordCatalogue

    return _Holder(WordCatalogue.load(), app)


def set_words(app: QApplication, words: WordCatalogue) -> None:
    """Make these the words that `say` speaks with."""
    app_singleton(_Holder, lambda _: _Holder(words, app), "words are asked for").words = words


def current_words() -> WordCatalogue:
    """Return the words that `say` speaks with, loaded now if nobody has."""
    return app_singleton(_Holder, _with_shipped_words, "words are asked for").words


def tr(key: str, /, **params: object) -> str:
    """Return the words for a key, or the key itself as plain text where the catalogue has none."""
    return current_words()(key, **params)


def number_text(number: int) -> str:
    """Return a number as it is written, with a proper minus below nothing."""
    return str(number) if number >= 0 else f"\u2212{-number}"
