"""The messages of a window: notices, refused commands and broken rules.

Filter-as-you-type: finds the texts that match the typed words, best matches first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from turnwright.ui.services.document_model import DocumentModel

if TYPE_CHECKING:
    from turnwright.ui.dialogs.message_bar import MessageBar


class Messages(QObject):
    """Shows messages in the window's message bar, which `make_bar` creates on first use."""

    def __init__(self, document: DocumentModel, make_bar: Callable[[], MessageBar]) -> None:
        super().__init__(document)
        self._document = document
        self._make_bar = make_bar
        document.changed.connect(self._dismiss_verdict)
        document.refused.connect(lambda refused, command: self.bar.show_refusal(document, refused, command))
        document.allowed.connect(lambda text: self.bar.show_allowed(document, text))

    @cached_property
    def bar(self) -> MessageBar:
        """The message bar, created on first use."""
        return self._make_bar()

    @property
    def is_bar_made(self) -> bool:
        """Whether the message bar has been created."""
        return "bar" in self.__dict__

    def notify(
        self,
        text: str,
        tone: str = "",
        actions: Sequence[tuple[str, Callable[[], object]]] = (),
        *,
        persistent: bool = False,
    ) -> None:
        """Show a message. Without actions it disappears after a few seconds, unless it is `persistent`."""
        self.bar.notify(text, tone, list(actions), persistent=persistent)

    def _dismiss_verdict(self, _changed: object) -> None:
        if self.is_bar_made:
            self.bar.dismiss_verdict()


def best_matches(query: str, texts: Sequence[str]) -> list[int]:
    """Return the indexes of the texts that match every word of the query, best matches first.

    An empty query matches all texts and keeps their order.
    """
    words = query.casefold().split()
    scored = []
    for index, text in enumerate(texts):
        scores = [match_score(word, text.casefold()) for word in words]
        if None not in scores:
            scored.append((-sum(score for score in scores if score is not None), index))
    return [index for _, index in sorted(scored)]


def match_score(word: str, text: str) -> int | None:
    """Return the score of a case-folded word in a text, or None if it doesn't match.

    Matches at the start of the text score highest, followed by those at the start of a word, inside a word, and with
    scattered letters.
    """
    place = text.find(word)
    if place == 0:
        return 100
    if f" {word}" in text:
        return 80
    if place > 0:
        return 60
    return _scattered(word, text)


def _scattered(word: str, text: str) -> int | None:
    at = -1
    first = -1
    for letter in word:
        at = text.find(letter, at + 1)
        if at < 0:
            return None
        first = at if first < 0 else first
    stretch = at - first + 1 - len(word)
    starts_a_word = first == 0 or text[first - 1] == " "
    return max(1, 40 - stretch) if starts_a_word and stretch <= 2 * len(word) + 4 else None
