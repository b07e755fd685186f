"""Level Up: Advanced 5th Edition's turn-based action, put together from shared parts and its data."""

from __future__ import annotations

from turnwright.rules.parts import d20_family
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data import SystemData

ID = "a5e"


def build(data: SystemData) -> RuleSystem:
    """Return the system over its data."""
    return d20_family.d20_system(data)
