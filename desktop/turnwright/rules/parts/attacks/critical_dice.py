"""Weapon properties that act on a critical hit: extra dice, and larger dice.

A property reads `deadly-d10` or `deadly-2d10`; the words and their effects are in the game's data.
"""

from __future__ import annotations

import re

from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.rules.system import RuleSystem

_DIE = re.compile(r"(?P<word>[a-z-]+)-(?P<count>\d*)d(?P<sides>\d+)")
_FIRST = re.compile(r"(?P<count>\d*)d\d+")


def extra_critical_dice(rules: RuleSystem, attack: AttackInProgress) -> str:
    """Return the extra dice of a critical hit, which nothing multiplies; empty for none."""
    if not attack.critical:
        return ""
    found = _matching_properties(attack.weapon, rules.data.attack.adds_die)
    return " + ".join(f"{one['count'] or 1}d{one['sides']}" for one in found)


def enlarged_dice(rules: RuleSystem, attack: AttackInProgress) -> str:
    """Return the damage of a weapon, its first dice enlarged on a critical hit."""
    damage = attack.weapon.damage
    found = _matching_properties(attack.weapon, rules.data.attack.grows_die) if attack.critical else []
    return _FIRST.sub(rf"\g<count>d{found[0]['sides']}", damage, count=1) if found else damage


def _matching_properties(weapon: Feature, words: tuple[str, ...]) -> list[re.Match[str]]:
    matches = (_DIE.fullmatch(one) for one in weapon.properties)
    return [one for one in matches if one is not None and one["word"] in words]
