"""Pathfinder 2e's encounter mode, put together from shared parts and its data."""

from __future__ import annotations

from dataclasses import replace

from turnwright.rules.catalogue import Catalogue
from turnwright.rules.parts import damage_steps, family
from turnwright.rules.system import DamageRules, RuleSystem

ID = "pf2e"


def build(catalogue: Catalogue) -> RuleSystem:
    """Return the system over its data."""
    shared = family.system(catalogue)
    return replace(
        shared,
        damage=DamageRules(steps=(damage_steps.immunity, damage_steps.weakness, damage_steps.lessening)),
        rounds=replace(
            shared.rounds,
            turn_start=(
                "begun",
                "rounds",
                "expire",
                "dying",
                "notes",
                "recharges",
                "trigger",
                "breath",
                "world",
                "regain",
            ),
            turn_end=(
                "expire",
                "turns",
                "surroundings",
                "ongoing",
                "flat",
                "afflictions",
                "conditions",
                "rows",
                "notes",
                "trigger",
                "legendary",
                "lapse",
            ),
            chosen=True,
            chain=("ongoing", "flat", "afflictions", "conditions"),
        ),
    )
