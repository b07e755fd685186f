"""The players' window: one painted page on a separate screen. It ignores keys, and hides the pointer.

It never takes the focus from the game master's window.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QScreen
from PySide6.QtWidgets import QWidget

from turnwright.players.view import PlayersView
from turnwright.ui.look.theme import Theme
from turnwright.ui.look.translations import tr
from turnwright.ui.players.canvas import NO_PICTURES
from turnwright.ui.players.pages import paint_view
from turnwright.ui.services.timers import single_shot_timer

FIRST_SIZE = QSize(960, 540)
POINTER_MS = 2000  # delay before an idle pointer is hidden


class PlayersWindow(QWidget):
    """Paints the players' view. Emits `closed` when the user closes it, and `resized` when its size changes."""

    closed = Signal()
    resized = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(None, Qt.WindowType.Window | Qt.WindowType.WindowDoesNotAcceptFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setWindowTitle(tr("ui.players-window.title"))
        self.setMouseTracking(True)
        self._theme = theme
        self._view = PlayersView("black")
        self._pictures: Mapping[bytes, QImage] = NO_PICTURES
        self._pointer = single_shot_timer(self, lambda: self.setCursor(Qt.CursorShape.BlankCursor), POINTER_MS)
        self.resize(FIRST_SIZE)

    def show_view(self, view: PlayersView, theme: Theme, pictures: Mapping[bytes, QImage] = NO_PICTURES) -> None:
        """Show another view."""
        self._view, self._theme, self._pictures = view, theme, pictures
        self.update()

    def open_on(self, screen: QScreen | None) -> None:
        """Fill a screen, or open as an ordinary window if `screen` is None."""
        if screen is None:
            self.fill_screen(fills=False)
            return
        self.setScreen(screen)
        self.setGeometry(screen.geometry())  # setting the screen alone isn't enough on some systems
        handle = self.windowHandle()
        if handle is not None:
            handle.setScreen(screen)
        self.fill_screen(fills=True)

    def fill_screen(self, *, fills: bool) -> None:
        """Fill the current screen, or return to an ordinary window. This doesn't request the focus."""
        # `showFullScreen` would request the focus.
        self.setWindowState(Qt.WindowState.WindowFullScreen if fills else Qt.WindowState.WindowNoState)
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_view(painter, QRectF(self.rect()), self._view, self._theme, self._pictures)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.unsetCursor()
        self._pointer.start()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()
