"""Tooltips that are never parsed as markup: names in them come from files."""

from __future__ import annotations

from PySide6.QtCore import Qt


def escaped_tooltip(text: str) -> str:
    """Return text for a tooltip, escaped where Qt would parse it as markup."""
    if "<" not in text:
        return text
    from html import escape  # a table of two thousand entities comes with it

    return f"<qt>{escape(text)}</qt>".replace("\n", "<br>")


def role_text(role: int, text: str) -> str:
    """Return a text for a role of a model: escaped for its tooltip, as it is for a screen reader."""
    return escaped_tooltip(text) if role == Qt.ItemDataRole.ToolTipRole else text
