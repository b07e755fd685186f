"""Contrast of colours, and of painted text with the ground under it."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage


def luminance(colour: QColor) -> float:
    channels = [colour.redF(), colour.greenF(), colour.blueF()]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, other: QColor) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def painted_contrast(picture: QImage, place: QRect) -> float:
    """Return the contrast of the commonest colour in a part of a picture with the one that differs most from it."""
    part = picture.copy(place).convertToFormat(QImage.Format.Format_RGB32)
    counted = Counter(memoryview(part.constBits()).cast("I"))
    ground = QColor.fromRgb(counted.most_common(1)[0][0])
    return max(contrast(QColor.fromRgb(pixel), ground) for pixel in counted)
