"""Hit points at a glance: a slim bar, the numbers, temporary hit points as a cap, and the state (bloodied or down)."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.style import current_theme, escaped_tooltip, number_text, role_font, scaled, tr
from turnwright.ui.widgets.paint import HitPoints, draw_focus, draw_hit_point_bar, hit_points

STATE_ICONS = (("bloodied", "heart-broken"), ("down", "skull"))
_WIDEST = "000 / 000"


class HitPointBar(QWidget):
    """A bar followed by `12 / 21`. If `compact`, for aligned rows, it shows the state's icon without its name."""

    def __init__(self, parent: QWidget | None = None, *, compact: bool = False, role: str = "body") -> None:
        super().__init__(parent)
        self._role = role
        self._compact = compact
        self._points = HitPoints(0, 0)
        self._counts_damage = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_hit_points(0, 0, state="")

    def set_hit_points(
        self, now: int, maximum: int, temporary: int = 0, state: str | None = None, *, counts_damage: bool = False
    ) -> None:
        """Set the hit points. `state` is `""`, `bloodied` or `down`; if it is None, it is derived from the hit points.

        `counts_damage`: show the damage taken instead of the hit points left.
        """
        self._counts_damage = counts_damage
        self._points = hit_points(now, maximum, temporary, state)
        self.setAccessibleName(describe_hit_points(self._points, counts_damage=counts_damage))
        self.setToolTip(escaped_tooltip(self.accessibleName()))
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        """Return the numbers as drawn: `12 / 21`, and `+5` for temporary hit points."""
        cap = f" +{self._points.temporary}" if self._points.temporary > 0 else ""
        if self._counts_damage:
            return f"{tr('ui.hp.taken', n=self._points.taken)} / {self._points.maximum}{cap}"
        return f"{number_text(self._points.now)} / {self._points.maximum}{cap}"

    def sizeHint(self) -> QSize:
        return QSize(scaled(96 if self._role == "body" else 72) + self._text_width(), self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        height = max(QFontMetrics(role_font(self._role)).height(), scaled(16)) + scaled(4)
        return QSize(scaled(40) + self._text_width() - self._word_width(), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = current_theme()
        height = scaled(8 if self._role == "body" else 12)
        room = self.width() - self._text_width()
        has_word = room >= scaled(40)
        bar = QRectF(0, (self.height() - height) / 2, room + (0 if has_word else self._word_width()), height)
        draw_hit_point_bar(painter, bar, self._points, theme)
        font = role_font(self._role)
        painter.setFont(font)
        left = bar.right() + scaled(8)
        painter.setPen(theme.colour("text"))
        width = QFontMetrics(font).horizontalAdvance(self.text())
        painter.drawText(QRectF(left, 0, width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, self.text())
        if self._points.state:
            self._paint_state(painter, left + width + scaled(8), has_word=has_word)
        if self.hasFocus():
            draw_focus(painter, QRectF(self.rect()))
        painter.end()

    def _paint_state(self, painter: QPainter, left: float, *, has_word: bool) -> None:
        harm = current_theme().colour("harm")
        size = scaled(16)
        name = dict(STATE_ICONS)[self._points.state]
        draw_icon(painter, name, QRectF(left, (self.height() - size) / 2, size, size), harm)
        if has_word and not self._compact:
            painter.setFont(role_font("caption"))
            painter.setPen(harm)
            box = QRectF(left + size + scaled(4), 0, self.width() - left - size, self.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, tr(f"ui.hp.{self._points.state}"))

    def _text_width(self) -> int:
        metrics = QFontMetrics(role_font(self._role))
        if self._compact:
            return scaled(8) + max(map(metrics.horizontalAdvance, (_WIDEST, self.text()))) + scaled(24) + 2
        width = scaled(8) + metrics.horizontalAdvance(self.text()) + 2
        if self._points.state:
            width += scaled(28) + self._word_width()
        return width

    def _word_width(self) -> int:
        """Return the width of the state's name, which is omitted if there is too little room."""
        if self._compact or not self._points.state:
            return 0
        return QFontMetrics(role_font("caption")).horizontalAdvance(tr(f"ui.hp.{self._points.state}")) + 2


def describe_hit_points(points: HitPoints, *, counts_damage: bool = False) -> str:
    """Return hit points as text for screen readers and tooltips."""
    taken = tr("ui.hp.taken-of", n=points.taken, maximum=points.maximum)
    parts = [taken if counts_damage else tr("ui.hp.points", now=number_text(points.now), maximum=points.maximum)]
    if points.temporary > 0:
        parts.append(tr("ui.hp.temporary", n=points.temporary))
    if points.state:
        parts.append(tr(f"ui.hp.{points.state}"))
    return ", ".join(parts)
