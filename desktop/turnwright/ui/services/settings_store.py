"""The user's settings. They are read at the start, changed in memory, and written after changes."""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path

import msgspec
from PySide6.QtCore import QByteArray, QObject, Signal

from turnwright.ui.services.timers import single_shot_timer
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
