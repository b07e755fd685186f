"""Surroundings written for another game, read as this one's; and what of a row this game has no word for.

What the game's table lacks stays in the row as it is: play asks about it when it comes up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

import msgspec

from turnwright.encounter.prepared import Affliction, Check, Entry, Environment, Save
from turnwright.rules.catalogue import Catalogue
from turnwright.rules.catalogue.translation import Pairs, Translation
from turnwright.rules.system import RuleSystem

FATIGUE = "fatigue"
_NUMBER = re.compile(r"[0-9]+")
_WORD = re.compile(r"[a-z][a-z-]*")
_DIE = re.compile(r"[0-9]*d[0-9]+[a-z0-9]*")


def translated(place: Environment, catalogue: Catalogue) -> Environment:
    """Return a place of another game as this one reads it; it names where it comes from, and cites no rules of there."""
    table = catalogue.elsewhere
    return msgspec.structs.replace(
        place,
        description=_said(table, place.description),
        features=tuple(_entry(table, row) for row in place.features),
        actions=tuple(_entry(table, row) for row in place.actions),
        source=place.id,
    )


def lacks_save(rules: RuleSystem, save: Save) -> bool:
    """Return whether this game has no such save."""
    return save.ability not in {ability.id for ability in rules.catalogue.abilities}


def lacks_check(rules: RuleSystem, check: Check) -> bool:
    """Return whether this game has no such check."""
    skills = {skill.id for skill in rules.catalogue.skills}
    abilities = {ability.id for ability in rules.catalogue.abilities}
    return check.ability not in abilities or bool(check.skill and check.skill not in skills)


def lacking_damage(rules: RuleSystem, row: Entry) -> tuple[str, ...]:
    """Return the damage types of a row that this game does not have, in the order in which they stand."""
    known = {damage.id for damage in rules.catalogue.damage_types}
    found = (kind for dice in (row.damage, row.reduced_damage) for kind in kinds_in(dice))
    return tuple(dict.fromkeys(kind for kind in found if kind not in known))


def lacking_conditions(rules: RuleSystem, row: Entry) -> tuple[str, ...]:
    """Return the conditions of a row that this game does not have; levels of fatigue count as one."""
    named = [*(each.condition for each in row.afflictions), *([FATIGUE] if row.fatigue else [])]
    return tuple(dict.fromkeys(name for name in named if name not in rules.conditions))


def kinds_in(dice: str) -> Iterator[str]:
    """Yield the damage types that a dice expression names."""
    yield from _WORD.findall(_DIE.sub(" ", dice))


def with_kinds(dice: str, said: Mapping[str, str]) -> str:
    """Return a dice expression with other damage types in the place of some; an empty one stands for no type."""
    pieces = [said.get(piece, piece) for piece in dice.split()]
    return " ".join(piece for piece in pieces if piece)


def _entry(table: Translation, row: Entry) -> Entry:
    damage = dict(table.damage)
    return msgspec.structs.replace(
        row,
        save=_save(table, row.save),
        check=_check(table, row.check),
        cost=dict(table.costs).get(row.cost, row.cost),
        damage=with_kinds(row.damage, damage),
        reduced_damage=with_kinds(row.reduced_damage, damage),
        per_die=damage.get(row.per_die, row.per_die),
        spared=tuple(_statement(table, each) for each in row.spared),
        reduced=_statement(table, row.reduced),
        afflictions=tuple(_affliction(table, each) for each in row.afflictions),
        push=distance(table, row.push),
        teleport=distance(table, row.teleport),
        hearing=distance(table, row.hearing),
        range=_NUMBER.sub(lambda found: str(distance(table, int(found[0]))), row.range),
        name=_said(table, row.name),
        text=_said(table, row.text),
        within=_said(table, row.within),
        cover_when=_said(table, row.cover_when),
        rules=(),
    )


def distance(table: Translation, value: int) -> int:
    """Return a distance of the origin in this game's units; one that is any stays at least one."""
    exact = Fraction(value * table.units, table.feet)
    return max(1, (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)) if value else 0


def _save(table: Translation, save: Save | None) -> Save | None:
    return save and msgspec.structs.replace(save, ability=dict(table.saves).get(save.ability, save.ability))


def _check(table: Translation, check: Check | None) -> Check | None:
    if check is None:
        return None
    written = f"{check.ability}:{check.skill}" if check.skill else check.ability
    ability, _, skill = dict(table.checks).get(written, written).partition(":")
    return msgspec.structs.replace(
        check, ability=ability, skill=skill, cost=dict(table.costs).get(check.cost, check.cost)
    )


def _affliction(table: Translation, affliction: Affliction) -> Affliction:
    return msgspec.structs.replace(
        affliction,
        condition=dict(table.conditions).get(affliction.condition, affliction.condition),
        break_free=dict(table.costs).get(affliction.break_free, affliction.break_free),
    )


def _statement(table: Translation, statement: str) -> str:
    word, colon, kind = statement.partition(":")
    return f"{word}:{dict(table.damage).get(kind, kind)}" if colon else statement


def _said(table: Translation, text: str) -> str:
    return _replaced(table.words, text)


def _replaced(words: Pairs, text: str) -> str:
    for foreign, own in words:
        text = text.replace(foreign, own)
    return text
