"""Single steps on the grid, straight away from another combatant or towards it."""

from __future__ import annotations

from turnwright.battlemap.areas import push_path
from turnwright.battlemap.spaces import squares_across
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.positions import space
from turnwright.rules.parts.positions.map_geometry import map_grid
from turnwright.rules.system import RuleSystem

STEP = 5  # in feet


def all_on_grid(lookup: Lookup, rules: RuleSystem, *who: str) -> bool:
    """Return whether all of these combatants are on the grid."""
    return all(space(lookup, rules, id) is not None for id in who)


def one_step(lookup: Lookup, rules: RuleSystem, who: str, other: str, *, away: bool) -> Point | None:
    """Return the next square straight away from another combatant or towards it, or None without a grid or room."""
    field, here, there = map_grid(lookup), space(lookup, rules, who), space(lookup, rules, other)
    if field is None or here is None or there is None:
        return None
    half, other_half = squares_across(here.side, field.cell) / 2, squares_across(there.side, field.cell) / 2
    centre = (there.column + other_half, there.row + other_half)
    if not away:  # towards a point means away from its mirror image
        centre = (2 * (here.column + half) - centre[0], 2 * (here.row + half) - centre[1])
    spaces = (
        space(lookup, rules, combatant.id)
        for combatant in lookup.all(Combatant)
        if combatant.id != who and not combatant.dead
    )
    way = push_path(
        field, here, centre, STEP, others=[other_space for other_space in spaces if other_space is not None]
    )
    return way[-1] if len(way) > 1 else None
