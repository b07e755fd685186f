"""The tool that places an area on the map: its shape, position, direction and counting, and the creatures inside.

Walls can cut off squares and creatures from the area's origin.
"""

from collections.abc import Callable
from functools import partial
from math import atan2, degrees
from typing import Final

import msgspec
from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QKeyEvent

from turnwright.battlemap.paths import AreaShape, Placement, ShapeKind, SquareCount, cut_off, placement_from, squares_in
from turnwright.battlemap.spaces import Space
from turnwright.encounter.prepared import Point, StraightLine
from turnwright.encounter.running import AreaMoment
from turnwright.play.environment.map_changes import LayArea
from turnwright.play.state.effect_records import concentration_of
from turnwright.rules.parts.positions import geometry
from turnwright.ui.docks.map.drawing.drawing import Z_RANGE, Z_ROUTE, MapLabel
from turnwright.ui.docks.map.drawing.token_pixmaps import Token
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.popovers import joined
from turnwright.ui.docks.map.tools.line_of_sight_info import named_walls
from turnwright.ui.docks.map.tools.select_tool import CONFIRM_KEYS, step_for_key
from turnwright.ui.docks.map.view import COMMAND_MODIFIERS, Act, MapTool, PointerPosition
from turnwright.ui.look.style import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.rules.why import Explanation, ExplanationLine
from turnwright.ui.widgets.text import pressed_character

KINDS: Final[tuple[ShapeKind, ...]] = ("burst", "cone", "line", "cube", "emanation", "wall")
COUNTS: Final[tuple[SquareCount, ...]] = ("centre", "half", "touch", "steps")
USUAL_SIZES: Final = {"burst": 4, "cone": 3, "line": 6, "cube": 3, "emanation": 2, "wall": 6}
SILENT: Final[SquareCount] = "half"  # default if the rule system doesn't define a method
TURN, EIGHTH = 15, 45  # degrees
MOST_SQUARES = 100
Finished = Callable[[tuple[str, ...] | None], object]


class LaidArea(msgspec.Struct, frozen=True):
    """The squares inside an area, the squares that walls cut off from its origin, and the tokens on both.

    `walls` are the segments that block its lines of effect. `stopped` lists the tokens cut off and the obstructions.
    """

    squares: frozenset[Point] = frozenset()
    cut_off: frozenset[Point] = frozenset()
    inside: tuple[Token, ...] = ()
    stopped: tuple[tuple[Token, str], ...] = ()
    walls: tuple[StraightLine, ...] = ()


def laid_area(
    document: DocumentModel, tokens: list[Token], shape: AreaShape, placement: Placement, count: SquareCount
) -> LaidArea:
    """Return the squares and tokens that an area affects on the encounter's map."""
    grid, figures = geometry.map_grid(document.encounter), document.rules.data.grid.areas
    if grid is None:
        return LaidArea()
    covered = squares_in(grid, shape, placement, count, diagonals=figures.diagonals)
    origin = placement.at[0], placement.at[1]
    behind = cut_off(grid, covered, origin)
    walls, _ = named_walls(document, tuple(behind.values()))
    reached = covered - behind.keys()
    inside = tuple(token for token in tokens if token.squares & reached)
    shut = [token for token in tokens if token not in inside and token.squares & covered]
    blockers = {token: tuple(behind[square] for square in token.squares & covered) for token in shut}
    stopped = tuple((token, ", ".join(named_walls(document, stop)[1])) for token, stop in blockers.items())
    return LaidArea(frozenset(reached), frozenset(behind), inside, stopped, walls)


def placement_at(square: Point, cell: int, shape: AreaShape, bearing: float) -> Placement:
    """Return the placement of a free shape at a corner, side or centre of a square, depending on the shape."""
    across = (shape.feet if shape.kind == "cube" else shape.width or cell) // cell
    column, row = float(square[0]), float(square[1])
    if shape.kind == "emanation":
        return Placement((column + 0.5, row + 0.5), bearing, Space(*square, side=cell))
    if shape.kind != "burst" and bearing % 90 == 0 and (across % 2 or shape.kind == "cone"):
        return Placement((column, row + 0.5) if bearing % 180 == 0 else (column + 0.5, row), bearing)
    return Placement((column, row), bearing)


