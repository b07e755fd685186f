"""How combatants stand to each other: distance, height, sight, cover, flanking, and whose squares are whose.

On a grid the squares say it; a `Relation` that a person set overrules them, and without a grid it is all there is.
Every answer may be None: nobody knows, so that a stage can ask. Feet throughout.
"""

from turnwright.rules.parts.positions.cover import (
    Sheltered,
    cover_bonus,
    cover_of,
    may_be_covered,
    shelters,
    untargetable,
    usual_cover,
)
from turnwright.rules.parts.positions.flanking import flanks
from turnwright.rules.parts.positions.sight import (
    hindrances,
    is_hidden_from,
    is_unnoticed,
    line_of_effect,
    line_of_sight,
    obscured_between,
    sees,
)
from turnwright.rules.parts.positions.squares import (
    fully_surrounded,
    ground_cost_at,
    may_end,
    may_enter,
    may_join,
    squeezes_through,
    surround_limit,
    way_through,
)
from turnwright.rules.parts.positions.standing import (
    denied,
    distance,
    grid,
    height_above,
    hostile,
    in_reach,
    reach_of,
    relation,
    size_index,
    space,
    space_at,
    space_of,
)

__all__ = [
    "Sheltered",
    "cover_bonus",
    "cover_of",
    "denied",
    "distance",
    "flanks",
    "fully_surrounded",
    "grid",
    "ground_cost_at",
    "height_above",
    "hindrances",
    "hostile",
    "in_reach",
    "is_hidden_from",
    "is_unnoticed",
    "line_of_effect",
    "line_of_sight",
    "may_be_covered",
    "may_end",
    "may_enter",
    "may_join",
    "obscured_between",
    "reach_of",
    "relation",
    "sees",
    "shelters",
    "size_index",
    "space",
    "space_at",
    "space_of",
    "squeezes_through",
    "surround_limit",
    "untargetable",
    "usual_cover",
    "way_through",
]
