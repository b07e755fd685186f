"""The fog tool bar: shapes and states of the fog, the party's sight, and commands for the whole map."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton, QWidget

from turnwright.play.environment.fog import FogChange, SetFog
from turnwright.rules.parts.positions.fog import FogState
from turnwright.ui.docks.map.fog_sight import PartySight
from turnwright.ui.docks.map.tools.fog_tool import SHAPES, STATES, FogChoice, FogShape, FogTool
from turnwright.ui.look.fonts import SPACE, scaled
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.text import tool_button

LOOK_KEY = "L"


class FogBar(FlowRow):
    """The buttons of the fog tools. Emits `chosen(text)` with a status text when a shape or state is chosen."""

    chosen = Signal(str)

    def __init__(self, tool: FogTool, sight: PartySight) -> None:
        super().__init__(gap=SPACE // 2)
        self._tool = tool
        self._sight = sight
        self.setAccessibleName(tr("ui.map.fog-tools"))
        self.setContentsMargins(scaled(SPACE), 0, scaled(SPACE), scaled(SPACE))
        self._buttons: dict[str, QToolButton] = {}
        self._groups = [QButtonGroup(self) for _ in range(2)]
        for choice in SHAPES:
            self._add_choice(choice, self._groups[0], partial(self._choose_shape, cast("FogShape", choice.id)))
        self._line()
        for choice in STATES:
            self._add_choice(choice, self._groups[1], partial(self._choose_state, cast("FogState", choice.id)))
        self._line()
        self._add("walk", "look", sight.show_now, LOOK_KEY)
        self._add("account-eye", "follow", self._follow).setCheckable(True)
        self._line()
        self._add("cloud", "hide-all", partial(self._set_all, "hidden"))
        self._add("weather-sunny", "show-all", partial(self._set_all, "shown"))
        self._add("cloud-off-outline", "no-fog", partial(self._set_all, "off"))
        self._buttons[tool.shape].setChecked(True)
        self._buttons[tool.state].setChecked(True)

    def button(self, id: str) -> QToolButton:
        """Return a button by its word key."""
        return self._buttons[id]

    def press_key(self, key: str) -> bool:
        """Click the button for a key. Return False if there is none."""
        id = next((choice.id for choice in (*SHAPES, *STATES) if choice.key == key), "look" if key == LOOK_KEY else "")
        if id:
            self._buttons[id].click()
        return bool(id)

    def _add(self, icon: str, id: str, slot: Callable[[], object], key: str = "") -> QToolButton:
        name = tr(f"ui.map.fog-{id}")
        button = tool_button(icon, name, slot)
        button.setToolTip(escaped_tooltip(f"{name} ({key})" if key else name))
        button.setFixedHeight(scaled(28))
        self._buttons[id] = button
        self.add(button)
        return button

    def _add_choice(self, choice: FogChoice, group: QButtonGroup, slot: Callable[[], object]) -> None:
        button = self._add(choice.icon, choice.id, slot, choice.key)
        button.setCheckable(True)
        group.addButton(button)

    def _line(self) -> None:
        line: QWidget = QFrame()
        line.setProperty("rule", True)
        line.setFixedSize(QSize(1, scaled(20)))
        self.add(line)

    def _choose_shape(self, shape: FogShape) -> None:
        self._tool.cancel()
        self._tool.shape = shape
        self.chosen.emit(tr(f"ui.map.fog-{shape}"))

    def _choose_state(self, state: FogState) -> None:
        self._tool.state = state
        self.chosen.emit(tr(f"ui.map.fog-{state}"))

    def _follow(self) -> None:
        self._sight.follows = self._buttons["follow"].isChecked()
        if self._sight.follows:
            self._sight.show_now()

    def _set_all(self, state: FogChange) -> None:
        self._tool.canvas.document.execute(SetFog(state))
