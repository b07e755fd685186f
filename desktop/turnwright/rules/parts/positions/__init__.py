"""Relative positions of combatants: distance, height, sight, cover, flanking and occupied squares.

On a grid they follow from the squares. A `Relation` that the game master sets overrides them, and without a grid it is
the only source. Any answer may be None (unknown), so that a stage can ask. All distances are in feet.
"""

from turnwright.rules.parts.positions.geometry import (
    are_hostile,
    causing_feature,
    denying_conditions,
    distance,
    effective_side,
    height_above,
    in_reach,
    is_from_afar,
    is_held_in_reach,
    is_in_area,
    is_within,
    longest_reach,
    melee_reach,
    possibly_within,
    size_index,
    space,
    space_at,
    standing_areas,
    stated_relation,
)
from turnwright.rules.parts.positions.sight import (
    ProvidedCover,
    blocking_door,
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
from turnwright.rules.parts.positions.squares import (
    can_stay,
    enter_veto,
    fit_at,
    fully_surrounded,
    ground_cost_at,
    hinders,
    join_veto,
    max_around,
    sprawls,
    stay_veto,
)
