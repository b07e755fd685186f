"""Weapon properties that apply on a critical hit: extra dice, and larger dice.

A property has the form `deadly-d10` or `deadly-2d10`. The words and their effects are in the game's data.
"""

from __future__ import annotations

import re

from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.rules.system import RuleSystem

_DIE = re.compile(r"(?P<word>[a-z-]+)-(?P<count>\d*)d(?P<sides>\d+)")
_FIRST = re.compile(r"(?P<count>\d*)d\d+")


def extra_critical_dice(rules: RuleSystem, attack: AttackInProgress) -> str:
    """Return the extra dice of a critical hit, which are never multiplied, or an empty string if there are none."""
    if not attack.critical:
        return ""
    matches = _matching_properties(attack.weapon, rules.data.attack.adds_die)
    return " + ".join(f"{match['count'] or 1}d{match['sides']}" for match in matches)


def enlarged_dice(rules: RuleSystem, attack: AttackInProgress) -> str:
    """Return a weapon's damage. On a critical hit, some properties enlarge its first dice."""
    damage = attack.weapon.damage
    matches = _matching_properties(attack.weapon, rules.data.attack.grows_die) if attack.critical else []
    return _FIRST.sub(rf"\g<count>d{matches[0]['sides']}", damage, count=1) if matches else damage


def _matching_properties(weapon: Feature, words: tuple[str, ...]) -> list[re.Match[str]]:
    matches = (_DIE.fullmatch(property_) for property_ in weapon.properties)
    return [match for match in matches if match is not None and match["word"] in words]
