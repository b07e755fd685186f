"""How many moves a combatant needs to come within reach of another, measured on the current map."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from turnwright.encounter.prepared import Map
from turnwright.encounter.running import Combatant, Relation
from turnwright.rules.parts import positions

if TYPE_CHECKING:
    from turnwright.forecast.building.questions import Questions

MOST_MOVES: Final = 40  # the limit; also used if the distance can't be covered
FROM_AFAR: Final = 1  # move of reinforcements, which arrive from off the map


def moves_away(questions: Questions) -> list[list[int]]:
    """Return how many moves each combatant needs to reach each other combatant; 0 if no positions are known."""
    encounter, rules, answers = questions.begun, questions.rules, questions.known
    relations = tuple(encounter.all(Relation))  # relations name two combatants by their ids
    map_number = answers.number_of((*encounter.all(Map), *relations))
    at = {
        who: answers.number_of(
            (questions.class_of[who], combatant.position, combatant.elevation, who if relations else "")
        )
        for who, combatant in _placed(questions)
    }
    on_map = any(positions.space(encounter, rules, who) is not None for who in at)

    def moves(who: str, other: str) -> int | None:
        feet = positions.distance(encounter, rules, who, other)
        if feet is None:
            return None
        speeds = (rules.allowance(encounter, rules, who, mode) for mode in ("walk", "fly"))
        speed = max((each.total for each in speeds if each is not None), default=0)
        beyond = max(0, feet - positions.melee_reach(encounter, who))
        return min(MOST_MOVES, -(-beyond // speed)) if speed > 0 else MOST_MOVES if beyond else 0

    table = []
    for combatant in questions.combatants:
        row = []
        for other in questions.combatants:
            away: int | None = 0
            if other.side != combatant.side:
                key = ("moves", map_number, at[combatant.id], at[other.id])
                away = questions.remembered(key, partial(moves, combatant.id, other.id))
            row.append(away if away is not None else FROM_AFAR if on_map else 0)
        table.append(row)
    return table


def _placed(questions: Questions) -> list[tuple[str, Combatant]]:
    """Return the combatants, each paired with its record in the original encounter, which includes its position."""
    return [(combatant.id, questions.begun.need(Combatant, combatant.id)) for combatant in questions.combatants]
