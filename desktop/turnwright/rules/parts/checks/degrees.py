"""Degrees of success: success or failure, and in some games critical ones."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from turnwright.dice.roll import Roll
from turnwright.encounter.procedure_state.asks import (
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    FAILED,
    FAILURE,
    MADE,
    SUCCESS,
    Degree,
    Option,
)
from turnwright.encounter.procedure_state.attacks import CRITICAL, FUMBLE, HIT, MISS, AttackOutcome
from turnwright.rules.system import RuleSystem

LADDER: Final[tuple[Degree, ...]] = (CRITICAL_FAILURE, FAILURE, SUCCESS, CRITICAL_SUCCESS)
ATTACKS: Final[Mapping[str, AttackOutcome]] = MappingProxyType(
    {CRITICAL_SUCCESS: CRITICAL, SUCCESS: HIT, FAILURE: MISS, CRITICAL_FAILURE: FUMBLE}
)
NO_SHARE: Final = "none"
SHARES: Final[Mapping[str, str]] = MappingProxyType(
    {CRITICAL_SUCCESS: NO_SHARE, SUCCESS: "half", FAILURE: "full", CRITICAL_FAILURE: "double"}
)


def degree_of(rules: RuleSystem, roll: Roll, dc: int) -> Degree | None:
    """Return the degree of success of a roll against a DC, or None if its total is unknown.

    In games with degrees, a total that beats or misses the DC by a wide margin is critical. Two special die faces make
    the degree one step better or worse.
    """
    if roll.total is None:
        return None
    settings = rules.data.checks
    step = LADDER.index(SUCCESS if roll.total >= dc else FAILURE)
    if settings.degrees:
        if abs(roll.total - dc) >= settings.degrees:
            step += 1 if roll.total >= dc else -1
        if roll.natural is not None:
            step += (roll.natural == settings.raises) - (roll.natural == settings.lowers)
    return LADDER[min(max(step, 0), len(LADDER) - 1)]


def is_success(degree: str) -> bool:
    """Return whether a degree is a success."""
    return degree in (SUCCESS, CRITICAL_SUCCESS)


def attack_outcome(rules: RuleSystem, roll: Roll, armor_class: int, critical: bool) -> AttackOutcome:
    """Return the outcome of an attack based on its degree of success, or an empty string if the total is unknown.

    `critical`: a hit is a critical hit.
    """
    degree = degree_of(rules, roll, armor_class)
    if degree is None:
        return ""
    outcome = ATTACKS[degree]
    return CRITICAL if critical and outcome == HIT else outcome


def result_options(rules: RuleSystem) -> tuple[Option, ...]:
    """Return the options for reporting a roll whose dice are unknown."""
    if not rules.data.checks.degrees:
        return (Option(MADE, "option.made"), Option(FAILED, "option.failed"))
    return tuple(Option(degree, f"degree.{degree}") for degree in reversed(LADDER))


def attack_result_options(rules: RuleSystem) -> tuple[Option, ...]:
    """Return the options for reporting an attack whose dice are unknown."""
    outcomes = (CRITICAL, HIT, MISS, FUMBLE) if rules.data.checks.degrees else (HIT, CRITICAL, MISS)
    return tuple(Option(outcome, f"option.{outcome}") for outcome in outcomes)


def reported_degree(options: tuple[str, ...]) -> Degree:
    """Return the degree of success that the game master reported."""
    reported = next((degree for degree in LADDER if degree in options), None)
    return reported or (SUCCESS if MADE in options else FAILURE)


def share_for(rules: RuleSystem, degree: str | None) -> str:
    """Return the share of damage for the degree of a basic save, or full damage if there was no save."""
    if degree is None:
        return SHARES[FAILURE]
    if not rules.data.checks.degrees:
        return SHARES[SUCCESS] if is_success(degree) else SHARES[FAILURE]
    return SHARES[degree]


def degree_if_used(rules: RuleSystem, degree: str) -> str:
    """Return the degree in a game with degrees of success, else an empty string."""
    return degree if rules.data.checks.degrees else ""
