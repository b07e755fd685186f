"""Moving tokens and aiming attacks on the map.

Moving a token: draws the route with its cost and opportunity attacks, and executes the command at the end.

Aiming on the map: the attack's range as a ring, lines of sight to the target, and cover and flanking as text.
"""

import msgspec
from PySide6.QtCore import QLineF, QPoint
from PySide6.QtGui import QCursor, QPainterPath
from PySide6.QtWidgets import QMenu

from turnwright.encounter.floors import floor_at, width_of
from turnwright.encounter.prepared import OBJECT, MapFloor, Point
from turnwright.encounter.running import Combatant
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.movement.move_legs import rider_vetoes
from turnwright.rules.system import creature_of
from turnwright.ui.docks.map import popovers
from turnwright.ui.docks.map.drawing.drawing import Z_DASH_RANGE, Z_RANGE, MapLabel, layer_rows, ring_path
from turnwright.ui.docks.map.drawing.token_pixmaps import Token, neighbour
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.tools import drag_preview
from turnwright.ui.docks.map.tools.drag_preview import DragPreview, FightMoveRules, MoveKind, MoveRules, movement_modes
from turnwright.ui.docks.map.tools.line_of_sight_info import AttackRange, Sightline, attack_ranges, sightline
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.look.style import tr

WALK = "walk"
MOVE_KINDS: tuple[MoveKind, ...] = ("forced", "teleport", "put", "travel")  # in the order of the menu


