"""The dialog of a manual command: its form, objections of the rules, and one button that executes it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QWidget

from turnwright.play.kernel.commands import Command
from turnwright.ui.dialogs.manual_commands import ManualCommand
from turnwright.ui.forms.command_drafts import RuleCheck, rule_check, show_reason
from turnwright.ui.forms.fields import Field, PickField
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.text import plain_label, push_button

WIDTH = 520


class ManualCommandDialog(StandardDialog):
    """The dialog of one manual command. Enter executes it, and Esc closes the dialog.

    A refusal by the rules appears above the buttons.
    """

    def __init__(self, document: DocumentModel, manual: ManualCommand, parent: QWidget | None = None) -> None:
        super().__init__(tr(f"ui.manual.{manual.id}"), parent, tr(f"ui.manual.{manual.id}-lead"))
        self._document = document
        self._manual = manual
        self._draft = manual.draft(document)
        self._draft.changed = self.refresh
        self._check = RuleCheck()
        self.form = Form(manual.layout(document), self._draft, FormContext.of(document), self)
        self.column.addWidget(self.form)
        self.against = plain_label("", "caption", "muted", wraps=True)
        self.column.addWidget(self.against)
        self.button = push_button("", self.submit, "primary", "check-bold")
        self.button.setDefault(True)
        self.add_buttons(*self._instead(), push_button(tr("ui.general.cancel"), self.reject), self.button)
        self.setFixedWidth(scaled(WIDTH))
        self.refresh()
        self._document.changed.connect(self.refresh)
        self._document.documentChanged.connect(self.reject)
        first = next(iter(self.form.fields.values()))
        first.take_focus() if isinstance(first, PickField) else first.setFocus()

    def _instead(self) -> Iterator[QPushButton]:
        """Yield the button of the window action that is an alternative to the form, if there is one."""
        parent = self.parentWidget()
        action = parent.findChild(QAction, self._manual.instead) if parent and self._manual.instead else None
        if action is not None:
            button = push_button(tr(f"ui.manual.{self._manual.id}-instead"), self.reject, "quiet", "playlist-plus")
            button.clicked.connect(action.trigger)
            yield button

    def command(self) -> Command:
        """Return the command with the entered values. Hidden fields have default values."""
        command: Command = self.form.entered()
        return command

    def field(self, name: str) -> Field:
        """Return a field by name. Raise KeyError if the form doesn't have it."""
        return self.form.fields[name]

    def submit(self) -> None:
        """Execute the command and close the dialog. Rules are overridden if possible."""
        command = self.command()
        if self._manual.is_complete(command) and self._document.execute(
            command, override=self._check.can_be_overridden
        ):
            self.accept()

    def refresh(self, *_: object) -> None:
        """Update the fields and the objections of the rules."""
        self.form.refresh()
        command = self.command()
        complete = self._manual.is_complete(command)
        self._check = check = rule_check(self._document, command) if complete else RuleCheck()
        reason = check.text if complete else tr("ui.manual.missing")
        show_reason(self.against, reason, check.tone if complete else "muted")
        self.against.setVisible(bool(reason))
        can_override = check.can_be_overridden
        self.button.setText(tr("ui.refused.anyway") if can_override else tr(f"ui.manual.{self._manual.id}-do"))
        self.button.setEnabled(complete and (not check.refused or can_override))
        self._fit()

    def _fit(self) -> None:
        """Adjust the height of the dialog to its fields."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.setMinimumHeight(0)
            self.resize(self.width(), layout.totalHeightForWidth(scaled(WIDTH)))
