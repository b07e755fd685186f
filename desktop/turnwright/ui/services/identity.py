"""Application name and icon, by which the desktop identifies the program's windows."""

from __future__ import annotations

import sys

from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from turnwright.storage.resources import resource_path

if sys.platform == "win32":
    from ctypes import windll

APP_ID = "org.turnwright.Turnwright"  # also the name of the desktop entry
SIZES = (16, 24, 32, 48, 64, 128)


def set_identity(app: QApplication) -> None:
    """Set the application's name, so that menus and task bars show its own entry and icon."""
    app.setApplicationName("turnwright")
    app.setApplicationDisplayName("Turnwright")
    app.setDesktopFileName(APP_ID)
    app.setWindowIcon(app_icon())
    if sys.platform == "win32":
        windll.shell32.SetCurrentProcessExplicitAppUserModelID(APP_ID)


def app_icon() -> QIcon:
    """Return the program's icon."""
    icon = QIcon()
    for size in SIZES:
        icon.addFile(str(resource_path(f"icon/turnwright-{size}.png")), QSize(size, size))
    return icon
