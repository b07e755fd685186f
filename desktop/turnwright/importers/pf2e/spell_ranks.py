"""Formats spells as lines of text, one line per rank."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class RankedSpell(msgspec.Struct, frozen=True):
    """One spell and its rank, 0 if unknown. `note` is its frequency or condition."""

    name: str
    rank: int
    note: str = ""
    cantrip: bool = False
    ritual: bool = False
    constant: bool = False


def rank_lines(spells: Iterable[RankedSpell]) -> tuple[str, ...]:
    """Return a line for each rank, the highest first, then cantrips, then constant spells."""
    listed = list(spells)
    heads = sorted({(spell.constant, spell.cantrip, -spell.rank) for spell in listed})
    lines = []
    for constant, cantrip, rank in heads:
        rank_spells = [
            spell for spell in listed if (spell.constant, spell.cantrip, -spell.rank) == (constant, cantrip, rank)
        ]
        names = ", ".join(f"{spell.name} ({spell.note})" if spell.note else spell.name for spell in rank_spells)
        place = _ordinal(-rank)
        head = f"Cantrips ({place})" if cantrip and rank else "Cantrips" if cantrip else place or "Spells"
        lines.append(f"{f'Constant ({place})' if constant else head}: {names}")
    return tuple(lines)


def _ordinal(rank: int) -> str:
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }" if rank else ""