class Mover:
    """Moves one token at a time on the canvas. `drag` is the current move."""

    def __init__(self, canvas: MapCanvas) -> None:
        self.canvas = canvas
        self.drag: DragPreview | None = None

    def begin(self, token: Token | None, mode: str = "") -> bool:
        """Start moving a token. If there is no token or no map, show a status text and return False."""
        stage = self.canvas
        if token is None or not stage.has_map:
            stage.statusChanged.emit(tr("ui.map.select-first"))
            return False
        if stage.is_fight_running and token.square is not None and not self._is_object(token):
            modes = movement_modes(stage.document, token.key[1])
            mode = mode if mode in modes else WALK if WALK in modes else modes[0]
            self.drag = DragPreview(token, FightMoveRules(stage.document, token.key[1], mode), mode)
            for veto in rider_vetoes(stage.document.encounter, stage.document.rules, token.key[1]):
                refusal = explainer(stage.document).veto_text(veto)
                self.drag.route = msgspec.structs.replace(self.drag.route, refusal=refusal)
        else:
            self.drag = DragPreview(token, MoveRules(token.square))
            if token.square is None:
                middle = stage.extent.center()
                self.drag.move_to(stage.cursor or (middle.x(), middle.y()))
        self.show()
        return True

    def move_to(self, square: Point) -> None:
        """Move the token to a square, or to the nearest square at which it fits on the map."""
        if self.drag is not None and self.drag.move_to(self._held(square)):
            self.show()

    def step(self, step: Point) -> None:
        """Move the token by one square."""
        drag = self.drag
        if drag is None or drag.square is None:
            return
        goal = (drag.square[0] + step[0], drag.square[1] + step[1])
        if self._held(goal) == goal:
            drag.step(*step)
            self.show()
            self.canvas.view.show_square(goal, drag.token.size)

    def raise_by(self, feet: int) -> None:
        """Raise the elevation at the end of the move."""
        if self.drag is not None:
            self.drag.raise_by(feet)
            self.show()

    def next_mode(self) -> None:
        """Switch to the token's next movement mode, keeping the destination."""
        drag = self.drag
        if drag is None or not isinstance(drag.move_rules, FightMoveRules):
            return
        modes = movement_modes(self.canvas.document, drag.token.key[1])
        index = modes.index(drag.mode) if drag.mode in modes else 0
        goal = drag.square
        self.begin(drag.token, modes[(index + 1) % len(modes)])
        if goal is not None:
            self.move_to(goal)

    def show(self) -> None:
        """Draw the range, the route, its cost and the opportunity attacks it provokes."""
        drag, overlay = self.drag, self.canvas.scene.overlay
        if drag is None:
            return
        overlay.clear()
        if isinstance(drag.move_rules, FightMoveRules):
            reach = drag.move_rules.move_range()
            near = occupied_squares(reach.reachable, drag.token.size)
            overlay.tint(occupied_squares(reach.reachable_by_dash, drag.token.size) - near, "accent", 24, Z_DASH_RANGE)
            overlay.tint(near, "accent", 62, Z_RANGE)
            overlay.surround(near, "accent", Z_RANGE)
        route, middle = drag.route, drag.token.size / 2
        tone = "harm" if route.refusal else "accent"
        overlay.draw_route([(column + middle, row + middle) for column, row in route.path], tone)
        overlay.mark((square for square, _ in route.provokes), "warn")
        for square, who in route.provokes:
            overlay.add_label(MapLabel(tr("ui.map.opportunity-attacks", who=who), (square[0] + 0.5, square[1]), "warn"))
        if drag.square is not None and drag.has_moved:
            self.canvas.scene.show_ghost(drag.token, drag.square)
            price = tr("ui.map.feet", n=route.feet) if route.feet is not None else ""
            if text := popovers.joined(price, route.refusal):
                below = (drag.square[0] + middle, drag.square[1] + drag.token.size)
                overlay.add_label(MapLabel(text, below, tone, below=True))
        else:
            self.canvas.scene.hide_ghost()
        self.canvas.statusChanged.emit(popovers.describe_drag(self.canvas.document, drag))

    def drop(self, *, ignore_rules: bool, screen: QPoint) -> None:
        """End the move at the token's current square. With `ignore_rules`, the game master allows any move."""
        drag = self.drag
        if drag is None or not drag.has_moved or drag.square is None:
            self.clear()
            return
        if not self.canvas.is_fight_running:
            self.clear()
            self._place_before(drag)
            return
        kind: MoveKind | None = "travel"
        if ignore_rules or drag.token.square is None or self._is_object(drag.token):
            kind = "put"
        elif not drag.token.active:
            kind = self.ask_move_kind(drag, screen)
        self.clear()
        if kind is not None:
            self.canvas.document.execute(drag_preview.move_command(drag, kind))

    def ask_move_kind(self, drag: DragPreview, screen: QPoint) -> MoveKind | None:
        """Ask how a combatant moves outside its turn. Return None if the user closes the menu."""
        menu = QMenu(self.canvas.view)
        menu.setAccessibleName(tr("ui.map.how", who=drag.token.label))
        kinds = {menu.addAction(tr(f"ui.map.how-{kind}")): kind for kind in MOVE_KINDS}
        menu.setActiveAction(menu.actions()[0])
        chosen = menu.exec(screen if not screen.isNull() else QCursor.pos())
        menu.deleteLater()
        return kinds.get(chosen)

    def _is_object(self, token: Token) -> bool:
        """Whether a token is an object. Objects don't walk, and vehicles also move everyone inside."""
        encounter = self.canvas.document.encounter
        return creature_of(encounter, encounter.need(Combatant, token.key[1])).type == OBJECT

    def to_floor(self, token: Token, floor: MapFloor) -> None:
        """Move a token to the same place on another floor, or to the nearest free square."""
        field, document, (column, row) = self.canvas.field, self.canvas.document, token.square or (0, floor.row)
        row += floor.row - (floor_at(field, row) or floor).row
        columns, ground = range(width_of(field, floor) + 1 - token.size), layer_rows(field, "ground")
        squares = [(x, y) for y in range(floor.row, floor.row + floor.rows + 1 - token.size) for x in columns]
        free = [at for at in squares if not self.canvas.tokens.at(at) and ground[at[1]][at[0]] != "#"]
        nearest = min(free or squares, key=lambda at: max(abs(at[0] - column), abs(at[1] - row)))
        command = drag_preview.placement_command(document, token, nearest, None)
        command = SetPosition(token.key[1], position=nearest) if self.canvas.is_fight_running else command
        if command is not None and document.execute(command):
            document.show_floor(floor)
            self.canvas.set_cursor(nearest)

    def clear(self) -> None:
        """Cancel the move."""
        self.drag = None
        self.canvas.scene.overlay.clear()
        self.canvas.scene.hide_ghost()

    def _held(self, square: Point) -> Point:
        across = self.drag.token.size if self.drag is not None else 1
        extent = self.canvas.extent.adjusted(0, 0, 1 - across, 1 - across)
        column, row = min(extent.right(), square[0]), min(extent.bottom(), square[1])
        return max(0, column), max(extent.top(), row)

    def _place_before(self, drag: DragPreview) -> None:
        document, at = self.canvas.document, drag.square or (0, 0)
        command = drag_preview.placement_command(document, drag.token, at, drag.elevation)
        if command is not None and document.execute(command):
            tokens = [token for token in self.canvas.tokens.at(at) if token.key == drag.token.key]
            if tokens:
                self.canvas.select(tokens[0])


def occupied_squares(positions: frozenset[Point], size: int) -> frozenset[Point]:
    """Return all squares that a token of this size occupies in any of these positions (its upper left squares)."""
    if size == 1:
        return positions
    aside = range(size)
    return frozenset((column + right, row + down) for column, row in positions for right in aside for down in aside)


COVER_TONES = {"none": "heal", "half": "warn", "three-quarters": "warn", "total": "harm"}
TOO_FAR = "ui.map.too-far"


