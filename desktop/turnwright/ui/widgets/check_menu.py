"""Menus: checkable entries, a menu that stays open while they are checked, and buttons that open a menu."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolButton


class CheckMenu(QMenu):
    """A menu that stays open while entries are checked, by mouse or Space; Enter and Esc close it."""

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
    """Add a checkable entry to a menu, its text shown literally; `slot` gets whether it is now checked."""
    action = menu.addAction(text.replace("&", "&&"))
    action.setCheckable(True)
    action.setChecked(checked)
    action.triggered.connect(slot)
    return action


def set_menu(button: QToolButton, fill: Callable[[QMenu], object]) -> QMenu:
    """Make a button open a menu, which `fill` fills each time; return the menu."""
    menu = QMenu(button)
    menu.aboutToShow.connect(menu.clear)
    menu.aboutToShow.connect(lambda: fill(menu))
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return menu
