"""The filters of the library: values with their count, sort order, favourites and duplicates."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.play.setup.prepared_records import Add
from turnwright.storage.library.search import Favourites, LibraryFilter, LibrarySearch
from turnwright.ui.docks.library.dock import FAVOURITES_FILE, LibraryDock
from turnwright.ui.models.library import fit_text
from turnwright.workspace.document import untitled_document


@pytest.fixture
def library(library):
    hound = Creature("ash-hound", "Ash hound", size="small", type="beast", rating="1/2", environments=("volcano",))
    hound = replace(hound, source="Book of ash, page 3")
    library.save(hound, "a5e")
    library.save(replace(hound, id="ash-lord", name="Ash lord", size="huge", type="fiend", rating="12"), "a5e")
    library.save(Creature("wax", "Wax saint", rating="3", level=3), "pf2e")
    return library


@pytest.fixture
def dock(show, qtbot, library):
    made = show(LibraryDock, width=260)
    if not made.model.shown_count:
        qtbot.waitSignal(made.listLoaded).wait()
    return made


def names(dock, kind="creature"):
    entries = [dock.model.entry_at(row) for row in range(dock.model.rowCount())]
    return [entry.name for entry in entries if entry is not None and entry.kind == kind]


def open_card(dock):
    dock.bar.filters.click()
    return dock.bar.card


def choose(card, name, value):
    box = card.form.fields[name].box
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def check(card, name, value):
    menu = card.form.fields[name].menu
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text() == value).trigger()


def test_the_encounters_game_is_the_usual_one_and_others_can_be_seen(dock):
    assert "Wax saint" not in names(dock)
    card = open_card(dock)
    assert card.form.fields["game"].box.currentText() == "A5E (this encounter)"
    choose(card, "game", "")
    assert {"Wax saint", "Ash lord"} <= set(names(dock))
    choose(card, "game", "pf2e")
    assert "Wax saint" in names(dock)
    assert "Ash lord" not in names(dock)
    assert dock.bar.filters.text() == "Filters · 1"


def test_the_other_edition_is_one_filter(library):
    for system in ("dnd5e", "dnd5e-2024", "a5e"):
        library.save(Creature("zephyr", f"Zephyr of {system}"), system)
    search = LibrarySearch(library.entries())
    found = search.find("zephyr of", LibraryFilter(system="dnd5e-2024 dnd5e"))
    assert [entry.system for entry in found] == ["dnd5e", "dnd5e-2024"]


def test_an_encounter_of_one_edition_can_show_both(dock, qtbot, document, tmp_path):
    document.open(untitled_document(RuleSystems(), tmp_path / "state", system="dnd5e-2024"))
    qtbot.waitUntil(lambda: "Tough" in names(dock))
    assert "Thug" not in names(dock)
    card = open_card(dock)
    choose(card, "game", "dnd5e-2024 dnd5e")
    assert {"Tough", "Thug"} <= set(names(dock))
    assert card.form.fields["game"].box.currentText() == "D&D 5e (2024) and the other edition's"


def test_filters_add_up_and_are_counted(dock):
    card = open_card(dock)
    choose(card, "min_rating", "1/2")
    check(card, "types", "beast")
    check(card, "environments", "volcano")
    assert names(dock) == ["Ash hound"]
    assert dock.bar.filters.text() == "Filters · 3"
    check(card, "sizes", "huge")
    assert not dock.model.shown_count
    assert dock.empty.isVisible()
    assert "No matches" in dock.empty.accessibleName()
    card.clear_button.click()
    assert dock.bar.filters.text() == "Filters"
    assert {"Ash hound", "Ash lord"} <= set(names(dock))


def test_creatures_are_found_by_role_rank_and_company_and_left_out(dock, document):
    card = open_card(dock)
    assert card.form.fields["companies"].isEnabled()
    check(card, "roles", "brute")
    assert "Ash lord" in names(dock)
    assert "Ash hound" not in names(dock)  # small and quick
    check(card, "without", "fiend")
    assert "Ash lord" not in names(dock)
    assert dock.bar.filters.text() == "Filters · 2"
    card.clear_button.click()
    company = next(one for one in document.rules.data.companies if "toll-knight" in one.kinds)
    check(card, "companies", company.name)
    assert "Toll knight" in names(dock)
    assert {dock.model.entry_at(row).id for row in range(1, dock.model.rowCount())} <= {*company.kinds}


def test_ratings_are_compared_as_numbers(dock):
    card = open_card(dock)
    choose(card, "min_rating", "12")
    assert "Ash lord" in names(dock)
    assert "Ash hound" not in names(dock)
    choose(card, "min_rating", "")
    choose(card, "max_rating", "1/2")
    assert "Ash hound" in names(dock)
    assert "Ash lord" not in names(dock)


def test_filters_stay_while_words_and_lists_change(dock, qtbot):
    card = open_card(dock)
    check(card, "sources", "Book of ash")
    card.close()
    dock.search.setText("lord")
    assert names(dock) == ["Ash lord"]
    with qtbot.waitSignal(dock.listLoaded):
        dock.reload()
    dock.search.clear()
    assert names(dock) == ["Ash hound", "Ash lord"]


def test_the_keyboard_opens_the_card_and_closes_it(dock, qtbot):
    dock.bar.filters.setFocus()
    qtbot.keyClick(dock.bar.filters, Qt.Key.Key_Return)
    assert dock.bar.card.isVisible()
    assert dock.bar.card.form.fields["game"].box.hasFocus()
    qtbot.keyClick(dock.bar.card, Qt.Key.Key_Escape)
    assert not dock.bar.card.isVisible()


def test_the_order_is_chosen_by_name_or_by_figure(dock):
    dock.search.setText("ash")
    by_name = names(dock)
    assert by_name.index("Ash hound") < by_name.index("Ash lord")
    dock.bar.sort_by("size")
    assert names(dock)[0] == "Ash hound"
    dock.bar.sort_by("type")
    assert names(dock).index("Ash hound") < names(dock).index("Ash lord")
    dock.search.clear()
    dock.bar.sort_by("rating")
    shown = names(dock)
    assert shown.index("Ash hound") < shown.index("Ash lord")
    assert shown != sorted(shown, key=str.casefold)


def test_a_click_on_the_star_marks_and_the_mark_lasts(dock, qtbot):
    dock.search.setText("ash hound")
    index = dock.model.index(1, 0)
    place = dock.view.star_rect(index).center()
    qtbot.mouseClick(dock.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert dock.model.item_at(index) in dock.favourites
    kept = Favourites(dock.library.folder.parent / "state" / FAVOURITES_FILE)
    assert dock.model.item_at(index) in kept
    dock.search.clear()
    dock.bar.favourites_button.click()
    assert names(dock) == ["Ash hound"]
    dock.view.go_to(1)
    qtbot.keyClick(dock.view, Qt.Key.Key_Asterisk)
    assert dock.empty.isVisible()
    assert "No favourites yet" in dock.empty.accessibleName()


def test_a_click_beside_the_star_only_chooses(dock, qtbot):
    dock.search.setText("ash hound")
    place = dock.view.visualRect(dock.model.index(1, 0)).center() - QPoint(40, 0)
    qtbot.mouseClick(dock.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert len(dock.favourites) == 0


def test_what_is_there_twice_has_a_filter(dock, qtbot):
    own = dock.library.folder / "copy.toml"
    own.write_text((dock.library.folder / "ash-lord.toml").read_text().replace('"ash-lord"', '"lord-2"'))
    with qtbot.waitSignal(dock.listLoaded):
        dock.reload()
    open_card(dock).form.fields["duplicates_only"].box.click()
    assert names(dock) == ["Ash lord", "Ash lord"]


def test_what_was_chosen_stays_chosen_at_its_height_while_typing(dock, qtbot):
    dock.search.setText("a")
    row = dock.model.row_of_entry(next(one for one in dock.items.entries if one.name == "Ash lord"))
    dock.view.go_to(row)
    dock.view.scrollTo(dock.model.index(row, 0))
    before = dock.view.visualRect(dock.view.currentIndex()).top()
    dock.search.setText("as")
    assert dock.view.current_entry().name == "Ash lord"
    assert dock.view.selected_entries() == [dock.view.current_entry()]
    after = dock.view.visualRect(dock.view.currentIndex()).top()
    assert after <= before
    dock.search.setText("ash hound")
    assert dock.view.current_entry().name == "Ash hound"


def test_the_bar_fits_a_narrow_dock(dock):
    card = open_card(dock)
    check(card, "types", "beast")
    card.close()
    dock.bar.sort_by("source")
    right = max(part.geometry().right() for part in (dock.bar.filters, dock.bar.clear, dock.bar.favourites_button))
    assert right <= dock.bar.width()
    assert dock.bar.clear.geometry().right() < dock.bar.sorting.geometry().left()


def headings(dock):
    return [dock.model.index(row, 0).data() for row in range(dock.model.rowCount()) if dock.model.entry_at(row) is None]


def fit(dock, name):
    entry = next(entry for entry in dock.items.entries if entry.name == name)
    return dock.model.fit_of(entry)


def test_what_still_fits_the_budget_comes_first_and_follows_the_encounter(dock, document):
    dock.bar.sort_by("fits")
    assert headings(dock)[:2] == [f"Creatures · {len(names(dock))}", "Fits now"]
    assert dock.model.entry_at(dock.model.first_row()).rating != "0"  # the strongest that fit come first
    before = fit(dock, "Ash hound")
    assert before.group == "now"
    assert fit_text(before) == f"× {before.copies}"
    hound = next(entry for entry in dock.items.entries if entry.name == "Ash hound")
    assert f"{before.copies} fit the budget" in dock.model.accessible_text(hound)
    assert document.execute(Add((Creature("ogre", "Ogre", rating="2"), RosterEntry("ogre", "ogre"))))
    assert fit(dock, "Ash hound").copies < before.copies
    assert fit(dock, "Ash lord").group == "strong"
    assert "Too strong" in headings(dock)
    dock.bar.sort_by("name")
    assert fit(dock, "Ash hound") is None
    assert "Fits now" not in headings(dock)


def test_creatures_of_other_games_have_no_budget_to_compare_with(dock):
    dock.bar.sort_by("fits")
    choose(open_card(dock), "game", "")
    assert headings(dock).count("No budget to compare with") == 1
    assert fit(dock, "Wax saint") is None
