import random
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QAbstractItemModelTester

from tests.ui.docks.running_fight import settle
from turnwright.encounter.running import Combatant
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.kernel.events import JournalLine, Phrase
from turnwright.play.table.corrections import CorrectLine
from turnwright.play.table.game_master import AddNote, Rename, SetDice
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.docks.journal.dock import INDENT, MARGIN, JournalDock, _event, _fonts, text_runs
from turnwright.ui.docks.shared.explainer import explainer, subject_name
from turnwright.ui.look.style import current_theme, scaled
from turnwright.ui.models.journal import JournalModel

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


def texts(model):
    return [model.index(row).data() for row in range(model.rowCount())]


def said(document):
    return [explainer(document).phrase(line.phrase) for line in document.source.session.journal()]


def said_of_play(document):
    lines = document.source.session.journal()
    return [explainer(document).phrase(line.phrase) for line in lines if not line.bookkeeping]


@pytest.fixture
def model(fight):
    return JournalModel(fight, explainer(fight).phrase)


def test_it_says_what_the_session_says(fight, model):
    assert texts(model) == said_of_play(fight)
    fight.execute(AddNote("The sledge creaks"))
    assert texts(model)[-1] == "The sledge creaks"


def test_undone_lines_are_gone_and_redone_ones_are_back(fight, model):
    before = texts(model)
    fight.execute(ApplyDamage(("tam",), "7"))
    after = texts(model)
    assert len(after) > len(before)
    fight.undo()
    assert texts(model) == before
    fight.redo()
    assert texts(model) == after


def test_a_correction_changes_the_line_and_undo_gives_it_back(fight, model, qtbot):
    fight.execute(ApplyDamage(("tam",), "7"))
    row = model.rowCount() - 1
    before = model.text_at(row)
    fight.execute(AddNote("later"))
    with qtbot.waitSignal(model.dataChanged):
        assert model.setData(model.index(row), "Tam takes seven, from the icicle")
    assert texts(model)[-2:] == ["Tam takes seven, from the icicle", "later"]
    assert model.line_at(row).kind == "corrected"
    fight.undo()
    assert model.text_at(row) == before
    assert texts(model) == said_of_play(fight)


def test_only_new_lines_are_told_of(fight, model):
    told = []
    model.rowsInserted.connect(lambda _parent, first, last: told.append((first, last)))
    model.modelReset.connect(lambda: told.append("reset"))
    count = model.rowCount()
    fight.execute(AddNote("one"))
    fight.execute(AddNote("two"))
    assert told == [(count, count), (count + 1, count + 1)]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(3))
def test_it_holds_under_the_tester_whatever_happens(fight, model, seed):
    tester = QAbstractItemModelTester(model, FATAL)
    fight.execute(SetDice("roll"))
    chance = random.Random(seed)
    for _ in range(80):
        who = chance.choice(fight.encounter.ids(Combatant))
        lines = list(fight.source.session.journal())
        line = chance.choice(lines)
        act = chance.choice(
            [
                EndTurn(),
                ApplyDamage((who,), "1d6 cold"),
                AddNote("a note"),
                Rename(who, f"{who}*"),
                CorrectLine(line.serial, line.index, "otherwise"),
                None,
                None,
                None,
            ]
        )
        if act is None:
            chance.choice((fight.undo, fight.undo, fight.redo))()
        else:
            fight.execute(act)
            settle(fight)
        assert texts(model) == said_of_play(fight)
    assert tester.model() is model


def test_the_subject_is_bold(fight, model):
    fight.execute(ApplyDamage(("tam",), "7"))
    line = model.line_at(model.rowCount() - 1)
    assert subject_name(line) == "Tam"
    assert text_runs(model.text_at(model.rowCount() - 1), "Tam")[0] == ("Tam", True)
    assert text_runs("From Tam to Tam", "Tam") == [("From ", False), ("Tam", True), (" to Tam", False)]
    assert text_runs("Nobody", "") == [("Nobody", False)]


def test_a_name_at_the_end_is_drawn_whole_where_the_line_is_cut(qapp):
    line = JournalLine(0, 0, 1, Phrase("journal.effect_ended", (("who", "Osk"),)), subject=("combatants", "osk"))
    text = "Concentrating (on Bless) ends for Osk"
    plain, strong = (QFontMetrics(font) for font in _fonts())
    wide = plain.horizontalAdvance(text.removesuffix("Osk")) + strong.horizontalAdvance("Osk") // 2
    painter = Mock()
    _event(painter, QRect(0, 0, wide + scaled(INDENT) + scaled(MARGIN), 24), line, text, current_theme())
    drawn = [call.args[2] for call in painter.drawText.call_args_list]
    assert drawn[-1] == "Osk"
    assert "…" in drawn[0]


