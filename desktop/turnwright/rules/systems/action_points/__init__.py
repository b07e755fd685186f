"""The action point game, put together from shared parts and its data."""

from __future__ import annotations

from dataclasses import replace

from turnwright.rules.parts import d20_family
from turnwright.rules.parts.attacks import unspecified_attacks
from turnwright.rules.parts.damage import damage_steps, status_damage_steps
from turnwright.rules.system import DamageRules, RuleSystem
from turnwright.rules.system_data import SystemData

ID = "action_points"


def build(data: SystemData) -> RuleSystem:
    """Return the system over its data."""
    shared = d20_family.d20_system(data)
    return replace(
        shared,
        attack=replace(
            shared.attack,
            roll=unspecified_attacks.roll,
            target_ac=unspecified_attacks.target_armor_class,
            outcome=unspecified_attacks.outcome,
            damage=unspecified_attacks.damage,
        ),
        damage=DamageRules(
            steps=(
                status_damage_steps.negated_by_environment,
                damage_steps.immunity,
                status_damage_steps.absorption,
                status_damage_steps.resistance,
                status_damage_steps.weakness,
            )
        ),
    )
