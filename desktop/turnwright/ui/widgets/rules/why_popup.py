"""Opens and closes why-cards, handles their keys, and passes on requests to open a rule.

A card never has the focus. While it is open, it handles the keys of the focused widget: Up and Down choose a rule,
Enter opens the chosen rule, and Esc closes the card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from turnwright.ui.services.timers import single_shot_timer
from turnwright.ui.widgets.rules.explanation import Explanation
from turnwright.ui.widgets.rules.why_card import WhyCard
from turnwright.ui.widgets.text import discard

if TYPE_CHECKING:
    from turnwright.ui.widgets.rules.why_card import WhyCard

GRACE_MS = 300
_MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def request_rule(widget: QWidget, rule: str) -> bool:
    """Ask a widget's window, or the nearest parent window that can, to open a rule. Return False if none can."""
    current: QWidget | None = widget
    while current is not None:
        window = current.window()
        if hasattr(window, "ruleRequested"):
            window.ruleRequested.emit(rule)
            return True
        current = window.parentWidget()
    return False


class WhyPopup(QObject):
    """The card of one widget. It closes on Esc, when the focus moves away, or when the pointer leaves both."""

    def __init__(self, widget: QWidget, closing: tuple[Qt.Key, ...] = (Qt.Key.Key_Question,)) -> None:
        """Set up the popup. `closing` are keys that open the card and, like Esc, close it."""
        super().__init__(widget)
        self._widget = widget
        self._keys: QWidget = widget
        self._closing = (Qt.Key.Key_Escape, *closing)
        self._card: WhyCard | None = None
        self._hovered = False
        self._leaving = single_shot_timer(self, self._leave, GRACE_MS)

    def card(self) -> WhyCard | None:
        """Return the open card, or None."""
        return self._card

    def open(
        self, why: Explanation, part: QRect | None = None, next_to: QWidget | None = None, *, hovered: bool = False
    ) -> None:
        """Open the card next to the widget, a part of it, or a child. A `hovered` card handles only Esc."""
        self.close()
        card = self._card = WhyCard(why, self._widget, takes_keys=not hovered)
        self._hovered = hovered
        card.ruleRequested.connect(self._open_rule)
        card.pointerLeft.connect(self._leaving.start)
        card.show_next_to(next_to or self._widget, part)
        focused = QApplication.focusWidget()
        here = focused is not None and focused.window() is self._widget.window()
        self._keys = focused if focused is not None and here and not hovered else self._widget
        for watched in {self._widget, self._keys}:
            watched.installEventFilter(self)

    def close(self) -> None:
        """Close the card."""
        self._leaving.stop()
        if self._card is not None:
            for watched in {self._widget, self._keys}:
                watched.removeEventFilter(self)
            card, self._card = self._card, None
            discard(card)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._card is None:
            return False
        kind = event.type()
        if watched is self._keys and isinstance(event, QKeyEvent):
            if kind == QEvent.Type.ShortcutOverride and self._takes(event):
                event.accept()
                return True
            return kind == QEvent.Type.KeyPress and self._press(event)
        if isinstance(event, QHideEvent) or (watched is self._keys and kind == QEvent.Type.FocusOut):
            self.close()
        elif watched is self._widget and kind == QEvent.Type.Leave:
            self._leaving.start()
        return False

    def _takes(self, event: QKeyEvent) -> bool:
        key, count = Qt.Key(event.key()), len(self._card.rules()) if self._card is not None else 0
        if self._hovered:
            return key == Qt.Key.Key_Escape
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            return count > 1
        return key in self._closing or (key in _ENTER and count > 0)

    def _press(self, event: QKeyEvent) -> bool:
        """Handle a key for the card. Return whether it had an effect."""
        key = Qt.Key(event.key())
        if key in _MODIFIERS:
            return False
        if not self._takes(event):
            self.close()
            return False
        if self._card is not None and key in _ENTER:
            self._open_rule(self._card.chosen())
        elif self._card is not None and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._card.step(1 if key == Qt.Key.Key_Down else -1)
        else:
            self.close()
        return True

    def _open_rule(self, rule: str) -> None:
        self.close()
        request_rule(self._widget, rule)

    def _leave(self) -> None:
        if self._card is not None and not self._card.underMouse() and not self._widget.underMouse():
            self.close()
