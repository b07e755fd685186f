"""The select tool of the map: selects, moves and aims. Enter, Esc or the release of the mouse button ends a move."""

from collections.abc import Sequence
from enum import Enum
from functools import partial

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainterPath

from turnwright.encounter.prepared import Point
from turnwright.ui.docks.map.drawing.token_pixmaps import Token, neighbour
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.tools import drag_preview
from turnwright.ui.docks.map.tools.moving import Aimer, Mover
from turnwright.ui.docks.map.view import COMMAND_MODIFIERS, Act, MapTool, PointerPosition

ARROW_STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
KEYPAD_STEPS = {Qt.Key(Qt.Key.Key_1 + n): (n % 3 - 1, 1 - n // 3) for n in (0, 1, 2, 3, 5, 6, 7, 8)}
NUM_LOCK_OFF = (Qt.Key.Key_End, 1), (Qt.Key.Key_PageDown, 3), (Qt.Key.Key_Home, 7), (Qt.Key.Key_PageUp, 9)
KEYPAD_STEPS |= {key: KEYPAD_STEPS[Qt.Key(Qt.Key.Key_0 + digit)] for key, digit in NUM_LOCK_OFF}
CONFIRM_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
USE_KEYS = (*CONFIRM_KEYS, Qt.Key.Key_Space)
ALT = Qt.KeyboardModifier.AltModifier
ADD_MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class PointerMode(Enum):
    """The mode of the select tool."""

    IDLE = 0
    MOVING = 1
    AIMING = 2


class SelectTool(MapTool):
    """Selects, moves and aims on the canvas. `mode` is the current activity, handled by `mover` or `aimer`."""

    def __init__(self, canvas: MapCanvas) -> None:
        self.canvas = canvas
        self.mover = Mover(canvas)
        self.aimer = Aimer(canvas)
        self.mode = PointerMode.IDLE
        self._grabbed: Token | None = None
        self._grip: Point = (0, 0)
        self._by_mouse = False
        self._band: Point | None = None  # the first square of a frame around tokens to select

    # Pointer ---------------------------------------------------------------------------------------------------

    def press(self, spot: PointerPosition) -> None:
        """Grab the token at a position. While moving, drop the moved token; while aiming, set the target."""
        if self.mode is PointerMode.MOVING:
            self.mover.move_to(spot.square)
            self._put_down(spot.modifiers, spot.screen)
        elif self.mode is PointerMode.AIMING:
            self.aimer.aim_at(spot.token)
        elif spot.token is None:
            self._band = spot.square
            self.canvas.set_cursor(spot.square)
            if self.canvas.cursor is not None:
                self.canvas.announce_square(self.canvas.cursor)
        elif spot.modifiers & ADD_MODIFIERS:
            self.canvas.toggle(spot.token)
        else:
            if spot.token.id not in self.canvas.group:
                self.canvas.select(spot.token)
            self._grabbed = spot.token
            at = spot.token.square or spot.square
            self._grip = (spot.square[0] - at[0], spot.square[1] - at[1])

    def drag(self, spot: PointerPosition) -> None:
        """Move the grabbed token, or draw the frame around the tokens to select."""
        if self._band is not None:
            path = QPainterPath()
            path.addRect(QRectF(self._frame_to(spot.square)))
            self.canvas.scene.overlay.clear()
            self.canvas.scene.overlay.outline(path, "focus", dashed=True)
        if self._grabbed is None:
            return
        if self.mode is not PointerMode.MOVING:
            self.begin_move(self._grabbed)
            self._by_mouse = True
        self.mover.move_to((spot.square[0] - self._grip[0], spot.square[1] - self._grip[1]))

    def hover(self, spot: PointerPosition) -> None:
        """Show the route to a position, or aim at the token there."""
        if self.mode is PointerMode.MOVING:
            self.mover.move_to(spot.square)
        elif self.mode is PointerMode.AIMING and spot.token is not None:
            self.aimer.aim_at(spot.token)

    def release(self, spot: PointerPosition) -> None:
        """Drop the dragged token, or select the tokens in the frame."""
        if self.mode is PointerMode.MOVING and self._by_mouse:
            self.drag(spot)
            self._put_down(spot.modifiers, spot.screen)
        elif self._grabbed is not None and self.canvas.group:
            self.canvas.select(self._grabbed)
        elif self._band is not None and self.mode is PointerMode.IDLE:
            frame, placed = self._frame_to(spot.square), self.canvas.tokens.placed()
            self.canvas.scene.overlay.clear()
            before = self.canvas.picked() if spot.modifiers & ADD_MODIFIERS else []
            framed = [token for token in placed if any(frame.contains(*square) for square in token.squares)]
            if spot.square != self._band or self.canvas.group:
                self.canvas.pick({token.id: token for token in (*before, *framed)}.values())
        self._grabbed = self._band = None

    def _frame_to(self, square: Point) -> QRect:
        """Return the squares of the frame from its first square to another one."""
        (left, right), (top, bottom) = (sorted(pair) for pair in zip(self._band or square, square, strict=True))
        return QRect(left, top, right - left + 1, bottom - top + 1)

    # Keys ------------------------------------------------------------------------------------------------------

    @property
    def holds_keys(self) -> bool:
        """Whether a token is being moved or an attack aimed."""
        return self.mode is not PointerMode.IDLE

    def action_for(self, event: QKeyEvent) -> Act | None:
        """Return the action of a key, or None if it has none at present."""
        key = Qt.Key(event.key())
        is_moving, is_idle = self.mode is PointerMode.MOVING, self.mode is PointerMode.IDLE
        if key in CONFIRM_KEYS:
            is_used = not is_idle or (self.canvas.cursor is not None and self.canvas.tokens.at(self.canvas.cursor))
            return partial(self._enter, event.modifiers()) if is_used else None
        if event.modifiers() == Qt.KeyboardModifier.ControlModifier and is_idle:
            return {Qt.Key.Key_Space: self._toggle, Qt.Key.Key_A: self._pick_alike}.get(key)
        if event.modifiers() & COMMAND_MODIFIERS:
            return None
        if (step := step_for_key(event)) is not None:
            return partial(self._go, step)
        acts: dict[Qt.Key, tuple[object, Act]] = {
            Qt.Key.Key_Escape: (not is_idle, self.cancel),
            Qt.Key.Key_PageUp: (is_moving or self.canvas.selected_token(), partial(self.rise, 1)),
            Qt.Key.Key_PageDown: (is_moving or self.canvas.selected_token(), partial(self.rise, -1)),
            **dict.fromkeys((Qt.Key.Key_M, Qt.Key.Key_V), (True, self.begin_move)),
            Qt.Key.Key_T: (True, self.begin_aim),
            Qt.Key.Key_W: (is_moving, self.mover.next_mode),
            Qt.Key.Key_Home: (True, self.show_selected),
            Qt.Key.Key_Comma: (True, partial(self._select_next, -1)),
            Qt.Key.Key_Period: (True, partial(self._select_next, 1)),
            Qt.Key.Key_Delete: (is_idle, self.take_off),
        }
        is_possible, act = acts.get(key, (False, self.ignore))
        return act if is_possible and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier else None

    # Commands --------------------------------------------------------------------------------------------------

    def begin_move(self, token: Token | None = None) -> None:
        """Start moving a token, by default the selected or acting one."""
        self.cancel()
        token = token or self.canvas.selected_token() or self.canvas.active_token()
        group = self.canvas.picked() if token is not None and token.id in self.canvas.group else []
        if self.mover.begin(token, others=(other for other in group if other != token)):
            self.mode = PointerMode.MOVING
            self._by_mouse = False

    def begin_placing(self, tokens: Sequence[Token]) -> None:
        """Start placing tokens. Several go to free squares near the pointer."""
        self.cancel()
        if self.mover.begin(tokens[0], others=tokens[1:]):
            self.mode = PointerMode.MOVING

    def begin_aim(self, token: Token | None = None) -> None:
        """Start aiming from a token, by default the selected or acting one. While aiming, switch to the next attack."""
        if self.mode is PointerMode.AIMING:
            self.aimer.next_weapon()
            return
        self.cancel()
        if self.aimer.begin(token or self.canvas.selected_token() or self.canvas.active_token()):
            self.mode = PointerMode.AIMING

    def cancel(self) -> bool:
        """Cancel moving or aiming. Return False if the tool is idle."""
        if self.mode is PointerMode.IDLE:
            return False
        self._end()
        self.mover.clear()
        self.aimer.clear()
        self.canvas.selectedChanged.emit()
        return True

    def redraw(self) -> None:
        """Redraw the current move or aim after a change of the zoom."""
        if self.mode is PointerMode.MOVING:
            self.mover.show()
        elif self.mode is PointerMode.AIMING:
            self.aimer.show()

    def show_selected(self) -> None:
        """Scroll to the selected token, or to the acting one if none is selected."""
        token = self.canvas.selected_token() or self.canvas.active_token()
        if token is not None and token.square is not None:
            self.canvas.select(token)
            self.canvas.view.centerOn(self.canvas.scene.token_rect(token).center())

    # Implementation --------------------------------------------------------------------------------------------

    def _go(self, step: Point) -> None:
        if self.mode is PointerMode.MOVING:
            self.mover.step(step)
        elif self.mode is PointerMode.AIMING:
            self.aimer.next_target(1 if sum(step) > 0 else -1)
        else:
            self.canvas.step_cursor(step)

    def rise(self, steps: int) -> None:
        """Raise the selected tokens by steps of one square, or lower them if `steps` is negative."""
        feet = steps * self.canvas.field.cell
        document = self.canvas.document
        if self.mode is PointerMode.MOVING:
            self.mover.raise_by(feet)
        else:
            tokens = self.canvas.picked()
            document.execute_together(drag_preview.elevation_command(document, token, feet) for token in tokens)

    def _enter(self, modifiers: Qt.KeyboardModifier) -> None:
        if self.mode is PointerMode.MOVING:
            at = self.mover.drag.square if self.mover.drag is not None else None
            screen = self.canvas.view.viewport().mapToGlobal(self.canvas.view.point_of(at or (0, 0)))
            self._put_down(modifiers, screen)
            return
        if self.mode is PointerMode.AIMING:
            target = self.aimer.target
            self.cancel()
            if target is not None:
                self.canvas.select(target)
            return
        tokens = self.canvas.tokens.at(self.canvas.cursor) if self.canvas.cursor is not None else []
        if tokens:
            index = next((place for place, token in enumerate(tokens) if token.id == self.canvas.selected), -1)
            self.canvas.select(tokens[(index + 1) % len(tokens)])

    def _toggle(self) -> None:
        if self.canvas.cursor is not None and (tokens := self.canvas.tokens.at(self.canvas.cursor)):
            self.canvas.toggle(tokens[0])

    def _pick_alike(self) -> None:
        """Select all tokens on the map with the creature of the selected ones, or all tokens if these are selected."""
        placed, picked = list(self.canvas.tokens.placed()), self.canvas.picked()
        kinds = {self.canvas.creature_name(token) for token in picked}
        alike = [token for token in placed if self.canvas.creature_name(token) in kinds]
        self.canvas.pick(alike if len(alike) > len(picked) else placed)

    def _put_down(self, modifiers: Qt.KeyboardModifier, screen: QPoint) -> None:
        self._end()
        self.mover.drop(ignore_rules=bool(modifiers & ALT), screen=screen)
        self.canvas.selectedChanged.emit()
        if self.mover.stayed:
            self.canvas.statusChanged.emit(self.mover.stayed)

    def _end(self) -> None:
        self.mode = PointerMode.IDLE
        self._by_mouse = False

    def _select_next(self, by: int) -> None:
        if (token := neighbour(self.canvas.tokens.placed(), self.canvas.selected, by)) is not None:
            self.canvas.select(token, show=True)

    def take_off(self) -> None:
        """Take the selected tokens off the map."""
        document = self.canvas.document
        document.execute_together(drag_preview.removal_command(document, token) for token in self.canvas.picked())


class CursorTool(MapTool):
    """The base class of the tools that work with the mouse button, or at the keyboard cursor with Space or Enter."""

    def __init__(self, canvas: MapCanvas) -> None:
        self.canvas = canvas

    def draw_at(self, square: Point, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Use the tool at the keyboard cursor's square."""
        raise NotImplementedError

    def show_at_cursor(self) -> None:
        """Update the preview after a step of the keyboard cursor."""

    def action_for(self, event: QKeyEvent) -> Act | None:
        """Return the action of a key: move the keyboard cursor, or use the tool at it with Space or Enter."""
        if event.modifiers() & COMMAND_MODIFIERS:
            return None
        if (step := step_for_key(event)) is not None:
            return partial(self._step, step)
        if event.key() in USE_KEYS and (cursor := self.canvas.cursor) is not None:
            return partial(self.draw_at, cursor, event.modifiers())
        return None

    def _step(self, step: Point) -> None:
        self.canvas.step_cursor(step)
        self.show_at_cursor()


def step_for_key(event: QKeyEvent) -> Point | None:
    """Return the step for an arrow key or a number pad key (eight directions), or None for other keys."""
    key = Qt.Key(event.key())
    if event.modifiers() & Qt.KeyboardModifier.KeypadModifier and key in KEYPAD_STEPS:
        return KEYPAD_STEPS[key]
    return ARROW_STEPS.get(key)
