"""The dialog that asks where to save a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget


def ask_save_path(parent: QWidget | None, title: str, suggested: Path, kinds: str, suffix: str) -> Path | None:
    """Ask where to save a file. Return its path, with `suffix` added if missing, or None if the user cancels."""
    file, _ = QFileDialog.getSaveFileName(parent, title, str(suggested), kinds)
    if not file:
        return None
    path = Path(file)
    return path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)
