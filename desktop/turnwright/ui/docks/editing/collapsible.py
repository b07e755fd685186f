"""A line that opens and closes what belongs to it, and sums it up while it is closed.

Nothing in it is made before it has been painted once, so that starting costs nothing.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from turnwright.ui.fonts import GAP, SPACE, scaled
from turnwright.ui.icons import icon
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.layout import ElidedLabel
from turnwright.ui.widgets.text import ToolButton, escaped_tooltip

HEADER_HEIGHT = 28


class CollapsibleSection(QWidget):
    """Subclasses say what stands inside (`build_content`, called once), how it reads (`refresh_content`) and what sums it up."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._card: Card | None = None
        self.button: QToolButton | None = None
        self.setMinimumHeight(scaled(HEADER_HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    # What a fold says -----------------------------------------------------------------------------------------

    def build_content(self, card: Card) -> None:
        """Build what stands inside."""
        raise NotImplementedError

    def refresh_content(self) -> None:
        """Show what stands inside as it now is."""

    def summary(self) -> str:
        """Return what is said beside the line's name."""
        return ""

    def toggle_text(self) -> str:
        """Return what pressing the line does now, for ears."""
        raise NotImplementedError

    # What all do ------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), scaled(HEADER_HEIGHT)))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.button is None:
            QTimer.singleShot(0, self, self.prepare)

    def prepare(self) -> None:
        """Make the line, once."""
        if self.button is not None:
            return
        self.setMinimumHeight(0)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(scaled(SPACE))
        self.button = ToolButton(self)
        self.button.setText(self._title)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setIconSize(QSize(scaled(16), scaled(16)))
        self.button.setMinimumHeight(scaled(HEADER_HEIGHT))
        self.button.clicked.connect(lambda _on=False: self.set_open(not self.is_open()))
        self._summary = ElidedLabel("", "caption", self)
        self._summary.setProperty("tone", "muted")
        head = QHBoxLayout()
        head.setSpacing(scaled(GAP))
        head.addWidget(self.button)
        head.addWidget(self._summary, 1)
        self._column.addLayout(head)
        self.refresh()

    def is_open(self) -> bool:
        """Tell whether what stands inside shows."""
        return self._card is not None and not self._card.isHidden()

    def set_open(self, on: bool) -> None:
        """Show or hide what stands inside; it is made the first time."""
        self.prepare()
        if on and self._card is None:
            self._card = Card(parent=self)
            self.build_content(self._card)
            self._column.addWidget(self._card)
        if self._card is not None:
            self._card.setVisible(on)
        self.refresh()

    def refresh(self) -> None:
        """Show everything as it now stands."""
        if self.button is None:
            return
        self.button.setIcon(icon("chevron-down" if self.is_open() else "chevron-right"))
        self.button.setAccessibleName(self.toggle_text())
        self.button.setToolTip(escaped_tooltip(self.toggle_text()))
        self._summary.setText(self.summary())
        if self.is_open():
            self.refresh_content()