def explain_area(info: LaidArea, title: str, counted: str) -> Explanation:
    """Explain which tokens are in an area, and which obstructions protect the others."""
    lines = [ExplanationLine("✓", token.label) for token in info.inside]
    stopped = ((token.label, what or tr("ui.map.barrier")) for token, what in info.stopped)
    lines += [ExplanationLine("✕", tr("ui.map.area-cut-off", who=who, what=what)) for who, what in stopped]
    return Explanation(title, tr("ui.map.area-count", n=len(info.inside)), tuple(lines), notes=(counted,))


class TemplateTool(MapTool):
    """Places one area at a time. `shape` is None while the tool is idle. `keep` is called if the area should last.

    Unless the area is free, it originates at the `caster`'s space. `finished` is called with the ids of the combatants
    inside, or with None if the user cancels.
    """

    def __init__(self, canvas: MapCanvas, keep: Callable[[], object]) -> None:
        self.canvas = canvas
        self._keep = keep
        self.shape: AreaShape | None = None
        self.caster: Token | None = None
        self.info = LaidArea()
        self.square: Point = (0, 0)
        self._bearing: float = 0
        self._free = False
        self._chosen: dict[str, SquareCount] = {}
        self._finished: Finished = lambda _ids: None
        self._last: tuple[ShapeKind, Placement, SquareCount] = "cone", Placement((0, 0), 0), SILENT

    def begin(self, shape: AreaShape, caster: Token | None, finished: Finished, *, free: bool = True) -> None:
        """Start placing a shape.

        With `free`, its origin can be any square. Otherwise it is the caster's space, and a burst becomes an emanation.
        """
        self.caster = caster if caster is not None and caster.square is not None else None
        self._finished = finished
        self._free = free or self.caster is None
        self._bearing = 0
        self.square = self._first_square()
        is_emanation = shape.kind == "burst" and not self._free
        self.shape = AreaShape("emanation", shape.feet) if is_emanation else shape
        self.show()

    @property
    def count(self) -> SquareCount:
        """The method of counting the shape's squares: the user's choice, or else that of the rule system."""
        kind = self.shape.kind if self.shape is not None else "burst"
        return self._chosen.get(kind) or self._by_book(kind) or SILENT

    @property
    def origin(self) -> Point | None:
        """The square from which the area spreads, or None if it starts at the caster's space."""
        return self.square if self._free else None

    # Pointer ---------------------------------------------------------------------------------------------------

    def press(self, spot: PointerPosition) -> None:
        """Confirm the area at a position."""
        self.hover(spot)
        self.confirm()

    def hover(self, spot: PointerPosition) -> None:
        """Move the area to a position. If it originates at a caster, turn it towards the position instead."""
        if self.shape is None:
            return
        self.square = spot.square
        caster = self.caster
        if not self._free and caster is not None and caster.square is not None:
            half = (1 - caster.size) / 2
            right, below = (here - there + half for here, there in zip(spot.square, caster.square, strict=True))
            if right or below:
                step = self._step()
                self._bearing = step * round(degrees(atan2(below, right)) / step) % 360
        self.show()

    def turn(self, steps: int) -> bool:
        """Turn the area by steps of the mouse wheel. Return False if the tool is idle."""
        if self.shape is None:
            return False
        self._bearing = (self._bearing + steps * self._step()) % 360
        self.show()
        return True

    # Keys ------------------------------------------------------------------------------------------------------

    @property
    def holds_keys(self) -> bool:
        """Whether an area is being placed."""
        return self.shape is not None

    def action_for(self, event: QKeyEvent) -> Act | None:
        """Return the action of a key, or None if it has none at present."""
        key, shape, character = Qt.Key(event.key()), self.shape, pressed_character(event)
        if shape is None or event.modifiers() & COMMAND_MODIFIERS:
            return None
        if (step := step_for_key(event)) is not None:
            return partial(self._go, step)
        if character.isdecimal():
            return partial(self._choose_kind, int(character) - 1) if 1 <= int(character) <= len(KINDS) else None
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        acts: dict[Qt.Key, Act] = {
            **dict.fromkeys(CONFIRM_KEYS, self.confirm),
            **dict.fromkeys((Qt.Key.Key_Plus, Qt.Key.Key_Equal), partial(self._resize, 1)),
            Qt.Key.Key_Minus: partial(self._resize, -1),
            Qt.Key.Key_Escape: self.cancel,
            Qt.Key.Key_L: self._keep,
            Qt.Key.Key_R: partial(self.turn, -1 if back else 1),
            Qt.Key.Key_C: self._count_otherwise,
            Qt.Key.Key_O: self._switch_origin,
        }
        return acts.get(key)

    def _choose_kind(self, place: int) -> None:
        self.shape = self.usual(KINDS[place])
        self.show()

    def _count_otherwise(self) -> None:
        if self.shape is not None:
            self._chosen[self.shape.kind] = COUNTS[(COUNTS.index(self.count) + 1) % len(COUNTS)]
            self.show()

    def _switch_origin(self) -> None:
        self._free = not self._free or self.caster is None
        self.show()

    # Commands --------------------------------------------------------------------------------------------------

    def confirm(self) -> None:
        """Finish with the combatants inside the area."""
        self._end(tuple(token.key[1] for token in self.info.inside))

    def lasting(self, reminds: AreaMoment, *, hidden: bool = False) -> LayArea | None:
        """Return the command that places a lasting area, or None if the tool is idle.

        An emanation moves with its owner. If the owner is concentrating, the area takes its name from that spell and
        ends with it.
        """
        shape, document = self.shape, self.canvas.document
        if shape is None:
            return None
        owner = self.caster.key[1] if self.caster is not None else ""
        holds = concentration_of(document.encounter, document.rules, owner) if owner else None
        name = holds.source if holds is not None and holds.source else self._title()
        if shape.kind == "emanation" and owner and not self._free:
            return LayArea(name, owner, radius=shape.feet, held=holds is not None, reminds=reminds, hidden=hidden)
        squares = tuple(sorted(self.info.squares))
        return LayArea(name, owner, squares, held=holds is not None, reminds=reminds, hidden=hidden)

    def cancel(self) -> bool:
        """Cancel the area. Return False if the tool is idle."""
        if self.shape is None:
            return False
        self._end(None)
        return True

    def show(self) -> None:
        """Draw the area, and name the creatures inside in the status text."""
        shape, canvas = self.shape, self.canvas
        overlay = canvas.scene.overlay
        overlay.clear()
        if shape is None:
            return
        placed = self._placement(shape)
        living = [token for token in canvas.tokens.placed() if token.look.state != "dead"]
        if shape.kind == "emanation":
            living = [token for token in living if self.caster is None or token.id != self.caster.id]
        self.info = info = laid_area(canvas.document, living, shape, placed, self.count)
        overlay.tint(info.squares, "accent", 60, Z_RANGE)
        overlay.surround(info.squares, "accent", Z_ROUTE)
        overlay.mark(info.cut_off, "muted")
        overlay.draw_lines((QLineF(*wall) for wall in info.walls), "harm")
        for token in info.inside:
            column, row = token.square or (0, 0)
            overlay.add_label(MapLabel(f"✓ {token.label}", (column + token.size / 2, row), "text"))
        overlay.mark_point(placed.at, "accent")
        overlay.add_label(MapLabel(tr("ui.map.area-count", n=len(info.inside)), placed.at, "accent", below=True))
        canvas.statusChanged.emit(self.words())

    def words(self) -> str:
        """Return the status text: the shape, the creatures inside, and the method of counting squares."""
        names = ", ".join(token.label for token in self.info.inside) or tr("ui.map.area-nobody")
        inside = f"{tr('ui.map.area-count', n=len(self.info.inside))}: {names}"
        behind = ", ".join(token.label for token, _ in self.info.stopped)
        return joined(self._title(), inside, tr("ui.map.area-behind", who=behind) if behind else "", self._counted())

    def explain(self) -> Explanation | None:
        """Explain which creatures are inside the area and which are cut off. Return None if the tool is idle."""
        return explain_area(self.info, self._title(), self._counted()) if self.shape is not None else None

    # Implementation --------------------------------------------------------------------------------------------

    def _placement(self, shape: AreaShape) -> Placement:
        cell, document = self.canvas.field.cell, self.canvas.document
        if not self._free and self.caster is not None:
            space = geometry.space(document.encounter, document.rules, self.caster.key[1])
            if space is not None:
                return placement_from(space, cell, shape, self._bearing)
        return placement_at(self.square, cell, shape, self._bearing)

    def _first_square(self) -> Point:
        """Return the keyboard cursor's square, else the caster's, else the middle of the map."""
        field = self.canvas.field
        caster = self.caster.square if self.caster is not None else None
        return self.canvas.cursor or caster or (field.columns // 2, field.rows // 2)

    def _go(self, step: Point) -> None:
        """Move the area by one square. If it originates at a caster, turn it in the arrow's direction instead."""
        if self._free:
            field = self.canvas.field
            column, row = self.square[0] + step[0], self.square[1] + step[1]
            self.square = max(0, min(field.columns, column)), max(0, min(field.rows, row))
            self.canvas.view.show_square(self.square)
        else:
            self._bearing = degrees(atan2(step[1], step[0])) % 360
        self.show()

    def _step(self) -> int:
        """Return the angle of one turn in degrees: 45 for cubes or if squares are counted by distance, otherwise 15."""
        return EIGHTH if self.count == "steps" or (self.shape is not None and self.shape.kind == "cube") else TURN

    def _resize(self, by: int) -> None:
        cell, shape = self.canvas.field.cell, self.shape
        if shape is not None:
            feet = max(cell, min(MOST_SQUARES * cell, shape.feet + by * cell))
            self.shape = AreaShape(shape.kind, feet, shape.width)
            self.show()

    def usual(self, kind: ShapeKind) -> AreaShape:
        """Return a shape of the usual size."""
        return AreaShape(kind, USUAL_SIZES[kind] * self.canvas.field.cell)

    def _by_book(self, kind: ShapeKind) -> SquareCount | None:
        return dict(self.canvas.document.rules.data.grid.areas.by_shape()).get(kind) or None

    def _title(self) -> str:
        shape = self.shape or self.usual("burst")
        return tr("ui.map.area-of-size", shape=tr(f"ui.map.shape-{shape.kind}"), feet=shape.feet)

    def _counted(self) -> str:
        """Return a text about the method of counting squares, with a hint if the rule system leaves it open."""
        kind = self.shape.kind if self.shape is not None else "burst"
        if kind == "emanation":
            return tr("ui.map.count-steps")
        words = tr(f"ui.map.count-{self.count}")
        return words if self._by_book(kind) else tr("ui.map.count-by-table", how=words)

    def last_squares(self, feet: int) -> frozenset[Point]:
        """Return the squares of the last area at another size."""
        kind, placed, count = self._last
        return laid_area(self.canvas.document, [], AreaShape(kind, feet), placed, count).squares

    def _end(self, ids: tuple[str, ...] | None) -> None:
        if self.shape is not None:
            self._last = self.shape.kind, self._placement(self.shape), self.count
        self.shape, self.info = None, LaidArea()
        self.canvas.scene.overlay.clear()
        self._finished(ids)
