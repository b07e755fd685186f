"""The filters of the library: a card with one line per filter, opened from the bar below the search."""

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
    QWidget,
)

from turnwright.storage.search import FilterChoices, LibraryFilter
from turnwright.ui.fonts import GAP, SPACE, scaled
from turnwright.ui.models.display_names import rating_text
from turnwright.ui.translations import tr
from turnwright.ui.widgets.check_menu import CheckMenu
from turnwright.ui.widgets.layout import horizontal, vertical
from turnwright.ui.widgets.text import plain_label, push_button

THIS_SYSTEM = "*"  # the encounter's game, whichever it is
ALL_SYSTEMS = ""
MULTI_CHOICE_FIELDS = ("sizes", "types", "environments", "sources")
_WIDTH = 280
_FEW = 2


class FilterChoice(msgspec.Struct, frozen=True):
    """The filters that are set; `game` is a rule system, `*` for the encounter's, empty for all."""

    game: str = THIS_SYSTEM
    within: LibraryFilter = LibraryFilter()
    duplicates_only: bool = False
    favourites_only: bool = False

    @property
    def count(self) -> int:
        """The number of filters that are set, favourites aside, which have a button of their own."""
        within = self.within
        several = sum(1 for name in MULTI_CHOICE_FIELDS if getattr(within, name))
        return (
            several + bool(within.min_rating or within.max_rating) + self.duplicates_only + (self.game != THIS_SYSTEM)
        )

    def filter(self, system: str) -> LibraryFilter:
        """Return the filter by values and rule system, without duplicates and favourites."""
        return msgspec.structs.replace(self.within, system=system if self.game == THIS_SYSTEM else self.game)


class CheckMenuButton(QPushButton):
    """A button with a menu of values to check; its text names the checked ones. `checkedChanged(values)`."""

    checkedChanged = Signal(tuple)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._values: tuple[str, ...] = ()
        self._chosen: tuple[str, ...] = ()
        self._menu = CheckMenu(self)
        self._menu.setProperty("scrolls", True)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._say()

    def set_values(self, values: Iterable[str], chosen: Sequence[str]) -> None:
        """Offer these values, and the checked ones that occur nowhere now."""
        listed = tuple(values)
        self._values = (*listed, *(value for value in chosen if value not in listed))
        self._chosen = tuple(chosen)
        self._say()

    def toggle_value(self, value: str) -> None:
        """Check or uncheck a value."""
        self._chosen = tuple(one for one in self._values if (one in self._chosen) != (one == value))
        self._say()
        self.checkedChanged.emit(self._chosen)

    def _fill(self) -> None:
        self._menu.clear()
        for value in self._values:
            action = self._menu.addAction(value.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(value in self._chosen)
            action.triggered.connect(lambda _checked=False, value=value: self.toggle_value(value))

    def _say(self) -> None:
        count = len(self._chosen)
        words = ", ".join(self._chosen) if count <= _FEW else tr("ui.library.so-many", n=count)
        text = words if count else tr("ui.library.any")
        room = scaled(_WIDTH) // 2
        self.setText(self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room).replace("&", "&&"))
        self.setToolTip(", ".join(self._chosen))
        self.setAccessibleName(f"{self._name}: {text}")
        self.setEnabled(bool(self._values))


