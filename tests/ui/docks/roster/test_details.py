"""The strip below the roster that edits an entry's fields without a column."""

import msgspec
import pytest
from PySide6.QtCore import Qt

from turnwright.encounter.prepared import CharacterState, RosterEntry
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.docks.roster.dock import RosterDock, details_summary
from turnwright.ui.models.roster import RosterColumn

IN_THE_CELLS = {"id", "count", "name", "ac", "hp", "sneaking", "hidden"}


@pytest.fixture
def dock(show, document):
    document.select(("roster", "raiders"))
    return show(RosterDock, width=632)


@pytest.fixture
def details(dock):
    dock.details.set_open(True)
    return dock.details


@pytest.fixture
def entry(document):
    return lambda: document.encounter.need(RosterEntry, "raiders")


def pick(box, text):
    box.setCurrentIndex(box.findText(text))
    box.activated.emit(box.currentIndex())


def test_every_field_of_an_entry_can_be_edited_in_the_cells_or_here(details):
    for id in ("together", "fate"):
        details.form.open_group(id)
    elsewhere = {
        "adjustment",
        "portrait",
        "rings",
        "lights",
    }  # in games with such ways; on the map and in the stat block
    assert set(details.form.fields) | IN_THE_CELLS | elsewhere == set(RosterEntry.__struct_fields__)


def test_nothing_is_made_before_it_is_wanted(dock, qtbot):
    qtbot.waitUntil(lambda: dock.details.button is not None)
    assert dock.details.form is None
    qtbot.mouseClick(dock.details.button, Qt.MouseButton.LeftButton)
    assert dock.details.is_open()
    qtbot.mouseClick(dock.details.button, Qt.MouseButton.LeftButton)
    assert not dock.details.is_open()


def test_it_follows_the_chosen_entry_and_keeps_it(details, dock, document):
    document.select(("roster", "captain"))
    assert details.form.fields["place"].line.text() == "in the bow"
    document.select(("environments", "frigid"))
    assert details.form.fields["place"].line.text() == "in the bow"
    assert details.isVisible()


def test_an_entry_may_use_another_creature(details, dock, entry, depth, document):
    before = depth()
    pick(details.form.fields["creature"].box, "River captain")
    assert entry().creature == "river-captain"
    assert dock.roster.index_of("raiders", RosterColumn.HP).data() == "75"
    assert depth() == before + 1
    document.undo()
    assert details.form.fields["creature"].box.currentText() == "River raider"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("name", "text"), [("player", "Ada"), ("place", "in the reeds"), ("notes", "They run when the horn sounds.")]
)
def test_typing_is_one_step_and_the_cursor_stays(details, entry, qtbot, depth, name, text):
    field = details.form.fields[name]
    control = field.focusProxy()
    control.setFocus()
    control.selectAll()
    before = depth()
    qtbot.keyClicks(control, text)
    assert getattr(entry(), name) == text
    qtbot.keyClick(control, Qt.Key.Key_Home)
    qtbot.keyClicks(control, "x")
    cursor = control.textCursor().position() if name == "notes" else control.cursorPosition()
    assert (getattr(entry(), name), cursor) == (f"x{text}", 1)
    assert depth() == before + 1


@pytest.mark.parametrize(("name", "number"), [("level", 5), ("initiative", 7)])
def test_figures(details, entry, qtbot, depth, name, number):
    before, box = depth(), details.form.fields[name].box
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, str(number))
    assert getattr(entry(), name) == number
    box.selectAll()
    qtbot.keyClick(box, Qt.Key.Key_Delete)
    assert getattr(entry(), name) == (0 if name == "level" else None)
    assert depth() == before  # it came back to where it was


def test_another_check_stands_for_initiative(details, entry):
    box = details.form.fields["check"].box
    assert box.itemText(1) == "Perception (Wis)"  # the system's own list stands first
    pick(box, "Stealth (Dex)")
    assert entry().check == "dex:stealth"


def test_squares_are_written_as_text(details, entry, qtbot, depth, document):
    line, before = details.form.fields["positions"].line, depth()
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "3,4; 4,4;")
    assert entry().positions == ((3, 4), (4, 4))
    assert line.text() == "3,4; 4,4;"  # left as it is being written
    assert depth() == before + 1
    qtbot.keyClicks(line, " five")
    assert entry().positions == ((3, 4), (4, 4))
    assert "five" in details.form.fields["positions"].message.text()
    document.select(("roster", "captain"))
    assert line.text() == "21,9"
    assert not details.form.fields["positions"].message.text()


