"""The main window: a themed frame that is painted first and filled immediately afterwards.

The contents are in `window_content`. Importing it earlier would delay the first paint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from turnwright.ui.look.style import ThemeSource, current_words, scaled
from turnwright.ui.services.settings_store import SettingsStore, bytes_of, text_of
from turnwright.ui.widgets.layout import focus_neighbour

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragMoveEvent, QDropEvent, QPaintEvent, QResizeEvent

    from turnwright.ui.dialogs.message_bar import MessageBar
    from turnwright.ui.services.document_model import DocumentModel
    from turnwright.ui.shell.window_content import WindowContent
    from turnwright.workspace.document import AppContext, Document

FIRST_SIZE = (1280, 800)


class MainWindow(QMainWindow):
    """A window for one document. Emits `painted` after its first paint, and `contentReady` when it shows the document.

    Emits `applicationStateChanged` together with the application, so that the table of connections can name it.
    Emits `dragged(event)` when something is dragged over the window or dropped onto it; the receiver accepts the
    event. Why-cards in the window emit `ruleRequested(rule)`. These events have signals because Qt sends the window a
    thousand events while it is filled, and a Python event filter would have to look at all of them.
    """

    painted = Signal()
    contentReady = Signal()
    applicationStateChanged = Signal(Qt.ApplicationState)
    resized = Signal()
    dragged = Signal(object)
    ruleRequested = Signal(str)

    def __init__(
        self,
        open_document: Callable[[], Document],
        workspace: Callable[[], AppContext],
        settings_store: SettingsStore,
        theme: ThemeSource,
    ) -> None:
        super().__init__()
        self.settings_store = settings_store
        self._open = open_document
        self._opened: Document | None = None
        self._document: DocumentModel | None = None
        self._workspace = workspace
        self._theme = theme
        self._furnishing: WindowContent | None = None
        self._is_painted = False
        application = cast("QGuiApplication", QGuiApplication.instance())
        application.applicationStateChanged.connect(self.applicationStateChanged)
        self._place()

    @property
    def document(self) -> DocumentModel:
        """The document model, created on first use."""
        if self._document is None:
            from turnwright.ui.services.document_model import DocumentModel

            self._document = DocumentModel(self.source, current_words(), self)
        return self._document

    @property
    def source(self) -> Document:
        """The open document, opened on first use."""
        return self._document.source if self._document is not None else self.open_document()

    def open_document(self) -> Document:
        """Open the first document and set the title."""
        if self._opened is None:
            self._opened = self._open()
            self.setWindowTitle(self._opened.title)
        return self._opened

    @property
    def content(self) -> WindowContent:
        """The contents of the window, built on first use."""
        if self._furnishing is None:
            from turnwright.ui.shell.window_content import WindowContent

            content = WindowContent(self, self.document, self._workspace(), self.settings_store, self._theme)
            self.setAcceptDrops(True)
            self._furnishing = content
            self.contentReady.emit()
        return self._furnishing

    def build_content(self) -> None:
        """Build the contents of the window."""
        assert self.content is not None

    def messages(self) -> MessageBar:
        """Return the message bar."""
        return self.content.services.messages.bar

    def focusNextPrevChild(self, forward: bool) -> bool:

        first = self._furnishing.first_by_tab() if self._furnishing is not None else ()
        return focus_neighbour(self, self.focusWidget(), forward=forward, first=first)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(0, self, self.painted.emit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.dragged.emit(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.dragged.emit(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.dragged.emit(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # an exception below leaves the window open
        if self._furnishing is not None:
            if not self._furnishing.file_controller.confirm_close():
                return
            self._furnishing.services.layout.save()
            self._furnishing.services.close()
        self.settings_store.update(geometry=text_of(self.saveGeometry()))
        self.settings_store.write()
        if self._opened is not None:
            self.source.close(discard=True)
        event.accept()

    def _place(self) -> None:
        saved = self.settings_store.settings.geometry
        if not (saved and self.restoreGeometry(bytes_of(saved))):
            self.setGeometry(initial_geometry(self.screen().availableGeometry()))


def initial_geometry(screen: QRect) -> QRect:
    """Return the initial geometry of a window: the default size at the current scale, centred on the screen."""
    most = QSize(round(screen.width() * 0.96), round(screen.height() * 0.92))  # leaves room for the title bar
    place = QRect(screen.topLeft(), QSize(scaled(FIRST_SIZE[0]), scaled(FIRST_SIZE[1])).boundedTo(most))
    place.moveCenter(screen.center())
    return place
