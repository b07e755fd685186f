"""Spaces, sizes, distances, heights, reaches and sides of combatants. All distances are in feet.

On a grid they follow from the squares. A `Relation` that the game master sets overrides them, and without a grid it is
the only source. Any answer may be None (unknown), so that a stage can ask.

Hypothetical positions: a lookup with some combatants elsewhere, to examine a square before entering it.

The distance that a combatant has just run in a straight line on the map, which only some features need.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar, cast

import msgspec

from turnwright.battlemap import spaces as apart
from turnwright.battlemap.spaces import Space, squares_across
from turnwright.encounter.lookups import find_effect
from turnwright.encounter.prepared import Creature, Point
from turnwright.encounter.running import Combatant, Effect, GuestCreature, Relation, relation_id
from turnwright.encounter.state import Lookup, Owned, Record
from turnwright.rules.parts.combatants.facts import condition_names, conditions_with_effects
from turnwright.rules.parts.environment.entries import current_map, space_side
from turnwright.rules.system import RuleSystem, creature_of

LIKE: Final = {"sight": "blinded", "being-seen": "invisible"}  # the denied ability, and the condition that denies it


def stated_relation(lookup: Lookup, who: str, other: str) -> Relation | None:
    """Return the relation of one combatant to another that the game master set, or None if there is none."""
    return lookup.get(Relation, relation_id(who, other))


def effective_side(lookup: Lookup, rules: RuleSystem, who: str) -> float:
    """Return the side of a combatant's space in feet: one size smaller while it is squeezing."""
    side = space_side(lookup, rules, who)
    if rules.role("squeezing") in condition_names(lookup, rules, who):
        return max((size.space for size in rules.data.sizes if size.space < side), default=side)
    return side


