"""Font and spacing scale of the window. Widgets use font roles instead of sizes, so all of them follow the scale.

Singletons owned by the application, one per class, with a fast lookup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import TypeVar, cast

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
from shiboken6 import isValid

T = TypeVar("T", bound=QObject)
_SINGLETONS: dict[type[QObject], QObject] = {}


def app_singleton(kind: type[T], make: Callable[[QApplication], T], name: str) -> T:
    """Return the application's only object of a class, created on first use.

    The object is destroyed together with the application. Raise RuntimeError if there is no application yet; `name`
    appears in the message.
    """
    existing = _SINGLETONS.get(kind)
    if existing is not None and isValid(existing):
        return cast("T", existing)
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError(f"{name} requires a QApplication; create it first")
    singleton = app.findChild(kind) or make(app)
    _SINGLETONS[kind] = singleton
    return singleton


# Multiples of the system's font size. Sizes used at the table are pixels at 100 %, readable at arm's length.
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
    """The system's font before scaling. Owned by the application."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.font = QFont(app.font())
        self.scale = 1.0
        self.is_at_table = False
        self.made: dict[tuple[str, float, bool], QFont] = {}


def base_font() -> BaseFont:
    """Return the application's base font and scale."""
    return app_singleton(BaseFont, BaseFont, "a font")


def role_font(role: str) -> QFont:
    """Return the font of a role at the current scale, with tabular digits if the font supports them."""
    base = base_font()
    key = role, base.scale, base.is_at_table
    font = base.made.get(key)
    if font is None:
        font = QFont(base.font)
        factor = TABLE_SIZES[role] / QFontInfo(base.font).pixelSize() if base.is_at_table else ROLES[role]
        _resize(font, base.scale * factor)
        if role in WEIGHTS:
            font.setWeight(WEIGHTS[role])
        base.made[key] = tabular(font)
    return QFont(font)


def tabular(font: QFont) -> QFont:
    """Return the font with tabular digits, if it supports them."""
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def set_role(widget: QWidget, role: str) -> None:
    """Set a widget's font by role. The font follows later changes of the scale."""
    widget.setProperty("role", role)
    widget.setFont(role_font(role))


def refresh_roles(widgets: Iterable[QWidget]) -> None:
    """Update the fonts of all widgets that have a role."""
    for widget in widgets:
        role = widget.property("role")
        if isinstance(role, str) and role in ROLES:
            widget.setFont(role_font(role))


def refresh_plain(widgets: Iterable[QWidget], before: float) -> None:
    """Update the font size of fields, menus and tabs that have no role but had the previous body size (`before`).

    These widgets ignore the application's font once the style sheet has polished them.
    """
    for widget in widgets:
        if isinstance(widget, PLAIN) and widget.property("role") is None and widget.font().pointSizeF() == before:
            widget.setFont(role_font("body"))


def scaled(units: float) -> int:
    """Convert a length from logical pixels at 100 % to the current scale."""
    return max(1, round(units * base_font().scale))


def _resize(font: QFont, factor: float) -> None:
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * factor)
    else:
        font.setPixelSize(max(1, round(font.pixelSize() * factor)))
