"""The hand that selects, moves and aims. Moving and aiming go on until Enter or Esc, or until the button is let go."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from turnwright.encounter.prepared import Point
from turnwright.ui.docks.map import carrying, describe
from turnwright.ui.docks.map.aiming import Aimer
from turnwright.ui.docks.map.moving import Mover
from turnwright.ui.docks.map.stage import NAME, Stage
from turnwright.ui.docks.map.tokens import Token
from turnwright.ui.docks.map.view import Spot

ARROWS = MappingProxyType(
    {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
)
PAD = MappingProxyType(
    {
        Qt.Key.Key_1: (-1, 1), Qt.Key.Key_2: (0, 1), Qt.Key.Key_3: (1, 1), Qt.Key.Key_4: (-1, 0),
        Qt.Key.Key_6: (1, 0), Qt.Key.Key_7: (-1, -1), Qt.Key.Key_8: (0, -1), Qt.Key.Key_9: (1, -1),
    }
)  # fmt: skip
ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
ALT = Qt.KeyboardModifier.AltModifier
HELD = Qt.KeyboardModifier.ControlModifier | ALT | Qt.KeyboardModifier.MetaModifier


class Doing(Enum):
    """What the hand is about."""

    NOTHING = 0
    MOVING = 1
    AIMING = 2


class Pointer:
    """Works on a stage. `doing` says what it is about now; `mover` and `aimer` do it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.mover = Mover(stage)
        self.aimer = Aimer(stage)
        self.doing = Doing.NOTHING
        self._grabbed: Token | None = None
        self._grip: Point = (0, 0)
        self._by_mouse = False

    # Pointing --------------------------------------------------------------------------------------------------

    def press(self, spot: Spot) -> None:
        """Take hold of whoever is there; while moving put down, while aiming choose them."""
        if self.doing is Doing.MOVING:
            self.mover.bring(spot.square)
            self._put_down(spot)
        elif self.doing is Doing.AIMING:
            self.aimer.at(spot.token)
        elif spot.token is None:
            self.stage.set_cursor(spot.square)
            self.say_square(spot.square)
        else:
            self.stage.select(spot.token)
            self._grabbed = spot.token
            at = spot.token.at or spot.square
            self._grip = (spot.square[0] - at[0], spot.square[1] - at[1])

    def drag(self, spot: Spot) -> None:
        """Carry whoever was taken hold of."""
        if self._grabbed is None:
            return
        if self.doing is not Doing.MOVING:
            self.begin_move(self._grabbed)
            self._by_mouse = True
        self.mover.bring((spot.square[0] - self._grip[0], spot.square[1] - self._grip[1]))

    def hover(self, spot: Spot) -> None:
        """Show the way to there, or whom one would aim at."""
        if self.doing is Doing.MOVING:
            self.mover.bring(spot.square)
        elif self.doing is Doing.AIMING and spot.token is not None:
            self.aimer.at(spot.token)

    def release(self, spot: Spot) -> None:
        """Put down whoever was carried with the button held."""
        if self.doing is Doing.MOVING and self._by_mouse:
            self.drag(spot)
            self._put_down(spot)
        self._grabbed = None

    # Keys ------------------------------------------------------------------------------------------------------

    def keeps(self, event: QKeyEvent) -> bool:
        """Return whether a key that is a shortcut of the window means something here first."""
        if self.doing is Doing.NOTHING:
            return False
        if event.key() == Qt.Key.Key_Question:  # asks why, also of what is being done
            return False
        return event.key() == Qt.Key.Key_Escape or event.key() in ENTERS or not event.modifiers() & HELD

    def key(self, event: QKeyEvent) -> bool:
        """Act on a key."""
        if event.modifiers() & HELD and event.key() not in ENTERS:
            return False
        step = step_of(event)
        if step is not None:
            self._go(step)
            return True
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self._rise(1 if event.key() == Qt.Key.Key_PageUp else -1)
            return True
        if event.key() == Qt.Key.Key_Escape:
            return self.cancel()
        if event.key() in ENTERS:
            return self._enter(event)
        letters = {
            Qt.Key.Key_M: self.begin_move,
            Qt.Key.Key_T: self.begin_aim,
            Qt.Key.Key_W: self.mover.next_mode,
            Qt.Key.Key_S: self.show_selected,
            Qt.Key.Key_Comma: lambda: self._select_next(-1),
            Qt.Key.Key_Period: lambda: self._select_next(1),
            Qt.Key.Key_Delete: self._take_off,
        }
        act = letters.get(Qt.Key(event.key()))
        if act is not None:
            act()
        return act is not None

    # Doing -----------------------------------------------------------------------------------------------------

    def begin_move(self, token: Token | None = None) -> None:
        """Begin to move somebody: where nobody is named who is selected, else whose turn it is."""
        self.cancel()
        if self.mover.begin(token or self.stage.selected_token() or self.stage.active_token()):
            self.doing = Doing.MOVING
            self._by_mouse = False

    def begin_aim(self, token: Token | None = None) -> None:
        """Begin to aim, from who is selected or whose turn it is; while aiming, with the next attack."""
        if self.doing is Doing.AIMING:
            self.aimer.next_means()
            return
        self.cancel()
        if self.aimer.begin(token or self.stage.selected_token() or self.stage.active_token()):
            self.doing = Doing.AIMING

    def cancel(self) -> bool:
        """Leave everything as it was; False where nothing was going on."""
        if self.doing is Doing.NOTHING:
            return False
        self._end()
        self.mover.clear()
        self.aimer.clear()
        self.stage.selectedChanged.emit()
        return True

    def show_again(self) -> None:
        """Draw again what was being done, after squares have another size."""
        if self.doing is Doing.MOVING:
            self.mover.show()
        elif self.doing is Doing.AIMING:
            self.aimer.show()

    def show_selected(self) -> None:
        """Scroll to who is selected, or to whose turn it is."""
        token = self.stage.selected_token() or self.stage.active_token()
        if token is not None and token.at is not None:
            self.stage.select(token)
            self.stage.view.centerOn(self.stage.scene.box_of(token).center())

    def say_square(self, square: Point) -> None:
        """Say what is on a square."""
        here = self.stage.crowd.at(square)
        words = describe.of_square(self.stage.bridge, self.stage.field, square, here[0] if here else None)
        self.stage.said.emit(words)

    # Inside ----------------------------------------------------------------------------------------------------

    def _go(self, step: Point) -> None:
        if self.doing is Doing.MOVING:
            self.mover.step(step)
        elif self.doing is Doing.AIMING:
            self.aimer.next_target(1 if sum(step) > 0 else -1)
        else:
            here = self.stage.cursor or (0, 0)
            self.stage.set_cursor((here[0] + step[0], here[1] + step[1]))
            if self.stage.cursor is not None:
                self.stage.view.show_square(self.stage.cursor)
                self.say_square(self.stage.cursor)

    def _rise(self, steps: int) -> None:
        feet = steps * self.stage.field.cell
        token = self.stage.selected_token()
        if self.doing is Doing.MOVING:
            self.mover.rise(feet)
        elif token is not None and (command := carrying.lifted(self.stage.bridge, token, feet)) is not None:
            self.stage.bridge.do(command, initiator=NAME)

    def _enter(self, event: QKeyEvent) -> bool:
        if self.doing is Doing.MOVING:
            at = self.mover.carry.at if self.mover.carry is not None else None
            screen = self.stage.view.viewport().mapToGlobal(self.stage.view.point_of(at or (0, 0)))
            self._end()
            self.mover.put_down(just_put=bool(event.modifiers() & ALT), screen=screen)
            self.stage.selectedChanged.emit()
            return True
        if self.doing is Doing.AIMING:
            target = self.aimer.target
            self.cancel()
            if target is not None:
                self.stage.select(target)
            return True
        here = self.stage.crowd.at(self.stage.cursor) if self.stage.cursor is not None else []
        if here:
            now = next((place for place, one in enumerate(here) if one.id == self.stage.selected), -1)
            self.stage.select(here[(now + 1) % len(here)])
        return bool(here)

    def _put_down(self, spot: Spot) -> None:
        self._end()
        self.mover.put_down(just_put=bool(spot.held & ALT), screen=spot.screen)
        self.stage.selectedChanged.emit()

    def _end(self) -> None:
        self.doing = Doing.NOTHING
        self._by_mouse = False

    def _select_next(self, by: int) -> None:
        placed = sorted(self.stage.crowd.placed(), key=lambda one: one.at[::-1] if one.at else (0, 0))
        if placed:
            ids = [one.id for one in placed]
            now = ids.index(self.stage.selected) if self.stage.selected in ids else -1 if by > 0 else 0
            self.stage.select(placed[(now + by) % len(placed)], show=True)

    def _take_off(self) -> None:
        token = self.stage.selected_token()
        command = carrying.taken_off(self.stage.bridge, token) if token is not None and not self.stage.runs else None
        if command is not None:
            self.stage.bridge.do(command, initiator=NAME)


def step_of(event: QKeyEvent) -> Point | None:
    """Return the step a key means: arrows, and the number pad's eight directions."""
    key = Qt.Key(event.key())
    if event.modifiers() & Qt.KeyboardModifier.KeypadModifier and key in PAD:
        return PAD[key]
    return ARROWS.get(key)
