"""Global access to the word catalogue, so that widgets don't have to pass it around."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from turnwright.ui.look.fonts import app_singleton
from turnwright.workspace.settings import cache_folder

if TYPE_CHECKING:
    from turnwright.storage.word_catalogue import WordCatalogue


class _Holder(QObject):
    def __init__(self, words: WordCatalogue, parent: QObject) -> None:
        super().__init__(parent)
        self.words = words


def _with_shipped_words(app: QApplication) -> _Holder:
    from turnwright.storage.system_data import cached_texts
    from turnwright.storage.word_catalogue import WordCatalogue

    return _Holder(WordCatalogue(cached_texts("en", cache_folder())), app)


def set_words(app: QApplication, words: WordCatalogue) -> None:
    """Set the word catalogue that `tr` uses."""
    app_singleton(_Holder, lambda _: _Holder(words, app), "the word catalogue").words = words


def current_words() -> WordCatalogue:
    """Return the word catalogue that `tr` uses, by default the shipped one."""
    return app_singleton(_Holder, _with_shipped_words, "the word catalogue").words


def tr(key: str, /, **params: object) -> str:
    """Return the translation of a key, or the key itself if the catalogue doesn't contain it."""
    return current_words()(key, **params)


def number_word(number: int) -> str:
    """Return a number from two to twelve as a word, and other numbers in digits."""
    return tr(f"ui.number.{number}") if 2 <= number <= 12 else number_text(number)


def number_text(number: int) -> str:
    """Return a number as text, with a typographic minus sign."""
    return str(number) if number >= 0 else f"\u2212{-number}"
