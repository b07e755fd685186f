"""Choices, numbers and orders of a prompt: by button, list, field or keys, as suggested with Enter."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from turnwright.ui.widgets.fields import ComboBox, PickRow
from turnwright.ui.widgets.prompts.prompt_input import AskOption, AskView
from turnwright.ui.widgets.text import DIGIT_ROW


def question(id, count, suggested):
    options = tuple(AskOption(f"{id}{n}", f"answer {n}") for n in range(count))
    return AskView(id, "choice", text=id, choices=options, suggested=(suggested,))


def test_few_answers_to_several_questions_are_buttons_and_many_a_list(shown, qtbot):
    card = shown(question("few", 5, "few3"), question("many", 6, "many0"))
    body = card.prompt_input
    assert isinstance(body.box("few"), PickRow)
    assert isinstance(body.box("many"), ComboBox)
    said = []
    card.answered.connect(lambda _id, replies, _revision: said.append([one.chosen for one in replies]))
    body.box("few").button("few1").click()
    qtbot.keyClick(body.first_field(), Qt.Key.Key_Return)
    assert said == [[("few1",), ("many0",)]]


def test_many_answers_to_one_question_have_a_key_each(shown, qtbot):
    card = shown(question("many", 12, "many3"))
    body = card.prompt_input
    assert [button.keys for button in body.buttons] == ["Enter", *"23456789abc"]
    said = []
    card.answered.connect(lambda _id, replies, _revision: said.extend(one.chosen for one in replies))
    for key in "2bz":
        qtbot.keyClick(body.first_field(), key)
    qtbot.keyClick(body.first_field(), Qt.Key.Key_Return)
    assert said == [("many0",), ("many10",), ("many3",)]


def test_digits_choose_answers_by_their_place_on_the_keyboard(shown):
    card = shown(question("many", 12, "many3"))
    said = []
    card.answered.connect(lambda _id, replies, _revision: said.extend(one.chosen for one in replies))
    for shift, code, text in ((False, DIGIT_ROW[1], "é"), (True, DIGIT_ROW[2], "3"), (True, DIGIT_ROW[2], "#")):
        modifiers = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
        event = QKeyEvent(QEvent.Type.KeyPress, ord(text.upper()), modifiers, code, code, 0, text)
        QApplication.sendEvent(card.prompt_input.first_field(), event)
    assert said == [("many0",), ("many1",)]


def test_a_long_reason_stands_in_the_tooltip_of_its_answer(shown):
    short, long = "a reason", "a reason that needs more than the width of a card to be told"
    choices = (AskOption("one", "stir", short), AskOption("two", "smoulder", long))
    card = shown(AskView("ask", "choice", text="which", choices=choices))
    one, two = card.prompt_input.buttons
    assert (one.text(), one.toolTip()) == (f"Stir  ({short})", "")
    assert two.text() == "Smoulder"
    assert long in two.toolTip()


VALUES = tuple(AskView(who, "number", who=who.title(), text="Initiative value") for who in ("rope", "moth"))


def test_enter_on_nothing_tells_what_is_missing(shown, qtbot):
    card = shown(*VALUES)
    body = card.prompt_input
    body.field("moth").setFocus()
    with qtbot.assertNotEmitted(card.answered):
        qtbot.keyClick(body.field("moth"), Qt.Key.Key_Return)
    assert body.error() == "Missing: Rope Initiative value. Enter the number or skip it."
    qtbot.waitUntil(body.field("rope").hasFocus)
    qtbot.keyClicks(body.field("rope"), "14")
    with qtbot.waitSignal(card.answered) as heard:
        qtbot.keyClick(body.field("rope"), Qt.Key.Key_Return)
    assert [(reply.ask, reply.number) for reply in heard.args[1]] == [("rope", 14)]


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
