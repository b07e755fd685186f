"""The pages of the players' window, by mode. Each page is painted as a single image without interactive parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from turnwright.players.view import PlayersView, ViewMode
from turnwright.ui.look.theme import Theme
from turnwright.ui.players.canvas import NO_PICTURES, Canvas
from turnwright.ui.players.countdown_panel import draw_dice_page
from turnwright.ui.players.map_page import draw_map
from turnwright.ui.players.order_page import draw_order
from turnwright.ui.players.picture_page import draw_picture_page
from turnwright.ui.players.text_page import draw_text_page

BLACK = QColor("black")


def _draw_nothing(_canvas: Canvas, _view: PlayersView) -> None:
    """Leave the page black."""


PAGES: Mapping[ViewMode, Callable[[Canvas, PlayersView], None]] = MappingProxyType(
    {
        "order": draw_order,
        "map": draw_map,
        "picture": draw_picture_page,
        "text": draw_text_page,
        "dice": draw_dice_page,
        "black": _draw_nothing,
    }
)


def paint_view(
    painter: QPainter, page: QRectF, view: PlayersView, theme: Theme, pictures: Mapping[bytes, QImage] = NO_PICTURES
) -> None:
    """Paint the players' view into a rectangle."""
    painter.save()
    painter.setClipRect(page)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    painter.fillRect(page, BLACK if view.mode == "black" else theme.colour("surface"))
    PAGES.get(view.mode, _draw_nothing)(Canvas(painter, page, theme, pictures), view)
    painter.restore()
