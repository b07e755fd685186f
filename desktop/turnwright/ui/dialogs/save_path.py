"""The question where to write a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget


def ask_save_path(parent: QWidget | None, title: str, suggested: Path, kinds: str, suffix: str) -> Path | None:
    """Return the file that a person chooses, with the suffix of its kind; None where none is chosen."""
    chosen, _ = QFileDialog.getSaveFileName(parent, title, str(suggested), kinds)
    if not chosen:
        return None
    path = Path(chosen)
    return path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)
