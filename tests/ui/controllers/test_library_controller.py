"""Dialogs of the library: stat blocks side by side, and a variant that is listed once it is saved."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QInputDialog, QLabel, QPushButton

from turnwright.encounter.prepared import CharacterState, LastingCondition, Party, RosterEntry
from turnwright.encounter.roles import is_ours
from turnwright.encounter.running import Combatant, InitialForecast
from turnwright.encounter.state import scene_of
from turnwright.play.damage.manual_hit_points import SetHitPoints, SetTrack
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Edit, Remove
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.awards import AwardExperience
from turnwright.play.turns.turns import EndEncounter
from turnwright.storage.library.entries import Library
from turnwright.ui.controllers import library_controller
from turnwright.ui.controllers.library_controller import LibraryController
from turnwright.ui.controllers.palette_controller import PaletteController
from turnwright.ui.dialogs.library.compare import CompareDialog, KeepPartyDialog, RestPartyDialog
from turnwright.ui.dialogs.library.party_page import PartyPage
from turnwright.ui.dialogs.library.variant_dialog import VariantDialog
from turnwright.ui.dialogs.palette import CommandPalette
from turnwright.ui.docks.shared.library_transfer import add_from_library
from turnwright.ui.services.library import default_library
from turnwright.workspace.party_states import sample_party


def dialog_of(kind):
    return next(one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible())


def buttons_of(banner):
    return {button.text(): button for button in banner.findChildren(QPushButton)}


def listed(window, qtbot):
    dock = window.content.docks.all["library"]
    qtbot.waitUntil(lambda: bool(dock.model.shown_count))
    return dock


def test_a_variant_of_a_shipped_creature_is_saved_and_found(window, qtbot):
    dock = listed(window, qtbot)
    wyrm = next(entry for entry in dock.items.entries if entry.id == "fen-wyrm")
    dock.library_actions.create_variant(wyrm)
    dialog = dialog_of(VariantDialog)
    target = dialog.form.fields["to"].box
    target.setCurrentIndex(target.currentIndex() + 2)
    target.activated.emit(target.currentIndex())
    dialog.form.fields["called"].edited.emit("Old fen wyrm")
    with qtbot.waitSignal(dock.listLoaded):
        dialog.make_button.click()
    dock.search.setText("old fen wyrm")
    variant = dock.load(dock.view.current_entry())
    assert variant.source == "variant of Fen wyrm"
    assert variant.hp > dock.load(wyrm).hp
    dock.search.clear()


def test_the_palette_finds_parties_of_the_library(window, qtbot):
    party = msgspec.structs.replace(sample_party(window.document.rules.id), name="The Lamplighters")
    window.content.services.controller(LibraryController).keep_added(party)
    window.content.services.controller(PaletteController).open_palette()
    palette = dialog_of(CommandPalette)
    qtbot.keyClicks(palette.line, "lamplighters")
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any(isinstance(one, PartyPage) for one in QApplication.topLevelWidgets()))
    assert dialog_of(PartyPage).party.name == "The Lamplighters"
    dialog_of(PartyPage).reject()


@pytest.fixture
def own(tmp_path, monkeypatch):
    library = Library(tmp_path / "own")
    monkeypatch.setattr(library_controller, "default_library", lambda: library)
    return library


def named(monkeypatch, name, agreed=True):
    asked = []

    def answer(_parent, _title, _label, *, text):
        asked.append(text)
        return name, agreed

    monkeypatch.setattr(QInputDialog, "getText", answer)
    return asked


def test_the_party_is_saved_under_a_name_and_comes_back_without_doubles(window, own, monkeypatch):
    document, dock = window.document, window.content.docks.dock("roster")
    players = [one.player for one in document.encounter.all(RosterEntry) if one.player]
    asked = named(monkeypatch, "The four")
    dock.partySaveRequested.emit()
    assert asked == [f"Party of {', '.join(players)}"]
    said = "The four was saved to your library, in the-four.toml."
    assert window.content.services.messages.bar.text() == said
    (entry,) = own.entries()
    party, _ = own.load(entry)
    assert isinstance(party, Party)
    roster = list(document.encounter.all(RosterEntry))
    before = document.source.session.history.depth
    add_from_library(document, party)
    assert [one.id for one in document.encounter.all(RosterEntry)] == [one.id for one in roster]
    document.execute(Remove(tuple((RosterEntry.table, member.id) for member in party.roster)))
    dock.roster.dropped.emit(msgspec.msgpack.encode(("party", party)), "")
    assert {one.id for one in document.encounter.all(RosterEntry)} == {one.id for one in roster}
    assert document.source.session.history.depth <= before + 3


def test_a_party_without_a_name_is_not_saved(window, own, monkeypatch):
    for name, agreed in (("", True), ("The four", False)):
        named(monkeypatch, name, agreed)
        window.content.services.controller(LibraryController).save_party()
    assert own.entries() == ()


def test_an_award_undone_after_saving_is_taken_back_from_the_file(fresh_window, qtbot):
    window = fresh_window
    document, library = window.document, window.content.services.controller(LibraryController)
    document.execute(Edit(msgspec.structs.replace(scene_of(document.encounter), title="")))
    document.execute(StartEncounter())
    document.execute(AdvanceSetup(begins=True))
    document.execute(EndEncounter())
    window.content.services.layout.arrange("run")
    qtbot.waitUntil(lambda: window.content.docks.built("turn") is not None)
    document.execute(AwardExperience(275))
    library.keep_party()
    dialog_of(KeepPartyDialog).name.setText("The Lamplighters")
    dialog_of(KeepPartyDialog).keep_button.click()

    def kept():
        entry = next(entry for entry in default_library().entries() if entry.name == "The Lamplighters")
        return default_library().load(entry)[0]

    (award,) = kept().awards
    assert (award.xp, award.encounter) == (275, document.source.path.stem)
    library.open_party(kept(), document.rules.id)
    page = dialog_of(PartyPage)
    assert any(award.encounter in label.text() and "Mira" in label.text() for label in page.findChildren(QLabel))
    page.reject()
    document.undo()
    bar = window.messages()
    assert "still has the award" in bar.text()
    buttons_of(bar)["Remove it &there too"].click()
    assert (kept().awards, {member.xp_earned for member in kept().roster}) == ((), {0})


def test_two_stat_blocks_open_over_the_window(window, qtbot):
    dock = listed(window, qtbot)
    one, other = [entry for entry in dock.items.entries if entry.kind == "creature"][:2]
    dock.library_actions.compare(one, other)
    dialog = dialog_of(CompareDialog)
    assert one.name in dialog.views[0].toPlainText()
    assert other.name in dialog.views[1].toPlainText()
    dialog.accept()


def test_how_the_party_stands_is_kept_and_asked_about_when_it_is_added_again(fresh_window, qtbot):
    window = fresh_window
    dock, document = listed(window, qtbot), window.document
    document.execute(StartEncounter())
    document.execute(SetHitPoints("mira", 11))
    document.execute(EndEncounter())
    window.content.services.layout.arrange("run")
    page = window.content.docks.all["turn"].end
    qtbot.waitUntil(page.isVisible)
    assert not page.party_button.isHidden()
    page.party_button.click()
    dialog = dialog_of(KeepPartyDialog)
    assert dialog.ticks["mira"].text() == "Mira"
    dialog.ticks["tam"].setChecked(False)
    dialog.name.setText("The watch")
    dialog.keep_button.click()
    qtbot.waitUntil(lambda: any(one.kind == "party" for one in dock.items.entries))
    entry = next(one for one in dock.items.entries if one.kind == "party")
    states = {one.id: one.state for one in dock.load(entry).roster}
    assert states["mira"].hp == 11
    assert states["tam"] is None
    dock.add([entry])
    page = dialog_of(PartyPage)
    page.ticks["tam"].setChecked(False)
    page.rest_button.setFocus()
    page.show_party(page.party)  # as after a rest
    assert page.focusWidget() is page.add_button
    page.add_button.click()
    assert document.encounter.need(RosterEntry, "mira").state.hp == 11
    assert document.encounter.need(RosterEntry, "tam").absent
    assert {one.id: one.absent for one in dock.load(entry).roster}["tam"]
    dock.add([entry])
    page = dialog_of(PartyPage)
    assert not page.ticks["tam"].isChecked()
    page.pips["mira"].changeRequested.emit("inspiration", 1)
    assert dict({one.id: one.state for one in dock.load(entry).roster}["mira"].tracks) == {"inspiration": 1}
    page.how.setCurrentIndex(page.how.findData("fresh"))
    page.add_button.click()
    assert document.encounter.need(RosterEntry, "mira").state is None
    assert document.encounter.need(Combatant, "mira").hp == 11  # the fight that is over stays as it was


def test_a_party_of_the_library_rests_without_an_encounter(fresh_window, qtbot):
    window = fresh_window
    dock, document = listed(window, qtbot), window.document
    document.execute(StartEncounter())
    document.execute(SetHitPoints("mira", 11))
    document.execute(SetTrack("mira", "fatigue", 2))
    window.content.services.controller(LibraryController).keep_party()
    dialog = dialog_of(KeepPartyDialog)
    dialog.name.setText("The watch")
    dialog.keep_button.click()
    qtbot.waitUntil(lambda: any(one.kind == "party" for one in dock.items.entries))
    entry = next(one for one in dock.items.entries if one.kind == "party")
    texts = [action.text().partition("\t")[0] for action in dock.library_actions.menu([entry], [], dock).actions()]
    assert "Rest…" in texts
    dock.library_actions.rest_party(entry)
    rest = dialog_of(RestPartyDialog)
    assert rest.after["mira"].text() == "11 of 44 hit points, Fatigue 2"
    rest.regained["mira"].setValue(9)  # two hit dice, rolled at the table
    assert rest.after["mira"].text() == "20 of 44 hit points, Fatigue 2"
    rest.rest_button.click()
    assert {one.id: one.state for one in dock.load(entry).roster}["mira"] == CharacterState(
        20, conditions=(LastingCondition("fatigue", 2),)
    )
    dock.library_actions.rest_party(entry)
    rest = dialog_of(RestPartyDialog)
    rest.length.setCurrentIndex(rest.length.findData("haven"))
    assert rest.after["mira"].text() == "44 of 44 hit points, Fatigue 1"
    rest.length.setCurrentIndex(rest.length.findData("fresh"))
    assert rest.after["mira"].text() == "fully rested"
    rest.reject()


def test_a_party_keeps_the_forecast_and_the_result_of_its_fight(fresh_window, qtbot, monkeypatch):
    window, document = fresh_window, fresh_window.document
    monkeypatch.setattr(library_controller, "initial_forecast", lambda *_: InitialForecast(won=75, rounds=28))
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        document.execute(command)
    ids = document.encounter.ids(Combatant)
    document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
    document.execute(AdvanceSetup())
    for combatant in list(document.encounter.all(Combatant)):
        if not is_ours(document.encounter, combatant):
            document.execute(SetHitPoints(combatant.id, 0))
    document.execute(EndEncounter())
    library = window.content.services.controller(LibraryController)
    library.keep_party()
    dialog = dialog_of(KeepPartyDialog)
    dialog.name.setText("The watch")
    dialog.keep_button.click()

    def kept() -> Party:
        (entry,) = default_library().parties(document.rules.id)
        return default_library().load(entry)[0]

    qtbot.waitUntil(lambda: bool(kept().fights))
    library.open_party(kept(), document.rules.id)
    texts = [label.text() for label in dialog_of(PartyPage).findChildren(QLabel)]
    rounds = kept().fights[0].rounds
    assert (
        f"Forecast and result of 1 fight: 0.8 victories expected, 1 won. On average 2.8 rounds expected, {rounds}.0 played."
        in texts
    )
