"""D&D 5e's combat (the 2014 rules), put together from shared parts and its data."""

from __future__ import annotations

from dataclasses import replace

from turnwright.rules.parts import d20_family
from turnwright.rules.parts.movement import squeezing
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data import SystemData

ID = "dnd5e"


def build(data: SystemData) -> RuleSystem:
    """Return the system over its data."""
    shared = d20_family.d20_system(data)
    return replace(shared, movement=replace(shared.movement, cost=squeezing.movement_cost))
