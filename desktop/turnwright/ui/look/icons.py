"""Icons from the Material Design icon font in `resources/icon_font/`, drawn in a colour of the current theme.

`names.txt` there has a line for each icon: its name and its code point.
"""

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGlyphRun, QIcon, QIconEngine, QPainter, QPixmap, QRawFont
from PySide6.QtWidgets import QApplication

from turnwright.storage.icon_names import icon_codes
from turnwright.storage.resources import resource_path
from turnwright.ui.look.style import app_singleton, current_theme
from turnwright.ui.look.window_data import icon_names

FONT = "icon_font/material-design-icons.ttf"
UNKNOWN = "help-circle-outline"
TONE_ICONS = icon_names("tones")


class IconFont(QObject):
    """The icon font. Owned by the application, and loaded when the first icon is drawn.

    The font file is used only for its glyphs: adding it to the application's fonts would make Qt scan all fonts again.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._codes = icon_codes()
        self._sizes: dict[int, QRawFont] = {}

    def glyph(self, name: str, side: int) -> QGlyphRun | None:
        """Return an icon's glyph for a square of this size, relative to its top left corner.

        Return None if the font is missing.
        """
        font = self._font(side)
        character = self.character(name) or self.character(UNKNOWN)
        if not font.isValid() or character is None:
            return None
        indexes = font.glyphIndexesForString(character)
        over = side - font.advancesForGlyphIndexes(indexes)[0].x()
        run = QGlyphRun()
        run.setRawFont(font)
        run.setGlyphIndexes(indexes)
        run.setPositions([QPointF(over / 2, (side + font.ascent() - font.descent()) / 2)])
        return run

    def _font(self, side: int) -> QRawFont:
        font = self._sizes.get(side)
        if font is None:
            font = (
                QRawFont(next(iter(self._sizes.values()))) if self._sizes else QRawFont(str(resource_path(FONT)), side)
            )
            font.setPixelSize(side)
            self._sizes[side] = font
        return font

    def character(self, name: str) -> str | None:
        """Return the character of an icon, or None if the font doesn't contain the icon."""
        code = self._codes.get(name)
        return chr(int(code, 16)) if code is not None else None


def icon_font() -> IconFont:
    """Return the application's icon font."""
    return app_singleton(IconFont, IconFont, "an icon")


def draw_icon(painter: QPainter, name: str, rect: QRect | QRectF, colour: QColor) -> None:
    """Draw an icon in the centre of a rectangle, as large as the shorter side allows."""
    side = max(1, round(min(rect.width(), rect.height())))
    run = icon_font().glyph(name, side)
    if run is None:
        return
    centre = QRectF(rect).center()
    painter.save()
    painter.setPen(colour)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.drawGlyphRun(QPointF(centre.x() - side / 2, centre.y() - side / 2), run)
    painter.restore()


def icon(name: str, token: str = "text") -> QIcon:
    """Return an icon that is drawn on demand in the colour of a theme token."""
    return QIcon(_FontIcon(name, token))


class _FontIcon(QIconEngine):
    def __init__(self, name: str, token: str) -> None:
        super().__init__()
        self._name = name
        self._token = token

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        theme = current_theme()
        token = "edge" if mode == QIcon.Mode.Disabled else self._token
        if state == QIcon.State.On and self._token == "text" and mode != QIcon.Mode.Disabled:
            token = "accent"
        side = min(rect.width(), rect.height())  # left-aligned: keeps the gap to a button's text
        draw_icon(painter, self._name, QRect(rect.left(), rect.top(), side, rect.height()), theme.colour(token))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        drawn = _blank(size)
        if drawn.isNull():  # the rectangle has no size yet
            return drawn
        painter = QPainter(drawn)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return drawn


def _blank(size: QSize) -> QPixmap:
    drawn = QPixmap(size)
    drawn.fill(Qt.GlobalColor.transparent)
    return drawn
