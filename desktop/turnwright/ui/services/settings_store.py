"""The user's settings, and the dialogs for files and folders.

The user's settings. They are read at the start, changed in memory, and written after changes.

Qt's file dialog takes long to load, so it is loaded on first use.
"""

from base64 import b64decode, b64encode
from pathlib import Path

import msgspec
from PySide6.QtCore import QByteArray, QMimeData, QObject, Signal
from PySide6.QtWidgets import QWidget

from turnwright.ui.services.workers import single_shot_timer
from turnwright.workspace.settings import Settings, read_settings, reread_settings, with_changes, write_settings

WRITE_AFTER_MS = 1500


class SettingsStore(QObject):
    """Stores the settings. Emits `failed` when they can't be written for the first time."""

    failed = Signal()

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._failed = False
        self._changed = False
        self.settings = self._held = read_settings(folder)  # current, and as last read from the file
        self._timer = single_shot_timer(self, self.write, WRITE_AFTER_MS)

    def update(self, **fields: object) -> None:
        """Change some settings. They are written after a short delay."""
        self.replace(msgspec.structs.replace(self.settings, **fields))

    def replace(self, settings: Settings) -> None:
        """Replace all settings."""
        if settings != self.settings:
            self.settings = settings
            self._changed = True
            self._timer.start()

    def refresh(self) -> None:
        """Read the settings that other windows have written, without losing changes made here."""
        stored = reread_settings(self._folder, self._held)
        self.settings, self._held = with_changes(stored, self._held, self.settings), stored

    def write(self) -> None:
        """Write pending changes now."""
        self._timer.stop()
        if not self._changed:
            return
        self.refresh()
        self._changed = not write_settings(self._folder, self.settings)
        if not self._changed:
            self._held = self.settings
        elif not self._failed:
            self._failed = True
            self.failed.emit()


def text_of(data: QByteArray) -> str:
    """Encode the state of a window as text for the settings."""
    return b64encode(data.data()).decode("ascii")


def bytes_of(text: str) -> QByteArray:
    """Decode the state of a window from the settings. Return an empty one if the text is invalid."""
    try:
        return QByteArray(b64decode(text, validate=True))
    except ValueError:
        return QByteArray()


def local_files(data: QMimeData) -> list[Path]:
    """Return the local files and folders in dragged or copied data."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile() and url.toLocalFile()]


def ask_open_path(parent: QWidget, title: str, folder: Path, kinds: str) -> Path | None:
    """Ask for a file to open. Return its path, or None if the user cancels."""
    from PySide6.QtWidgets import QFileDialog

    file, _ = QFileDialog.getOpenFileName(parent, title, str(folder), kinds)
    return Path(file) if file else None


def ask_open_paths(parent: QWidget, title: str, folder: Path, kinds: str) -> list[Path]:
    """Ask for files to open. Return their paths, or an empty list if the user cancels."""
    from PySide6.QtWidgets import QFileDialog

    files, _ = QFileDialog.getOpenFileNames(parent, title, str(folder), kinds)
    return [Path(file) for file in files]


def ask_folder(parent: QWidget, title: str, folder: Path) -> Path | None:
    """Ask for a folder. Return its path, or None if the user cancels."""
    from PySide6.QtWidgets import QFileDialog

    chosen = QFileDialog.getExistingDirectory(parent, title, str(folder))
    return Path(chosen) if chosen else None


def ask_save_path(parent: QWidget | None, title: str, suggested: Path, kinds: str, suffix: str) -> Path | None:
    """Ask where to save a file. Return its path, with `suffix` added if missing, or None if the user cancels."""
    from PySide6.QtWidgets import QFileDialog

    file, _ = QFileDialog.getSaveFileName(parent, title, str(suggested), kinds)
    if not file:
        return None
    path = Path(file)
    return path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)
