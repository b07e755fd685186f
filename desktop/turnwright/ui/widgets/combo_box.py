"""A combo box that fits any width."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from turnwright.ui.look.fonts import SPACE, scaled
from turnwright.ui.look.tooltips import escaped_tooltip


class ComboBox(QComboBox):
    """A combo box that elides its text to any width. The mouse wheel changes it only while it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(3)

    def text_line(self) -> QLineEdit:
        """Return the line edit of an editable combo box. Raise LookupError if it isn't editable."""
        line = self.lineEdit()
        if line is None:
            raise LookupError("this combo box isn't editable")
        return line

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.isEditable():
            super().paintEvent(event)
            return
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width() - scaled(
            SPACE
        )
        text = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)
        if (tip := escaped_tooltip(self.currentText()) if text != self.currentText() else "") != self.toolTip():
            self.setToolTip(escaped_tooltip(tip))
        option.currentText = text
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
