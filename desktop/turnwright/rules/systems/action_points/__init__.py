"""The action point game, put together from shared parts and its data."""

from __future__ import annotations

from dataclasses import replace

from turnwright.rules.catalogue import Catalogue
from turnwright.rules.parts import bare_attacks, damage_steps, family, statuses
from turnwright.rules.system import DamageRules, RuleSystem

ID = "action_points"


def build(catalogue: Catalogue) -> RuleSystem:
    """Return the system over its data."""
    shared = family.system(catalogue)
    return replace(
        shared,
        attack=replace(
            shared.attack,
            roll=bare_attacks.roll,
            defence=bare_attacks.defence,
            outcome=bare_attacks.outcome,
            damage=bare_attacks.damage,
        ),
        damage=DamageRules(
            steps=(
                statuses.quenched,
                damage_steps.immunity,
                statuses.absorption,
                statuses.resistance,
                statuses.weakness,
            )
        ),
    )
