"""The turn order for players: the active and the next combatant, the health of all, and countdowns next to it."""

from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from turnwright.players.view import CombatantRow, PlayersView
from turnwright.ui.look.style import tr
from turnwright.ui.look.window_data import icon_names
from turnwright.ui.players.canvas import BOLD, CENTRE, LEFT, RIGHT, STRONG, Canvas
from turnwright.ui.players.countdown_panel import draw_countdowns, panel_height
from turnwright.ui.players.picture_page import draw_handout_picture

MARGIN: Final = 48
TOP: Final = 132
ROW, ACTIVE_ROW, LEAST_ROW = 80, 96, 52
NARROW_WIDTH, WIDE_WIDTH = 640, 1180  # width of the turn order next to an image or countdowns, and alone
GAP: Final = 48
SIDE_ICONS: Final = icon_names("sides")
SIDE_TONES: Final = {"party": "accent", "enemies": "harm", "others": "muted"}
HEALTH_ICONS: Final = icon_names("healths")
HEALTH_TONES: Final = {"unhurt": "heal", "hurt": "warn", "bloodied": "harm", "down": "muted"}
LIGHT_ICONS: Final = icon_names("lights")
SECONDS_PER_MINUTE: Final = 60


def draw_order(canvas: Canvas, view: PlayersView) -> None:
    """Draw the turn order below the header, with the handout's image and countdowns on the right."""
    _draw_head(canvas, view)
    page = canvas.page
    margin, top = canvas.length(MARGIN), page.top() + canvas.length(TOP)
    room = QRectF(page.left() + margin, top, page.width() - 2 * margin, page.bottom() - canvas.length(32) - top)
    has_picture = view.handout is not None and bool(view.handout.picture)
    if not has_picture and not view.countdowns:
        width = min(room.width(), canvas.length(WIDE_WIDTH))
        _draw_rows(canvas, view, QRectF(room.center().x() - width / 2, top, width, room.height()))
        return
    width = canvas.length(NARROW_WIDTH)
    _draw_rows(canvas, view, QRectF(room.left(), top, width, room.height()))
    side = room.adjusted(width + canvas.length(GAP), 0, 0, 0)
    if has_picture and view.handout is not None:
        low = panel_height(canvas, len(view.countdowns))
        above = side.adjusted(0, 0, 0, -(low + canvas.length(24)) if low else 0)
        draw_handout_picture(canvas, view.handout, above)
        side = QRectF(side.left(), side.bottom() - low, side.width(), low)
    draw_countdowns(canvas, view.countdowns, side)


def _draw_head(canvas: Canvas, view: PlayersView) -> None:
    """Write the round, the time and the light, and the title on the right."""
    page, theme = canvas.page, canvas.theme
    line = QRectF(page.left() + canvas.length(MARGIN), page.top() + canvas.length(36), 0, canvas.length(72))
    line.setRight(page.right() - canvas.length(MARGIN))
    text, muted = theme.colour("text"), theme.colour("muted")
    words = tr("ui.players-window.round", n=view.round) if view.round else tr("ui.players-window.before")
    at = line.left() + canvas.write(words, line, canvas.font(56, BOLD), text) + canvas.length(28)
    if view.round:
        time = clock_text(view.elapsed_seconds)
        at += canvas.write(time, _from(line, at), canvas.font(40), muted) + canvas.length(28)
    if view.light:
        side = canvas.length(32)
        canvas.icon(LIGHT_ICONS[view.light], QRectF(at, line.center().y() - side / 2, side, side), muted)
        light = tr(f"ui.players-window.light-{view.light}")
        at += side + canvas.length(12)
        at += canvas.write(light, _from(line, at), canvas.font(32), muted) + canvas.length(28)
    if view.title:
        canvas.write(view.title, _from(line, at), canvas.font(32, STRONG), theme.colour("accent"), RIGHT)


def _from(line: QRectF, left: float) -> QRectF:
    return QRectF(left, line.top(), max(0.0, line.right() - left), line.height())


def clock_text(seconds: int) -> str:
    """Format a time as minutes and seconds."""
    return f"{seconds // SECONDS_PER_MINUTE}:{seconds % SECONDS_PER_MINUTE:02}"


def visible_rows(count: int, actor: int | None, room: int) -> range:
    """Return the indexes of the visible rows if there isn't enough room for all.

    The actor's row is always visible, as the second one if possible.
    """
    if count <= room:
        return range(count)
    first = min(max(0, (actor or 0) - 1), count - room)
    return range(first, first + room)


