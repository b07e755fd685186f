"""The chance of surprise at the start of a fight: checks of sneaking combatants against the others' scores."""

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
SNEAK, NOTICE = "dex:stealth", "wis:perception"  # the default checks
Totals = dict[int, float]


def is_surprise_open(questions: Questions) -> bool:
    """Return whether surprise is still undecided: some combatants sneak, and the fight hasn't begun."""
    clock, rules = clock_of(questions.begun), questions.rules
    sneaks = {combatant.sneaking for combatant in questions.combatants}
    return rules.has_surprise and clock.phase != "rounds" and not clock.surprise_settled and len(sneaks) > 1


def surprised(questions: Questions, waiting: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Return each combatant's chance of being surprised, in thousandths."""
    role = questions.rules.role("surprised")
    chances = {
        combatant.id: CERTAIN
        for combatant in questions.combatants
        if effects_named(questions.begun, combatant.id, role)
    }
    if not is_surprise_open(questions) or questions.rules.data.surprise.sides:
        return chances
    away = {who for members in waiting.values() for who in members}
    here = [combatant for combatant in questions.combatants if combatant.id not in away]
    hidden = [_totals(questions, combatant, _check(questions, combatant)) for combatant in here if combatant.sneaking]
    if hidden:
        for combatant in here:
            if not combatant.sneaking:
                chance = sum(
                    share * _all_above(hidden, total) for total, share in _held_against(questions, combatant).items()
                )
                chances[combatant.id] = round(CERTAIN * chance)
    return chances


def _check(questions: Questions, combatant: Combatant) -> str:
    game_check = questions.rules.data.surprise.check
    return game_check or combatant.check or (SNEAK if combatant.sneaking else NOTICE)


def _held_against(questions: Questions, combatant: Combatant) -> Totals:
    """Return the chances of each number that a sneaking combatant must exceed to surprise a combatant."""
    against = questions.rules.data.surprise.against
    if not against:
        return _totals(questions, combatant, _check(questions, combatant))
    return {score_against_sneaking(questions.placeless, questions.rules, combatant.id): 1.0}


def score_against_sneaking(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the score that a sneaking combatant must exceed.

    If the stat block doesn't list it, it is the base DC plus the bonus to the check.
    """
    score = known_number(lookup, rules, who, rules.data.surprise.against)
    if score is not None:
        return score
    return rules.data.checks.dc_base + sum(
        modifier.value for modifier in check_roll(lookup, rules, who, NOTICE).modifiers
    )


def _totals(questions: Questions, combatant: Combatant, check: str) -> Totals:
    """Return the chance of each total of a check."""
    spec, die = check_roll(questions.placeless, questions.rules, combatant.id, check), questions.die
    bonus, more = sum(modifier.value for modifier in spec.modifiers), questions.edge_of(spec)
    count = 1 + abs(more)

    def up_to(face: int) -> float:
        return (face / die) ** count if more >= 0 else 1 - (1 - face / die) ** count

    return {face + bonus: up_to(face) - up_to(face - 1) for face in range(1, die + 1)}


def _all_above(hidden: list[Totals], total: int) -> float:
    """Return the chance that all sneaking combatants exceed a total."""
    chance = 1.0
    for totals in hidden:
        chance *= sum(share for each, share in totals.items() if each > total)
    return chance
