"""The form of an environment entry: every field can be edited, and unused groups are hidden until added."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from turnwright.encounter.prepared import Check, Environment, EnvironmentEntry, InflictedCondition, SavingThrow, Spawn
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.docks.inspectors import EnvironmentDock
from turnwright.ui.forms.environment_layouts import ENTRY_GROUPS as GROUPS

PLAIN = EnvironmentEntry("plain", "Plain thing", kind="object")
FULL = EnvironmentEntry(
    "full",
    "Mirror",
    trigger="disturbed",
    check=Check("dex", 0, "perception", "reaction", "spellcasting"),
    unaffected=("resistant:cold", "skin-covered", "prone"),
    reduced="cold-weather-gear",
    reduced_damage="1d6 cold",
    push=15,
    teleport=5,
    once="encounter",
    delay=2,
    spawn=Spawn("shadow", "Shadow", "hostile to all", 20, True),
    breaks=True,
    reflects=1,
    terrain="difficult",
    hearing=15,
    sound=2,
    ac=12,
)


@pytest.fixture
def dock(show, document):
    frigid = document.encounter.need(Environment, "frigid")
    document.execute(
        Edit(msgspec.structs.replace(frigid, features=(PLAIN, FULL), actions=(EnvironmentEntry("act", "Act"),)))
    )
    document.select(("environments", "frigid"))
    return show(EnvironmentDock)


@pytest.fixture
def form(dock):
    return dock.feature_rows.form


@pytest.fixture
def row(document):
    return lambda: document.encounter.need(Environment, "frigid").features[0]


def pick(box: QComboBox, text: str) -> None:
    """Choose an item as a person does."""
    box.setCurrentIndex(box.findText(text))
    box.activated.emit(box.currentIndex())


def menu_of(form):
    form.menu.aboutToShow.emit()
    return {action.text(): action for action in form.menu.actions()}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("rows", ["feature_rows", "action_rows"])
def test_every_field_of_a_row_can_be_edited(dock, rows):
    form = getattr(dock, rows).form
    for id in GROUPS:
        if id not in form.groups():
            form.open_group(id)
    assert set(form.fields) | {"id", "rules"} == set(EnvironmentEntry.__struct_fields__)
    assert not form.more.isVisible()


def test_what_is_not_used_is_not_there(dock, form):
    assert form.groups() == ()
    assert "push" not in form.fields
    dock.feature_rows.choose("full")
    assert form.groups() == ("moment", "check", "unaffected", "push", "spawn", "ground", "sound", "thing")
    dock.feature_rows.choose("plain")
    assert form.groups() == ()
    assert not form.fields["push"].isVisible()


def test_a_group_is_offered_until_it_is_there(form, qtbot):
    assert "Push or teleport" in menu_of(form)
    menu_of(form)["Push or teleport"].trigger()
    assert form.fields["push"].isVisible()
    assert form.fields["push"].box.hasFocus()
    assert "Push or teleport" not in menu_of(form)


def test_a_group_that_is_emptied_stays_under_the_cursor(form, row, qtbot, depth):
    form.open_group("push")
    box, before = form.fields["push"].box, depth()
    qtbot.keyClick(box, Qt.Key.Key_Up)
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert (row().push, depth()) == (1, before + 1)  # from nothing to 0 to 1
    box.selectAll()
    qtbot.keyClick(box, Qt.Key.Key_Delete)
    assert row() == PLAIN
    assert form.fields["push"].isVisible()


def test_leaving_a_group_out_empties_it_in_one_step(dock, form, document, depth):
    dock.feature_rows.choose("full")
    before = depth()
    form.remove_group("thing")
    full = document.encounter.need(Environment, "frigid").features[1]
    assert full == msgspec.structs.replace(FULL, ac=0, breaks=False, reflects=None)
    assert "thing" not in form.groups()
    assert depth() == before + 1
    document.undo()
    assert "thing" in form.groups()
    assert form.fields["ac"].box.value() == 12


def test_typing_is_one_step_and_the_cursor_stays(form, row, qtbot, depth):
    form.open_group("ground")
    before, line = depth(), form.fields["cover_when"].line
    line.setFocus()
    qtbot.keyClicks(line, "tped over")
    line.setCursorPosition(1)
    qtbot.keyClicks(line, "ip")
    assert row().cover_when == "tipped over"
    assert line.cursorPosition() == 3
    assert depth() == before + 1


def test_a_check_begins_with_a_skill_and_its_usual_ability(form, row, depth):
    form.open_group("check")
    parts, before = form.fields["check"].parts, depth()
    assert not parts["dc"].isEnabled()
    pick(parts["skill"].box, "Athletics")
    assert row().check == Check("str", 12, "athletics")
    pick(parts["cost"].box, "Action")
    assert row().check == Check("str", 12, "athletics", "action")
    assert depth() == before + 2


def test_a_table_rule_may_make_a_check_free(form, row, document):
    form.open_group("check")
    parts = form.fields["check"].parts
    pick(parts["ability"].box, "Strength")
    rule = document.rules.data.options[0]
    pick(parts["free_by"].box, rule.name)
    assert row().check.free_by == rule.id


def test_a_check_against_the_caster_has_no_dc(form, row):
    form.open_group("check")
    parts = form.fields["check"].parts
    pick(parts["ability"].box, "Dexterity")
    pick(parts["against"].box, "the caster's roll")
    assert row().check == Check("dex", 0, against="spellcasting")
    assert not parts["dc"].isEnabled()
    pick(parts["against"].box, "a DC")
    assert row().check == Check("dex", 12)
    pick(parts["ability"].box, "No check")
    assert row() == PLAIN


def test_spared_and_reduced(form, row, qtbot, document):
    damaging = msgspec.structs.replace(PLAIN, damage="2d6 cold")
    frigid = document.encounter.need(Environment, "frigid")
    document.execute(Edit(msgspec.structs.replace(frigid, features=(damaging, FULL))))
    form.open_group("unaffected")
    field = form.fields["unaffected"]
    for text in ("Resistant to cold", "Full-body clothing"):
        field.menu.aboutToShow.emit()
        next(action for action in field.menu.actions() if action.text() == text).trigger()
    assert row().unaffected == ("resistant:cold", "skin-covered")
    pick(form.fields["reduced"].box, "Cold-weather gear")
    line = form.fields["reduced_damage"].line
    line.setFocus()
    qtbot.keyClicks(line, "1d6 cold")
    assert (row().reduced, row().reduced_damage) == ("cold-weather-gear", "1d6 cold")


def test_a_creature_is_brought_under_its_own_name_until_it_has_another(form, row, document, qtbot):
    form.open_group("spawn")
    parts = form.fields["spawn"].parts
    assert not parts["name"].isEnabled()
    pick(parts["creature"].box, "River raider")
    assert row().spawn == Spawn("river-raider", "River raider")
    pick(parts["creature"].box, "River captain")
    assert row().spawn == Spawn("river-captain", "River captain")
    parts["name"].line.setFocus()
    parts["name"].line.selectAll()
    qtbot.keyClicks(parts["name"].line, "Grak")
    pick(parts["creature"].box, "River raider")
    assert row().spawn == Spawn("river-raider", "Grak")
    box = parts["initiative"].box
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "20")
    parts["likeness"].box.click()
    assert row().spawn == Spawn("river-raider", "Grak", "hostile to all", 20, True)
    document.undo()
    assert not parts["likeness"].box.isChecked()


def test_an_affliction_with_its_way_out(form, row, qtbot):
    field = form.fields["afflictions"]
    pick(field.findChild(QComboBox, options=Qt.FindChildOption.FindDirectChildrenOnly), "Restrained")
    parts = field.items[0].parts
    pick(parts["ends"].box, "ends at the end of their turn")
    pick(parts["break_free"].box, "action to break free")
    box = parts["escape_dc"].box
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "13")
    assert row().afflictions == (InflictedCondition("restrained", "turn-end", 13, "action"),)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("group", "name", "text", "value"),
    [
        ("moment", "recharge", "5–6", 5),
        ("moment", "once", "once per target", "encounter"),
        ("ground", "terrain", "Difficult", "difficult"),
        ("ground", "obscured", "Heavily obscured", "heavily"),
        ("effect", "edge", "Disadvantage", "disadvantage"),
        ("effect", "edge_on", "Ranged attacks", "ranged"),
        ("ground", "cover", "Three-quarters", "three-quarters"),
        ("sound", "per_die", "Thunder", "thunder"),
        ("thing", "cost", "Bonus action", "bonus"),
        ("thing", "size", "Large", "large"),
    ],
)
def test_choices(form, row, depth, group, name, text, value):
    form.open_group(group)
    before = depth()
    pick(form.fields[name].box, text)
    assert row() == msgspec.structs.replace(PLAIN, **{name: value})
    assert depth() == before + 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("group", "name", "typed"),
    [
        ("moment", "delay", 2),
        ("push", "push", 15),
        ("push", "teleport", 5),
        ("sound", "hearing", 15),
        ("sound", "sound", 3),
        ("thing", "ac", 12),
        ("thing", "reflects", 0),
    ],
)
def test_figures(form, row, depth, qtbot, group, name, typed):
    form.open_group(group)
    before, box = depth(), form.fields[name].box
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, str(typed))
    assert row() == msgspec.structs.replace(PLAIN, **{name: typed})
    assert depth() == before + 1


def test_switches(form, row, depth):
    before = depth()
    form.fields["enabled"].box.click()
    form.open_group("thing")
    form.fields["breaks"].box.click()
    assert row() == msgspec.structs.replace(PLAIN, enabled=False, breaks=True)
    assert depth() == before + 2


def test_difficult_ground_may_be_so_only_for_whoever_turns(form, row):
    form.open_group("ground")
    assert not form.fields["redirect"].isVisible()
    pick(form.fields["terrain"].box, "Difficult")
    form.fields["redirect"].box.click()
    assert row() == msgspec.structs.replace(PLAIN, terrain="difficult", redirect=True)


def test_a_world_action_has_its_recharge_first(dock, document):
    form = dock.action_rows.form
    assert form.groups() == ()
    pick(form.fields["recharge"].box, "5–6")
    form.fields["save"].edited.emit(SavingThrow("con", 13))
    assert document.encounter.need(Environment, "frigid").actions == (
        EnvironmentEntry("act", "Act", recharge=5, save=SavingThrow("con", 13)),
    )
    assert form.groups() == ()


def test_everything_at_once_fits_the_inspector(dock, form):
    dock.feature_rows.choose("full")
    for field in form.fields.values():
        assert field.mapTo(form, field.rect().bottomRight()).x() <= form.width()
    assert dock.minimumSizeHint().width() <= 380
