"""The arrangements of the docks as data, and their initial layout in a window.

All docks live in one nested dock area without a central widget, so each dock can be moved anywhere. When the window
grows, only the docks in the middle expand; those at the sides and at the bottom keep their size.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Literal

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QSizePolicy, QTabBar

from turnwright.ui.look.style import base_font, scaled
from turnwright.ui.look.window_data import window_data

ArrangementName = Literal["prepare", "run"]


class DockSpec(msgspec.Struct, frozen=True):
    """A dock: the module and class that implement it below `ui.docks`, its icon, and the tables of the records it shows.

    The module is imported when needed. If `is_at_table`, the dock is used while the encounter runs, often in a hurry.
    """

    path: str
    icon: str
    tables: tuple[str, ...] = ()
    is_at_table: bool = False


class Arrangement(msgspec.Struct, frozen=True):
    """Columns of docks, as `resources/window.toml` describes them."""

    middle: tuple[str, ...]
    right: tuple[str, ...] = ()
    right_width: int = 0
    left: tuple[str, ...] = ()
    left_width: int = 0
    beside: tuple[str, ...] = ()
    middle_width: int = 0
    right_low: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    plain: str = ""
    folded: bool = False

    @property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        """The columns from left to right."""
        return tuple(column for column in (self.left, self.middle, self.beside, self.right) if column)

    @property
    def docks(self) -> frozenset[str]:
        """The ids of the docks in the layout, except those in `below` and `waiting`."""
        return frozenset(id for column in (*self.columns, self.right_low) for id in column)

    @property
    def on_top(self) -> frozenset[str]:
        """The ids of the docks that are initially visible."""
        hidden = self.right if self.folded else ()
        return frozenset(column[0] for column in (*self.columns, self.right_low) if column and column != hidden)


MIDDLE_SHARE = 42
RIGHT_LOW_SHARE = 40
WIDE = 1600  # minimum width for a separate map column while running
BIG_SCALE, BIG_SCALE_WIDE = 1.25, 1.36
LARGE_SCALE, NARROW = 1.2, 1100  # above this scale, a narrower window has no third column
START = "start"  # id of the start page, and of the layout that contains nothing else
ADVENTURE = (("adventure", 0), ("step", -1))  # panels that only an adventure has, and their columns
DOCKS = window_data("docks", dict[str, DockSpec])
LAYOUTS = window_data("arrangements", dict[str, Arrangement])
LAYOUTS["run-big-wide"] = LAYOUTS["run"]


def big_scale(width: int) -> float:
    """Return the scale factor of big type for a window of this width."""
    return BIG_SCALE_WIDE if width >= WIDE else BIG_SCALE


def layout_name(arrangement: ArrangementName, width: int, *, big: bool = False, ended: bool = False) -> str:
    """Return the `LAYOUTS` key of an arrangement for a window of this width, with or without big type.

    If the fight has `ended`, its page has the room of the map.
    """
    if big and arrangement == "run":
        return "run-big-wide" if width >= WIDE else "run-big"
    if base_font().scale > LARGE_SCALE and width < scaled(NARROW):
        return "run-big" if arrangement == "run" else "prepare-narrow"
    return ("run-ended" if ended else "run-wide") if arrangement == "run" and width >= scaled(WIDE) else arrangement


def apply_arrangement(window: QMainWindow, docks: Mapping[str, QDockWidget], arrangement: Arrangement) -> None:
    """Lay out the docks according to an arrangement. Docks that aren't part of it are hidden."""
    placed = arrangement.docks | set(arrangement.below)
    for dock in docks.values():  # remove all docks first, otherwise tabs of hidden docks remain
        if dock.isFloating():  # skip docked ones: Qt would recreate their windows
            dock.setFloating(False)
        window.removeDockWidget(dock)
    for id, dock in docks.items():
        if id not in placed:
            window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
            dock.hide()
    heads = [docks[column[0]] for column in arrangement.columns]
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, heads[0])
    if arrangement.below:
        window.splitDockWidget(heads[0], docks[arrangement.below[0]], Qt.Orientation.Vertical)
    for before, after in pairwise(heads):
        window.splitDockWidget(before, after, Qt.Orientation.Horizontal)
    if arrangement.right_low:
        window.splitDockWidget(heads[-1], docks[arrangement.right_low[0]], Qt.Orientation.Vertical)
    for column in (*arrangement.columns, arrangement.right_low, arrangement.below):
        for id in column[1:]:
            window.tabifyDockWidget(docks[column[0]], docks[id])
    for id in arrangement.waiting:
        window.tabifyDockWidget(heads[-1], docks[id])
        docks[id].hide()
    for id in placed:
        docks[id].setVisible(id in arrangement.docks and not (arrangement.folded and id in arrangement.right))
    for id in arrangement.on_top:
        docks[id].raise_()
    set_sizes(window, docks, arrangement)


def tab_bars(window: QMainWindow) -> list[QTabBar]:
    """Return the visible tab bars of docks. Qt keeps the old tab bars after a layout is replaced."""
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [bar for bar in bars if bar.isVisible()]


def has_room(window: QMainWindow, arrangement: Arrangement) -> bool:
    """Whether the window is wide enough for the side columns."""
    return sum(_side_widths(arrangement).values()) <= _side_room(window, arrangement)


def _side_widths(arrangement: Arrangement) -> dict[tuple[str, ...], int]:
    sides = {arrangement.left: arrangement.left_width}
    if not arrangement.folded:
        sides[arrangement.right] = arrangement.right_width
    if arrangement.beside:
        sides[arrangement.middle] = arrangement.middle_width
    return {column: scaled(width) for column, width in sides.items()}


def _side_room(window: QMainWindow, arrangement: Arrangement) -> int:
    return window.width() * (100 - (0 if arrangement.beside else MIDDLE_SHARE)) // 100


def set_sizes(window: QMainWindow, docks: Mapping[str, QDockWidget], arrangement: Arrangement) -> None:
    """Set the widths of the columns. The middle takes the remaining width, but no less than its minimum share.

    A folded right column keeps its width when it is shown, however narrow the middle becomes.
    """
    covers = arrangement.folded and any(not docks[id].isHidden() for id in arrangement.right)
    widths, room = _side_widths(arrangement), _side_room(window, arrangement)
    if covers:
        widths, room = {**widths, arrangement.right: scaled(arrangement.right_width)}, window.width()
    if sum(widths.values()) > room:
        widths = {column: width * room // sum(widths.values()) for column, width in widths.items()}
    middle_width = max(scaled(200), window.width() - sum(widths.values()))
    columns = [column for column in arrangement.columns if column in widths or column != arrangement.right]
    heads = [next((docks[id] for id in column if not docks[id].isHidden()), docks[column[0]]) for column in columns]
    window.resizeDocks(heads, [widths.get(column, middle_width) for column in columns], Qt.Orientation.Horizontal)
    if arrangement.right_low:
        low = window.height() * RIGHT_LOW_SHARE // 100
        both = [heads[-1], docks[arrangement.right_low[0]]]
        window.resizeDocks(both, [max(scaled(200), window.height() - low), low], Qt.Orientation.Vertical)


def set_stretch(dock: QDockWidget, arrangement: Arrangement) -> None:
    """Set the size policy of a dock. Only middle docks grow with the window, but the user can enlarge any dock."""
    id = dock.objectName()
    middle = arrangement.beside or arrangement.middle
    keeps_width = id not in (*middle, *arrangement.below)
    keeps_height = id in arrangement.below
    narrow, free = QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred
    dock.setSizePolicy(narrow if keeps_width else free, narrow if keeps_height else free)
