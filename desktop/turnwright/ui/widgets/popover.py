"""A framed card that floats over the window until the user clicks elsewhere or presses Esc or Enter."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from turnwright.ui.look.fonts import scaled
from turnwright.ui.widgets.layout import vertical
from turnwright.ui.widgets.text import plain_label

WIDTH = 280


class Popover(QFrame):
    """A floating card with a title. Its contents go into `column`."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("floating", True)
        self.setAccessibleName(title)
        self.column = vertical(self, margins=(12, 10, 12, 12))
        self.column.addWidget(plain_label(title, "strong"))
        self.setFixedWidth(scaled(WIDTH))

    def open_at(self, place: QPoint) -> None:
        """Open the card below a point of the screen, and move it if necessary to keep it on the screen."""
        self.adjustSize()
        screen = QGuiApplication.screenAt(place) or self.screen()
        room, size = screen.availableGeometry(), self.sizeHint().expandedTo(QSize(scaled(WIDTH), 0))
        x = max(room.left(), min(place.x() + scaled(8), room.right() - size.width()))
        y = max(room.top(), min(place.y() + scaled(8), room.bottom() - size.height()))
        self.move(x, y)
        self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        else:
            super().keyPressEvent(event)
