"""Level Up: Advanced 5th Edition's turn-based action, put together from shared parts and its data."""

from __future__ import annotations

from turnwright.rules.catalogue import Catalogue
from turnwright.rules.parts import family
from turnwright.rules.system import RuleSystem

ID = "a5e"


def build(catalogue: Catalogue) -> RuleSystem:
    """Return the system over its data."""
    return family.system(catalogue)
