"""Menus: checkable entries, a menu that stays open while entries are checked, and buttons that open a menu."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolButton


class CheckMenu(QMenu):
    """A menu that stays open while entries are checked with the mouse or Space. Enter and Esc close it."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.activeAction()
        if action is not None and action.isCheckable():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self.activeAction()
        if event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        else:
            super().keyPressEvent(event)


def add_check(menu: QMenu, text: str, slot: Callable[..., object], *, checked: bool) -> QAction:
    """Add a checkable entry to a menu, with its text shown literally. `slot` receives the new state."""
    action = menu.addAction(text.replace("&", "&&"))
    action.setCheckable(True)
    action.setChecked(checked)
    action.triggered.connect(slot)
    return action


def set_menu(button: QToolButton, fill: Callable[[QMenu], object]) -> QMenu:
    """Attach a menu to a button and return it. `fill` is called to fill the menu each time it opens."""
    menu = QMenu(button)
    menu.aboutToShow.connect(menu.clear)
    menu.aboutToShow.connect(lambda: fill(menu))
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return menu
