"""The party on one page: one line per character with the numbers needed most often. Only for the game master."""

from typing import Any, Final

from turnwright.encounter.roles import is_ours
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.roster_members import RosterMember, RosterMembers, member_signs
from turnwright.rules.parts.stat_block.prose import ASSUMED

ID: Final = "party-sheet"
# Skills whose passive scores detect things without a search.
_SKILLS: Final = ("perception", "investigation", "insight")


def make(source: PageInput) -> PageContent:
    """Return the page, or no pages if the roster has no player characters."""
    company = RosterMembers(source)
    ours = [member for member in company.members if company.is_player_character(member)]
    others = [member for member in company.members if is_ours(source.encounter, member.entry) and member not in ours]
    if not ours:
        return PageContent()
    every = (*ours, *others)
    shown = (skill for skill in source.rules.data.skills if skill.id in _SKILLS)
    skills = [skill for skill in shown if any(company.passive(member, skill.id) for member in every)]
    numbers = [source.text(key) for key in ("ui.roster.ac", "ui.roster.hp", f"handout.{ID}.dc")]
    columns = [*numbers[:2], *(skill.name for skill in skills), numbers[2]]
    signs = member_signs(source)
    rows = [
        {"sign": signs.get(one.label, ""), "ally": one in others, **_row(company, one, [skill.id for skill in skills])}
        for one in every
    ]
    saves = next((names for member in every if (names := [save["name"] for save in company.saves(member)])), [])
    passive, allies = source.text(f"handout.{ID}.passive"), source.text("handout.running-sheet.allies")
    return PageContent(
        (Section(ID, {"columns": columns, "rows": rows, "passive": passive, "saves": saves, "allies": allies}),)
    )


def _row(company: RosterMembers, member: RosterMember, skills: list[str]) -> dict[str, Any]:
    lines = (company.stat_line(member, name) for name in ("speeds", "senses", "languages"))
    signs = {name: ASSUMED if name in member.creature.assumed else "" for name in ("ac", "hp")}
    return {
        "name": member.label,
        "player": one_line(member.entry.player),
        "kind": member.kind,
        "level": member.entry.level or member.creature.level,
        "figures": [
            signs["ac"] + member.ac,
            signs["hp"] + str(member.hp or ""),
            *(company.passive(member, skill) for skill in skills),
            company.highest_dc(member),
        ],
        "initiative": company.initiative(member),
        "saves": [save["bonus"] for save in company.saves(member)],
        "lines": [line for line in lines if line is not None],
        "notes": one_line(member.creature.notes),
    }


KIND: Final = PageKind(ID, make)
