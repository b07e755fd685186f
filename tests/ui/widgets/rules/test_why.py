"""Why-labels, their cards and the keys that open rules."""

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QCursor, QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from turnwright.dice.expression import Die
from turnwright.ui.widgets.rules.why import (
    Explanation,
    ExplanationLine,
    WhyCard,
    WhyLabel,
    accessible_text,
    request_rule,
)

STEALTH = Explanation(
    "Stealth",
    "20",
    (
        ExplanationLine("+5", "Dexterity"),
        ExplanationLine("−2", "Slippery ground", "a5e.env.ice", "words of a5e.env.ice"),
        ExplanationLine("advantage", "Hidden"),
    ),
    (Die(20, 17), Die(20, 4, False, "advantage")),
)


def texts(card: WhyCard) -> list[str]:
    return [label.text() for label in card.findChildren(QLabel)]


@pytest.fixture
def label(qtbot):
    label = WhyLabel("20")
    qtbot.addWidget(label)
    label.set_why(lambda: STEALTH)
    label.show()
    label.activateWindow()
    label.setFocus()
    return label


def test_a_question_mark_opens_the_card_and_escape_closes_it(qtbot, label):
    qtbot.keyClick(label, Qt.Key.Key_Question)
    assert label.card() is not None
    assert label.card().isVisible()
    qtbot.keyClick(label, Qt.Key.Key_Escape)
    assert label.card() is None


def test_a_click_opens_the_card(qtbot, label):
    qtbot.mouseClick(label, Qt.MouseButton.LeftButton)
    assert label.card() is not None


def test_the_card_names_each_modifier_its_reason_and_the_words_of_its_rule(qtbot, label):
    qtbot.keyClick(label, Qt.Key.Key_Question)
    said = texts(label.card())
    assert {"Stealth", "20", "+5", "Dexterity", "−2", "Slippery ground", "words of a5e.env.ice", "Hidden"} <= set(said)


def test_the_card_says_which_die_was_dropped():
    assert accessible_text(STEALTH) == (
        "Stealth 20, d20 17, d20 4 (dropped), +5 Dexterity, −2 Slippery ground, advantage Hidden"
    )


def test_what_explains_a_total_is_worked_out_only_when_somebody_asks(qtbot):
    asked = []
    label = WhyLabel("13")
    qtbot.addWidget(label)
    label.set_why(lambda: asked.append(1) or Explanation("AC", "13"))
    assert asked == []
    label.open_card()
    assert asked == [1]


def test_a_total_without_reasons_cannot_be_asked(qtbot):
    label = WhyLabel("13")
    qtbot.addWidget(label)
    label.show()
    label.open_card()
    assert label.card() is None
    assert label.focusPolicy() == Qt.FocusPolicy.NoFocus
    assert label.accessibleName() == "13"


def test_text_in_a_card_is_taken_literally(qtbot):
    card = WhyCard(Explanation("<b>AC</b>", "13", (ExplanationLine("+1", "<img src=x>"),)))
    qtbot.addWidget(card)
    assert {"<b>AC</b>", "<img src=x>"} <= set(texts(card))
    assert {label.textFormat() for label in card.findChildren(QLabel)} == {Qt.TextFormat.PlainText}


# The way to the rules ------------------------------------------------------------------------------------------------

RULES = Explanation(
    "Speed",
    "15",
    (
        ExplanationLine("30", "walk", "x.turn.speed", "Move up to Speed."),
        ExplanationLine("−5", "hurt"),
        ExplanationLine("−10", "ice", "x.env.ice", "Ice is slow."),
        ExplanationLine("+0", "more ice", "x.env.ice", "Ice is slow."),
    ),
)


class Shelf(QWidget):
    """A window that hears which rules are asked for."""

    ruleRequested = Signal(str)  # noqa: N815 - as Qt names signals

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.ruleRequested.connect(self.asked.append)


