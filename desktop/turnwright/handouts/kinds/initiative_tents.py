"""Initiative tents to hang over the screen: a name facing the players, stats facing the game master."""

import re
from itertools import groupby
from typing import Any, Final

from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.roles import is_ours
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.roster_members import RosterMember, RosterMembers
from turnwright.handouts.stat_block_data import with_portraits

ID: Final = "initiative-tents"
_NUMBERED: Final = re.compile(r"(.*\D)(\d+)")


def make(source: PageInput) -> PageContent:
    """Return a tent for each roster entry that takes part in initiative, and one for the world.

    Return no pages if there is nothing to put on a tent.
    """
    company = RosterMembers(source)
    placed = [member for member in company.named() if not member.entry.bystander]
    groups = [list(group) for _, group in groupby(placed, key=lambda member: member.entry.id)]
    rows = [_tent(source, company, group) for group in groups]
    tents, pictures = with_portraits(rows, [group[0].entry for group in groups], source)
    shown_names = {stat["name"] for tent in tents for stat in tent["figures"] if stat["value"]}
    for tent in tents:  # omit stats missing on all tents, such as passive scores in a game without them
        tent["figures"] = [stat for stat in tent["figures"] if stat["name"] in shown_names]
    tents += _world(source)
    return PageContent((Section(ID, {"tents": tents}),), pictures) if tents else PageContent()


def _tent(source: PageInput, company: RosterMembers, group: list[RosterMember]) -> dict[str, Any]:
    first = group[0]
    say = source.text
    stats = (
        (say("ui.roster.ac"), first.ac),
        (say(f"handout.{ID}.passive"), company.passive_perception(first)),
        (say(f"handout.{ID}.dc"), company.highest_dc(first)),
        (say("ui.roster.hp"), str(first.hp) if first.hp else ""),
        (say("ui.stat.speed"), company.speed(first)),
    )
    return {
        "name": _group_label(group),
        "tone": "party" if is_ours(source.encounter, first.entry) else "enemies",
        "beside": one_line(first.entry.player),
        "kind": first.kind,
        "initiative": company.initiative(first),
        "figures": [{"name": name, "value": value} for name, value in stats],
        "text": "",
    }


def _group_label(group: list[RosterMember]) -> str:
    """Return a single member's label, `Raider 1–4` for consecutive numbers, or else all labels."""
    labels = [member.label for member in group]
    if len(labels) == 1 and not group[0].unlisted:
        return labels[0]
    last = int(match[2]) + group[-1].unlisted if (match := _NUMBERED.fullmatch(labels[-1])) else 0
    first = _NUMBERED.fullmatch(labels[0])
    if match and first and first[1] == match[1] and last - int(first[2]) + 1 == len(labels) + group[-1].unlisted:
        return f"{labels[0]}–{last}"
    return ", ".join(labels)


def _world(source: PageInput) -> list[dict[str, Any]]:
    """Return the world's tent if there are world actions or countdowns."""
    actions = [action for place in source.encounter.all(Environment) for action in place.actions if action.enabled]
    if not actions and not any(True for _ in source.encounter.all(Countdown)):
        return []
    names = dict.fromkeys(one_line(action.name) for action in actions)
    named = {"name": source.text(f"handout.{ID}.world"), "beside": source.text(f"handout.{ID}.first"), "tone": "world"}
    empty = {"portrait": "", "kind": "", "initiative": "", "figures": []}
    return [named | empty | {"text": " · ".join(name for name in names if name)}]


KIND = PageKind(ID, make, form="cut-one-side")
