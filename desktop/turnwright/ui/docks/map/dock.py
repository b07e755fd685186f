"""The Map panel: the map with its tools and unplaced tokens above and the status text below.

It is built when first shown, so that startup without a map stays fast.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import get_args

import msgspec
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QTabBar, QWidget

from turnwright.battlemap.paths import ShapeKind, shape_in
from turnwright.encounter.prepared import Door, DoorKind, Map, MapLight, Point, RosterEntry, TokenRing
from turnwright.encounter.roles import is_ours
from turnwright.encounter.running import AreaLight, AreaMoment, Combatant, LastingArea
from turnwright.play.environment.map_changes import EndArea, LayArea, SetAreaHidden, SetAreaTerrain
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.table.game_master import SetKnownName
from turnwright.players.secrets import known_name
from turnwright.rules.system_data.places import LightSource
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.map import popovers
from turnwright.ui.docks.map.drawing import drawing
from turnwright.ui.docks.map.drawing.token_pixmaps import Token, ring_icon
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.popovers import MAP_SIZE, FloorBinding, FormPopover, PartPopover
from turnwright.ui.docks.map.tools.drag_preview import placement_command
from turnwright.ui.docks.map.tools.draw_tool import FRAME, POINTER, RULER, SELECT, DrawTool, LineTool, ToolSpec
from turnwright.ui.docks.map.tools.fog_tool import SHIFT, FogBar, FogTool, PartySight
from turnwright.ui.docks.map.tools.select_tool import PointerMode, SelectTool
from turnwright.ui.docks.map.tools.table_tools import FrameTool, RulerTool
from turnwright.ui.docks.map.tools.template_tool import KINDS, Finished, TemplateTool
from turnwright.ui.docks.map.tools.tool_bar import FOG_KEY, TORCH_KEY, MapTools, UnplacedTokens
from turnwright.ui.docks.map.view import Act, PointerPosition, map_files
from turnwright.ui.docks.shared.combatant_menu import CombatantMenu
from turnwright.ui.docks.shared.library_transfer import add_from_library, dropped_record
from turnwright.ui.look.style import SPACE, ThemeSource, scaled, tr
from turnwright.ui.look.window_data import window_data
from turnwright.ui.services.actions import without_mnemonic
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.services import Services
from turnwright.ui.widgets.fields import add_check, pop_up
from turnwright.ui.widgets.layout import ElidedLabel, EmptyState, HorizontalLine, fill, horizontal, vertical
from turnwright.ui.widgets.rules.why import Explanation, WhyPopup
from turnwright.ui.widgets.text import pressed_character, push_button

FIRST_COLUMNS, FIRST_ROWS = 20, 15
TORCH = window_data("map.torch", str)
LEAVE_KEY = "M"  # moves a token where the window doesn't use it to leave the map in a fight
PRESSES = (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)


def is_menu_key(event: QEvent) -> bool:
    """Whether an event requests a menu by keyboard: the menu key, or Shift+F10."""
    if isinstance(event, QContextMenuEvent):
        return event.reason() == QContextMenuEvent.Reason.Keyboard
    if not isinstance(event, QKeyEvent) or event.type() not in PRESSES:
        return False
    return event.key() == Qt.Key.Key_F10 and event.modifiers() == Qt.KeyboardModifier.ShiftModifier


class MapContent(QStackedWidget):
    """The content of the Map panel: the map, or a placeholder. It can be moved to another window.

    Emits `fileDropped(path)` for a map or picture dropped on it.
    """

    fileDropped = Signal(Path)

    def __init__(self, explain: Callable[[], bool]) -> None:
        super().__init__()
        self.explain = explain
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        event.setAccepted(bool(map_files(event.mimeData())))

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.fileDropped.emit(map_files(event.mimeData())[0])


class MapDock(Dock):
    """The Map panel. Its widgets exist once it has been shown.

    Emits `findRequested` to locate the missing picture of the map, and `areaRequested(kind)` to place an area.
    Emits `importRequested` and `pictureRequested` to get a map from a file, and `fileDropped(path)` for such a file.
    Emits `amountRequested(start)` for damage or healing, `manualCommandRequested(id)` for a form about the selected combatants.
    Emits `portraitRequested(key)`, `portraitPasted(key)`, `portraitDropped(file, key)` and `portraitRemoved(key)` to
    change the portrait of a token.
    Emits `rulerShown(ends)` for a distance or a place that players see, and `framePanned(across, down)` and
    `frameZoomed(factor)` to change the part of the map that they see.
    """

    name = "map"
    findRequested = Signal()
    importRequested = Signal()
    pictureRequested = Signal()
    fileDropped = Signal(Path)
    areaRequested = Signal(str)
    amountRequested = Signal(str)
    manualCommandRequested = Signal(str)
    portraitRequested = Signal(object)
    portraitDropped = Signal(Path, object)
    portraitPasted = Signal(object)
    portraitRemoved = Signal(object)
    rulerShown = Signal(object)
    framePanned = Signal(float, float)
    frameZoomed = Signal(float)

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.is_built = False
        self._shows_light = True
        self._frame: QRectF | None = None
        self.setWidget(QWidget(self))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._build()
        if self.widget() is not self.stack:
            self.setWidget(self.stack)

    def lend_content(self) -> QWidget:
        """Return the panel's content, to be shown in another window, and hide the panel.

        The panel takes its content back when it is shown again.
        """
        self._build()
        self.hide()
        return self.stack

    # Building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        if self.is_built:
            return
        self.is_built = True
        stage = self.canvas = MapCanvas(self._document, self._theme, self)
        stage.light.set_shown(shown=self._shows_light)
        self.view = stage.view
        self.select_tool = SelectTool(stage)
        self.draw_tool = DrawTool(stage, self._open_part)
        self.line_tool = LineTool(stage)
        self.ruler_tool = RulerTool(stage, self.rulerShown.emit)
        self.frame_tool = FrameTool(stage, self.framePanned.emit, self.frameZoomed.emit)
        self._table_tools = {RULER: self.ruler_tool, POINTER: self.ruler_tool, FRAME: self.frame_tool}
        self.template_tool = TemplateTool(stage, self._open_moments)
        self.view.tool = self.select_tool
        self.fog_tool = FogTool(stage)
        self.party_sight = PartySight(stage)
        self.fog_bar = FogBar(self.fog_tool, self.party_sight)
        self.fog_bar.hide()
        self.tools = MapTools(self._document, self.view, self._open_size, self.select_tool.show_selected)
        self.unplaced_tokens = UnplacedTokens(stage)
        self.status = ElidedLabel("", "caption")
        self.status.setContentsMargins(scaled(2 * SPACE), scaled(SPACE), scaled(2 * SPACE), scaled(SPACE))
        ways = (("import-map", "map", self.importRequested), ("place-map-picture", "image", self.pictureRequested))
        more = [push_button(without_mnemonic(tr(f"ui.action.{key}")), way.emit, "", icon) for key, icon, way in ways]
        begin = tr("ui.map.begin", columns=FIRST_COLUMNS, rows=FIRST_ROWS)
        self.empty = EmptyState("map", tr("ui.map.empty"), begin, more=more)
        self.empty.clicked.connect(self.create_map)
        self._parts = {
            part: PartPopover(part, self._document, partial(self._change_map, drawing.without, part), self)
            for part in ("obstacles", "lights")
        }
        size = FloorBinding(self._document, Map, Map.table)
        self.size_popover = FormPopover(tr("ui.map.map-size"), MAP_SIZE, size, self._document, self)
        self._why = WhyPopup(self)
        self.find_button = push_button(tr("ui.map.find-picture"), self.findRequested.emit, "quiet", "magnify")
        foot = QWidget()
        fill(horizontal(foot), (self.status, 1), self.find_button)
        whole = QWidget()
        self.floor_tabs = QTabBar(expanding=False, drawBase=False, usesScrollButtons=True)
        self.floor_tabs.setAccessibleName(tr("ui.map.floors"))
        self.floor_tabs.setToolTip(tr("ui.map.floors-tip"))
        self.floor_tabs.currentChanged.connect(lambda at: self._document.show_floor(self.canvas.field.floors[at]))
        self._column = column = vertical(whole, spacing=0)
        fill(column, self.tools, self.fog_bar, HorizontalLine(), self.floor_tabs, self.unplaced_tokens)
        fill(column, (self.view, 1), HorizontalLine(), foot)
        self.stack = MapContent(self.explain)
        self.stack.fileDropped.connect(self.fileDropped)
        fill(self.stack, self.empty, whole)
        before = self.widget()
        self.setWidget(self.stack)
        before.deleteLater()
        self._connect(stage)
        self._offer_picture()
        self._on_field()
        self.frame_tool.show(self._frame)
        self.tools.show_drawing(shown=not stage.is_fight_running)
        self.show_fog(shown=False)
        self._on_selected()

    def _connect(self, stage: MapCanvas) -> None:
        stage.statusChanged.connect(self._say)
        stage.selectedChanged.connect(self._on_selected)
        stage.tokensChanged.connect(self._on_crowd)
        stage.fieldChanged.connect(self._on_field)
        stage.picture.loaded.connect(self._on_selected)
        stage.picture.loaded.connect(self._offer_picture)
        redraws = (self.select_tool.redraw, self._show_area, self.ruler_tool.redraw, self.frame_tool.redraw)
        for redraw in (*redraws, stage.refresh_lasting):
            self.view.zoomed.connect(redraw)
        self._theme.changed.connect(self.frame_tool.redraw)
        self._theme.changed.connect(stage.refresh_lasting)
        self.view.menuRequested.connect(self._open_menu)
        self.view.pictureDropped.connect(self.portraitDropped)
        self.view.fileDropped.connect(self.fileDropped)
        self.view.pasteRequested.connect(self._paste_picture)
        self.view.focused.connect(lambda _on: stage.set_cursor(stage.cursor))
        self.view.installEventFilter(self)
        self.tools.chosen.connect(self._take)
        self.tools.areaChosen.connect(self._take_area)
        self.tools.fogToggled.connect(lambda shown: self.show_fog(shown=shown))
        self.fog_bar.chosen.connect(self._say)
        self.tools.areaMenuRequested.connect(self._open_area_menu)
        self.tools.torchRequested.connect(self._toggle_torch)
        self.unplaced_tokens.tokensPressed.connect(self._place)
        self.unplaced_tokens.dragged.connect(lambda at: self.view.tool.hover(self.view.position_on_screen(at)))
        self.unplaced_tokens.dropped.connect(self._drop)
        self.view.recordDropped.connect(self._add_dropped)
        self._document.documentChanged.connect(self._on_replaced)
        self._document.changed.connect(lambda _changed: self._show_area())
        self._runs = stage.is_fight_running

    def use_services(self, services: Services) -> None:
        self.show_light(shown=services.settings_store.settings.map_light)

    def show_frame(self, frame: QRectF | None) -> None:
        """Show which part of the map players see, in squares, or None if they don't see it."""
        self._frame = frame
        if self.is_built:
            self.frame_tool.show(frame)

    def show_light(self, *, shown: bool) -> None:
        """Turn the shading of dim and dark squares on or off."""
        self._shows_light = shown
        if self.is_built:
            self.canvas.light.set_shown(shown=shown)

    # Commands --------------------------------------------------------------------------------------------------

    def focus_prompt(self) -> bool:
        """Focus the map when the user moves to this panel. Return False if there is no map."""
        if not self.is_built or not self.canvas.has_map:
            return False
        self.view.setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def explain(self) -> bool:
        """Explain the current move or target, or the selected token. Return False if there is nothing to explain."""
        if not self.is_built or not self.view.hasFocus():
            return False
        if (area := self.template_tool.explain()) is not None:
            self._open_why(area, self.template_tool.square)
            return True
        drag, aimer, token = self.select_tool.mover.drag, self.select_tool.aimer, self.canvas.selected_token()
        square = token.square if token is not None else None
        if drag is not None:
            why, square = popovers.explain_route(self._document, drag), drag.square
        elif aimer.target is not None and aimer.sightline is not None:
            why, square = popovers.explain_cover(self._document, aimer.target, aimer.sightline), aimer.target.square
        else:
            why = popovers.explain_token(self._document, token) if token is not None else None
        if why is None:
            return False
        self._open_why(why, square or (0, 0))
        return True

    def _open_why(self, why: Explanation, square: Point) -> None:
        middle = self.view.point_of(square)
        half = self.view.map.cell // 2
        place = QRect(middle.x() - half, middle.y() - half, self.view.map.cell, self.view.map.cell)
        self._why.open(why, place, self.view.viewport())

    def create_map(self) -> None:
        """Add an empty map."""
        self.canvas.create_map(FIRST_COLUMNS, FIRST_ROWS)
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def lay_area(
        self, words: str, who: str, finished: Finished, *, is_free: bool = True, kind: ShapeKind | None = None
    ) -> bool:
        """Start placing an area on the map. Return False if there is no map or no fight is running.

        The area is described in `words`. If they name no shape, the area has the usual size for its `kind`. Unless
        `is_free`, it originates at the combatant `who`. `finished` is called with the ids of the combatants inside, or
        with None if the user cancels.
        """
        if not self.is_built or not self.canvas.has_map or not self.canvas.is_fight_running:
            return False
        self.show_fog(shown=False)
        self.tools.choose(SELECT)
        self.view.tool = self.template_tool
        caster = self.canvas.tokens.for_record((Combatant.table, who)) if who else None
        shape = shape_in(words) or self.template_tool.usual(kind or "burst")
        self.template_tool.begin(shape, caster, partial(self._end_area, finished), free=is_free)
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def _end_area(self, finished: Finished, inside: tuple[str, ...] | None) -> None:
        self.view.tool = self.select_tool
        self._on_selected()
        finished(inside)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Execute the actions of keys in the map, which are then no shortcuts of the window."""
        act = self._action_for(event) if watched is self.view else None
        if act is None:
            return super().eventFilter(watched, event)  # type: ignore[arg-type]
        event.accept()
        if event.type() != QEvent.Type.ShortcutOverride:
            act()
        return True

    def _action_for(self, event: QEvent) -> Act | None:
        """Return the action of a key on the map, or None if it has none at present."""
        if is_menu_key(event):
            return self._open_menu_at_cursor
        if event.type() not in PRESSES or not isinstance(event, QKeyEvent):
            return None
        is_keypad = event.modifiers() & Qt.KeyboardModifier.KeypadModifier
        character = "" if is_keypad else pressed_character(event)
        escapes, tool = event.key() == Qt.Key.Key_Escape, self.view.tool
        if event.key() == Qt.Key.Key_Insert and not event.modifiers():
            return self._place_next
        drawn = (self.line_tool, self.draw_tool, self.fog_tool)
        if escapes and (begun := next((each for each in drawn if each.is_begun), None)) is not None:
            return begun.cancel
        if escapes and tool in (self.draw_tool, self.line_tool, *self._table_tools.values()):
            return partial(self.tools.choose, SELECT)
        step = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}.get(Qt.Key(event.key()), 0)
        takes_token = event.modifiers() == Qt.KeyboardModifier.AltModifier
        if step and self.canvas.field.floors and (takes_token or event.modifiers() == SHIFT) and not tool.holds_keys:
            return partial(self._next_floor, step, takes_token=takes_token)
        if tool.holds_keys or not (character or escapes):
            return self.view.action_for(event)
        is_fog = tool is self.fog_tool
        if (self.canvas.is_fight_running and character == FOG_KEY) or (escapes and is_fog):
            return partial(self.show_fog, shown=not is_fog)
        if is_fog and (button := self.fog_bar.button_for(character)) is not None:
            return button.click
        if character == TORCH_KEY and tool is self.select_tool:
            return self._toggle_torch
        moves = self.canvas.is_fight_running and tool is self.select_tool
        if (chosen := self.tools.tool_for(character)) is not None and not (chosen is SELECT and moves):
            return partial(self.tools.choose, chosen)
        if character == LEAVE_KEY and self.canvas.is_fight_running and event.type() == QEvent.Type.ShortcutOverride:
            return None  # the window's shortcut, if there is one
        return self.view.action_for(event)

    def show_fog(self, *, shown: bool) -> None:
        """Show or hide the fog tools, which need a map. While they are shown, clicks change the fog."""
        shown = shown and self.canvas.has_map
        if shown:
            self.tools.choose(SELECT)
        self.tools.show_fog(offered=self.canvas.has_map, shown=shown)
        self.fog_bar.setVisible(shown)
        self._column.activate()  # now, so that the map doesn't jump under the pointer
        self.fog_tool.cancel()
        self.select_tool.cancel()
        self.view.tool = self.fog_tool if shown else self.select_tool
        self.view.viewport().setCursor(Qt.CursorShape.CrossCursor if shown else Qt.CursorShape.ArrowCursor)
        if shown:
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)
            self._say(tr("ui.map.fog-hint"))

    def _take(self, tool: ToolSpec) -> None:
        self.draw_tool.shape = self.line_tool.shape = self.tools.shape
        if tool is not SELECT and self.view.tool is self.fog_tool:
            self.show_fog(shown=False)
        for begun in (self.select_tool, self.line_tool, self.draw_tool, self.ruler_tool):
            begun.cancel()
        self.ruler_tool.is_shown = tool is POINTER
        if tool.shape:
            self._say(tr(f"ui.map.shape-of-{self.tools.shape}"))
            return
        self.template_tool.cancel()
        self.draw_tool.tool = self.line_tool.tool = tool
        self.view.follows_pointer = bool(tool.line) or tool is FRAME
        drawing_tool = self._table_tools.get(tool) or (self.line_tool if tool.line else self.draw_tool)
        self.view.tool = self.select_tool if tool is SELECT else drawing_tool
        drawing_now = tool is not SELECT
        self.view.viewport().setCursor(Qt.CursorShape.CrossCursor if drawing_now else Qt.CursorShape.ArrowCursor)
        if drawing_now:
            self._say(tr(f"ui.map.tool-{tool.id}"))

    def _take_area(self, environment: str, feature: str) -> None:
        self.draw_tool.area = (environment, feature)

    def _place(self, tokens: list[Token]) -> None:
        """Start placing tokens that have no square yet."""
        self.show_fog(shown=False)
        self.tools.choose(SELECT)
        self.canvas.pick(tokens)
        self.select_tool.begin_placing(tokens)
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place_next(self) -> None:
        """Start placing the first group of unplaced tokens, or the first unplaced token."""
        waiting = list(self.canvas.tokens.unplaced())
        if waiting:
            self._place(next((tokens for _, tokens in self.unplaced_tokens.groups(waiting)), waiting[:1]))

    def _drop(self, at: QPoint) -> None:
        """Place the tokens that were dragged from the row of unplaced tokens to a point of the screen."""
        if self.view.viewport().rect().contains(self.view.viewport().mapFromGlobal(at)):
            self.view.tool.press(self.view.position_on_screen(at))
        else:
            self.select_tool.cancel()

    def _add_dropped(self, data: bytes, square: Point) -> None:
        """Add a creature that was dragged from the library, and place it at a square."""
        record, since = dropped_record(data), self._document.source.session.serial
        before = {token.id for token in self.canvas.tokens.tokens}
        self.canvas.blockSignals(True)  # the row of unplaced tokens doesn't appear for a moment
        if record is not None and add_from_library(self._document, record):
            new = [token for token in self.canvas.tokens.unplaced() if token.id not in before]
            spots = zip(new, self.select_tool.mover.spots_near(square, new), strict=True)
            places = (placement_command(self._document, token, spot, None) for token, spot in spots if spot is not None)
            self._document.execute_together(places, since)
        self.canvas.blockSignals(False)
        self.canvas.tokensChanged.emit()

    def _open_part(self, collection: str, id: str, spot: PointerPosition | None) -> None:
        """Open the editor of an obstacle or a light."""
        place = spot.screen if spot is not None else self.view.mapToGlobal(QPoint(0, 0))
        self._parts[collection].part.id = id
        self._parts[collection].open_for(place)

    def _change_map(self, change: Callable[..., Map], *arguments: object, **fields: object) -> None:
        self.canvas.replace_map(change(self.canvas.field, *arguments, **fields))

    def _open_size(self) -> None:
        button = self.tools.size_button
        self.size_popover.open_for(button.mapToGlobal(QPoint(0, button.height())))

    def _open_menu_at_cursor(self) -> None:
        """Open the menu for the square at the keyboard cursor."""
        if (square := self.canvas.cursor) is not None:
            self.view.show_square(square)
            self._open_menu(self.view.position_at(QPointF(self.view.point_of(square))))

    def _open_menu(self, spot: PointerPosition) -> None:
        """Open the menu for the token or square at a position."""
        menu = QMenu(self)
        token = spot.token
        obstacle = drawing.obstacle_at(self.canvas.field, spot.square)
        if token is not None:
            self._add_token(menu, token)
        if obstacle is not None:
            menu.addAction(tr("ui.map.edit-obstacle"), lambda: self._open_part("obstacles", obstacle.id, spot))
        self._add_lights(menu, spot)
        for door in drawing.doors_at(self.canvas.field, spot.square):
            opens = not self.canvas.is_door_open(door)
            words = tr(f"ui.map.{'open' if opens else 'close'}-door", name=door.name or tr("ui.map.door"))
            menu.addAction(words.replace("&", "&&"), partial(self.canvas.set_door, door, is_open=opens))
            if not self.canvas.is_fight_running:
                self._add_door_kinds(menu, door)
        for area in self.canvas.lasting_at(spot.square):
            words = tr("ui.map.end-area", name=area.name).replace("&", "&&")
            menu.addAction(words, partial(self._document.execute, EndArea(area.id)))
            words = tr(f"ui.map.{'show' if area.hidden else 'hide'}-area", name=area.name).replace("&", "&&")
            menu.addAction(words, partial(self._document.execute, SetAreaHidden(area.id, not area.hidden)))
            self._add_terrain(menu.addMenu(tr("ui.map.area-terrain", name=area.name).replace("&", "&&")), area)
        if self.canvas.is_fight_running:
            self._add_shapes(menu.addMenu(tr("ui.map.area")))
        if not menu.isEmpty():
            pop_up(menu, spot.screen)

    def _add_terrain(self, menu: QMenu, area: LastingArea) -> None:
        """Add an area's light and difficult terrain to a menu."""
        for light in get_args(AreaLight):
            command = SetAreaTerrain(area.id, light, area.difficult)
            words = tr(f"ui.map.area-light-{light or 'none'}")
            add_check(menu, words, partial(self._set_terrain, command), checked=area.light == light)
        menu.addSeparator()
        command = SetAreaTerrain(area.id, area.light, not area.difficult)
        add_check(menu, tr("ui.map.area-difficult"), partial(self._set_terrain, command), checked=area.difficult)

    def _set_terrain(self, command: SetAreaTerrain, _on: object = True) -> None:
        self._document.execute(command)

    def _add_door_kinds(self, menu: QMenu, door: Door) -> None:
        """Add the submenu that changes the type of a door or removes the door."""
        kinds = menu.addMenu(tr("ui.map.door-kind"))
        for kind in get_args(DoorKind):
            change = partial(self._change_map, drawing.with_door_change, door.id, kind=kind)
            add_check(kinds, tr(f"ui.map.door-{kind}"), lambda _on, change=change: change(), checked=door.kind == kind)
        menu.addAction(tr("ui.map.remove-door"), partial(self._change_map, drawing.without, "doors", door.id))

    def _add_lights(self, menu: QMenu, spot: PointerPosition) -> None:
        """Add the commands for the light on a square, or the lights to place there if it has none."""
        field, number = self.canvas.field, drawing.light_at(self.canvas.field, spot.square)
        if number:
            light = field.lights[int(number)]
            switched = msgspec.structs.replace(light, lit=not light.lit)
            switch = partial(self._change_map, drawing.with_light, number, switched)
            menu.addAction(tr("ui.map.put-out" if light.lit else "ui.map.light-up"), switch)
            menu.addAction(tr("ui.map.edit-light"), lambda: self._open_part("lights", number, spot))
            menu.addAction(tr("ui.map.remove-light"), partial(self._change_map, drawing.without, "lights", number))
        elif spot.token is None:
            sources = menu.addMenu(tr("ui.map.place-light"))
            for source in (source for source in self._document.rules.data.lights if not source.cone):
                feet = (source.radius, 0) if source.light == "bright" else (0, source.radius)
                light = MapLight((spot.square[0] + 0.5, spot.square[1] + 0.5), *feet)
                place = partial(self._change_map, drawing.with_light, str(len(field.lights)), light)
                sources.addAction(source.name, place)

    def _add_token(self, menu: QMenu, token: Token) -> None:
        """Add the commands for a token, or for all selected tokens if it is one of them."""
        if token.id not in self.canvas.group:
            self.canvas.select(token)
        tokens, runs = self.canvas.picked(), self.canvas.is_fight_running
        menu.addAction(f"{tr('ui.map.move')}\t{'V' if runs else 'M'}", lambda: self.select_tool.begin_move(token))
        encounter, ids = self._document.encounter, [token.key[1], *(other.key[1] for other in tokens if other != token)]
        record = encounter.record(token.key)
        if isinstance(record, Combatant):
            menu.addAction(f"{tr('ui.map.aim')}\tT", lambda: self.select_tool.begin_aim(token))
            menu.addAction(tr("ui.turn.damage"), partial(self.amountRequested.emit, ""))
            menu.addAction(tr("ui.turn.heal"), partial(self.amountRequested.emit, "+"))
            self._add_mounts(menu, record)
            if strangers := tuple(id for id in ids if not is_ours(encounter, encounter.need(Combatant, id))):
                met = known_name(encounter, encounter.need(Combatant, strangers[0])) is not None
                meet = SetKnownName(strangers, forget=met)
                words = tr(f"ui.turn-order.{'hide' if met else 'reveal'}-name")
                menu.addAction(words, partial(self._document.execute, meet))
        if isinstance(record, Combatant | RosterEntry):
            words = tr(f"ui.turn-order.{'show' if record.hidden else 'hide'}")
            menu.addAction(words, partial(self.canvas.hide, tokens, hidden=not record.hidden))
        for steps, word, key in ((1, "raise", "PgUp"), (-1, "lower", "PgDown")):
            menu.addAction(f"{tr(f'ui.map.{word}')}\t{key}", partial(self.select_tool.rise, steps))
        carried, lights = self.canvas.carried_light(token), menu.addMenu(tr("ui.map.light"))
        for source in self._document.rules.data.lights:
            carry = partial(self.canvas.carry_light, tokens, None if source.id == carried else source)
            if source.cone:
                carry = partial(self._aim_light, token, source)
            if runs or not source.cone:
                add_check(lights, source.name, lambda _on, carry=carry: carry(), checked=source.id == carried)
        if token.square is not None:
            menu.addAction(f"{tr('ui.map.take-off')}\tDel", self.select_tool.take_off)
        if len(floors := self.canvas.field.floors) > 1:
            to_floor, go = menu.addMenu(tr("ui.map.to-floor")), self.select_tool.mover.to_floor
            for floor in floors:
                to_floor.addAction(floor.name.replace("&", "&&"), partial(go, tokens, floor))
        if runs:
            CombatantMenu(menu, self._document, ids, self.manualCommandRequested.emit)
        self._add_looks(menu, token)

    def _toggle_torch(self) -> None:
        """Light a torch for the selected tokens, or put it out if the first token has a torch."""
        tokens, sources = self.canvas.picked(), self._document.rules.data.lights
        has_torch = bool(tokens) and self.canvas.carried_light(tokens[0]) == TORCH
        torch = next((source for source in sources if source.id == TORCH and not has_torch), None)
        self.canvas.carry_light(tokens, torch)

    def _add_mounts(self, menu: QMenu, rider: Combatant) -> None:
        """Add mounting each creature that a combatant can mount now, or dismounting."""
        others = [other for other in self._document.encounter.all(Combatant) if other.id != rider.id and other.position]
        for mount in [None] if rider.rides else others:
            command = MountOrDismount(rider.id, mount.id if mount is not None else "")
            words = tr("ui.map.mount", who=mount.label) if mount is not None else tr("ui.map.dismount")
            if self._document.is_possible(command):
                menu.addAction(words.replace("&", "&&"), partial(self._document.execute, command))

    def _aim_light(self, token: Token, source: LightSource) -> None:
        """Aim a light that shines in a cone. It stays where it is aimed."""

        def keep(inside: tuple[str, ...] | None) -> None:
            near, far = (self.template_tool.last_squares(times * source.radius) for times in (1, 2))
            if inside is not None:
                laid = LayArea(source.name, token.key[1], tuple(sorted(near)), light="bright")
                dim = msgspec.structs.replace(laid, squares=tuple(sorted(far)), light="dim")
                self._document.execute_together((laid, dim))

        self.lay_area(f"{source.radius}-foot cone", token.key[1], keep, is_free=False)

    def _add_looks(self, menu: QMenu, token: Token) -> None:
        """Add the submenus for a token's portrait and the coloured ring of its miniature."""
        faces = menu.addMenu(tr("ui.portrait.menu"))
        faces.addAction(tr("ui.portrait.from-file"), lambda: self.portraitRequested.emit(token.key))
        faces.addAction(f"{tr('ui.portrait.paste')}\tCtrl+V", lambda: self.portraitPasted.emit(token.key))
        record = self._document.encounter.record(token.key)
        own = isinstance(record, Combatant | RosterEntry) and bool(record.portrait)
        faces.addAction(tr("ui.portrait.remove"), lambda: self.portraitRemoved.emit(token.key)).setEnabled(own)
        rings = menu.addMenu(tr("ui.portrait.ring"))
        for ring in get_args(TokenRing):
            words, is_set = tr(f"ui.portrait.ring-{ring or 'none'}"), token.look.ring == ring
            choice = add_check(rings, words, lambda _on, r=ring: self.canvas.set_ring(token, r), checked=is_set)
            if ring:
                choice.setIcon(ring_icon(ring))

    def _paste_picture(self) -> None:
        if (token := self.canvas.selected_token()) is not None:
            self.portraitPasted.emit(token.key)

    def _open_area_menu(self) -> None:
        """Open the menu of area shapes that can be placed on the map."""
        menu = QMenu(self)
        self._add_shapes(menu)
        button = self.tools.buttons["place-area"]
        pop_up(menu, button.mapToGlobal(QPoint(0, button.height())))

    def _open_moments(self) -> None:
        """Open the menu for a lasting area's reminder. A choice places the area."""
        menu = QMenu(self)
        menu.addAction(tr("ui.map.area-lasts")).setEnabled(False)
        first, *_ = self._add_moments(menu, hidden=False)
        menu.setActiveAction(first)
        self._add_moments(menu.addMenu(tr("ui.map.area-lasts-hidden")), hidden=True)
        pop_up(menu, self.view.viewport().mapToGlobal(self.view.point_of(self.template_tool.square)))

    def _add_moments(self, menu: QMenu, *, hidden: bool) -> list[QAction]:
        keep = partial(self._keep_area, hidden=hidden)
        texts = ((moment, tr(f"ui.map.reminds-{moment or 'never'}")) for moment in get_args(AreaMoment))
        return [menu.addAction(text, partial(keep, moment)) for moment, text in texts]

    def _keep_area(self, moment: AreaMoment, *, hidden: bool) -> None:
        command = self.template_tool.lasting(moment, hidden=hidden)
        if command is not None and self._document.execute(command):
            self.template_tool.cancel()

    def _add_shapes(self, menu: QMenu) -> None:
        for kind in KINDS:
            menu.addAction(tr(f"ui.map.shape-{kind}"), partial(self.areaRequested.emit, kind))

    # Updates ---------------------------------------------------------------------------------------------------

    def _show_area(self) -> None:
        """Redraw the area being placed after the zoom or the encounter has changed."""
        if self.template_tool.shape is not None:
            self.template_tool.show()

    def _on_replaced(self) -> None:
        self.select_tool.cancel()
        self.template_tool.cancel()
        self.unplaced_tokens.reset()
        self._on_field()
        self.tools.show_drawing(shown=not self.canvas.is_fight_running)
        self.show_fog(shown=False)

    def _show_floors(self) -> None:
        floors, tabs = self.canvas.field.floors, self.floor_tabs
        with QSignalBlocker(tabs):
            while tabs.count():
                tabs.removeTab(0)
            for floor in floors:
                tabs.addTab(floor.name.replace("&", "&&"))
            tabs.setCurrentIndex(floors.index(self._document.floor) if floors else -1)
        tabs.setVisible(len(floors) > 1)

    def _next_floor(self, by: int, *, takes_token: bool) -> None:
        """Show the floor before or after this one, and perhaps move the selected tokens there."""
        at = self.floor_tabs.currentIndex() + by
        if takes_token and 0 <= at < self.floor_tabs.count():
            self.select_tool.mover.to_floor(self.canvas.picked(), self.canvas.field.floors[at])
        self.floor_tabs.setCurrentIndex(at)

    def _on_field(self) -> None:
        self._show_floors()
        self.stack.setCurrentIndex(1 if self.canvas.has_map else 0)
        self.tools.show_fog(offered=self.canvas.has_map, shown=self.view.tool is self.fog_tool)
        self.view.setAccessibleName(
            f"{tr('ui.map.title')}, {popovers.describe_map(self._document.own_map or self.canvas.field)}"
        )

    def _offer_picture(self) -> None:
        """Show the button for locating the map's picture if the picture can't be loaded."""
        self.find_button.setVisible(bool(self.canvas.picture.problem))

    def _on_crowd(self) -> None:
        if self.canvas.is_fight_running != self._runs:
            self._runs = self.canvas.is_fight_running
            self.tools.show_drawing(shown=not self._runs)
            self.show_fog(shown=False)
            self.unplaced_tokens.reset()
        self.unplaced_tokens.refresh()
        if self.select_tool.mode is not PointerMode.IDLE:
            self.select_tool.cancel()  # the previewed move is outdated
        self._on_selected()

    def _on_selected(self) -> None:
        token = self.canvas.selected_token()
        if self.template_tool.shape is not None:
            self._show_area()
            return
        if self.select_tool.mode is PointerMode.AIMING:
            aimer = self.select_tool.aimer
            aimed = {part.id for part in (aimer.attacker, aimer.target) if part is not None}
            if token is not None and token.id not in aimed:
                aimer.aim_at(token)  # the token was selected elsewhere, for example in the turn order
            return
        if self.select_tool.mode is PointerMode.MOVING:
            return
        if token is not None:
            names = ", ".join(other.label for other in self.canvas.picked())
            self._say(names if self.canvas.group else popovers.describe_token(self._document, token))
        else:
            problem = self.canvas.picture.problem
            size = popovers.describe_map(self._document.own_map or self.canvas.field) if self.canvas.has_map else ""
            self._say(popovers.joined(size, tr("ui.map.picture-problem", why=problem) if problem else ""))

    def _say(self, words: str) -> None:
        self.status.setText(words)
        self.view.setAccessibleDescription(words)
