"""Navigation to the rules panel, and the Help menu.

Navigation to the rules panel from a why-card, the palette or by key, and back with Esc.

The Help menu: the list of keys, explanations and the About dialog.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from turnwright.ui.dialogs.help import AboutDialog, KeyListDialog, field_keys, key_rows
from turnwright.ui.look.style import tr
from turnwright.ui.services.services import Controller, Services, show_dialog
from turnwright.ui.widgets.layout import ancestors

if TYPE_CHECKING:
    from turnwright.ui.docks.rules.dock import RulesDock


DOCK = "rules"


class RuleController(Controller):
    """Navigation to rules in one window and its why-cards."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._covered = ""
        self._was_open = True

    def focus_search(self) -> None:
        """Move the focus to the search line of the rules panel."""
        self._come().focus_search()

    def open(self, rule: str) -> None:
        """Show the full text of a rule and move the focus to it."""
        self._come().show_rule(rule)

    def back(self) -> None:
        """Return the focus to the previous widget, and restore the docks."""
        origin = cast("RulesDock", self._docks.dock(DOCK)).previous_focus()
        if not self._was_open:
            self._docks.set_open(DOCK, is_open=False)
        if self._covered and self._docks.is_open(self._covered):
            self._docks.show(self._covered)
        self._covered, self._was_open = "", True
        if origin is not None and origin.isVisible() and origin.isEnabled():
            origin.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._window.setFocus(Qt.FocusReason.OtherFocusReason)

    def _come(self) -> RulesDock:
        """Show the panel, and remember which dock it covers."""
        hidden = not self._docks.is_raised(DOCK)
        was_open = self._docks.is_open(DOCK)
        raised = [id for id in self._docks.all if self._docks.is_raised(id)]
        dock = self._docks.show(DOCK)
        if hidden:
            beside = self._window.tabifiedDockWidgets(dock)
            self._was_open = was_open
            self._covered = next((id for id in raised if self._docks.all[id] in beside), "")
        dock.activateWindow()
        return cast("RulesDock", dock)


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
        for widget in ancestors(QApplication.focusWidget()):
            if (explain := getattr(widget, "explain", None)) is not None and explain():
                return
        self._messages.notify(tr("ui.why.how"))
