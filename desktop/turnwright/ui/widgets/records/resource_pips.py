"""The resources of a turn and the hit points of a combatant.

The resources of a turn as pips: filled if available, hollow if spent. Holding Alt shows the key of each resource.

Hit points at a glance: a slim bar, the numbers, temporary hit points as a cap, and the state (bloodied or down).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6 import QtGui
from PySide6.QtCore import QEvent, QLineF, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.style import current_theme, number_text, role_font, role_metrics, scaled, set_role, tr
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.paint import HitPoints, draw_diamond, draw_focus, draw_hit_point_bar, draw_pip, hit_points
from turnwright.ui.widgets.text import name_and_tip

DIAMOND = 20


class ResourcePip(msgspec.Struct, frozen=True):
    """A resource, of which `left` out of `maximum` are available. Alt and the character `key` spend or restore it.

    `is_counted`: show numbers (`4 / 6`) instead of many pips. `is_diamond`: draw larger diamonds. `words` replace the
    label next to the pips.
    """

    id: str
    label: str
    left: int = 1
    maximum: int = 1
    key: str = ""
    tone: str = "accent"
    is_counted: bool = False
    is_diamond: bool = False
    words: str = ""


class AltWatcher(QObject):
    """Watches whether Alt is held in a window, which is its parent."""

    altHeld = Signal(bool)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QtGui.QKeyEvent) and event.key() == Qt.Key.Key_Alt and not event.isAutoRepeat():
            self.altHeld.emit(event.type() != QEvent.Type.KeyRelease)
        elif event.type() == QEvent.Type.WindowDeactivate:
            self.altHeld.emit(False)
        return False


class ResourcePips(FlowRow):
    """The resources of one combatant.

    Emits `changeRequested(id, left)` when the user requests another number. It doesn't change the resource itself.
    """

    changeRequested = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._groups: dict[str, PipGroup] = {}
        self._watched: QWidget | None = None

    def set_pips(self, pips: Sequence[ResourcePip]) -> None:
        """Set the resources in order. A group that already exists keeps the focus."""
        if [pip.id for pip in pips] != list(self._groups):
            self.clear()
            self._groups = {pip.id: PipGroup(pip, self) for pip in pips}
            for group in self._groups.values():
                group.changeRequested.connect(self.changeRequested)
                self.add(group)
        for pip in pips:
            self._groups[pip.id].set_pip(pip)

    def group(self, id: str) -> PipGroup:
        """Return the pip group of a resource."""
        return self._groups[id]

    def focused(self) -> str:
        """Return the id of the focused resource, or an empty string if none has the focus."""
        return next((id for id, group in self._groups.items() if group.hasFocus()), "")

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self._watch(self.window())
        return super().event(event)

    def _watch(self, window: QWidget) -> None:
        if self._watched is window:
            return
        self._watched = window
        (window.findChild(AltWatcher) or AltWatcher(window)).altHeld.connect(self._show_keys)

    def _show_keys(self, shown: bool) -> None:
        for group in self._groups.values():
            group.show_key(shown)


class PipGroup(QWidget):
    """One resource: its pips and, if there is room, its label. Space spends or restores it, as do - and +."""

    changeRequested = Signal(str, int)

    def __init__(self, pip: ResourcePip, parent: QWidget) -> None:
        super().__init__(parent)
        self._pip = pip
        self.key_is_shown = False
        set_role(self, "body")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click, arrow keys belong to the turn order
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if pip.key:
            QtGui.QShortcut(QtGui.QKeySequence(f"Alt+{pip.key}"), self).activated.connect(self.toggle)
        self.set_pip(pip)

    def set_pip(self, pip: ResourcePip) -> None:
        """Set the state of the resource."""
        self._pip = pip
        name_and_tip(self, tr("ui.pips.state", label=pip.label, left=pip.left, of=pip.maximum))
        self.updateGeometry()
        self.update()

    def show_key(self, shown: bool) -> None:
        """Show or hide the key over the pips."""
        self.key_is_shown = shown and bool(self._pip.key)
        self.update()

    def toggle(self) -> None:
        """Request one less, or the maximum if all are spent."""
        self._ask(self._pip.left - 1 if self._pip.left > 0 else self._pip.maximum)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        width = self._pips_width() + scaled(8) + scaled(6) + metrics.horizontalAdvance(self.words())
        return QSize(width, max(metrics.height(), self._diameter()) + scaled(8))

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        which = int((event.position().x() - scaled(4)) // self._step())
        is_spent = max(0, self._pip.left) <= which < self._pip.maximum
        if is_spent and not self._pip.is_counted and self._pip.maximum > 1:
            self._ask(self._pip.left + 1)
        else:
            self.toggle()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.toggle()
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Up):
            self._ask(self._pip.left + 1)
        elif event.key() in (Qt.Key.Key_Minus, Qt.Key.Key_Down):
            self._ask(self._pip.left - 1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        theme = current_theme()
        middle = self.height() / 2
        radius = self._diameter() / 2
        if self._pip.is_counted:
            self._paint_figures(painter)
        for index in range(0 if self._pip.is_counted else self._pip.maximum):
            centre = QPointF(scaled(4) + index * self._step() + radius, middle)
            draw = draw_diamond if self._pip.is_diamond else draw_pip
            draw(painter, centre, radius, theme, self._pip.tone, filled=index < self._pip.left)
        painter.setPen(theme.colour("text" if self._pip.left else "muted"))
        left = scaled(4) + self._pips_width() + scaled(6)
        place = QRectF(left, 0, self.width() - left, self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self.words())
        if self.key_is_shown:
            self._paint_key(painter)
        if self.hasFocus():
            draw_focus(painter, QRectF(self.rect()), 6)
        painter.end()

    def words(self) -> str:
        """Return the text next to the pips."""
        return self._pip.words or self._pip.label

    def is_counted(self) -> bool:
        """Whether numbers are shown instead of pips."""
        return self._pip.is_counted

    def text(self) -> str:
        """Return the resource as numbers: available and maximum."""
        return f"{self._pip.left} / {self._pip.maximum}"

    def _paint_figures(self, painter: QtGui.QPainter) -> None:
        box = QRectF(scaled(4), 0, self._pips_width(), self.height())
        with QtGui.QPainterStateGuard(painter):
            painter.setFont(role_font("strong"))
            painter.setPen(current_theme().colour(self._pip.tone if self._pip.left else "muted"))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, self.text())

    def _paint_key(self, painter: QtGui.QPainter) -> None:
        theme = current_theme()
        size = scaled(16)
        box = QRectF(scaled(4) + self._diameter() / 2 - size / 2, (self.height() - size) / 2, size, size)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(QtGui.QPen(theme.colour("text"), 1))
        painter.setBrush(theme.colour("raised"))
        painter.drawRoundedRect(box, 3, 3)
        painter.setFont(role_font("caption"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._pip.key.upper())

    def _ask(self, left: int) -> None:
        if (number := min(self._pip.maximum, max(0, left))) != self._pip.left:
            self.changeRequested.emit(self._pip.id, number)

    def _diameter(self) -> int:
        return scaled(DIAMOND if self._pip.is_diamond else 12)

    def _step(self) -> int:
        return self._diameter() + scaled(3)

    def _pips_width(self) -> int:
        if self._pip.is_counted:
            return role_metrics("strong").horizontalAdvance(self.text())
        return self._step() * self._pip.maximum - scaled(3)


STATE_ICONS = (("bloodied", "heart-broken"), ("down", "skull"))


class HitPointBar(QWidget):
    """A bar followed by `12 / 21`, and by the state's icon and name."""

    def __init__(self, parent: QWidget | None = None, *, role: str = "body") -> None:
        super().__init__(parent)
        self._role = role
        self._points = HitPoints(0, 0)
        self._counts_damage = self._is_changed = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_hit_points(0, 0, state="")

    def set_hit_points(
        self, hp: int, most: int, temp: int = 0, state: str | None = None, *, counts_damage: bool = False, base: int = 0
    ) -> None:
        """Set the hit points. `state` is `""`, `bloodied` or `down`; if it is None, it is derived from the hit points.

        `counts_damage`: show the damage taken instead of the hit points left. `base` is the maximum without effects, or
        0 if none changes it.
        """
        self._counts_damage, self._is_changed = counts_damage, base > 0
        self._points = hit_points(hp, most, temp, state)
        described = describe_hit_points(self._points, counts_damage=counts_damage)
        name_and_tip(self, tr("ui.hp.with-base", points=described, n=base) if base else described)
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
        height = max(role_metrics(self._role).height(), scaled(16)) + scaled(4)
        return QSize(scaled(40) + self._text_width() - self._word_width(), height)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
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
        width = QtGui.QFontMetrics(font).horizontalAdvance(self.text())
        painter.drawText(QRectF(left, 0, width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, self.text())
        if self._is_changed:
            painter.setPen(QtGui.QPen(theme.colour("text"), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QLineF(left, self.height() - 1, left + width, self.height() - 1))
        if self._points.state:
            self._paint_state(painter, left + width + scaled(8), has_word=has_word)
        if self.hasFocus():
            draw_focus(painter, QRectF(self.rect()))
        painter.end()

    def _paint_state(self, painter: QtGui.QPainter, left: float, *, has_word: bool) -> None:
        harm = current_theme().colour("harm")
        size = scaled(16)
        name = dict(STATE_ICONS)[self._points.state]
        draw_icon(painter, name, QRectF(left, (self.height() - size) / 2, size, size), harm)
        if has_word:
            painter.setFont(role_font("caption"))
            painter.setPen(harm)
            box = QRectF(left + size + scaled(4), 0, self.width() - left - size, self.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, tr(f"ui.hp.{self._points.state}"))

    def _text_width(self) -> int:
        width = scaled(8) + role_metrics(self._role).horizontalAdvance(self.text()) + 2
        if self._points.state:
            width += scaled(28) + self._word_width()
        return width

    def _word_width(self) -> int:
        """Return the width of the state's name, which is omitted if there is too little room."""
        if not self._points.state:
            return 0
        return role_metrics("caption").horizontalAdvance(tr(f"ui.hp.{self._points.state}")) + 2


def describe_hit_points(points: HitPoints, *, counts_damage: bool = False) -> str:
    """Return hit points as text for screen readers and tooltips."""
    taken = tr("ui.hp.taken-of", n=points.taken, maximum=points.maximum)
    parts = [taken if counts_damage else tr("ui.hp.points", now=number_text(points.now), maximum=points.maximum)]
    if points.temporary > 0:
        parts.append(tr("ui.hp.temporary", n=points.temporary))
    if points.state:
        parts.append(tr(f"ui.hp.{points.state}"))
    return ", ".join(parts)
