"""Spells by their ranks, as lines of text."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class RankedSpell(msgspec.Struct, frozen=True):
    """One spell at a rank, 0 for an unknown rank. `note` is its frequency or condition."""

    name: str
    rank: int
    note: str = ""
    cantrip: bool = False
    ritual: bool = False
    constant: bool = False


def rank_lines(spells: Iterable[RankedSpell]) -> tuple[str, ...]:
    """Return a line for each rank, the highest first, then cantrips, then constant spells."""
    listed = list(spells)
    heads = sorted({(one.constant, one.cantrip, -one.rank) for one in listed})
    found = []
    for constant, cantrip, rank in heads:
        own = [one for one in listed if (one.constant, one.cantrip, -one.rank) == (constant, cantrip, rank)]
        names = ", ".join(f"{one.name} ({one.note})" if one.note else one.name for one in own)
        place = _ordinal(-rank)
        head = f"Cantrips ({place})" if cantrip and rank else "Cantrips" if cantrip else place or "Spells"
        found.append(f"{f'Constant ({place})' if constant else head}: {names}")
    return tuple(found)


def _ordinal(rank: int) -> str:
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }" if rank else ""
