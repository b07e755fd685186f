"""A small preview of the players' screen, painted by the same code as the players' window."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.players.view import PlayersView
from turnwright.ui.docks.players.screen import PlayersScreen
from turnwright.ui.look.style import current_theme, scaled, tr
from turnwright.ui.players.map_page import on_page
from turnwright.ui.players.window import paint_view

ACROSS, DOWN = 16, 9
WHEEL_ZOOM = 1.25
LEAST_WIDTH, MOST_WIDTH = 200, 480


class Thumbnail(QWidget):
    """A 16:9 preview of the players' screen. Dragging moves the map, and the mouse wheel zooms it.

    `shown` returns the view to paint, and `name` is the end of the word key of the preview's name.
    """

    def __init__(self, players: PlayersScreen, name: str, shown: Callable[[], PlayersView]) -> None:
        super().__init__()
        self._players = players
        self.shown = shown
        self._grip = QPointF()
        self.setAccessibleName(tr(f"ui.players.{name}"))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumWidth(scaled(LEAST_WIDTH))
        self.setMaximumWidth(scaled(MOST_WIDTH))
        players.viewChanged.connect(self.update)

    def sizeHint(self) -> QSize:
        width = scaled(MOST_WIDTH)
        return QSize(width, self.heightForWidth(width))

    def heightForWidth(self, width: int) -> int:
        return width * DOWN // ACROSS

    # Moving and zooming the map --------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grip = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the map on the players' screen with the pointer."""
        if (players_map := self._players.view.map) is not None and event.buttons() & Qt.MouseButton.LeftButton:
            to_squares, _ = on_page(players_map, QRectF(self.rect())).inverted()
            moved = to_squares.map(self._grip) - to_squares.map(event.position())
            self._grip = event.position()
            self._players.move_map(moved.x(), moved.y())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom the map on the players' screen."""
        turned = event.angleDelta().y()
        if self._players.map_part() is None or not turned:
            event.ignore()
            return
        self._players.zoom_map(WHEEL_ZOOM if turned > 0 else 1 / WHEEL_ZOOM)
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        players = self._players
        with QPainter(self) as painter:
            paint_view(painter, QRectF(self.rect()), self.shown(), players.theme, players.pictures)
            painter.setPen(current_theme().colour("edge"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
