import msgspec
import pytest
from PySide6.QtCore import QMimeData, QModelIndex, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from turnwright.encounter.prepared import (
    CharacterState,
    Countdown,
    Creature,
    Environment,
    Handout,
    RosterEntry,
    Scene,
    Treasure,
)
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.docks.roster.dock import RosterDock
from turnwright.ui.forms.fields import MultiLineTextField
from turnwright.ui.look.style import role_font, scaled
from turnwright.ui.models.roster import LIBRARY_MIME, RosterColumn
from turnwright.ui.models.row_list_model import DETAIL_ROLE
from turnwright.workspace.document import open_document


@pytest.fixture
def dock(show):
    return show(RosterDock, width=632)


@pytest.fixture
def entry(document):
    return lambda id="raiders": document.encounter.need(RosterEntry, id)


def go(dock, id, column=RosterColumn.NAME):
    dock.roster_view.setFocus()
    dock.roster_view.setCurrentIndex(dock.roster.index_of(id, column))


def test_typing_into_a_cell_edits_it_in_place(dock, entry, qtbot, document):
    go(dock, "raiders", RosterColumn.COUNT)
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    qtbot.keyClicks(editor, "6")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: entry().count == 6)  # Qt commits the value a moment later
    document.undo()
    assert entry().count == 4
    assert dock.roster.index_of("raiders", RosterColumn.COUNT).data() == "4 ×"


def test_hurt_members_show_what_is_left_and_the_absent_do_not_count(dock, entry, document, qtbot):
    hp = document.encounter.need(Creature, entry("mira").creature).hp
    document.execute(Edit(msgspec.structs.replace(entry("mira"), state=CharacterState(hp - 5))))
    assert dock.roster.index_of("mira", RosterColumn.HP).data() == f"{hp - 5}/{hp}"
    at = next(
        row for row in range(dock.roster.rowCount()) if dock.roster.key_at(dock.roster.index(row, 0)) == ("#", "party")
    )
    before = dock.roster.index(at, RosterColumn.NAME).data(DETAIL_ROLE)
    document.execute(Edit(msgspec.structs.replace(entry("mira"), absent=True)))
    assert dock.roster.index(at, RosterColumn.NAME).data(DETAIL_ROLE) != before


def test_f2_edits_the_party_before_a_row_is_chosen(dock, qtbot):
    dock.roster_view.setFocus()
    with qtbot.waitSignal(dock.partyEditRequested):
        qtbot.keyClick(dock.roster_view, Qt.Key.Key_F2)


def test_a_click_on_the_count_edits_it(dock, entry, qtbot):
    place = dock.roster_view.visualRect(dock.roster.index_of("raiders", RosterColumn.COUNT)).center()
    qtbot.mouseClick(dock.roster_view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    editor = QApplication.focusWidget()
    qtbot.keyClicks(editor, "6")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: entry().count == 6)


def test_heads_have_words_and_rows_are_32_high(dock):
    head = dock.roster.index(0, 0)
    words = [head.siblingAtColumn(column).data() for column in (RosterColumn.SNEAKING, RosterColumn.HIDDEN)]
    assert words == ["Sneaking", "Hidden"]
    widths = dock.roster_view.itemDelegate().widths()
    for column, word in zip((RosterColumn.SNEAKING, RosterColumn.HIDDEN), words, strict=True):
        assert widths[column] > QFontMetrics(role_font("caption")).horizontalAdvance(word)
    assert {view.rowHeight(0) for view in (dock.roster_view, dock.world_view)} == {scaled(32)}


def test_notes_are_shown_and_edited_though_the_dock_is_painted_without_them(dock, document, qtbot):
    qtbot.waitUntil(lambda: bool(dock.findChildren(MultiLineTextField)))
    scene = document.encounter.need(Scene, "scene")
    every = [field.text for field in dock.findChildren(MultiLineTextField) if type(field) is MultiLineTextField]
    aloud, notes = (next(one for one in every if one.toPlainText() == said) for said in (scene.read_aloud, scene.notes))
    assert aloud is not notes
    notes.setFocus()
    notes.setPlainText("Cold.")
    dock.scene.commit()
    assert document.encounter.need(Scene, "scene").notes == "Cold."


def test_one_button_adds_to_the_world(dock, document, qtbot):
    menu = dock.world_button.menu()
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == [
        "Environment",
        "Countdown",
        "Reminder",
        "Handout text",
        "Treasure",
    ]
    before = set(document.encounter.ids(Countdown))
    with qtbot.waitSignal(dock.editRequested) as opened:
        menu.actions()[1].trigger()
    (new,) = set(document.encounter.ids(Countdown)) - before
    assert opened.args == [("countdowns", new)]


def test_an_override_is_emptied_to_have_the_creatures_figure_again(dock, entry, qtbot, document):
    document.execute(Edit(msgspec.structs.replace(entry(), ac=18)))
    go(dock, "raiders", RosterColumn.AC)
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Delete)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: entry().ac is None)
    assert dock.roster.index_of("raiders", RosterColumn.AC).data() == "14"


