"""Initiative tents to hang over the screen: a name facing the players, stats and attacks facing the game master."""

from itertools import groupby
from typing import Any, Final

from msgspec.structs import replace

from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.roles import is_ours
from turnwright.handouts import roster_members
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.stat_block_data import with_portraits
from turnwright.rules.parts.actions.spell_features import caster_of

ID: Final = "initiative-tents"


def make(source: PageInput) -> PageContent:
    """Return a tent for each roster entry that takes part in initiative, and one for the world.

    Return no pages if there is nothing to put on a tent.
    """
    company, signs = roster_members.RosterMembers(source), roster_members.member_signs(source)
    placed = [member for member in company.named() if not member.entry.bystander]
    groups = [list(group) for _, group in groupby(placed, key=lambda member: member.entry.id)]
    rows = (
        _tent(source, company, group, roster_members.FoeGroups(source, company, signs).rows(group)[0])
        for group in groups
    )
    tents, pictures = with_portraits(rows, [group[0].entry for group in groups], source)
    tents += _world(source)
    data = {"tents": tents, "style": source.rules.data.presentation.style}
    return PageContent((Section(ID, data),), pictures) if tents else PageContent()


def _tent(
    source: PageInput,
    company: roster_members.RosterMembers,
    group: list[roster_members.RosterMember],
    row: dict[str, Any],
) -> dict[str, Any]:
    first, say = group[0], source.text
    is_character, ours = company.is_player_character(first), is_ours(source.encounter, first.entry)
    ally = say(f"handout.{ID}.ally") if ours and not is_character else ""
    stats = (
        (say("ui.roster.ac"), first.ac),
        (say("ui.roster.hp"), str(first.hp) if first.hp else ""),
        (company.passive_name, company.passive_perception(first)),
        (say(f"handout.{ID}.dc"), str(caster_of(source.rules, first.creature).dc or "")),
        (say("ui.stat.speed"), company.speed(first)),
    )
    return {
        "name": roster_members.group_label(group),
        "outside": roster_members.group_label(
            [replace(member, label=roster_members.players_label(source, member)) for member in group]
        ),
        "tone": "allies" if ally else "party" if ours else "enemies",
        "beside": one_line(first.entry.player) or ally,
        "kind": first.kind,
        "initiative": company.initiative(first),
        "figures": [{"name": name, "value": value} for name, value in stats],
        "hp_name": stats[1][0],
        "saves": row["saves"],
        "lines": row["lines"],
        "members": [roster_members.NUMBERED.sub(r"\2", member.label) if len(group) > 1 else "" for member in group],
        "later": not is_character and bool(first.entry.wave or first.entry.hidden),
    }


def _world(source: PageInput) -> list[dict[str, Any]]:
    """Return the world's tent if there are world actions or countdowns."""
    actions = [action for place in source.encounter.all(Environment) for action in place.actions if action.enabled]
    named: list[Any] = [*actions, *source.encounter.all(Countdown)]
    if not named:
        return []
    names = filter(None, dict.fromkeys(one_line(each.name) for each in named))
    name, beside = (source.text(f"handout.{ID}.{key}") for key in ("world", "first"))
    return [{"name": name, "tone": "world", "beside": beside, "text": " · ".join(names)}]


KIND = PageKind(ID, make, form="cut-one-side")
