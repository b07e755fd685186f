"""Tents to hang over the screen in initiative order: a name towards the players, numbers towards the game master."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageContent, PageInput, PageKind
from turnwright.handouts.print_document import Picture, Section
from turnwright.handouts.roster_members import RosterMember, RosterMembers

ID: Final = "initiative-tents"
BACK_LINES: Final = ("skill.perception", "speeds", "pools", "senses")  # passive scores are among senses


def make(source: PageInput) -> PageContent:
    """Return a tent for each member with a place in the initiative order, nothing where there is none."""
    company = RosterMembers(source)
    placed = [one for one in company.selected() if not one.entry.bystander]
    faces = [source.printable_portrait(one.entry) for one in placed]
    tents = [_tent(source, company, one, face) for one, face in zip(placed, faces, strict=True)]
    pictures = tuple({face.name: face for face in faces if face is not None}.values())
    words = {
        "ac": source.text("ui.roster.ac"),
        "hp": source.text("ui.roster.hp"),
        "initiative": source.text("handout.encounter-sheet.initiative"),
    }
    return PageContent((Section(ID, {"tents": tents, "words": words}),), pictures) if tents else PageContent()


def _tent(source: PageInput, company: RosterMembers, member: RosterMember, face: Picture | None) -> dict[str, Any]:
    return {
        "name": member.label,
        "player": one_line(member.entry.player),
        "portrait": face.name if face is not None else "",
        "kind": member.kind,
        "ac": member.ac,
        "hp": member.hp,
        "initiative": company.initiative(member),
        "saves": company.saves(member),
        "lines": [line for row in _rows(source) if (line := company.stat_line(member, row)) is not None],
    }


def _rows(source: PageInput) -> Iterable[str]:
    """Return the lines of the back, in the order of the game's stat blocks."""
    shown = source.rules.data.presentation
    return (row for row in (*shown.top, *shown.rows) if row in BACK_LINES)


KIND = PageKind(ID, make, form="cut-one-side")
