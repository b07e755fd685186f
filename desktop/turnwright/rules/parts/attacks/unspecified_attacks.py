"""Attacks of a game that says neither what is rolled to hit nor against what: a person says whether one does.

What is known is still listed: the edges, the figure of the stat block, and what the weapon deals.
"""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Roll, RollSpec
from turnwright.encounter.procedure_state.attacks import AttackInProgress, AttackOutcome
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.parts.attacks import attack_rolls
from turnwright.rules.system import AttackRoll, RuleSystem


def roll(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> AttackRoll:
    """Return the roll with all edges, and no more added than the stat block says of this attack."""
    means = msgspec.structs.replace(attack.weapon, attack=attack.weapon.attack or 0)
    return attack_rolls.attack_roll(lookup, rules, msgspec.structs.replace(attack, weapon=means))


def target_armor_class(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> ExplainedNumber | None:
    """Return that nobody knows what has to be met."""
    return None


def outcome(rules: RuleSystem, roll: Roll, armor_class: int, critical: bool) -> AttackOutcome:
    """Return that no total settles it."""
    return ""


def damage(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> RollSpec | None:
    """Return what the attack itself deals; None where that is for a person to enter."""
    return RollSpec(attack.weapon.damage) if attack.weapon.damage else None
