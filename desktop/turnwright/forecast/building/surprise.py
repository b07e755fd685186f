"""The chance of being surprised as a fight begins, from the checks of those who sneak and what they are held against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from turnwright.encounter.lookups import clock_of, effects_named
from turnwright.rules.parts.checks.ability_checks import check_roll
from turnwright.rules.parts.checks.action_checks import known_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from turnwright.encounter.running import Combatant
    from turnwright.encounter.state import Lookup
    from turnwright.forecast.building.questions import Questions
    from turnwright.rules.system import RuleSystem

CERTAIN: Final = 1000
SNEAK, NOTICE = "dex:stealth", "wis:perception"  # the checks of sides where nobody has one of its own
Totals = dict[int, float]


def is_surprise_open(questions: Questions) -> bool:
    """Return whether some sneak while the fight has not begun and nothing is settled about who notices them."""
    clock, rules = clock_of(questions.begun), questions.rules
    sneaks = {one.sneaking for one in questions.combatants}
    return rules.has_surprise and clock.phase != "rounds" and not clock.surprise_settled and len(sneaks) > 1


def surprised(questions: Questions, waiting: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Return how many times of a thousand each combatant is surprised."""
    role = questions.rules.role("surprised")
    found = {one.id: CERTAIN for one in questions.combatants if effects_named(questions.begun, one.id, role)}
    if not is_surprise_open(questions) or questions.rules.data.surprise.sides:
        return found
    away = {who for members in waiting.values() for who in members}
    here = [one for one in questions.combatants if one.id not in away]
    hidden = [_totals(questions, one, _check(questions, one)) for one in here if one.sneaking]
    if hidden:
        for one in here:
            if not one.sneaking:
                chance = sum(
                    share * _all_above(hidden, total) for total, share in _held_against(questions, one).items()
                )
                found[one.id] = round(CERTAIN * chance)
    return found


def _check(questions: Questions, one: Combatant) -> str:
    named = questions.rules.data.surprise.check
    return named or one.check or (SNEAK if one.sneaking else NOTICE)


def _held_against(questions: Questions, one: Combatant) -> Totals:
    """Return the chances of the number that a sneaker has to exceed to surprise a combatant."""
    against = questions.rules.data.surprise.against
    if not against:
        return _totals(questions, one, _check(questions, one))
    return {score_against_sneaking(questions.placeless, questions.rules, one.id): 1.0}


def score_against_sneaking(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the score that a sneaker has to exceed; where the stat block gives none, the base of DCs and the check's bonus."""
    known = known_number(lookup, rules, who, rules.data.surprise.against)
    if known is not None:
        return known
    return rules.data.checks.dc_base + sum(one.value for one in check_roll(lookup, rules, who, NOTICE).modifiers)


def _totals(questions: Questions, one: Combatant, check: str) -> Totals:
    """Return the chances of the totals of a check."""
    spec, die = check_roll(questions.placeless, questions.rules, one.id, check), questions.die
    bonus, more = sum(each.value for each in spec.modifiers), questions.edge_of(spec)
    count = 1 + abs(more)

    def up_to(face: int) -> float:
        return (face / die) ** count if more >= 0 else 1 - (1 - face / die) ** count

    return {face + bonus: up_to(face) - up_to(face - 1) for face in range(1, die + 1)}


def _all_above(hidden: list[Totals], total: int) -> float:
    """Return the chance that all who sneak exceed a total."""
    chance = 1.0
    for totals in hidden:
        chance *= sum(share for each, share in totals.items() if each > total)
    return chance
