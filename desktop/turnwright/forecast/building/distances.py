"""How many moves one combatant needs to come within reach of another, from the map as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from turnwright.rules.parts import positions

if TYPE_CHECKING:
    from turnwright.forecast.building.questions import Questions

MOST_MOVES: Final = 40  # as far away as can't be reached
FROM_AFAR: Final = 1  # of reinforcements, which come from where nothing is drawn


def moves_away(questions: Questions) -> list[list[int]]:
    """Return for each combatant how many moves it needs to reach each other; 0 where nothing is known of places."""
    begun, rules = questions.begun, questions.rules
    on_map = any(positions.space(begun, rules, one.id) is not None for one in questions.combatants)
    found = []
    for one in questions.combatants:
        speeds = (rules.allowance(begun, rules, one.id, mode) for mode in ("walk", "fly"))
        speed = max((each.total for each in speeds if each is not None), default=0)
        reach = positions.melee_reach(begun, one.id)
        row = []
        for other in questions.combatants:
            feet = positions.distance(begun, rules, one.id, other.id) if other.side != one.side else 0
            if feet is None:
                row.append(FROM_AFAR if on_map else 0)
            else:
                beyond = max(0, feet - reach)
                row.append(min(MOST_MOVES, -(-beyond // speed)) if speed > 0 else MOST_MOVES if beyond else 0)
        found.append(row)
    return found
