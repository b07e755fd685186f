"""D&D 5e's combat (the 2014 rules), put together from shared parts and its data."""

from __future__ import annotations

from dataclasses import replace

from turnwright.rules.catalogue import Catalogue
from turnwright.rules.parts import family, narrow
from turnwright.rules.system import RuleSystem

ID = "dnd5e"


def build(catalogue: Catalogue) -> RuleSystem:
    """Return the system over its data."""
    shared = family.system(catalogue)
    return replace(shared, movement=replace(shared.movement, cost=narrow.cost))
