"""The rules of a rule system, keyed by id. They are read from the shipped data on first use."""

from collections.abc import Mapping
from functools import cache, cached_property

from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.storage.system_data import read_ledger


class RuleTextSource:
    """The rules of one rule system, keyed by id."""

    def __init__(self, system: str) -> None:
        self.system = system

    @cached_property
    def rules(self) -> Mapping[str, LedgerRule]:
        """All rules in ledger order, keyed by id."""
        return {rule.id: rule for rule in read_ledger(self.system)}

    def rule(self, id: str) -> LedgerRule | None:
        """Return a rule, or None if the id is unknown."""
        return self.rules.get(id)

    def title(self, id: str) -> str:
        """Return the title of a rule, or an empty string if the id is unknown."""
        rule = self.rule(id) if id else None
        return rule.title if rule else ""

    def statement(self, id: str) -> str:
        """Return the statement of a rule, or an empty string if the id is unknown."""
        rule = self.rule(id) if id else None
        return rule.statement if rule else ""

    def rule_on_topic(self, topic: str) -> str:
        """Return the id of the game's rule on a topic such as `hp.range`, or an empty string if it has none."""
        game = next(iter(self.rules), "").partition(".")[0]
        return f"{game}.{topic}" if f"{game}.{topic}" in self.rules else ""


@cache
def rule_texts(system: str) -> RuleTextSource:
    """Return the rules of a rule system."""
    return RuleTextSource(system)
