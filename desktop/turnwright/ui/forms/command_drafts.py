"""Drafts of commands: the values entered in a command's form, and the reason if the command is against the rules."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import msgspec
from PySide6.QtWidgets import QLabel

from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.events import RuleOverridden
from turnwright.play.kernel.transaction import Refused
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.text import set_style


class CommandDraft:
    """The binding for the form of a command, or of a struct from which a command is created.

    `fill(value, entered)` returns the struct with defaults for all fields that aren't in `entered`. If the user changes
    the field `subject`, the entered values are stored and restored when the user chooses the previous subject again.
    """

    identity = ""

    def __init__(self, value: msgspec.Struct, fill: Callable[[Any, Collection[str]], Any], subject: str = "") -> None:
        self._bare: Any = value
        self._value: Any = value
        self._fill = fill
        self._subject = subject
        self._entered: set[str] = set()
        self.changed: Callable[[], object] = lambda: None
        self._set_aside: dict[str, tuple[Any, set[str]]] = {}

    def value(self) -> Any:
        """Return the struct, completed with defaults."""
        return self._fill(self._value, self._entered)

    def write(self, value: Any, field: str) -> None:
        """Record the fields that an edit has changed."""
        before = self.value()
        changes = {
            name: new for name in value.__struct_fields__ if (new := getattr(value, name)) != getattr(before, name)
        }
        if field and field == self._subject:
            self._set_aside[getattr(before, field)] = self._value, self._entered
            self._value, self._entered = self._set_aside.get(getattr(value, field), (self._value, set()))
        self._value = msgspec.structs.replace(self._value, **changes)
        self._entered = self._entered | changes.keys()
        self.changed()

    def start_over(self, value: msgspec.Struct | None = None) -> None:
        """Forget the entered values, and start with `value` or with the initial value."""
        self._value, self._entered = value or self._bare, set()

    def commit(self) -> None:
        """Do nothing, because edits of a draft aren't undo steps."""


class RuleCheck(NamedTuple):
    """The result of checking a command: the reason against it, or an empty string, and whether it is refused."""

    text: str = ""
    refused: bool = False
    can_be_overridden: bool = False

    @property
    def tone(self) -> str:
        """The tone in which `text` is shown."""
        return "harm" if self.refused else "warn"


def show_reason(label: QLabel, text: str, tone: str) -> None:
    """Show why a command is refused, or which value is missing."""
    label.setText(text)
    set_style(label, "tone", tone)


def rule_check(document: DocumentModel, command: Command) -> RuleCheck:
    """Check a command against the rules."""
    try:
        step = document.source.session.preview(command)
    except Refused as no:
        return RuleCheck(document.phrasebook.refusal_text(no), refused=True, can_be_overridden=no.can_be_overridden)
    override = next((event for event in step.events if isinstance(event, RuleOverridden)), None)
    return RuleCheck(document.phrasebook.text(override.reason, **dict(override.params)) if override else "")
