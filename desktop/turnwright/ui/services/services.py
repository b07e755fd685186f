"""The services of one window, and the base class of the controllers that are made from them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QMainWindow

from turnwright.ui.look.style import ThemeSource
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.encounter_status import EncounterStatus
from turnwright.ui.services.jobs import Jobs
from turnwright.ui.services.messages import Messages
from turnwright.ui.services.settings_store import SettingsStore

if TYPE_CHECKING:
    from turnwright.ui.docks.docking import DockLayout, Docks
    from turnwright.ui.services.actions import InstalledActions
    from turnwright.workspace.document import AppContext

ControllerType = TypeVar("ControllerType", bound="Controller")


class Services(msgspec.Struct, eq=False):
    """Everything that controllers and panels of one window share. `actions` is set when the actions are installed."""

    window: QMainWindow
    document: DocumentModel
    workspace: AppContext
    settings_store: SettingsStore
    theme: ThemeSource
    status: EncounterStatus
    messages: Messages
    jobs: Jobs
    docks: Docks
    layout: DockLayout
    actions: InstalledActions | None = None
    clock: Callable[[], float] = time.monotonic
    controllers: dict[type[Controller], Controller] = {}

    def controller(self, kind: type[ControllerType]) -> ControllerType:
        """Return the window's controller of this class. It is created on first use."""
        controller = self.controllers.get(kind)
        if not isinstance(controller, kind):
            controller = self.controllers[kind] = kind(self)
        return controller

    def close(self) -> None:
        """Close the windows and stop the servers of all controllers, the latest first."""
        for controller in reversed(self.controllers.values()):
            controller.close()


class Controller(QObject):
    """Base class of the controllers, which open dialogs and pass commands to the document model."""

    def __init__(self, services: Services) -> None:
        super().__init__(services.window)
        self._services = services
        self._window = services.window
        self._document = services.document
        self._workspace = services.workspace
        self._settings_store = services.settings_store
        self._messages = services.messages
        self._docks = services.docks

    def close(self) -> None:
        """Close all other windows and servers of the controller. Called when the window closes."""

    def _folder(self) -> Path:
        """Return the folder of the encounter's file, or the home folder if it has none."""
        path = self._document.source.path
        return path.parent if path is not None else Path.home()

    def _has_file(self, text: str) -> bool:
        """Return whether the encounter has a file, next to which images can be saved. If not, show a message."""
        if self._document.source.path is None:
            self._messages.notify(text)
            return False
        return True


def show_dialog(dialog: QDialog) -> None:
    """Show a dialog that doesn't block the window, and delete it after it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
