"""Sight between combatants, hindrances to it, and the lines between them."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from turnwright.battlemap import sight as lines
from turnwright.battlemap.grid import Grid
from turnwright.battlemap.spaces import Space, footprint
from turnwright.encounter.prepared import Environment, Point
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.environment.entries import visibility, words_in
from turnwright.rules.parts.positions.geometry import denying_conditions, distance, space, stated_relation
from turnwright.rules.parts.positions.lighting import light_at
from turnwright.rules.parts.positions.map_geometry import map_grid
from turnwright.rules.system import RuleSystem, creature_of

BEHIND, OBSCURED, DARK = "behind", "obscured", "dark"
HEAVILY = "heavily obscured"
NEEDS_RULING = frozenset({OBSCURED, DARK})  # the game master decides their effect on sight


def sees(lookup: Lookup, rules: RuleSystem, observer: str, target: str) -> bool | None:
    """Return whether an observer sees or senses a target, or None if the game master has to decide."""
    pair = stated_relation(lookup, observer, target)
    if pair is not None and pair.seen is not None:
        return pair.seen
    hindered = sight_hindrances(lookup, rules, observer, target)
    if not hindered:
        return True
    hindered -= rules.feature_subjects(lookup, rules, observer, "senses", hindered)
    if OBSCURED in hindered and _sees_through(lookup, rules, observer, target):
        hindered -= {OBSCURED}
    surely, perhaps = _overcome(lookup, rules, observer, target)
    if hindered - surely - perhaps - NEEDS_RULING:
        return False
    return None if hindered - surely else True


def sight_hindrances(lookup: Lookup, rules: RuleSystem, observer: str, target: str) -> frozenset[str]:
    """Return the hindrances to an observer's sight of a target, without considering other senses.

    They are condition ids, `behind` (an obstacle), `obscured` and `dark`. A hidden combatant may be in plain sight:
    being unnoticed is a separate question (`is_hidden_from`).
    """
    if observer == target:
        return frozenset()
    hindrances = {name for name, _ in denying_conditions(lookup, rules, observer, "sight")}
    hindrances |= {name for name, _ in denying_conditions(lookup, rules, target, "being-seen")}
    if line_of_sight(lookup, rules, observer, target) is False:
        hindrances.add(BEHIND)
    if obscured_between(lookup, rules, observer, target) == HEAVILY:
        hindrances.add(OBSCURED)
    if light_at(lookup, rules, target) == DARK:
        hindrances.add(DARK)
    return frozenset(hindrances)


def is_hidden_from(lookup: Lookup, rules: RuleSystem, who: str, observer: str) -> bool:
    """Return whether a combatant is hidden from an observer, or from everyone."""
    return any(effect.name == rules.role("hidden") and effect.by in ("", observer) for effect in lookup.of(Effect, who))


def is_unnoticed(lookup: Lookup, rules: RuleSystem, who: str, observer: str) -> bool:
    """Return whether a combatant is hidden from an observer, and not marked as seen by it."""
    relation = stated_relation(lookup, observer, who)
    return is_hidden_from(lookup, rules, who, observer) and not (relation is not None and relation.seen)


def _overcome(lookup: Lookup, rules: RuleSystem, observer: str, target: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the hindrances that the observer's senses overcome at this distance, and those that they may overcome."""
    combatant = lookup.get(Combatant, observer)
    ranges = dict(creature_of(lookup, combatant).senses) if combatant is not None else {}
    own_senses = [sense for sense in rules.data.senses if sense.id in ranges]
    endless = [sense for sense in own_senses if not ranges[sense.id]]
    ending = [sense for sense in own_senses if ranges[sense.id]]
    feet = distance(lookup, rules, observer, target) if ending else None
    surely = [*endless, *(sense for sense in ending if feet is not None and feet <= ranges[sense.id])]
    perhaps = ending if feet is None else []
    return frozenset(beat for sense in surely for beat in sense.beats), frozenset(
        beat for sense in perhaps for beat in sense.beats
    )


def line_of_sight(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool | None:
    """Return whether a line of sight between two combatants is clear, or None without a grid or a position on it."""
    field, here, there = map_grid(lookup), space(lookup, rules, who), space(lookup, rules, other)
    if field is None or here is None or there is None:
        return None
    return _is_clear(field, "sight", here, there)


def line_of_effect(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool | None:
    """Return whether a line of effect between two combatants is clear, or None without a grid or a position on it."""
    field, here, there = map_grid(lookup), space(lookup, rules, who), space(lookup, rules, other)
    if field is None or here is None or there is None:
        return None
    return _is_clear(field, "effect", here, there)


@lru_cache(maxsize=4096)  # grids are cached per state of the map, and rolls repeat the same calls
def _is_clear(field: Grid, what: Literal["sight", "effect"], here: Space, there: Space) -> bool:
    return lines.between(field, field.sight if what == "sight" else field.effect, here, there).clear


def _sees_through(lookup: Lookup, rules: RuleSystem, observer: str, target: str) -> bool:
    """Return whether an observer's features let it see through everything that obscures a target."""
    names = (
        words_in(row.name) for environment in lookup.all(Environment) for row in environment.features if row.obscured
    )
    words = rules.feature_subjects(lookup, rules, observer, "senses", frozenset[str]().union(*names))
    return bool(words) and obscured_between(lookup, rules, observer, target, without=words) != HEAVILY


def obscured_between(
    lookup: Lookup, rules: RuleSystem, who: str, other: str, *, without: frozenset[str] = frozenset()
) -> str:
    """Return the worst obscurity between two combatants: `clear`, `lightly obscured` or `heavily obscured`.

    Entries whose names contain a word in `without` don't count.
    """
    grades = {visibility(lookup, who, rules, without), visibility(lookup, other, rules, without)}
    field, here, there = map_grid(lookup, without=without), space(lookup, rules, who), space(lookup, rules, other)
    if field is not None and here is not None and there is not None:
        grades.add(_worst_light(field, here, there))
    return next((grade for grade in (HEAVILY, "lightly obscured") if grade in grades), "clear")


@lru_cache(maxsize=4096)
def _worst_light(field: Grid, here: Space, there: Space) -> str:
    passed = [at for at in squares_between(here, there, field.cell) if at in field]
    darkest = max((int(field.light[row, column]) for column, row in passed), default=0)
    return ("clear", "lightly obscured", HEAVILY)[darkest]


def squares_between(start: Space, end: Space, cell: int) -> frozenset[Point]:
    """Return the squares that the line between the centres of two spaces crosses, including the spaces' own squares."""
    ends = [_middle(space, cell) for space in (start, end)]
    steps = max(1, int(8 * max(abs(ends[1][axis] - ends[0][axis]) for axis in (0, 1))))
    points = (
        [ends[0][axis] + (ends[1][axis] - ends[0][axis]) * step / steps for axis in (0, 1)] for step in range(steps + 1)
    )
    return frozenset((int(x // 1), int(y // 1)) for x, y in points)


def _middle(space: Space, cell: int) -> tuple[float, float]:
    squares = footprint(space, cell)
    across = len({column for column, _ in squares})
    return space.column + across / 2, space.row + across / 2
