"""The map canvas on which the tools work: view, scene and backdrop, kept in sync with the document."""

from collections.abc import Iterable, Iterator

import msgspec
from PySide6.QtCore import QObject, QRect, QRectF, Signal
from PySide6.QtGui import QPainter

from turnwright.encounter import floors, running
from turnwright.encounter.prepared import Creature, Door, Environment, Map, Point, RosterEntry, TokenRing
from turnwright.encounter.running import Combatant, DoorState, LastingArea, ObstacleState
from turnwright.encounter.state import Key, standing_areas
from turnwright.play.environment.map_changes import EndArea, LayArea, SetDoor
from turnwright.play.kernel import scheduler, transaction
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.table.game_master import SetHidden, SetRing
from turnwright.rules.parts.positions import geometry, sight
from turnwright.rules.system_data.places import LightSource
from turnwright.ui.docks.map import popovers, view
from turnwright.ui.docks.map.drawing import backdrop, drawing, map_picture, scene, terrain_painter, token_pixmaps
from turnwright.ui.look.style import ThemeSource, tr
from turnwright.ui.services.document_model import DocumentModel

LASTING_TABLES = tuple(kind.table for kind in (LastingArea, Combatant, running.Effect, running.Clock, Map))
TOKEN_KINDS = (Combatant, RosterEntry, running.Effect, running.Slot, running.Clock, Creature, running.GuestCreature)


def with_member(entry: RosterEntry, texts: tuple[str, ...], member: int, text: str) -> tuple[str, ...]:
    """Return a list of texts of a roster entry's members with one changed, or nothing if all are empty."""
    changed = [*texts, *[""] * entry.count][: entry.count]
    changed[member] = text
    return tuple(changed) if any(changed) else ()


