"""A person at the real window: presses keys and clicks visible widgets, counts both, and reads what stands there."""

from __future__ import annotations

from itertools import cycle

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from turnwright.encounter.running import Clock, Combatant
from turnwright.encounter.state import clock_of
from turnwright.play.queries.queries import open_prompts
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.docks.turn_order.dock import TurnOrderDock
from turnwright.ui.docks.turn_order.row_painter import points_rect
from turnwright.ui.models.turn_order import TurnOrderColumn
from turnwright.ui.shell.window import MainWindow
from turnwright.ui.widgets.fields import KeyButton
from turnwright.ui.widgets.prompts.prompt_roll_input import RollRow

Key, Modifier = Qt.Key, Qt.KeyboardModifier
NONE, SHIFT, CONTROL = Modifier.NoModifier, Modifier.ShiftModifier, Modifier.ControlModifier
ENTER, ESCAPE, TAB = Key.Key_Return, Key.Key_Escape, Key.Key_Tab
ROLLED = ("14", "9", "17", "11", "6", "12", "8", "15", "13", "7", "10", "16")  # one after the other, so that ties end
FACES = tuple(" ".join("3" * count) for count in range(1, 13))  # where the face of each die is asked for


class Player:
    """Acts by keys and clicks alone; with `types_rolls` no roll is the program's. `keys` and `clicks` count them."""

    def __init__(self, window: MainWindow, *, types_rolls: bool = False) -> None:
        self.window = window
        self.types_rolls = types_rolls
        self._rolled = cycle(ROLLED)
        self.keys = 0
        self.clicks = 0

    # What it does ----------------------------------------------------------------------------------------------------

    def press(self, *keys: Key | str, modifier: Modifier = NONE) -> None:
        """Press keys one after another where the focus is; each letter of a text is a key."""
        for key in keys:
            for each in key if isinstance(key, str) else (key,):
                QTest.keyClick(self.focused, each, modifier)
                self.keys += 1

    def answer(self) -> None:
        """Answer the most urgent prompt: A, a typed total where the dice are the person's own, Enter."""
        self.press("a")
        row = self.focused.parentWidget()
        if not isinstance(row, RollRow) or not (self.types_rolls or row.button.isHidden()):
            self.press(ENTER)
            return
        waiting = open_prompts(self.window.document.encounter)
        for total in (next(self._rolled), *FACES):
            self.press("a", modifier=CONTROL)
            self.press(total, ENTER)
            if open_prompts(self.window.document.encounter) != waiting:
                return
        raise AssertionError("no total was taken")

    def answer_by_mouse(self) -> None:
        """Answer the most urgent prompt by its filled button."""
        card = next(card for card in self.turn.prompts.cards.values() if card.isVisible())
        self.click(next(one for one in card.findChildren(KeyButton) if is_filled(one)))

    def click(self, widget: QWidget, place: QPoint | None = None, modifier: Modifier = NONE) -> None:
        """Click a widget in its middle or at a place; it has to be in sight and enabled."""
        assert widget.isVisible(), widget
        assert widget.isEnabled(), widget
        if not widget.visibleRegion().contains(place or widget.rect().center()):
            QApplication.processEvents()  # a person clicks what is laid out
        spot = place or widget.rect().center()
        assert widget.visibleRegion().contains(spot), f"{widget} is covered"
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, modifier, spot)
        self.clicks += 1

    def click_row(self, who: str, modifier: Modifier = NONE) -> None:
        """Click the name of a combatant in the turn order."""
        view = self.order.view
        index = view.model().index(self.order.model.row_of(who), TurnOrderColumn.WHO)
        self.click(view.viewport(), view.visualRect(index).center(), modifier)

    def click_points(self, who: str, modifier: Modifier = NONE) -> None:
        """Click the hit points of a combatant in the turn order."""
        view = self.order.view
        index = view.model().index(self.order.model.row_of(who), TurnOrderColumn.WHO)
        self.click(view.viewport(), points_rect(view.visualRect(index)).center(), modifier)

    def aim(self, who: str) -> None:
        """Choose a target by T and the letter in front of its row."""
        self.press("t")
        self.press(self.order.view.letters[who])

    def forget(self) -> None:
        """Count from here on."""
        self.keys = self.clicks = 0

    # What it sees ----------------------------------------------------------------------------------------------------

    @property
    def focused(self) -> QWidget:
        """The widget that has the focus, the window where none has."""
        return QApplication.focusWidget() or self.window

    @property
    def order(self) -> TurnOrderDock:
        """The turn order."""
        return self.window.content.docks.dock("order")

    @property
    def turn(self) -> TurnDock:
        """The active turn."""
        return self.window.content.docks.dock("turn")

    @property
    def clock(self) -> Clock:
        """The clock of the fight."""
        return clock_of(self.window.document.encounter)

    @property
    def count(self) -> str:
        """Clicks and keys so far: `1 + 3`, or `3` without a click."""
        return f"{self.clicks} + {self.keys}" if self.clicks else str(self.keys)

    @property
    def is_asked(self) -> bool:
        """Whether a prompt waits."""
        return bool(open_prompts(self.window.document.encounter))

    @property
    def is_home(self) -> bool:
        """Whether the focus is in the turn order's list."""
        return self.order.view.hasFocus()

    @property
    def rows(self) -> list[str]:
        """The ids of the combatants in the turn order."""
        return [self.order.model.row_at(place).id for place in range(self.order.model.rowCount())]

    def is_active(self, who: str) -> bool:
        """Return whether it is a combatant's turn."""
        return self.order.model.row_at(self.order.model.row_of(who)).active

    def combatant(self, who: str) -> Combatant:
        """Return a combatant as it stands."""
        return self.window.document.encounter.need(Combatant, who)

    def told(self) -> str:
        """Return the lines of the journal."""
        model = self.window.content.docks.dock("journal").model
        return "\n".join(str(model.index(row).data()) for row in range(model.rowCount()))


def is_filled(button: KeyButton) -> bool:
    """Return whether a button is the one that Enter presses."""
    return button.isVisible() and button.property("kind") == "primary"
