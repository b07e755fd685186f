"""Questions about an order: accepted as suggested with Enter, or changed with the keys."""

from PySide6.QtCore import Qt

from turnwright.ui.widgets.prompts.prompt_input import AskOption, AskView

STEPS = AskView("steps", "order", text="In which order?", choices=tuple(AskOption(id, id.title()) for id in "abc"))


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
