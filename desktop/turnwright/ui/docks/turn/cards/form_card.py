"""The form of an action on a card: its fields, the vetoes of the rules, and its button. Enter submits, Esc closes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton

from turnwright.play.kernel.commands import Command
from turnwright.ui.docks.turn.forms.action_form import ActionForm
from turnwright.ui.forms.fields import CheckBoxField, Field, NumberInput, PickField
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.forms.record_fields import RuleCheck, rule_check, show_reason
from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.layout import ElidedLabel, fill, horizontal, tab_through
from turnwright.ui.widgets.pick_row import KeyButton, KeyCap, PickRow
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.ui.widgets.text import IconLabel, discard, plain_label, push_button, tool_button


class FormCard(Card):
    """Shows the form of an action. Letters choose among the options of all pick fields.

    If the form `repeats`, Shift+Enter submits it and keeps the card open. With `shows_keys`, the card is larger, and
    its buttons show their keys.

    Emits `submitted(command, anyway)`, `refreshed` after each update, and `closed` on Esc or when the user clicks the
    close button.
    """

    submitted = Signal(object, bool)
    refreshed = Signal()
    closed = Signal()

    def __init__(self, document: DocumentModel, tone: str = "accent", *, shows_keys: bool = False) -> None:
        super().__init__(tone)
        self._document = document
        self.act: ActionForm | None = None
        self._form: Form | None = None
        self.command: Command | None = None
        self.missing = ""
        self.check = RuleCheck()
        margins = (20, 12, 20, 12) if shows_keys else (16, 8, 8, 10)
        self.body.setContentsMargins(*(scaled(margin) for margin in margins))
        self._glyph = IconLabel("help-circle-outline", "accent", 24 if shows_keys else 18)
        self._title = ElidedLabel(role="strong", smaller="body", lines=2 if shows_keys else 1)
        self.rule = WhyLabel(tr("ui.prompt.rule"), "caption", "muted")
        closing = [tool_button("close", tr("ui.turn.close-form"), self.closed.emit)]
        head = fill(horizontal(), self._glyph, (self._title, 1), self.rule, *closing, *([KeyCap("Esc")] * shows_keys))
        self.text = ElidedLabel(role="caption", lines=3)
        self.text.setProperty("tone", "muted")
        self.button: QPushButton = (
            KeyButton("", self.submit, "Enter", "primary", "check-bold")
            if shows_keys
            else push_button("", self.submit, "primary", "check")
        )
        self.another_button = KeyButton(tr("ui.condition.another"), self._submit_and_stay, "⇧Enter", "quiet")
        self._against = plain_label("", "caption", "harm", wraps=True)
        fill(self.body, head, self.text, fill(horizontal(), self.button, self.another_button, (self._against, 1)))

    def open_form(self, act: ActionForm) -> None:
        """Show the form of an action."""
        discard(self._form)
        self.act = act
        self._glyph.set_icon(act.icon, act.tone)
        self.another_button.setVisible(act.repeats)
        has_rule = act.why() is not None
        self.rule.set_why(act.why if has_rule else None)  # type: ignore[arg-type]
        self.rule.setVisible(has_rule)
        act.draft.changed = self.refresh
        self._form = Form(act.layout(), act.draft, FormContext.of(self._document), self)
        self.body.insertWidget(2, self._form)
        self._form.show()
        self.refresh()
        tab_through(self.rule, [*self._form.fields.values(), self.button, self.another_button])

    @property
    def is_open(self) -> bool:
        """Whether a form is shown."""
        return self.act is not None

    def close_card(self) -> None:
        """Hide the card and forget its form."""
        self.act = None
        self.hide()

    def refresh(self) -> None:
        """Update the fields and the vetoes of the rules."""
        form, act = self._form, self.act
        if form is None or act is None:
            return
        form.refresh()
        entered = form.entered()
        self._title.setText(act.heading())
        self.setAccessibleName(act.heading())
        self.missing = act.missing(entered)
        self.command = None if self.missing else act.command(entered)
        self.check = rule_check(self._document, self.command) if self.command and act.is_checked else RuleCheck()
        self.text.setText(act.text())
        self.text.setVisible(bool(act.text()))
        self.button.setText(tr("ui.refused.anyway") if self.check.can_be_overridden else act.label())
        self.button.setEnabled(self.command is not None and (not self.check.refused or self.check.can_be_overridden))
        tone = self.check.tone if self.check.text else "muted" if self.missing else "warn"
        show_reason(self._against, self.check.text or self.missing or act.warning(), tone)
        self.refreshed.emit()

    def choose(self, name: str, value: object) -> None:
        """Enter a value in a field, if the field is shown."""
        if self._form is not None and self._form.is_shown(name):
            self._form.fields[name].edited.emit(value)
            self.refresh()

    def field(self, name: str) -> Field:
        """Return a field. Raise KeyError if it isn't shown."""
        if self._form is None or not self._form.is_shown(name):
            raise KeyError(name)
        return self._form.fields[name]

    def picks(self, name: str) -> PickRow:
        """Return the pick row of a field."""
        field = self.field(name)
        assert isinstance(field, PickField)
        return field.row

    def explain(self) -> bool:
        """Show the rules of the action. Return False if there are none."""
        return self.rule.explain()

    def take_focus(self) -> None:
        """Focus the first empty field, or the first field, or the button if there are no fields."""
        if self._form is None or self.act is None:
            return
        value = self.act.draft.value()
        fields = {name: field for name, field in self._form.fields.items() if self._form.is_shown(name)}
        empty = [
            field
            for name, field in fields.items()
            if not getattr(value, name) and name not in self.act.skipped and not isinstance(field, CheckBoxField)
        ]
        first = next(iter((*empty, *fields.values())), self.button)
        first.take_focus() if isinstance(first, PickField) else first.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(first, NumberInput):
            first.box.selectAll()

    def submit(self) -> None:
        """Submit the form. If a value is missing, focus the form instead."""
        if self.button.isEnabled() and self.act is not None and self.act.stays_open:
            self._submit_and_stay()
        elif self.button.isEnabled():
            self.submitted.emit(self.command, self.check.can_be_overridden)
        elif self.missing:
            self.take_focus()

    def _submit_and_stay(self) -> None:
        """Execute the command and open an empty form for another one."""
        act, command = self.act, self.command
        if act is not None and command and self._document.execute(command, override=self.check.can_be_overridden):
            act.start_over()
            self.refresh()
            self.take_focus()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._row_for(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self._row_for(event)
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            again = self.another_button.isVisible() and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._submit_and_stay() if again else self.submit()
        elif event.key() == Qt.Key.Key_Question and not self.rule.isHidden():
            self.explain()
        elif row is not None:
            row.choose_by_key(event.text())
        else:
            super().keyPressEvent(event)

    def _row_for(self, event: QKeyEvent) -> PickRow | None:
        """Return the pick row that has an option for a typed letter. The focused row takes precedence."""
        form = self._form
        names = [name for name in form.fields if form.is_shown(name)] if form is not None else []
        rows = [field.row for name in names if isinstance(field := self.field(name), PickField)]
        rows.sort(key=lambda row: not any(button.hasFocus() for button in row.buttons()))
        if not any(button.hasFocus() for row in rows for button in row.buttons()):
            return None
        letter = event.text()
        with_letter = (row for row in rows if any(letter and button.pick.key == letter for button in row.buttons()))
        return next(with_letter, None)
