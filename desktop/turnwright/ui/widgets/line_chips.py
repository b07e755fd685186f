"""Chips that show how a line was understood, and buttons side by side of which one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QWidget

from turnwright.ui.fonts import SPACE, scaled, set_role
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.key_button import KeyButton
from turnwright.ui.widgets.layout import FlowRow, horizontal
from turnwright.ui.widgets.text import plain_label, restyle


@dataclass(frozen=True)
class ChipView:
    """A word as a chip shows it; `warn` is the tone of one that wasn't understood, `accent` that of the main one."""

    text: str
    tone: str = ""
    icon: str = ""


class _Chip(QFrame):
    def __init__(self, view: ChipView) -> None:
        super().__init__()
        self.setProperty("word", True)
        self.setProperty("tone", view.tone)
        self.setFixedHeight(scaled(28))
        row = horizontal(self, spacing=SPACE + 2, margins=(12, 0, 12, 0))
        if view.icon:
            row.addWidget(IconLabel(view.icon, view.tone or "muted", 16))
        row.addWidget(plain_label(view.text, "caption", view.tone))
        self.setAccessibleName(view.text)


class LineChips(FlowRow):
    """A row of chips; `texts` are those shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, roomy=True)
        self._views: tuple[ChipView, ...] = ()

    @property
    def texts(self) -> list[str]:
        """The texts of the chips."""
        return [view.text for view in self._views]

    def show_chips(self, views: Sequence[ChipView]) -> None:
        """Show chips in place of those before."""
        if tuple(views) == self._views:
            return
        self._views = tuple(views)
        self.clear()
        for view in views:
            chip = _Chip(view)
            self.add(chip)
            chip.show()
        self.keep_room()

    def offer(self, choices: Sequence[tuple[str, str]], choose: Callable[[str], object]) -> None:
        """Show buttons instead, each with the letters that mean it: `choose(letters)`."""
        self._views = ()
        self.clear()
        for letters, name in choices:
            button = KeyButton(name, partial(choose, letters), letters, "bulk", role="caption")
            self.add(button)
            button.show()
        self.keep_room()


class Segments(QWidget):
    """Buttons side by side of which one is chosen. `picked(id)` when a person chooses another."""

    picked = Signal(str)

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._row = horizontal(self, spacing=0)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QPushButton] = {}

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        """Set the choices, each with its id and words."""
        if [id for id, _text in options] != list(self.buttons):
            for old in self.buttons.values():
                self._group.removeButton(old)
                old.hide()
                old.deleteLater()
            self.buttons = {id: self._button(id) for id, _text in options}
        for place, (id, text) in enumerate(options):
            button = self.buttons[id]
            button.setText(text.replace("&", "&&"))
            button.setProperty("end", place == len(options) - 1)
            button.setProperty("inner", 0 < place < len(options) - 1)
            restyle(button)

    def choose(self, id: str) -> None:
        """Mark one as chosen."""
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
