"""The world's row at the top of the turn order, and its countdown dice.

The world's row at the top of the turn order: world actions with their status, and countdowns as dice.

Removed dice fade and fall out of their row.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QEasingCurve, QPoint, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.style import current_theme, escaped_tooltip, scaled, theme_source, tr
from turnwright.ui.widgets.layout import STRETCH, ElidedLabel, fill, horizontal, vertical
from turnwright.ui.widgets.paint import draw_die, draw_focus
from turnwright.ui.widgets.text import IconLabel, discard, name_and_tip, plain_label

FALL_MS = 200


class DiceRow(QWidget):
    """A row of dice that wraps. Emits `animationFinished` when the removed dice have disappeared."""

    animationFinished = Signal()

    def __init__(self, tone: str = "world", size: int = 24) -> None:
        super().__init__()
        self._tone = tone
        self._size = size
        self._faces: tuple[int | None, ...] = ()
        self._leaving: frozenset[int] = frozenset()
        self._fallen = 0.0
        self._fall = QVariantAnimation(self, duration=FALL_MS, startValue=0.0, endValue=1.0)
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
        count, rest = max(1, len(self._faces)), self._margin() * 2 - self._gap()
        return QSize(count * self._step() + rest, self._step() + rest)

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(self._size) + self._margin() * 2, scaled(self._size) + self._margin() * 2)

    def heightForWidth(self, width: int) -> int:
        rows = -(-max(1, len(self._faces)) // self._columns(width))
        return rows * self._step() - self._gap() + self._margin() * 2

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            for index, face in enumerate(self._faces):
                rect = self._place(index)
                if index in self._leaving:
                    painter.setOpacity(1 - self._fallen)
                    rect.translate(0, self._fallen * rect.height() * 0.6)
                draw_die(painter, rect, face, current_theme(), self._tone)
                painter.setOpacity(1)

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
        name_and_tip(self, text)

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


MAX_DICE_IN_LINE = 5
LINE_HEIGHT = 24

Line = TypeVar("Line", bound="WorldLine")


@dataclass(frozen=True)
class WorldAction:
    """A world action. `status` is a sign followed by a text (`◆ ready`, `◇ 5–6`)."""

    id: str
    name: str
    status: str
    ready: bool = True
    tip: str = ""


@dataclass(frozen=True)
class WorldPool:
    """A countdown. `faces` are its dice (None: not rolled), and `dropped_faces` the dice removed by the latest roll.

    If there is a `status`, the countdown is waiting, and the status is shown instead of the dice.
    """

    id: str
    name: str
    faces: tuple[int | None, ...] = ()
    dropped_faces: tuple[int, ...] = ()
    rolls: int = 0
    status: str = ""
    tip: str = ""


class WorldLine(QWidget):
    """A line of the world panel. Enter or a double-click chooses it; the menu key or a right-click opens its menu."""

    chosen = Signal()
    menuRequested = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, focusPolicy=Qt.FocusPolicy.StrongFocus)
        self.name = ElidedLabel(role="body", smaller="caption")
        self.status = plain_label("", "caption", "world")
        self.row = fill(horizontal(), (self.name, 1), self.status)
        self.column = fill(vertical(self, spacing=0, margins=(12, 0, 10, 0)), self.row)
        self.setMinimumHeight(scaled(LINE_HEIGHT))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setFocus()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menuRequested.emit(event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus():
            with QPainter(self) as painter:
                draw_focus(painter, QRectF(self.rect()).adjusted(scaled(5) - 1, 0, 1 - scaled(3), 0), scaled(4))


class ActionLine(WorldLine):
    """A world action and its status."""

    def show_action(self, action: WorldAction) -> None:
        """Show an action."""
        self.name.setText(action.name)
        self.status.setText(action.status)
        self.setAccessibleName(f"{action.name}: {action.status}")
        self.setToolTip(escaped_tooltip(action.tip))


class PoolLine(WorldLine):
    """A countdown: its name, with the dice next to it or, if there are many, below it. Removed dice fall out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dice = DiceRow("world", 20)
        self._below = False
        self._rolls = -1
        self._shown: tuple[int | None, ...] | None = None
        self.row.addWidget(self.dice)

    def show_pool(self, pool: WorldPool) -> None:
        """Show a countdown. Dice removed by a new roll fall out."""
        self.name.setText(pool.name)
        self.status.setText(pool.status)
        self.status.setVisible(bool(pool.status))
        self.dice.setVisible(not pool.status)
        self.setToolTip(escaped_tooltip(pool.tip))
        if (pool.faces, pool.rolls) != (self._shown, self._rolls):
            fresh = self._rolls >= 0 and pool.rolls == self._rolls + 1
            removed = pool.dropped_faces if fresh else ()
            self._lay_out(len(pool.faces) + len(removed))
            self.dice.set_dice((*pool.faces, *removed), range(len(pool.faces), len(pool.faces) + len(removed)))
            self._shown, self._rolls = pool.faces, pool.rolls
        self.setAccessibleName(", ".join(part for part in (pool.name, pool.status, self.dice.accessibleName()) if part))

    def _lay_out(self, count: int) -> None:
        below = count > MAX_DICE_IN_LINE
        if below != self._below:
            self._below = below
            (self.row if below else self.column).removeWidget(self.dice)
            (self.column if below else self.row).addWidget(self.dice)


