"""A command that is about to be given: what a person entered in its form, and whether the rules are against it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import msgspec
from PySide6.QtWidgets import QLabel

from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.events import RuleOverridden
from turnwright.play.kernel.refusals import Refused
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.widgets.text import restyle


class CommandDraft:
    """The binding of a command's form, or of a struct that a command is made from.

    `fill(value, entered)` returns the struct with what has not been entered by name as things stand. Where another
    `subject` is chosen, entries are put aside until it is chosen again.
    """

    identity = ""

    def __init__(self, value: msgspec.Struct, fill: Callable[[Any, Collection[str]], Any], subject: str = "") -> None:
        self._value: Any = value
        self._fill = fill
        self._subject = subject
        self._entered: set[str] = set()
        self.changed: Callable[[], object] = lambda: None
        self._set_aside: dict[str, tuple[Any, set[str]]] = {}

    def value(self) -> Any:
        """Return the struct as it is filled in."""
        return self._fill(self._value, self._entered)

    def write(self, value: Any, field: str) -> None:
        """Keep the fields that an edit has changed."""
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

    def commit(self) -> None:
        """Do nothing: entries of a draft are no steps."""


class RuleCheck(NamedTuple):
    """What rule checks say of a command: the reason against it, empty for none, and whether it is refused for it."""

    text: str = ""
    refused: bool = False
    can_be_overridden: bool = False

    @property
    def tone(self) -> str:
        """The tone in which `text` is shown."""
        return "harm" if self.refused else "warn"


def show_reason(label: QLabel, text: str, tone: str) -> None:
    """Show what is against a command, or what it still takes."""
    label.setText(text)
    if label.property("tone") != tone:
        label.setProperty("tone", tone)
        restyle(label)


def rule_check(document: DocumentModel, command: Command) -> RuleCheck:
    """Return what rule checks say of a command now."""
    try:
        step = document.source.session.preview(command)
    except Refused as no:
        return RuleCheck(document.phrasebook.refusal_text(no), refused=True, can_be_overridden=no.can_be_overridden)
    allowed = next((event for event in step.events if isinstance(event, RuleOverridden)), None)
    return RuleCheck(document.phrasebook.text(allowed.reason, **dict(allowed.params)) if allowed else "")
