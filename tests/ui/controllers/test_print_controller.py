"""Handouts in the window: preview, options, typesetting off the GUI thread, output, printing and template errors."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import threading

import msgspec
import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtGui import QImage, QPageSize
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog

from tests.handouts.samples import png
from tests.ui.conftest import delete_now
from tests.ui.docks.running_fight import end_turns
from tests.ui.docks.running_fight import settle as settle_prompts
from turnwright.encounter.prepared import Countdown, Creature, Handout, Map
from turnwright.encounter.running import Clock, Combatant
from turnwright.handouts import typesetter
from turnwright.handouts.typesetter import this_program
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.ui.controllers import print_controller
from turnwright.ui.controllers.palette_controller import PaletteController
from turnwright.ui.controllers.print_controller import PrintController
from turnwright.ui.dialogs.handouts import options as own_presets
from turnwright.ui.dialogs.handouts.options import PRESETS, RecordGroup, default_paper
from turnwright.ui.dialogs.handouts.page_preview import Page, PagePreview
from turnwright.ui.dialogs.palette import CommandPalette
from turnwright.ui.look.style import tr
from turnwright.ui.services import print_worker
from turnwright.ui.services.print_worker import PrintJob, PrintWorker

PATIENCE_MS = 30_000
ENDLESS = "#for a in range(20000) { for b in range(20000) { let c = calc.sin(a + b) } }\n#let sheet(packet, data) = []"
SMALL = """format = 3
system = "a5e"
title = "Two at a gate"
[creatures.raider]
name = "River raider"
ac = 13
hp = 11
[creatures.hound]
name = "Sledge hound"
ac = 12
hp = 19
[roster.raiders]
creature = "raider"
count = 2
[countdowns.gate]
name = "The gate gives way"
dice = 4
speed = "fast"
[treasure.key]
name = "A bent key"
"""


@pytest.fixture
def sample(tmp_path):
    path = tmp_path / "gate.toml"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture
def printing(window):
    printing = window.content.services.controller(PrintController)
    yield printing
    if printing.worker is not None:
        printing.worker.cancel_job()
    if printing.dialog is not None:
        printing.dialog.hide()
        printing.dialog.deleteLater()
        printing.dialog = None


@pytest.fixture
def counted():
    """Have the pages that are not chosen counted as well, which takes longer than the rest of most tests."""


@pytest.fixture(autouse=True)
def only_chosen_pages(request, monkeypatch):
    if "counted" not in request.fixturenames:
        monkeypatch.setattr(PrintWorker, "_rest", lambda worker, _request: worker.idle.emit())


@pytest.fixture
def templates(application):
    folder = application.workspace.folders.library / "handouts"
    folder.mkdir(parents=True, exist_ok=True)
    yield folder
    for path in folder.iterdir():
        path.unlink()


def opened(qtbot, window, *kinds):
    """Open the dialog with some kinds chosen, and wait for their pages."""
    window.content.window_actions.run("handouts")
    dialog = window.content.services.controller(PrintController).dialog
    rows = dialog.choices.tree
    rows.set_checked([id for id in dialog.choices.kinds if id not in kinds], on=False)
    rows.set_checked(kinds, on=True)
    settle(qtbot, window)
    return dialog


def settle(qtbot, window):
    """Wait until everything that is wanted is set, what is not chosen counted."""
    qtbot.waitUntil(lambda: not window.content.services.controller(PrintController).worker.is_busy, timeout=PATIENCE_MS)


def shown(dialog):
    return [page.kind for page in dialog.view.pages]


# Seeing --------------------------------------------------------------------------------------------------------------


def test_the_first_time_the_usual_pages_are_seen_and_the_others_counted(qtbot, window, printing, counted):
    window.content.window_actions.run("handouts")
    settle(qtbot, window)
    dialog = printing.dialog
    assert dialog.isVisible()
    assert list(dict.fromkeys(shown(dialog))) == ["running-sheet", "encounter-sheet", "stat-blocks"]
    assert dialog.page.text() == f"Page 1 of {len(shown(dialog))}: Running sheet"
    assert dialog.choices.tree.row("creature-cards").text(1).endswith(("page", "pages"))
    assert dialog.choices.tree.row("stat-blocks").text(1) == "1 page"


def test_what_has_nothing_to_show_is_off_and_says_why(qtbot, window, printing):
    dialog = opened(qtbot, window, "map-sheets", "countdown-tracks")
    row = dialog.choices.tree.row("map-sheets")
    assert row.text(1) == "no map"
    assert not row.flags() & Qt.ItemFlag.ItemIsUserCheckable
    assert row.checkState(0) == Qt.CheckState.Unchecked
    assert set(shown(dialog)) == {"countdown-tracks"}


def test_names_of_pages_have_room_beside_their_notes(qtbot, window, printing):
    dialog = opened(qtbot, window, "stat-blocks")
    tree = dialog.choices.tree
    for id in dialog.choices.kinds:
        tree.set_row_note(id, tr("ui.handouts.pages", n=88), tr(f"ui.handouts.none-{id}"))
    qtbot.waitUntil(lambda: tree.sizeHintForColumn(1) <= tree.columnWidth(1))
    for id in dialog.choices.kinds:
        needed = tree.sizeHintForIndex(tree.indexFromItem(tree.row(id))).width() + 2 * tree.indentation()
        assert needed <= tree.columnWidth(0), id


def test_a_page_that_fits_the_width_needs_no_scroll_bar_at_any_width(qtbot, window, printing):
    view = opened(qtbot, window, "stat-blocks").view
    for width in range(600, 640, 3):
        view.resize(width, 500)
        assert (view.fit, view.horizontalScrollBar().maximum()) == ("width", 0), width


def test_paper_changes_every_page_and_is_kept_for_the_next_time(qtbot, window, printing):
    dialog = opened(qtbot, window, "countdown-tracks")
    dialog.choices.form.fields["paper"].edited.emit("a4")
    settle(qtbot, window)
    assert dialog.view.pages[0].inches == pytest.approx((8.27, 11.69), abs=0.02)
    box = dialog.choices.form.fields["paper"].box
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    settle(qtbot, window)
    assert dialog.view.pages[0].inches == pytest.approx((8.5, 11), abs=0.02)
    assert window.settings_store.settings.paper == "letter"


def test_an_option_sets_only_what_it_concerns(qtbot, window, printing):
    dialog = opened(qtbot, window, "stat-blocks", "creature-cards")
    before = {page.kind: page.content for page in dialog.view.pages}
    dialog.choices.form.fields["card"].edited.emit("tarot")
    settle(qtbot, window)
    after = {page.kind: page.content for page in dialog.view.pages}
    assert after["stat-blocks"] is before["stat-blocks"]
    assert after["creature-cards"] != before["creature-cards"]


def test_cards_of_several_kinds_share_their_sheets(qtbot, window, printing):
    dialog = opened(qtbot, window, "countdown-tracks", "creature-cards", "treasure-cards", "condition-cards")
    assert list(dict.fromkeys(shown(dialog))) == ["creature-cards", "countdown-tracks"]
    rows = dialog.choices.tree
    assert rows.row("creature-cards").text(1).endswith(("page", "pages"))
    assert rows.row("treasure-cards").text(1) == "same sheets"
    assert rows.row("condition-cards").text(1) == "no conditions"
    rows.chosen.emit("treasure-cards")
    assert dialog.view.pages[dialog.view.current_page].kind == "creature-cards"
    rows.set_checked(["creature-cards"], on=False)
    settle(qtbot, window)
    assert set(shown(dialog)) == {"treasure-cards", "countdown-tracks"}
    assert rows.row("treasure-cards").text(1) == "1 page"


def test_the_players_edition_leaves_out_what_is_not_for_them_and_brings_it_back(qtbot, window, printing):
    dialog = opened(qtbot, window, "stat-blocks", "countdown-tracks")
    dialog.choices.form.fields["edition"].edited.emit("players")
    settle(qtbot, window)
    assert set(shown(dialog)) == {"countdown-tracks"}
    assert dialog.choices.tree.row("stat-blocks").text(1) == "not for players"
    dialog.choices.form.fields["edition"].edited.emit("game-master")
    settle(qtbot, window)
    assert set(shown(dialog)) == {"stat-blocks", "countdown-tracks"}


def test_creatures_that_are_cleared_are_not_printed(qtbot, window, printing):
    dialog = opened(qtbot, window, "stat-blocks")
    dialog.choices.tree.set_checked(["creatures.hound"], on=False)
    assert printing.preview_request().options.creatures == ("raider",)
    dialog.choices.tree.set_checked(["creatures.raider"], on=False)
    settle(qtbot, window)
    assert not dialog.view.pages
    assert not dialog.output_buttons["pdf"].isEnabled()
    assert dialog.choices.tree.row("stat-blocks").text(1) == "no creatures"


def test_of_many_changes_in_a_row_the_last_is_what_is_seen(qtbot, window, printing):
    dialog = opened(qtbot, window, "countdown-tracks", "stat-blocks", "creature-cards")
    made = []
    printing.worker.pagesReady.connect(lambda sheets, _round: made.append(sheets))
    for bleed in range(1, 13):
        dialog.choices.form.fields["bleed"].box.setValue(bleed)
    settle(qtbot, window)
    assert dialog.view.pages[0].inches == pytest.approx(((210 + 24) / 25.4, (297 + 24) / 25.4), abs=0.03)
    assert len([sheets for sheets in made if sheets.pages]) < 12


def test_a_change_of_the_encounter_is_seen(qtbot, window, printing):
    dialog = opened(qtbot, window, "stat-blocks")
    before = dialog.view.pages[0].content
    raider = window.document.encounter.get(Creature, "raider")
    window.document.execute(Edit(msgspec.structs.replace(raider, name="Marsh raider", hp=99)))
    rows = dialog.choices.tree
    qtbot.waitUntil(lambda: rows.row("creatures.raider").text(0) == "Marsh raider", timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: dialog.view.pages[0].content != before, timeout=PATIENCE_MS)


def test_a_character_without_a_font_is_said(qtbot, window, printing):
    raider = window.document.encounter.get(Creature, "raider")
    window.document.execute(Edit(msgspec.structs.replace(raider, name="Gru\uf8f0m")))
    dialog = opened(qtbot, window, "stat-blocks")
    assert "U+F8F0" in dialog.notes.text()
    assert dialog.notes.isVisible()


def test_a_mistake_in_a_template_of_ones_own_is_said_with_its_place(qtbot, window, printing, templates):
    path = templates / "countdown-tracks.typ"
    path.write_text("#let sheet(packet, data) = [\n#nonsense(2)\n]\n", encoding="utf-8")
    dialog = opened(qtbot, window, "countdown-tracks", "stat-blocks")
    assert str(path) in dialog.notes.text()
    assert "line 2" in dialog.notes.text()
    assert "nonsense" in dialog.notes.text()
    assert set(shown(dialog)) == {"stat-blocks"}
    printing.export(window.document.source.path.with_suffix(".pdf"))
    qtbot.waitUntil(lambda: not dialog.is_output_running, timeout=PATIENCE_MS)
    assert "line 2" in dialog.message_label.text()
    assert not window.document.source.path.with_suffix(".pdf").exists()
    path.write_text("#let sheet(packet, data) = [Mended]\n", encoding="utf-8")
    dialog.previewRequested.emit()
    settle(qtbot, window)
    assert not dialog.notes.isVisible()


def test_a_kind_that_fails_is_told_by_name_and_the_others_are_seen(qtbot, window, printing, monkeypatch):
    dialog = opened(qtbot, window, "stat-blocks")
    faults, made = [], print_worker.render_pages

    def render(typesetter, document, kind, *rest):
        if kind == "countdown-tracks":
            raise KeyError("odds")
        return made(typesetter, document, kind, *rest)

    monkeypatch.setattr(print_worker, "render_pages", render)
    monkeypatch.setattr(threading, "excepthook", faults.append)
    monkeypatch.setattr(sys, "excepthook", lambda *fault: faults.append(fault))
    dialog.choices.tree.set_checked(["countdown-tracks", "encounter-sheet"], on=True)
    settle(qtbot, window)
    assert {"encounter-sheet", "stat-blocks"} <= set(shown(dialog))
    assert "Countdown tracks:" in dialog.notes.text()
    assert "odds" in dialog.notes.text()
    assert dialog.choices.tree.row("countdown-tracks").text(1) == "can't be printed"


def test_tokens_are_written_to_a_folder_and_replace_pictures_only_if_agreed(
    qtbot, window, printing, tmp_path, monkeypatch
):
    dialog = opened(qtbot, window, "stat-blocks")
    answers, folder = [False, True], tmp_path / "tokens"
    folder.mkdir()
    monkeypatch.setattr(print_controller, "ask_folder", lambda *_: folder)
    monkeypatch.setattr(print_controller, "confirm", lambda *_: answers.pop(0))
    dialog.output_buttons["tokens"].click()
    qtbot.waitUntil(lambda: not dialog.is_output_running, timeout=PATIENCE_MS)
    assert sorted(path.name for path in folder.iterdir()) == ["river-raider-1.png", "river-raider-2.png"]
    assert dialog.message_label.text() == f"2 pictures saved to {folder}."
    raider = folder / "river-raider-1.png"
    raider.write_bytes(b"mine")
    dialog.output_buttons["tokens"].click()
    assert (dialog.is_output_running, raider.read_bytes()) == (False, b"mine")
    dialog.output_buttons["tokens"].click()
    qtbot.waitUntil(lambda: not dialog.is_output_running, timeout=PATIENCE_MS)
    assert raider.read_bytes().startswith(b"\x89PNG")
    assert not answers


def test_nothing_chosen_says_what_to_do(qtbot, window, printing):
    dialog = opened(qtbot, window)
    assert dialog.view.empty == "Choose pages on the left to see them here."
    assert [name for name, button in dialog.output_buttons.items() if button.isEnabled()] == ["tokens"]


# The dialog ----------------------------------------------------------------------------------------------------------


def test_what_was_chosen_is_remembered_while_the_window_lives(qtbot, window, printing):
    dialog = opened(qtbot, window, "countdown-tracks")
    dialog.choices.form.fields["ink"].edited.emit("saving")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    window.content.window_actions.run("handouts")
    settle(qtbot, window)
    assert printing.dialog is dialog
    assert set(shown(dialog)) == {"countdown-tracks"}
    assert printing.preview_request().options.ink == "saving"


def test_what_was_chosen_is_kept_for_the_next_window(qtbot, window, printing):
    dialog = opened(qtbot, window, "countdown-tracks", "creature-cards")
    dialog.choices.form.fields["card"].edited.emit("tarot")
    dialog.choices.form.fields["sides"].edited.emit("two")
    kept = window.settings_store.settings.handouts
    dialog.choices.tree.set_checked(dialog.choices.kinds, on=False)
    dialog.choices.form.fields["card"].edited.emit("poker")
    dialog.choices.remember(kept)
    assert dialog.chosen() == ("creature-cards", "countdown-tracks")
    assert (dialog.choices.options().card, dialog.choices.options().sides) == ("tarot", "two")
    dialog.choices.remember({"card": "huge", "kinds": "gone", "bleed": "x"})
    assert dialog.chosen() == ("creature-cards", "countdown-tracks")
    assert dialog.choices.options().card == "tarot"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_chooses_kinds_and_options(qtbot, window, printing, preset):
    dialog = opened(qtbot, window, "countdown-tracks")
    dialog.choices.presets[preset].click()
    settle(qtbot, window)
    kinds, options = PRESETS[preset].kinds, PRESETS[preset].options
    assert set(shown(dialog)) <= set(kinds) <= {*kinds}
    assert shown(dialog)
    chosen = dialog.choices.options()
    assert {name: getattr(chosen, name) for name in options} == dict(options)
    assert ("of paper" in dialog.page.text()) == (options["sides"] == "two")


def menu_texts(own):
    own.fill()
    return [action.text() for action in own.menu().actions() if action.text()]


def test_presets_of_ones_own_are_saved_chosen_renamed_and_deleted(monkeypatch, qtbot, window, printing):
    dialog = opened(qtbot, window, "countdown-tracks", "creature-cards")
    own, kept = dialog.choices.own_presets, window.settings_store
    dialog.choices.form.fields["card"].edited.emit("tarot")
    answers = iter([("  Friday & Co ", True), ("", False), ("Saturday", True), ("Saturday", True)])
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: next(answers))
    own.ask_name_and_save()
    assert menu_texts(own) == ["Friday && Co", "Save as preset…", "Rename", "Delete"]
    own.ask_name_and_save()  # without a name
    dialog.choices.presets["screen"].click()
    dialog.choices.form.fields["card"].edited.emit("poker")
    own.ask_name_and_save()
    assert list(kept.settings.handout_presets) == ["Friday & Co", "Saturday"]
    own.fill()
    own.menu().actions()[0].trigger()
    settle(qtbot, window)
    assert (dialog.chosen(), dialog.choices.options().card) == (("creature-cards", "countdown-tracks"), "tarot")
    assert set(shown(dialog)) == {"creature-cards", "countdown-tracks"}
    own.ask_name_and_rename("Friday & Co")  # to a name that is taken
    assert list(kept.settings.handout_presets) == ["Saturday 2", "Saturday"]
    monkeypatch.setattr(own_presets, "confirm", lambda *_: False)
    own.ask_and_delete("Saturday")
    assert len(kept.settings.handout_presets) == 2
    monkeypatch.setattr(own_presets, "confirm", lambda *_: True)
    own.ask_and_delete("Saturday")
    assert list(kept.settings.handout_presets) == ["Saturday 2"]
    assert kept.settings.handout_presets["Saturday 2"]["card"] == "tarot"


def test_the_preview_goes_to_the_kind_that_is_ticked_or_clicked(qtbot, window, printing):
    dialog = opened(qtbot, window, "encounter-sheet", "stat-blocks")
    rows = dialog.choices.tree
    rows.row("countdown-tracks").setCheckState(0, Qt.CheckState.Checked)
    settle(qtbot, window)
    assert dialog.page.text().endswith("Countdown tracks")
    place = rows.visualItemRect(rows.row("encounter-sheet")).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert dialog.page.text().endswith("Encounter sheet")


def test_a_click_on_the_words_of_a_kind_ticks_it_and_one_on_its_box_toggles_it(qtbot, window, printing):
    dialog = opened(qtbot, window, "encounter-sheet")
    rows = dialog.choices.tree
    row = rows.row("countdown-tracks")
    rows.scrollToItem(row)
    place = rows.visualItemRect(row)
    words, box = place.center(), QPoint(place.left() + 8, place.center().y())
    for spot, ticked in ((words, True), (words, True), (box, False), (box, True)):
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        assert ("countdown-tracks" in rows.checked_ids()) is ticked


def test_creatures_of_the_party_are_ticked_only_by_hand(qtbot, window, printing):
    dialog = opened(qtbot, window, "stat-blocks")
    foes, party = (("creatures.raider", "Raider"),), (("creatures.mira", "Mira"),)
    groups = [RecordGroup("Enemies", foes), RecordGroup("Party", party, usual=False)]
    dialog.choices.show_records(groups, reset=True)
    assert dialog.choices.tree.wanted_ids() == ("stat-blocks", "creatures.raider")
    assert (dialog.choices.options().creatures, dialog.choices.options().party) == ((), False)
    dialog.choices.tree.set_checked(("creatures.mira",), on=True)
    assert (dialog.choices.options().creatures, dialog.choices.options().party) == ((), True)
    dialog.choices.tree.set_checked(("creatures.raider",), on=False)
    assert dialog.choices.options().creatures == ("mira",)


def test_space_on_a_group_ticks_all_of_it_and_its_mark_shows_how_much_is_ticked(qtbot, window, printing):
    dialog = opened(qtbot, window, "stat-blocks")
    rows = dialog.choices.tree
    group = rows.row("creatures.raider").parent()
    rows.setFocus()
    rows.setCurrentItem(group)
    states = []
    for ids in (None, None, ["creatures.raider"]):
        if ids is None:
            QTest.keyClick(rows, Qt.Key.Key_Space)
        else:
            rows.set_checked(ids, on=True)
        states.append((group.checkState(0), dialog.choices.options().creatures))
    full, partly, empty = Qt.CheckState.Checked, Qt.CheckState.PartiallyChecked, Qt.CheckState.Unchecked
    assert states == [(empty, ("",)), (full, ()), (full, ())]
    rows.set_checked(["creatures.hound"], on=False)
    assert (group.checkState(0), dialog.choices.options().creatures) == (partly, ("raider",))


def test_typing_a_name_goes_to_its_row(qtbot, window, printing):
    dialog = opened(qtbot, window, "stat-blocks")
    rows = dialog.choices.tree
    rows.setFocus()
    QTest.keyClicks(rows, "sled")
    assert rows.currentItem() is rows.row("creatures.hound")
    QTest.keyClick(rows, Qt.Key.Key_Up)
    assert rows.currentItem() is rows.row("creatures.raider")


def test_single_countdowns_and_handouts_are_printed_alone(qtbot, window, printing):
    window.document.execute(Add((Countdown("flood", "The flood rises", dice=3),)))
    window.document.execute(
        Add((Handout("letter", title="A letter", text="Come."), Handout("note", title="A note", text="Go.")))
    )
    dialog = opened(qtbot, window, "countdown-tracks", "player-handouts")
    assert len(dialog.view.pages) == 3
    dialog.choices.tree.set_checked(["countdowns.gate", "handouts.letter"], on=False)
    settle(qtbot, window)
    assert len(dialog.view.pages) == 2
    assert (dialog.choices.options().countdowns, dialog.choices.options().handouts) == (("flood",), ("note",))
    tracks = printing.preview_request().print_inputs("countdown-tracks").document.sections[0].data["tracks"]
    assert [(track["number"], track["name"]) for track in tracks] == [(1, "The flood rises")]  # it is still B


@pytest.mark.parametrize(
    ("table", "id", "kind"), [("creatures", "hound", "stat-blocks"), ("countdowns", "gate", "countdown-tracks")]
)
def test_the_dialog_opens_for_a_row_with_only_that_ticked(qtbot, window, printing, table, id, kind):
    opened(qtbot, window, "encounter-sheet", "creature-cards")
    window.content.docks.dock("roster").printRequested.emit(table, [id])
    settle(qtbot, window)
    assert shown(printing.dialog) == [kind]
    assert getattr(printing.dialog.choices.options(), table) in ((id,), ())
    assert [row for row in printing.dialog.choices.tree.wanted_ids() if row.startswith(table)] == [f"{table}.{id}"]


def test_a_creature_of_the_library_is_printed_without_the_encounter(qtbot, window, printing):
    opened(qtbot, window, "encounter-sheet")
    window.content.docks.dock("library").printRequested.emit(Creature("owl", "Grey owl", hp=3), "a5e")
    settle(qtbot, window)
    assert shown(printing.dialog) == ["stat-blocks"]
    assert printing.preview_request().print_inputs().document.title == "Grey owl"
    assert "creatures.hound" not in printing.dialog.choices.tree.ids()
    window.content.window_actions.run("handouts")
    settle(qtbot, window)
    assert "creatures.hound" in printing.dialog.choices.tree.ids()


def test_every_part_is_reached_by_the_keyboard_and_has_a_name(qtbot, window, printing):
    dialog = opened(qtbot, window, "countdown-tracks", "creature-cards", "map-sheets")
    reached = set()
    for _ in range(40):
        QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Tab)
        reached.add(dialog.focusWidget())
    choices = dialog.choices
    boxes = [field.box for field in choices.form.fields.values() if field.isVisible()]
    wanted = [
        choices.tree,
        *boxes,
        dialog.view,
        *dialog.zooms,
        *dialog.output_buttons.values(),
    ]
    assert [each for each in wanted if each not in reached] == []
    assert [each for each in reached if not (each.accessibleName() or getattr(each, "text", str)())] == []


def test_space_ticks_a_kind(qtbot, window, printing):
    dialog = opened(qtbot, window, "countdown-tracks")
    rows = dialog.choices.tree
    rows.setFocus()
    rows.setCurrentItem(rows.row("countdown-tracks"))
    QTest.keyClick(rows, Qt.Key.Key_Space)
    assert dialog.chosen() == ()


def test_the_usual_paper_is_that_of_the_land():
    assert default_paper(QLocale("en_US")) == "letter"
    assert default_paper(QLocale("en_GB")) == "a4"
    assert default_paper(QLocale("de_DE")) == "a4"


# Ways out ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("focus", ["tree", "view", "bleed"])
def test_enter_exports_a_pdf(monkeypatch, qtbot, window, printing, tmp_path, focus):
    dialog = opened(qtbot, window, "countdown-tracks")
    out = tmp_path / "out.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    choices = dialog.choices
    widget = {"tree": choices.tree, "view": dialog.view, "bleed": choices.form.fields["bleed"].box}[focus]
    widget.setFocus()
    QTest.keyClick(widget, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dialog.is_output_running, timeout=PATIENCE_MS)
    assert out.read_bytes().startswith(b"%PDF")
    assert dialog.message_label.text() == f"Saved to {out}."


@pytest.mark.sampled(1)
@pytest.mark.parametrize("form", ["png", "svg"])
def test_pictures_are_numbered_and_as_many_as_are_seen(monkeypatch, qtbot, window, printing, tmp_path, form):
    dialog = opened(qtbot, window, "encounter-sheet", "creature-cards", "initiative-tents")
    folder = tmp_path / "pictures"
    folder.mkdir()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(folder / "v1.2 gate"), ""))
    dialog.output_buttons[form].click()
    qtbot.waitUntil(lambda: not dialog.is_output_running, timeout=PATIENCE_MS)
    files = sorted(path.name for path in folder.iterdir())
    assert files == [f"v1.2 gate-{number:02}.{form}" for number in range(1, len(dialog.view.pages) + 1)]
    assert str(folder) in dialog.message_label.text()


def test_a_file_that_cannot_be_written_is_said(qtbot, window, printing, tmp_path):
    dialog = opened(qtbot, window, "countdown-tracks")
    printing.export(tmp_path / "nowhere" / "deep" / "out.pdf")
    qtbot.waitUntil(lambda: not dialog.is_output_running, timeout=PATIENCE_MS)
    assert dialog.message_label.text().startswith("The pages could not be made")


def test_what_goes_out_works_beside_the_window_and_stops_when_asked(qtbot, window, printing):
    dialog = opened(qtbot, window, "countdown-tracks")
    begun, go, threads, told = threading.Event(), threading.Event(), [], []

    def make(_press, progress):
        threads.append(threading.get_ident())
        begun.set()
        go.wait(PATIENCE_MS / 1000)
        progress(1, "")
        return "never"

    printing.worker.start_job(PrintJob(make, lambda *_: None, told.append, lambda: told.append("stopped"), told.append))
    assert begun.wait(PATIENCE_MS / 1000)
    dialog.choices.form.fields["bleed"].box.setValue(5)  # the window goes on, and what is wished for waits
    dialog.stop.click()
    go.set()
    qtbot.waitUntil(lambda: bool(told), timeout=PATIENCE_MS)
    assert told == ["stopped"]
    assert threads != [threading.get_ident()]
    settle(qtbot, window)
    assert dialog.view.pages[0].inches == pytest.approx((220 / 25.4, 307 / 25.4), abs=0.03)


@pytest.fixture
def begin_endless(monkeypatch, qtbot, templates):
    """Do something that has a template of one's own typeset that never ends. Return the template, while it is typeset."""

    def begin(act):
        path, started = templates / "countdown-tracks.typ", []
        path.write_text(ENDLESS, encoding="utf-8")
        monkeypatch.setattr(typesetter, "this_program", lambda: started.append(1) or this_program())
        act()
        qtbot.waitUntil(lambda: bool(started), timeout=PATIENCE_MS)
        return path

    monkeypatch.setattr(print_worker, "STOP_AFTER_MS", 50)
    return begin


