"""A command that is about to be given: what a person entered in its form, and whether the rules are against it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import msgspec
from PySide6.QtWidgets import QLabel

from turnwright.play.kernel.commands import Command
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


def show_refusal(label: QLabel, text: str, tone: str) -> None:
    """Show why a command is refused, or what it still takes."""
    label.setText(text)
    if label.property("tone") != tone:
        label.setProperty("tone", tone)
        restyle(label)


def refusal(bridge: DocumentModel, command: Command) -> tuple[str, bool]:
    """Return why a command is refused now, empty where it is legal, and whether the refusal can be overridden."""
    try:
        bridge.document.session.preview(command)
    except Refused as no:
        return bridge.phrasebook.refusal_text(no), no.can_be_overridden
    return "", False
