"""Putting things in order on a card: as suggested with Enter, or moved with the keys; and rolls without dice."""

import pytest
from PySide6.QtCore import Qt

from turnwright.ui.widgets.prompt_card import PromptCard, PromptView
from turnwright.ui.widgets.prompt_input import AskOption, AskView

STEPS = AskView("steps", "order", text="In which order?", choices=tuple(AskOption(id, id.title()) for id in "abc"))


@pytest.fixture
def shown(qtbot):
    def show(*asks):
        card = PromptCard(PromptView("p", 3, "Turn", asks))
        qtbot.addWidget(card)
        card.show()
        card.activateWindow()
        card.take_focus()
        return card

    return show


def replies(qtbot, card, act):
    with qtbot.waitSignal(card.answered) as heard:
        act()
    return heard.args[1]


def test_enter_takes_the_order_suggested(shown, qtbot):
    card = shown(STEPS)
    (reply,) = replies(qtbot, card, lambda: qtbot.keyClick(card, Qt.Key.Key_Return))
    assert (reply.ask, reply.chosen) == ("steps", ("a", "b", "c"))


def test_alt_and_the_arrows_move_a_line(shown, qtbot):
    card = shown(STEPS)
    listed = card.prompt_input.order("steps")
    qtbot.keyClick(listed, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(listed, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(listed, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert listed.ids() == ("a", "b", "c")
    qtbot.keyClick(listed, Qt.Key.Key_Down)
    qtbot.keyClick(listed, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    (reply,) = replies(qtbot, card, card.prompt_input.accept_button.click)
    assert reply.chosen == ("a", "c", "b")


def test_every_line_is_seen(shown):
    card = shown(STEPS)
    listed = card.prompt_input.order("steps")
    assert listed.viewport().height() >= sum(listed.sizeHintForRow(row) for row in range(3))


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
