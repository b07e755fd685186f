"""Questions about numbers: Enter hands in those that are there, and tells what is missing where none is."""

from PySide6.QtCore import Qt

from turnwright.ui.widgets.prompts.prompt_input import AskView

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
