"""Initiative tents to hang over the screen: a name facing the players, stats facing the game master."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any, Final

from turnwright.encounter.prepared import Countdown, Environment
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PLAYER_SIDE, PageContent, PageInput, PageKind
from turnwright.handouts.print_document import Picture, Section
from turnwright.handouts.roster_members import RosterMember, RosterMembers

ID: Final = "initiative-tents"
_NUMBERED: Final = re.compile(r"(.*\D)(\d+)")


def make(source: PageInput) -> PageContent:
    """Return a tent for each roster entry in the initiative order, and one for the world.

    Return no pages if there is nothing to put on a tent.
    """
    company = RosterMembers(source)
    placed = [one for one in company.named() if not one.entry.bystander]
    groups = [list(group) for _, group in groupby(placed, key=lambda one: one.entry.id)]
    faces = [source.printable_portrait(group[0].entry) for group in groups]
    tents = [_tent(source, company, group, face) for group, face in zip(groups, faces, strict=True)]
    told = {figure["name"] for tent in tents for figure in tent["figures"] if figure["value"]}
    for tent in tents:  # omit stats missing on all tents, such as passive scores in a game without them
        tent["figures"] = [figure for figure in tent["figures"] if figure["name"] in told]
    tents += _world(source)
    pictures = tuple({face.name: face for face in faces if face is not None}.values())
    return PageContent((Section(ID, {"tents": tents}),), pictures) if tents else PageContent()


def _tent(source: PageInput, company: RosterMembers, group: list[RosterMember], face: Picture | None) -> dict[str, Any]:
    first = group[0]
    say = source.text
    figures = (
        (say("ui.roster.ac"), first.ac),
        (say(f"handout.{ID}.passive"), company.passive_perception(first)),
        (say(f"handout.{ID}.dc"), company.highest_dc(first)),
        (say("ui.roster.hp"), str(first.hp) if first.hp else ""),
        (say("ui.stat.speed"), company.speed(first)),
    )
    return {
        "name": _group_label(group),
        "tone": "party" if first.entry.side == PLAYER_SIDE else "foes",
        "beside": one_line(first.entry.player),
        "portrait": face.name if face is not None else "",
        "kind": first.kind,
        "initiative": company.initiative(first),
        "figures": [{"name": name, "value": value} for name, value in figures],
        "text": "",
    }


def _group_label(group: list[RosterMember]) -> str:
    """Return the label of a single member, `Raider 1–4` for consecutive numbers, else all labels."""
    labels = [one.label for one in group]
    if len(labels) == 1 and not group[0].unlisted:
        return labels[0]
    last = int(found[2]) + group[-1].unlisted if (found := _NUMBERED.fullmatch(labels[-1])) else 0
    first = _NUMBERED.fullmatch(labels[0])
    if found and first and first[1] == found[1] and last - int(first[2]) + 1 == len(labels) + group[-1].unlisted:
        return f"{labels[0]}–{last}"
    return ", ".join(labels)


def _world(source: PageInput) -> list[dict[str, Any]]:
    """Return the world's tent, if there are world actions or countdowns."""
    actions = [action for place in source.encounter.all(Environment) for action in place.actions if action.enabled]
    countdowns = source.encounter.all(Countdown)
    if not actions and not any(True for _ in countdowns):
        return []
    name = source.text(f"handout.{ID}.world")
    names = dict.fromkeys(one_line(action.name) for action in actions)
    return [
        {
            "name": name,
            "tone": "world",
            "beside": source.text(f"handout.{ID}.first"),
            "portrait": "",
            "kind": "",
            "initiative": "",
            "figures": [],
            "text": " · ".join(one for one in names if one),
        }
    ]


KIND = PageKind(ID, make, form="cut-one-side")