@pytest.fixture
def shelf(qtbot):
    QCursor.setPos(QGuiApplication.primaryScreen().geometry().bottomRight())  # wherever the test before left it
    shelf = Shelf()
    qtbot.addWidget(shelf)
    shelf.label = WhyLabel("15", parent=shelf)
    shelf.label.set_why(RULES)
    shelf.other = WhyLabel("7", parent=shelf)
    shelf.other.set_why(RULES)
    shelf.resize(200, 100)
    shelf.show()
    shelf.activateWindow()
    qtbot.waitUntil(shelf.isActiveWindow)
    shelf.label.setFocus()
    return shelf


def test_enter_opens_the_chosen_rule_and_closes_the_card(qtbot, shelf):
    qtbot.keyClick(shelf.label, Qt.Key.Key_Question)
    qtbot.keyClick(shelf.label, Qt.Key.Key_Return)
    assert (shelf.asked, shelf.label.card()) == (["x.turn.speed"], None)


def test_up_and_down_choose_among_lines_with_rules_round_the_end(qtbot, shelf):
    qtbot.keyClick(shelf.label, Qt.Key.Key_Question)
    chosen = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(shelf.label, key)
        chosen.append(shelf.label.card().chosen())
    assert chosen == ["x.env.ice", "x.env.ice", "x.turn.speed", "x.env.ice"]
    assert [line.is_chosen() for line in shelf.label.card().rules()] == [False, False, True]


def test_a_click_on_a_line_opens_its_rule(qtbot, shelf):
    shelf.label.open_card()
    qtbot.mouseClick(shelf.label.card().rules()[1], Qt.MouseButton.LeftButton)
    assert shelf.asked == ["x.env.ice"]


def test_the_words_of_a_rule_stand_once(qtbot, shelf):
    shelf.label.open_card()
    assert texts(shelf.label.card()).count("Ice is slow.") == 1


def test_a_card_under_the_pointer_takes_no_enter(qtbot, shelf):
    shelf.label.open_card(hovered=True)
    qtbot.keyClick(shelf.label, Qt.Key.Key_Return)
    assert (shelf.asked, shelf.label.card()) == ([], None)


def test_the_same_key_closes_the_card_and_so_does_the_focus_that_goes(qtbot, shelf):
    for key in (Qt.Key.Key_Question, Qt.Key.Key_Space):
        qtbot.keyClick(shelf.label, key)
        assert shelf.label.card() is not None
        qtbot.keyClick(shelf.label, key)
        assert shelf.label.card() is None
    qtbot.keyClick(shelf.label, Qt.Key.Key_Question)
    shelf.other.setFocus()
    assert shelf.label.card() is None


def test_a_card_without_rules_leaves_the_arrows_and_enter_to_others(qtbot, shelf):
    shelf.label.set_why(Explanation("AC", "13", (ExplanationLine("13", "hide"),)))
    qtbot.keyClick(shelf.label, Qt.Key.Key_Question)
    assert shelf.label.card().rules() == []
    qtbot.keyClick(shelf.label, Qt.Key.Key_Return)
    assert (shelf.asked, shelf.label.card()) == ([], None)


def test_without_anything_that_shows_rules_nothing_happens(qtbot, label):
    assert not request_rule(label, "x.turn.speed")


def test_the_card_goes_when_the_pointer_has_left_number_and_card(qtbot, shelf):
    shelf.label.open_card(hovered=True)
    QApplication.sendEvent(shelf.label, QEvent(QEvent.Type.Leave))
    assert shelf.label.card() is not None
    qtbot.waitUntil(lambda: shelf.label.card() is None)


def test_a_number_that_comes_to_be_under_a_pointer_at_rest_opens_nothing(qtbot, shelf):
    shelf.other.move(0, 50)
    for label in (shelf.label, shelf.other):
        QApplication.sendEvent(label, QEnterEvent(QPointF(2, 2), QPointF(2, 2), QPointF(2, 2)))
    qtbot.mouseMove(shelf.other)
    qtbot.waitUntil(lambda: shelf.other.card() is not None)
    assert shelf.label.card() is None
