import pytest
from PySide6.QtCore import Qt

from turnwright.encounter.prepared import Environment, EnvironmentEntry, InflictedCondition, SavingThrow
from turnwright.ui.docks.inspectors import EnvironmentDock


@pytest.fixture
def dock(show, document):
    document.select(("environments", "frigid"))
    return show(EnvironmentDock)


@pytest.fixture
def frigid(document):
    return lambda: document.encounter.need(Environment, "frigid")


def test_any_of_the_nine_can_be_the_base(dock, document):
    menu = dock.empty.button.menu()
    menu.aboutToShow.emit()
    names = [action.text() for action in menu.actions() if action.text()]
    assert len(names) == 10  # nine, and an empty place
    next(action for action in menu.actions() if action.text() == "Swampy").trigger()
    added = document.encounter.need(Environment, "swampy")
    assert added.source == "swampy"
    assert added.features == next(e for e in document.rules.data.environments if e.id == "swampy").features
    assert document.selection == ("environments", "swampy")


def test_a_row_is_switched_off_with_space(dock, frigid, qtbot):
    view = dock.feature_rows.view
    view.setFocus()
    view.go_to(1)
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert [row.enabled for row in frigid().features] == [True, False, True]


def test_reskinning_a_row_keeps_its_figures(dock, frigid, qtbot):
    before = frigid().features[0]
    name = dock.feature_rows.form.fields["name"].line
    name.setFocus()
    name.selectAll()
    qtbot.keyClicks(name, "Iron rails")
    after = frigid().features[0]
    assert (after.name, after.damage, after.rules) == ("Iron rails", before.damage, before.rules)


def test_save_and_condition_of_a_world_action(dock, frigid, qtbot):
    form = dock.action_rows.form
    dc = next(box for box in form.fields["save"].findChildren(type(form.fields["fatigue"].box)))
    dc.setFocus()
    qtbot.keyClick(dc, Qt.Key.Key_Up)
    assert frigid().actions[0].save == SavingThrow("con", 16)
    form.fields["afflictions"].edited.emit((InflictedCondition("prone", "turn-end"),))
    assert frigid().actions[0].afflictions == (InflictedCondition("prone", "turn-end"),)
    assert form.fields["afflictions"].isVisible()


def test_unreadable_damage_never_reaches_the_row(dock, frigid, qtbot):
    field = dock.action_rows.form.fields["damage"]
    field.line.setFocus()
    field.line.selectAll()
    qtbot.keyClicks(field.line, "2d6+")
    assert frigid().actions[0].damage == "2d6"  # the last thing typed that was a roll
    assert field.message.text()
    dock.feature_rows.view.setFocus()
    assert field.line.text() == "2d6+"


def test_a_row_is_copied_from_another_environment(dock, frigid, document):
    menu = dock.action_rows.copy_button.menu()
    menu.aboutToShow.emit()
    other = next(action.menu() for action in menu.actions() if action.text() == "Stormy")
    copied = other.actions()[0]
    copied.trigger()
    assert frigid().actions[-1].name == copied.text()
    stormy = next(e for e in document.rules.data.environments if e.id == "stormy")
    assert frigid().actions[-1] == stormy.actions[0]


def test_own_rows_come_and_go_and_come_back(dock, frigid, document):
    before = frigid().features
    dock.feature_rows.add()
    assert frigid().features[-1] == EnvironmentEntry("new", "New feature", kind="area", trigger="standing")
    dock.feature_rows.remove()
    assert frigid().features == before
    document.undo()
    assert len(frigid().features) == len(before) + 1
