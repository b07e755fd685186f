"""The card of damage for several with saves."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from turnwright.encounter.running import Combatant, Effect
from turnwright.play.damage.damage_roll import DealDamageWithSave
from turnwright.play.queries.queries import open_prompts
from turnwright.play.table.game_master import SetDice
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.widgets.prompts.prompt_roll_input import DamageInput

RAIDERS = ("raiders-1", "raiders-2")
FIRE = DealDamageWithSave(RAIDERS, "20 fire", "dex", 15, half=True, source="Mira", confirm=True)


@pytest.fixture
def dock(show, fight):
    return show(TurnDock)


def rows_of(dock):
    body = next(iter(dock.prompts.cards.values())).prompt_input
    assert isinstance(body, DamageInput)
    return body.rows


def hp(document):
    return [document.encounter.need(Combatant, who).hp for who in RAIDERS]


def test_rolls_are_typed_or_rolled_and_then_dealt(fight, dock, qtbot):
    before = hp(fight)
    fight.execute(FIRE)
    card = next(iter(dock.prompts.cards.values()))
    assert (card.isVisible(), dock.prompts.isVisible(), dock.action_bar.isVisible()) == (True, True, False)
    assert card.chips.texts == ["20 fire", "Dexterity save, DC 15", "half on a save"]
    assert dock.focus_prompt()
    for typed in ("16", "3"):
        qtbot.keyClicks(QApplication.focusWidget(), typed)
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    rows = rows_of(dock)
    assert [row.line.text() for row in rows.values()] == ["16", "3"]
    qtbot.keyClick(rows["raiders-1"].line, Qt.Key.Key_Return)
    rows = rows_of(dock)
    assert [rows[who].note.text() for who in RAIDERS] == ["saves", "fails"]
    assert [rows[who].result.text() for who in RAIDERS] == ["10", "20"]
    rows["raiders-2"].shares.buttons["none"].click()
    assert (rows["raiders-2"].result.text(), hp(fight)) == ("0", before)
    qtbot.keyClick(rows["raiders-2"].shares.buttons["none"], Qt.Key.Key_Return)
    assert hp(fight) == [before[0] - 10, before[1]]
    assert ([*dock.prompts.cards.values()], dock.action_bar.isVisible()) == ([], True)


def test_it_shows_what_the_damage_leaves(fight, dock):
    fight.execute(SetDice("roll"))
    fight.execute(DealDamageWithSave(RAIDERS, "90 fire", "dex", 40, source="Mira", confirm=True))
    lefts = [row.left.text() for row in rows_of(dock).values()]
    assert lefts == [f"{points} → down" for points in hp(fight)]


def test_shift_enter_rolls_and_deals(fight, dock, qtbot):
    before = hp(fight)
    fight.execute(FIRE)
    dock.prompts.take_focus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert not open_prompts(fight.encounter)
    assert all(was - now in (10, 20) for was, now in zip(before, hp(fight), strict=True))


def test_what_cannot_be_read_is_said_and_skipping_deals_nothing(fight, dock, qtbot):
    before = hp(fight)
    fight.execute(FIRE)
    card = next(iter(dock.prompts.cards.values()))
    rows_of(dock)["raiders-1"].line.setText("+")
    card.prompt_input.confirm()
    assert card.prompt_input.error()
    assert open_prompts(fight.encounter)
    qtbot.keyClick(card, Qt.Key.Key_S)
    assert (open_prompts(fight.encounter), hp(fight)) == ([], before)


def test_other_prompts_are_left_to_their_own_cards(fight, dock):
    fight.execute(DealDamageWithSave(RAIDERS, "2d6 fire", source="Mira"))
    assert not isinstance(next(iter(dock.prompts.cards.values())).prompt_input, DamageInput)
    assert dock.prompts.isVisible()


def test_chips_over_the_line_show_how_it_is_understood(fight, dock, qtbot):
    box = dock.damage
    qtbot.keyClicks(box.amount.line, "12")
    assert not box.chips.isVisible()
    qtbot.keyClicks(box.amount.line, " fire, Dex 15, poi 3")
    wanted = ["12 fire", "Dexterity save, DC 15", "half on a save", "Poisoned", "3 rounds"]
    assert (box.chips.isVisible(), box.chips.texts) == (True, wanted)
    box.amount.line.setText("12 fier")
    assert box.chips.texts == ["fier: did you mean fire?"]
    box.amount.line.clear()
    assert not box.chips.isVisible()


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("3 fire, poi end", (1, "affected", "", 0)),
        ("3 fire, poi save con 13", (0, "creator", "con", 13)),
        ("3 fire, poi 2", (2, "creator", "", 0)),
    ],
)
def test_a_condition_behind_the_damage_ends_as_it_says(fight, dock, qtbot, line, ends):
    fight.select_combatants(RAIDERS)
    qtbot.keyClicks(dock.damage.amount.line, line)
    qtbot.keyClick(dock.damage.amount.line, Qt.Key.Key_Return)
    found = [one for one in fight.encounter.all(Effect) if one.name == "poisoned" and one.target in RAIDERS]
    assert [(one.rounds_left, one.counted_on, one.save, one.dc) for one in found] == [ends] * len(RAIDERS)


def test_what_each_takes_says_why(fight, dock):
    fight.execute(SetDice("roll"))
    fight.execute(DealDamageWithSave(RAIDERS, "20 fire", "dex", 1, half=True, source="Mira", confirm=True))
    row = rows_of(dock)["raiders-1"]
    assert row.result.text() == "10"
    assert row.explain()
    told = row.result.card()
    assert told is not None
    assert "20 → 10" in [label.text() for label in told.findChildren(QLabel)]
