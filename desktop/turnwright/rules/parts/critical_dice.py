"""What the properties of a weapon do to its dice on a critical hit: a die thrown besides, and dice that grow.

A property reads `deadly-d10` or `deadly-2d10`; which words mean what stands in the game's data.
"""

from __future__ import annotations

import re

from turnwright.encounter.pending import Assault
from turnwright.encounter.prepared import Feature
from turnwright.rules.system import RuleSystem

_DIE = re.compile(r"(?P<word>[a-z-]+)-(?P<count>\d*)d(?P<sides>\d+)")
_FIRST = re.compile(r"(?P<count>\d*)d\d+")


def added(rules: RuleSystem, assault: Assault) -> str:
    """Return the dice that a critical hit throws besides, which nothing multiplies; empty for none."""
    if not assault.critical:
        return ""
    found = _named(assault.means, rules.catalogue.attack.adds_die)
    return " + ".join(f"{one['count'] or 1}d{one['sides']}" for one in found)


def grown(rules: RuleSystem, assault: Assault) -> str:
    """Return the damage of a means of attack, its first dice as large as a critical hit has them."""
    damage = assault.means.damage
    found = _named(assault.means, rules.catalogue.attack.grows_die) if assault.critical else []
    return _FIRST.sub(rf"\g<count>d{found[0]['sides']}", damage, count=1) if found else damage


def _named(means: Feature, words: tuple[str, ...]) -> list[re.Match[str]]:
    matches = (_DIE.fullmatch(one) for one in means.properties)
    return [one for one in matches if one is not None and one["word"] in words]
