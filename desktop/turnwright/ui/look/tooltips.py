"""Tooltips that are never parsed as markup, since they contain names from files."""

from __future__ import annotations

from PySide6.QtCore import Qt


def escaped_tooltip(text: str) -> str:
    """Return a tooltip text, escaped if Qt would parse it as markup."""
    if "<" not in text:
        return text
    from html import escape  # imported here: it loads a table of 2000 entities

    return f"<qt>{escape(text)}</qt>".replace("\n", "<br>")


def role_text(role: int, text: str) -> str:
    """Return a text for an item role of a model: escaped for tooltips, unchanged for screen readers."""
    return escaped_tooltip(text) if role == Qt.ItemDataRole.ToolTipRole else text
