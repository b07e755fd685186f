import msgspec
import pytest
from PySide6.QtCore import Qt

from turnwright.encounter.prepared import Countdown, Environment, Handout
from turnwright.play.setup.prepared_records import Add, Edit, Remove
from turnwright.ui.docks.inspectors import HandoutDock
from turnwright.ui.docks.roster.dock import RosterDock
from turnwright.ui.models.row_list_model import DETAIL_ROLE, ICON_ROLE


@pytest.fixture(autouse=True)
def without_handouts(document):
    """The encounter without the handouts of the sample."""
    document.execute(Remove(tuple((Handout.table, id) for id in document.encounter.ids(Handout))))


@pytest.fixture
def dock(show, document):
    document.execute(Add((Handout("plea", "A plea", text="Come."), Handout("toll", style="notice"))))
    document.select(("handouts", "plea"))
    return show(HandoutDock)


@pytest.fixture
def plea(document):
    return lambda: document.encounter.need(Handout, "plea")


def test_every_field_is_shown_and_edited(dock, plea, qtbot):
    assert dock.form.fields["text"].text.toPlainText() == "Come."
    for name, typed in (("title", "Help"), ("signed", "Ann"), ("picture", "boat.png")):
        line = dock.form.fields[name].line
        line.setFocus()
        line.selectAll()
        qtbot.keyClicks(line, typed)
    dock.form.fields["text"].text.setPlainText("One.\n\nTwo.")
    style = dock.form.fields["style"].box
    style.setCurrentIndex(style.findData("page"))
    style.activated.emit(style.currentIndex())
    assert plea() == Handout("plea", "Help", "page", "One.\n\nTwo.", "Ann", "boat.png")


SHOWN = {
    "letter": {"hand", "place", "date", "picture"},
    "notice": {"headline", "picture"},
    "page": {"headline", "picture"},
    "wanted": {"headline", "reward", "picture"},
    "newspaper": {"headline", "place", "date", "picture"},
    "telegram": {"place", "date"},
    "picture": {"picture"},
}


@pytest.mark.parametrize("style", SHOWN)
def test_a_style_shows_the_fields_that_it_prints(dock, document, plea, style):
    document.execute(Edit(msgspec.structs.replace(plea(), style=style)))
    fields = ("hand", "headline", "place", "date", "reward", "picture")
    assert {name for name in fields if dock.form.fields[name].isVisible()} == SHOWN[style]


def test_typing_into_one_field_is_one_step(dock, plea, qtbot, depth):
    before = depth()
    line = dock.form.fields["title"].line
    line.setFocus()
    line.end(False)
    qtbot.keyClicks(line, " for help")
    assert plea().title == "A plea for help"
    assert depth() == before + 1


def test_handouts_are_chosen_by_title_or_by_id(dock, document):
    assert [dock.choice.itemText(row) for row in range(dock.choice.count())] == ["A plea", "Toll"]
    document.select(("handouts", "toll"))
    assert dock.binding.id == "toll"


def test_one_is_added_and_taken_out(dock, document):
    dock.add()
    assert len(document.encounter.ids(Handout)) == 3
    assert document.selection == ("handouts", dock.binding.id)
    dock.remove()
    assert document.encounter.ids(Handout) == ("plea", "toll")


def test_handouts_stand_below_the_world_of_the_encounter(show, document):
    document.execute(Add((Handout("plea", "A plea", style="notice"),)))
    roster = show(RosterDock)
    world = roster.world
    row = world.row_of(("handouts", "plea"))
    assert row == len(document.encounter.ids(Environment)) + len(document.encounter.ids(Countdown))
    index = world.index(row, 0)
    assert world.data(index) == "A plea"
    assert world.data(index, DETAIL_ROLE) == "Posted notice"
    assert world.data(index, ICON_ROLE) == "email-outline"
    assert world.data(index, Qt.ItemDataRole.ToolTipRole) == "A plea: Posted notice"


def test_the_button_of_the_world_adds_a_handout_and_asks_to_open_it(show, document, qtbot):
    roster = show(RosterDock)
    with qtbot.waitSignal(roster.editRequested) as opened:
        roster.add("handout")
    (id,) = document.encounter.ids(Handout)
    assert opened.args == [("handouts", id)]
