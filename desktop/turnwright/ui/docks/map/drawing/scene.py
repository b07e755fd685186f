"""The map scene: tokens as pixmaps, frames around the selected and acting tokens, and the ghost of a dragged token.

Scene coordinates are pixels at the current zoom, so that every pixmap is copied unscaled. All items belong to Qt's
built-in classes, so that painting involves no Python code. The scene keeps references to them.
"""

from itertools import product

from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsPixmapItem, QGraphicsRectItem, QGraphicsScene

from turnwright.encounter.prepared import Point
from turnwright.ui.docks.map.drawing import token_pixmaps
from turnwright.ui.docks.map.drawing.drawing import Overlay, path_item
from turnwright.ui.look.style import Theme, escaped_tooltip, scaled

ON_MAP, MARKS, GHOST = 10, 30, 45
GHOST_OPACITY = 0.6


class MapScene(QGraphicsScene):
    """Tokens and overlay of one map. `cell` is a square's side in pixels."""

    def __init__(self, theme: Theme, parent: QObject, portrait: token_pixmaps.Portraits) -> None:
        super().__init__(parent)
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.cell = 32
        self.ratio = 1.0
        self.tokens = token_pixmaps.TokenSet()
        self.atlas = token_pixmaps.TokenPixmaps(theme, portrait)
        self._theme = theme
        self.pictures: dict[str, QGraphicsPixmapItem] = {}
        self._shown: dict[str, token_pixmaps.Token] = {}
        self._selected: tuple[str, ...] = ()
        self._cursor: Point | None = None
        self.overlay = Overlay(self, theme, self.cell)
        self.lasting = Overlay(self, theme, self.cell)
        self.frame = Overlay(self, theme, self.cell)  # of the part that players see
        self._active = path_item(self, MARKS)
        self._frame = path_item(self, MARKS + 1)
        self._cursor_item = QGraphicsRectItem()
        self._cursor_item.setZValue(MARKS + 2)
        self.addItem(self._cursor_item)
        self._ghost = QGraphicsPixmapItem()
        self._ghost.setZValue(GHOST)
        self._ghost.setOpacity(GHOST_OPACITY)
        self.addItem(self._ghost)
        self._dress()

    # Content ---------------------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        """Set the theme, also after a change of the font scale."""
        self._theme = self.overlay.theme = self.lasting.theme = self.frame.theme = theme
        self.atlas.set_theme(theme)
        self._dress()
        self._redraw()

    def show_portrait(self, file: str) -> None:
        """Redraw the tokens whose portrait has just been loaded."""
        self.atlas.forget_portrait(file)
        for token in self.tokens.placed():
            if token.look.portrait == file:
                self._place(token)

    def zoom(self, cell: int, ratio: float) -> None:
        """Set the side of a square in pixels and the pixel ratio. The overlay has to be redrawn."""
        if (cell, ratio) != (self.cell, self.ratio):
            self.cell = self.overlay.cell = self.lasting.cell = self.frame.cell = cell
            self.ratio = ratio
            self.overlay.clear()
            self.lasting.clear()
            self.frame.clear()
            self.hide_ghost()
            self._redraw()

    def set_tokens(self, tokens: token_pixmaps.TokenSet) -> None:
        """Show tokens. Only tokens that have changed are updated."""
        self.tokens = tokens
        placed = {token.id: token for token in tokens.placed()}
        for id in [id for id in self.pictures if id not in placed]:
            self.removeItem(self.pictures.pop(id))
            self._shown.pop(id, None)
        for token in placed.values():
            if self._shown.get(token.id) != token:
                self._place(token)
        self._mark_active()
        self._mark_selected()

    def token_rect(self, token: token_pixmaps.Token, at: Point | None = None) -> QRectF:
        """Return the rectangle of a token on its square, or on another square."""
        column, row = at or token.square or (0, 0)
        side = token.size * min(1.0, token.scale) * self.cell
        return QRectF((column + token.offset[0]) * self.cell, (row + token.offset[1]) * self.cell, side, side)

    def token_at(self, point: QPointF) -> token_pixmaps.Token | None:
        """Return the topmost token whose space contains a point, or None."""
        hits = [token for token in self.tokens.placed() if self.token_rect(token).contains(point)]
        return max(hits, key=_depth) if hits else None

    def select(self, *ids: str) -> None:
        """Frame these tokens, and no others."""
        self._selected = ids
        self._mark_selected()

    def set_cursor(self, square: Point | None) -> None:
        """Show the keyboard cursor at a square, or hide it if `square` is None."""
        self._cursor = square
        self._cursor_item.setVisible(square is not None)
        if square is not None:
            box = QRectF(square[0] * self.cell, square[1] * self.cell, self.cell, self.cell)
            self._cursor_item.setRect(box.adjusted(1.5, 1.5, -1.5, -1.5))

    # Ghost of a dragged token ------------------------------------------------------------------------------------

    def show_ghost(self, token: token_pixmaps.Token, at: Point) -> None:
        """Show the ghost of a token at a square."""
        side = round(self.token_rect(token).width())
        self._ghost.setPixmap(self.atlas.pixmap(token.look, side, self.ratio, shows_name=False))
        box, margin = self.token_rect(token, at), token_pixmaps.margin_of(side)
        self._ghost.setPos(round(box.left()) - margin, round(box.top()) - margin)
        self._ghost.show()

    def hide_ghost(self) -> None:
        """Hide the ghost."""
        self._ghost.hide()
        self._ghost.setPixmap(QPixmap())

    # Implementation ----------------------------------------------------------------------------------------------

    def _place(self, token: token_pixmaps.Token) -> None:
        if (item := self.pictures.get(token.id)) is None:
            item = QGraphicsPixmapItem()
            item.setShapeMode(QGraphicsPixmapItem.ShapeMode.BoundingRectShape)
            self.addItem(item)
            self.pictures[token.id] = item
        box = self.token_rect(token)
        side = round(box.width())
        named = self.cell >= scaled(token_pixmaps.NAME_MIN_SIDE) and token.scale >= 1
        item.setPixmap(self.atlas.pixmap(token.look, side, self.ratio, shows_name=named))
        item.setToolTip(escaped_tooltip(token.label))
        margin = token_pixmaps.margin_of(side)
        item.setPos(round(box.left()) - margin, round(box.top()) - margin)
        item.setZValue(ON_MAP + _depth(token))
        self._shown[token.id] = token

    def _redraw(self) -> None:
        self._shown.clear()
        self.set_tokens(self.tokens)
        self.set_cursor(self._cursor)

    def _mark_active(self) -> None:
        path = QPainterPath()
        for token in self.tokens.placed():
            if token.active:
                path.addPath(token_pixmaps.outline_of(token.look.shape, self.token_rect(token).adjusted(-2, -2, 2, 2)))
        self._active.setPath(path)

    def _mark_selected(self) -> None:
        path = QPainterPath()
        for token in self.tokens.placed():
            if token.id in self._selected:
                _corners(path, self.token_rect(token).adjusted(-1, -1, 1, 1))
        self._frame.setPath(path)

    def _dress(self) -> None:
        self._active.setPen(QPen(self._theme.colour("focus"), scaled(3)))
        self._frame.setPen(QPen(self._theme.colour("text"), scaled(2)))
        self._cursor_item.setPen(QPen(self._theme.colour("focus"), scaled(2), Qt.PenStyle.DotLine))
        self._cursor_item.setVisible(self._cursor is not None)


def _depth(token: token_pixmaps.Token) -> float:
    """Return a token's z value: small tokens are above large ones, riders above mounts, high tokens above low ones."""
    return (6 if token.rides else 0) + 5 / (token.size + 1) + min(2.0, max(-2.0, token.elevation / 100))


def _corners(path: QPainterPath, box: QRectF) -> None:
    length = box.width() / 4
    corners = (box.topLeft(), box.topRight(), box.bottomLeft(), box.bottomRight())
    for corner, (down, across) in zip(corners, product((1, -1), repeat=2), strict=True):
        path.moveTo(corner + QPointF(across * length, 0))
        path.lineTo(corner)
        path.lineTo(corner + QPointF(0, down * length))
