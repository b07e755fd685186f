"""Detection of ids and statements in a prepared encounter that a game doesn't have, such as damage types.

Switching an encounter to another game keeps all of them. Unknown ids have no effect, or the game master is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Countdown, Creature, Environment, RosterEntry
from turnwright.encounter.state import Lookup
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.known_ids import KnownIds, known_ids
from turnwright.rules.system_data.references import Named, ids_in, problems
from turnwright.rules.system_data.statements import BARE, facts_in

MAX_UNKNOWN, MAX_LOOKED_AT = 500, 10_000  # limits on different texts, because each is compared with all names
_TOO_MANY = "checking stopped here: too many unknown or different ids"
KINDS = ("ability", "skill", "damage type", "condition", "speed", "sense", "size", "resource", "table rule")


class UnknownId(msgspec.Struct, frozen=True):
    """An id or statement that a game doesn't have: its place in the encounter, its kind, its text, and the message."""

    path: tuple[str | int, ...]
    kind: str
    id: str
    message: str = ""


def find_unknown_ids(lookup: Lookup, rules: RuleSystem) -> tuple[UnknownId, ...]:
    """Return every id of a prepared encounter that this game doesn't have, in table order."""
    known, unknown_ids = _known(lookup, rules), list[UnknownId]()
    looked_at: dict[tuple[str, str], tuple[tuple[str, str, str], ...]] = {}
    unlike = 0
    for path, kind, text in _named(lookup, rules):
        wrong = looked_at.get((kind, text))
        if wrong is None:
            if len(looked_at) >= MAX_LOOKED_AT or unlike >= MAX_UNKNOWN:
                unknown_ids.append(UnknownId(path, kind, text, _TOO_MANY))
                break
            wrong = looked_at[kind, text] = tuple(problems(kind, text, known))
            unlike += bool(wrong)
        unknown_ids += [UnknownId(path, unknown, id, message) for unknown, id, message in wrong]
    return tuple(unknown_ids)


def _known(lookup: Lookup, rules: RuleSystem) -> KnownIds:
    """Return the ids that the game and the encounter itself define."""
    known = known_ids(rules.data)
    general = tuple(f"{skill.id}-" for skill in rules.data.skills if skill.of_subjects)
    creatures = tuple(lookup.all(Creature))
    known["spawned creature"] |= {creature.id for creature in creatures}
    known["skill"] |= {id for creature in creatures for id, _ in creature.skills if id.startswith(general)}
    known[BARE] |= {id for creature in creatures for id in (*creature.gear, *creature.specialties)}
    known["feature"] |= {feature.id for creature in creatures for feature in creature.features}
    known["property"] |= {word for id in known["feature"] for word in (id, *id.split("-"))}
    known[BARE] |= {id for entry in lookup.all(RosterEntry) for id in entry.gear}
    rows = [row for place in lookup.all(Environment) for row in (*place.features, *place.actions)]
    facts = (fact for row in rows for text in (*row.spared, row.reduced) for fact in facts_in(text))
    known["gear"] |= {fact.argument for fact in facts}
    known["surrounding"] |= {*scene_of(lookup).suspended}
    fatigue = rules.role("fatigue")
    if fatigue in dict(rules.data.elsewhere.conditions):  # play offers its replacement
        known["condition"] |= {fatigue}
    return known


def _named(lookup: Lookup, rules: RuleSystem) -> Iterator[Named]:
    scene = scene_of(lookup)
    for path, kind, text in ids_in(scene):
        yield ("scene", *path), kind, text
    for table in (Creature, RosterEntry, Environment, Countdown):
        for record in lookup.all(table):
            for path, kind, text in ids_in(record):
                yield (table.table, record.id, *path), kind, text
    for place in lookup.all(Environment):
        for collection in ("features", "actions"):
            for row in getattr(place, collection):
                if row.fatigue:
                    yield (
                        (Environment.table, place.id, collection, row.id, "fatigue"),
                        "condition",
                        rules.role("fatigue"),
                    )
