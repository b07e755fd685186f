"""The price of an attack, and the number of attacks per Attack action."""

from __future__ import annotations

from typing import Final

from turnwright.encounter.prepared import Creature
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.rules.parts.attacks.weapon_kind import is_spell
from turnwright.rules.system import RuleSystem

FREE: Final = "free"
COMMANDED_BY_RIDER: Final = "ordered"  # tag of attacks that a rider has already paid for
REACTION_PURPOSES: Final = ("opportunity", "readied")


def attacks_per_action(creature: Creature) -> int:
    """Return the number of attacks per Attack action: the creature's own number, or a multiattack's."""
    return max([creature.attacks, *(feature.attacks for feature in creature.features)])


def attack_resource(rules: RuleSystem, attack: AttackInProgress) -> str:
    """Return the resource that pays for an attack: `attack`, `off-hand`, another one, or an empty string if free."""
    if attack.purpose in REACTION_PURPOSES:
        return "reaction"
    if attack.purpose == FREE or COMMANDED_BY_RIDER in attack.tags:
        return ""
    if attack.purpose and attack.purpose != "commanded":
        return attack.purpose
    cost = attack.weapon.cost
    if cost in ("bonus", "reaction", "legendary"):
        return cost
    if cost == "lair":
        return ""
    by_itself = is_spell(attack.weapon) or rules.data.attack.priced
    return "action" if by_itself else "attack"
