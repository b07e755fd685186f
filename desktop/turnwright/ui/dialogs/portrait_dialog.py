"""The dialog that crops an image to a square portrait by mouse or keyboard."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from turnwright.ui.look.style import current_theme, scaled, tr
from turnwright.ui.services.portraits import middle_square
from turnwright.ui.widgets.dialog import StandardDialog

VIEW: Final = 360  # the view's longer side in pixels at 100 %
LEAST: Final = 16.0  # smallest width of a portrait, in pixels of the picture
STEP: Final = 0.05  # share of the square's side per key press or wheel step
ARROWS: Final = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


class PortraitDialog(StandardDialog):
    """Shows an image with a crop square. Emits `chosen(square)`, in pixels of the image, when accepted."""

    chosen = Signal(QRectF)

    def __init__(self, name: str, picture: QImage, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.portrait.title", name=name), parent, tr("ui.portrait.lead"))
        self.view = CropView(picture)
        self.column.addWidget(self.view, 0, Qt.AlignmentFlag.AlignCenter)
        self.add_answer(tr("ui.portrait.take"), self.accept)
        self.view.setFocus()
        self.accepted.connect(lambda: self.chosen.emit(self.view.square))


class CropView(QWidget):
    """A reduced image with a crop square. Drag it or use the arrow keys to move it, and the wheel to resize it."""

    def __init__(self, picture: QImage) -> None:
        super().__init__()
        self._picture = picture
        self.square = middle_square(picture.size())
        room = QSizeF(picture.size()).scaled(scaled(VIEW), scaled(VIEW), Qt.AspectRatioMode.KeepAspectRatio)
        self.setFixedSize(room.toSize().expandedTo(self.minimumSize()))
        self._ratio = max(0.001, self.width() / max(1, picture.width()))
        self._small = picture.scaled(
            self.size() * self.devicePixelRatioF(),
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        self._grip: QPointF | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.SizeAllCursor)
        self.setAccessibleName(tr("ui.portrait.view"))

    def move_by(self, across: float, down: float) -> None:
        """Move the square by pixels of the image, but not beyond its edges."""
        self._set(self.square.translated(across, down))

    def resize_by(self, share: float) -> None:
        """Enlarge the square around its centre by a fraction of its side length (negative: shrink it)."""
        most = min(self._picture.width(), self._picture.height())
        side = min(float(most), max(min(LEAST, float(most)), self.square.width() * (1 + share)))
        middle = self.square.center()
        self._set(QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side))

    def _set(self, square: QRectF) -> None:
        left = min(max(0.0, square.left()), self._picture.width() - square.width())
        square.moveTo(left, min(max(0.0, square.top()), self._picture.height() - square.height()))
        self.square = square
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawImage(self.rect(), self._small)
        box = QRectF(self.square.topLeft() * self._ratio, self.square.size() * self._ratio)
        veil, circle = QPainterPath(), QPainterPath()
        veil.addRect(QRectF(self.rect()))
        circle.addEllipse(box)
        painter.fillPath(veil.subtracted(circle), QColor(0, 0, 0, 140))
        ring = current_theme().colour("focus") if self.hasFocus() else QColor(Qt.GlobalColor.white)
        for colour, width in ((QColor(0, 0, 0, 160), 4), (ring, 2)):
            painter.setPen(QPen(colour, scaled(width)))
            painter.drawEllipse(box)
        painter.setPen(QPen(QColor(255, 255, 255, 170), 1, Qt.PenStyle.DashLine))
        painter.drawRect(box)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position() / self._ratio
        if not self.square.contains(point):
            self.move_by(point.x() - self.square.center().x(), point.y() - self.square.center().y())
        self._grip = point

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            point = event.position() / self._ratio
            self.move_by(point.x() - self._grip.x(), point.y() - self._grip.y())
            self._grip = point

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        if turned := event.angleDelta().y():
            self.resize_by(-STEP if turned > 0 else STEP)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (arrow := ARROWS.get(Qt.Key(event.key()))) is not None:
            step = max(1.0, self.square.width() * STEP)
            self.move_by(arrow[0] * step, arrow[1] * step)
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.resize_by(STEP)
        elif event.key() == Qt.Key.Key_Minus:
            self.resize_by(-STEP)
        else:
            event.ignore()