def test_outside_of_which_places(details, entry):
    field = details.form.fields["outside"]
    field.menu.aboutToShow.emit()
    before = entry().outside
    action = next(action for action in field.menu.actions() if not action.isChecked())
    action.trigger()
    assert len(entry().outside) == len(before) + 1
    action.trigger()
    assert entry().outside == before


def test_side_and_wave_can_be_chosen_here_where_their_columns_have_no_room(details, dock, entry, qtbot):
    dock.window().resize(400, 760)
    qtbot.waitUntil(lambda: dock.roster_view.isColumnHidden(RosterColumn.SIDE))
    assert not dock.roster_view.isColumnHidden(RosterColumn.HP)
    line = details.form.fields["wave"].box.lineEdit()
    line.setFocus()
    qtbot.keyClicks(line, "late")
    assert entry().wave == "late"
    dock.window().resize(900, 760)
    qtbot.waitUntil(lambda: not dock.roster_view.isColumnHidden(RosterColumn.SIDE))


def test_the_last_entry_gone_takes_the_strip_along(details, dock, document):
    from turnwright.play.setup.prepared_records import Remove

    document.execute(Remove(tuple(("roster", id) for id in document.encounter.ids(RosterEntry))))
    assert not details.isVisible()
    document.undo()
    assert details.isVisible()


def test_the_rarer_fields_come_when_they_are_used_or_asked_for(details, document, entry):
    form = details.form
    assert form.groups() == ()
    form.open_group("fate")
    pick(form.fields["dying"].box, "Makes death saves")
    assert entry().dying == "saves"
    document.select(("roster", "captain"))
    assert form.groups() == ()
    document.select(("roster", "raiders"))
    assert form.groups() == ("fate",)
    form.remove_group("fate")
    assert entry().dying == ""
    document.undo()
    assert entry().dying == "saves"


def test_nobody_can_follow_or_ride_who_follows_or_rides_them(details, document, entry):
    details.form.open_group("together")
    boxes = {name: details.form.fields[name].box for name in ("controller", "rides")}
    captain = document.encounter.need(RosterEntry, "captain")
    assert boxes["rides"].findData("") == 0
    assert boxes["rides"].findData("captain") > 0
    assert boxes["rides"].findData("raiders") < 0
    document.execute(Edit(msgspec.structs.replace(captain, rides="raiders")))
    assert boxes["rides"].findData("captain") < 0
    assert boxes["controller"].findData("captain") > 0
    boxes["controller"].activated.emit(boxes["controller"].findData("captain"))
    assert entry().controller == "captain"


def test_the_closed_strip_sums_up_what_is_rare(dock, document, entry, qtbot):
    qtbot.waitUntil(lambda: dock.details.button is not None)
    changed = msgspec.structs.replace(
        entry(), elevation=20, controller="captain", rides="captain", group=True, dying="dies", bystander=True
    )
    document.execute(Edit(changed))
    said = dock.details.summary()
    assert "20 ft up · on Captain's turn" in said
    assert "as one group · dies · bystander" in said


def test_how_one_comes_out_of_earlier_fights_is_shown_and_can_be_made_fresh(details, dock, document, qtbot):
    mira = document.encounter.need(RosterEntry, "mira")
    document.select(("roster", "mira"))
    assert details.form.fields["state"].isHidden() or not details.form.fields["state"].isVisible()
    document.execute(Edit(msgspec.structs.replace(mira, state=CharacterState(11, tracks=(("fatigue", 2),)))))
    field = details.form.fields["state"]
    assert field.isVisible()
    assert field.label.text().startswith("11 of 44 hit points, ")
    assert "starts with 11 hit points" in details_summary(
        document.encounter.need(RosterEntry, "mira"), document.encounter
    )
    field.button.click()
    assert document.encounter.need(RosterEntry, "mira") == mira


def test_a_count_by_the_party_is_typed_and_followed(details, document, entry, dock, qtbot):
    line = details.form.fields["counts"].line
    line.setFocus()
    qtbot.keyClicks(line, "2 per character")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert (entry().counts, entry().count) == ("2 per character", 8)
    assert dock.roster.index_of("raiders", RosterColumn.COUNT).data() == "8 ×"
    assert "2 per character" in details_summary(entry(), document.encounter)
    line.selectAll()
    qtbot.keyClicks(line, "many")
    assert details.form.fields["counts"].message.isVisible()
    document.execute(Edit(msgspec.structs.replace(entry(), count=3)))
    assert (entry().counts, entry().count) == ("", 3)
