"""Strikes: attacks in games with a multiple attack penalty, each with the bonuses of later attacks in the turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnwright.encounter.prepared import Feature
from turnwright.rules.parts.attacks.weapon_kind import MELEE, RANGED, attack_kind, is_attack, is_spell
from turnwright.rules.parts.stat_block.text_runs import StatBlockNames
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.statements import Compound, Fact, parse_statement
from turnwright.rules.word_keys import signed_text

_SAID_OTHERWISE: Final = ("weapon", "attack", "spell", "item", "ranged", "reach", "thrown", "sure-hit", "range")
_MOST: Final = 5


def is_strike(feature: Feature) -> bool:
    """Return whether a feature is a Strike: an attack that takes one action and isn't a spell."""
    return feature.cost == "action" and feature.price == 1 and is_attack(feature) and not is_spell(feature)


def kinds_of_strike(feature: Feature) -> tuple[str, ...]:
    """Return the kinds of a Strike: `melee`, `ranged`, or both for a weapon that can be thrown."""
    if feature.reach and (feature.range or "thrown" in feature.properties):
        return (MELEE, RANGED)
    return (attack_kind(feature),)


def later_bonuses(data: SystemData, feature: Feature, bonus: int) -> tuple[int, ...]:
    """Return the bonuses of a turn's second, third and further attacks, until they no longer get worse."""
    penalty = next((condition for condition in data.conditions if condition.id == data.attack.tally), None)
    if penalty is None or not data.attack.tally:
        return ()
    bonuses: list[int] = []
    for level in range(1, _MOST):
        lost = sum(
            rule.add
            for rule in penalty.rules
            if rule.kind == "modifier"
            and rule.what == "attack"
            and _holds(parse_statement(rule.when).tree, feature, level)
        )
        if bonus + lost >= (bonuses[-1] if bonuses else bonus):
            break
        bonuses.append(bonus + lost)
    return tuple(bonuses)


def _holds(tree: Fact | Compound, feature: Feature, level: int) -> bool:
    """Return whether a statement is true of an attack after `level` others in the same turn."""
    if isinstance(tree, Compound):
        return (any if tree.either else all)(_holds(part, feature, level) for part in tree.parts)
    is_true = (
        level >= tree.number if tree.word == "level" else tree.word == "with" and tree.argument in feature.properties
    )
    return is_true != tree.negated


def later_bonuses_text(data: SystemData, feature: Feature, bonus: int) -> str:
    """Return the bonuses of later attacks as written after the first: ` [+6/+1]`."""
    later = later_bonuses(data, feature, bonus)
    return f" [{'/'.join(signed_text(later_bonus) for later_bonus in later)}]" if later else ""


def traits_of(feature: Feature) -> list[str]:
    """Return a feature's traits by name, in alphabetical order."""
    return sorted(property_.replace("-", " ") for property_ in feature.properties if property_ not in _SAID_OTHERWISE)


def strike_traits(feature: Feature, kind: str, names: StatBlockNames) -> list[str]:
    """Return the traits of a Strike, including its reach if longer than usual, and its range."""
    return sorted([*traits_of(feature), *_distances(feature, kind, names)])


def _distances(feature: Feature, kind: str, names: StatBlockNames) -> Iterator[str]:
    settings = names.data.attack
    if kind == MELEE:
        if feature.reach and feature.reach != settings.reach:
            yield names.styled("reach-of", distance=names.distance(feature.reach))
        if len(kinds_of_strike(feature)) > 1 and feature.range:
            yield names.styled("thrown", distance=names.distance(feature.range))
    elif feature.range:
        is_thrown = "thrown" in feature.properties
        yield names.styled("thrown" if is_thrown else "increment", distance=names.distance(feature.range))
