"""Paper minis to cut out at an inch a square: a standee to fold and a flat token of each of the roster."""

from __future__ import annotations

import re
from typing import Any, Final

from turnwright.battlemap.spaces import squares_across
from turnwright.encounter.prepared import Map
from turnwright.handouts.page_input import PLAYER_SIDE, PageContent, PageInput, PageKind
from turnwright.handouts.print_document import Picture, Section
from turnwright.handouts.roster_members import RosterMember, RosterMembers, member_signs, players_characters

ID: Final = "paper-minis"
MOST_INCHES: Final = 4  # across, so that a standee fits on a page
_SQUARE: Final = 5  # feet, where there is no map
_NUMBER: Final = re.compile(r" \d+$")


def make(source: PageInput) -> PageContent:
    """Return a standee and a token of each of the roster, for the players of their characters; nothing where it is empty."""
    source = source if source.shows_secrets else players_characters(source)
    company = RosterMembers(source)
    members = company.named()
    signs = member_signs(source)
    faces = {one.entry.id: source.printable_portrait(one.entry) for one in members}
    cell = next((one.cell for one in source.encounter.all(Map)), _SQUARE)
    sizes = {one.id: one.space for one in source.rules.data.sizes}
    minis = [_mini(one, signs.get(one.label, ""), faces[one.entry.id], _inches(one, sizes, cell)) for one in members]
    pictures = tuple({face.name: face for face in faces.values() if face is not None}.values())
    unlisted = sum(one.unlisted for one in members)
    problems = (source.text(f"handout.{ID}.more", n=unlisted),) if unlisted else ()
    return PageContent((Section(ID, {"minis": minis}),), pictures, problems) if minis else PageContent()


def _inches(member: RosterMember, sizes: dict[str, float], cell: int) -> int:
    creature = member.creature
    return min(MOST_INCHES, squares_across(creature.space or sizes.get(creature.size, cell) or cell, cell))


def _mini(member: RosterMember, sign: str, face: Picture | None, inches: int) -> dict[str, Any]:
    creature = member.creature
    return {
        "name": _NUMBER.sub("", member.label),
        "sign": sign,
        "inches": inches,
        "tone": "party" if member.entry.side == PLAYER_SIDE else "foes",
        "portrait": face.name if face is not None else "",
        "types": [one.casefold() for one in (creature.type, *creature.tags)],
        "flies": any(name == "fly" and feet for name, feet in creature.speeds),
    }


KIND: Final = PageKind(ID, make, for_players=True, form="cut-one-side")
