"""The rules of a system as a list model: active rules by group and all others by chapter, or search results.

The texts of rules are stored case-folded, which makes searching on each key press fast.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Qt

from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.ui.look.style import tr
from turnwright.ui.models.row_list_model import DETAIL_ROLE, HEADING, KEY_ROLE, Index, Row, RowListModel, id_as_words

RULE_TABLE = "rule"
FOUND_HEADING = "found"
GROUP_PREFIX = "group:"
CHAPTER_PREFIX = "chapter:"


class RuleActivity(msgspec.Struct, frozen=True):
    """The group of an active rule, and the reason why it is active."""

    group: str
    source: str


class RuleIndex:
    """A search index of rules. Rules must contain every word. Those with the words in their titles come first."""

    def __init__(self, rules: Iterable[LedgerRule]) -> None:
        self._texts = [
            (rule.id, rule.title.casefold(), f" {rule.id} ", rule.statement.casefold(), rule.check.casefold())
            for rule in rules
        ]

    def search(self, query: str) -> list[str]:
        """Return the ids of the rules that contain every word of the query, best first, or none if it is empty."""
        words = query.casefold().split()
        matches = []
        for place, (id, title, spaced_id, statement, check) in enumerate(self._texts if words else ()):
            scores = [_score(word, title, spaced_id, statement, check) for word in words]
            if all(scores):
                matches.append((not all(word in title for word in words), -sum(scores), place, id))
        return [id for *_, id in sorted(matches)]


def _score(word: str, title: str, id: str, statement: str, check: str) -> int:
    """Return a score for the match between a word and a rule, or 0 if the rule doesn't contain the word."""
    if word in title:
        return 12 if f" {title}".find(f" {word}") == 0 else 10 if f" {word}" in title else 8
    if word in id:
        return 6
    return 3 if word in statement else 1 if word in check else 0


def chapter_name(rule: LedgerRule) -> str:
    """Return the name of a rule's chapter."""
    key = f"ui.rules.chapter.{rule.chapter}"
    name = tr(key)
    return id_as_words(rule.chapter).capitalize() if name == key else name


class RulesModel(RowListModel):
    """Lists rules under headings. Active rules move to the top, and later return to their chapters."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(1, parent)
        self._rules: dict[str, LedgerRule] = {}
        self._chapters: dict[str, str] = {}
        self.activities: Mapping[str, RuleActivity] = {}  # of the active rules, by id
        self._index = RuleIndex(())
        self._query = ""

    def set_rules(self, rules: Sequence[LedgerRule]) -> None:
        """Set the rules."""
        self.beginResetModel()
        self._rules = {rule.id: rule for rule in rules}
        self._chapters = {rule.id: chapter_name(rule) for rule in rules}
        self._index = RuleIndex(rules)
        self._keys = self._wanted()
        self.endResetModel()

    def set_active_rules(self, active: Mapping[str, RuleActivity]) -> None:
        """Set the active rules in display order. Unknown ids are ignored."""
        before = self.activities
        self.activities = {id: activity for id, activity in active.items() if id in self._rules}
        self.update_rows(self._wanted())
        for id in before.keys() | self.activities.keys():
            if before.get(id) != self.activities.get(id):
                self.notify_changed((RULE_TABLE, id))

    def search(self, query: str) -> None:
        """Show the rules that contain every word of the query, best match first. An empty query shows all rules."""
        if query.split() == self._query.split():
            return
        self._query = query
        self.beginResetModel()
        self._keys = self._wanted()
        self.endResetModel()

    def rule_at(self, index: Index) -> LedgerRule | None:
        """Return the rule at an index, or None if it is a heading."""
        key = self.key_at(index)
        return self._rules.get(key[1]) if key is not None and key[0] == RULE_TABLE else None

    def row_of_rule(self, id: str) -> int:
        """Return the row of a rule, or -1 if it isn't shown."""
        return self.row_of((RULE_TABLE, id))

    def first_row(self) -> int:
        """Return the row of the first visible rule, or -1 if there is none."""
        return next((row for row, key in enumerate(self.keys) if key[0] == RULE_TABLE), -1)

    @property
    def shown_count(self) -> int:
        """The number of visible rules."""
        return sum(1 for key in self.keys if key[0] == RULE_TABLE)

    def text_of(self, key: Row, column: int) -> str:
        return self._heading(key[1]) if key[0] == HEADING else self._rules[key[1]].title

    def spoken(self, key: Row, column: int) -> str:
        text, detail = self.text_of(key, column), self._detail(key)
        return f"{text} ({detail})" if detail else text

    def further_roles(self, key: Row, column: int) -> dict[int, Any]:
        return {KEY_ROLE: key, DETAIL_ROLE: self._detail(key)}

    def flags(self, index: Index) -> Qt.ItemFlag:
        key = self.key_at(index)
        return Qt.ItemFlag.ItemIsEnabled if key is not None and key[0] == HEADING else super().flags(index)

    def _detail(self, key: Row) -> str:
        table, id = key
        if table == HEADING:
            return ""
        playing = self.activities.get(id)
        if self._query.split():
            return tr("ui.rules.now") if playing else self._chapters[id]
        has_source = playing is not None and playing.source != self._rules[id].title
        return playing.source if playing is not None and has_source else ""

    def _heading(self, name: str) -> str:
        if name == FOUND_HEADING:
            return tr("ui.rules.found", n=self.shown_count)
        kind, _, rest = name.partition(":")
        return tr(f"ui.rules.group-{rest}") if f"{kind}:" == GROUP_PREFIX else rest

    def _wanted(self) -> list[Row]:
        if self._query.split():
            matches: list[Row] = [(RULE_TABLE, id) for id in self._index.search(self._query)]
            return [(HEADING, FOUND_HEADING), *matches] if matches else []
        sections: dict[str, list[Row]] = {}
        for id, playing in self.activities.items():
            sections.setdefault(f"{GROUP_PREFIX}{playing.group}", []).append((RULE_TABLE, id))
        for id, chapter in self._chapters.items():
            if id not in self.activities:
                sections.setdefault(f"{CHAPTER_PREFIX}{chapter}", []).append((RULE_TABLE, id))
        return [row for name, rows in sections.items() for row in ((HEADING, name), *rows)]
