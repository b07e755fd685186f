"""Checks on every dock for preparing: accessible names, texts and widths."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QScrollArea, QWidget

from turnwright.ui.docks.creature import CreatureDock
from turnwright.ui.docks.editing.inspector import CollapsibleSection
from turnwright.ui.docks.inspectors import CountdownDock, EnvironmentDock, ProblemsDock
from turnwright.ui.docks.library.dock import LibraryDock
from turnwright.ui.docks.roster.dock import RosterDock
from turnwright.ui.forms.form import Form
from turnwright.ui.look.style import theme_source

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
    """Return the visible widgets of a class, without the inner parts of Qt's own controls."""
    return [
        one
        for one in dock.findChildren(kind)
        if one.isVisible()
        and not one.objectName().startswith("qt_")
        and not isinstance(one.parentWidget(), QComboBox)
        and "SpinBox" not in type(one.parentWidget()).__mro__[1].__name__
    ]


def open_all(dock):
    """Open every collapsible section and every group of rarer fields."""
    for fold in dock.findChildren(CollapsibleSection):
        fold.set_open(True)
    for form in [one for one in dock.findChildren(Form) if one.layout_data.groups]:
        form.menu.aboutToShow.emit()
        for action in form.menu.actions():
            action.trigger()


def nameless(dock):
    """Return the widgets that take the focus and have no accessible name."""
    return [
        f"{type(one).__name__} in {type(one.parentWidget()).__name__}"
        for one in own(dock, QWidget)
        if one.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not one.focusProxy()
        and not (one.accessibleName() or (isinstance(one, QAbstractButton) and one.text()))
    ]


def texts(dock):
    """Return all texts of a dock."""
    found = [one.text() for one in dock.findChildren(QLabel) + dock.findChildren(QAbstractButton)]
    found += [one.accessibleName() for one in dock.findChildren(QWidget)]
    found += [one.placeholderText() for one in dock.findChildren(QLineEdit)]
    return found + [box.itemText(row) for box in dock.findChildren(QComboBox) for row in range(box.count())]


@pytest.mark.sampled(1)
@DOCKS
def test_everything_has_a_name_from_the_catalogue_and_fits_into_its_place(show, kind):
    dock = show(kind, WIDTHS[kind])
    assert dock.accessibleName()
    assert not nameless(dock)
    open_all(dock)
    assert not nameless(dock)
    assert not [text for text in texts(dock) if text.startswith("ui.")]
    for choice in ("dark", "light"):
        theme_source().choose(choice)
        assert dock.minimumSizeHint().width() <= WIDTHS[kind]
        for area in dock.findChildren(QScrollArea):
            assert area.widget().minimumSizeHint().width() <= area.viewport().width()
