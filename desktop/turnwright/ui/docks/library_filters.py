"""The filters of the library: a card with one line for each thing to choose by, opened from the bar below the search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from turnwright.storage.searching import Choices, Filter
from turnwright.ui.fonts import GAP, SPACE, px
from turnwright.ui.models.naming import rating_text
from turnwright.ui.say import say
from turnwright.ui.widgets.text import plain_label, push_button
from turnwright.ui.widgets.tick_menu import TickMenu

THIS = "*"  # the encounter's game, whichever it is
ALL = ""
SEVERAL = ("sizes", "types", "environments", "sources")
_WIDTH = 280
_FEW = 2


class Picked(msgspec.Struct, frozen=True):
    """What is chosen: values by kind, a game (`*`: the encounter's, empty: all), marks and doubles alone."""

    game: str = THIS
    within: Filter = Filter()
    doubles: bool = False
    starred: bool = False

    @property
    def count(self) -> int:
        """How many things are chosen by, marks aside, which have a button of their own."""
        within = self.within
        several = sum(1 for name in SEVERAL if getattr(within, name))
        return several + bool(within.least or within.most) + self.doubles + (self.game != THIS)

    def filter(self, system: str) -> Filter:
        """Return what lets entries through, marks and doubles aside."""
        return msgspec.structs.replace(self.within, system=system if self.game == THIS else self.game)


class TickButton(QPushButton):
    """A button with a menu of values to tick; it says what is ticked. `ticked(values)`."""

    ticked = Signal(tuple)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._values: tuple[str, ...] = ()
        self._chosen: tuple[str, ...] = ()
        self._menu = TickMenu(self)
        self._menu.setProperty("scrolls", True)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._say()

    def offer(self, values: Iterable[str], chosen: Sequence[str]) -> None:
        """Offer these values, and those that are chosen though nothing has them now."""
        listed = tuple(values)
        self._values = (*listed, *(value for value in chosen if value not in listed))
        self._chosen = tuple(chosen)
        self._say()

    def flip(self, value: str) -> None:
        """Tick a value, or take the tick away."""
        self._chosen = tuple(one for one in self._values if (one in self._chosen) != (one == value))
        self._say()
        self.ticked.emit(self._chosen)

    def _fill(self) -> None:
        self._menu.clear()
        for value in self._values:
            action = self._menu.addAction(value.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(value in self._chosen)
            action.triggered.connect(lambda _checked=False, value=value: self.flip(value))

    def _say(self) -> None:
        count = len(self._chosen)
        words = ", ".join(self._chosen) if count <= _FEW else say("ui.library.so-many", n=count)
        text = words if count else say("ui.library.any")
        room = px(_WIDTH) // 2
        self.setText(self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room).replace("&", "&&"))
        self.setToolTip(", ".join(self._chosen))
        self.setAccessibleName(f"{self._name}: {text}")
        self.setEnabled(bool(self._values))


class FilterCard(QFrame):
    """The card. `changed` at each choice; `picked` is what is chosen now."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.picked = Picked()
        self._filling = False
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(say("ui.library.filters"))
        self.setFixedWidth(px(_WIDTH))
        column = QVBoxLayout(self)
        column.setContentsMargins(px(12), px(12), px(12), px(12))
        column.setSpacing(px(GAP))
        grid = QGridLayout()
        grid.setHorizontalSpacing(px(GAP))
        grid.setVerticalSpacing(px(SPACE))
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        self.game = self._combo(say("ui.library.game"))
        self._line(grid, say("ui.library.game"), self.game)
        self.least = self._combo(say("ui.library.least"))
        self.most = self._combo(say("ui.library.most"))
        self._rating = plain_label("", tone="muted")
        span = QWidget()
        between = QHBoxLayout(span)
        between.setContentsMargins(0, 0, 0, 0)
        between.setSpacing(px(SPACE))
        between.addWidget(self.least, 1)
        between.addWidget(plain_label(say("ui.library.to"), tone="muted"))
        between.addWidget(self.most, 1)
        row = grid.rowCount()
        grid.addWidget(self._rating, row, 0)
        grid.addWidget(span, row, 1)
        self.several: dict[str, TickButton] = {}
        for name in SEVERAL:
            button = TickButton(say(f"ui.library.by-{name}"))
            button.ticked.connect(lambda values, name=name: self._set_within(**{name: values}))
            self.several[name] = button
            self._line(grid, say(f"ui.library.by-{name}"), button)
        self.doubles = QCheckBox(say("ui.library.doubles"))
        self.doubles.toggled.connect(lambda on: self._set(doubles=on))
        column.addWidget(self.doubles)
        ends = QHBoxLayout()
        self.clear_button = push_button(say("ui.library.clear"), self.clear, "quiet", "filter-off-outline")
        ends.addWidget(self.clear_button)
        ends.addStretch(1)
        ends.addWidget(push_button(say("ui.general.close"), self.close))
        column.addLayout(ends)
        self.game.currentIndexChanged.connect(lambda _row: self._set(game=self.game.currentData()))
        self.least.currentIndexChanged.connect(lambda _row: self._set_within(least=self.least.currentData()))
        self.most.currentIndexChanged.connect(lambda _row: self._set_within(most=self.most.currentData()))

    def offer(self, choices: Choices, games: Sequence[tuple[str, str]]) -> None:
        """Offer what the list can be filtered by, and games, each an id and its name, the encounter's first."""
        self._filling = True
        picked, within = self.picked, self.picked.within
        first, *others = games
        ways = [(THIS, say("ui.library.this-game", name=first[1])), (ALL, say("ui.library.all-games")), *others]
        _fill(self.game, ways, picked.game)
        ratings = [(rating, rating_text(rating)) for rating in choices.ratings]
        for combo, chosen in ((self.least, within.least), (self.most, within.most)):
            _fill(combo, [("", say("ui.library.any")), *ratings], chosen)
            combo.setEnabled(bool(ratings))
        for name, button in self.several.items():
            button.offer(getattr(choices, name), getattr(within, name))
        self.doubles.setChecked(picked.doubles)
        self._rating.setText(say("ui.library.by-rating"))
        self.clear_button.setEnabled(bool(picked.count))
        self._filling = False

    def open_below(self, widget: QWidget) -> None:
        """Show the card below a button, its first line ready to choose."""
        corner = widget.mapToGlobal(QPoint(0, widget.height() + px(2)))
        room = widget.screen().availableGeometry()
        self.adjustSize()
        left = max(room.left(), min(corner.x(), room.right() - self.width()))
        top = min(corner.y(), max(room.top(), room.bottom() - self.height()))
        self.move(left, top)
        self.show()
        self.game.setFocus(Qt.FocusReason.PopupFocusReason)

    def clear(self) -> None:
        """Let everything through again; marks have a button of their own and stay as they are."""
        self.picked = Picked(starred=self.picked.starred)
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def set_starred(self, starred: bool) -> None:
        """Let through what is marked, alone or with all else."""
        self._set(starred=starred)

    def _line(self, grid: QGridLayout, name: str, widget: QWidget) -> None:
        row = grid.rowCount()
        label = plain_label(name, tone="muted")
        label.setBuddy(widget)
        grid.addWidget(label, row, 0)
        grid.addWidget(widget, row, 1)

    def _combo(self, name: str) -> QComboBox:
        combo = QComboBox()
        combo.setAccessibleName(name)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(3)
        combo.setMaxVisibleItems(14)
        return combo

    def _set_within(self, **fields: object) -> None:
        self._set(within=msgspec.structs.replace(self.picked.within, **fields))

    def _set(self, **fields: object) -> None:
        if not self._filling:
            self.picked = msgspec.structs.replace(self.picked, **fields)
            self.clear_button.setEnabled(bool(self.picked.count))
            self.changed.emit()


def _fill(combo: QComboBox, values: Iterable[tuple[str, str]], chosen: str) -> None:
    combo.clear()
    for value, text in values:
        combo.addItem(text, value)
    if combo.findData(chosen) < 0:
        combo.addItem(rating_text(chosen), chosen)
    combo.setCurrentIndex(combo.findData(chosen))