def size_index(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the position of a combatant's size among the system's sizes, smallest first."""
    size = creature_of(lookup, lookup.need(Combatant, who)).size
    return next((index for index, entry in enumerate(rules.data.sizes) if entry.id == size), 0)


def space_at(lookup: Lookup, rules: RuleSystem, who: str, at: Point, elevation: int) -> Space:
    """Return the space that a combatant would take on a square at an elevation."""
    return Space(*at, side=effective_side(lookup, rules, who), elevation=elevation)


def space(lookup: Lookup, rules: RuleSystem, who: str) -> Space | None:
    """Return the space that a combatant takes, or None without a grid or a position fully on it."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.position is None:
        return None
    field = current_map(lookup)
    if field is None:
        return None
    own_space = space_at(lookup, rules, who, combatant.position, combatant.elevation)
    across = squares_across(own_space.side, field.cell)
    fits = 0 <= own_space.column <= field.columns - across and 0 <= own_space.row <= field.rows - across
    return own_space if fits else None


def combatants_near(lookup: Lookup, rules: RuleSystem, *spaces: Space, squares: int = 0) -> list[Combatant]:
    """Return the combatants that may be within `squares` of the rectangle around these spaces.

    This runs for every step and roll, so it uses the widest space: a few of the combatants are farther away. Empty
    without a grid.
    """
    field = current_map(lookup)
    if field is None:
        return []
    widest = _widest(lookup, rules, field.cell)
    across = [squares_across(area.side, field.cell) for area in spaces]
    left, top = min(area.column for area in spaces) - squares, min(area.row for area in spaces) - squares
    right = max(area.column + wide for area, wide in zip(spaces, across, strict=True)) + squares
    bottom = max(area.row + wide for area, wide in zip(spaces, across, strict=True)) + squares
    return [
        combatant
        for combatant in lookup.all(Combatant)
        if combatant.position is not None
        and left - widest < combatant.position[0] < right
        and top - widest < combatant.position[1] < bottom
    ]


def _widest(lookup: Lookup, rules: RuleSystem, cell: int) -> int:
    """Return the width in squares of the widest space: of the encounter's stat blocks or of the system's sizes."""
    sides = [block.space for kind in (Creature, GuestCreature) for block in lookup.all(kind)]
    return squares_across(max([cell, *sides, *[size.space for size in rules.data.sizes]]), cell)


def possibly_within(lookup: Lookup, rules: RuleSystem, who: str, feet: int) -> Iterable[Combatant]:
    """Return all combatants except those known to be more than `feet` away, in table order.

    A few farther ones are included: this runs for every step and roll, so it uses the widest space.
    """
    field, here = current_map(lookup), space(lookup, rules, who)
    if field is None or here is None:
        return lookup.all(Combatant)
    steps = squares_across(feet, field.cell)
    near = {combatant.id for combatant in combatants_near(lookup, rules, here, squares=steps)}
    for pair in lookup.all(Relation):
        if who in (pair.who, pair.other):
            near |= {pair.who, pair.other}
    widest = _widest(lookup, rules, field.cell)
    right, bottom = field.columns - widest, field.rows - widest  # beyond these, a space may not be fully on the map
    return [
        combatant
        for combatant in lookup.all(Combatant)
        if combatant.position is None
        or combatant.id in near
        or not (0 <= combatant.position[0] <= right and 0 <= combatant.position[1] <= bottom)
    ]


def longest_reach(lookup: Lookup, rules: RuleSystem) -> int:
    """Return the longest reach in the encounter in feet."""
    blocks = [block for kind in (Creature, GuestCreature) for block in lookup.all(kind)]
    reaches = [reach for block in blocks for reach in (block.reach, *[feature.reach for feature in block.features])]
    return max([rules.data.attack.reach, Creature("", "").reach, *reaches])


def distance(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> int | None:
    """Return the distance in feet between two combatants (5 if they are adjacent), or None if unknown."""
    for pair in (stated_relation(lookup, who, other), stated_relation(lookup, other, who)):
        if pair is not None and pair.distance is not None:
            return pair.distance
    here = space(lookup, rules, who)
    there = space(lookup, rules, other) if here is not None else None
    field = current_map(lookup) if there is not None else None
    if field is None or here is None or there is None:
        return None
    return apart.distance(here, there, cell=field.cell, diagonals=field.diagonals)


def is_within(lookup: Lookup, rules: RuleSystem, who: str, other: str, feet: int) -> bool | None:
    """Return whether two combatants are at most `feet` apart, or None if unknown."""
    feet_apart = distance(lookup, rules, who, other)
    if feet_apart is not None:
        return feet_apart <= feet
    for pair in (stated_relation(lookup, who, other), stated_relation(lookup, other, who)):
        if pair is not None and pair.within is not None and pair.within <= feet:
            return True
        if pair is not None and pair.beyond is not None and pair.beyond >= feet:
            return False
    return None


def height_above(lookup: Lookup, who: str, other: str) -> int | None:
    """Return the height in feet of one combatant above another (negative: below), or None if unknown."""
    pair, turned = stated_relation(lookup, who, other), stated_relation(lookup, other, who)
    if pair is not None and pair.height is not None:
        return pair.height
    if turned is not None and turned.height is not None:
        return -turned.height
    here, there = lookup.get(Combatant, who), lookup.get(Combatant, other)
    if here is None or there is None:
        return None
    higher = here.elevation - there.elevation
    return higher if current_map(lookup) else (higher or None)


def melee_reach(lookup: Lookup, who: str) -> int:
    """Return the longest reach of a combatant's melee attacks in feet."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    attacks = (feature for feature in creature.features if feature.attack is not None or feature.damage)
    return max([creature.reach, *(attack.reach for attack in attacks)])


def in_reach(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool | None:
    """Return whether the other is within a combatant's reach, or None if unknown."""
    pair = stated_relation(lookup, who, other)
    if pair is not None and pair.reached is not None:
        return pair.reached
    feet = distance(lookup, rules, who, other)
    return None if feet is None else feet <= melee_reach(lookup, who)


def are_hostile(lookup: Lookup, who: str, other: str) -> bool:
    """Return whether two combatants are on different sides."""
    here, there = lookup.get(Combatant, who), lookup.get(Combatant, other)
    return here is not None and there is not None and here.side != there.side


def denying_conditions(lookup: Lookup, rules: RuleSystem, who: str, what: str) -> list[tuple[str, str]]:
    """Return the conditions that deny a combatant `sight`, `flanking` or the like, with their rules.

    A feature that does so is represented by the condition it resembles.
    """
    by_feature = rules.feature_subjects(lookup, rules, who, "deny", (what,))
    conditions = [(LIKE.get(what, what), "") for what in by_feature]
    if not lookup.of(Effect, who):
        return conditions
    return conditions + [
        (name, rule.ledger or (condition.ledger[0] if condition.ledger else ""))
        for name, _ in conditions_with_effects(lookup, rules, who)
        if (condition := rules.conditions.get(name)) is not None
        for rule in condition.rules
        if rule.kind == "deny" and rule.what == what
    ]


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


STRAIGHT_RUN = "straight-run"  # mark of a straight run with its start and its length in feet


def run_start(run: Effect) -> Point:
    """Return the square where a straight run began."""
    column, _, row = run.end_condition.partition(",")
    return int(column), int(row)


def straight_feet_towards(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> int:
    """Return the distance in feet by which a combatant's last straight run this turn brought it closer to another."""
    run = find_effect(lookup, who, STRAIGHT_RUN)
    if run is None:
        return 0
    before = MovedLookup(lookup, [msgspec.structs.replace(lookup.need(Combatant, who), position=run_start(run))])
    feet_before, feet_now = distance(before, rules, who, other), distance(lookup, rules, who, other)
    return 0 if feet_before is None or feet_now is None else min(run.value, feet_before - feet_now)
