"""Tasks after the window's first paint: messages about the file, and recovery of unsaved work after a crash."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from turnwright.ui.application.kernel_loader import load_for_maps
from turnwright.ui.look.style import tr
from turnwright.ui.services.new_window import FrontRequests
from turnwright.workspace.files import OpenError
from turnwright.workspace.locks import ask_window
from turnwright.workspace.versions import versions

if TYPE_CHECKING:
    from turnwright.ui.dialogs.recover import RecoverDialog
    from turnwright.ui.shell.window import MainWindow
    from turnwright.workspace.document import AppContext

KERNEL_DELAY_MS = 1000  # importing numpy would block the user's first actions


def after_first_paint(
    window: MainWindow, workspace: AppContext, path: Path | None, error: OpenError | OSError | None
) -> None:
    """Report errors in the file, offer recovery, and load the map's compiled kernels."""
    if path is not None and window.source.read_only and ask_window(workspace.folders.state, path):
        window.close()  # another process has opened it by now
        return
    FrontRequests(window, window.document, workspace.folders.state)
    if path is not None and error is not None:
        window.content.file_controller.show_open_error(path, error)
    elif path is not None:
        window.content.file_controller.remember(path)
        window.content.file_controller.report_opened()
    offer_recovery(window, workspace)
    window.content.docksBuilt.connect(
        lambda: QTimer.singleShot(KERNEL_DELAY_MS, window, lambda: load_for_maps(window.document))
    )


def offer_recovery(window: MainWindow, workspace: AppContext) -> RecoverDialog | None:
    """Open the list of work that can be recovered after a crash, if there is any."""
    leftovers = workspace.recoverable()
    window.content.file_controller.report_unread_logs()
    workspace.sweep_leftovers()
    if not leftovers:
        return None
    from turnwright.ui.dialogs.recover import RecoverDialog

    dialog = RecoverDialog(leftovers, window)
    dialog.restoreRequested.connect(lambda index: window.content.file_controller.restore(leftovers[index]))
    dialog.discardRequested.connect(lambda index: workspace.discard(leftovers[index]))
    dialog.open()
    return dialog


def show_fault(window: MainWindow, log: Path | None, details: str) -> None:
    """Report an uncaught exception. `log` is the log file, or None if it could not be written."""
    text = tr("ui.fault.message")
    if log is not None:
        text += " " + tr("ui.fault.where", file=str(log))

    def copy() -> None:
        made_by = ", ".join(f"{name} {version}" for name, version in versions().items())
        QGuiApplication.clipboard().setText(f"{made_by}\n\n{details}")

    window.messages().notify(text, "harm", [(tr("ui.fault.copy"), copy)], persistent=True)
