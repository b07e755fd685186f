"""Rolls for which the game names no dice: only a result can be entered."""

from PySide6.QtCore import Qt

from turnwright.ui.widgets.prompt_input import AskView


def test_a_roll_for_which_the_game_names_no_dice_can_only_be_typed(shown, qtbot):
    said = []
    problem = lambda text: "" if text else "type it"  # noqa: E731 - as a view gives it
    card = shown(AskView("check", "roll", "Ann", roll="the table's own roll", dice=False, problem=problem))
    card.answered.connect(lambda _id, replies, _revision: said.append(replies))
    field = card.prompt_input.field
    assert not field.roll_button.isVisible()
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert (said, field.error()) == ([], "type it")
    qtbot.keyClicks(field.line, "14")
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert said[0][0].typed == "14"


def test_several_such_rolls_have_no_button_that_rolls_them(shown):
    card = shown(*(AskView(id, "roll", id, roll="own", dice=False) for id in "ab"))
    assert not card.prompt_input.roll_all.isVisible()
    card.prompt_input.submit()
    assert card.prompt_input.error()
