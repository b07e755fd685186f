"""A countdown pool as the table knows it: dice with pips in a row, those that leave fading and falling out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEasingCurve, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.fonts import scaled
from turnwright.ui.theme import Theme, current_theme, theme_source
from turnwright.ui.translations import tr
from turnwright.ui.widgets.paint import draw_die

FALL_MS = 200


class DiceRow(QWidget):
    """Dice in a row that wraps. `animationFinished` comes when the dice that leave have gone."""

    animationFinished = Signal()

    def __init__(self, tone: str = "world", size: int = 24, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = tone
        self._size = size
        self._faces: tuple[int | None, ...] = ()
        self._leaving: frozenset[int] = frozenset()
        self._doubtful: frozenset[int] = frozenset()
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
        """Show these faces (None: not rolled); the dice at the indexes in `leaving` fall out and are gone."""
        self._fall.stop()
        self._faces = tuple(faces)
        self._leaving = frozenset(leaving)
        self._doubtful = frozenset()
        self._fallen = 0.0
        if self._leaving and not theme_source().reduced_motion:
            self._fall.start()
        elif self._leaving:
            self._settle()
        self._tell()
        self.updateGeometry()
        self.update()

    def set_doubtful(self, indexes: Iterable[int]) -> None:
        """Let the dice at these indexes glow: nobody knows yet whether they stay."""
        self._doubtful = frozenset(indexes)
        self._tell()
        self.update()

    def faces(self) -> tuple[int | None, ...]:
        """Return the faces that stay."""
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
            if index in self._doubtful:
                _glow(painter, rect, theme)
            if index in self._leaving:
                painter.setOpacity(1 - self._fallen)
                rect.translate(0, self._fallen * rect.height() * 0.6)
            draw_die(painter, rect, face, theme, "warn" if index in self._doubtful else self._tone)
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
        if self._doubtful:
            text = f"{text}, {tr('ui.dice.doubtful', n=len(self._doubtful))}"
        self.setAccessibleName(text)
        self.setToolTip(text)

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
        size = scaled(self._size)
        return QRectF(self._margin() + column * self._step(), self._margin() + row * self._step(), size, size)


def _glow(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for spread, strength in ((3.0, 60), (1.5, 130)):
        colour = QColor(theme.warn)
        colour.setAlpha(strength)
        painter.setPen(QPen(colour, 2))
        corner = rect.width() * 0.22 + spread
        painter.drawRoundedRect(rect.adjusted(-spread, -spread, spread, spread), corner, corner)
    painter.restore()
