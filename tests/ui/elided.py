"""Texts that a widget elides while it is painted."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget


def elided_texts(widget: QWidget) -> list[str]:
    """Return the texts that are elided in a widget as it stands now."""
    found: list[str] = []
    whole = QFontMetrics.elidedText

    def watched(metrics: QFontMetrics, text: str, *how: object) -> str:
        shown = whole(metrics, text, *how)
        if shown != text:
            found.append(text)
        return shown

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QFontMetrics, "elidedText", watched)
        widget.grab()
    return found
