"""The style of the window: themes, fonts, distances, and the texts of the catalogue.

Colour tokens are read from a file, and converted to a palette and a style sheet for the Fusion style. The application
owns one `ThemeSource`. Widgets read their colours from it when they paint, and repaint when it changes. The
application's style sheet is the same in both arrangements, because changing it takes half a second. Docks used at the
table have taller controls. Widgets use font roles instead of sizes, so all of them follow the scale. Tooltips are never
parsed as markup, since they contain names from files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from string import Template
from typing import TYPE_CHECKING, Literal, TypeVar, cast

import msgspec
import rtoml
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetrics, QPalette
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

from turnwright.storage.resources import read_text, resource_path
from turnwright.ui.look.window_data import window_data
from turnwright.workspace.settings import cache_folder

if TYPE_CHECKING:
    from turnwright.storage.word_catalogue import WordCatalogue


T = TypeVar("T", bound=QObject)
_SINGLETONS: dict[type[QObject], QObject] = {}


def app_singleton(kind: type[T], make: Callable[[QApplication], T], name: str) -> T:
    """Return the application's only object of a class, created on first use.

    The object is destroyed together with the application. Raise RuntimeError if there is no application yet; `name`
    appears in the message.
    """
    if (existing := _SINGLETONS.get(kind)) is not None and isValid(existing):
        return cast("T", existing)
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError(f"{name} requires a QApplication; create it first")
    singleton = app.findChild(kind) or make(app)
    _SINGLETONS[kind] = singleton
    return singleton


# Multiples of the system's font size. Sizes used at the table are pixels at 100 %, readable at arm's length.
ROLES = {"caption": 0.85, "body": 1.0, "strong": 1.2, "entry": 1.3, "number": 1.6, "banner": 2.0}
TABLE_SIZES = {"caption": 14, "body": 16, "strong": 18, "entry": 20, "number": 24, "banner": 32}
WEIGHTS = {"strong": QFont.Weight.DemiBold, "number": QFont.Weight.DemiBold, "banner": QFont.Weight.Bold}
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
        self.made: dict[tuple[str, float, bool], tuple[QFont, QFontMetrics]] = {}


def base_font() -> BaseFont:
    """Return the application's base font and scale."""
    return app_singleton(BaseFont, BaseFont, "a font")


def role_font(role: str) -> QFont:
    """Return the font of a role at the current scale, with tabular digits if the font supports them."""
    return QFont(_made(role)[0])


def role_metrics(role: str) -> QFontMetrics:
    """Return the metrics of the font of a role."""
    return _made(role)[1]


def _made(role: str) -> tuple[QFont, QFontMetrics]:
    base = base_font()
    key = role, base.scale, base.is_at_table
    if key not in base.made:
        font = QFont(base.font)
        factor = TABLE_SIZES[role] / QFontInfo(base.font).pixelSize() if base.is_at_table else ROLES[role]
        _resize(font, base.scale * factor)
        if role in WEIGHTS:
            font.setWeight(WEIGHTS[role])
        base.made[key] = tabular(font), QFontMetrics(font)
    return base.made[key]


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
        if isinstance(role := widget.property("role"), str) and role in ROLES:
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


LENGTHS = {"r": 6, "arrow": 10, "control": 20, "table": 30, "row": 28, "low": 18}


