"""The players' window: one painted page on a separate screen. It ignores keys, and hides the pointer.

It never takes the focus from the game master's window. Each page is painted as a single image without interactive
parts. Screens are identified by their properties, not by their position in a list.
"""

from collections.abc import Callable, Mapping

from PySide6 import QtGui
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QWidget

from turnwright.players.view import PlayersView, ViewMode
from turnwright.ui.look.style import Theme, tr
from turnwright.ui.players import countdown_panel, map_page, order_page, picture_page
from turnwright.ui.players.canvas import NO_PICTURES, Canvas
from turnwright.ui.services.workers import single_shot_timer

BLACK = QtGui.QColor("black")


def _draw_nothing(_canvas: Canvas, _view: PlayersView) -> None:
    """Leave the page black."""


PAGES: Mapping[ViewMode, Callable[[Canvas, PlayersView], None]] = {
    "order": order_page.draw_order,
    "map": map_page.draw_map,
    "picture": picture_page.draw_picture_page,
    "text": picture_page.draw_text_page,
    "dice": countdown_panel.draw_dice_page,
    "black": _draw_nothing,
}


def paint_view(
    painter: QtGui.QPainter,
    page: QRectF,
    view: PlayersView,
    theme: Theme,
    pictures: Mapping[bytes, QtGui.QImage] = NO_PICTURES,
) -> None:
    """Paint the players' view into a rectangle."""
    painter.save()
    painter.setClipRect(page)
    painter.setRenderHints(QtGui.QPainter.RenderHint.Antialiasing | QtGui.QPainter.RenderHint.SmoothPixmapTransform)
    painter.fillRect(page, BLACK if view.mode == "black" else theme.colour("surface"))
    PAGES.get(view.mode, _draw_nothing)(Canvas(painter, page, theme, pictures), view)
    painter.restore()


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
        self._pictures: Mapping[bytes, QtGui.QImage] = NO_PICTURES
        self._pointer = single_shot_timer(self, lambda: self.setCursor(Qt.CursorShape.BlankCursor), POINTER_MS)
        self.resize(FIRST_SIZE)

    def show_view(self, view: PlayersView, theme: Theme, pictures: Mapping[bytes, QtGui.QImage] = NO_PICTURES) -> None:
        """Show another view."""
        self._view, self._theme, self._pictures = view, theme, pictures
        self.update()

    def open_on(self, screen: QtGui.QScreen | None) -> None:
        """Fill a screen, or open as an ordinary window if `screen` is None."""
        if screen is None:
            self.fill_screen(fills=False)
            return
        self.setScreen(screen)
        self.setGeometry(screen.geometry())  # setting the screen alone isn't enough on some systems
        if (handle := self.windowHandle()) is not None:
            handle.setScreen(screen)
        self.fill_screen(fills=True)

    def fill_screen(self, *, fills: bool) -> None:
        """Fill the current screen, or return to an ordinary window. This doesn't request the focus."""
        # `showFullScreen` would request the focus.
        self.setWindowState(Qt.WindowState.WindowFullScreen if fills else Qt.WindowState.WindowNoState)
        self.show()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        paint_view(painter, QRectF(self.rect()), self._view, self._theme, self._pictures)
        painter.end()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        self.unsetCursor()
        self._pointer.start()

    def closeEvent(self, event: QtGui.QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


def screen_id(screen: QtGui.QScreen) -> str:
    """Return the id of a screen: maker, model, serial number and size."""
    size = screen.size()
    model = " ".join(filter(None, (screen.manufacturer(), screen.model(), screen.serialNumber())))
    return f"{model or screen.name()} {size.width()}x{size.height()}"


def screen_name(screen: QtGui.QScreen) -> str:
    """Return the display name of a screen: its model and size."""
    size = screen.size()
    name = screen.model() or screen.name()
    return f"{name}, {size.width()} × {size.height()}"


def other_screens(own: QtGui.QScreen | None) -> list[QtGui.QScreen]:
    """Return all screens except the one that shows the game master's window."""
    return [screen for screen in QtGui.QGuiApplication.screens() if screen is not own]


def chosen_screen(id: str, own: QtGui.QScreen | None) -> QtGui.QScreen | None:
    """Return the previously chosen screen, or else the first other screen, or None if there is no other."""
    others = other_screens(own)
    return next((screen for screen in others if screen_id(screen) == id), others[0] if others else None)
