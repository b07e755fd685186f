"""The full text of a rule: its statement, an example, its source, and links to related rules.

The text is created without HTML, so that nothing in a rule is interpreted as markup.
"""

import re
from collections.abc import Mapping

import msgspec
from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QBrush, QFont, QTextCursor

from turnwright.ui.look.style import Theme, current_theme, scaled, theme_source, tr
from turnwright.ui.widgets.text_writer import TextPage, TextWriter

_ID = re.compile(r"\b[a-z0-9_]+(?:\.[a-z0-9_-]*[a-z0-9])+\b")


class RuleBadge(msgspec.Struct, frozen=True):
    """A short label on a coloured background that describes a rule, with an explanation."""

    word: str
    text: str
    tone: str = "accent"


class RuleView(msgspec.Struct, frozen=True):
    """A rule as shown. `links` are pairs of rule id and title, and `related` are the ids of other related rules.

    `shipped` are pairs of name and text from the shipped data that belongs to the rule.
    """

    id: str
    title: str
    statement: str
    badges: tuple[RuleBadge, ...] = ()
    active_through: str = ""
    shipped: tuple[tuple[str, str], ...] = ()
    example: str = ""
    source: str = ""
    links: tuple[tuple[str, str], ...] = ()
    related: tuple[str, ...] = ()


def text_runs(text: str, known: Mapping[str, str]) -> list[tuple[str, str]]:
    """Split a text into pairs of text and id. The id of a known rule is replaced by the rule's title, as a link."""
    runs: list[tuple[str, str]] = []
    end = 0
    for match in _ID.finditer(text):
        if match.group() in known:
            runs += [(text[end : match.start()], ""), (known[match.group()], match.group())]
            end = match.end()
    return [piece for piece in (*runs, (text[end:], "")) if piece[0]]


class RuleText(TextPage):
    """Shows one rule. Emits `ruleLinkActivated(id)` when the user clicks a link or presses Enter on it."""

    ruleLinkActivated = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._view: RuleView | None = None
        self._targets: list[str] = []
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.anchorClicked.connect(self._follow)
        theme_source().changed.connect(self._write)
        self.set_rule(None)

    def set_rule(self, view: RuleView | None) -> None:
        """Set the rule, or None. The scroll position is kept if the rule is already shown."""
        if view == self._view and view is not None:
            return
        stays = view is not None and self._view is not None and view.id == self._view.id
        place = self.verticalScrollBar().value() if stays else 0
        self._view = view
        self._write()
        self.verticalScrollBar().setValue(place)

    def rule(self) -> RuleView | None:
        """Return the current rule."""
        return self._view

    def links(self) -> tuple[str, ...]:
        """Return the rule ids of the links, in reading order."""
        return tuple(self._targets)

    def sizeHint(self) -> QSize:
        return QSize(scaled(320), scaled(240))

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(160), scaled(72))

    def _follow(self, link: QUrl) -> None:
        place = int(link.path())
        if 0 <= place < len(self._targets):
            self.ruleLinkActivated.emit(self._targets[place])

    def _write(self) -> None:
        self._targets = []
        self.setAccessibleName(tr("ui.rules.detail") if self._view is None else self._view.title)
        writer = _Writer(self.begin(), current_theme(), self._targets)
        if self._view is None:
            writer.hint(tr("ui.rules.choose"))
        else:
            writer.write(self._view)
        self.moveCursor(QTextCursor.MoveOperation.Start)


class _Writer(TextWriter):
    """Writes a rule at a cursor and records each link."""

    def __init__(self, cursor: QTextCursor, theme: Theme, targets: list[str]) -> None:
        super().__init__(cursor, theme)
        self._targets = targets
        self._known: Mapping[str, str] = {}

    def hint(self, text: str) -> None:
        """Write a hint, which is shown if no rule is selected."""
        self._passage(0, 0, text, "body", "muted")

    def write(self, view: RuleView) -> None:
        """Write a rule."""
        self._known = dict(view.links)
        self._passage(0, 6, view.title, "strong", "text", bold=True)
        for mark in view.badges:
            self._mark(mark)
        if view.active_through:
            self._passage(0, 4, view.active_through, "caption", "accent", bold=True)
        self._paragraph(6, 8)
        self._linked(view.statement, "text")
        for name, text in view.shipped:
            self._passage(0, 8, f"{name}. ", "body", "text", bold=True)
            self._text(text, "body", "text")
        if view.example:
            self._passage(0, 2, tr("ui.rules.example"), "caption", "muted", bold=True)
            self._paragraph(0, 8)
            self._linked(view.example, "muted")
        if view.related:
            self._passage(0, 2, tr("ui.rules.also"), "caption", "muted", bold=True)
            for id in view.related:
                self._paragraph(0, 2)
                self._link(self._known[id], id, "body")
        if view.source:
            self._passage(8, 0, f"{tr('ui.rules.source')} {view.source}", "caption", "muted")
        self._passage(2, 0, view.id, "caption", "muted")

    def _mark(self, mark: RuleBadge) -> None:
        self._paragraph(0, 4)
        style = self._format("caption", mark.tone)
        style.setFontWeight(QFont.Weight.DemiBold)
        style.setBackground(QBrush(self._theme.colour(f"{mark.tone}_soft")))
        self._cursor.insertText(f"\u00a0{mark.word}\u00a0", style)
        self._text(f"  {mark.text}" if mark.text else "", "caption", "muted")

    def _linked(self, text: str, token: str) -> None:
        for words, id in text_runs(text, self._known):
            if id:
                self._link(words, id, "body")
            else:
                self._text(words, "body", token)

    def _link(self, words: str, id: str, role: str) -> None:
        style = self._format(role, "accent")
        style.setAnchor(True)
        style.setAnchorHref(f"rule:{len(self._targets)}")
        style.setFontUnderline(True)
        self._targets.append(id)
        self._cursor.insertText(words, style)
