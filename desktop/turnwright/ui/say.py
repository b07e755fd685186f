"""The words of the running application, found where the application keeps them, so that no widget carries a catalogue about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from turnwright.storage.words import Words


class _Holder(QObject):
    def __init__(self, words: Words, parent: QObject) -> None:
        super().__init__(parent)
        self.words = words


def use_words(app: QApplication, words: Words) -> None:
    """Make these the words that `say` speaks with."""
    holder = app.findChild(_Holder)
    if holder is None:
        _Holder(words, app)
    else:
        holder.words = words


def spoken_words() -> Words:
    """Return the words that `say` speaks with, loaded now if nobody has."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("words are asked for before the application stands")
    holder = app.findChild(_Holder)
    if holder is None:
        from turnwright.storage.words import Words

        holder = _Holder(Words.load(), app)
    return holder.words


def say(key: str, **params: object) -> str:
    """Return the words for a key, or the key itself as plain text where the catalogue has none."""
    return spoken_words()(key, **params)
