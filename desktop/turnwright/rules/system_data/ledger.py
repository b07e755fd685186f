"""The ledger: every rule of a system in plain words, with an example that its test checks."""

from typing import Literal

import msgspec

RuleKind = Literal["compute", "track", "data", "game-master"]


class LedgerRule(msgspec.Struct, frozen=True):
    """A rule of the ledger: its statement, and the example that its test checks."""

    id: str
    """The id: the game, a chapter and a name, separated by dots. Example: `a5e.damage.form`."""
    title: str
    """The title in a few words."""
    source: tuple[str, ...]
    """The places in the source documents. Example: `["000: Cover"]`."""
    kind: RuleKind
    """The way in which Turnwright handles the rule: it calculates the result (`compute`), records a state (`track`),
    stores the rule as `data`, or leaves the decision to the game master (`game-master`).
    """
    statement: str
    """The rule in plain words."""
    check: str
    """The example that the rule's test checks."""
    replaces: tuple[str, ...] = ()
    """The rules of the system's base that it replaces. Inherited data then cites this rule."""

    @property
    def chapter(self) -> str:
        """Return the second segment of the id: the part of the game that the rule belongs to."""
        return [*self.id.split("."), ""][1]

    @property
    def is_external(self) -> bool:
        """Return whether the sources only name the rule.

        Its numbers are then the game's usual ones, and suggestions.
        """
        return "external" in self.id.split(".")

    @property
    def documents(self) -> tuple[str, ...]:
        """Return the numbers of the source documents that contain the rule, as the ledger lists them."""
        return tuple(dict.fromkeys(source.partition(":")[0] for source in self.source))
