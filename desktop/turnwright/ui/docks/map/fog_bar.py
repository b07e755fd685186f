"""The fog tool bar: shapes and states of the fog, the party's sight, and commands for the whole map.

The party's sight is computed in the background and revealed to the players on demand or after each move.
"""

from functools import partial
from typing import Any, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QButtonGroup

from turnwright.battlemap.grid import Grid
from turnwright.encounter.prepared import Map, Point
from turnwright.encounter.roles import is_ours
from turnwright.encounter.running import Combatant, DoorState, Fog
from turnwright.play.environment.map_changes import FogChange, SetFog, ShowSight
from turnwright.play.kernel.scheduler import Changed
from turnwright.rules.parts.positions.sight import FogState, light_levels, seen_from, viewpoints, watchers
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.tools.fog_tool import SHAPES, STATES, FogShape, FogTool
from turnwright.ui.docks.map.tools.tool_bar import ToolButtons
from turnwright.ui.look.style import SPACE, scaled, tr
from turnwright.ui.services.workers import LatestTask

LOOKED_AT = frozenset({"position", "elevation", "hp", "dead"})


class PartySight(QObject):
    """Reveals to the players the squares that the party sees, on demand and, if `follows` is set, after every move."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._work = LatestTask(self)
        self._looked_from: tuple[Grid, tuple[Point, ...]] | None = None
        self.follows = False
        canvas.document.changed.connect(self._on_changed)

    def show_now(self) -> None:
        """Compute the party's sight in the background, then reveal it. A new request replaces the previous one."""
        points = self._viewpoints()
        if points is None:
            return
        self._looked_from = points
        grid, squares = points
        lights = self._canvas.field.lights

        def look() -> None:
            """Fill the caches that the command uses."""
            for square in squares:
                seen_from(grid, square)
            if lights:
                light_levels(grid, lights)

        self._work.start(look, self._show)

    def _show(self, _nothing: object) -> None:
        if self._viewpoints() == self._looked_from:
            self._canvas.document.execute(ShowSight())
        else:  # the party has moved, so the command would compute the sight on the GUI thread
            self.show_now()

    def _viewpoints(self) -> tuple[Grid, tuple[Point, ...]] | None:
        document = self._canvas.document
        return viewpoints(document.encounter, document.rules, watchers(document.encounter))

    def _on_changed(self, changed: Changed) -> None:
        """Recompute the sight after a move, but not after undo, which restores the previous fog."""
        document = self._canvas.document
        if not self.follows or document.encounter.get(Fog, Fog.table) is None:
            return
        if document.source.session.history.next is not None:
            return
        moved = any(
            key[0] == Combatant.table
            and fields & LOOKED_AT
            and (combatant := document.encounter.get(Combatant, key[1])) is not None
            and is_ours(document.encounter, combatant)
            for key, fields in changed.updated.items()
        )
        if moved or changed.touches(DoorState.table, Map.table):
            self.show_now()


LOOK_KEY = "L"


class FogBar(ToolButtons):
    """The buttons of the fog tools. Emits `chosen(text)` with a status text when a shape or state is chosen."""

    chosen = Signal(str)

    def __init__(self, tool: FogTool, sight: PartySight) -> None:
        super().__init__("ui.map.fog-")
        self._tool = tool
        self._sight = sight
        self.setAccessibleName(tr("ui.map.fog-tools"))
        self.setContentsMargins(scaled(SPACE), 0, scaled(SPACE), scaled(SPACE))
        for choices, choose in ((SHAPES, self._choose_shape), (STATES, self._choose_state)):
            group = QButtonGroup(self)
            for choice in choices:
                slot = partial(choose, cast("Any", choice.id))
                group.addButton(self.add_button(choice.icon, choice.id, slot, choice.key, checkable=True))
            self.add_separator()
        self.add_button("walk", "look", sight.show_now, LOOK_KEY)
        self.add_button("account-eye", "follow", self._follow, checkable=True)
        self.add_separator()
        self.add_button("cloud", "hide-all", partial(self._set_all, "hidden"))
        self.add_button("weather-sunny", "show-all", partial(self._set_all, "shown"))
        self.add_button("cloud-off-outline", "no-fog", partial(self._set_all, "off"))
        self.buttons[tool.shape].setChecked(True)
        self.buttons[tool.state].setChecked(True)

    def press_key(self, key: str) -> bool:
        """Click the button for a key. Return False if there is none."""
        id = next((choice.id for choice in (*SHAPES, *STATES) if choice.key == key), "look" if key == LOOK_KEY else "")
        if id:
            self.buttons[id].click()
        return bool(id)

    def _choose_shape(self, shape: FogShape) -> None:
        self._tool.cancel()
        self._tool.shape = shape
        self.chosen.emit(tr(f"ui.map.fog-{shape}"))

    def _choose_state(self, state: FogState) -> None:
        self._tool.state = state
        self.chosen.emit(tr(f"ui.map.fog-{state}"))

    def _follow(self) -> None:
        self._sight.follows = self.buttons["follow"].isChecked()
        if self._sight.follows:
            self._sight.show_now()

    def _set_all(self, state: FogChange) -> None:
        self._tool.canvas.document.execute(SetFog(state))
