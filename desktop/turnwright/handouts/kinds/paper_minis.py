"""Paper minis to cut out, at one inch per square: a folding standee and a flat token for each roster member."""

import re
from typing import Final

from turnwright.battlemap.spaces import squares_across
from turnwright.encounter.prepared import Map
from turnwright.encounter.roles import party_sides
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.roster_members import RosterMembers, member_signs, players_characters, players_label
from turnwright.handouts.stat_block_data import with_portraits

ID: Final = "paper-minis"
MOST_INCHES: Final = 4  # maximum width, so that a standee fits on a page
_SQUARE: Final = 5  # feet, if the encounter doesn't have a map
_NUMBER, _WORD = re.compile(r" \d+$"), re.compile(r"[^\W\d_]+")


def make(source: PageInput) -> PageContent:
    """Return a standee and a token for each roster member, or no pages if there are no members.

    The party is included only if it is asked for, or alone. The players' edition has only the players' characters.
    """
    source = players_characters(source)
    members = RosterMembers(source).selected()
    signs = member_signs(source)
    cell = next((prepared.cell for prepared in source.encounter.all(Map)), _SQUARE)
    sizes = {size.id: size.space for size in source.rules.data.sizes}
    sides = party_sides(source.encounter)
    rows = []
    for member in members:
        creature = member.creature
        squares = squares_across(creature.space or sizes.get(creature.size, cell) or cell, cell)
        rows.append({
            "name": _NUMBER.sub("", member.label),
            "outside": players_label(source, member),
            "sign": signs.get(member.label, ""),
            "squares": squares,
            "inches": min(MOST_INCHES, squares),
            "tone": "party" if member.entry.side in sides else "enemies",
            "types": [kind.casefold() for kind in (creature.type, *creature.tags)],
            "words": _WORD.findall(f"{member.label} {creature.name}".casefold()),
            "speeds": [name for name, feet in creature.speeds if feet],
        })  # fmt: skip
    minis, pictures = with_portraits(rows, [member.entry for member in members], source)
    unlisted = sum(member.unlisted for member in members)
    problems = (source.text(f"handout.{ID}.more", n=unlisted),) if unlisted else ()
    return PageContent((Section(ID, {"minis": minis}),), pictures, problems) if minis else PageContent()


KIND: Final = PageKind(ID, make, for_players=True, form="cut-one-side")
