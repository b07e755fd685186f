"""Stat blocks in two columns, each in the style of its game. Nobody's stat block is for the players."""

from __future__ import annotations

from typing import Final

from turnwright.handouts.blocks import block_of, creatures_of
from turnwright.handouts.packet import Section
from turnwright.handouts.source import Kind, Leaf, Source

ID: Final = "stat-blocks"


def make(source: Source) -> Leaf:
    """Return the stat blocks asked for; nothing where there is none."""
    blocks = [block_of(creature, source) for creature in creatures_of(source)]
    if not blocks:
        return Leaf()
    return Leaf((Section(ID, {"style": source.rules.catalogue.presentation.style, "creatures": blocks}),))


KIND: Final = Kind(ID, make)
