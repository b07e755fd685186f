"""Actions on entries of the library: compare, vary, add from another rule system, delete and restore."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton

from turnwright.encounter.prepared import Creature, Feature, RosterEntry
from turnwright.ui.docks.library.dock import LibraryDock

HOUND = Creature(
    "ash-hound", "Ash hound", type="beast", rating="1", hp=20, ac=13, features=(Feature("b", "Bite", attack=4),)
)


@pytest.fixture
def library(library):
    library.save(HOUND, "a5e")
    library.save(replace(HOUND, id="ash-lord", name="Ash lord", hp=90), "a5e")
    library.save(Creature("wax", "Wax saint", rating="3", level=3, hp=40), "pf2e")
    return library


@pytest.fixture
def dock(show, qtbot, library):
    made = show(LibraryDock, width=260)
    if not made.model.shown_count:
        qtbot.waitSignal(made.listLoaded).wait()
    return made


def entry(dock, name):
    return next(one for one in dock.items.entries if one.name == name)


def texts(menu):
    return [action.text().partition("\t")[0] for action in menu.actions() if not action.isSeparator()]


def press(dock, text):
    button = next(
        one for one in dock.banner.findChildren(QPushButton) if one.text() == text and one.isVisibleTo(dock.banner)
    )
    button.click()


def menu_of(dock, *named):
    entries = [entry(dock, name) for name in named]
    return dock.library_actions.menu(entries, dock.model.duplicates_of(entries[0]), dock)


def run(menu, text):
    next(action for action in menu.actions() if action.text().partition("\t")[0] == text).trigger()


def test_what_is_shipped_can_not_be_deleted(dock):
    shipped = next(one for one in dock.items.entries if one.shipped and one.kind == "creature")
    assert "Delete…" not in texts(menu_of(dock, shipped.name))
    assert "Delete…" in texts(menu_of(dock, "Ash hound"))
    dock.library_actions.confirm_delete([shipped])
    assert "only delete entries in your own library" in dock.banner.text()


def test_deleting_asks_first_and_can_be_taken_back(dock, qtbot):
    file = dock.library.folder / "ash-hound.toml"
    text = file.read_bytes()
    dock.search.setText("ash hound")
    dock.view.go_to(1)
    qtbot.keyClick(dock.view, Qt.Key.Key_Delete)
    assert file.exists()
    assert "Delete Ash hound" in dock.banner.text()
    press(dock, "Keep")
    assert file.exists()
    qtbot.keyClick(dock.view, Qt.Key.Key_Delete)
    with qtbot.waitSignal(dock.listLoaded):
        press(dock, "Delete")
    assert not file.exists()
    copies = list((dock.library.folder.parent / "state" / "backups").iterdir())
    assert [copy.read_bytes() for copy in copies] == [text]
    assert dock.model.shown_count == 0
    with qtbot.waitSignal(dock.listLoaded):
        press(dock, "Restore")
    assert file.read_bytes() == text
    assert dock.model.shown_count == 1


def test_two_that_are_chosen_are_compared(dock, qtbot):
    dock.search.setText("ash")
    rows = [dock.model.row_of_entry(entry(dock, name)) for name in ("Ash hound", "Ash lord")]
    for row in rows:
        place = dock.view.visualRect(dock.model.index(row, 0)).center()
        qtbot.mouseClick(
            dock.view.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.ControlModifier if row != rows[0] else Qt.KeyboardModifier.NoModifier,
            place,
        )
    assert [one.name for one in dock.view.selected_entries()] == ["Ash hound", "Ash lord"]
    with qtbot.waitSignal(dock.compareRequested) as asked:
        run(dock.menu(), "Compare these two")
    assert [side.creature.hp for side in asked.args] == [20, 90]


def test_one_is_compared_with_another_that_is_chosen_later(dock, qtbot):
    run(menu_of(dock, "Ash hound"), "Compare with…")
    assert "Select a creature to compare with Ash hound" in dock.banner.text()
    with qtbot.waitSignal(dock.compareRequested) as asked:
        run(menu_of(dock, "Ash lord"), "Compare with Ash hound")
    assert [side.creature.name for side in asked.args] == ["Ash hound", "Ash lord"]
    assert dock.banner.text() == ""
    assert "Compare with…" in texts(menu_of(dock, "Ash lord"))


def test_a_variant_is_a_file_of_its_own(dock, qtbot):
    with qtbot.waitSignal(dock.variantRequested) as asked:
        run(menu_of(dock, "Ash hound"), "Make a variant…")
    side = asked.args[0]
    assert (side.creature, side.system) == (HOUND, "a5e")
    variant = replace(HOUND, hp=44, source="variant of Ash hound")
    with qtbot.waitSignal(dock.listLoaded):
        assert dock.save_variant(variant, "a5e")
    dock.search.setText("variant of")
    found = dock.view.current_entry()
    assert found.id == "ash-hound-2"
    assert dock.library.load(found)[0].hp == 44
    assert dock.library.load(entry(dock, "Ash lord"))[0].hp == 90


def test_what_is_written_for_another_game_asks_before_it_comes(dock, document):
    dock.add([entry(dock, "Wax saint")])
    assert document.encounter.get(Creature, "wax") is None
    assert "Wax saint is for PF2e." in dock.banner.text()
    press(dock, "Add unchanged")
    assert document.encounter.need(Creature, "wax").hp == 40


def test_several_that_are_chosen_come_together(dock, document):
    assert dock.add([entry(dock, "Ash hound"), entry(dock, "Ash lord")])
    assert document.encounter.need(RosterEntry, "ash-hound").count == 1
    assert document.encounter.need(RosterEntry, "ash-lord").count == 1


def test_the_folder_of_a_file_is_shown(dock):
    class Seen(QObject):
        urls = ()

        @Slot(QUrl)
        def take(self, url):
            self.urls = (*self.urls, url.toLocalFile())

    seen = Seen()
    QDesktopServices.setUrlHandler("file", seen, "take")
    try:
        run(menu_of(dock, "Ash hound"), "Show in its folder")
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert seen.urls == (str(dock.library.folder),)


def test_an_own_encounter_is_opened(dock, qtbot):
    (dock.library.folder / "night.toml").write_text('format = 3\nsystem = "a5e"\ntitle = "Quiet night"\n')
    with qtbot.waitSignal(dock.listLoaded):
        dock.reload()
    dock.search.setText("quiet night")
    with qtbot.waitSignal(dock.openRequested) as asked:
        qtbot.keyClick(dock.search, Qt.Key.Key_Return)
    assert asked.args[0].endswith("night.toml")


def test_what_is_written_for_another_game_is_brought_over(dock, document):
    dock.add([entry(dock, "Wax saint")])
    press(dock, "Convert to A5E")
    assert document.encounter.need(Creature, "wax").source.startswith("PF2e")
    assert "Wax saint is converted to A5E." in dock.banner.text()


def test_what_is_dragged_from_another_game_comes_as_this_ones(dock):
    assert dock.load_here(entry(dock, "Wax saint")).source.startswith("PF2e")
    assert "Wax saint is converted to A5E." in dock.banner.text()
