"""Tooltips that are never parsed as markup, because they contain names from files."""

from __future__ import annotations

from PySide6.QtCore import Qt


def escaped_tooltip(text: str) -> str:
    """Return text for a tooltip, escaped if Qt would parse it as markup."""
    if "<" not in text:
        return text
    from html import escape  # it imports a table of two thousand entities

    return f"<qt>{escape(text)}</qt>".replace("\n", "<br>")


def role_text(role: int, text: str) -> str:
    """Return text for an item role of a model: escaped for a tooltip, unchanged for a screen reader."""
    return escaped_tooltip(text) if role == Qt.ItemDataRole.ToolTipRole else text
