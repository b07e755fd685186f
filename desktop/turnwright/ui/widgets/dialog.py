"""The base class of dialogs, the text line that floats over the window, and tables in dialogs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QHeaderView, QLineEdit, QPushButton, QTreeWidget, QWidget

from turnwright.ui.look.fonts import GROUP_GAP, scaled
from turnwright.ui.widgets.layout import Margins, horizontal, vertical
from turnwright.ui.widgets.tab_order import focus_neighbour
from turnwright.ui.widgets.text import plain_label


class StandardDialog(QDialog):
    """A dialog with an introduction at the top and its contents in `column`. Tab follows the visual order."""

    def __init__(self, title: str, parent: QWidget | None = None, lead: str = "", spacing: int = GROUP_GAP) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.column = vertical(self, spacing=spacing, margins=GROUP_GAP)
        self.lead = plain_label(lead, tone="muted", wraps=True)
        if lead:
            self.column.addWidget(self.lead)

    def add_buttons(self, *buttons: QPushButton, left: Sequence[QPushButton] = ()) -> None:
        """Add a row of buttons at the end of the column."""
        row = horizontal()
        for button in left:
            row.addWidget(button)
        row.addStretch(1)
        for button in buttons:
            row.addWidget(button)
        self.column.addLayout(row)

    def focusNextPrevChild(self, forward: bool) -> bool:
        return focus_neighbour(self, self.focusWidget(), forward=forward)


class FloatingLine(QDialog):
    """A text line that floats over the window, with results in `column`. `read` is called whenever the text changes."""

    def __init__(
        self, parent: QWidget, name: str, placeholder: str, read: Callable[[str], object], margins: Margins
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(name)
        frame = QFrame()
        frame.setProperty("floating", True)
        vertical(self, spacing=0).addWidget(frame)
        self.column = vertical(frame, margins=margins)
        self.line = QLineEdit()
        self.line.setPlaceholderText(placeholder)
        self.line.setAccessibleName(name)
        self.line.textChanged.connect(read)

    def show_over(self, widget: QWidget, width: int, height: int, top: int) -> None:
        """Show the line in the upper centre of a widget and focus it."""
        self.resize(min(scaled(width), widget.width() - scaled(32)), height)
        self.move(widget.mapToGlobal(QPoint((widget.width() - self.width()) // 2, scaled(top))))
        self.show()
        self.line.setFocus()


class TableTree(QTreeWidget):
    """A table with headings. The column `stretched` takes the remaining width."""

    def __init__(self, name: str, headings: Sequence[str], stretched: int = 0) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setHeaderLabels(headings)
        self.setRootIsDecorated(False)
        head = self.header()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)
        head.setStretchLastSection(False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.scheduleDelayedItemsLayout()  # rows measured before the style sheet was applied are too low
