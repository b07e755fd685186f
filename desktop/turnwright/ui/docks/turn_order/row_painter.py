"""Painting the cells of a turn order row: symbol, initiative, name above its status tag, hit points, reaction.

Lengths are pixels at 100 %. On a selected row all text has the selection's colour; icons keep their own.
"""

import msgspec
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPainterPath, QPen

from turnwright.rules.parts.damage.damage_steps import FAILURES, SUCCESSES
from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.style import GAP, SPACE, current_theme, number_text, role_font, role_metrics, scaled, tr
from turnwright.ui.models.turn_order import SWITCHES, StatusTag, TurnOrderColumn, TurnOrderRow
from turnwright.ui.widgets.layout import PART_ENDS
from turnwright.ui.widgets.paint import draw_hit_point_bar, draw_key_cap, hit_points, smoothly

ROW_HEIGHT, TALL_ROW_HEIGHT = 44, 56
LEAD_WIDTH, COUNT_WIDTH = 28, 34
FACE = 20
POINTS_WIDTH, BAR_HEIGHT, MARK = 68, 6, 16
COUNT_SHARE = 20 / 24  # of the font size in the active row
BAR = 4  # the stripe of the active row
HEAD_PADDING = 4  # as in the style sheet's header sections, so that names align with their caption
SIDE_MARKS = {"party": ("shield-outline", "accent"), "enemies": ("sword", "harm")}
OTHER_SIDE = ("account", "muted")
MIDDLE, RIGHT = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight


class RowLook(msgspec.Struct, frozen=True):
    """A row with its state in the view.

    `bare` hides the hit points, as during set-up. `letter` is the key that selects the combatant as a target.
    """

    row: TurnOrderRow
    selected: bool = False
    hovered: bool = False
    letter: str = ""
    bare: bool = False
    face: QImage | None = None


def row_height(row: TurnOrderRow) -> int:
    """Return the height of a row, which is larger for the active row and for rows with a second line."""
    return scaled(TALL_ROW_HEIGHT if row.active or row_tags(row) else ROW_HEIGHT)


def row_tags(row: TurnOrderRow) -> list[StatusTag]:
    """Return the tags of a row's second line. Tags about hit points are drawn next to the hit points instead."""
    return [tag for tag in row.tags if tag.on_row]


def paint_ground(painter: QPainter, rect: QRect, look: RowLook) -> None:
    """Fill the background of a whole row, because the style would highlight only the cell under the pointer."""
    ground = "sunken" if look.hovered else "surface"
    token = "selection" if look.selected else "accent_soft" if look.row.active else ground
    painter.fillRect(rect, current_theme().colour(token))


def paint_lead(painter: QPainter, rect: QRect, look: RowLook) -> None:
    """Paint the symbol before the initiative: target letter, check mark, drag handle, arrow, portrait or side."""
    theme = current_theme()
    if look.row.active:
        painter.fillRect(QRect(rect.left(), rect.top(), scaled(BAR), rect.height()), theme.colour("accent"))
    middle = QRectF(rect).adjusted(scaled(SPACE), 0, 0, 0).center()
    if look.letter:
        side = scaled(24)
        box = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
        draw_key_cap(painter, box, look.letter, theme.colour("text"), theme.colour("sunken"))
        return
    name, tone = SIDE_MARKS.get(look.row.side, OTHER_SIDE)
    if look.face is not None and not (look.selected or look.hovered or look.row.active):
        _paint_face(painter, middle, look.face, look.row, tone)
        return
    if look.selected:
        name, tone = "checkbox-marked", "accent"
    elif look.hovered:
        name, tone = "drag", "muted"
    elif look.row.active:
        name, tone = "play", "accent"
    side = scaled(20 if name == "checkbox-marked" else MARK)
    box = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
    draw_icon(painter, name, box, theme.colour("muted" if look.row.is_out and not look.selected else tone))


