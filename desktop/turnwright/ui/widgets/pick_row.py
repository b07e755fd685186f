"""Buttons for choosing options: a row of small ones, for the mouse, the arrow keys or letters, or adjoining ones."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from turnwright.ui.look.fonts import SPACE, scaled, set_role
from turnwright.ui.look.icons import icon
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.widgets.layout import FlowRow, horizontal
from turnwright.ui.widgets.text import discard, restyle, set_style

SIDEWAYS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
UPRIGHT = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
ARROW_STEPS = {**SIDEWAYS, **UPRIGHT}


class PickOption(msgspec.Struct, frozen=True):
    """An option. `refused` is the reason why it is against the rules, although it can still be chosen.

    `key` is the letter that chooses the option, and `note` is shown after its label.
    """

    id: str
    label: str
    tip: str = ""
    refused: str = ""
    key: str = ""
    icon: str = ""
    note: str = ""


class PickButton(QPushButton):
    """A button of a `PickRow`. Space chooses it. Enter is passed to the parent, which submits."""

    def __init__(self, row: PickRow) -> None:
        super().__init__(row)
        self._row = row
        self.pick = PickOption("", "")
        self.setCheckable(True)
        self.setAutoDefault(False)
        self.setProperty("kind", "pick")
        set_role(self, "body")

    def show_pick(self, pick: PickOption) -> None:
        """Set the option that the button shows."""
        if pick == self.pick:
            return
        self.pick = pick
        mark = f"{pick.key.upper()}  " if pick.key else ""
        note = f"  {pick.note}" if pick.note else ""
        self.setText(f"{mark}{pick.label}{note}".replace("&", "&&"))
        if pick.icon:
            self.setIcon(icon(pick.icon))
            self.setIconSize(QSize(scaled(14), scaled(14)))
        tip = "\n".join(part for part in (pick.refused, pick.tip) if part)
        self.setToolTip(escaped_tooltip(tip))
        self.setAccessibleName(pick.label)
        self.setAccessibleDescription(tip)
        set_style(self, "refused", bool(pick.refused))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        elif event.key() in self._row.steps:
            self._row.step(self._row.steps[Qt.Key(event.key())])
        elif event.key() in ARROW_STEPS:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._row.set_tab_stop(self)
        super().focusInEvent(event)


class PickRow(FlowRow):
    """A row of options. Tab stops at the row only once, and the arrow keys move within it.

    Emits `picked` when the user changes the choice. `optional`: choosing a chosen option again deselects it. `steps`
    are the keys that move within the row.
    """

    picked = Signal()

    def __init__(self, name: str = "", *, many: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent, gap=SPACE + 1, roomy=True)
        self._many = many
        self.optional = False
        self.steps = ARROW_STEPS
        self._buttons: dict[str, PickButton] = {}
        self.setAccessibleName(name)

    def set_picks(self, picks: Sequence[PickOption], chosen: Sequence[str] = ()) -> None:
        """Set the options and the chosen ids without emitting `picked`."""
        if [pick.id for pick in picks] != list(self._buttons):
            focused = next((id for id, button in self._buttons.items() if button.hasFocus()), None)
            self.clear()
            self._buttons = {pick.id: self._button(pick.id) for pick in picks}
            if focused is not None:
                self.take_focus()
        for pick in picks:
            self._buttons[pick.id].show_pick(pick)
        self.choose(chosen)
        self.keep_room()

    def choose(self, ids: Sequence[str]) -> None:
        """Select exactly these options."""
        for id, button in self._buttons.items():
            button.setChecked(id in ids)
        self._rove(next((each for id, each in self._buttons.items() if id in ids), None))

    def chosen(self) -> tuple[str, ...]:
        """Return the chosen ids, in row order."""
        return tuple(id for id, button in self._buttons.items() if button.isChecked())

    def button(self, id: str) -> PickButton:
        """Return the button of an option. Raise KeyError if it doesn't exist."""
        return self._buttons[id]

    def buttons(self) -> tuple[PickButton, ...]:
        """Return the buttons in row order."""
        return tuple(self._buttons.values())

    def choose_by_key(self, letter: str) -> bool:
        """Choose the option that has a letter. Return False if there is none."""
        button = next(
            (option for option in self._buttons.values() if option.pick.key and option.pick.key == letter), None
        )
        if button is not None:
            button.setFocus(Qt.FocusReason.OtherFocusReason)
            button.click()
        return button is not None

    def take_focus(self) -> None:
        """Focus the chosen button, or the first one if none is chosen."""
        buttons = [button for button in self._buttons.values() if button.isChecked()] or list(self._buttons.values())
        if buttons:
            buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def step(self, by: int) -> None:
        """Move to the next or previous button, cyclically. If only one option can be chosen, also choose it."""
        buttons = list(self._buttons.values())
        here = next((place for place, each in enumerate(buttons) if each.hasFocus()), 0)
        goal = buttons[(here + by) % len(buttons)]
        goal.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self._many:
            goal.click()

    def set_tab_stop(self, button: PickButton) -> None:
        """Set the button that gets the focus when Tab enters the row."""
        self._rove(button)

    def _button(self, id: str) -> PickButton:
        button = PickButton(self)
        button.clicked.connect(lambda _on=False, id=id: self._clicked(id))
        self.add(button)
        button.show()
        return button

    def _clicked(self, id: str) -> None:
        if not self._many:
            cleared = self.optional and not self._buttons[id].isChecked()
            self.choose(() if cleared else (id,))
        self.picked.emit()

    def _rove(self, goal: PickButton | None) -> None:
        first = goal or next(iter(self._buttons.values()), None)
        for button in self._buttons.values():
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if button is first else Qt.FocusPolicy.ClickFocus)


class Segments(QWidget):
    """Adjoining buttons for choosing one option. Emits `picked(id)` when the user chooses another."""

    picked = Signal(str)

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._row = horizontal(self, spacing=0)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QPushButton] = {}

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        """Set the options as pairs of id and text."""
        if [id for id, _text in options] != list(self.buttons):
            for old in self.buttons.values():
                self._group.removeButton(old)
                discard(old)
            self.buttons = {id: self._button(id) for id, _text in options}
        for place, (id, text) in enumerate(options):
            button = self.buttons[id]
            button.setText(text.replace("&", "&&"))
            button.setProperty("end", place == len(options) - 1)
            button.setProperty("inner", 0 < place < len(options) - 1)
            restyle(button)

    def chosen(self) -> str:
        """Return the selected option, or an empty string if none is selected."""
        return next((id for id, button in self.buttons.items() if button.isChecked()), "")

    def choose(self, id: str) -> None:
        """Select an option."""
        if id in self.buttons:
            self.buttons[id].setChecked(True)

    def _button(self, id: str) -> QPushButton:
        button = QPushButton()
        button.setProperty("kind", "mode")
        button.setCheckable(True)
        button.setAutoDefault(False)
        set_role(button, "caption")
        button.clicked.connect(lambda _on=False: self.picked.emit(id))
        self._group.addButton(button)
        self._row.addWidget(button)
        button.show()
        return button
