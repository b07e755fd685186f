"""Pathfinder 2e's encounter mode, put together from shared parts and its data."""

from __future__ import annotations

from dataclasses import replace

from turnwright.rules.parts import d20_family
from turnwright.rules.parts.damage import damage_steps
from turnwright.rules.system import DamageRules, RuleSystem
from turnwright.rules.system_data import SystemData

ID = "pf2e"


def build(data: SystemData) -> RuleSystem:
    """Return the system over its data."""
    shared = d20_family.d20_system(data)
    return replace(
        shared,
        damage=DamageRules(
            steps=(damage_steps.immunity, damage_steps.weakness_by_amount, damage_steps.resistance_by_amount)
        ),
        rounds=replace(
            shared.rounds,
            turn_start=(
                "turn-started",
                "count-rounds",
                "expire",
                "zero-hp",
                "reminders",
                "recharges",
                "trigger",
                "catch-breath",
                "world-turn",
                "refill",
            ),
            turn_end=(
                "expire",
                "count-turns",
                "environment",
                "ongoing",
                "flat-checks",
                "afflictions",
                "condition-decrease",
                "environment-entries",
                "reminders",
                "trigger",
                "legendary",
                "lose-unspent",
            ),
            order_chosen=True,
            fixed_chain=("ongoing", "flat-checks", "afflictions", "condition-decrease"),
        ),
    )
