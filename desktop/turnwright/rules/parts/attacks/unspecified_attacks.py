"""Attacks of a game without rules for hitting: a person decides whether an attack hits.

What is known is still listed: the edges, the number of the stat block, and the weapon's damage.
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
    """Return the roll with all edges and only the stat block's own bonus."""
    means = msgspec.structs.replace(attack.weapon, attack=attack.weapon.attack or 0)
    return attack_rolls.attack_roll(lookup, rules, msgspec.structs.replace(attack, weapon=means))


def target_armor_class(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> ExplainedNumber | None:
    """Return None: the number to meet is unknown."""
    return None


def outcome(rules: RuleSystem, roll: Roll, armor_class: int, critical: bool) -> AttackOutcome:
    """Return an empty outcome: no total settles it."""
    return ""


def damage(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> RollSpec | None:
    """Return the damage roll of the attack; None where a person enters it."""
    return RollSpec(attack.weapon.damage) if attack.weapon.damage else None
