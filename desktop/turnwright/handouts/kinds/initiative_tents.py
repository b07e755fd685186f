"""Tents to hang over the screen in the order of initiative: a name towards the players, figures towards who runs it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from turnwright.handouts.members import Company, Member
from turnwright.handouts.packet import Section
from turnwright.handouts.source import Kind, Leaf, Source
from turnwright.handouts.world import one_line
from turnwright.rules.parts.stat_block.sections import LINES

ID: Final = "initiative-tents"
BIG: Final = ("ac", "hp", "saves", "initiative")  # what stands in figures of its own
BESIDES: Final = ("senses",)  # passive scores are among them


def make(source: Source) -> Leaf:
    """Return a tent for each who has a place in the order, nothing where nobody has."""
    company = Company(source)
    tents = [_tent(source, company, one) for one in company.chosen() if not one.entry.bystander]
    words = {
        "ac": source.say("ui.roster.ac"),
        "hp": source.say("ui.roster.hp"),
        "initiative": source.say("handout.encounter-sheet.initiative"),
    }
    return Leaf((Section(ID, {"tents": tents, "words": words}),)) if tents else Leaf()


def _tent(source: Source, company: Company, member: Member) -> dict[str, Any]:
    return {
        "name": member.label,
        "player": one_line(member.entry.player),
        "kind": member.kind,
        "ac": member.ac,
        "hp": member.hp,
        "initiative": company.initiative(member),
        "saves": company.saves(member),
        "lines": [line for row in _rows(source) if (line := company.line(member, row)) is not None],
    }


def _rows(source: Source) -> Iterable[str]:
    """Yield the lines of the back: those that the game puts first, and what its creatures notice."""
    shown = source.rules.catalogue.presentation
    wanted = dict.fromkeys((*shown.top, *(row for row in BESIDES if shown.has(row))))
    return (row for row in wanted if row.partition(".")[0] in (*LINES, "skill") and row not in BIG)


KIND = Kind(ID, make)
