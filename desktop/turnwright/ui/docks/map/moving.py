"""Moving a token: its route, drawn with cost and provoked attacks, and the command at its end."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from turnwright.encounter.prepared import OBJECT, Point
from turnwright.encounter.running import Combatant
from turnwright.rules.system import creature_of
from turnwright.ui.docks.map import describe, drag_preview
from turnwright.ui.docks.map.drag_preview import DragPreview, MoveKind
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.move_preview import FreeMove, RulesMove, movement_modes
from turnwright.ui.docks.map.overlay import Z_DASH_RANGE, Z_RANGE, MapLabel
from turnwright.ui.docks.map.tokens import Token
from turnwright.ui.translations import tr

WALK = "walk"


class Mover:
    """Moves one token at a time on the canvas. `drag` is the present move."""

    def __init__(self, canvas: MapCanvas) -> None:
        self.canvas = canvas
        self.drag: DragPreview | None = None

    def begin(self, token: Token | None, mode: str = "") -> bool:
        """Begin to move a token; False, with a status text, where there is no token or no map."""
        stage, field = self.canvas, self.canvas.field
        if token is None or not stage.has_map:
            stage.statusChanged.emit(tr("ui.map.select-first"))
            return False
        if stage.is_fight_running and token.square is not None and not self._is_object(token):
            modes = movement_modes(stage.document, token.key[1])
            mode = mode if mode in modes else WALK if WALK in modes else modes[0]
            self.drag = DragPreview(token, RulesMove(stage.document, token.key[1], mode), mode)
        else:
            self.drag = DragPreview(token, FreeMove(token.square))
            if token.square is None:
                self.drag.move_to(stage.cursor or (field.columns // 2, field.rows // 2))
        self.show()
        return True

    def move_to(self, square: Point) -> None:
        """Move the token to a square, or to the nearest square where all of it is on the map."""
        if self.drag is not None and self.drag.move_to(self._held(square)):
            self.show()

    def step(self, step: Point) -> None:
        """Move the token by one square."""
        carry = self.drag
        if carry is None or carry.square is None:
            return
        goal = (carry.square[0] + step[0], carry.square[1] + step[1])
        if self._held(goal) == goal:
            carry.step(*step)
            self.show()
            self.canvas.view.show_square(goal, carry.token.size)

    def raise_by(self, feet: int) -> None:
        """Raise the elevation at the end of the move."""
        if self.drag is not None:
            self.drag.raise_by(feet)
            self.show()

    def next_mode(self) -> None:
        """Move by the next of the token's modes, to the same square."""
        carry = self.drag
        if carry is None or not isinstance(carry.move_rules, RulesMove):
            return
        modes = movement_modes(self.canvas.document, carry.token.key[1])
        now = modes.index(carry.mode) if carry.mode in modes else 0
        goal = carry.square
        self.begin(carry.token, modes[(now + 1) % len(modes)])
        if goal is not None:
            self.move_to(goal)

    def show(self) -> None:
        """Draw the range, the route, its cost and the attacks that it provokes."""
        carry, over = self.drag, self.canvas.scene.overlay
        if carry is None:
            return
        over.clear()
        if isinstance(carry.move_rules, RulesMove):
            reach = carry.move_rules.move_range()
            near = occupied_squares(reach.reachable, carry.token.size)
            over.tint(occupied_squares(reach.reachable_by_dash, carry.token.size) - near, "accent", 24, Z_DASH_RANGE)
            over.tint(near, "accent", 62, Z_RANGE)
            over.surround(near, "accent", Z_RANGE)
        way, middle = carry.route, carry.token.size / 2
        tone = "harm" if way.refusal else "accent"
        over.draw_route([(column + middle, row + middle) for column, row in way.path], tone)
        over.mark((square for square, _ in way.provokes), "warn")
        for square, who in way.provokes:
            over.add_label(MapLabel(tr("ui.map.opportunity-attacks", who=who), (square[0] + 0.5, square[1]), "warn"))
        if carry.square is not None and carry.has_moved:
            self.canvas.scene.show_ghost(carry.token, carry.square)
            price = tr("ui.map.feet", n=way.feet) if way.feet is not None else ""
            text = " · ".join(part for part in (price, way.refusal) if part)
            if text:
                over.add_label(
                    MapLabel(text, (carry.square[0] + middle, carry.square[1] + carry.token.size), tone, below=True)
                )
        else:
            self.canvas.scene.hide_ghost()
        self.canvas.statusChanged.emit(describe.describe_drag(self.canvas.document, carry))

    def drop(self, *, ignore_rules: bool, screen: QPoint) -> None:
        """End the move where the token is: by the rules, or by ruling with `ignore_rules`."""
        carry = self.drag
        if carry is None or not carry.has_moved or carry.square is None:
            self.clear()
            return
        if not self.canvas.is_fight_running:
            self.clear()
            self._place_before(carry)
            return
        how: MoveKind | None = "travel"
        if ignore_rules or carry.token.square is None or self._is_object(carry.token):
            how = "put"
        elif not carry.token.active:
            how = self.ask_move_kind(carry, screen)
        self.clear()
        if how is not None:
            self.canvas.document.execute(drag_preview.move_command(carry, how))

    def ask_move_kind(self, drag: DragPreview, screen: QPoint) -> MoveKind | None:
        """Ask for the kind of movement of a combatant whose turn it is not; None where the menu is closed."""
        menu = QMenu(self.canvas.view)
        menu.setAccessibleName(tr("ui.map.how", who=drag.token.label))
        chosen: list[MoveKind] = []
        how: MoveKind
        for how in ("forced", "teleport", "put", "travel"):
            menu.addAction(tr(f"ui.map.how-{how}"), partial(chosen.append, how))
        menu.setActiveAction(menu.actions()[0])
        menu.exec(screen if not screen.isNull() else QCursor.pos())
        menu.deleteLater()
        return chosen[0] if chosen else None

    def _is_object(self, token: Token) -> bool:
        """Return whether a token is an object's: it walks nowhere, and a vehicle takes along who stands in it."""
        encounter = self.canvas.document.encounter
        return creature_of(encounter, encounter.need(Combatant, token.key[1])).type == OBJECT

    def clear(self) -> None:
        """Cancel the move."""
        self.drag = None
        self.canvas.scene.overlay.clear()
        self.canvas.scene.hide_ghost()

    def _held(self, square: Point) -> Point:
        across = self.drag.token.size if self.drag is not None else 1
        field = self.canvas.field
        return max(0, min(field.columns - across, square[0])), max(0, min(field.rows - across, square[1]))

    def _place_before(self, carry: DragPreview) -> None:
        document, at = self.canvas.document, carry.square or (0, 0)
        command = drag_preview.placement_command(document, carry.token, at, carry.elevation)
        if command is not None and document.execute(command):
            there = [one for one in self.canvas.tokens.at(at) if one.key == carry.token.key]
            if there:
                self.canvas.select(there[0])


def occupied_squares(positions: frozenset[Point], size: int) -> frozenset[Point]:
    """Return the squares that a token of a size occupies in all these positions (upper left squares)."""
    if size == 1:
        return positions
    aside = range(size)
    return frozenset((column + right, row + down) for column, row in positions for right in aside for down in aside)
