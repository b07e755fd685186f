"""The Help menu: the list of keys, explanations and the About dialog."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QWidget

from turnwright.ui.dialogs.about import AboutDialog
from turnwright.ui.dialogs.key_list import KeyListDialog, field_keys, key_rows
from turnwright.ui.look.translations import tr
from turnwright.ui.services.services import Controller, show_dialog


class HelpController(Controller):
    """Opens the dialogs of the Help menu."""

    def show_keys(self) -> None:
        """Open the list of keys."""
        actions = self._services.actions
        assert actions is not None
        show_dialog(KeyListDialog(self._window, [*key_rows(actions.table), *field_keys()]))

    def show_about(self) -> None:
        """Open the About dialog."""
        show_dialog(AboutDialog(self._workspace.folders, self._window))

    def explain(self) -> None:
        """Explain the focused widget or its nearest parent with an explanation. Otherwise say how to ask for one."""
        for widget in _focus_and_parents():
            explain = getattr(widget, "explain", None)
            if explain is not None and explain():
                return
        self._messages.notify(tr("ui.why.how"))


def _focus_and_parents() -> list[QWidget]:
    widgets = []
    widget = QApplication.focusWidget()
    while widget is not None:
        widgets.append(widget)
        widget = widget.parentWidget()
    return widgets