class WorldPanel(QWidget):
    """The world: a heading, the world actions and the countdowns.

    Emits `actionTriggered(id)` when the user chooses an action, and `menuRequested(kind, id, place)` to open a menu.
    """

    actionTriggered = Signal(str)
    menuRequested = Signal(str, str, QPoint)

    def __init__(self) -> None:
        super().__init__()
        self._active = False
        self._actions: dict[str, ActionLine] = {}
        self._pools: dict[str, PoolLine] = {}
        title, self._now = plain_label(tr("ui.turn-order.world"), "body", "world"), plain_label("", "caption", "world")
        title.setProperty("heavy", True)
        head = fill(horizontal(margins=(8, 0, 10, 0)), IconLabel("earth", "world"), title, STRETCH, self._now)
        self._column = fill(vertical(self, spacing=0, margins=(4, 8, 4, 6)), head)

    def show_world(self, actions: Sequence[WorldAction], pools: Sequence[WorldPool], *, active: bool) -> None:
        """Show the world. `active`: it is the world's turn."""
        self._active = active
        self._now.setText(tr("ui.turn-order.world-now" if active else "ui.turn-order.world-first"))
        self._keep(self._actions, [action.id for action in actions], self._new_action)
        self._keep(self._pools, [pool.id for pool in pools], self._new_pool)
        for action in actions:
            self._actions[action.id].show_action(action)
        for pool in pools:
            self._pools[pool.id].show_pool(pool)
        self.updateGeometry()
        self.update()

    def action(self, id: str) -> ActionLine:
        """Return the line of an action."""
        return self._actions[id]

    def pool(self, id: str) -> PoolLine:
        """Return the line of a countdown."""
        return self._pools[id]

    def focused(self) -> tuple[str, str]:
        """Return the kind (`action` or `pool`) and id of the focused line, or empty strings if none has the focus."""
        kinds = (("action", self._actions), ("pool", self._pools))
        return next(((kind, id) for kind, lines in kinds for id, line in lines.items() if line.hasFocus()), ("", ""))

    def sizeHint(self) -> QSize:
        return QSize(scaled(240), super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        mark = QRectF(scaled(2), scaled(9), scaled(18), scaled(18))
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.colour("world_soft"))
            painter.fillRect(0, 0, scaled(4), self.height(), theme.colour("world"))
            if self._active:
                draw_icon(painter, "menu-right", mark, theme.colour("world"))

    def _keep(self, lines: dict[str, Line], wanted: list[str], make: Callable[[str], Line]) -> None:
        if list(lines) == wanted:
            return
        for line in lines.values():
            self._column.removeWidget(line)
        for id in [id for id in lines if id not in wanted]:
            discard(lines.pop(id))
        new_lines = {id: lines.get(id) or make(id) for id in wanted}
        lines.clear()
        lines.update(new_lines)
        for shown in (*self._actions.values(), *self._pools.values()):
            self._column.removeWidget(shown)
            self._column.addWidget(shown)
            shown.show()  # must be visible to be included in the size hint

    def _new_action(self, id: str) -> ActionLine:
        line = ActionLine(self)
        line.chosen.connect(lambda: self.actionTriggered.emit(id))
        line.menuRequested.connect(lambda place: self.menuRequested.emit("action", id, place))
        return line

    def _new_pool(self, id: str) -> PoolLine:
        line = PoolLine(self)
        line.chosen.connect(lambda: line.menuRequested.emit(line.mapToGlobal(QPoint(scaled(12), line.height()))))
        line.menuRequested.connect(lambda place: self.menuRequested.emit("pool", id, place))
        return line