def test_an_output_is_stopped_in_the_middle_of_a_page(qtbot, window, printing, begin_endless, tmp_path):
    dialog = opened(qtbot, window, "countdown-tracks")
    begin_endless(lambda: printing.export(tmp_path / "out.pdf"))
    dialog.stop.click()
    qtbot.waitUntil(lambda: not dialog.is_output_running, timeout=PATIENCE_MS)
    assert "took longer" not in dialog.message_label.text()
    assert not (tmp_path / "out.pdf").exists()


def test_an_endless_preview_makes_way_for_the_next(qtbot, window, printing, begin_endless):
    dialog = opened(qtbot, window, "countdown-tracks")
    path = begin_endless(dialog.previewRequested.emit)
    path.write_text("#let sheet(packet, data) = [Mended]\n", encoding="utf-8")
    dialog.previewRequested.emit()
    settle(qtbot, window)
    assert not dialog.notes.isVisible()
    assert shown(dialog) == ["countdown-tracks"]


def test_an_endless_preview_ends_with_the_dialog(qtbot, window, printing, begin_endless):
    dialog = opened(qtbot, window, "countdown-tracks")
    begin_endless(dialog.previewRequested.emit)
    dialog.reject()
    settle(qtbot, window)
    assert "took longer" not in dialog.notes.text()


