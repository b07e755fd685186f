"""Containers: cards, section headers, message banners, and placeholders that suggest a first step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QWidget

from turnwright.ui.look.fonts import GROUP_GAP, SPACE
from turnwright.ui.look.icons import TONE_ICONS
from turnwright.ui.look.theme import current_theme
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.layout import STRETCH, fill, horizontal, vertical
from turnwright.ui.widgets.paint import draw_panel
from turnwright.ui.widgets.text import IconLabel, discard, plain_label, push_button, restyle, tool_button


class Card(QFrame):
    """A raised frame with an edge in a tone's colour. Its contents go into `body`."""

    def __init__(self, tone: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = tone
        self.body = vertical(self, margins=(GROUP_GAP, 12, GROUP_GAP, 12))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            draw_panel(painter, QRectF(self.rect()), current_theme(), self._tone or "line", self._tone)


class SectionHeader(QWidget):
    """A heading with an icon, followed by small buttons."""

    def __init__(self, text: str, icon_name: str = "", tone: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = horizontal(self, margins=(0, SPACE, 0, SPACE))
        if icon_name:
            self._row.addWidget(IconLabel(icon_name, tone or "muted"))
        self.label = plain_label(text, "strong", tone)
        fill(self._row, self.label, STRETCH)
        self.setAccessibleName(text)

    def set_text(self, text: str) -> None:
        """Change the heading."""
        self.label.setText(text)
        self.setAccessibleName(text)

    def add_button(self, icon_name: str, name: str, slot: Callable[[], object]) -> QToolButton:
        """Append an icon button and return it."""
        button = tool_button(icon_name, name, slot)
        self.add_widget(button)
        return button

    def add_widget(self, widget: QWidget) -> None:
        """Append a widget."""
        self._row.addWidget(widget)


class HorizontalLine(QFrame):
    """A thin horizontal line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("rule", True)
        self.setFixedHeight(1)


class Banner(QFrame):
    """A message inside the window, hidden if there is none. Emits `dismissed` when it is closed."""

    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("banner", True)
        self._glyph = IconLabel("information-outline", "text")
        self._text = plain_label("", wraps=True)
        self._buttons = horizontal(spacing=SPACE)
        self.close_button = tool_button("close", tr("ui.general.dismiss"), self.dismiss)
        row = horizontal(self, margins=(12, SPACE, SPACE, SPACE))
        fill(row, self._glyph, (self._text, 1), self._buttons, self.close_button)
        self.hide()

    def show_message(self, text: str, tone: str = "", actions: Sequence[tuple[str, Callable[[], object]]] = ()) -> None:
        """Show a message with buttons. Each button also dismisses the message."""
        self.setProperty("tone", tone)
        self._glyph.set_icon(TONE_ICONS.get(tone, "information-outline"), tone or "text")
        self._text.setText(text)
        self.setAccessibleName(text)
        while (item := self._buttons.takeAt(0)) is not None:
            discard(item.widget())
        for label, slot in actions:
            self._buttons.addWidget(push_button(label, partial(self._follow, slot)))
        restyle(self)
        self.show()
        from PySide6.QtGui import QAccessible, QAccessibleEvent  # imported here because it is large and rarely needed

        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def wanted_width(self) -> int:
        """Return the width at which the message fits on one line."""
        line = self._text.fontMetrics().horizontalAdvance(self._text.text())
        return line + self.sizeHint().width() - self._text.sizeHint().width() + GROUP_GAP

    def text(self) -> str:
        """Return the message, or an empty string if the banner is hidden."""
        return "" if self.isHidden() else self._text.text()

    def dismiss(self) -> None:
        """Hide the banner."""
        if not self.isHidden():
            self.hide()
            self.dismissed.emit()

    def _follow(self, slot: Callable[[], object]) -> None:
        self.dismiss()
        slot()


class EmptyState(QWidget):
    """A placeholder: a sentence about a view's purpose and a button for the first step. Emits `clicked` for the button.

    Its parts are created when it is first shown, because most views are never empty.
    """

    clicked = Signal()

    def __init__(self, icon_name: str, sentence: str, button: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._step = button
        self.setAccessibleName(sentence)

    def showEvent(self, event: QShowEvent) -> None:
        self._sentence.setText(self.accessibleName())
        super().showEvent(event)

    @cached_property
    def _sentence(self) -> QLabel:
        """The label of the sentence. Creating it also creates the icon and the button."""
        glyph, centre = IconLabel(self._icon_name, "edge", 32), Qt.AlignmentFlag.AlignHCenter
        sentence = plain_label(self.accessibleName(), tone="muted", wraps=True)
        sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        button = [(self.button, 0, centre)] if self.button is not None else []
        fill(vertical(self, margins=GROUP_GAP), STRETCH, (glyph, 0, centre), sentence, *button, STRETCH)
        return sentence

    @cached_property
    def button(self) -> QPushButton | None:
        """The button for the first step, or None if there is none."""
        if not self._step:
            return None
        button = push_button(self._step, self.clicked.emit, icon_name="plus")
        button.setParent(self)
        return button

    def set_step(self, text: str) -> None:
        """Set the text of the button for the first step."""
        if self.button is not None:
            self.button.setText(text)

    def set_sentence(self, sentence: str, *, has_step: bool = True) -> None:
        """Set the sentence. `has_step`: show the button for the first step."""
        self.setAccessibleName(sentence)
        self._sentence.setText(sentence)
        if self.button is not None:
            self.button.setVisible(has_step)
