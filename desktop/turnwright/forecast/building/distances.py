"""How many moves one combatant needs to come within reach of another, from the map as it stands."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from turnwright.encounter.prepared import Map
from turnwright.encounter.running import Combatant, Relation
from turnwright.rules.parts import positions

if TYPE_CHECKING:
    from turnwright.forecast.building.questions import Questions

MOST_MOVES: Final = 40  # as far away as can't be reached
FROM_AFAR: Final = 1  # of reinforcements, which come from where nothing is drawn


def moves_away(questions: Questions) -> list[list[int]]:
    """Return for each combatant how many moves it needs to reach each other; 0 where nothing is known of places."""
    begun, rules, known = questions.begun, questions.rules, questions.known
    said = tuple(begun.all(Relation))  # of two combatants, by their ids
    drawn = known.number_of((*begun.all(Map), *said))
    at = {
        who: known.number_of((questions.class_of[who], one.position, one.elevation, who if said else ""))
        for who, one in _placed(questions)
    }
    on_map = any(positions.space(begun, rules, who) is not None for who in at)

    def moves(who: str, other: str) -> int | None:
        feet = positions.distance(begun, rules, who, other)
        if feet is None:
            return None
        speeds = (rules.allowance(begun, rules, who, mode) for mode in ("walk", "fly"))
        speed = max((each.total for each in speeds if each is not None), default=0)
        beyond = max(0, feet - positions.melee_reach(begun, who))
        return min(MOST_MOVES, -(-beyond // speed)) if speed > 0 else MOST_MOVES if beyond else 0

    found = []
    for one in questions.combatants:
        row = []
        for other in questions.combatants:
            away: int | None = 0
            if other.side != one.side:
                key = ("moves", drawn, at[one.id], at[other.id])
                away = questions.remembered(key, partial(moves, one.id, other.id))
            row.append(away if away is not None else FROM_AFAR if on_map else 0)
        found.append(row)
    return found


def _placed(questions: Questions) -> list[tuple[str, Combatant]]:
    """Return the combatants, each with its place in the encounter itself."""
    return [(one.id, questions.begun.need(Combatant, one.id)) for one in questions.combatants]