def test_an_output_that_waits_for_the_preview_is_stopped_at_once(qtbot, window, printing, begin_endless, tmp_path):
    dialog = opened(qtbot, window, "countdown-tracks")
    path = begin_endless(dialog.previewRequested.emit)
    printing.export(tmp_path / "out.pdf")
    dialog.stop.click()
    assert dialog.message_label.text() == "Stopped. No files were written."
    assert not dialog.is_output_running
    path.unlink()
    settle(qtbot, window)
    assert shown(dialog) == ["countdown-tracks"]  # the preview that the output interrupted
    assert not (tmp_path / "out.pdf").exists()


def test_a_large_preview_makes_way_for_the_next(monkeypatch, qtbot, window, printing):
    monkeypatch.setattr("turnwright.handouts.typesetter.LARGE", 0)
    dialog = opened(qtbot, window, "countdown-tracks")
    made = []
    printing.worker.pagesReady.connect(lambda pages, _round: made.append(pages.state))
    dialog.choices.form.fields["bleed"].box.setValue(3)
    qtbot.waitUntil(lambda: printing.worker.is_busy, timeout=PATIENCE_MS)
    dialog.choices.form.fields["bleed"].box.setValue(5)
    settle(qtbot, window)
    assert "template-error" not in made
    assert dialog.view.pages[0].inches == pytest.approx((220 / 25.4, 307 / 25.4), abs=0.03)