def _paint_face(painter: QPainter, middle: QPointF, face: QImage, row: TurnOrderRow, tone: str) -> None:
    """Paint a portrait, square for enemies and round for others. Combatants that are out or hidden are dimmed."""
    side = scaled(FACE)
    box = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
    outline = QPainterPath()
    if row.side == "enemies":
        outline.addRoundedRect(box, side * 0.12, side * 0.12)
    else:
        outline.addEllipse(box)
    size = (box.size() * painter.device().devicePixelRatioF()).toSize()
    small = face.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
    with smoothly(painter):
        painter.setClipPath(outline)
        painter.setOpacity(0.45 if row.is_out or row.hidden else 1.0)
        painter.drawImage(box, small)
        painter.setClipping(False)
        painter.setPen(QPen(current_theme().colour("muted" if row.is_out else tone), scaled(1.5)))
        painter.drawPath(outline)


def _paint_count(painter: QPainter, rect: QRect, look: RowLook) -> None:
    """Paint the initiative count, or a dash if it isn't set or the turn is delayed."""
    row = look.row
    font = role_font("number")
    if not row.active:
        font.setPointSizeF(font.pointSizeF() * COUNT_SHARE)
    painter.setFont(font)
    painter.setPen(_ink(look, "muted" if row.is_out or row.delaying else "text"))
    text = "–" if row.count is None or row.delaying else number_text(row.count)
    painter.drawText(rect.adjusted(0, 0, -scaled(SPACE), 0), RIGHT | MIDDLE, text)


def _paint_name(painter: QPainter, rect: QRect, look: RowLook) -> None:
    """Paint the name with its status tag below, then hit points and reaction."""
    row = look.row
    right = rect.right() if look.bare else _paint_points(painter, rect, look)
    left = rect.left() + scaled(HEAD_PADDING)
    room = QRect(left, rect.top(), max(scaled(20), right - left - scaled(GAP)), rect.height())
    metrics, caption = QFontMetrics(_name_font(look)), role_metrics("caption")
    tags = row_tags(row)
    height = metrics.height() + (caption.height() if tags else 0)
    top = room.top() + (room.height() - height) // 2
    _paint_title(painter, QRect(left, top, room.width(), metrics.height()), look)
    if tags:
        under = QRect(left, top + metrics.height(), room.width(), caption.height())
        _paint_tags(painter, under, look, tags)


def _ink(look: RowLook, token: str) -> QColor:
    return current_theme().colour("selection_text" if look.selected else token)


def _name_font(look: RowLook, role: str = "") -> QFont:
    font = role_font(role or ("strong" if look.row.active else "body"))
    if look.row.active:
        font.setWeight(role_font("strong").weight())
    font.setItalic(look.row.hidden)
    font.setStrikeOut(look.row.is_out)
    return font


def _fitting_font(look: RowLook, room: int) -> QFont:
    """Return the font of the name, reduced if the name would be too wide."""
    font = _name_font(look)
    for role in ("body", "caption"):
        if QFontMetrics(font).horizontalAdvance(look.row.label) <= room:
            break
        font = _name_font(look, role)
    return font


def _paint_title(painter: QPainter, rect: QRect, look: RowLook) -> None:
    """Paint the name, followed by `next` and the symbol of a note. If space is short, `next` is left out first."""
    row, theme = look.row, current_theme()
    strong = role_font("caption")
    strong.setWeight(QFont.Weight.DemiBold)
    word = tr("ui.turn-order.next") if row.next_up else ""
    extra = QFontMetrics(strong).horizontalAdvance(word) + scaled(GAP) if word else 0
    extra += scaled(14 + SPACE) if row.note else 0
    font = _fitting_font(look, rect.width() - scaled(14 + SPACE) * bool(row.note))
    metrics = QFontMetrics(font)
    if word and metrics.horizontalAdvance(row.label) + extra > rect.width():
        extra -= QFontMetrics(strong).horizontalAdvance(word) + scaled(GAP)  # the name takes precedence
        word = ""
    label = metrics.elidedText(row.label, Qt.TextElideMode.ElideRight, max(scaled(20), rect.width() - extra))
    painter.setFont(font)
    painter.setPen(_ink(look, "muted" if row.is_out or row.hidden or row.delaying else "text"))
    painter.drawText(rect, MIDDLE, label)
    left = rect.left() + metrics.horizontalAdvance(label) + scaled(GAP)
    if word:
        painter.setFont(strong)
        painter.setPen(_ink(look, "accent"))
        painter.drawText(QRect(left, rect.top(), rect.right() - left + 1, rect.height()), MIDDLE, word)
        left += QFontMetrics(strong).horizontalAdvance(word) + scaled(SPACE)
    if row.note:
        side = scaled(14)
        box = QRectF(left, rect.center().y() - side / 2 + 0.5, side, side)
        draw_icon(painter, "note-text-outline", box, theme.colour("muted"))