def style_sheet(tokens: Mapping[str, str], scale: float, *, dark: bool) -> str:
    """Return the application's style sheet for a theme and a scale. Lengths are multiples of 4 logical pixels."""
    steps = {f"s{n}": str(max(1, round(4 * n * scale))) for n in (1, 2, 3, 5, 6)}
    thinner = {f"s{n}m": str(max(0, round(4 * n * scale) - 1)) for n in (1, 2, 3)}
    sizes = {name: str(round(length * scale)) for name, length in LENGTHS.items()}
    box = round(14 * scale)
    sizes |= {"box": str(box), "dot": str(box - 8), "half": str((box + 2) // 2)}
    files = {"icons": resource_path("themes").as_posix(), "mode": "dark" if dark else "light"}
    return Template(read_text("themes/window.qss")).substitute(tokens, **steps, **thinner, **sizes, **files)


def table_style_sheet(scale: float) -> str:
    """Return the style sheet of docks used at the table. Controls that are pressed in a hurry are taller."""
    heights = {"table": 30, "quiet": 24, "act": 38, "low": 18, "entry": 46}
    lengths = {name: str(round(height * scale)) for name, height in heights.items()}
    return Template(read_text("themes/table.qss")).substitute(lengths)


ThemeChoice = Literal["system", "light", "dark"]
STYLED = "fusion"  # property of the application


class Theme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A theme: its name, whether it is dark, and the colours of its tokens as `#RRGGBB`."""

    name: str
    dark: bool
    colours: Mapping[str, str]

    def hex(self, token: str) -> str:
        """Return a token's colour as `#RRGGBB`. Raise KeyError if there is no such token."""
        return self.colours[token]

    def colour(self, token: str, alpha: int = 255) -> QColor:
        """Return a token's colour with an alpha of up to 255. Raise KeyError if there is no such token."""
        colour = QColor(self.hex(token))
        colour.setAlpha(alpha)
        return colour


def load_theme(name: str) -> Theme:
    """Read a shipped theme, `light` or `dark`. Raise FileNotFoundError if it doesn't exist."""
    return msgspec.convert(rtoml.loads(read_text(f"themes/{name}.toml")), Theme)


def palette_of(theme: Theme) -> QPalette:
    """Return the palette that applies the theme's colours to plain Fusion controls."""
    palette = QPalette()
    for name, token in window_data("palette", dict[str, str]).items():
        palette.setColor(QPalette.ColorRole[name], theme.colour(token))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, theme.colour("edge"))
    return palette


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Apply style, palette and style sheet to the application."""
    if not app.property(STYLED):  # a style sheet hides the style's name
        if app.style().objectName() != "fusion":
            app.setStyle("Fusion")
        app.setProperty(STYLED, True)
    app.setPalette(palette_of(theme))
    app.setStyleSheet(style_sheet(theme.colours, base_font().scale, dark=theme.dark))


class ThemeSource(QObject):
    """The current theme, scale and motion setting, owned by the application."""

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._themes: dict[str, Theme] = {}
        self.choice: ThemeChoice = "system"  # the chosen theme, or `system` to follow the operating system
        self.chosen_scale, self._least_scale = 1.0, 1.0
        self.reduced_motion = False
        # The palette, not the colour scheme: creating Qt's enumerations takes a tenth of the start-up time.
        self._system_is_dark = app.palette().window().color().lightness() < 128
        self.theme = self._wanted()
        base_font()
        apply_theme(app, self.theme)
        app.styleHints().colorSchemeChanged.connect(self._follow)

    def choose(self, choice: ThemeChoice) -> None:
        """Select a theme, or follow the operating system."""
        self.choice = choice
        self._dress()

    def set_scale(self, scale: float) -> None:
        """Set the scale of the window, clamped to the range from 1.0 to 2.0."""
        self.chosen_scale = min(2.0, max(1.0, scale))
        self._resize(at_table=base_font().is_at_table)

    def set_at_table(self, at_table: bool, least_scale: float = 1.0) -> None:
        """Use the font sizes for running an encounter, scaled by at least `least_scale`, or those for preparing it."""
        self._least_scale = least_scale
        self._resize(at_table=at_table)

    def _resize(self, *, at_table: bool) -> None:
        base, scale = base_font(), max(self.chosen_scale, self._least_scale)
        if (scale, at_table) == (base.scale, base.is_at_table):
            return
        before = role_font("body").pointSizeF()
        has_other_lengths = scale != base.scale
        base.scale, base.is_at_table = scale, at_table
        self._app.setFont(role_font("body"))
        if has_other_lengths:  # otherwise skipped: a new style sheet takes half a second
            apply_theme(self._app, self.theme)
        widgets = self._app.allWidgets()
        refresh_roles(widgets)
        refresh_plain(widgets, before)
        self.changed.emit()

    def set_reduced_motion(self, reduced: bool) -> None:
        """Turn animations off or on."""
        self.reduced_motion = reduced
        self.changed.emit()

    def _follow(self, scheme: Qt.ColorScheme) -> None:
        self._system_is_dark = scheme.name == "Dark"
        if self.choice == "system":
            self._dress()

    def _dress(self) -> None:
        theme = self._wanted()
        if theme == self.theme:
            return
        self.theme = theme
        apply_theme(self._app, theme)
        self.changed.emit()

    def _wanted(self) -> Theme:
        name = self.choice
        if name == "system":
            name = "dark" if self._system_is_dark else "light"
        if name not in self._themes:
            self._themes[name] = load_theme(name)
        return self._themes[name]


def theme_source() -> ThemeSource:
    """Return the application's theme source, created and applied on first use."""
    return app_singleton(ThemeSource, ThemeSource, "the theme")


def current_theme() -> Theme:
    """Return the current theme."""
    return theme_source().theme


def escaped_tooltip(text: str) -> str:
    """Return a tooltip text, escaped if Qt would parse it as markup."""
    if "<" not in text:
        return text
    from html import escape  # imported here: it loads a table of 2000 entities

    return f"<qt>{escape(text)}</qt>".replace("\n", "<br>")


def role_text(role: int, text: str) -> str:
    """Return a text for an item role of a model: escaped for tooltips, unchanged for screen readers."""
    return escaped_tooltip(text) if role == Qt.ItemDataRole.ToolTipRole else text


class _Holder(QObject):
    def __init__(self, words: WordCatalogue, parent: QObject) -> None:
        super().__init__(parent)
        self.words = words


def _with_shipped_words(app: QApplication) -> _Holder:
    from turnwright.storage.system_data import cached_texts
    from turnwright.storage.word_catalogue import WordCatalogue

    return _Holder(WordCatalogue(cached_texts("en", cache_folder())), app)


def set_words(app: QApplication, words: WordCatalogue) -> None:
    """Set the word catalogue that `tr` uses."""
    app_singleton(_Holder, lambda _: _Holder(words, app), "the word catalogue").words = words


def current_words() -> WordCatalogue:
    """Return the word catalogue that `tr` uses, by default the shipped one."""
    return app_singleton(_Holder, _with_shipped_words, "the word catalogue").words


def tr(key: str, /, **params: object) -> str:
    """Return the translation of a key, or the key itself if the catalogue doesn't contain it."""
    return current_words()(key, **params)


def number_word(number: int) -> str:
    """Return a number from two to twelve as a word, and other numbers in digits."""
    return tr(f"ui.number.{number}") if 2 <= number <= 12 else number_text(number)


def time_text(seconds: float) -> str:
    """Return a time, in seconds since 1970, in the short notation of the user's locale."""
    from PySide6.QtCore import QDateTime, QLocale  # imported here: few windows show a time

    return QLocale().toString(QDateTime.fromSecsSinceEpoch(int(seconds)), QLocale.FormatType.ShortFormat)


def number_text(number: int) -> str:
    """Return a number as text, with a typographic minus sign."""
    return str(number) if number >= 0 else f"\u2212{-number}"
