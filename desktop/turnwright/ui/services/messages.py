"""The messages of a window: notices, refused commands and broken rules."""

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
