"""A row of countdown dice. Removed dice fade and fall out of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEasingCurve, QRectF, QSize, QVariantAnimation, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.theme import current_theme, theme_source
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.paint import draw_die

FALL_MS = 200


class DiceRow(QWidget):
    """A row of dice that wraps. Emits `animationFinished` when the removed dice have disappeared."""

    animationFinished = Signal()

    def __init__(self, tone: str = "world", size: int = 24, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = tone
        self._size = size
        self._faces: tuple[int | None, ...] = ()
        self._leaving: frozenset[int] = frozenset()
        self._fallen = 0.0
        self._fall = QVariantAnimation(self)
        self._fall.setDuration(FALL_MS)
        self._fall.setStartValue(0.0)
        self._fall.setEndValue(1.0)
        self._fall.setEasingCurve(QEasingCurve.Type.InQuad)
        self._fall.valueChanged.connect(self._sink)
        self._fall.finished.connect(self._settle)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._tell()

    def set_dice(self, faces: Sequence[int | None], leaving: Iterable[int] = ()) -> None:
        """Show dice with these faces (None: not rolled). Dice with an index in `leaving` fall out of the row."""
        self._fall.stop()
        self._faces = tuple(faces)
        self._leaving = frozenset(leaving)
        self._fallen = 0.0
        if self._leaving and not theme_source().reduced_motion:
            self._fall.start()
        elif self._leaving:
            self._settle()
        self._tell()
        self.updateGeometry()
        self.update()

    def faces(self) -> tuple[int | None, ...]:
        """Return the faces of the remaining dice."""
        return tuple(face for index, face in enumerate(self._faces) if index not in self._leaving)

    def sizeHint(self) -> QSize:
        count = max(1, len(self._faces))
        return QSize(
            count * self._step() + self._margin() * 2 - self._gap(), self._step() - self._gap() + self._margin() * 2
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(self._size) + self._margin() * 2, scaled(self._size) + self._margin() * 2)

    def heightForWidth(self, width: int) -> int:
        rows = -(-max(1, len(self._faces)) // self._columns(width))
        return rows * self._step() - self._gap() + self._margin() * 2

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = current_theme()
        for index, face in enumerate(self._faces):
            rect = self._place(index)
            if index in self._leaving:
                painter.setOpacity(1 - self._fallen)
                rect.translate(0, self._fallen * rect.height() * 0.6)
            draw_die(painter, rect, face, theme, self._tone)
            painter.setOpacity(1)
        painter.end()

    def _sink(self, value: float) -> None:
        self._fallen = float(value)
        self.update()

    def _settle(self) -> None:
        self._faces = self.faces()
        self._leaving = frozenset()
        self.updateGeometry()
        self.update()
        self.animationFinished.emit()

    def _tell(self) -> None:
        faces = self.faces()
        if not faces:
            text = tr("ui.dice.none")
        elif None in faces:
            text = tr("ui.dice.unrolled", n=len(faces))
        else:
            text = tr("ui.dice.faces", n=len(faces), faces=" ".join(str(face) for face in faces))
        self.setAccessibleName(text)
        self.setToolTip(escaped_tooltip(text))

    def _gap(self) -> int:
        return scaled(6)

    def _margin(self) -> int:
        return scaled(3)

    def _step(self) -> int:
        return scaled(self._size) + self._gap()

    def _columns(self, width: int) -> int:
        return max(1, (width - self._margin() * 2 + self._gap()) // self._step())

    def _place(self, index: int) -> QRectF:
        row, column = divmod(index, self._columns(self.width()))
        size, top = scaled(self._size), max(0, self.height() - self.heightForWidth(self.width())) // 2 + self._margin()
        return QRectF(self._margin() + column * self._step(), top + row * self._step(), size, size)