def test_closed_meanwhile_the_window_says_how_it_ended(qtbot, window, printing, tmp_path):
    dialog = opened(qtbot, window, "countdown-tracks")
    printing.export(tmp_path / "out.pdf")
    dialog.reject()
    qtbot.waitUntil(lambda: not dialog.is_output_running, timeout=PATIENCE_MS)
    assert (tmp_path / "out.pdf").exists()
    assert window.messages().isVisible()


def test_the_printer_gets_the_pages_that_were_asked_for_at_their_true_size(
    monkeypatch, qtbot, window, printing, tmp_path
):
    dialog = opened(qtbot, window, "encounter-sheet", "countdown-tracks", "stat-blocks")
    out = tmp_path / "printed.pdf"

    def choose(asked):
        printer = asked.printer()
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(out))
        printer.setFromTo(2, 3)
        return 1

    monkeypatch.setattr(QPrintDialog, "exec", choose)
    dialog.choices.form.fields["paper"].edited.emit("a4")
    settle(qtbot, window)
    assert len(dialog.view.pages) >= 3
    dialog.output_buttons["print"].click()
    qtbot.waitUntil(lambda: not dialog.is_output_running, timeout=PATIENCE_MS)
    assert dialog.message_label.text() == "2 pages sent to the printer."
    boxes = re.findall(rb"/MediaBox \[0 0 (\d+)[\d.]* (\d+)", out.read_bytes())
    assert [(int(width), int(height)) for width, height in boxes] == [(595, 842)] * 2


