"""Relative positions of combatants: distance, height, sight, cover, flanking and occupied squares.

On a grid they follow from the squares. A `Relation` that the game master sets overrides them, and without a grid it is
the only source. Any answer may be None (unknown), so that a stage can ask. All distances are in feet.
"""

from turnwright.rules.parts.positions.geometry import (
    are_hostile,
    can_stay,
    denying_conditions,
    distance,
    effective_side,
    enter_veto,
    fit_at,
    fully_surrounded,
    ground_cost_at,
    height_above,
    in_reach,
    is_within,
    join_veto,
    longest_reach,
    max_around,
    melee_reach,
    possibly_within,
    size_index,
    space,
    space_at,
    stated_relation,
    stay_veto,
)
from turnwright.rules.parts.positions.sight import (
    ProvidedCover,
    cover_bonus,
    cover_of,
    cover_sources,
    default_cover,
    flanks,
    is_hidden_from,
    is_unnoticed,
    line_of_effect,
    line_of_sight,
    obscured_between,
    possible_cover,
    sees,
    sight_hindrances,
    total_cover_vetoes,
)