def _paint_tags(painter: QPainter, rect: QRect, look: RowLook, tags: list[StatusTag]) -> None:
    """Paint the first tag as text, and the number of the others."""
    painter.setFont(role_font("caption"))
    metrics = painter.fontMetrics()
    first, rest = tags[0], f"+{len(tags) - 1}" if len(tags) > 1 else ""
    side = scaled(14)
    box = QRectF(rect.left(), rect.center().y() - side / 2 + 0.5, side, side)
    draw_icon(painter, first.icon, box, current_theme().colour(first.tone))
    left = rect.left() + side + scaled(SPACE)
    beside = metrics.horizontalAdvance(rest) + scaled(GAP) if rest else 0
    room = rect.right() - left
    if beside and room - beside < metrics.horizontalAdvance(first.text) <= room:
        beside, rest = 0, ""  # show the whole text rather than the number of other tags
    room -= beside
    text = first.text if metrics.horizontalAdvance(first.text) <= room else PART_ENDS.split(first.text)[0]
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
    painter.setPen(_ink(look, first.tone))
    painter.drawText(QRect(left, rect.top(), room + 1, rect.height()), MIDDLE, shown)
    if rest:
        left += metrics.horizontalAdvance(shown) + scaled(GAP)
        painter.setPen(_ink(look, "muted"))
        painter.drawText(QRect(left, rect.top(), rect.right() - left + 1, rect.height()), MIDDLE, rest)


def points_rect(rect: QRect) -> QRect:
    """Return the rectangle of the hit points in the name's cell."""
    width = scaled(POINTS_WIDTH)
    return QRect(rect.right() - scaled(GAP + MARK + SPACE) - width, rect.top(), width, rect.height())


