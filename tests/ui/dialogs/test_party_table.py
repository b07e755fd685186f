"""The table that adds a party, by its keys: from the menu to the roster and the library."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication, QPushButton

from tests.importers.characters import BUILD, HERO
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.roles import characters, role_of
from turnwright.ui.controllers import import_controller
from turnwright.ui.controllers.library_controller import LibraryController
from turnwright.ui.dialogs.imports.import_dialogs import ImportResultDialog
from turnwright.ui.dialogs.library.party_page import PartyPage
from turnwright.ui.dialogs.party_table import PartyTableDialog
from turnwright.ui.services.library import default_library

CONTROL = Qt.KeyboardModifier.ControlModifier


class Typist:
    """Types into the table, and counts the keys."""

    def __init__(self, qtbot, dialog):
        self._qtbot, self.dialog, self.keys = qtbot, dialog, 0

    def type(self, *cells):
        """Type the cells of a row, with Tab between them."""
        for at, text in enumerate(cells):
            if at:
                self.press(Qt.Key.Key_Tab)
            self._qtbot.keyClicks(self.dialog.focusWidget(), text)
            self.keys += len(text)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier):
        self._qtbot.keyClick(self.dialog.focusWidget(), key, modifier)
        QApplication.processEvents()  # so that a new row has its place before Tab looks for it
        self.keys += 1


@pytest.fixture
def table(window, qtbot):
    window.content.window_actions.run("add-party")
    dialog = next(
        one for one in QApplication.topLevelWidgets() if isinstance(one, PartyTableDialog) and one.isVisible()
    )
    return Typist(qtbot, dialog)


def test_two_characters_by_keys(window, table):
    before = {entry.id for entry in characters(window.document.encounter)}
    table.type("Aria", "Jo", "fighter 5", "18", "44", "1", "13", "longsword, handaxe")
    table.press(Qt.Key.Key_Return)
    assert table.keys <= 50
    table.type("Bo", "", "cl")
    assert table.dialog.rows[1].cells["classes"].text() == "cleric 5", "completed, with the level of the row above"
    assert table.dialog.rows[1].cells["hp"].placeholderText() == "38"
    assert "assumed for cleric 5" in table.dialog.rows[1].assumed.text()
    assert table.dialog.size_label.text() == "2 characters, level 5"
    assert table.dialog.name.placeholderText() == "Party of Jo, Bo"
    table.press(Qt.Key.Key_Return, CONTROL)
    encounter = window.document.encounter
    new = [entry for entry in characters(encounter) if entry.id not in before]
    assert [encounter.need(Creature, entry.creature).name for entry in new] == ["Aria", "Bo"]
    kept = [entry.name for entry in default_library().entries() if entry.kind == "party"]
    assert "Party of Jo, Bo" in kept
    window.document.undo()
    assert {entry.id for entry in characters(window.document.encounter)} == before, "one step"


def test_unread_words_are_amber_and_rows_without_a_name_are_not_added(table):
    table.type("Aria", "", "fighter 5", "", "", "", "", "hexbolt")
    row = table.dialog.rows[0]
    assert row.unread.text().startswith("Hexbolt: not a weapon or spell of this game")
    assert row.unread.property("tone") == "warn"
    row.cells["name"].clear()
    assert "Enter a name" in row.unread.text()
    assert not table.dialog.add_button.isEnabled()


def test_a_table_is_pasted(table):
    QGuiApplication.clipboard().setText("Name\tClass\tLevel\tHP\nAria\tfighter\t5\t44\nBo\tcleric\t5\t38\n")
    table.press(Qt.Key.Key_V, CONTROL)
    assert [(row.name, row.classes, row.hp) for row in table.dialog.typed()] == [
        ("Aria", "fighter 5", "44"),
        ("Bo", "cleric 5", "38"),
    ]


def test_companions_and_guests_have_rows_and_empty_rows_go(window, table):
    table.type("Dol", "", "ranger 4")
    table.dialog.companion_button.click()
    table.type("Moss", "", "", "13", "11")
    assert table.dialog.rows[1].assumed.text().startswith("Companion of Dol")
    table.dialog.more[2].click()
    table.press(Qt.Key.Key_Delete)
    assert [row.role for row in table.dialog.rows] == ["character", "companion"]
    table.dialog.keep.setChecked(False)
    table.dialog.submit()
    encounter = window.document.encounter
    moss = encounter.need(RosterEntry, "moss")
    assert (role_of(encounter, moss), moss.controller) == ("companion", "dol")


def test_arrow_keys_go_from_row_to_row(table):
    table.type("Aria")
    table.press(Qt.Key.Key_Return)
    table.press(Qt.Key.Key_Up)
    assert table.dialog.focusWidget() is table.dialog.rows[0].cells["name"]
    table.press(Qt.Key.Key_Down)
    assert table.dialog.focusWidget() is table.dialog.rows[1].cells["name"]


def test_what_was_typed_comes_back_after_escape(window, table):
    table.type("Dol", "", "ranger 4")
    table.dialog.companion_button.click()
    table.type("Moss", "", "", "13", "11")
    typed = table.dialog.typed()
    table.press(Qt.Key.Key_Escape)
    window.content.window_actions.run("add-party")
    dialog = next(
        one for one in QApplication.topLevelWidgets() if isinstance(one, PartyTableDialog) and one.isVisible()
    )
    assert dialog.typed() == typed
    dialog.submit()
    kept = next(entry for entry in default_library().entries() if entry.name == "Party of Dol")
    party, _ = default_library().load(kept)
    assert [creature.name for creature in party.creatures] == ["Dol", "Moss"], "not those who were there before"
    assert window.document.encounter.need(RosterEntry, "moss").controller == "dol"


def dialog_of(kind):
    return next(one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible())


def test_the_party_of_the_encounter_rises_by_keys(window, table, qtbot):
    table.type("Aria", "Jo", "fighter 5")
    table.press(Qt.Key.Key_Return)
    table.type("Bo", "", "cleric 5", "17")
    table.press(Qt.Key.Key_Return, CONTROL)
    before, encounter = len(window.document.encounter.ids(Creature)), window.document.encounter
    view = window.content.docks.all["roster"].roster_view
    heading = next(
        at for at in range(view.rows().rowCount()) if view.rows().key_at(view.rows().index(at, 0)) == ("#", "party")
    )
    view.setCurrentIndex(view.rows().index(heading, 0))
    qtbot.keyClick(view, Qt.Key.Key_F2)
    own = Typist(qtbot, dialog_of(PartyTableDialog))
    at = {row.cells["name"].text(): row for row in own.dialog.rows}
    assert at["Aria"].cells["hp"].placeholderText() == "44"
    at["Bo"].cells["hp"].setFocus()
    own.press(Qt.Key.Key_Tab)
    own.press(Qt.Key.Key_Space)
    assert at["Bo"].cells["classes"].text() == "cleric 6"
    assert at["Bo"].assumed.text().startswith("typed, not changed: AC")
    own.dialog.rise_button.click()
    own.press(Qt.Key.Key_Return, CONTROL)
    after = window.document.encounter
    assert [after.need(Creature, id).classes for id in ("aria", "bo")] == ["fighter 6", "cleric 6"]
    assert (after.need(Creature, "aria").hp, after.need(Creature, "bo").ac) == (52, 17)
    assert len(after.ids(Creature)) == before
    window.document.undo()
    assert window.document.encounter == encounter, "one step"


def test_the_party_of_the_library_is_edited_on_its_page(window, table, qtbot):
    table.type("Ivo", "Jo", "fighter 5")
    table.press(Qt.Key.Key_Return, CONTROL)
    library = default_library()

    def stored():
        return library.load(next(entry for entry in library.entries() if entry.name == "Party of Jo"))[0]

    window.content.services.controller(LibraryController).open_party(stored(), window.document.rules.id)
    page = dialog_of(PartyPage)
    page.editRequested.emit(True)
    own = Typist(qtbot, dialog_of(PartyTableDialog))
    assert own.dialog.rows[0].cells["classes"].text() == "fighter 6"
    own.dialog.rows[0].cells["player"].setText("Kim")
    own.press(Qt.Key.Key_Return, CONTROL)
    assert (stored().creatures[0].level, stored().creatures[0].hp, stored().roster[0].player) == (6, 52, "Kim")
    assert page.party == stored()
    edit = next(one for one in page.findChildren(QPushButton) if one.shortcut() == QKeySequence("F2"))
    edit.click()
    again = dialog_of(PartyTableDialog)
    assert [again.rows[0].cells[name].text() for name in ("player", "classes", "hp")] == ["Kim", "fighter 6", ""]
    again.reject()
    page.reject()


def test_characters_are_imported_as_rows_with_the_notes_on_them(window, table, qtbot, monkeypatch, tmp_path):
    wolf = 'format = 3\nkind = "creature"\nsystem = "a5e"\nid = "moss"\nname = "Moss"\nhp = 11\n'
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "moss.toml").write_text(wolf, encoding="utf-8")
    for name, data in (("nim", HERO), ("ansa", BUILD)):
        (theirs / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    monkeypatch.setattr(import_controller, "ask_open_paths", lambda *_: sorted(theirs.glob("*.*")))
    table.type("Aria", "", "fighter 5")
    table.dialog.more[3].click()
    qtbot.waitUntil(lambda: len(table.dialog.rows) == 3)
    qtbot.waitUntil(lambda: any(isinstance(one, ImportResultDialog) for one in QApplication.topLevelWidgets()))
    report = dialog_of(ImportResultDialog)
    unread = report.model.line_at(report.model.index(0, 0)).children
    assert [(line.text, line.detail) for line in unread] == [
        ("ansa.json: Ansa", "is for another game than the encounter")
    ]
    report.reject()
    aria, *others = table.dialog.typed()
    assert (aria.name, sorted(row.name for row in others)) == ("Aria", ["Moss", "Nim Ashdown"])
    nim = next(row for row in table.dialog.rows if row.cells["name"].text() == "Nim Ashdown")
    assert not nim.cells["attacks"].isEnabled()
    assert nim.cells["attacks"].placeholderText()
    nim.cells["player"].setText("Kit")
    table.dialog.submit()
    encounter = window.document.encounter
    entry = encounter.need(RosterEntry, "nim-ashdown")
    assert (entry.player, role_of(encounter, entry), entry.state is not None) == ("Kit", "character", True)
    assert encounter.need(Creature, entry.creature).features


def test_f2_names_the_party(table):
    table.type("Aria")
    table.press(Qt.Key.Key_F2)
    assert table.dialog.focusWidget() is table.dialog.name
