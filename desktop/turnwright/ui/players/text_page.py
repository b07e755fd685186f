"""The text page for players. It uses the largest font size at which the whole text fits."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from turnwright.players.view import PlayersView
from turnwright.ui.look.translations import tr
from turnwright.ui.players.canvas import CENTRE, Canvas

SIZES: Final = (64, 56, 48, 42, 36, 32, 28, 24, 20)
MARGIN_ACROSS, MARGIN_DOWN = 200, 96


def draw_text_page(canvas: Canvas, view: PlayersView) -> None:
    """Draw the current text, or a note if there is none."""
    page = canvas.page
    if not view.text.strip():
        canvas.write(tr("ui.players-window.no-text"), page, canvas.font(40), canvas.theme.colour("muted"), CENTRE)
        return
    across, down = canvas.length(MARGIN_ACROSS), canvas.length(MARGIN_DOWN)
    draw_text(canvas, view.text, page.adjusted(across, down, -across, -down), Qt.AlignmentFlag.AlignLeft)


def draw_text(canvas: Canvas, text: str, room: QRectF, alignment: Qt.AlignmentFlag) -> None:
    """Draw vertically centred paragraphs in the largest font size at which they fit."""
    flags = alignment | Qt.AlignmentFlag.AlignVCenter
    flag_bits = int(flags.value) | int(Qt.TextFlag.TextWordWrap.value)
    for size in SIZES:
        font = canvas.font(size)
        needed = QFontMetricsF(font).boundingRect(room, flag_bits, text)
        if needed.height() <= room.height() and needed.width() <= room.width() + 1:
            break
    canvas.painter.setFont(font)
    canvas.painter.setPen(canvas.theme.colour("text"))
    canvas.painter.drawText(room, flag_bits, text)
