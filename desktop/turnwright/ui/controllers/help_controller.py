"""The Help menu: the list of keys, explanations and the About dialog."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QWidget

from turnwright.ui.controllers.window_port import WindowPort
from turnwright.ui.look.translations import tr
from turnwright.workspace.folders import Folders

if TYPE_CHECKING:
    from turnwright.ui.dialogs.message_bar import MessageBar


class HelpController:
    """Opens the dialogs of the Help menu."""

    def __init__(
        self, window: QMainWindow, port: WindowPort, folders: Folders, messages: Callable[[], MessageBar]
    ) -> None:
        self._window = window
        self._port = port
        self._folders = folders
        self._messages = messages

    def show_keys(self) -> None:
        """Open the list of keys."""
        from turnwright.ui.dialogs.key_list import KeyListDialog, field_keys, key_rows

        _show(KeyListDialog(self._window, [*key_rows(self._port.window_actions.table), *field_keys()]))

    def show_about(self) -> None:
        """Open the About dialog."""
        from turnwright.ui.dialogs.about import AboutDialog

        _show(AboutDialog(self._folders, self._window))

    def explain(self) -> None:
        """Explain the focused widget or its nearest parent with an explanation. Otherwise say how to ask for one."""
        for widget in _focus_and_parents():
            explain = getattr(widget, "explain", None)
            if explain is not None and explain():
                return
        self._messages().notify(tr("ui.why.how"))


def _focus_and_parents() -> list[QWidget]:
    widgets = []
    widget = QApplication.focusWidget()
    while widget is not None:
        widgets.append(widget)
        widget = widget.parentWidget()
    return widgets


def _show(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
