"""Countdowns for players, with the name, large dice, and the faces that remove a die."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRectF

from turnwright.players.view import CountdownView, PlayersView
from turnwright.ui.look.style import tr
from turnwright.ui.players.canvas import BOLD, CENTRE, Canvas
from turnwright.ui.widgets.paint import draw_die

PANEL: Final = 152
DIE: Final = 112
LARGE_DIE: Final = 220
LEAVING: Final = 0.35  # opacity of a die that is removed
SIDES: Final = 6
MARGIN: Final = 96


def panel_height(canvas: Canvas, count: int) -> float:
    """Return the height of `count` panels, one below the other."""
    return canvas.length(count * PANEL + max(0, count - 1) * 16)


def draw_countdowns(canvas: Canvas, countdowns: Sequence[CountdownView], room: QRectF) -> None:
    """Draw panels for the countdowns, as many as fit."""
    height, gap = canvas.length(PANEL), canvas.length(16)
    top = room.top()
    for countdown in countdowns:
        if top + height > room.bottom() + 1:
            return
        _draw_panel(canvas, countdown, QRectF(room.left(), top, room.width(), height))
        top += height + gap


def _draw_panel(canvas: Canvas, countdown: CountdownView, box: QRectF) -> None:
    theme = canvas.theme
    canvas.fill(box, theme.colour("world_soft"))
    canvas.fill(QRectF(box.left(), box.top(), canvas.length(5), box.height()), theme.colour("world"))
    inner = box.adjusted(canvas.length(36), canvas.length(20), -canvas.length(32), -canvas.length(20))
    dice = draw_dice(canvas, countdown, inner.adjusted(inner.width() * 0.4, 0, 0, 0), DIE)
    text = QRectF(inner.left(), inner.top(), dice.left() - inner.left() - canvas.length(24), inner.height() / 2)
    canvas.write(countdown.name, text, canvas.font(36, BOLD), theme.colour("world"))
    text.translate(0, text.height())
    canvas.write(leaving_words(countdown) or left_words(countdown), text, canvas.font(24), theme.colour("text"))


def leaving_words(countdown: CountdownView) -> str:
    """Return a text about the faces that remove a die, or an empty string if these aren't known."""
    lowest = countdown.removes_from
    if not 1 < lowest <= SIDES:
        return ""
    return tr("ui.players-window.leaves-six") if lowest == SIDES else tr("ui.players-window.leaves", n=lowest)


def left_words(countdown: CountdownView) -> str:
    """Return the number of remaining dice as text."""
    return tr("ui.players-window.dice", n=countdown.dice)


def shown_dice(countdown: CountdownView) -> tuple[tuple[int | None, bool], ...]:
    """Return each die's face, and whether that removes the die. Dice have no face before the first roll."""
    if not countdown.faces:
        return ((None, False),) * countdown.dice
    return tuple((face, 0 < countdown.removes_from <= face) for face in countdown.faces)


def draw_dice(canvas: Canvas, countdown: CountdownView, room: QRectF, most: float) -> QRectF:
    """Draw the dice at the right of an area, smaller if there are many. Return the area that they cover."""
    dice = shown_dice(countdown)
    if not dice:
        return QRectF(room.right(), room.top(), 0, room.height())
    side = min(canvas.length(most), room.height(), room.width() / (len(dice) * 1.2 - 0.2))
    step = side * 1.2
    left = room.right() - step * len(dice) + step - side
    for place, (face, leaves) in enumerate(dice):
        canvas.painter.setOpacity(LEAVING if leaves else 1.0)
        box = QRectF(left + place * step, room.center().y() - side / 2, side, side)
        draw_die(canvas.painter, box, face, canvas.theme)
    canvas.painter.setOpacity(1.0)
    return QRectF(left, room.top(), room.right() - left, room.height())


def draw_dice_page(canvas: Canvas, view: PlayersView) -> None:
    """Draw each countdown across the full width, with dice as large as possible."""
    page, theme = canvas.page, canvas.theme
    if not view.countdowns:
        canvas.write(tr("ui.players-window.no-countdown"), page, canvas.font(40), theme.colour("muted"), CENTRE)
        return
    room = page.adjusted(canvas.length(MARGIN), canvas.length(48), -canvas.length(MARGIN), -canvas.length(48))
    height = room.height() / len(view.countdowns)
    for place, countdown in enumerate(view.countdowns):
        box = QRectF(room.left(), room.top() + place * height, room.width(), height)
        title = QRectF(box.left(), box.top(), box.width(), min(canvas.length(90), height * 0.24))
        canvas.write(
            countdown.name, title, canvas.font(min(64, 220 / len(view.countdowns)), BOLD), theme.colour("world"), CENTRE
        )
        words = QRectF(title.left(), title.bottom(), title.width(), min(canvas.length(50), height * 0.16))
        facts = " · ".join(filter(None, (left_words(countdown), leaving_words(countdown))))
        canvas.write(facts, words, canvas.font(32), theme.colour("text"), CENTRE)
        rest = QRectF(box.left(), words.bottom(), box.width(), box.bottom() - words.bottom() - canvas.length(16))
        used = _dice_width(countdown, rest, canvas.length(LARGE_DIE))
        draw_dice(canvas, countdown, QRectF(rest.center().x() - used / 2, rest.top(), used, rest.height()), LARGE_DIE)


def _dice_width(countdown: CountdownView, room: QRectF, most: float) -> float:
    count = len(shown_dice(countdown)) * 1.2 - 0.2
    return max(0.0, min(most, room.height(), room.width() / max(count, 1)) * count)
