"""A collapsible section of the forecast."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.look.icons import icon
from turnwright.ui.widgets.layout import vertical
from turnwright.ui.widgets.text import text_button


class FoldSection(QWidget):
    """A title button that expands or collapses `body`, which has the layout `column`. Initially collapsed."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = text_button("chevron-right", title)
        self.body = QWidget()
        self.column = vertical(self.body, spacing=4, margins=(16, 0, 0, 0))
        self.button.clicked.connect(lambda _on=False: self.set_open(is_open=self.body.isHidden()))
        whole = vertical(self, spacing=4)
        whole.addWidget(self.button)
        whole.addWidget(self.body)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.body.hide()

    def set_open(self, *, is_open: bool) -> None:
        """Expand or collapse the section."""
        self.body.setVisible(is_open)
        self.button.setIcon(icon("chevron-down" if is_open else "chevron-right"))