def test_a_wave_is_called_by_words_and_keeps_its_id(dock, entry, qtbot, document):
    late = next(one for one in document.encounter.all(RosterEntry) if one.wave)
    cell = dock.roster.index_of(late.id, RosterColumn.WAVE)
    assert (late.wave, cell.data()) == ("second-boat", "Second boat")
    go(dock, "raiders", RosterColumn.WAVE)
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    qtbot.keyClicks(editor, "second boat")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: entry().wave == "second-boat")
    assert dock.roster.setData(dock.roster.index_of("raiders", RosterColumn.WAVE), "When the horn blows")
    assert entry().wave == "When the horn blows"
    assert dock.roster.index_of("raiders", RosterColumn.WAVE).data() == "When the horn blows"


def test_space_ticks_sneaking(dock, entry, qtbot):
    go(dock, "raiders", RosterColumn.SNEAKING)
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_Space)
    assert entry().sneaking
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_Space)
    assert not entry().sneaking


def test_delete_removes_and_goes_to_the_next_row(dock, document, qtbot):
    go(dock, "raiders")
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_Delete)
    assert document.encounter.get(RosterEntry, "raiders") is None
    assert document.selection == ("roster", "captain")
    document.undo()
    assert dock.roster.row_of(("roster", "raiders")) == 1


def test_ctrl_and_arrows_move_within_the_side(dock, document, qtbot):
    def foes():
        return [entry.id for entry in document.encounter.all(RosterEntry) if entry.side == "enemies"]

    before = foes()
    go(dock, before[0])
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert foes() == [before[1], before[0], *before[2:]]
    assert dock.roster.key_at(dock.roster_view.currentIndex()) == ("roster", before[0])
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert foes() == before


def test_enter_opens_what_the_row_is_about(dock, qtbot):
    go(dock, "raiders")
    with qtbot.waitSignal(dock.editRequested) as opened:
        qtbot.keyClick(dock.roster_view, Qt.Key.Key_Return)
    assert opened.args == [("roster", "raiders")]
    dock.world_view.setFocus()
    dock.world_view.go_to(0)
    with qtbot.waitSignal(dock.editRequested) as opened:
        qtbot.keyClick(dock.world_view, Qt.Key.Key_Return)
    assert opened.args == [("environments", "frigid")]


def test_selecting_elsewhere_shows_in_the_right_list_only(dock, document):
    document.select(("roster", "captain"))
    assert dock.roster.key_at(dock.roster_view.currentIndex()) == ("roster", "captain")
    document.select(("environments", "frigid"))
    assert not dock.roster_view.selectionModel().hasSelection()
    assert dock.world.key_at(dock.world_view.currentIndex()) == ("environments", "frigid")


def test_another_purpose_brings_its_usual_round_unless_one_was_chosen(dock, document):
    scene = lambda: document.encounter.need(Scene, "scene")  # noqa: E731
    usual = document.rules.default_round_seconds
    purpose = dock.setting.fields["purpose"]
    purpose.edited.emit("competition")
    assert scene().round_seconds == usual("competition")
    document.execute(Edit(msgspec.structs.replace(scene(), round_seconds=10)))
    purpose.edited.emit("combat")
    assert (scene().purpose, scene().round_seconds) == ("combat", 10)


def test_the_title_is_typed_in_one_step(dock, document, qtbot, depth):
    before, title = depth(), dock.title.fields["title"].line
    title.setFocus()
    title.selectAll()
    qtbot.keyClicks(title, "Thin ice")
    assert document.encounter.need(Scene, "scene").title == "Thin ice"
    assert depth() == before + 1


def test_what_is_dropped_from_the_library_joins_the_encounter(dock, document):
    data = QMimeData()
    data.setData(LIBRARY_MIME, msgspec.msgpack.encode(("creature", Creature("toad", "Toad"))))
    assert dock.roster.dropMimeData(data, Qt.DropAction.CopyAction, -1, -1, QModelIndex())
    assert document.encounter.need(RosterEntry, "toad").count == 1
    assert document.encounter.need(Creature, "toad").source == "library:toad"
    assert document.selection == ("roster", "toad")


def test_a_drop_adds_once_after_encounters_of_other_games(dock, document, source, systems, repository, tmp_path):
    other = open_document(repository / "encounters" / "bell-barge.toml", systems, tmp_path / "other", locked=False)
    document.open(other)
    document.open(source)
    data = QMimeData()
    data.setData(LIBRARY_MIME, msgspec.msgpack.encode(("creature", Creature("toad", "Toad"))))
    assert dock.roster.dropMimeData(data, Qt.DropAction.CopyAction, -1, -1, QModelIndex())
    assert document.encounter.need(RosterEntry, "toad").count == 1
    other.close(discard=True)


def test_a_forged_drop_does_nothing(dock, document, depth):
    before, data = depth(), QMimeData()
    for forged in (b"", b"\xff\xff", msgspec.msgpack.encode(("creature", {"id": 3}))):
        data.setData(LIBRARY_MIME, forged)
        dock.roster.dropMimeData(data, Qt.DropAction.CopyAction, -1, -1, QModelIndex())
    assert depth() == before


def test_empty_places_offer_the_first_step(dock, document, qtbot):
    from turnwright.play.setup.prepared_records import Remove

    for kind in (RosterEntry, Environment, Countdown, Handout, Treasure):
        document.execute(Remove(tuple((kind.table, id) for id in document.encounter.ids(kind))))
    assert dock.empty_roster.isVisible()
    assert dock.empty_world.isVisible()
    with qtbot.waitSignal(dock.editRequested):
        dock.empty_world.clicked.emit()
    assert document.encounter.ids(Countdown) == ("new-countdown",)
    assert not dock.empty_world.isVisible()
