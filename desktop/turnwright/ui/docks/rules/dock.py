"""The rules panel, which lists the ledger's rules, starting with those in play. The full text is below the list.

A search filters the list. The ledger is read when the panel is first shown. The rules in play are updated while the
panel is visible.
"""

import re
from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QSplitter, QStackedWidget, QWidget
from shiboken6 import isValid

from turnwright.play.queries.queries import active_rules, is_option_on
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.rules.system_data.numbers import ActionOption
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.shared.row_view import RowDelegate, RowView, SearchField
from turnwright.ui.look.style import GAP, SPACE, ThemeSource, scaled, tr
from turnwright.ui.models.rules import RuleActivity, RulesModel
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.workers import single_shot_timer
from turnwright.ui.widgets.layout import EmptyState, HorizontalLine, fill, horizontal, vertical
from turnwright.ui.widgets.rules.rule_text import RuleBadge, RuleText, RuleView
from turnwright.ui.widgets.text import named, tool_button

MAX_RELATED = 8
_DOCUMENT = re.compile(r"(^|\. |[ (])(00\d)(?![\d,.]\d)")


def rule_view_of(
    rule: LedgerRule,
    ledger: Mapping[str, LedgerRule],
    catalogue: SystemData,
    active: RuleActivity | None = None,
    on: bool | None = None,
) -> RuleView:
    """Return the view of a rule.

    `on` is whether the rule is on in this encounter, or None if it isn't a house rule.
    """
    marks = [RuleBadge(tr(f"ui.rules.kind-{rule.kind}"), tr(f"ui.rules.kind-{rule.kind}-text"))]
    if rule.is_external:
        marks.append(RuleBadge(tr("ui.rules.external"), tr("ui.rules.external-text"), "warn"))
    if on is not None:
        marks.append(RuleBadge(tr(f"ui.rules.variant-{'on' if on else 'off'}"), "", "heal" if on else "warn"))
    also = tuple(related_rules(rule, ledger))
    links = {id: ledger[id].title for id in (*mentioned_rules(rule, ledger), *also)}
    return RuleView(
        rule.id,
        rule.title,
        with_document_names(rule.statement),
        tuple(marks),
        tr("ui.rules.by", what=active.source) if active is not None and active.source else "",
        tuple(shipped_data(rule, catalogue)) if rule.is_external else (),
        with_document_names(rule.check),
        source_text(rule.source) + single_source_text(rule, ledger),
        tuple(links.items()),
        also,
    )


def mentioned_rules(rule: LedgerRule, ledger: Mapping[str, LedgerRule]) -> Iterable[str]:
    """Return the ids of the rules that a rule's text mentions."""
    words = f"{rule.statement} {rule.check}".replace(",", " ").replace("(", " ").replace(")", " ").split()
    return [id for word in words if (id := word.strip(".;:")) in ledger and id != rule.id]


def shipped_data(rule: LedgerRule, catalogue: SystemData) -> Iterable[tuple[str, str]]:
    """Yield the names and texts of shipped conditions and actions that implement a rule.

    They are needed for rules that the sources only mention by name.
    """
    entries: tuple[Condition | ActionOption, ...] = (*catalogue.conditions, *catalogue.actions)
    for entry in entries:
        if rule.id in entry.ledger and entry.text:
            yield entry.name, entry.text


def related_rules(rule: LedgerRule, ledger: Mapping[str, LedgerRule]) -> list[str]:
    """Return the ids of rules whose id differs only after the last dot, up to `MAX_RELATED`."""
    stem, _, _ = rule.id.rpartition(".")
    if stem.count(".") < 2:
        return []
    return [id for id in ledger if id != rule.id and id.startswith(f"{stem}.")][:MAX_RELATED]


def with_document_names(text: str) -> str:
    """Replace the document numbers in a rule's text with the names of the documents."""

    def name(match: re.Match[str]) -> str:
        title = _document(match[2])
        return f"{match[1]}{title[:1].upper() + title[1:]}" if match[1] in ("", ". ") else f"{match[1]}{title}"

    return _DOCUMENT.sub(name, text)


