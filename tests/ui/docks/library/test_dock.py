import msgspec
import pytest
from PySide6.QtCore import Qt

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Environment, RosterEntry
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.docks.library.dock import LibraryDock
from turnwright.workspace.document import untitled_document


@pytest.fixture
def dock(show, qtbot, document):
    made = show(LibraryDock, width=260)
    if not made.model.shown_count:
        qtbot.waitSignal(made.listLoaded).wait()
    return made


def search(dock, qtbot, text):
    dock.search.setFocus()
    dock.search.clear()
    qtbot.keyClicks(dock.search, text)


def test_the_dock_lists_creatures_places_and_samples(dock):
    assert [key[1] for key in dock.model.keys if key[0] == "#"] == ["creature", "environment", "encounter"]
    assert dock.model.shown_count >= 25 + 9 + 3


def test_enter_in_the_search_line_adds_the_first_match(dock, qtbot, document):
    search(dock, qtbot, "fen wy")
    qtbot.keyClick(dock.search, Qt.Key.Key_Return)
    entry = document.encounter.need(RosterEntry, "fen-wyrm")
    assert (entry.count, entry.side) == (1, "enemies")
    assert document.encounter.need(Creature, "fen-wyrm").source == "library:fen-wyrm"
    assert document.selection == ("roster", "fen-wyrm")
    document.undo()
    assert document.encounter.get(Creature, "fen-wyrm") is None


def test_arrows_go_through_the_list_from_the_search_line(dock, qtbot):
    search(dock, qtbot, "river")
    first = dock.model.item_at(dock.view.currentIndex())
    qtbot.keyClick(dock.search, Qt.Key.Key_Down)
    second = dock.model.item_at(dock.view.currentIndex())
    assert first != second
    qtbot.keyClick(dock.search, Qt.Key.Key_Up)
    assert dock.model.item_at(dock.view.currentIndex()) == first


def test_an_environment_is_copied_under_an_id_of_its_own(dock, qtbot, document):
    search(dock, qtbot, "frigid")
    qtbot.keyClick(dock.search, Qt.Key.Key_Return)
    assert document.encounter.need(Environment, "frigid-2").source == "frigid"
    assert document.selection == ("environments", "frigid-2")


def test_a_sample_is_asked_to_be_opened(dock, qtbot):
    search(dock, qtbot, "causeway to open")
    search(dock, qtbot, "sinking causeway")
    with qtbot.waitSignal(dock.openRequested) as asked:
        qtbot.keyClick(dock.search, Qt.Key.Key_Return)
    assert asked.args[0].endswith("sinking-causeway.toml")


def test_nothing_found_says_so(dock, qtbot):
    search(dock, qtbot, "zzz")
    assert dock.empty.isVisible()
    assert "zzz" in dock.empty.accessibleName()


def test_a_creature_of_another_game_is_copied_here(dock, qtbot, document):
    search(dock, qtbot, "duergar")
    assert dock.empty.isVisible()
    assert dock.empty.accessibleName() == "Duergar is from D&D 5e and can be converted."
    dock.empty.button.click()
    assert document.encounter.need(Creature, "duergar").source == "D&D 5e: System Reference Document 5.1"
    assert dock.banner.text() == "Duergar is converted to A5E."
    assert document.selection == ("roster", "duergar")
    duergar = document.encounter.need(Creature, "duergar")
    document.execute(Edit(msgspec.structs.replace(duergar, portrait="face.png")))
    qtbot.keyClick(dock.search, Qt.Key.Key_Return)
    assert document.encounter.need(RosterEntry, "duergar").count == 2
    search(dock, qtbot, "zzz")
    assert not dock.empty.button.isVisible()
    search(dock, qtbot, "duergar")
    dock.bar.card.set_favourites_only(True)
    assert not dock.empty.button.isVisible()
    dock.bar.card.set_favourites_only(False)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("switches", [True, False])
def test_an_empty_encounter_switches_to_the_game_of_a_creature(dock, qtbot, document, tmp_path, switches):
    document.open(untitled_document(RuleSystems(), tmp_path / "state", system="a5e"))
    search(dock, qtbot, "duergar")
    assert dock.empty.other.isVisible()
    assert dock.empty.other.text() == "Switch this encounter to D&&D 5e"
    if switches:
        qtbot.keyClick(dock.search, Qt.Key.Key_Return)
    else:
        dock.empty.button.click()
    duergar = document.encounter.need(Creature, "duergar")
    assert document.rules.id == ("dnd5e" if switches else "a5e")
    assert duergar.source == ("library:duergar" if switches else "D&D 5e: System Reference Document 5.1")
    search(dock, qtbot, "zzz")
    assert not dock.empty.other.isVisible()


def test_what_is_selected_is_saved_and_found_again(dock, qtbot, document):
    creature = document.encounter.need(Creature, "mira")
    document.select(("roster", "mira"))
    assert dock.save_button.isEnabled()
    with qtbot.waitSignal(dock.listLoaded):
        dock.save_button.click()
    assert dock.banner.text()
    search(dock, qtbot, "mira")
    item = dock.model.item_at(dock.view.currentIndex())
    record, findings = dock.library.load(item)
    assert record == creature
    assert not findings


def test_a_library_that_cannot_be_written_says_so(dock, document, tmp_path):
    dock.library.folder.parent.mkdir(exist_ok=True)
    dock.library.folder.write_text("a file where a folder should be")
    document.select(("creatures", "mira"))
    dock.save_button.click()
    assert "could not be saved" in dock.banner.text()


def test_refreshing_brings_the_librarys_figures_in_one_step(dock, document, depth):
    raider = document.encounter.need(Creature, "river-raider")
    document.execute(Edit(msgspec.structs.replace(raider, ac=3, hp=1, portrait="axe.png")))
    document.select(("creatures", "river-raider"))
    before = depth()
    dock.refresh_button.click()
    fresh = document.encounter.need(Creature, "river-raider")
    assert (fresh.ac, fresh.hp, fresh.id, fresh.source) == (14, 26, raider.id, raider.source)
    assert fresh.portrait == "axe.png"
    assert depth() == before + 1
    document.undo()
    assert document.encounter.need(Creature, "river-raider").ac == 3


def test_of_two_of_one_id_the_one_it_was_copied_from_is_refreshed(dock, document, qtbot):
    texts = {
        "a": 'ac = 11\nhp = 7\n[features.bite]\nname = "Bite"\ncost = "action"\nattack = 3\n',
        "b": 'ac = 15\nhp = 9\nlanguages = "Old"\n[features.claw]\nname = "Claw"\ncost = "action"\nattack = 5\n',
    }
    for book, text in texts.items():
        (dock.library.folder / book).mkdir(parents=True)
        head = f'format = 3\nkind = "creature"\nsystem = "a5e"\nid = "bog-imp"\nname = "Bog imp"\nsource = "{book}"\n'
        (dock.library.folder / book / "bog-imp.toml").write_text(head + text)
    with qtbot.waitSignal(dock.listLoaded):
        dock.reload()
    for entry in [one for one in dock.items.entries if one.id == "bog-imp"]:
        assert dock.add([entry])
        key = ("creatures", document.encounter.need(RosterEntry, document.selection[1]).creature)
        mine = document.encounter.need(Creature, key[1])
        document.execute(Edit(msgspec.structs.replace(mine, hp=1)))
        document.select(key)
        dock.refresh_button.click()
        assert document.encounter.need(Creature, key[1]) == mine


def test_what_did_not_come_from_the_library_cannot_be_refreshed(dock, document):
    document.select(("creatures", "mira"))
    assert not dock.refresh_button.isEnabled()