def _paint_points(painter: QPainter, rect: QRect, look: RowLook) -> int:
    """Paint the hit points above their bar, and the reaction's symbol to the right. Return the left edge of both."""
    row, theme = look.row, current_theme()
    box = points_rect(rect)
    if row.has_reaction and row.state not in ("down", "dead"):
        mark = QRectF(box.right() + scaled(GAP), rect.center().y() - scaled(MARK) / 2, scaled(MARK), scaled(MARK))
        name = "lightning-bolt" if row.can_react else "lightning-bolt-outline"
        draw_icon(painter, name, mark, theme.colour("accent" if row.can_react else "muted"))
    if row.hp_max <= 0 and row.state != "dead":
        return box.left()
    font = role_font("caption")
    if row.active:
        font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    metrics = painter.fontMetrics()
    middle = rect.center().y()
    lift = 0 if row.is_out else scaled(3) - metrics.height() // 2  # moves the text up, above the bar
    line = QRect(box.left(), middle - metrics.height() // 2 + lift, box.width(), metrics.height())
    icon, text = _points_text(row)
    icon_side = scaled(14) if icon else 0
    width = metrics.horizontalAdvance(text) + (icon_side + scaled(SPACE) if icon else 0)
    left = min(box.left(), box.right() - width)
    painter.setPen(_ink(look, "muted" if row.is_out else "harm" if row.state == "down" else "text"))
    painter.drawText(line.adjusted(left - box.left(), 0, 0, 0), RIGHT | MIDDLE, text)
    if icon:
        icon_box = QRectF(box.right() - width, line.center().y() - icon_side / 2 + 0.5, icon_side, icon_side)
        draw_icon(painter, icon, icon_box, theme.colour("muted" if row.is_out else "harm"))
    if row.death_saves is not None:
        _paint_death_saves(painter, rect, row)
    elif not row.is_out:
        state = row.state if row.state in ("bloodied", "down") else ""
        points = hit_points(row.hp, row.hp_max, row.temp_hp, state)
        bar = QRectF(box.left(), middle + scaled(SPACE), box.width(), scaled(BAR_HEIGHT))
        draw_hit_point_bar(painter, bar, points, theme)
    return left


def _points_text(row: TurnOrderRow) -> tuple[str, str]:
    """Return the icon and the text of the hit points: numbers, or the word for a state without hit points."""
    if row.state in ("down", "dead"):
        return "skull", tr(f"ui.turn-order.{row.state}")
    cap = f" +{row.temp_hp}" if row.temp_hp else ""
    remaining = f"{number_text(row.hp)}/{row.hp_max}"
    damage = tr("ui.hp.taken", n=max(0, row.hp_max - row.hp))
    return "heart-broken" if row.state == "bloodied" else "", f"{damage if row.counts_damage else remaining}{cap}"


def death_save_boxes(rect: QRect, row: TurnOrderRow) -> list[tuple[str, QRectF, int, bool]]:
    """Return the boxes of the death saves in a row's cell: track, rectangle, number, and whether it is ticked."""
    if (death := row.death_saves) is None:
        return []
    successes, failures = (death.successes, death.successes_needed), (death.failures, death.failures_allowed)
    size, step, gap = scaled(8), scaled(10), scaled(5)
    count = death.successes_needed + death.failures_allowed
    left = points_rect(rect).right() - step * count - gap
    top = rect.center().y() + scaled(5)
    boxes = []
    for track, (value, maximum) in ((SUCCESSES, successes), (FAILURES, failures)):
        for number in range(1, maximum + 1):
            boxes.append((track, QRectF(left, top, size, size), number, number <= value))
            left += step
        left += gap
    return boxes


def _paint_death_saves(painter: QPainter, rect: QRect, row: TurnOrderRow) -> None:
    """Paint the death saves: circles for successes, squares for failures, filled when ticked."""
    theme = current_theme()
    for track, box, _number, ticked in death_save_boxes(rect, row):
        colour = theme.colour("heal" if track == SUCCESSES else "harm")
        painter.setPen(QPen(colour, 1.2))
        painter.setBrush(colour if ticked else Qt.BrushStyle.NoBrush)
        if track == SUCCESSES:
            painter.drawEllipse(box)
        else:
            painter.drawRect(box)


CELLS = {TurnOrderColumn.LEAD: paint_lead, TurnOrderColumn.COUNT: _paint_count, TurnOrderColumn.WHO: _paint_name}


def paint_cell(painter: QPainter, rect: QRect, look: RowLook, column: TurnOrderColumn) -> None:
    """Paint one cell of a row over its background."""
    if column in CELLS:
        CELLS[column](painter, rect, look)
    elif not look.row.bystander:
        _paint_tick(painter, rect, ticked=SWITCHES[column].is_on(look.row))


def _paint_tick(painter: QPainter, rect: QRect, *, ticked: bool) -> None:
    size, theme = scaled(16), current_theme()
    box = QRectF(rect.center().x() - size / 2 + 0.5, rect.center().y() - size / 2 + 0.5, size, size)
    painter.setPen(QPen(theme.colour("accent" if ticked else "edge"), 1))
    painter.setBrush(theme.colour("accent" if ticked else "raised"))
    painter.drawRoundedRect(box, scaled(4), scaled(4))
    if ticked:
        draw_icon(painter, "check-bold", box.adjusted(2, 2, -2, -2), theme.colour("accent_text"))
