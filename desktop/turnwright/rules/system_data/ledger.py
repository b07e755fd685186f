"""The ledger: every rule of a system, in our words, with the example that its test shows."""

from __future__ import annotations

from typing import Literal

import msgspec

RuleKind = Literal["compute", "track", "data", "narrator"]


class LedgerRule(msgspec.Struct, frozen=True):
    """One rule of the ledger: our words, and the example that its test shows."""

    id: str
    title: str
    source: tuple[str, ...]
    kind: RuleKind
    statement: str
    check: str

    @property
    def chapter(self) -> str:
        """The id's second segment: what part of the game the rule belongs to."""
        return [*self.id.split("."), ""][1]

    @property
    def is_external(self) -> bool:
        """Whether the sources only name it: its figures are the field's usual ones, and suggestions."""
        return "external" in self.id.split(".")

    @property
    def documents(self) -> tuple[str, ...]:
        """The numbers of the source documents that have it, as the ledger names them."""
        return tuple(dict.fromkeys(source.partition(":")[0] for source in self.source))