def print_through(monkeypatch, qtbot, window, printing, choose):
    """Print two kinds of pages, with what is chosen in the printer's dialog."""
    dialog = opened(qtbot, window, "encounter-sheet", "countdown-tracks")

    def answer(asked):
        choose(asked.printer())
        return 1

    monkeypatch.setattr(QPrintDialog, "exec", answer)
    dialog.output_buttons["print"].click()
    qtbot.waitUntil(lambda: not dialog.is_output_running, timeout=PATIENCE_MS)
    return dialog


def test_a_printer_that_is_a_file_gets_the_document_with_its_text(monkeypatch, qtbot, window, printing, tmp_path):
    out, exported = tmp_path / "printed.pdf", tmp_path / "exported.pdf"

    def choose(printer):
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(out))

    dialog = print_through(monkeypatch, qtbot, window, printing, choose)
    assert dialog.message_label.text() == f"Saved to {out}."
    printing.export(exported)
    qtbot.waitUntil(lambda: not dialog.is_output_running, timeout=PATIENCE_MS)
    assert len(out.read_bytes()) == pytest.approx(len(exported.read_bytes()), abs=200)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no print command")
@pytest.mark.sampled(1)
@pytest.mark.parametrize("taken", [True, False])
def test_the_print_command_gets_the_document_and_pictures_where_it_refuses(
    monkeypatch, qtbot, window, printing, tmp_path, taken
):
    command, out = tmp_path / "lp", tmp_path / "pictures.pdf"
    command.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" > "{tmp_path}/told"\ncat > "{tmp_path}/given.pdf"\nexit {0 if taken else 1}\n',
        encoding="utf-8",
    )
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(print_worker, "queue_of", lambda _printer: "Laser")
    monkeypatch.setattr(print_worker, "is_whole", lambda _printer: False)

    def choose(printer):
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(out))
        printer.setCopyCount(2)

    dialog = print_through(monkeypatch, qtbot, window, printing, choose)
    assert (tmp_path / "given.pdf").read_bytes().startswith(b"%PDF")
    told = (tmp_path / "told").read_text(encoding="utf-8").split("\n")
    assert told[:4] == ["-d", "Laser", "-n", "2"]
    assert out.exists() != taken
    assert (dialog.message_label.text() == "Sent to Laser.") == taken


