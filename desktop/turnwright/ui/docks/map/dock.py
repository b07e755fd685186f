"""The map dock: the map with its tools above, who has no place yet beside it, and what is selected in words below.

All of it is built when it is first seen, so that a start without a map costs nothing.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QMenu, QStackedWidget, QVBoxLayout, QWidget

from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.map import asking, describe, drawing
from turnwright.ui.docks.map.pencil import SELECT, Pencil, Tool
from turnwright.ui.docks.map.pointer import Doing, Pointer
from turnwright.ui.docks.map.popovers import ObstaclePopover, SizePopover
from turnwright.ui.docks.map.stage import NAME, Stage
from turnwright.ui.docks.map.tokens import Token
from turnwright.ui.docks.map.tools import MapTools
from turnwright.ui.docks.map.tray import Tray
from turnwright.ui.docks.map.view import Spot
from turnwright.ui.fonts import SPACE, px
from turnwright.ui.say import say
from turnwright.ui.theme import ThemeSource
from turnwright.ui.widgets.cards import EmptyState, Rule
from turnwright.ui.widgets.layout import ElidedLabel
from turnwright.ui.widgets.why import WhyPopup

FIRST_COLUMNS, FIRST_ROWS = 20, 15


class MapDock(QDockWidget):
    """The map. What it is made of stands there once the dock has been seen."""

    def __init__(self, bridge: Bridge, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(say("ui.map.title"), parent)
        self.setObjectName(NAME)
        self.setAccessibleName(say("ui.map.title"))
        self._bridge = bridge
        self._theme = theme
        self.stage: Stage | None = None
        self.setWidget(QWidget(self))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.stage is None:
            self._build()

    # Building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        stage = self.stage = Stage(self._bridge, self._theme, self)
        self.view = stage.view
        self.pointer = Pointer(stage)
        self.pencil = Pencil(stage, self._open_obstacle)
        self.view.hand = self.pointer
        self.tools = MapTools(self._bridge)
        self.tray = Tray(stage)
        self.status = ElidedLabel("", "caption")
        self.status.setContentsMargins(px(2 * SPACE), px(SPACE), px(2 * SPACE), px(SPACE))
        self.empty = EmptyState("map", say("ui.map.empty"), say("ui.map.begin", columns=FIRST_COLUMNS, rows=FIRST_ROWS))
        self.empty.clicked.connect(self.begin_map)
        self._obstacle = ObstaclePopover(self._bridge, self._remove_obstacle, self)
        self._size = SizePopover(self._bridge, self)
        self._why = WhyPopup(self)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.tools, Rule(), self.tray, self.view, Rule(), self.status):
            column.addWidget(widget, 1 if widget is self.view else 0)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(whole)
        before = self.widget()
        self.setWidget(self.stack)
        before.deleteLater()
        self._connect(stage)
        self._on_field()
        self.tools.show_drawing(shown=not stage.runs)
        self._on_selected()

    def _connect(self, stage: Stage) -> None:
        stage.said.connect(self._say)
        stage.selectedChanged.connect(self._on_selected)
        stage.crowdChanged.connect(self._on_crowd)
        stage.fieldChanged.connect(self._on_field)
        self.view.zoomed.connect(self.pointer.show_again)
        self.view.menuAsked.connect(self._open_menu)
        self.view.focused.connect(lambda _on: stage.set_cursor(stage.cursor))
        self.view.installEventFilter(self)
        self.tools.chosen.connect(self._take)
        self.tools.areaChosen.connect(self._take_area)
        self.tools.sizeAsked.connect(self._open_size)
        self.tools.nearer.connect(lambda: self.view.zoom_by(1))
        self.tools.farther.connect(lambda: self.view.zoom_by(-1))
        self.tools.fitted.connect(self.view.fit)
        self.tools.shownSelected.connect(self.pointer.show_selected)
        self.tray.taken.connect(self._place)
        self._bridge.replaced.connect(self._on_replaced)
        self._runs = stage.runs

    # Doing -----------------------------------------------------------------------------------------------------

    def focus_prompt(self) -> bool:
        """Give the map the focus when the dock is entered; False where there is no map to have it."""
        if self.stage is None or not self.stage.has_map:
            return False
        self.view.setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def explain(self) -> bool:
        """Explain what is being done, or who is selected; False where there is nothing to explain."""
        if self.stage is None or not self.view.hasFocus():
            return False
        carry, aimer, token = self.pointer.mover.carry, self.pointer.aimer, self.stage.selected_token()
        square = token.at if token is not None else None
        if carry is not None:
            why, square = asking.why_of_way(self._bridge, carry), carry.at
        elif aimer.target is not None and aimer.line is not None:
            why, square = asking.why_of_aim(self._bridge, aimer.target, aimer.line), aimer.target.at
        else:
            why = asking.why_of_token(self._bridge, token) if token is not None else None
        if why is None:
            return False
        middle = self.view.point_of(square or (0, 0))
        half = self.view.cell // 2
        place = QRect(middle.x() - half, middle.y() - half, self.view.cell, self.view.cell)
        self._why.open(why, place, self.view.viewport())
        return True

    def begin_map(self) -> None:
        """Put an empty map down and take a brush to it."""
        if self.stage is not None:
            self.stage.begin_map(FIRST_COLUMNS, FIRST_ROWS)
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Let letters and figures choose tools while they are shown, and Esc go back to the pointer."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and watched is self.view:
            if event.key() == Qt.Key.Key_Escape and self.view.hand is self.pencil:
                self.tools.choose(SELECT)
                return True
            held = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
            tool = self.tools.tool_for(event.text().upper()) if not held and event.text() else None
            if tool is not None and self.pointer.doing is Doing.NOTHING:
                self.tools.choose(tool)
                return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def _take(self, tool: Tool) -> None:
        self.pointer.cancel()
        self.pencil.tool = tool
        self.pencil.area = self.tools.area
        self.view.hand = self.pointer if tool is SELECT else self.pencil
        drawing_now = tool is not SELECT
        self.view.viewport().setCursor(Qt.CursorShape.CrossCursor if drawing_now else Qt.CursorShape.ArrowCursor)
        if drawing_now:
            self._say(say(f"ui.map.tool-{tool.id}"))

    def _take_area(self, environment: str, feature: str) -> None:
        self.pencil.area = (environment, feature)

    def _place(self, token: Token) -> None:
        """Begin to put down somebody who has no place yet."""
        self.tools.choose(SELECT)
        if self.stage is not None:
            self.stage.select(token)
            self.pointer.begin_move(token)
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open_obstacle(self, id: str, spot: Spot | None) -> None:
        place = spot.screen if spot is not None else self.view.mapToGlobal(QPoint(0, 0))
        self._obstacle.open_for(id, place)

    def _remove_obstacle(self, id: str) -> None:
        if self.stage is not None:
            self.stage.draw(drawing.without_obstacle(self.stage.field, id))

    def _open_size(self) -> None:
        button = self.tools.size_button
        self._size.open_for(button.mapToGlobal(QPoint(0, button.height())))

    def _open_menu(self, spot: Spot) -> None:
        """Offer what can be done with who, or what, is there."""
        if self.stage is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        token = spot.token
        obstacle = drawing.obstacle_at(self.stage.field, spot.square)
        if token is not None:
            self.stage.select(token)
            menu.addAction(f"{say('ui.map.move')}\tM", lambda: self.pointer.begin_move(token))
            if self.stage.runs:
                menu.addAction(f"{say('ui.map.aim')}\tT", lambda: self.pointer.begin_aim(token))
        if obstacle is not None:
            menu.addAction(say("ui.map.edit-obstacle"), lambda: self._open_obstacle(obstacle.id, spot))
        if not menu.isEmpty():
            menu.popup(spot.screen)

    # Following -------------------------------------------------------------------------------------------------

    def _on_replaced(self) -> None:
        self.pointer.cancel()
        self._on_field()
        if self.stage is not None:
            self.tools.show_drawing(shown=not self.stage.runs)

    def _on_field(self) -> None:
        if self.stage is None:
            return
        self.stack.setCurrentIndex(1 if self.stage.has_map else 0)
        self.view.setAccessibleName(f"{say('ui.map.title')}, {describe.of_map(self.stage.field)}")

    def _on_crowd(self) -> None:
        if self.stage is None:
            return
        if self.stage.runs != self._runs:
            self._runs = self.stage.runs
            self.tools.show_drawing(shown=not self._runs)
        self.tray.refresh()
        if self.pointer.doing is not Doing.NOTHING:
            self.pointer.cancel()  # what was worked out no longer holds
        self._on_selected()

    def _on_selected(self) -> None:
        if self.stage is None:
            return
        token = self.stage.selected_token()
        if self.pointer.doing is Doing.AIMING:
            if token is not None and token.id not in (self.pointer.aimer.one_id, self.pointer.aimer.target_id):
                self.pointer.aimer.at(token)  # chosen elsewhere, in the turn order
            return
        if self.pointer.doing is Doing.MOVING:
            return
        if token is not None:
            self._say(describe.of_token(self._bridge, token))
        else:
            self._say(describe.of_map(self.stage.field) if self.stage.has_map else "")

    def _say(self, words: str) -> None:
        self.status.setText(words)
        self.view.setAccessibleDescription(words)
