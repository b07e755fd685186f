"""Hypothetical positions: a lookup with some combatants elsewhere, to examine a square before it is entered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, cast

from turnwright.encounter.running import Combatant, Relation
from turnwright.encounter.state import Lookup, Owned, Record

R = TypeVar("R", bound=Record)


class MovedLookup:
    """A lookup with some combatants replaced; relations of these combatants are left out."""

    def __init__(self, lookup: Lookup, moved: Iterable[Combatant]) -> None:
        # A moved lookup over another is flattened.
        self.under: Lookup = lookup.under if isinstance(lookup, MovedLookup) else lookup
        self.moved: dict[str, Combatant] = dict(lookup.moved) if isinstance(lookup, MovedLookup) else {}
        self.moved.update((one.id, one) for one in moved)

    def get(self, kind: type[R], id: str) -> R | None:
        """Return the record of this kind and id, or None."""
        if kind is Combatant and id in self.moved:
            return cast("R", self.moved[id])
        found = self.under.get(kind, id)
        return None if isinstance(found, Relation) and self._is_about_them(found) else found

    def need(self, kind: type[R], id: str) -> R:
        """Return the record of this kind and id; LookupError where there is none."""
        found = self.get(kind, id)
        if found is None:
            raise LookupError(f"{kind.table}.{id}")
        return found

    def all(self, kind: type[R]) -> Iterable[R]:
        """Return the records of a kind, in the order of their table."""
        for record in self.under.all(kind):
            if isinstance(record, Combatant):
                yield cast("R", self.moved.get(record.id, record))
            elif not (isinstance(record, Relation) and self._is_about_them(record)):
                yield record

    def of(self, kind: type[Owned], who: str) -> list[Owned]:
        """Return a combatant's tracks, the effects on it or the slots it acts in, in the order of their table."""
        return self.under.of(kind, who)

    def _is_about_them(self, relation: Relation) -> bool:
        return relation.who in self.moved or relation.other in self.moved