def test_a_click_selects_what_a_line_is_about(fight, show, qtbot):
    dock = show(JournalDock)
    fight.execute(ApplyDamage(("velu",), "7"))
    index = dock.model.index(dock.model.rowCount() - 1)
    dock.view.scrollTo(index)
    qtbot.mouseClick(dock.view.viewport(), Qt.MouseButton.LeftButton, pos=dock.view.visualRect(index).center())
    assert fight.selection == ("combatants", "velu")


def test_a_note_is_written_at_the_bottom(fight, show, qtbot):
    dock = show(JournalDock)
    dock.note.setFocus()
    qtbot.keyClicks(dock.note, "They have the medicine")
    qtbot.keyClick(dock.note, Qt.Key.Key_Return)
    assert texts(dock.model)[-1] == "They have the medicine"
    assert dock.note.text() == ""


def test_question_mark_shows_the_dice_of_a_line(fight, show, qtbot):
    dock = show(JournalDock)
    fight.execute(SetDice("roll"))
    fight.execute(ApplyDamage(("tam",), "2d6+1 fire", "Osk"))
    row = next(row for row in range(dock.model.rowCount() - 1, -1, -1) if dock.model.line_at(row).roll)
    dock.view.setFocus()
    dock.view.setCurrentIndex(dock.model.index(row))
    qtbot.keyClick(dock.view, Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier)
    assert dock.view.popup.card().accessibleName().count("d6 ") == 2
    qtbot.keyClick(dock.view, Qt.Key.Key_Escape)
    assert dock.view.popup.card() is None


def test_it_follows_the_end_unless_somebody_reads_further_up(fight, show):
    dock = show(JournalDock)
    for number in range(60):
        fight.execute(AddNote(f"note {number}"))
    bar = dock.view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    bar.setValue(0)
    fight.execute(AddNote("last"))
    assert bar.value() == 0


def test_before_anything_has_happened_it_says_what_it_is_for(document, show):
    dock = show(JournalDock)
    assert dock.empty.isVisible()
    document.execute(AddNote("first"))
    assert not dock.empty.isVisible()


LONG = (
    "They have the medicine, and the sledge, and nobody on the bank has seen which way the boat went in the dark " * 2
)


def test_a_line_that_is_cut_is_whole_in_its_card(fight, show, qtbot):
    dock = show(JournalDock)
    fight.execute(AddNote(LONG.strip()))
    row = dock.model.rowCount() - 1
    assert dock.view.is_cut(row)
    dock.view.setFocus()
    dock.view.setCurrentIndex(dock.model.index(row))
    qtbot.keyClick(dock.view, Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier)
    assert dock.view.popup.card().accessibleName().startswith(LONG.strip())


def test_hovering_over_a_line_that_is_cut_shows_the_whole(fight, show, qtbot):
    dock = show(JournalDock)
    fight.execute(AddNote(LONG.strip()))
    place = dock.view.visualRect(dock.model.index(dock.model.rowCount() - 1)).center()
    qtbot.mouseMove(dock.view.viewport(), place)
    qtbot.waitUntil(lambda: dock.view.popup.card() is not None)
    assert LONG.strip() in dock.view.popup.card().accessibleName()


def test_a_line_that_fits_and_has_nothing_behind_it_shows_nothing(fight, show):
    dock = show(JournalDock)
    fight.execute(AddNote("short"))
    row = dock.model.rowCount() - 1
    assert not dock.view.is_cut(row)
    assert not dock.view.open_card(row)


def test_bookkeeping_is_left_out_until_it_is_asked_for(fight, show):
    dock = show(JournalDock)
    kept = [line.bookkeeping for line in fight.source.session.journal()]
    assert any(kept)
    assert dock.model.rowCount() == kept.count(False)
    fight.execute(EndTurn())
    fight.undo()
    assert dock.model.rowCount() == kept.count(False)
    dock.bookkeeping.trigger()
    assert texts(dock.model) == said(fight)
    dock.bookkeeping.trigger()
    assert not any(dock.model.line_at(row).bookkeeping for row in range(dock.model.rowCount()))


def test_a_line_behind_bookkeeping_is_corrected(fight, model):
    fight.execute(ApplyDamage(("tam",), "7"))
    row = model.rowCount() - 1
    assert model.setData(model.index(row), "Tam takes seven")
    assert texts(model)[row] == "Tam takes seven"