def _draw_rows(canvas: Canvas, view: PlayersView, room: QRectF) -> None:
    count, taller = len(view.order), canvas.length(ACTIVE_ROW - ROW)
    height = canvas.length(ROW)
    if count * height + taller > room.height():
        height = max(canvas.length(LEAST_ROW), (room.height() - taller) / max(1, count))
    fitting = max(1, int((room.height() - taller) / height + 0.01))
    visible = visible_rows(count, view.actor, fitting)
    top = room.top()
    for place in visible:
        is_active = place == view.actor
        box = QRectF(room.left(), top, room.width(), height + (taller if is_active else 0))
        _draw_row(canvas, view, place, box, is_active=is_active)
        top = box.bottom()
    if (remaining := count - visible.stop) > 0:
        room_below = QRectF(room.left(), top, room.width(), canvas.length(32))
        words = tr("ui.players-window.more", n=remaining)
        canvas.write(words, room_below, canvas.font(24), canvas.theme.colour("muted"), CENTRE)


def _draw_row(canvas: Canvas, view: PlayersView, place: int, box: QRectF, *, is_active: bool) -> None:
    row, theme = view.order[place], canvas.theme
    inner = box.adjusted(canvas.length(22), 0, -canvas.length(20), 0)
    if is_active:
        canvas.fill(box, theme.colour("accent_soft"))
        canvas.fill(QRectF(box.left(), box.top(), canvas.length(5), box.height()), theme.colour("accent"))
    side = canvas.length(26)
    icon = "play" if is_active else SIDE_ICONS[row.side]
    tone = "accent" if is_active else SIDE_TONES[row.side]
    canvas.icon(icon, QRectF(inner.left(), inner.center().y() - side / 2, side, side), theme.colour(tone))
    right = _draw_health(canvas, row, inner)
    if is_active and view.turn_seconds is not None:
        tone = "harm" if view.turn_seconds <= 0 else "text"
        words = clock_text(max(0, view.turn_seconds))
        slot = QRectF(inner.left(), inner.top(), right - inner.left(), inner.height())
        right -= canvas.write(words, slot, canvas.font(32, STRONG), theme.colour(tone), RIGHT) + canvas.length(20)
    at = inner.left() + side + canvas.length(18 if is_active else 16)
    name = row_name(row)
    ink = theme.colour("muted" if row.health == "down" else "text")
    font = canvas.font(44, BOLD) if is_active else canvas.font(32)
    at += canvas.write(name, QRectF(at, box.top(), right - at, box.height()), font, ink) + canvas.length(18)
    notes = [(tr("ui.players-window.next"), "accent")] if place == view.next else []
    gap, plain = canvas.length(16), canvas.font(24)
    next_width = sum(canvas.width(words, canvas.font(24, STRONG)) + gap for words, _ in notes)
    notes += [(words, "warn") for words in fitting_conditions(row.conditions, right - at - next_width, gap, canvas)]
    for words, tone in notes:
        slot = QRectF(at, box.top(), max(0.0, right - at), box.height())
        weight = STRONG if tone == "accent" else plain.weight()
        at += canvas.write(words, slot, canvas.font(24, weight), theme.colour(tone), LEFT) + gap


def fitting_conditions(conditions: tuple[str, ...], room: float, gap: float, canvas: Canvas) -> list[str]:
    """Return the conditions that fit, and `+n` for the rest."""
    font = canvas.font(24)
    for count in range(len(conditions), -1, -1):
        texts = [*conditions[:count], *([f"+{len(conditions) - count}"] if count < len(conditions) else [])]
        if sum(canvas.width(words, font) + gap for words in texts) <= room:
            return texts
    return []


def row_name(row: CombatantRow) -> str:
    """Return the name in a row, with a number if several creatures share it."""
    if not row.name:
        return tr("ui.players-window.unknown", n=row.number)
    return f"{row.name} {row.number}" if row.number else row.name


def _draw_health(canvas: Canvas, row: CombatantRow, inner: QRectF) -> float:
    """Write a combatant's health on the right of its row. Return the left edge of the text."""
    if row.hit_points is not None:
        points, tone = row.hit_points, _tone_of(row)
        words, icon = tr("ui.players-window.points", now=points.now, most=points.most), "heart"
    elif row.health:
        words, icon, tone = tr(f"ui.players-window.{row.health}"), HEALTH_ICONS[row.health], HEALTH_TONES[row.health]
    else:
        return inner.right()
    ink: QColor = canvas.theme.colour(tone)
    width = canvas.write(words, inner, canvas.font(26, STRONG), ink, RIGHT)
    side = canvas.length(26)
    left = inner.right() - width - canvas.length(14) - side
    canvas.icon(icon, QRectF(left, inner.center().y() - side / 2, side, side), ink)
    return left - canvas.length(16)


def _tone_of(row: CombatantRow) -> str:
    assert row.hit_points is not None
    now, most = row.hit_points.now, row.hit_points.most
    if now <= 0:
        return "muted"
    return "harm" if now * 2 <= most else "warn" if now < most else "heal"
