"""Input fields: numbers, rolls and amounts."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from turnwright.ui.widgets.fields import AmountField, NumberField


def shown(qtbot, widget):
    qtbot.addWidget(widget)
    widget.show()
    widget.activateWindow()
    widget.setFocus()
    return widget


def test_a_number_has_its_unit_in_place(qtbot):
    field = shown(qtbot, NumberField(0, 200, "ft"))
    field.set_number(30)
    assert field.text() == "30 ft"


def test_only_a_person_edits_a_number(qtbot):
    field = shown(qtbot, NumberField(0, 200))
    edited = []
    field.valueEdited.connect(edited.append)
    field.set_number(30)
    assert edited == []
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert edited == [31]


def test_typing_and_leaving_settles_a_number(qtbot):
    field = shown(qtbot, NumberField(0, 200))
    edited = []
    field.valueEdited.connect(edited.append)
    field.selectAll()
    qtbot.keyClicks(field, "45")
    with qtbot.waitSignal(field.valueCommitted):
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert edited == [4, 45]


def test_a_blank_number_is_none_and_can_be_typed_over_and_emptied(qtbot):
    field = shown(qtbot, NumberField(0, 40, blank="as the creature"))
    edited = []
    field.valueEdited.connect(edited.append)
    field.set_number(None)
    assert (field.number(), field.text()) == (None, "as the creature")
    field.selectAll()
    qtbot.keyClicks(field, "7")
    assert field.number() == 7
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.number() is None
    assert edited[0] == 7
    assert edited[-1] is None


def test_the_wheel_passes_over_a_number_that_has_no_focus(qtbot):
    field = NumberField(0, 40)
    qtbot.addWidget(field)
    field.set_number(10)
    turned = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(0, 0), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(field, turned)
    assert field.number() == 10


@pytest.mark.parametrize(
    ("modifier", "share"),
    [
        (Qt.KeyboardModifier.NoModifier, "full"),
        (Qt.KeyboardModifier.ControlModifier, "half"),
        (Qt.KeyboardModifier.ShiftModifier, "double"),
    ],
)
def test_enter_gives_an_amount_in_full_by_half_or_double(qtbot, modifier, share):
    field = shown(qtbot, AmountField())
    qtbot.keyClicks(field.line, "2d6+3 fire")
    with qtbot.waitSignal(field.submitted) as heard:
        qtbot.keyClick(field.line, Qt.Key.Key_Return, modifier)
    assert heard.args == ["2d6+3 fire", share]


def test_an_empty_amount_is_not_handed_in(qtbot):
    field = shown(qtbot, AmountField())
    with qtbot.assertNotEmitted(field.submitted):
        qtbot.keyClick(field.line, Qt.Key.Key_Return)
