"""Painting the rows of a list: 28 pixels high, a name, muted details, and underlined headings."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from turnwright.ui.look.fonts import GAP, SPACE, role_font, scaled
from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.theme import current_theme
from turnwright.ui.models.row_list_model import DETAIL_ROLE, HEADING, ICON_ROLE, KEY_ROLE, QUIET_ROLE, TONE_ROLE, Index
from turnwright.ui.models.world import DICE_ROLE
from turnwright.ui.widgets.paint import draw_dice

ROW_HEIGHT = 28
LEAST_DETAIL = 72
ONE_LINE = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value


class RowDelegate(QStyledItemDelegate):
    """Paints rows from the roles of their model. `detail_right` aligns the details to the right edge of the row."""

    def __init__(self, parent: QObject | None = None, *, detail_right: bool = False, indent: int = 0) -> None:
        super().__init__(parent)
        self._detail_right = detail_right
        self._indent = indent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        text = index.data(Qt.ItemDataRole.DisplayRole) or ""
        width = QFontMetrics(role_font("body")).horizontalAdvance(text) + scaled(GAP * 2)
        return QSize(width, scaled(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        if is_heading(index):
            self.draw_heading(painter, option.rect, index)
        else:
            draw_background(painter, option, index)
            self.draw_row(painter, option, index)
        painter.restore()

    def draw_heading(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """Paint a heading: bold text, then muted details, and a line below."""
        theme = current_theme()
        painter.setPen(QPen(theme.colour("line"), 1))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        room = rect.adjusted(scaled(SPACE), 0, -scaled(SPACE), 0)
        width = draw_text(painter, room, index.data(), "strong", "text")
        room.setLeft(room.left() + width + scaled(GAP))
        align = Qt.AlignmentFlag.AlignRight if self._detail_right else Qt.AlignmentFlag.AlignLeft
        room.setRight(room.right() - scaled(SPACE))
        draw_text(painter, room, index.data(DETAIL_ROLE) or "", "caption", "muted", align=align)

    def draw_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint an ordinary row: check mark, icon, name, dice, details."""
        selected = QStyle.StateFlag.State_Selected in option.state
        tone = index.data(TONE_ROLE) or ""
        quiet = "muted" if not selected else "selection_text"
        token = quiet if index.data(QUIET_ROLE) else "selection_text" if selected else tone or "text"
        room = option.rect.adjusted(scaled(GAP + self._indent), 0, -scaled(GAP), 0)
        check = index.data(Qt.ItemDataRole.CheckStateRole)
        if check is not None:
            _draw_check(painter, check_rect(option.rect), on=Qt.CheckState(check) == Qt.CheckState.Checked)
            room.setLeft(check_rect(option.rect).right() + scaled(GAP))
        name = index.data(ICON_ROLE)
        if name:
            side = scaled(16)
            area = QRect(room.left(), room.center().y() - side // 2, side, side)
            draw_icon(painter, name, area, current_theme().colour(token if tone else quiet))
            room.setLeft(area.right() + scaled(GAP))
        detail = index.data(DETAIL_ROLE) or ""
        if detail and self._detail_right:
            width = min(QFontMetrics(role_font("body")).horizontalAdvance(detail), room.width() * 6 // 10)
            end = QRect(room.right() - width, room.top(), width + 1, room.height())
            draw_text(painter, end, detail, "body", quiet, align=Qt.AlignmentFlag.AlignRight)
            room.setRight(end.left() - scaled(GAP))
            detail = ""
        used = draw_text(painter, room, index.data() or "", "body", token, align=_alignment(index))
        room.setLeft(room.left() + used + scaled(GAP))
        room.setLeft(room.left() + _draw_pool(painter, room, index))
        if _has_room(detail, room.width()):
            draw_text(painter, room, detail, "body", quiet)

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        """Toggle the check mark when the user presses Space or clicks it."""
        if index.data(Qt.ItemDataRole.CheckStateRole) is None:
            return super().editorEvent(event, model, option, index)
        if isinstance(event, QMouseEvent):
            if event.type() == QEvent.Type.MouseButtonPress:
                return False
            if not self.check_area(option.rect, index).contains(event.position().toPoint()):
                return False
            return event.type() == QEvent.Type.MouseButtonDblClick or toggle_checked(model, index)
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space:
            return toggle_checked(model, index)
        return False

    def check_area(self, rect: QRect, index: Index) -> QRect:
        """Return the area in which a click toggles the check mark."""
        return check_rect(rect).adjusted(-scaled(SPACE), -scaled(SPACE), scaled(SPACE), scaled(SPACE))


def toggle_checked(model: QAbstractItemModel, index: Index) -> bool:
    """Toggle a row's check mark. Return whether the model accepted it."""
    checked = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked
    state = Qt.CheckState.Unchecked if checked else Qt.CheckState.Checked
    return model.setData(index, state, Qt.ItemDataRole.CheckStateRole)


def is_heading(index: Index) -> bool:
    """Whether a row is a heading."""
    key = index.data(KEY_ROLE)
    return isinstance(key, tuple) and key[0] == HEADING


def draw_background(painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
    """Fill the background of a row that is selected or under the pointer, and frame the cell with the focus."""
    theme, state = current_theme(), option.state
    if QStyle.StateFlag.State_Selected in state:
        painter.fillRect(option.rect, theme.colour("selection"))
    elif QStyle.StateFlag.State_MouseOver in state:
        painter.fillRect(option.rect, theme.colour("sunken"))
    if QStyle.StateFlag.State_HasFocus in state:
        draw_focus(painter, option.rect)


def draw_focus(painter: QPainter, rect: QRect) -> None:
    """Draw the frame of the widget or cell with the focus."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(current_theme().colour("focus"), 2))
    painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), 4, 4)


def draw_text(
    painter: QPainter,
    rect: QRect,
    text: str,
    role: str,
    token: str,
    *,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> int:
    """Draw one line of text, shortened to fit the rectangle. Return the width used."""
    if not text or rect.width() <= 0:
        return 0
    font = role_font(role)
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(text.replace("\n", " "), Qt.TextElideMode.ElideRight, rect.width())
    painter.setFont(font)
    painter.setPen(current_theme().colour(token))
    painter.drawText(rect, align.value | ONE_LINE, shown)
    return metrics.horizontalAdvance(shown)


def check_rect(rect: QRect) -> QRect:
    """Return the rectangle of a row's check mark."""
    side = scaled(16)
    return QRect(rect.left() + scaled(GAP), rect.center().y() - side // 2, side, side)


def _draw_check(painter: QPainter, rect: QRect, *, on: bool) -> None:
    theme = current_theme()
    draw_icon(
        painter, "checkbox-marked" if on else "checkbox-blank-outline", rect, theme.colour("accent" if on else "edge")
    )


def _draw_pool(painter: QPainter, room: QRect, index: Index) -> int:
    count = index.data(DICE_ROLE)
    if not count:
        return 0
    side = scaled(18)
    area = QRectF(room.left(), room.center().y() - side / 2 + 0.5, room.width(), side)
    faces = tuple(6 - die % 6 for die in range(count))  # the pool is unrolled: the faces vary but are not results
    return round(draw_dice(painter, area, faces, current_theme())) + scaled(GAP)


def _has_room(detail: str, width: int) -> bool:
    """Whether there is room for a readable part of a detail, which is more than two or three letters."""
    return width >= min(QFontMetrics(role_font("body")).horizontalAdvance(detail), scaled(LEAST_DETAIL))


def _alignment(index: Index) -> Qt.AlignmentFlag:
    value = index.data(Qt.ItemDataRole.TextAlignmentRole)
    right = value is not None and Qt.AlignmentFlag.AlignRight in Qt.AlignmentFlag(value)
    return Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
