"""The rules of a system by id, read from the shipped data on first use."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rules.system_data.ledger import LedgerRule


class RuleTextSource:
    """Rules of one system by id. Nothing is read before first use."""

    def __init__(self, system: str) -> None:
        self.system = system
        self._rules: dict[str, LedgerRule] | None = None

    @property
    def rules(self) -> Mapping[str, LedgerRule]:
        """All rules by id, in the ledger's order."""
        if self._rules is None:
            from turnwright.storage.system_data import read_ledger

            self._rules = {rule.id: rule for rule in read_ledger(self.system)}
        return self._rules

    def rule(self, id: str) -> LedgerRule | None:
        """Return a rule of the ledger, None for an unknown id."""
        return self.rules.get(id)

    def title(self, id: str) -> str:
        """Return a rule's title, empty for an unknown id."""
        rule = self.rule(id) if id else None
        return rule.title if rule else ""

    def statement(self, id: str) -> str:
        """Return a rule's statement, empty for an unknown id."""
        rule = self.rule(id) if id else None
        return rule.statement if rule else ""

    def rule_on_topic(self, topic: str) -> str:
        """Return the rule on a topic (`hp.range`), whatever game's name its id begins with; empty where there is none."""
        game = next(iter(self.rules), "").partition(".")[0]
        return f"{game}.{topic}" if f"{game}.{topic}" in self.rules else ""
