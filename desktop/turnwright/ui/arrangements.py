"""The two arrangements of the same docks, as data, and their first layout in a window.

All docks live in one nested dock area without a central widget, so that each can go anywhere. The docks at the sides
and below keep their size when the window grows: their size policy lets only the middle expand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QSizePolicy, QTabBar

from turnwright.ui.fonts import scaled

ArrangementName = Literal["prepare", "run"]


@dataclass(frozen=True)
class DockSpec:
    """A dock by its id: the module and class that build it, loaded when needed, and its icon."""

    id: str
    module: str
    class_name: str
    icon: str


@dataclass(frozen=True)
class Arrangement:
    """Columns of docks, each a stack of tabs with the first on top. Widths and heights are pixels at 100 %.

    Docks in `waiting` are hidden; they become tabs of the right column when they are opened.
    """

    left: tuple[str, ...]
    middle: tuple[str, ...]
    right: tuple[str, ...]
    below: tuple[str, ...]
    left_width: int
    right_width: int
    below_height: int
    below_shown: bool
    waiting: tuple[str, ...] = ()


MIDDLE_SHARE = 42
BELOW_SHARE = 21  # share of a tall window's height, for lines of the journal
_HOME = "turnwright.ui.docks"
DOCKS: Sequence[DockSpec] = (
    DockSpec("library", f"{_HOME}.library.dock", "LibraryDock", "book-open-variant"),
    DockSpec("roster", f"{_HOME}.roster.dock", "RosterDock", "account-group"),
    DockSpec("map", f"{_HOME}.map.dock", "MapDock", "map"),
    DockSpec("creature", f"{_HOME}.creature", "CreatureDock", "paw"),
    DockSpec("environment", f"{_HOME}.environment", "EnvironmentDock", "earth"),
    DockSpec("countdown", f"{_HOME}.countdown", "CountdownDock", "timer-sand"),
    DockSpec("handout", f"{_HOME}.handout", "HandoutDock", "email-outline"),
    DockSpec("order", f"{_HOME}.turn_order.dock", "TurnOrderDock", "format-list-bulleted"),
    DockSpec("turn", f"{_HOME}.turn.dock", "TurnDock", "sword"),
    DockSpec("stat-block", f"{_HOME}.stat_block.dock", "StatBlockDock", "card-account-details-outline"),
    DockSpec("problems", f"{_HOME}.problems", "ProblemsDock", "alert-circle-outline"),
    DockSpec("journal", f"{_HOME}.journal.dock", "JournalDock", "script-text-outline"),
    DockSpec("rules", f"{_HOME}.rules.dock", "RulesDock", "book-open-variant"),
)
ARRANGEMENTS: Mapping[ArrangementName, Arrangement] = MappingProxyType(
    {
        "prepare": Arrangement(
            left=("library",),
            middle=("roster", "map"),
            right=("creature", "environment", "countdown"),
            below=("journal", "problems"),
            waiting=("handout", "rules"),
            left_width=260,
            right_width=380,
            below_height=160,
            below_shown=False,
        ),
        "run": Arrangement(
            left=("order",),
            middle=("turn", "map"),
            right=("stat-block", "rules"),
            below=("journal", "problems"),
            left_width=280,
            right_width=360,
            below_height=168,
            below_shown=True,
        ),
    }
)


def apply_arrangement(window: QMainWindow, docks: Mapping[str, QDockWidget], arrangement: Arrangement) -> None:
    """Lay the docks out in an arrangement, as if for the first time; docks that it does not name are hidden."""
    columns = (arrangement.left, arrangement.middle, arrangement.right)
    named = {id for column in (*columns, arrangement.below) for id in column}
    for dock in docks.values():  # remove all docks first, or tabs of removed docks stay behind
        if dock.isFloating():  # Qt makes the window of a docked one anew as well
            dock.setFloating(False)
        window.removeDockWidget(dock)
    for id, dock in docks.items():
        if id not in named:
            window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
            dock.hide()
    heads = [docks[column[0]] for column in columns]
    low = docks[arrangement.below[0]]
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, heads[0])
    window.splitDockWidget(heads[0], low, Qt.Orientation.Vertical)
    window.splitDockWidget(heads[0], heads[1], Qt.Orientation.Horizontal)
    window.splitDockWidget(heads[1], heads[2], Qt.Orientation.Horizontal)
    for column in (*columns, arrangement.below):
        for id in column[1:]:
            window.tabifyDockWidget(docks[column[0]], docks[id])
    for id in arrangement.waiting:
        window.tabifyDockWidget(heads[2], docks[id])
        docks[id].hide()
    for id in named:
        docks[id].setVisible(id not in arrangement.below or arrangement.below_shown)
    if arrangement.below_shown:
        for id in arrangement.below[1:]:
            docks[id].hide()
    for column in columns:
        docks[column[0]].raise_()
    set_sizes(window, docks, arrangement)


def tab_bars(window: QMainWindow) -> list[QTabBar]:
    """Return the visible tab bars of docks. Qt leaves tab bars standing when another layout takes their place."""
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [bar for bar in bars if bar.isVisible()]


def set_sizes(window: QMainWindow, docks: Mapping[str, QDockWidget], arrangement: Arrangement) -> None:
    """Set the sizes of the sides and the bottom; the middle takes the rest, and never less than its share."""
    left, middle, right = (docks[column[0]] for column in (arrangement.left, arrangement.middle, arrangement.right))
    widths = [scaled(arrangement.left_width), scaled(arrangement.right_width)]
    room = window.width() * (100 - MIDDLE_SHARE) // 100
    if sum(widths) > room:
        widths = [width * room // sum(widths) for width in widths]
    widths.insert(1, max(scaled(200), window.width() - sum(widths)))
    window.resizeDocks([left, middle, right], widths, Qt.Orientation.Horizontal)
    if arrangement.below_shown:
        height = max(scaled(arrangement.below_height), window.height() * BELOW_SHARE // 100)
        rest = max(scaled(200), window.height() - height)
        window.resizeDocks([middle, docks[arrangement.below[0]]], [rest, height], Qt.Orientation.Vertical)


def set_stretch(dock: QDockWidget, arrangement: Arrangement) -> None:
    """Set the size policy of a dock: only docks in the middle grow with the window; any may be dragged larger."""
    id = dock.objectName()
    keeps_width = id in (*arrangement.left, *arrangement.right, *arrangement.waiting)
    keeps_height = id in arrangement.below
    narrow, free = QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred
    dock.setSizePolicy(narrow if keeps_width else free, narrow if keeps_height else free)
