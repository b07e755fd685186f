"""The base class of the panels. Panels don't know each other: they emit signals, which the window connects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDockWidget, QStackedWidget, QWidget

from turnwright.play.kernel.transaction import Command
from turnwright.ui.look.style import ThemeSource, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.layout import fill

if TYPE_CHECKING:
    from turnwright.ui.services.services import Services


class Dock(QDockWidget):
    """A panel of the document. Its `name` is its object name, and its title is the word `ui.<name>.title`.

    Emits `homeRequested` when the focus should return to the turn order: on Esc, if the panel `has_home`.
    """

    homeRequested = Signal()
    name: str
    has_home = False

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(self.name)
        self.set_title(tr(f"ui.{self.name}.title"))
        self._document = document
        self._theme = theme

    def set_title(self, title: str) -> None:
        """Set the title, which screen readers read too."""
        self.setWindowTitle(title)
        self.setAccessibleName(title)

    def set_pages(self, *pages: QWidget) -> None:
        """Fill the panel with a stack of pages, such as the list and a placeholder. The first is shown."""
        self._stack = fill(QStackedWidget(), *pages)
        self.setWidget(self._stack)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.has_home and event.key() == Qt.Key.Key_Escape:
            self.homeRequested.emit()
        else:
            super().keyPressEvent(event)

    def _do(self, command: Command) -> bool:
        """Execute a command. Return False if it is refused."""
        return self._document.execute(command)

    def use_services(self, services: Services) -> None:
        """Take the settings and controllers that a panel needs from the window."""
