"""The actions of the window, from `resources/actions.toml`, an action for each panel, and undo and redo.

Fields whose text isn't in the document yet, such as a result or a note, undo their own typing first, until the document
changes. Form fields write directly to the document, so they have no typing to undo.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import rtoml
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from turnwright.play.kernel.scheduler import Changed
from turnwright.storage.resources import read_text
from turnwright.ui.controllers.view_controller import ViewController
from turnwright.ui.docks.arrangements import DOCKS, START
from turnwright.ui.services.actions import ActionLook, ActionSpec, ActionTable, always
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.services import Services
from turnwright.ui.shell.controllers import call, condition
from turnwright.ui.widgets.layout import ancestors

MENUS = ("file", "edit", "add", "map", "run", "manual", "players", "view", "help")
BEFORE_DOCKS = "previous-dock"
MANUAL = "manual-"
PANELS = tuple(id for id in DOCKS if id != START)


def action_table() -> ActionTable[Services]:
    """Return the table of the window's actions."""
    return ActionTable(tuple(_actions(action_rows())), MENUS)


def action_rows() -> dict[str, dict[str, Any]]:
    """Return the rows of `resources/actions.toml` by action."""
    return rtoml.loads(read_text("actions.toml"))


def _actions(rows: Mapping[str, dict[str, Any]]) -> Iterator[ActionSpec[Services]]:
    for id, row in rows.items():
        trigger = _trigger(id, row.pop("does", ""), row.pop("command", None))
        when, checked = row.pop("when", ""), row.pop("checked", "")
        look = msgspec.convert(row, ActionLook)
        yield ActionSpec(
            id, look, trigger, condition(when) if when else always, condition(checked) if checked else None
        )
        if id == BEFORE_DOCKS:
            yield from (_dock_action(id, separator=number == 0) for number, id in enumerate(PANELS))


def _trigger(id: str, does: str, command: object) -> Callable[[Services], object]:
    """Return the function of an action: a method, a command, or the form of a manual command."""
    if command is not None:
        return lambda services: _execute(services, command)
    if id.startswith(MANUAL):
        does = f"manual.open_form {id.removeprefix(MANUAL)}"
    return lambda services: call(services, does)


def _execute(services: Services, fields: Any) -> None:
    from turnwright.play.registry import command_types

    services.document.execute(msgspec.convert(fields, command_types()[fields["type"]]))


def _dock_action(id: str, *, separator: bool) -> ActionSpec[Services]:
    return ActionSpec(
        f"dock-{id}",
        ActionLook("view", separator=separator, submenu="panels"),
        lambda services: services.controller(ViewController).toggle_dock(id),
        checked_when=lambda services: services.docks.is_open(id),
    )


class UndoKeys(QObject):
    """Watches the focused field, and forwards the undo and redo shortcuts to the window."""

    def __init__(self, document: DocumentModel, parent: QObject) -> None:
        super().__init__(parent)
        self._typed_into: QObject | None = None  # field with typing since the last change of the document
        document.changed.connect(self._forget_typing)
        if isinstance(application := QApplication.instance(), QApplication):
            application.focusChanged.connect(self._watch)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or not isinstance(watched, QWidget):
            return False
        if event.type() == QEvent.Type.KeyPress and _types(event):
            self._typed_into = watched
        if event.type() != QEvent.Type.ShortcutOverride:
            return False
        redo = event.matches(QKeySequence.StandardKey.Redo)
        if not redo and not event.matches(QKeySequence.StandardKey.Undo):
            return False
        if watched is self._typed_into and _can_itself(watched, redo=redo):
            return False
        event.ignore()
        return True

    def _watch(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if now is not None and _line_of(now) is not None:
            now.installEventFilter(self)

    def _forget_typing(self, _changed: Changed) -> None:
        self._typed_into = None


def _types(event: QKeyEvent) -> bool:
    """Whether a key press changes the text of a field."""
    if event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
        return True
    pastes = event.matches(QKeySequence.StandardKey.Paste) or event.matches(QKeySequence.StandardKey.Cut)
    return pastes or bool(event.text() and event.text().isprintable())


def _line_of(widget: QWidget) -> QLineEdit | QPlainTextEdit | None:
    """Return the text editor of a focused field, or None if it has none."""
    if isinstance(widget, QLineEdit | QPlainTextEdit):
        return widget
    return widget.lineEdit() if isinstance(widget, QAbstractSpinBox | QComboBox) else None


def _can_itself(widget: QWidget, *, redo: bool) -> bool:
    line = _line_of(widget)
    if line is None or any(hasattr(parent, "show_value") for parent in ancestors(widget)):  # the field of a form
        return False
    source = line if isinstance(line, QLineEdit) else line.document()
    return source.isRedoAvailable() if redo else source.isUndoAvailable()
