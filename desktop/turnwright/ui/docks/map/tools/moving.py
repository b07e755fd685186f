"""Moving tokens and aiming attacks on the map.

Moving a token: draws the route with its cost and opportunity attacks, and executes the command at the end.

Aiming on the map: the attack's range as a ring, lines of sight to the target, and cover and flanking as text.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from PySide6.QtCore import QLineF, QPoint
from PySide6.QtGui import QCursor, QPainterPath
from PySide6.QtWidgets import QMenu

from turnwright.battlemap.paths import places_near
from turnwright.encounter.floors import floor_at, width_of
from turnwright.encounter.prepared import OBJECT, MapFloor, Point
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.transaction import Command
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.movement.move_legs import rider_vetoes
from turnwright.rules.parts.positions.geometry import map_grid
from turnwright.rules.system import creature_of
from turnwright.ui.docks.map import popovers
from turnwright.ui.docks.map.drawing.drawing import Z_DASH_RANGE, Z_RANGE, MapLabel, ring_path
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
    """Moves tokens on the canvas. `drag` is the current move, and `others` are those of tokens that move along.

    Others keep their formation. Several unplaced tokens each go to a free square near the pointer instead. `stayed` names
    the tokens that the last move left behind, with the reasons.
    """

    def __init__(self, canvas: MapCanvas) -> None:
        self.canvas = canvas
        self.drag: DragPreview | None = None
        self.others: list[DragPreview] = []
        self.stayed = ""
        self._pointer: Point = (0, 0)

    @property
    def scatters(self) -> bool:
        """Whether several unplaced tokens are being placed."""
        return bool(self.others) and self.others[0].token.square is None

    def begin(self, token: Token | None, mode: str = "", others: Iterable[Token] = ()) -> bool:
        """Start moving a token and others. Without a token or a map, show a status text and return False."""
        stage = self.canvas
        if token is None or not stage.has_map:
            stage.statusChanged.emit(tr("ui.map.select-first"))
            return False
        self.drag = self._preview(token, mode)
        same = (other for other in others if (other.square is None) == (token.square is None))
        self.others = [self._preview(other, mode) for other in same]
        if token.square is None:
            self.move_to(stage.cursor or (stage.extent.center().x(), stage.extent.center().y()))
        self.show()
        return True

    def _preview(self, token: Token, mode: str = "") -> DragPreview:
        """Return the preview of a token's move, which begins where the token is."""
        document = self.canvas.document
        if not self.canvas.is_fight_running or token.square is None or self._is_object(token):
            return DragPreview(token, MoveRules(token.square))
        modes = movement_modes(document, token.key[1])
        mode = mode if mode in modes else WALK if WALK in modes else modes[0]
        drag = DragPreview(token, FightMoveRules(document, token.key[1], mode), mode)
        for veto in rider_vetoes(document.encounter, document.rules, token.key[1]):
            drag.route = msgspec.structs.replace(drag.route, refusal=explainer(document).veto_text(veto))
        return drag

    def move_to(self, square: Point) -> None:
        """Move the token to a square, or to the nearest square at which it and the others fit on the map."""
        self._pointer = self._held(square)
        if self.drag is not None and self.drag.move_to(self._pointer):
            self._bring_others(self.drag)
            self.show()

    def _bring_others(self, drag: DragPreview) -> None:
        spots: list[Point | None] = [_shifted(drag.square, drag.token, other.token) for other in self.others]
        if self.scatters:
            first, *spots = self.spots_near(self._pointer, [each.token for each in (drag, *self.others)])
            drag.route = drag_preview.PreviewedRoute((first,) if first is not None else ())
        for other, spot in zip(self.others, spots, strict=True):
            if spot is None:
                other.route = drag_preview.PreviewedRoute(())
            else:
                other.move_to(spot)

    def step(self, step: Point) -> None:
        """Move the token by one square."""
        drag = self.drag
        start = self._pointer if self.scatters or drag is None else drag.square
        if drag is None or start is None:
            return
        goal = (start[0] + step[0], start[1] + step[1])
        if self.scatters:
            self.move_to(goal)
        elif self._held(goal) == goal:
            drag.step(*step)
            self._bring_others(drag)
            self.show()
            self.canvas.view.show_square(goal, drag.token.size)

    def raise_by(self, feet: int) -> None:
        """Raise the elevation at the end of the move."""
        if self.drag is not None:
            for drag in (self.drag, *self.others):
                drag.raise_by(feet)
            self.show()

    def next_mode(self) -> None:
        """Switch to the token's next movement mode, keeping the destination."""
        drag = self.drag
        if drag is None or not isinstance(drag.move_rules, FightMoveRules):
            return
        modes = movement_modes(self.canvas.document, drag.token.key[1])
        index = modes.index(drag.mode) if drag.mode in modes else 0
        goal = drag.square
        self.begin(drag.token, modes[(index + 1) % len(modes)], [other.token for other in self.others])
        if goal is not None:
            self.move_to(goal)

    def show(self) -> None:
        """Draw the range, the routes, their costs and the opportunity attacks that the first provokes."""
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
        overlay.mark((square for square, _ in drag.route.provokes), "warn")
        for square, who in drag.route.provokes:
            overlay.add_label(MapLabel(tr("ui.map.opportunity-attacks", who=who), (square[0] + 0.5, square[1]), "warn"))
        for each in (drag, *self.others):
            self._show_route(each)
        if drag.square is not None and drag.has_moved:
            self.canvas.scene.show_ghost(drag.token, drag.square)
        else:
            self.canvas.scene.hide_ghost()
        self.canvas.statusChanged.emit(popovers.describe_drag(self.canvas.document, drag))

    def _show_route(self, drag: DragPreview) -> None:
        overlay, route, size = self.canvas.scene.overlay, drag.route, drag.token.size
        tone = "harm" if route.refusal else "accent"
        overlay.draw_route([(column + size / 2, row + size / 2) for column, row in route.path], tone)
        if drag.square is None or not drag.has_moved:
            return
        if drag is not self.drag:
            overlay.surround(occupied_squares(frozenset({drag.square}), size), tone, Z_RANGE)
        price = tr("ui.map.feet", n=route.feet) if route.feet is not None else ""
        if text := popovers.joined(price, route.refusal):
            below = (drag.square[0] + size / 2, drag.square[1] + size)
            overlay.add_label(MapLabel(text, below, tone, below=True))

    def drop(self, *, ignore_rules: bool, screen: QPoint) -> None:
        """End the move at the tokens' current squares. With `ignore_rules`, the game master allows any move."""
        moves = [drag for drag in (self.drag, *self.others) if drag is not None]
        drags = [drag for drag in moves if drag.has_moved and drag.square is not None]
        roomless = ", ".join(drag.token.label for drag in moves if drag.square is None)
        kind: MoveKind | None = "travel"
        if ignore_rules or all(not isinstance(drag.move_rules, FightMoveRules) for drag in drags):
            kind = "put"
        elif not all(drag.token.active for drag in drags):
            kind = self.ask_move_kind(drags[0], screen)
        self.clear()
        if drags and kind is not None:
            self.canvas.document.execute_together(self._commands(drags, kind))
            self.canvas.pick(token for drag in drags if (token := self.canvas.tokens.with_id(drag.token.id)))
        if roomless:
            self.stayed = tr("ui.map.no-room", who=roomless)

    def _commands(self, drags: list[DragPreview], kind: MoveKind) -> Iterator[Command | None]:
        """Yield the commands that move tokens. Those that the rules refuse try again after the others, or else stay."""
        document, refused, waiting = self.canvas.document, drags, list[DragPreview]()
        while len(refused) != len(waiting):
            waiting, refused = refused, []
            for drag in waiting:
                now = drag
                if kind == "travel" and len(drags) > 1 and drag.square is not None:
                    now = self._preview(self.canvas.tokens.with_id(drag.token.id) or drag.token, drag.mode)
                    now.move_to(drag.square)
                    if drag.elevation is not None:
                        now.raise_by(drag.elevation - now.token.elevation)
                if len(drags) > 1 and now.route.refusal and kind == "travel":
                    refused += [now] if now.has_moved else []  # a mount may have carried its rider there
                else:
                    yield drag_preview.move_command(document, now, kind)
        self.stayed = popovers.joined(*(f"{drag.token.label}: {drag.route.refusal}" for drag in refused))

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

    def to_floor(self, tokens: Iterable[Token], floor: MapFloor) -> None:
        """Move tokens to the same place on another floor, or to the nearest free square."""
        field, document = self.canvas.field, self.canvas.document
        for token in tokens:
            column, row = token.square or (0, floor.row)
            row += floor.row - (floor_at(field, row) or floor).row
            same = min(column, width_of(field, floor) - token.size), min(row, floor.row + floor.rows - token.size)
            at = self.spots_near(same, [token])[0] or same
            command = drag_preview.placement_command(document, token, at, None)
            command = SetPosition(token.key[1], position=at) if self.canvas.is_fight_running else command
            if command is not None and document.execute(command):
                document.show_floor(floor)
                self.canvas.set_cursor(at)

    def clear(self) -> None:
        """Cancel the move."""
        self.drag, self.others, self.stayed = None, [], ""
        self.canvas.scene.overlay.clear()
        self.canvas.scene.hide_ghost()

    def _held(self, square: Point) -> Point:
        """Return the square nearest to another one at which all moved tokens are on the map."""
        drag = self.drag
        moved = [] if drag is None or self.scatters else [drag, *self.others]
        ends = [(*_shifted((0, 0), moved[0].token, each.token), each.token.size) for each in moved] or [(0, 0, 1)]

        def held(axis: int, first: int, last: int) -> int:
            most = min(last + 1 - end[axis] - end[2] for end in ends)
            return max(first - min(end[axis] for end in ends), min(most, square[axis]))

        extent = self.canvas.extent
        return held(0, 0, extent.right()), held(1, extent.top(), extent.bottom())

    def spots_near(self, at: Point, tokens: Sequence[Token]) -> list[Point | None]:
        """Return a free place near a square for each token, large ones first, or None if there is none."""
        grid = map_grid(self.canvas.document.encounter)
        taken = {square for token in self.canvas.tokens.placed() for square in token.squares}
        sizes = [token.size for token in tokens]
        return places_near(grid, at, sizes, taken) if grid is not None else [None] * len(sizes)


def _shifted(square: Point | None, token: Token, other: Token) -> Point:
    """Return the square of another token if a token is moved to `square` and both keep their formation."""
    (column, row), start = square or (0, 0), token.square or (0, 0)
    end = other.square or start
    return column + end[0] - start[0], row + end[1] - start[1]


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