class MapCanvas(QObject):
    """The map on the screen.

    Emits `statusChanged(text)` for the status line, `selectedChanged` when the selected token changes, `tokensChanged`
    when tokens move or change, and `fieldChanged` when the map itself changes.
    """

    statusChanged = Signal(str)
    selectedChanged = Signal()
    tokensChanged = Signal()
    fieldChanged = Signal()

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QObject) -> None:
        super().__init__(parent)
        self.document = document
        self._theme = theme
        self.selected = ""
        self.group: tuple[str, ...] = ()  # the ids of several selected tokens
        self.cursor: Point | None = None
        self.picture = map_picture.MapPictureLoader(self)
        self.picture.loaded.connect(self._on_picture)
        self.picture.scaled.connect(self._on_scaled)
        self.backdrop = backdrop.Backdrop(theme.theme, self)
        self.light = backdrop.LightShading(document, self)
        self.light.changed.connect(lambda: self._repaint(self.backdrop.set_shades(self.light.shades)))
        self.scene = scene.MapScene(theme.theme, self, document.portraits.image)
        document.portraits.loaded.connect(self.scene.show_portrait)
        self.view = view.MapView(self.scene, self.backdrop, theme.theme)
        document.changed.connect(self._on_changed)
        document.documentChanged.connect(self.refresh)
        document.selected.connect(self._on_selected)
        document.floorChanged.connect(self._on_floor)
        document.combatantsSelected.connect(self._on_combatants_selected)
        theme.changed.connect(self._dress)
        self.refresh()
        self.light.refresh()

    # State ---------------------------------------------------------------------------------------------

    @property
    def field(self) -> Map:
        """The map, or an empty map if the encounter has none."""
        grid = self.document.rules.data.grid
        usual = Map(cell=grid.cell, diagonals=grid.areas.diagonals)
        return floors.with_picture_of(self.document.encounter.get(Map, Map.table) or usual, self.document.floor)

    @property
    def extent(self) -> QRect:
        """The squares of the floor that is shown."""
        floor = self.document.floor
        return QRect(0, floor.row, floors.width_of(self.field, floor), floor.rows)

    @property
    def has_map(self) -> bool:
        """Whether the map has squares."""
        return bool(self.field.columns and self.field.rows)

    @property
    def is_fight_running(self) -> bool:
        """Whether the fight has started, so that tokens are combatants instead of roster entries."""
        return token_pixmaps.is_running(self.document.encounter)

    @property
    def tokens(self) -> token_pixmaps.TokenSet:
        """All tokens, on the map and unplaced."""
        return self.scene.tokens

    def selected_token(self) -> token_pixmaps.Token | None:
        """Return the selected token, or None."""
        return self.tokens.with_id(self.selected)

    def picked(self) -> list[token_pixmaps.Token]:
        """Return all selected tokens."""
        return [token for token in self.tokens.tokens if token.id in (self.group or (self.selected,))]

    def creature_name(self, token: token_pixmaps.Token) -> str:
        """Return the name of a token's creature."""
        encounter = self.document.encounter
        id = str(getattr(encounter.record(token.key), "creature", ""))
        creature = encounter.get(Creature, id) or encounter.get(running.GuestCreature, id)
        return creature.name if creature is not None else token.label

    def active_token(self) -> token_pixmaps.Token | None:
        """Return the token of the acting combatant (the first if several act together), or None."""
        return next((token for token in self.tokens.tokens if token.active), None)

    # Commands --------------------------------------------------------------------------------------------------

    def select(self, token: token_pixmaps.Token | None, *, show: bool = False) -> None:
        """Select a token on the map and in the document."""
        self.selected = token.id if token is not None else ""
        self._frame(())
        if token is not None:
            if token.square is not None:
                self.document.show_floor(floors.floor_at(self.field, token.square[1]))
                self.set_cursor(token.square)
                if show:
                    self.view.show_square(token.square, token.size)
            if self.is_fight_running:
                self.document.select_combatants((token.key[1],))
            self.document.select(token.key)
        self.selectedChanged.emit()

    def pick(self, tokens: Iterable[token_pixmaps.Token]) -> None:
        """Select several tokens, and their combatants in a fight."""
        tokens = list(tokens)
        self.select(tokens[-1] if tokens else None)
        if self.is_fight_running:
            self.document.select_combatants(token.key[1] for token in tokens)
        self._frame(tuple(token.id for token in tokens) if len(tokens) > 1 else ())
        self.selectedChanged.emit()

    def toggle(self, token: token_pixmaps.Token) -> None:
        """Add a token to the selected ones, or remove it from them."""
        others = [other for other in self.picked() if other.id != token.id]
        self.pick(others if len(others) < len(self.picked()) else [*others, token])

    def _frame(self, group: tuple[str, ...]) -> None:
        self.group = group
        self.scene.select(*(group or (self.selected,)))

    def _on_combatants_selected(self, ids: tuple[str, ...]) -> None:
        if self.is_fight_running:
            group = tuple(token.id for token in self.tokens.tokens if token.key[1] in ids)
            self._frame(group if len(group) > 1 else ())

    def set_cursor(self, square: Point | None) -> None:
        """Move the keyboard cursor to a square, limited to the map."""
        extent = self.extent
        if square is not None and self.has_map:
            square = max(0, min(extent.right(), square[0])), max(extent.top(), min(extent.bottom(), square[1]))
        self.cursor = square
        self.scene.set_cursor(square if self.view.hasFocus() else None)

    def step_cursor(self, step: Point) -> None:
        """Move the keyboard cursor by a step, and describe its square in the status text."""
        cursor = self.cursor or (0, 0)
        self.set_cursor((cursor[0] + step[0], cursor[1] + step[1]))
        if self.cursor is not None:
            self.view.show_square(self.cursor)
            self.announce_square(self.cursor)

    def announce_square(self, square: Point) -> None:
        """Describe a square in the status text."""
        token = next(iter(self.tokens.at(square)), None)
        self.statusChanged.emit(
            popovers.describe_square(self.document, self.field, square, token, self._shade_at(square))
        )

    def _shade_at(self, square: Point) -> str:
        """Return the character of a dim or dark square, or a blank for any other square."""
        column, row = square
        line = self.light.shades[row] if 0 <= row < len(self.light.shades) else ""
        return line[column] if 0 <= column < len(line) else " "

    def replace_map(self, field: Map, merge: str = "") -> bool:
        """Add the map or replace the existing one. Edits with the same `merge` are one undo step."""
        if (before := self.document.encounter.get(Map, Map.table)) is None:
            return self.document.execute(Add((field,)))
        field = msgspec.structs.replace(field, picture=before.picture) if field.floors else field
        return field == before or self.document.execute(Edit(field, merge=merge))

    def create_map(self, columns: int, rows: int) -> None:
        """Add an empty map of a given size."""
        self.replace_map(msgspec.structs.replace(self.field, columns=columns, rows=rows))

    def area_info(self, environment: str, feature: str) -> terrain_painter.AreaInfo:
        """Return the name of a map area, and whether it is difficult terrain."""
        place = self.document.encounter.get(Environment, environment) if environment else None
        rows = [row for row in place.features if row.id == feature and row.enabled] if place is not None else []
        if place is None and feature:  # a named terrain without an environment
            return terrain_painter.AreaInfo(popovers.area_name(self.document, environment, feature), is_difficult=True)
        rough = any(row.terrain == "difficult" and not row.redirect for row in rows)
        return terrain_painter.AreaInfo(popovers.area_name(self.document, environment, feature), rough)

    def obstacle_state(self, obstacle: str) -> ObstacleState | None:
        """Return the state of an obstacle in the fight, or None if it is unchanged."""
        return self.document.encounter.get(ObstacleState, obstacle)

    def is_door_open(self, door: Door) -> bool:
        """Whether a door is currently open."""
        state = self.document.encounter.get(DoorState, door.id)
        return door.open if state is None else state.open

    def paint_picture(self, painter: QPainter, squares: QRect, cell: int) -> bool:
        """Paint the map's picture on some squares. Return False if there is none."""
        return self.picture.paint(painter, self.field, squares, cell, self.backdrop.ratio)

    def set_door(self, door: Door, *, is_open: bool) -> None:
        """Open or close a door, in the fight or in the prepared map."""
        if self.is_fight_running:
            self.document.execute(SetDoor(door.id, "open" if is_open else "closed"))
            return
        self.replace_map(drawing.with_door_change(self.field, door.id, open=is_open))

    def hide(self, tokens: Iterable[token_pixmaps.Token], *, hidden: bool) -> None:
        """Hide tokens from the players or show them, in the fight or in the roster."""
        ids = tuple(dict.fromkeys(token.key[1] for token in tokens))
        entries = [entry for id in ids if (entry := self.document.encounter.get(RosterEntry, id)) is not None]
        edits = (Edit(msgspec.structs.replace(entry, hidden=hidden)) for entry in entries)
        self.document.execute_together([SetHidden(ids, hidden)] if self.is_fight_running else edits)

    def set_ring(self, token: token_pixmaps.Token, ring: TokenRing) -> None:
        """Set the ring colour of a token's miniature (empty for none), in the fight or in the roster."""
        if token.key[0] == Combatant.table:
            self.document.execute(SetRing((token.key[1],), ring))
            return
        entry = self.document.encounter.need(RosterEntry, token.key[1])
        rings = with_member(entry, entry.rings, token.member, ring)
        self.document.execute(Edit(msgspec.structs.replace(entry, rings=rings)))

    def carried_light(self, token: token_pixmaps.Token) -> str:
        """Return the id of the light source that a token carries, or an empty string if there is none."""
        record, names = self.document.encounter.record(token.key), [area.name for area in self._carried_areas(token)]
        if isinstance(record, RosterEntry):
            return record.lights[token.member] if token.member < len(record.lights) else ""
        return next((source.id for source in self.document.rules.data.lights if source.name in names), "")

    def carry_light(self, tokens: Iterable[token_pixmaps.Token], source: LightSource | None) -> None:
        """Give tokens a light that moves with them, or put out their light."""
        self.document.execute_together(command for token in tokens for command in self._light_commands(token, source))

    def _light_commands(self, token: token_pixmaps.Token, source: LightSource | None) -> Iterator[transaction.Command]:
        entry = self.document.encounter.record(token.key)
        if isinstance(entry, RosterEntry):
            lights = with_member(entry, entry.lights, token.member, source.id if source is not None else "")
            yield Edit(msgspec.structs.replace(entry, lights=lights))
            return
        yield from (EndArea(area.id) for area in self._carried_areas(token))
        if source is not None:
            yield LayArea(source.name, token.key[1], radius=source.radius, light=source.light)

    def _carried_areas(self, token: token_pixmaps.Token) -> list[LastingArea]:
        encounter, rules = self.document.encounter, self.document.rules
        theirs = (area for area in encounter.all(LastingArea) if area.owner == token.key[1])
        return [area for area in theirs if geometry.is_carried_light(rules, area)]

    # Updates ---------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Redraw the whole document and reset the selection to the document's selection."""
        self.selected = ""
        self.backdrop.repaint_all()
        self.refresh_map()
        self.refresh_fog()
        self.refresh_tokens()
        self.refresh_lasting()
        self._on_selected(self.document.selection)
        self.view.fit()

    def refresh_map(self) -> None:
        """Show the current map. Unchanged parts are not repainted."""
        self.picture.show_map(self.document.source.picture_folder, self.field)
        before = self.backdrop.extent
        if (touched := self.backdrop.set_field(self.field, self.extent)) is None:
            self.view.update_scene_rect()
            if before != self.extent:
                self.view.fit()
        self._repaint(touched)
        self.fieldChanged.emit()

    def _on_floor(self) -> None:
        self.refresh_map()
        self.set_cursor(self.cursor)
        self.refresh_lasting()

    def refresh_fog(self) -> None:
        """Show the current fog. Unchanged parts are not repainted."""
        self._repaint(self.backdrop.set_fog(sight.fog_lines(self.document.encounter, self.field)))

    def _repaint(self, touched: QRectF | None) -> None:
        """Repaint an area of the backdrop, or all of it if `touched` is None."""
        if touched is None:
            self.view.viewport().update()
        elif not touched.isEmpty():
            self.scene.invalidate(touched, scene.MapScene.SceneLayer.BackgroundLayer)

    def lasting_at(self, square: Point) -> list[LastingArea]:
        """Return the lasting areas on a square, without the lights that tokens carry."""
        encounter, rules = self.document.encounter, self.document.rules
        areas = (area for area in standing_areas(encounter) if not geometry.is_carried_light(rules, area))
        return [area for area in areas if square in geometry.lasting_squares(encounter, rules, area)]

    def refresh_lasting(self) -> None:
        """Show the current lasting areas: outlined, hatched and named."""
        overlay, encounter = self.scene.lasting, self.document.encounter
        overlay.clear()
        for area in standing_areas(encounter) if self.is_fight_running else ():
            squares = geometry.lasting_squares(encounter, self.document.rules, area)
            is_here = floors.floor_at(self.field, min(squares, default=(0, -1))[1]) == self.document.floor
            if not is_here or geometry.is_carried_light(self.document.rules, area):  # the shading shows the light
                continue
            overlay.hatch(squares, "world", drawing.Z_RANGE)
            overlay.surround(squares, "world", drawing.Z_RING)
            row = min(row for _, row in squares)
            highest = [column for column, at in squares if at == row]
            middle = (min(highest) + max(highest) + 1) / 2
            name = tr("ui.map.area-hidden", name=area.name) if area.hidden else area.name
            overlay.add_label(drawing.MapLabel(name, (middle, row), "world", shrinks=True))

    def refresh_tokens(self) -> None:
        """Show the current tokens."""
        tokens = token_pixmaps.token_set_of(self.document.encounter, self.document.rules)
        before = self.selected_token()
        acted = self.active_token()
        if tokens != self.tokens:
            self.scene.set_tokens(tokens)
        acting = self.active_token()
        if acting is not None and acting.square is not None and (acted is None or acted.id != acting.id):
            self.document.show_floor(floors.floor_at(self.field, acting.square[1]))
        selected = tokens.with_id(self.selected)
        square = selected.square if selected is not None else None
        if before is not None and square not in (None, before.square):
            self.set_cursor(square)
        if self.selected and selected is None:
            self._on_selected(self.document.selection)
        self.tokensChanged.emit()

    def _on_changed(self, changed: scheduler.Changed) -> None:
        if changed.touches(Map.table):
            self.refresh_map()
        # the names of areas, or the look of obstacles and doors, may have changed
        renamed = changed.touches(Environment.table) and self.field.areas
        if renamed or changed.touches(ObstacleState.table, DoorState.table):
            self._on_picture()
        if changed.touches(running.Fog.table, Map.table):
            self.refresh_fog()
        if changed.touches(*(kind.table for kind in TOKEN_KINDS), Map.table):
            self.refresh_tokens()
        if changed.touches(*LASTING_TABLES):
            self.refresh_lasting()

    def _on_scaled(self, squares: list[QRect]) -> None:
        for part in squares:
            self.backdrop.repaint_squares(part)
        self.view.viewport().update()

    def _on_picture(self) -> None:
        self.backdrop.repaint_all()
        self.view.viewport().update()

    def _on_selected(self, key: Key | None) -> None:
        selected = self.selected_token()
        if selected is None or selected.key != key:
            token = self.tokens.for_record(key)
            self.selected = token.id if token is not None else ""
            self._frame(())
            if token is not None and token.square is not None:
                self.document.show_floor(floors.floor_at(self.field, token.square[1]))
                self.set_cursor(token.square)
        self.selectedChanged.emit()

    def _dress(self) -> None:
        for part in (self.backdrop, self.scene, self.view):
            part.set_theme(self._theme.theme)
