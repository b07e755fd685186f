"""Cover between combatants from walls, obstacles, mounts and creatures. Only the best cover counts.

Cover is on the line between two combatants: it helps only against attacks and effects from its other side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from turnwright.battlemap.grid import Grid
from turnwright.battlemap.sight import cover as grid_cover
from turnwright.battlemap.spaces import Space, footprint
from turnwright.dice.expression import Modifier
from turnwright.encounter.prepared import CoverLevel, Environment, EnvironmentEntry
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.environment.entries import current_map, entry_rule, feature_squares, is_in_area
from turnwright.rules.parts.positions.geometry import (
    GRADES,
    combatants_near,
    cover_entries,
    map_grid,
    space,
    stated_relation,
)
from turnwright.rules.system import NO_RESULT, HookContext, HookResult, RuleSystem, Veto
from turnwright.rules.system_data.places import CoverGrade, CoverSource

_WHEN: Final = re.compile(r"(?P<condition>\w+) within (?P<feet>\d+) \w+")
ARMOR: Final = "ac"


class ProvidedCover(msgspec.Struct, frozen=True):
    """A source of cover: its grade, its reason (a word key or plain text) and the ledger rule."""

    grade: str
    reason: str
    rule: str


def cover_of(lookup: Lookup, rules: RuleSystem, attacker: str, target: str, tags: tuple[str, ...] = ()) -> str:
    """Return the target's best cover against an attacker: `none`, `half`, `three-quarters` or `total`."""
    sources = cover_sources(lookup, rules, attacker, target, tags)
    return sources[0].grade if sources else "none"


def cover_sources(
    lookup: Lookup, rules: RuleSystem, attacker: str, target: str, tags: tuple[str, ...] = ()
) -> tuple[ProvidedCover, ...]:
    """Return all of a target's cover against an attacker, best first.

    Cover set by the game master replaces the rest.
    """
    pair = stated_relation(lookup, attacker, target)
    if pair is not None and pair.cover:
        return (_provided_cover(rules, pair.cover),) if pair.cover != "none" else ()
    sources = [source for source in _sources(lookup, rules, attacker, target, tags) if source.grade != "none"]
    return tuple(sorted(sources, key=lambda source: -GRADES.index(source.grade)))


def cover_bonus(
    lookup: Lookup, rules: RuleSystem, attacker: str, target: str, tags: tuple[str, ...] = (), *, on: str = ARMOR
) -> Modifier | None:
    """Return the target's cover bonus to AC, `save.dex` or a check to `hide` against an attacker, or None."""
    if not any(on in grade.on for grade in rules.data.cover):
        return None
    best = next(iter(cover_sources(lookup, rules, attacker, target, tags)), None)
    grade = best and _grade(rules, best.grade)
    if not best or not grade or on not in grade.on or not grade.bonus:
        return None
    return Modifier(grade.bonus, best.reason, best.rule, grade.type)


