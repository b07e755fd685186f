"""The dialogs that ask for a file or a folder. Qt's file dialog is loaded on first use, which takes long."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget


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
