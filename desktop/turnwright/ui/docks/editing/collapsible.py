"""A heading that shows or hides a card below it, with a summary while the card is hidden.

The widgets are built after the first paint, to keep startup fast.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from turnwright.ui.forms.form import Form
from turnwright.ui.look.fonts import SPACE, scaled
from turnwright.ui.look.icons import icon
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.layout import ElidedLabel, horizontal, vertical
from turnwright.ui.widgets.text import text_button

HEADER_HEIGHT = 28


class CollapsibleSection(QWidget):
    """A form in a collapsible card. Subclasses implement `build_form` (called once), `summary` and `toggle_text`."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._card: Card | None = None
        self.form: Form | None = None
        self.button: QToolButton | None = None
        self.setMinimumHeight(scaled(HEADER_HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    # Implemented by subclasses -----------------------------------------------------------------------------------

    def build_form(self, parent: QWidget) -> Form:
        """Return the form."""
        raise NotImplementedError

    def refresh_content(self, form: Form) -> None:
        """Update the form."""
        form.refresh()

    def summary(self) -> str:
        """Return the text next to the title while the card is hidden."""
        return ""

    def toggle_text(self) -> str:
        """Return the accessible name of the heading's current action, "open" or "close"."""
        raise NotImplementedError

    # Shared by all subclasses ------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), scaled(HEADER_HEIGHT)))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.button is None:
            QTimer.singleShot(0, self, self.prepare)

    def prepare(self) -> None:
        """Build the heading unless it already exists."""
        if self.button is not None:
            return
        self.setMinimumHeight(0)
        self._column = vertical(self, spacing=SPACE)
        self.button = text_button("chevron-right", self._title)
        self.button.setMinimumHeight(scaled(HEADER_HEIGHT))
        self.button.clicked.connect(lambda _on=False: self.set_open(not self.is_open()))
        self._summary = ElidedLabel("", "caption", self)
        self._summary.setProperty("tone", "muted")
        head = horizontal()
        head.addWidget(self.button)
        head.addWidget(self._summary, 1)
        self._column.addLayout(head)
        self.refresh()

    def is_open(self) -> bool:
        """Whether the card is shown."""
        return self._card is not None and not self._card.isHidden()

    def set_open(self, on: bool) -> None:
        """Show or hide the card. The form is built when the card is first shown."""
        self.prepare()
        if on and self._card is None:
            self._card = Card(parent=self)
            self.form = self.build_form(self._card)
            self._card.body.addWidget(self.form)
            self._column.addWidget(self._card)
        if self._card is not None:
            self._card.setVisible(on)
        self.refresh()

    def refresh(self) -> None:
        """Update the heading, the summary and the form."""
        if self.button is None:
            return
        self.button.setIcon(icon("chevron-down" if self.is_open() else "chevron-right"))
        self.button.setAccessibleName(self.toggle_text())
        self.button.setToolTip(escaped_tooltip(self.toggle_text()))
        self._summary.setText(self.summary())
        if self.form is not None and self.is_open():
            self.refresh_content(self.form)