def on_rolls(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the cover bonus to a roll against an effect of `other`, or to a check to hide from it, at CHECK_MADE."""
    if not context.other or context.subject.endswith("-against"):
        return NO_RESULT
    names, pair = (context.subject, *context.tags), (context.other, context.who)
    bonuses = (cover_bonus(lookup, rules, *pair, context.tags, on=name) for name in names)
    modifier = next((bonus for bonus in bonuses if bonus is not None), None)
    return HookResult(modifiers=(modifier,)) if modifier is not None else NO_RESULT


def total_cover_vetoes(
    lookup: Lookup, rules: RuleSystem, attacker: str, target: str, tags: tuple[str, ...] = ()
) -> Veto | None:
    """Return the veto on targeting a combatant in total cover, or None if it doesn't have total cover."""
    best = next(iter(cover_sources(lookup, rules, attacker, target, tags)), None)
    grade = best and _grade(rules, best.grade)
    if not best or not grade or not grade.untargetable or not grade.prevents_targeting(tags):
        return None
    return Veto("refused.total_cover", best.rule, (("who", lookup.need(Combatant, target).label),))


def possible_cover(lookup: Lookup, rules: RuleSystem, attacker: str, target: str) -> tuple[ProvidedCover, ...]:
    """Return the cover that the game master may choose for a target: environment features without a known position.

    A feature on the map is listed only if it is near the target but not between the two.
    """
    pair = stated_relation(lookup, attacker, target)
    if pair is not None and pair.cover:
        return ()
    current = cover_of(lookup, rules, attacker, target)
    return tuple(
        ProvidedCover(row.cover, row.name, entry_rule(row))
        for environment, row in cover_entries(lookup)
        if GRADES.index(row.cover) > GRADES.index(current) and _may_be_behind(lookup, rules, target, environment, row)
    )


def default_cover(lookup: Lookup, rules: RuleSystem, name: str) -> CoverLevel:
    """Return the default cover of a type of obstacle under the house rules, or `none` if the game master decides."""
    name = name.casefold()
    named = (shelter for shelter in rules.data.shelters if name in (shelter.id, shelter.name.casefold()))
    source: CoverSource | None = next(named, None)
    if source is None or (source.option and not rules.has_option(lookup, source.option)):
        return "none"
    return source.cover


def _sources(
    lookup: Lookup, rules: RuleSystem, attacker: str, other: str, tags: tuple[str, ...]
) -> Iterator[ProvidedCover]:
    settings = rules.data.places
    target = lookup.get(Combatant, other)
    if target is not None and target.rides and target.rides != attacker and settings.rider_cover_against in tags:
        yield ProvidedCover(settings.rider_cover, "why.mounted", rules.rule_id("mount.half-cover"))
    here, there = space(lookup, rules, attacker), space(lookup, rules, other)
    field = map_grid(lookup)
    if field is None or here is None or there is None or not (_inside(field, here) and _inside(field, there)):
        return
    yield _provided_cover(rules, _on_grid(field, here, there))
    for environment, row in cover_entries(lookup):
        if row.cover_when and _cover_applies(lookup, rules, other, environment, row):
            with_entry = map_grid(lookup, with_entries=((environment.id, row.id),))
            if with_entry is not None and _on_grid(with_entry, here, there) != _on_grid(field, here, there):
                yield ProvidedCover(row.cover, row.name, entry_rule(row))
    if settings.creature_option and rules.has_option(lookup, settings.creature_option):
        others = _spaces_between(lookup, rules, {attacker: here, other: there})
        if others and _on_grid(field, here, there, others) != _on_grid(field, here, there):
            yield ProvidedCover(settings.creature_cover, "why.creature_between", rules.rule_id("cover.creature"))


@lru_cache(maxsize=4096)  # grids are cached per state of the map, and rolls repeat the same calls
def _on_grid(field: Grid, here: Space, there: Space, creatures: tuple[Space, ...] = ()) -> str:
    return GRADES[grid_cover(field, here, there, creatures=creatures).grade]


def _inside(field: Grid, space: Space) -> bool:
    return all(square in field for square in footprint(space, field.cell))


def _spaces_between(lookup: Lookup, rules: RuleSystem, but: Mapping[str, Space]) -> tuple[Space, ...]:
    """Return the spaces of combatants between two others, excluding the riders and mounts of those two."""
    without = {*but, *(lookup.need(Combatant, who).rides for who in but)}
    spaces = (
        space(lookup, rules, combatant.id)
        for combatant in combatants_near(lookup, rules, *but.values(), squares=1)
        if combatant.id not in without and combatant.rides not in but and not combatant.dead
    )
    return tuple(between for between in spaces if between is not None)


def _cover_applies(
    lookup: Lookup, rules: RuleSystem, who: str, environment: Environment, entry: EnvironmentEntry
) -> bool:
    """Return whether the map shows that an entry's `cover_when` is true of a combatant."""
    condition = _WHEN.fullmatch(entry.cover_when)
    field, here = current_map(lookup), space(lookup, rules, who)
    if condition is None or field is None or here is None:
        return False
    squares, own = feature_squares(field, environment.id, entry.id), footprint(here, field.cell)
    steps = int(condition["feet"]) // field.cell
    near = any(max(abs(column - x), abs(row - y)) <= steps for column, row in squares for x, y in own)
    return near and condition["condition"] in condition_names(lookup, rules, who)


def _may_be_behind(
    lookup: Lookup, rules: RuleSystem, who: str, environment: Environment, entry: EnvironmentEntry
) -> bool:
    """Return whether a combatant may be taking cover behind an entry."""
    condition = _WHEN.fullmatch(entry.cover_when)
    if condition is not None and condition["condition"] not in condition_names(lookup, rules, who):
        return False
    if not is_in_area(lookup, who, environment.id, rules=rules):
        return False
    field = current_map(lookup)
    if field is None or not feature_squares(field, environment.id, entry.id):
        return True
    if condition is None:
        return bool(entry.cover_when)
    strict = rules.data.places.beside_option
    return _cover_applies(lookup, rules, who, environment, entry) and not (strict and rules.has_option(lookup, strict))


def _grade(rules: RuleSystem, id: str) -> CoverGrade | None:
    return next((grade for grade in rules.data.cover if grade.id == id), None)


def _provided_cover(rules: RuleSystem, id: str) -> ProvidedCover:
    grade = _grade(rules, id)
    return ProvidedCover(id, f"<cover.{id}>", grade.ledger[0] if grade is not None and grade.ledger else "")
