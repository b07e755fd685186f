"""Paper minis to cut out, at one inch per square: a folding standee and a flat token for each roster member."""

import re
from typing import Any, Final

from turnwright.battlemap.spaces import squares_across
from turnwright.encounter.prepared import Map
from turnwright.encounter.roles import party_sides
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.roster_members import RosterMember, RosterMembers, member_signs, players_characters
from turnwright.handouts.stat_block_data import with_portraits

ID: Final = "paper-minis"
MOST_INCHES: Final = 4  # maximum width, so that a standee fits on a page
_SQUARE: Final = 5  # feet, if the encounter doesn't have a map
_NUMBER: Final = re.compile(r" \d+$")


def make(source: PageInput) -> PageContent:
    """Return a standee and a token for each roster member, or no pages if there are no members.

    The players' edition has only the players' characters.
    """
    source = source if source.shows_secrets else players_characters(source)
    members = RosterMembers(source).named()
    signs = member_signs(source)
    cell = next((prepared.cell for prepared in source.encounter.all(Map)), _SQUARE)
    sizes = {size.id: size.space for size in source.rules.data.sizes}
    sides = party_sides(source.encounter)
    tones = {member.entry.id: "party" if member.entry.side in sides else "enemies" for member in members}
    rows = (
        _mini(each, signs.get(each.label, ""), _inches(each, sizes, cell), tones[each.entry.id]) for each in members
    )
    minis, pictures = with_portraits(rows, [member.entry for member in members], source)
    unlisted = sum(member.unlisted for member in members)
    problems = (source.text(f"handout.{ID}.more", n=unlisted),) if unlisted else ()
    return PageContent((Section(ID, {"minis": minis}),), pictures, problems) if minis else PageContent()


def _inches(member: RosterMember, sizes: dict[str, float], cell: int) -> int:
    creature = member.creature
    return min(MOST_INCHES, squares_across(creature.space or sizes.get(creature.size, cell) or cell, cell))


def _mini(member: RosterMember, sign: str, inches: int, tone: str) -> dict[str, Any]:
    creature = member.creature
    return {
        "name": _NUMBER.sub("", member.label),
        "sign": sign,
        "inches": inches,
        "tone": tone,
        "types": [kind.casefold() for kind in (creature.type, *creature.tags)],
        "flies": any(name == "fly" and feet for name, feet in creature.speeds),
    }


KIND: Final = PageKind(ID, make, for_players=True, form="cut-one-side")
