"""Ids of a prepared encounter that a game doesn't know: abilities, skills, damage types and the like.

Nothing of it is lost when an encounter is played by another game; what the game doesn't know has no effect, or is
asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from turnwright.encounter.prepared import Creature, Environment, EnvironmentEntry, Feature, RosterEntry, Scene
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.combatants.facts import split_value
from turnwright.rules.parts.damage import damage_steps
from turnwright.rules.parts.environment.translation import damage_types_in
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data import SystemData

KINDS = ("ability", "skill", "damage", "condition", "speed", "sense", "size", "resource", "option")
_ALWAYS = frozenset({"", "trait", "free", "legendary", "lair", "none"})
_Path = tuple[str | int, ...]
_Found = Iterator[tuple[_Path, str, str]]


class UnknownId(msgspec.Struct, frozen=True):
    """An id that a game does not know: its place in the encounter, its kind (of `KINDS`), and the id itself."""

    path: tuple[str | int, ...]
    kind: str
    id: str


def find_unknown_ids(lookup: Lookup, rules: RuleSystem) -> tuple[UnknownId, ...]:
    """Return every id of a prepared encounter that this game does not know, in the order of its tables."""
    fatigue = rules.role("fatigue")
    known, named = _known(rules.data), _named(lookup, _groups(rules), fatigue)
    if fatigue in dict(rules.data.elsewhere.conditions):  # play offers what stands for it
        known["condition"] |= {fatigue}
    return tuple(UnknownId(path, kind, id) for path, kind, id in named if id not in _ALWAYS and id not in known[kind])


def _groups(rules: RuleSystem) -> frozenset[str]:
    """Return the damage groups that a resistance or weakness by amount may name, and the word for all types."""
    if not {damage_steps.weakness_by_amount, damage_steps.resistance_by_amount} & set(rules.damage.steps):
        return frozenset()
    return frozenset({damage_steps.ALL_DAMAGE, *(one.group for one in rules.data.damage_types)})


def _known(data: SystemData) -> dict[str, frozenset[str]]:
    listed: dict[str, Iterable[msgspec.Struct]] = {
        "ability": data.abilities,
        "skill": data.skills,
        "damage": data.damage_types,
        "condition": (*data.conditions, *data.standing),
        "speed": data.speeds,
        "sense": data.senses,
        "size": data.sizes,
        "resource": data.resources,
        "option": data.options,
    }
    return {kind: frozenset(msgspec.structs.asdict(one)["id"] for one in entries) for kind, entries in listed.items()}


def _named(lookup: Lookup, groups: frozenset[str], fatigue: str) -> _Found:
    scene = lookup.get(Scene, "scene")
    for index, option in enumerate(scene.options if scene else ()):
        yield ("scene", "options", index), "option", option.removeprefix("not ")
    for creature in lookup.all(Creature):
        yield from _under((Creature.table, creature.id), _creature(creature, groups))
    for entry in lookup.all(RosterEntry):
        yield from _under((RosterEntry.table, entry.id), _check(("check",), entry.check))
    for place in lookup.all(Environment):
        for collection in ("features", "actions"):
            for row in getattr(place, collection):
                yield from _under((Environment.table, place.id, collection, row.id), _row(row, fatigue))


def _under(path: _Path, found: _Found) -> _Found:
    for inner, kind, id in found:
        yield (*path, *inner), kind, id


def _creature(creature: Creature, groups: frozenset[str]) -> _Found:
    yield ("size",), "size", creature.size
    for field, kind in (
        ("abilities", "ability"),
        ("saves", "ability"),
        ("skills", "skill"),
        ("passives", "skill"),
        ("speeds", "speed"),
        ("senses", "sense"),
        ("pools", "resource"),
    ):
        for name, _ in getattr(creature, field):
            yield (field, name), kind, name
    for field, kind in (
        ("resistances", "damage"),
        ("vulnerabilities", "damage"),
        ("immunities", "damage"),
        ("absorptions", "damage"),
        ("condition_immunities", "condition"),
    ):
        for index, text in enumerate(getattr(creature, field)):
            name, figure = split_value(text)
            if not (figure and name in groups and field in ("resistances", "vulnerabilities")):
                yield (field, index), kind, name
    for feature in creature.features:
        yield from _under(("features", feature.id), _feature(feature))


def _feature(feature: Feature) -> _Found:
    yield ("cost",), "resource", feature.cost
    yield ("ability",), "ability", feature.ability
    yield ("save",), "ability", feature.save
    for name, _ in feature.spends:
        yield ("spends", name), "resource", name
    yield from _damage(("damage",), feature.damage)
    yield from _damage(("ongoing",), feature.ongoing)
    for index, affliction in enumerate(feature.afflictions):
        yield ("afflictions", index, "condition"), "condition", affliction.condition


def _row(entry: EnvironmentEntry, fatigue: str) -> _Found:
    yield ("cost",), "resource", entry.cost
    if entry.save is not None:
        yield ("save", "ability"), "ability", entry.save.ability
    if entry.check is not None:
        yield ("check", "ability"), "ability", entry.check.ability
        yield ("check", "skill"), "skill", entry.check.skill
        yield ("check", "cost"), "resource", entry.check.cost
    yield from _damage(("damage",), entry.damage)
    yield from _damage(("reduced_damage",), entry.reduced_damage)
    yield ("per_die",), "damage", entry.per_die
    for index, affliction in enumerate(entry.afflictions):
        yield ("afflictions", index, "condition"), "condition", affliction.condition
    if entry.fatigue:
        yield ("fatigue",), "condition", fatigue


def _damage(path: _Path, dice: str) -> _Found:
    for kind in damage_types_in(dice):
        yield path, "damage", kind


def _check(path: _Path, check: str) -> _Found:
    ability, _, skill = check.partition(":")
    yield path, "ability", ability
    yield path, "skill", skill
