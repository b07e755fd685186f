"""Draws the icon in all sizes from the two drawings in `resources/icon/`, into that folder or another."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "icon"
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
SIMPLE = 24  # the largest size without facets


def draw(size: int) -> QImage:
    """Return the icon as a square picture."""
    drawing = FOLDER / ("turnwright-small.svg" if size <= SIMPLE else "turnwright.svg")
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(drawing)).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


def main(folder: Path) -> None:
    """Save a picture of each size."""
    _app = QGuiApplication(sys.argv[:1])
    folder.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        draw(size).save(str(folder / f"turnwright-{size}.png"))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
