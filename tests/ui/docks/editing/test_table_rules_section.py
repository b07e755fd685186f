"""The table rules of an encounter: only options that differ from their default are written into it."""

import msgspec
import pytest
from PySide6.QtCore import Qt

from turnwright.encounter.prepared import Countdown, Scene
from turnwright.play.setup.prepared_records import Edit, Remove
from turnwright.ui.docks.roster.dock import RosterDock
from turnwright.ui.widgets.layout import focus_order

RARE, USUAL = "round-up", "hidden-attacker"


@pytest.fixture
def dock(show):
    return show(RosterDock, width=632)


@pytest.fixture
def rules(dock, qtbot):
    dock.table_rules.set_open(True)
    return dock.table_rules


@pytest.fixture
def scene(document):
    return lambda: document.encounter.need(Scene, "scene")


def tick(rules, id):
    return rules.form.fields["options"].check_boxes[id]


def test_every_field_of_the_scene_can_be_edited(rules, dock):
    bound = {name for form in (dock.title, dock.setting, rules.form, dock.notes) for name in form.fields}
    assert bound | {"id", "system", "treasure"} == set(Scene.__struct_fields__)


def test_treasure_is_noted_a_line_each_in_a_game_that_knows_of_it(dock, document, scene):
    document.execute(Edit(msgspec.structs.replace(scene(), system="pf2e")))
    dock.refresh()
    field = dock.notes.fields["treasure"]
    field.text.setPlainText("a ring\n\n a purse ")
    assert scene().treasure == ("a ring", "a purse")
    assert field.text.toPlainText() == "a ring\n\n a purse "
    document.execute(Edit(msgspec.structs.replace(scene(), treasure=("a crown",))))
    assert field.text.toPlainText() == "a crown"


def test_goal_and_turning_points_are_written_for_the_scene_and_taken_back(dock, document, scene):
    before = scene().turning_points
    dock.notes.fields["goal"].text.setPlainText("Reach the far bank.")
    dock.notes.fields["turning_points"].text.setPlainText("Half of them down: they bargain\n\nDusk: they leave")
    assert scene().goal == "Reach the far bank."
    assert scene().turning_points == ("Half of them down: they bargain", "Dusk: they leave")
    document.undo()
    assert (scene().goal, scene().turning_points) == ("Reach the far bank.", before)


def test_nothing_is_made_before_it_is_wanted(dock, qtbot):
    qtbot.waitUntil(lambda: dock.table_rules.button is not None)
    assert dock.table_rules.form is None
    qtbot.mouseClick(dock.table_rules.button, Qt.MouseButton.LeftButton)
    assert dock.table_rules.is_open()
    qtbot.mouseClick(dock.table_rules.button, Qt.MouseButton.LeftButton)
    assert not dock.table_rules.is_open()


def test_all_choices_of_the_system_stand_there_with_their_words(rules, document):
    offered = document.rules.data.options
    assert list(rules.form.fields["options"].check_boxes) == [rule.id for rule in offered]
    for rule in offered:
        box = tick(rules, rule.id).box
        assert (box.accessibleName(), box.accessibleDescription()) == (rule.name, rule.text)
        assert box.isChecked() == rule.default


@pytest.mark.parametrize(("id", "written"), [(RARE, RARE), (USUAL, f"not {USUAL}")])
def test_a_choice_is_written_only_where_it_is_not_as_usual(rules, scene, qtbot, document, depth, id, written):
    before, box = depth(), tick(rules, id).box
    was = document.rules.has_option(document.encounter, id)
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert scene().options == (written,)
    assert document.rules.has_option(document.encounter, id) is not was
    assert depth() == before + 1
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert scene().options == ()
    document.undo()
    assert box.isChecked() is not was


def test_options_of_other_systems_are_left_alone(rules, scene, document, qtbot):
    document.execute(Edit(msgspec.structs.replace(scene(), options=("from-elsewhere", RARE))))
    qtbot.mouseClick(tick(rules, RARE), Qt.MouseButton.LeftButton)
    assert scene().options == ("from-elsewhere",)
    qtbot.mouseClick(tick(rules, USUAL), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(rules.form.fields["options"].reset_button, Qt.MouseButton.LeftButton)
    assert scene().options == ("from-elsewhere",)
    assert not rules.form.fields["options"].reset_button.isVisible()


def test_the_closed_line_says_what_is_not_as_usual(dock, scene, document, qtbot):
    qtbot.waitUntil(lambda: dock.table_rules.button is not None)
    document.execute(Remove(tuple(("countdowns", id) for id in document.encounter.ids(Countdown))))
    assert dock.table_rules.summary() == "all standard"
    document.execute(Edit(msgspec.structs.replace(scene(), options=(RARE, f"not {USUAL}"), suspended=("water",))))
    names = {rule.id: rule.name for rule in document.rules.data.options}
    assert dock.table_rules.summary() == f"Under water · off: {names[USUAL]} · {names[RARE]}"


@pytest.mark.rule("a5e.scenario.not-only-combat")
def test_five_scenarios_can_be_switched_on_and_together(rules, scene, document, qtbot):
    document.execute(Remove(tuple(("countdowns", id) for id in document.encounter.ids(Countdown))))
    picks = rules.form.fields["suspended"]
    picks.menu.aboutToShow.emit()
    for action, kind in zip(picks.menu.actions(), ("water", "sky", "astral"), strict=False):
        action.trigger()
        assert kind in scene().suspended
    assert scene().suspended == ("water", "sky", "astral")
    rules.form.fields["rolling"].box.click()
    assert scene().rolling
    qtbot.mouseClick(rules.add_button, Qt.MouseButton.LeftButton)
    assert len(document.encounter.ids(Countdown)) == 1
    assert (
        rules.together.text()
        == "In this scene: Under water, Aloft, Adrift in the Astral Plane, rolling movement, 1 countdown"
    )
    assert not rules.add_button.isVisible()
    assert rules.explain()
    assert [line.rule for line in rules.card().rules()] == ["a5e.scenario.not-only-combat"]


def test_a_choice_is_explained_by_its_rules(rules):
    one = tick(rules, USUAL)
    one.box.setFocus()
    assert one.explain()
    assert "a5e.variant.hidden-attacker" in [line.rule for line in rules.card().rules()]


def test_tab_goes_as_one_reads(rules, document):
    names = [widget.accessibleName() for widget in focus_order(rules)]
    assert names[0] == "Hide the house rules"
    assert names[1:3] == ["Everyone floats", "Rolling movement: everyone moves one way"]
    assert names[-len(document.rules.data.options) :] == [rule.name for rule in document.rules.data.options]
