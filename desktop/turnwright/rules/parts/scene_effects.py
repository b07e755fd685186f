"""What a table has said of a place besides what its game lists: an edge on a kind of roll, an action that takes more."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwright.dice.roll import Edge
from turnwright.encounter.prepared import Entry, Environment
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.hooks import NOTHING, Contribution, Moment
from turnwright.rules.parts.surroundings import is_there, ledger_for, stands_in
from turnwright.rules.system import RuleSystem


def on_rolls(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At CHECK_MADE: an edge that a standing feature gives whoever rolls where it is."""
    if moment.what.endswith("-against"):
        return NOTHING
    edges = tuple(
        Edge(kind, row.name, ledger_for(row) or rules.cite("scene.edge"))
        for row in _around(lookup, rules, moment.who, lambda row: bool(row.edge) and _is_meant(row.edge_on, moment))
        if (kind := row.edge)
    )
    return Contribution(edges=edges) if edges else NOTHING


def _is_meant(on: str, moment: Moment) -> bool:
    """Return whether a roll is of a kind: any, attacks, saves, checks, or attacks of one sort."""
    broad = moment.what.partition(".")[0]
    if on in ("melee", "ranged"):
        return broad == "attack" and on in moment.tags
    return on in ("", broad)


def dearer(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> int:
    """Return how many points more an action takes where somebody stands."""
    found = _around(lookup, rules, who, lambda row: bool(row.dearer))
    return sum(dict(row.dearer).get(option.id, 0) for row in found)


def _around(lookup: Lookup, rules: RuleSystem, who: str, wanted: Callable[[Entry], bool]) -> Iterator[Entry]:
    """Yield the standing features wanted where somebody stands. Where that is, is asked last: it takes long."""
    for environment in lookup.all(Environment):
        for row in environment.features:
            is_meant = wanted(row) and is_there(lookup, environment, row)
            if is_meant and stands_in(lookup, who, environment.id, row.id, rules):
                yield row
