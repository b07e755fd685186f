"""Texts and icons that a widget paints itself, and how well each stands out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from tests.ui.contrast import painted_contrast

ICONS = "\ue000"  # from this character on the fonts of icons have theirs


def painted_texts(widget: QWidget) -> Iterator[tuple[str, float]]:
    """Yield each text that a widget and its children draw in a rectangle, and its contrast with the ground there."""
    places: list[tuple[str, QRect]] = []
    draw = QPainter.drawText

    def watched(painter: QPainter, *how: object) -> object:
        if len(how) == 3 and isinstance(how[0], QRect | QRectF) and str(how[2]).strip():
            box = painter.boundingRect(QRectF(how[0]), int(how[1]), str(how[2]))
            places.append((str(how[2]), painter.deviceTransform().mapRect(box).toRect()))
        return draw(painter, *how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QPainter, "drawText", watched)
        picture = widget.grab().toImage()
    for text, place in places:
        if picture.rect().contains(place):
            yield text, painted_contrast(picture, place)


def is_icon(text: str) -> bool:
    """Return whether a text is the character of an icon."""
    return text >= ICONS
