"""Moving somebody: the way to where they would come, drawn with its price, and how they are put there in the end."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from turnwright.encounter.prepared import Point
from turnwright.ui.docks.map import carrying, describe
from turnwright.ui.docks.map.carrying import Carry, How
from turnwright.ui.docks.map.moves import ByTheRules, Freely, modes_of
from turnwright.ui.docks.map.overlay import FARTHER, NEARER, Label
from turnwright.ui.docks.map.stage import NAME, Stage
from turnwright.ui.docks.map.tokens import Token
from turnwright.ui.say import say

WALK = "walk"


class Mover:
    """Carries one token at a time over a stage. `carry` is what is carried now."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.carry: Carry | None = None

    def begin(self, token: Token | None, mode: str = "") -> bool:
        """Take somebody in hand; False, and said so, where there is nobody or nowhere to go."""
        stage, field = self.stage, self.stage.field
        if token is None or not stage.has_map:
            stage.said.emit(say("ui.map.select-first"))
            return False
        if stage.runs and token.at is not None:
            modes = modes_of(stage.bridge, token.key[1])
            mode = mode if mode in modes else WALK if WALK in modes else modes[0]
            self.carry = Carry(token, ByTheRules(stage.bridge, token.key[1], mode), mode)
        else:
            self.carry = Carry(token, Freely(token.at))
            if token.at is None:
                self.carry.bring(stage.cursor or (field.columns // 2, field.rows // 2))
        self.show()
        return True

    def bring(self, square: Point) -> None:
        """Bring the token to a square, or to the nearest that keeps all of it on the map."""
        if self.carry is not None and self.carry.bring(self._held(square)):
            self.show()

    def step(self, step: Point) -> None:
        """Go one square on."""
        carry = self.carry
        if carry is None or carry.at is None:
            return
        goal = (carry.at[0] + step[0], carry.at[1] + step[1])
        if self._held(goal) == goal:
            carry.step(*step)
            self.show()
            self.stage.view.show_square(goal, carry.token.across)

    def rise(self, feet: int) -> None:
        """End so much higher."""
        if self.carry is not None:
            self.carry.rise(feet)
            self.show()

    def next_mode(self) -> None:
        """Move by the next of the token's modes, to the same square."""
        carry = self.carry
        if carry is None or not isinstance(carry.adviser, ByTheRules):
            return
        modes = modes_of(self.stage.bridge, carry.token.key[1])
        now = modes.index(carry.mode) if carry.mode in modes else 0
        goal = carry.at
        self.begin(carry.token, modes[(now + 1) % len(modes)])
        if goal is not None:
            self.bring(goal)

    def show(self) -> None:
        """Draw where the token gets to, the way it would go, what that costs and what it provokes."""
        carry, over = self.carry, self.stage.scene.overlay
        if carry is None:
            return
        over.clear()
        if isinstance(carry.adviser, ByTheRules):
            reach = carry.adviser.range()
            near = covered_by(reach.near, carry.token.across)
            over.tint(covered_by(reach.far, carry.token.across) - near, "accent", 24, FARTHER)
            over.tint(near, "accent", 62, NEARER)
            over.surround(near, "accent", NEARER)
        way, middle = carry.way, carry.token.across / 2
        tone = "harm" if way.refused else "accent"
        over.draw_way([(column + middle, row + middle) for column, row in way.path], tone)
        over.mark((square for square, _ in way.provokes), "warn")
        for square, who in way.provokes:
            over.write(Label(say("ui.map.strikes", who=who), (square[0] + 0.5, square[1]), "warn"))
        if carry.at is not None and carry.has_moved:
            self.stage.scene.show_ghost(carry.token, carry.at)
            price = say("ui.map.feet", n=way.feet) if way.feet is not None else ""
            text = " · ".join(part for part in (price, way.refused) if part)
            if text:
                over.write(Label(text, (carry.at[0] + middle, carry.at[1] + carry.token.across), tone, below=True))
        else:
            self.stage.scene.hide_ghost()
        self.stage.said.emit(describe.of_carry(self.stage.bridge, carry))

    def put_down(self, *, just_put: bool, screen: QPoint) -> None:
        """End the move where the token is: as the rules have it, or by a person's word."""
        carry = self.carry
        if carry is None or not carry.has_moved or carry.at is None:
            self.clear()
            return
        if not self.stage.runs:
            self.clear()
            self._place_before(carry)
            return
        how: How | None = "travel"
        if just_put or carry.token.at is None:
            how = "place"
        elif not carry.token.active:
            how = self.ask_how(carry, screen)
        self.clear()
        if how is not None:
            self.stage.bridge.do(carrying.command_of(carry, how), initiator=NAME)

    def ask_how(self, carry: Carry, screen: QPoint) -> How | None:
        """Ask how somebody whose turn it isn't comes to another square; None where the person thinks better of it."""
        menu = QMenu(self.stage.view)
        menu.setAccessibleName(say("ui.map.how", who=carry.token.label))
        chosen: list[How] = []
        how: How
        for how in ("forced", "teleport", "place", "travel"):
            menu.addAction(say(f"ui.map.how-{how}"), partial(chosen.append, how))
        menu.setActiveAction(menu.actions()[0])
        menu.exec(screen if not screen.isNull() else QCursor.pos())
        menu.deleteLater()
        return chosen[0] if chosen else None

    def clear(self) -> None:
        """Leave everything as it was."""
        self.carry = None
        self.stage.scene.overlay.clear()
        self.stage.scene.hide_ghost()

    def _held(self, square: Point) -> Point:
        across = self.carry.token.across if self.carry is not None else 1
        field = self.stage.field
        return max(0, min(field.columns - across, square[0])), max(0, min(field.rows - across, square[1]))

    def _place_before(self, carry: Carry) -> None:
        bridge, at = self.stage.bridge, carry.at or (0, 0)
        command = carrying.placed_before(bridge, carry.token, at, carry.elevation)
        if command is not None and bridge.do(command, initiator=NAME):
            there = [one for one in self.stage.crowd.at(at) if one.key == carry.token.key]
            if there:
                self.stage.select(there[0])


def covered_by(positions: frozenset[Point], across: int) -> frozenset[Point]:
    """Return the squares that somebody so many squares wide takes up from all these positions (upper left squares)."""
    if across == 1:
        return positions
    aside = range(across)
    return frozenset((column + right, row + down) for column, row in positions for right in aside for down in aside)
