"""The pages for a handout and for a text in the players' window.

The handout page for players: its image as large as possible with the text next to it, or only the text.

The text has the largest font size at which all of it fits.
"""

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from turnwright.players.view import PlayersView, SentHandout
from turnwright.ui.look.style import tr
from turnwright.ui.players.canvas import BOLD, CENTRE, RIGHT, Canvas

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


MARGIN: Final = 64
TEXT_SHARE: Final = 0.42  # share of the width for text next to an image


def draw_picture_page(canvas: Canvas, view: PlayersView) -> None:
    """Draw the current handout, or a text if there is none."""
    handout, page = view.handout, canvas.page
    if handout is None:
        canvas.write(tr("ui.players-window.no-handout"), page, canvas.font(40), canvas.theme.colour("muted"), CENTRE)
        return
    has_words = bool(handout.text or handout.signed)
    if handout.picture and not has_words and not handout.title:
        draw_handout_picture(canvas, handout, page)
        return
    margin = canvas.length(MARGIN)
    room = page.adjusted(margin, margin, -margin, -margin)
    if handout.title:
        title = QRectF(room.left(), room.top(), room.width(), canvas.length(80))
        canvas.write(handout.title, title, canvas.font(56, BOLD), canvas.theme.colour("text"), CENTRE)
        room.setTop(title.bottom() + canvas.length(24))
    if not handout.picture:
        _draw_words(canvas, handout, room.adjusted(canvas.length(160), 0, -canvas.length(160), 0))
        return
    if has_words:
        words = QRectF(room)
        words.setLeft(room.right() - room.width() * TEXT_SHARE)
        _draw_words(canvas, handout, words)
        room.setRight(words.left() - canvas.length(48))
    draw_handout_picture(canvas, handout, room)


def draw_handout_picture(canvas: Canvas, handout: SentHandout, room: QRectF) -> None:
    """Draw a handout's whole image in the centre of an area. Draw nothing until the image is loaded."""
    image = canvas.pictures.get(handout.picture)
    if image is None or image.isNull():
        return
    scale = min(room.width() / image.width(), room.height() / image.height())
    place = QRectF(0, 0, image.width() * scale, image.height() * scale)
    place.moveCenter(room.center())
    canvas.painter.drawImage(place, image)


def _draw_words(canvas: Canvas, handout: SentHandout, room: QRectF) -> None:
    if handout.signed:
        line = canvas.length(64)
        signed = QRectF(room.left(), room.bottom() - line, room.width(), line)
        font = canvas.font(36)
        font.setItalic(True)
        canvas.write(handout.signed, signed, font, canvas.theme.colour("text"), RIGHT)
        room = room.adjusted(0, 0, 0, -line)
    draw_text(canvas, handout.text, room, Qt.AlignmentFlag.AlignLeft)
