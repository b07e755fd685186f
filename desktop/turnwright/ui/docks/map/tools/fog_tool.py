"""The fog of the map: the tool that changes it by brush, shape or room, the party's sight, and their buttons.

The party's sight is computed in the background and revealed to the players on demand or after each move.
"""

from collections.abc import Collection
from functools import partial
from itertools import count, product
from typing import Any, Final, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QToolButton

from turnwright.battlemap.grid import Grid
from turnwright.encounter.floors import is_on_floor
from turnwright.encounter.prepared import Map, Point
from turnwright.encounter.roles import is_ours
from turnwright.encounter.running import Combatant, DoorState, Fog
from turnwright.encounter.state import scene_of, standing_areas
from turnwright.play.environment.map_changes import FogChange, SetFog, SetRoomFog, ShowSight
from turnwright.play.kernel.scheduler import Changed
from turnwright.rules.parts.positions.sight import FogState, party_sight, viewpoints, watchers
from turnwright.ui.docks.map.drawing import drawing
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.tools.draw_tool import Shape, ShapeTool, ToolSpec
from turnwright.ui.docks.map.tools.tool_bar import ToolButtons
from turnwright.ui.docks.map.view import PointerPosition
from turnwright.ui.look.style import SPACE, scaled, tr
from turnwright.ui.look.window_data import window_data
from turnwright.ui.services.workers import LatestTask
from turnwright.workspace.kernel_library import load_kernels

SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_strokes = count(1)  # global, so that strokes in a new window don't merge with older undo steps


class FogTool(ShapeTool):
    """Changes the fog at the pointer. `shape` determines which squares are changed, and `state` is their new fog."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas, "room")
        self.state: FogState = "shown"
        self._stroke = 0
        self._last: Point | None = None
        self._done: set[Point] = set()

    # Pointer ---------------------------------------------------------------------------------------------------

    def press(self, spot: PointerPosition) -> None:
        """Change the fog of a room, or start a stroke or a shape."""
        self.canvas.set_cursor(spot.square)
        self._stroke = next(_strokes)
        self._done = set()
        self._last = spot.square
        if self.shape == "brush":
            self._paint_to(spot)
        elif self.shape != "room":
            self.press_shape(spot)
        elif is_on_floor(self.canvas.field, spot.square):
            self.canvas.document.execute(SetRoomFog(spot.square, self.state))

    def drag(self, spot: PointerPosition) -> None:
        """Continue the stroke or the shape."""
        if self.shape == "brush" and self._last is not None:
            self._paint_to(spot)
        elif self._corners:
            super().drag(spot)

    def hover(self, spot: PointerPosition) -> None:
        """Preview the squares that a click would change."""
        if self.shape == "brush":
            self._preview(self._brush(spot))
        else:
            super().hover(spot)

    def release(self, spot: PointerPosition) -> None:
        """End the stroke, or change the fog inside the shape."""
        super().release(spot)
        self._last = None

    # Changing the fog ------------------------------------------------------------------------------------------

    def _paint_to(self, spot: PointerPosition) -> None:
        path = drawing.line_between(self._last or spot.square, spot.square)
        squares = {painted for square in path for painted in self._brush(spot._replace(square=square))} - self._done
        self._last = spot.square
        self._done |= squares
        self.change(squares)

    def _brush(self, spot: PointerPosition) -> set[Point]:
        """Return the squares under the brush: one, or three by three with Shift."""
        (column, row), reach = spot.square, 1 if spot.modifiers & SHIFT else 0
        return drawing.squares_between(self.canvas.field, (column - reach, row - reach), (column + reach, row + reach))

    def change(self, squares: Collection[Point]) -> None:
        """Change the fog on squares."""
        if squares:
            self.canvas.document.execute(SetFog(self.state, tuple(sorted(squares)), merge=f"fog {self._stroke}"))


LOOKED_AT = frozenset({"position", "elevation", "hp", "dead"})


class PartySight(QObject):
    """Reveals to the players the squares that the party sees, on demand and, if `follows` is set, after every move."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._work = LatestTask(self)
        self._looked_from: tuple[Grid, tuple[Point, ...]] | None = None
        self._light: object = None
        self.follows = False
        canvas.document.changed.connect(self._on_changed)

    def show_now(self) -> None:
        """Reveal the party's sight as soon as it is known, and say so in the status text."""
        self._canvas.statusChanged.emit(tr("ui.map.fog-looking"))
        self._look(tr("ui.map.fog-looked"))

    def _look(self, words: str = "") -> None:
        """Compute the party's sight in the background, then reveal it. A new request replaces the previous one."""
        if (points := self._viewpoints()) is None:
            return
        self._looked_from, self._light = points, self._present_light()
        encounter, rules = self._canvas.document.encounter, self._canvas.document.rules

        def look() -> None:
            """Fill the caches that the command uses."""
            load_kernels()
            party_sight(encounter, rules, watchers(encounter))

        self._work.start(look, lambda _nothing: self._show(words))

    def _show(self, words: str) -> None:
        if self._viewpoints() != self._looked_from:
            self._look(words)  # the party has moved, so the command would compute the sight on the GUI thread
            return
        self._canvas.document.execute(ShowSight())
        if words:
            self._canvas.statusChanged.emit(words)

    def _viewpoints(self) -> tuple[Grid, tuple[Point, ...]] | None:
        document = self._canvas.document
        return viewpoints(document.encounter, document.rules, watchers(document.encounter))

    def _present_light(self) -> object:
        """Return everything that changes the light: the scene's, and the areas that give or remove it."""
        encounter = self._canvas.document.encounter
        lit = [(area, encounter.get(Combatant, area.owner)) for area in standing_areas(encounter) if area.light]
        places = [(area, owner and (owner.position, owner.elevation, owner.hidden)) for area, owner in lit]
        return scene_of(encounter).light, places

    def _on_changed(self, changed: Changed) -> None:
        """Recompute the sight after a move or a change of light, but not after undo, which restores the previous fog."""
        document = self._canvas.document
        if not self.follows or document.encounter.get(Fog, Fog.table) is None:
            return
        if document.source.session.history.next is not None:
            return
        keys = (key for key, fields in changed.updated.items() if key[0] == Combatant.table and fields & LOOKED_AT)
        people = (document.encounter.get(Combatant, id) for _, id in keys)
        moved = any(person is not None and is_ours(document.encounter, person) for person in people)
        before, self._light = self._light, self._present_light()
        if moved or self._light != before or changed.touches(DoorState.table, Map.table):
            self._look()


SHAPES = window_data("map.fog.shapes", tuple[ToolSpec, ...])
STATES = window_data("map.fog.states", tuple[ToolSpec, ...])
LOOK_KEY = "L"


class FogBar(ToolButtons):
    """The buttons of the fog tools. Emits `chosen(text)` with a status text when a shape or state is chosen."""

    chosen = Signal(str)
    first = frozenset({*(spec.id for spec in (*SHAPES, *STATES)), "look"})

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

    def button_for(self, key: str) -> QToolButton | None:
        """Return the button with a key, or None if there is none."""
        id = next((choice.id for choice in (*SHAPES, *STATES) if choice.key == key), "look" if key == LOOK_KEY else "")
        return self.buttons.get(id)

    def _choose_shape(self, shape: Shape) -> None:
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
        canvas, extent = self._tool.canvas, self._tool.canvas.extent
        squares = product(range(extent.width()), range(extent.top(), extent.bottom() + 1))
        canvas.document.execute(SetFog(state, tuple(squares) if canvas.field.floors else ()))