def test_the_print_command_is_told_what_was_chosen(qapp):
    class Laser(QPrinter):
        """A printer that prints on both sides, without colour: a file remembers neither."""

        def duplex(self):
            return QPrinter.DuplexMode.DuplexLongSide

        def colorMode(self):
            return QPrinter.ColorMode.GrayScale

    printer = Laser()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setDocName("The ford")
    printer.setCopyCount(3)
    printer.setFromTo(2, 4)
    printer.setPageSize(QPageSize(QPageSize.PageSizeId.Letter))
    told = print_worker.queue_arguments(printer, "Laser")
    assert told[:8] == ["-d", "Laser", "-n", "3", "-t", "The ford", "-P", "2-4"]
    options = dict(part.split("=") for part in told[9::2])
    assert options["sides"] == "two-sided-long-edge"
    assert (options["media"], options["print-color-mode"]) == ("Letter", "monochrome")
    assert not print_worker.is_whole(printer)
    assert print_worker.queue_of(printer) == ""


def test_at_the_end_the_press_leaves_nothing_behind(monkeypatch, qtbot, application, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    room, ended = PrintWorker(application.workspace.folders), []
    room.start_job(PrintJob(lambda _press, _progress: 1, lambda *_: None, ended.append, lambda: None, ended.append))
    qtbot.waitUntil(lambda: ended == [1], timeout=PATIENCE_MS)
    assert list(tmp_path.glob("turnwright-press-*"))
    room.close()
    assert not list(tmp_path.glob("turnwright-press-*"))
    delete_now()  # the work that is done, while the room it belongs to is still held


# Pages ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def view(qtbot, qapp):
    view = PagePreview()
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    view.show_pages([Page("map-sheets", png(850 + number, 1100), 100.0) for number in range(6)])
    return view


def test_pages_fit_the_width_or_stand_whole_side_by_side(view):
    view.resize(1300, 700)
    assert view.places[0].width() == pytest.approx(view.viewport().width(), abs=48)
    assert view.places[1].top() > view.places[0].bottom()
    view.set_fit("page")
    assert view.places[0].height() < view.viewport().height()
    assert view.places[1].top() == view.places[0].top()
    assert view.places[1].left() > view.places[0].right()


def test_a_larger_scale_wants_finer_pictures_and_keeps_the_page(qtbot, view):
    view.go_to(3)
    assert view.current_page == 3
    before = view.ppi()
    with qtbot.waitSignal(view.resolutionChanged, timeout=PATIENCE_MS):
        view.zoom(2)
    assert view.ppi() > before * 1.5
    assert view.current_page == 3


def test_keys_go_through_the_pages(view):
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.current_page == 5
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.current_page == 0
    QTest.keyClick(view, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert view.current_page == 1


def test_pages_are_painted_as_they_are(view):
    image = QImage(view.viewport().size(), QImage.Format.Format_RGB32)
    view.viewport().render(image)
    assert image.pixelColor(view.places[0].center().x(), 400).name() == "#802020"
    assert image.pixelColor(1, 1).name() != "#802020"


def test_an_empty_view_says_so(view):
    view.show_pages([], "Choose something")
    assert view.pages == ()
    assert view.verticalScrollBar().maximum() == 0
    image = QImage(view.viewport().size(), QImage.Format.Format_RGB32)
    view.viewport().render(image)
    assert len({image.pixel(x, image.height() // 2 + y) for x in range(image.width()) for y in range(-6, 6)}) > 1


def test_of_a_large_map_no_tile_is_set_before_a_part_is_named(qtbot, window, printing):
    window.document.execute(Add((Map(columns=120, rows=120),)))
    dialog = opened(qtbot, window, "map-sheets")
    assert len(dialog.view.pages) == 1  # how the tiles join
    assert "216 sheets" in dialog.notes.text()
    dialog.choices.form.fields["map_part"].edited.emit("1:20")
    qtbot.waitUntil(lambda: len(dialog.view.pages) == 5 and not dialog.notes.text(), timeout=PATIENCE_MS)


def test_the_report_of_the_fight_is_opened_in_its_edition(qtbot, window, printing):
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        window.document.execute(command)
    ids = window.document.encounter.ids(Combatant)
    window.document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
    window.document.execute(AdvanceSetup())
    for edition in ("players", "game-master"):
        printing.open_report(edition)
        settle(qtbot, window)
        assert printing.dialog.choices.options().edition == edition
        assert [page.kind for page in printing.dialog.view.pages] == ["fight-report"]


def test_pages_of_a_running_fight_are_counted_without_a_fault(qtbot, window, printing, counted, monkeypatch):
    faults = []
    monkeypatch.setattr(sys, "excepthook", lambda *fault: faults.append(fault))
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        window.document.execute(command)
    ids = window.document.encounter.ids(Combatant)
    window.document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
    window.document.execute(AdvanceSetup())
    settle_prompts(window.document)
    window.document.execute(ApplyDamage((ids[0],), "3", by=ids[-1]))
    settle_prompts(window.document)
    end_turns(window.document, len(ids))
    assert window.document.encounter.need(Clock, "clock").round == 2
    dialog = opened(qtbot, window, "encounter-sheet")
    rows = dialog.choices.tree
    assert rows.row("fight-report").text(1) == "1 page"
    assert (faults, dialog.message_label.text()) == ([], "")


def test_the_palette_finds_an_export_by_the_name_of_the_program(window, qtbot, monkeypatch):
    asked = []
    monkeypatch.setattr(print_controller, "ask_save_path", lambda _window, title, *_others: asked.append(title))
    window.content.services.controller(PaletteController).open_palette()
    palette = next(one for one in QApplication.topLevelWidgets() if isinstance(one, CommandPalette) and one.isVisible())
    qtbot.keyClicks(palette.line, "improved")
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(asked))
