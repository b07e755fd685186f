"""Why-labels: totals with a dotted underline that open a card with an explanation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.look.fonts import scaled, set_role
from turnwright.ui.look.theme import current_theme
from turnwright.ui.look.translations import tr
from turnwright.ui.services.timers import single_shot_timer
from turnwright.ui.widgets.rules.explanation import (
    Explanation,
    accessible_text,
)
from turnwright.ui.widgets.rules.why_popup import WhyPopup

if TYPE_CHECKING:
    from turnwright.ui.widgets.rules.why_card import WhyCard

HOVER_MS = 350


class WhyLabel(QWidget):
    """A total with a dotted underline. Hovering, `?` or Space opens the card, Esc closes it, and Enter opens a rule."""

    def __init__(self, text: str = "", role: str = "body", tone: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._tone = tone
        self._why: Callable[[], Explanation] | None = None
        self._popup = WhyPopup(self, (Qt.Key.Key_Question, Qt.Key.Key_Space))
        set_role(self, role)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._entered = False
        self.setMouseTracking(True)
        self._hover = single_shot_timer(self, lambda: self.open_card(hovered=not self.hasFocus()), HOVER_MS)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Set the total."""
        self._text = text
        self._name()
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        """Return the total as shown."""
        return self._text

    def set_why(self, why: Explanation | Callable[[], Explanation] | None) -> None:
        """Set the explanation of the total, or a function that returns it when needed."""
        self._why = (lambda: why) if isinstance(why, Explanation) else why
        asks = self._why is not None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if asks else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.WhatsThisCursor if asks else Qt.CursorShape.ArrowCursor)
        self.close_card()
        self._name()
        self.update()

    def open_card(self, *, hovered: bool = False) -> None:
        """Open the card that explains the total."""
        if self._why is None:
            return
        self._hover.stop()
        why = self._why()
        self.setAccessibleDescription(accessible_text(why))
        self._popup.open(why, hovered=hovered)

    def explain(self) -> bool:
        """Open the card. Return False if there is nothing to explain."""
        self.open_card()
        return self._why is not None

    def close_card(self) -> None:
        """Close the card."""
        self._hover.stop()
        self._popup.close()

    def card(self) -> WhyCard | None:
        """Return the open card, or None."""
        return self._popup.card()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._text) + scaled(4), metrics.height() + scaled(3))

    def enterEvent(self, event: QEnterEvent) -> None:
        self._entered = True
        super().enterEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Open the card after a delay, once per visit. Nothing opens if the label appears under a resting pointer."""
        if self._entered and self.card() is None:
            self._hover.start()
        self._entered = False
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover.stop()
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.close_card()
        self.update()
        super().focusOutEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.open_card()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Question, Qt.Key.Key_Space):
            self.open_card()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = current_theme()
        metrics = self.fontMetrics()
        rect = QRectF(scaled(2), 0, self.width() - scaled(2), metrics.height())
        painter.setPen(theme.colour(self._tone or "text"))
        text = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, round(rect.width()))
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        if self._why is not None:
            self._underline(painter, metrics.horizontalAdvance(text))
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.colour("focus"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        painter.end()

    def _underline(self, painter: QPainter, width: int) -> None:
        pen = QPen(
            current_theme().colour("accent"), max(1.5, scaled(1.5)), Qt.PenStyle.DotLine, Qt.PenCapStyle.RoundCap
        )
        pen.setDashPattern([0.1, 2.2])
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen)
        bottom = self.height() - scaled(2)
        painter.drawLine(scaled(2), bottom, scaled(2) + width, bottom)
        painter.restore()

    def _name(self) -> None:
        hint = tr("ui.why.hint") if self._why is not None else ""
        self.setAccessibleName(f"{self._text} {hint}".strip())
