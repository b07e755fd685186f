"""Objects shared by the controllers of one window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject

from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.settings_store import SettingsStore

if TYPE_CHECKING:
    from turnwright.ui.dialogs.message_bar import MessageBar
    from turnwright.ui.shell.window import MainWindow
    from turnwright.workspace.app_context import AppContext


class WindowParts(msgspec.Struct, frozen=True):
    """A window, its document model and other shared objects. `messages` returns the message bar."""

    window: MainWindow
    document: DocumentModel
    workspace: AppContext
    settings_store: SettingsStore
    messages: Callable[[], MessageBar]


class WindowController(QObject):
    """Base class of controllers that use all parts of a window. Owned by the window."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts.window)
        self._window = parts.window
        self._document = parts.document
        self._workspace = parts.workspace
        self._settings_store = parts.settings_store
        self._messages = parts.messages
