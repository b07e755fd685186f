"""Attacks of a game that says neither what is rolled to hit nor against what: a person says whether one does.

What is known is still listed: the edges, the figure of the stat block, and what the weapon deals.
"""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Roll, RollSpec
from turnwright.encounter.pending import Assault, AttackOutcome
from turnwright.encounter.state import Lookup
from turnwright.rules.figures import Figure
from turnwright.rules.parts import attacks
from turnwright.rules.system import AttackRoll, RuleSystem


def roll(lookup: Lookup, rules: RuleSystem, assault: Assault) -> AttackRoll:
    """Return the roll with all edges, and no more added than the stat block says of this attack."""
    means = msgspec.structs.replace(assault.means, attack=assault.means.attack or 0)
    return attacks.attack_roll(lookup, rules, msgspec.structs.replace(assault, means=means))


def defence(lookup: Lookup, rules: RuleSystem, assault: Assault) -> Figure | None:
    """Return that nobody knows what has to be met."""
    return None


def outcome(rules: RuleSystem, roll: Roll, armor_class: int, critical: bool) -> AttackOutcome:
    """Return that no total settles it."""
    return ""


def damage(lookup: Lookup, rules: RuleSystem, assault: Assault) -> RollSpec | None:
    """Return what the attack itself deals; None where that is for a person to enter."""
    return RollSpec(assault.means.damage) if assault.means.damage else None