class FilterCard(QFrame):
    """The card of filters. `changed` at each change; `filter_choice` holds those that are set."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.filter_choice = FilterChoice()
        self._filling = False
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(tr("ui.library.filters"))
        self.setFixedWidth(scaled(_WIDTH))
        column = vertical(self, margins=12)
        grid = QGridLayout()
        grid.setHorizontalSpacing(scaled(GAP))
        grid.setVerticalSpacing(scaled(SPACE))
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        self.game = self._combo(tr("ui.library.game"))
        self._line(grid, tr("ui.library.game"), self.game)
        self.min_rating = self._combo(tr("ui.library.least"))
        self.max_rating = self._combo(tr("ui.library.most"))
        self._rating = plain_label("", tone="muted")
        span = QWidget()
        between = horizontal(span, spacing=SPACE)
        between.addWidget(self.min_rating, 1)
        between.addWidget(plain_label(tr("ui.library.to"), tone="muted"))
        between.addWidget(self.max_rating, 1)
        row = grid.rowCount()
        grid.addWidget(self._rating, row, 0)
        grid.addWidget(span, row, 1)
        self.check_buttons: dict[str, CheckMenuButton] = {}
        for name in MULTI_CHOICE_FIELDS:
            button = CheckMenuButton(tr(f"ui.library.by-{name}"))
            button.checkedChanged.connect(lambda values, name=name: self._set_within(**{name: values}))
            self.check_buttons[name] = button
            self._line(grid, tr(f"ui.library.by-{name}"), button)
        self.duplicates_box = QCheckBox(tr("ui.library.duplicates-only"))
        self.duplicates_box.toggled.connect(lambda on: self._set(duplicates_only=on))
        column.addWidget(self.duplicates_box)
        ends = QHBoxLayout()
        self.clear_button = push_button(tr("ui.library.clear"), self.clear, "quiet", "filter-off-outline")
        ends.addWidget(self.clear_button)
        ends.addStretch(1)
        ends.addWidget(push_button(tr("ui.general.close"), self.close))
        column.addLayout(ends)
        self.game.currentIndexChanged.connect(lambda _row: self._set(game=self.game.currentData()))
        self.min_rating.currentIndexChanged.connect(
            lambda _row: self._set_within(min_rating=self.min_rating.currentData())
        )
        self.max_rating.currentIndexChanged.connect(
            lambda _row: self._set_within(max_rating=self.max_rating.currentData())
        )

    def set_choices(self, choices: FilterChoices, games: Sequence[tuple[str, str]]) -> None:
        """Offer the values of the filters, and rule systems as pairs of id and name, the encounter's first."""
        self._filling = True
        picked, within = self.filter_choice, self.filter_choice.within
        first, *others = games
        ways = [
            (THIS_SYSTEM, tr("ui.library.this-game", name=first[1])),
            (ALL_SYSTEMS, tr("ui.library.all-games")),
            *others,
        ]
        _fill(self.game, ways, picked.game)
        ratings = [(rating, rating_text(rating)) for rating in choices.ratings]
        for combo, chosen in ((self.min_rating, within.min_rating), (self.max_rating, within.max_rating)):
            _fill(combo, [("", tr("ui.library.any")), *ratings], chosen)
            combo.setEnabled(bool(ratings))
        for name, button in self.check_buttons.items():
            button.set_values(getattr(choices, name), getattr(within, name))
        self.duplicates_box.setChecked(picked.duplicates_only)
        self._rating.setText(tr("ui.library.by-rating"))
        self.clear_button.setEnabled(bool(picked.count))
        self._filling = False

    def open_below(self, widget: QWidget) -> None:
        """Show the card below a button, the focus on its first line."""
        corner = widget.mapToGlobal(QPoint(0, widget.height() + scaled(2)))
        room = widget.screen().availableGeometry()
        self.adjustSize()
        left = max(room.left(), min(corner.x(), room.right() - self.width()))
        top = min(corner.y(), max(room.top(), room.bottom() - self.height()))
        self.move(left, top)
        self.show()
        self.game.setFocus(Qt.FocusReason.PopupFocusReason)

    def clear(self) -> None:
        """Clear all filters but favourites, which have a button of their own."""
        self.filter_choice = FilterChoice(favourites_only=self.filter_choice.favourites_only)
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def set_favourites_only(self, favourites_only: bool) -> None:
        """Show favourites only, or all entries."""
        self._set(favourites_only=favourites_only)

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
        self._set(within=msgspec.structs.replace(self.filter_choice.within, **fields))

    def _set(self, **fields: object) -> None:
        if not self._filling:
            self.filter_choice = msgspec.structs.replace(self.filter_choice, **fields)
            self.clear_button.setEnabled(bool(self.filter_choice.count))
            self.changed.emit()


def _fill(combo: QComboBox, values: Iterable[tuple[str, str]], chosen: str) -> None:
    combo.clear()
    for value, text in values:
        combo.addItem(text, value)
    if combo.findData(chosen) < 0:
        combo.addItem(rating_text(chosen), chosen)
    combo.setCurrentIndex(combo.findData(chosen))
