"""The frame of the window's dialogs: a title, contents in a column, a row of buttons; and tables in them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QHeaderView, QPushButton, QTreeWidget, QWidget

from turnwright.ui.fonts import GROUP_GAP
from turnwright.ui.widgets.layout import horizontal, vertical
from turnwright.ui.widgets.tab_order import focus_neighbour
from turnwright.ui.widgets.text import plain_label


class StandardDialog(QDialog):
    """A dialog with a lead at its top, and its contents in `column`. Tab goes from widget to widget in reading order."""

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


class TableTree(QTreeWidget):
    """A table with headings; the column `stretched` takes the width that the others leave."""

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
        self.scheduleDelayedItemsLayout()  # rows measured before the style sheet reached them are too low
