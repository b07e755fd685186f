"""The map as it is shown: view, scene and backdrop, kept up with the document. Hands work on it, the dock stands round it."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QObject, Signal

from turnwright.encounter.prepared import Creature, Environment, Map, Point, RosterEntry
from turnwright.encounter.running import Clock, Combatant, Effect, Slot, ThingState, Visitor
from turnwright.encounter.state import Key
from turnwright.play.commands import Add, Edit
from turnwright.play.steps import Changed
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.map.backdrop import Backdrop
from turnwright.ui.docks.map.describe import name_of_area
from turnwright.ui.docks.map.scene import MapScene
from turnwright.ui.docks.map.strokes import Nature
from turnwright.ui.docks.map.tokens import Crowd, Token, crowd_of, is_running
from turnwright.ui.docks.map.view import MapView
from turnwright.ui.theme import ThemeSource

NAME = "map"
TOKEN_TABLES = tuple(kind.table for kind in (Combatant, RosterEntry, Effect, Slot, Clock, Creature, Visitor))


class Stage(QObject):
    """`said` carries the words under the map; `selectedChanged` who is selected; `fieldChanged` another size or map."""

    said = Signal(str)
    selectedChanged = Signal()
    crowdChanged = Signal()
    fieldChanged = Signal()

    def __init__(self, bridge: Bridge, theme: ThemeSource, parent: QObject) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self._theme = theme
        self.selected = ""
        self.cursor: Point | None = None
        self.backdrop = Backdrop(theme.theme, self)
        self.scene = MapScene(theme.theme, self)
        self.view = MapView(self.scene, self.backdrop, theme.theme)
        bridge.changed.connect(self._on_changed)
        bridge.replaced.connect(self.refresh)
        bridge.selected.connect(self._on_selected)
        theme.changed.connect(self._dress)
        self.refresh()

    # What is there ---------------------------------------------------------------------------------------------

    @property
    def field(self) -> Map:
        """The map, one without squares where there is none."""
        return self.bridge.encounter.get(Map, Map.table) or Map(cell=self.bridge.rules.catalogue.grid.cell)

    @property
    def has_map(self) -> bool:
        """Whether there is a grid to stand on."""
        return bool(self.field.columns and self.field.rows)

    @property
    def runs(self) -> bool:
        """Whether the combatants stand on the map, and no longer the roster."""
        return is_running(self.bridge.encounter)

    @property
    def crowd(self) -> Crowd:
        """Everybody, on the map and beside it."""
        return self.scene.crowd

    def selected_token(self) -> Token | None:
        """Return who is selected, None where nobody is."""
        return self.crowd.named(self.selected)

    def active_token(self) -> Token | None:
        """Return whose turn it is, the first of several."""
        return next((one for one in self.crowd.tokens if one.active), None)

    # Doing -----------------------------------------------------------------------------------------------------

    def select(self, token: Token | None, *, show: bool = False) -> None:
        """Select somebody here and everywhere else."""
        self.selected = token.id if token is not None else ""
        self.scene.select(self.selected)
        if token is not None:
            if token.at is not None:
                self.set_cursor(token.at)
                if show:
                    self.view.show_square(token.at, token.across)
            self.bridge.select(token.key)
        self.selectedChanged.emit()

    def set_cursor(self, square: Point | None) -> None:
        """Let keys act on a square, held within the map."""
        field = self.field
        if square is not None and self.has_map:
            square = (max(0, min(field.columns - 1, square[0])), max(0, min(field.rows - 1, square[1])))
        self.cursor = square
        self.scene.set_cursor(square if self.view.hasFocus() else None)

    def draw(self, field: Map, merge: str = "") -> bool:
        """Put a map in the place of the one there is; those with the same `merge` make one step."""
        before = self.bridge.encounter.get(Map, Map.table)
        if before is None:
            return self.bridge.do(Add((field,)), initiator=NAME)
        return field == before or self.bridge.do(Edit(field, merge=merge), initiator=NAME)

    def begin_map(self, columns: int, rows: int) -> None:
        """Put an empty map of so many squares down."""
        self.draw(msgspec.structs.replace(self.field, columns=columns, rows=rows))

    def nature_of(self, environment: str, feature: str) -> Nature:
        """Return what an area of the map is called, and whether its ground is difficult."""
        place = self.bridge.encounter.get(Environment, environment) if environment else None
        rows = [row for row in place.features if row.id == feature and row.enabled] if place is not None else []
        if place is None and feature:  # a kind of ground with a name of its own
            return Nature(name_of_area(self.bridge, environment, feature), rough=True)
        rough = any(row.terrain == "difficult" and not row.redirect for row in rows)
        return Nature(name_of_area(self.bridge, environment, feature), rough)

    def state_of(self, obstacle: str) -> ThingState | None:
        """Return what the fight has made of an obstacle, None where nothing."""
        return self.bridge.encounter.get(ThingState, obstacle)

    # Following -------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the document as it now stands, whatever was shown before."""
        self.selected = ""
        self.backdrop.forget()
        self.follow_map()
        self.follow_tokens()
        self._on_selected(self.bridge.selection)
        self.view.fit()

    def follow_map(self) -> None:
        """Show the map as it now stands; what has not changed is not painted again."""
        size = (self.backdrop.field.columns, self.backdrop.field.rows)
        touched = self.backdrop.show(self.field)
        if touched is None:
            self.view.measure()
            if size != (self.field.columns, self.field.rows):
                self.view.fit()
            self.view.viewport().update()
        elif not touched.isEmpty():
            self.scene.invalidate(touched, MapScene.SceneLayer.BackgroundLayer)
        self.fieldChanged.emit()

    def follow_tokens(self) -> None:
        """Show everybody as they now stand."""
        crowd = crowd_of(self.bridge.encounter, self.bridge.rules)
        before = self.selected_token()
        if crowd != self.crowd:
            self.scene.set_crowd(crowd)
        now = crowd.named(self.selected)
        if before is not None and now is not None and now.at is not None and now.at != before.at:
            self.set_cursor(now.at)
        if self.selected and crowd.named(self.selected) is None:
            self._on_selected(self.bridge.selection)
        self.crowdChanged.emit()

    def _on_changed(self, changed: Changed) -> None:
        if changed.touches(Map.table):
            self.follow_map()
        renamed = changed.touches(Environment.table) and self.field.areas
        if renamed or changed.touches(ThingState.table):  # what lies on the map is called or looks otherwise now
            self.backdrop.forget()
            self.view.viewport().update()
        if changed.touches(*TOKEN_TABLES, Map.table):
            self.follow_tokens()

    def _on_selected(self, key: Key | None) -> None:
        now = self.selected_token()
        if now is None or now.key != key:
            found = self.crowd.of(key)
            self.selected = found.id if found is not None else ""
            self.scene.select(self.selected)
            if found is not None and found.at is not None:
                self.set_cursor(found.at)
        self.selectedChanged.emit()

    def _dress(self) -> None:
        theme = self._theme.theme
        self.backdrop.use(theme)
        self.scene.use(theme)
        self.view.use(theme)
