"""Scale of type and space for the window: roles instead of sizes, so that scaling reaches everything."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from PySide6.QtCore import QObject
from PySide6.QtGui import QFont, QFontInfo
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

from turnwright.ui.app_singletons import app_singleton

# As multiples of the system's font; at the table, pixels at 100 %, to be read at arm's length.
ROLES = MappingProxyType({"caption": 0.85, "body": 1.0, "strong": 1.2, "entry": 1.3, "number": 1.6, "banner": 2.0})
TABLE_SIZES = MappingProxyType({"caption": 14, "body": 16, "strong": 18, "entry": 20, "number": 24, "banner": 32})
WEIGHTS = MappingProxyType(
    {"strong": QFont.Weight.DemiBold, "number": QFont.Weight.DemiBold, "banner": QFont.Weight.Bold}
)
PLAIN = (QLineEdit, QAbstractSpinBox, QComboBox, QMenuBar, QMenu, QCheckBox, QTabBar, QPlainTextEdit)
SPACE = 4
GAP = 8
GROUP_GAP = 16


class BaseFont(QObject):
    """The system's font before any scaling; a child of the application."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.font = QFont(app.font())
        self.scale = 1.0
        self.is_at_table = False
        self.made: dict[tuple[str, float, bool], QFont] = {}


def base_font() -> BaseFont:
    """Return the application's base font and scale."""
    return app_singleton(BaseFont, BaseFont, "a font is asked for")


def role_font(role: str) -> QFont:
    """Return the font of a role at the present scale, with tabular numbers where the font has them."""
    base = base_font()
    key = role, base.scale, base.is_at_table
    found = base.made.get(key)
    if found is None:
        found = QFont(base.font)
        factor = TABLE_SIZES[role] / QFontInfo(base.font).pixelSize() if base.is_at_table else ROLES[role]
        _resize(found, base.scale * factor)
        if role in WEIGHTS:
            found.setWeight(WEIGHTS[role])
        base.made[key] = tabular(found)
    return QFont(found)


def tabular(font: QFont) -> QFont:
    """Return the font with digits of equal width, where it offers them."""
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def set_role(widget: QWidget, role: str) -> None:
    """Set a widget's font to that of a role; it keeps the role when the scale changes."""
    widget.setProperty("role", role)
    widget.setFont(role_font(role))


def refresh_roles(widgets: Iterable[QWidget]) -> None:
    """Set the fonts of those widgets that have a role again."""
    for widget in widgets:
        role = widget.property("role")
        if isinstance(role, str) and role in ROLES:
            widget.setFont(role_font(role))


def refresh_plain(widgets: Iterable[QWidget], before: float) -> None:
    """Give fields, menus and tabs without a role the size of the body, where they had that of the body before.

    Once the style sheet has polished them, they do not follow the application's font.
    """
    for widget in widgets:
        if isinstance(widget, PLAIN) and widget.property("role") is None and widget.font().pointSizeF() == before:
            widget.setFont(role_font("body"))


def scaled(units: float) -> int:
    """Return logical pixels for a length at 100 %, at the present scale."""
    return max(1, round(units * base_font().scale))


def _resize(font: QFont, factor: float) -> None:
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * factor)
    else:
        font.setPixelSize(max(1, round(font.pixelSize() * factor)))