def source_text(sources: Iterable[str]) -> str:
    """Return the sources of a rule, grouped by section: `“Turn Order” (the full chapter, the older text)`."""
    sections: dict[str, list[str]] = {}
    for source in sources:
        document, _, section = source.partition(":")
        sections.setdefault(section.replace(" > ", ", "), []).append(_document(document))
    return "; ".join(
        tr("ui.rules.section", section=section, documents=", ".join(documents))
        for section, documents in sections.items()
    )


def single_source_text(rule: LedgerRule, ledger: Mapping[str, LedgerRule]) -> str:
    """Return a note if only one of several source texts contains the rule, or an empty string."""
    texts = {number for other in ledger.values() for number in other.documents if number.isdecimal()}
    if len(texts) < 2 or len(rule.documents) != 1:
        return ""
    return tr("ui.rules.only-there", what=_document(rule.documents[0]))


def _document(number: str) -> str:
    name = tr(f"ui.rules.source-{number}")
    return tr("ui.rules.source-other", n=number) if name.startswith("ui.rules.") else name


WIDE_FROM = 1.6
MAX_HISTORY = 50


class RulesDock(Dock):
    """The rules panel. Emits `backRequested` when the focus should return to the previous widget.

    `option_state(id)` returns whether a house rule is on in this encounter, or None if the rule isn't a house rule.
    """

    name = "rules"
    backRequested = Signal()

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self._loaded = ""
        self.current_rule = ""
        self._earlier: list[str] = []
        self._origin: QWidget | None = None
        self._read_from_list = False
        self.option_state = lambda id: is_option_on(document.encounter, document.rules, id)
        self.model = RulesModel(self)
        self._build()
        self._soon = single_shot_timer(self, self._refresh)
        document.follow(self._refresh_soon)
        self.visibilityChanged.connect(lambda visible: self._soon.start(0) if visible else None)
        theme.changed.connect(self.view.viewport().update)
        if isinstance(app := QApplication.instance(), QApplication):
            app.focusChanged.connect(self._on_focus)

    # Called by the window ----------------------------------------------------------------------------------------

    def focus_search(self) -> None:
        """Put the cursor into the search field and select its text, so that typing replaces it."""
        self._refresh()
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def show_rule(self, id: str) -> bool:
        """Show a rule in full and select it. Return False if the ledger has no such rule."""
        self._refresh()
        if explainer(self._document).ledger.rule(id) is None:
            return False
        self._read_from_list = False
        self._go_to(id)
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True

    def previous_focus(self) -> QWidget | None:
        """Return the widget that had the focus before the panel, or None if it no longer exists."""
        return self._origin if self._origin is not None and isValid(self._origin) else None

    # Building ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.view = named(RowView(), tr("ui.rules.list"))
        self.search = SearchField(tr("ui.rules.search"), self.view)
        self.search.textChanged.connect(self._find)
        self.search.returnPressed.connect(self._read)
        self.back_button = tool_button("arrow-left", f"{tr('ui.rules.back')} (Alt+←)", self.show_previous)
        self.back_button.setEnabled(False)
        self.view.setModel(self.model)
        self.view.setItemDelegate(RowDelegate(self.view))
        self.view.selectionModel().currentChanged.connect(lambda *_: self._on_current())
        self.view.rowActivated.connect(lambda _index: self._read())
        self.empty = EmptyState("book-open-variant", "")
        self.stack = fill(QStackedWidget(), self.view, self.empty)
        self.text = RuleText()
        self.text.ruleLinkActivated.connect(self._go_to)
        upper, lower = QWidget(), QWidget()
        row = fill(horizontal(spacing=SPACE), self.back_button, (self.search, 1))
        fill(vertical(upper, margins=(GAP, GAP, GAP, 0)), row, (self.stack, 1))
        fill(vertical(lower, spacing=0), HorizontalLine(), (self.text, 1))
        self.splitter = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        fill(self.splitter, upper, lower)
        for index in range(self.splitter.count()):
            self.splitter.setStretchFactor(index, 1)
        self.splitter.setSizes([scaled(300), scaled(300)])
        self.setWidget(self.splitter)
        for watched in (self.search, self.view, self.text, self.back_button):
            watched.installEventFilter(self)

    # Keys and focus -----------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = event.type() in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)
        if pressed and isinstance(event, QKeyEvent) and (act := self._means(event)) is not None:
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                act()
            return True
        return super().eventFilter(watched, event)

    def _means(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Return the action of a key: Esc goes back, Alt+Left shows the previous rule."""
        if event.key() == Qt.Key.Key_Escape:
            return self._escape
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        return self.show_previous if event.key() == Qt.Key.Key_Left and alt else None

    def _escape(self) -> None:
        if QApplication.focusWidget() is self.text and self._read_from_list:
            self._read_from_list = False
            self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self.backRequested.emit()

    def _read(self) -> None:
        """Move the focus from the list to the text of the rule."""
        if self.current_rule:
            self._read_from_list = True
            self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and before is not None and self.isAncestorOf(now) and not self.isAncestorOf(before):
            self._origin = before

    # Showing a rule ------------------------------------------------------------------------------------------------

    def show_previous(self) -> None:
        """Show the previously shown rule."""
        if self._earlier:
            earlier = self._earlier.pop()
            self._show(earlier)
            self._select(earlier)
        self.back_button.setEnabled(bool(self._earlier))

    def _go_to(self, id: str) -> None:
        if self.current_rule and self.current_rule != id:
            self._earlier = [*self._earlier[-MAX_HISTORY:], self.current_rule]
            self.back_button.setEnabled(True)
        self._show(id)
        self._select(id)

    def _select(self, id: str) -> None:
        if self.model.row_of_rule(id) < 0:
            self.search.clear()
        if (row := self.model.row_of_rule(id)) >= 0:
            self.view.go_to(row)
            self.view.scrollTo(self.model.index(row, 0))

    def _on_current(self) -> None:
        rule = self.model.rule_at(self.view.currentIndex())
        if rule is not None and rule.id != self.current_rule:
            self._show(rule.id)

    def _show(self, id: str) -> None:
        self.current_rule = id
        ledger, data = explainer(self._document).ledger, self._document.rules.data
        rule = ledger.rule(id) if id else None
        active, is_on = self.model.activities.get(id), self.option_state(id)
        self.text.set_rule(rule_view_of(rule, ledger.rules, data, active, is_on) if rule is not None else None)

    # Refreshing --------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the list and the text side by side if the panel is much wider than high."""
        super().resizeEvent(event)
        wide = self.width() > self.height() * WIDE_FROM
        self.splitter.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)

    def _refresh_soon(self) -> None:
        if not self.visibleRegion().isEmpty():  # `isVisible` is true for a dock behind another tab
            self._soon.start(0)

    def _refresh(self) -> None:
        self._soon.stop()
        explain = explainer(self._document)
        if self._loaded != self._document.rules.id:
            self._loaded = self._document.rules.id
            self.current_rule, self._earlier = "", []
            self.back_button.setEnabled(False)
            self.model.set_rules(tuple(explain.ledger.rules.values()))
        session = self._document.source.session
        activities = active_rules(session.encounter, session.rules, tuple(session.journal()))
        reasons = {one.rule: RuleActivity(one.group, explain.phrase(one.reason)) for one in activities}
        self.model.set_active_rules(reasons)
        self._show(self.current_rule)
        self._judge_emptiness()

    def _find(self, query: str) -> None:
        self.model.search(query)
        self._judge_emptiness()
        row = self.model.first_row() if query.strip() else self.model.row_of_rule(self.current_rule)
        if row >= 0:
            self.view.go_to(row)
            self.view.scrollTo(self.model.index(row, 0))
        if query.strip():
            self.view.scrollToTop()

    def _judge_emptiness(self) -> None:
        is_empty = not self.model.shown_count
        query = self.search.text().strip()
        if is_empty:
            self.empty.set_sentence(tr("ui.rules.nothing", query=query) if query else tr("ui.rules.empty"))
        self.stack.setCurrentWidget(self.empty if is_empty else self.view)