class Aimer:
    """Aims from `attacker` at `target`. Both are None while not aiming."""

    def __init__(self, canvas: MapCanvas) -> None:
        self.canvas = canvas
        self.attacker: Token | None = None
        self.target: Token | None = None
        self.sightline: Sightline | None = None
        self._means: list[AttackRange] = []

    def begin(self, attacker: Token | None) -> bool:
        """Start aiming from a token. If it can't attack, show a status text and return False."""
        if not self.canvas.is_fight_running or attacker is None or attacker.square is None:
            key = "ui.map.select-first" if self.canvas.is_fight_running else "ui.map.aim-later"
            self.canvas.statusChanged.emit(tr(key))
            return False
        self.attacker, self.target = attacker, None
        self._means = attack_ranges(self.canvas.document, attacker.key[1])
        self.show()
        return True

    def aim_at(self, target: Token | None) -> None:
        """Set the target, or clear it if it is None or the attacker."""
        can_aim = target is not None and self.attacker is not None and target.key != self.attacker.key
        self.target = target if can_aim else None
        self.show()

    def next_target(self, by: int) -> None:
        """Aim at the next or previous living token of another side, in reading order."""
        side = self.attacker.side if self.attacker is not None else ""
        living = (token for token in self.canvas.tokens.placed() if token.look.state != "dead")
        others = (token for token in living if token.side != side)
        target = neighbour(others, self.target.id if self.target is not None else "", by)
        if target is not None:
            self.aim_at(target)

    def next_weapon(self) -> None:
        """Aim with the next attack of the stat block."""
        self._means = [*self._means[1:], *self._means[:1]]
        self.show()

    def clear(self) -> None:
        """Stop aiming."""
        self.attacker = self.target = self.sightline = None
        self.canvas.scene.overlay.clear()

    def show(self) -> None:
        """Draw the ring and the lines, and show distance, cover and flanking in the status text."""
        attacker, target = self.attacker, self.target
        if attacker is None:
            return
        self.canvas.scene.overlay.clear()
        self.sightline = None
        self._show_ring(attacker)
        if target is None:
            self.canvas.statusChanged.emit(tr("ui.map.aim-how", who=attacker.label, means=self._words()))
            return
        line = self.sightline = sightline(self.canvas.document, attacker.key[1], target.key[1])
        self._show_line(target, line)
        words = popovers.describe_sightline(attacker, target, line, self._words(), self._stretch(line))
        self.canvas.statusChanged.emit(words)

    def _show_line(self, target: Token, line: Sightline) -> None:
        overlay = self.canvas.scene.overlay
        overlay.draw_lines((QLineF(*sight_line[:4]) for sight_line in line.lines if not sight_line[4]), "heal")
        overlay.draw_lines((QLineF(*sight_line[:4]) for sight_line in line.lines if sight_line[4]), "harm", dashed=True)
        overlay.mark(line.cover_squares, "harm")
        overlay.draw_lines((QLineF(*wall) for wall in line.walls), "harm")
        grade = line.grade or "none"
        stretch = self._stretch(line)
        short = popovers.joined(
            tr("ui.map.feet", n=line.distance) if line.distance is not None else "",
            tr(f"ui.map.cover-{grade}"),
            tr("ui.map.flanked") if line.flanked else "",
            tr(stretch) if stretch else "",
        )
        column, row = target.square or (0, 0)
        tone = "harm" if stretch == TOO_FAR else COVER_TONES[grade]
        overlay.add_label(MapLabel(short, (column + target.size / 2, row), tone))

    def _show_ring(self, attacker: Token) -> None:
        attack_range = next(iter(self._means), None)
        if attacker.square is None or attack_range is None:
            return
        field = self.canvas.field
        board = QPainterPath()
        board.addRect(0, 0, field.columns, field.rows)
        rings = [(attack_range.normal, False)]
        if attack_range.long > attack_range.normal:
            rings.append((attack_range.long, True))
        for feet, dashed in rings:
            path = ring_path(attacker.square, attacker.size, feet // field.cell, field.diagonals)
            if not path.contains(board.boundingRect()):  # no ring if the whole map is in range
                self.canvas.scene.overlay.outline(path.intersected(board), "accent", dashed=dashed)

    def _stretch(self, line: Sightline) -> str:
        """Return the word key for long range or out of range, or an empty string within normal range."""
        attack_range = next(iter(self._means), None)
        if attack_range is None or line.distance is None or line.distance <= attack_range.normal:
            return ""
        return TOO_FAR if line.distance > attack_range.long else "ui.map.long-range"

    def _words(self) -> str:
        if (attack_range := next(iter(self._means), None)) is None:
            return ""
        long = f"/{attack_range.long}" if attack_range.long > attack_range.normal else ""
        name = attack_range.name or tr("ui.map.reach")
        return tr("ui.map.attack-range", name=name, feet=f"{attack_range.normal}{long}")
