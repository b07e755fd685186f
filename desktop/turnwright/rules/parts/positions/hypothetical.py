"""Hypothetical positions: a lookup with some combatants elsewhere, to examine a square before entering it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, cast

from turnwright.encounter.running import Combatant, Relation
from turnwright.encounter.state import Lookup, Owned, Record

R = TypeVar("R", bound=Record)


class MovedLookup:
    """A lookup with some combatants replaced. It omits the relations of these combatants."""

    def __init__(self, lookup: Lookup, moved: Iterable[Combatant]) -> None:
        # A moved lookup based on another one is flattened.
        self.under: Lookup = lookup.under if isinstance(lookup, MovedLookup) else lookup
        self.moved: dict[str, Combatant] = dict(lookup.moved) if isinstance(lookup, MovedLookup) else {}
        self.moved.update((combatant.id, combatant) for combatant in moved)

    def get(self, kind: type[R], id: str) -> R | None:
        """Return the record of this kind and id, or None."""
        if kind is Combatant and id in self.moved:
            return cast("R", self.moved[id])
        record = self.under.get(kind, id)
        return None if isinstance(record, Relation) and self._is_about_them(record) else record

    def need(self, kind: type[R], id: str) -> R:
        """Return the record of this kind and id. Raise LookupError if there is none."""
        record = self.get(kind, id)
        if record is None:
            raise LookupError(f"{kind.table}.{id}")
        return record

    def all(self, kind: type[R]) -> Iterable[R]:
        """Return the records of a kind, in table order."""
        for record in self.under.all(kind):
            if isinstance(record, Combatant):
                yield cast("R", self.moved.get(record.id, record))
            elif not (isinstance(record, Relation) and self._is_about_them(record)):
                yield record

    def of(self, kind: type[Owned], who: str) -> list[Owned]:
        """Return a combatant's tracks, effects or slots, in table order."""
        return self.under.of(kind, who)

    def _is_about_them(self, relation: Relation) -> bool:
        return relation.who in self.moved or relation.other in self.moved
