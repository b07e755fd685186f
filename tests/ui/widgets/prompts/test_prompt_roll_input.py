"""Rolls for which the game names no dice: only a result can be entered."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from turnwright.ui.widgets.prompts.prompt_input import AskView


def test_a_roll_for_which_the_game_names_no_dice_can_only_be_typed(shown, qtbot):
    said = []
    problem = lambda text: "" if text else "type it"  # noqa: E731 - as a view gives it
    card = shown(AskView("check", "roll", "Ann", roll="the table's own roll", dice=False, problem=problem))
    card.answered.connect(lambda _id, replies, _revision: said.append(replies))
    row = card.prompt_input.first_row()
    assert not row.button.isVisible()
    qtbot.keyClick(row.line, Qt.Key.Key_Return)
    assert (said, card.prompt_input.error()) == ([], "type it")
    qtbot.keyClicks(row.line, "14")
    qtbot.keyClick(row.line, Qt.Key.Key_Return)
    assert said[0][0].typed == "14"


def test_several_such_rolls_have_no_button_that_rolls_them(shown):
    card = shown(*(AskView(id, "roll", id, roll="own", dice=False) for id in "ab"))
    assert not card.prompt_input.roll_all.isVisible()
    card.prompt_input.submit_all()
    assert card.prompt_input.error()


def three_saves(shown):
    card = shown(*(AskView(id, "roll", id, "save", roll="1d20 + 2", figure="+2", against="DC 15") for id in "abc"))
    said = []
    card.answered.connect(
        lambda _id, replies, _revision: said.append([(one.ask, one.typed, one.roll) for one in replies])
    )
    return card, said


def test_enter_rolls_for_its_row_and_shift_enter_for_all(shown, qtbot):
    card, said = three_saves(shown)
    rows = card.prompt_input
    rows.field("b").setFocus()
    qtbot.keyClick(rows.field("b"), Qt.Key.Key_Return)
    qtbot.keyClicks(rows.field("b"), "12")
    qtbot.keyClick(rows.field("b"), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert said == [[("b", "", True)], [("a", "", True), ("b", "12", False), ("c", "", True)]]
    assert rows.roll_all.text() == "Roll all three"


def test_exactly_the_row_of_the_focus_has_the_filled_button(shown, qtbot):
    card, _ = three_saves(shown)
    rows = card.prompt_input
    filled = lambda: [id for id, row in rows.rows.items() if row.button.property("kind") == "primary"]  # noqa: E731
    assert filled() == ["a"]
    card.activateWindow()
    qtbot.waitUntil(card.isActiveWindow)
    rows.field("a").setFocus()
    qtbot.keyClick(rows.field("a"), Qt.Key.Key_Down)
    assert rows.field("b").hasFocus()
    assert filled() == ["b"]
    assert [row.button.keys for row in rows.rows.values()] == ["", "Enter", ""]


def test_in_a_narrow_card_a_name_takes_two_lines_and_its_dice_stay_whole(shown):
    card = shown(AskView("ice", "roll", "The ice gives way", roll="5d6, slow", figure="5d6"))
    card.resize(360, card.height())
    QApplication.processEvents()
    row = card.prompt_input.first_row()
    assert row.who.elided().split("\n") == ["The ice", "gives way"]
    assert row.roll.width() >= row.roll.sizeHint().width()
