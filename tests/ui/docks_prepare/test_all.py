"""What holds for every dock for preparing."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QScrollArea, QWidget

from turnwright.ui.docks.countdown import CountdownDock
from turnwright.ui.docks.creature import CreatureDock
from turnwright.ui.docks.editing.fold import Fold
from turnwright.ui.docks.editing.groups import GroupedForm
from turnwright.ui.docks.environment import EnvironmentDock
from turnwright.ui.docks.library import LibraryDock
from turnwright.ui.docks.problems import ProblemsDock
from turnwright.ui.docks.roster import RosterDock
from turnwright.ui.theme import theme_source

WIDTHS = {
    LibraryDock: 260,
    RosterDock: 632,
    CreatureDock: 380,
    EnvironmentDock: 380,
    CountdownDock: 380,
    ProblemsDock: 900,
}
DOCKS = pytest.mark.parametrize("kind", WIDTHS, ids=lambda kind: kind.__name__)


def own(dock, kind):
    """Return the shown widgets of a kind that are ours, not the inner parts of Qt's own controls."""
    return [
        one
        for one in dock.findChildren(kind)
        if one.isVisible()
        and not one.objectName().startswith("qt_")
        and not isinstance(one.parentWidget(), QComboBox)
        and "SpinBox" not in type(one.parentWidget()).__mro__[1].__name__
    ]


def open_all(dock):
    """Open every fold and every group of rarer fields."""
    for fold in dock.findChildren(Fold):
        fold.set_open(True)
    for form in dock.findChildren(GroupedForm):
        form.menu.aboutToShow.emit()
        for action in form.menu.actions():
            action.trigger()


@DOCKS
@pytest.mark.parametrize("opened", [False, True], ids=["closed", "opened"])
def test_everything_that_takes_the_focus_has_a_name(show, kind, opened):
    dock = show(kind, WIDTHS[kind])
    if opened:
        open_all(dock)
    assert dock.accessibleName()
    nameless = [
        f"{type(one).__name__} in {type(one.parentWidget()).__name__}"
        for one in own(dock, QWidget)
        if one.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not one.focusProxy()
        and not (one.accessibleName() or (isinstance(one, QAbstractButton) and one.text()))
    ]
    assert not nameless


@DOCKS
def test_every_word_comes_from_the_catalogue(show, kind):
    dock = show(kind, WIDTHS[kind])
    open_all(dock)
    texts = [one.text() for one in dock.findChildren(QLabel) + dock.findChildren(QAbstractButton)]
    texts += [one.accessibleName() for one in dock.findChildren(QWidget)]
    texts += [one.placeholderText() for one in dock.findChildren(QLineEdit)]
    texts += [box.itemText(row) for box in dock.findChildren(QComboBox) for row in range(box.count())]
    assert not [text for text in texts if text.startswith("ui.")]


@DOCKS
@pytest.mark.parametrize("choice", ["light", "dark"])
def test_nothing_needs_more_width_than_its_place_has(show, kind, choice):
    theme_source().choose(choice)
    dock = show(kind, WIDTHS[kind])
    open_all(dock)
    assert dock.minimumSizeHint().width() <= WIDTHS[kind]
    for area in dock.findChildren(QScrollArea):
        assert area.widget().minimumSizeHint().width() <= area.viewport().width()
    theme_source().choose("system")
