"""Creature cards to cut out: the numbers needed every turn, then the rest, continued on the back if necessary.

Players get only their own characters' cards.
"""

import re
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature
from turnwright.encounter.state import grouped
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, card_pages
from turnwright.handouts.roster_members import RosterMember, RosterMembers, players_characters
from turnwright.handouts.stat_block_data import printed_portraits, selected_creatures, stat_block_data

ID: Final = "creature-cards"
MOST_BOXES: Final = 24  # maximum number of boxes for one creature's individuals
DEFENCES: Final = (
    "vulnerabilities", "resistances", "immunities", "mundane_immunity", "absorptions", "condition_immunities",
)  # fmt: skip
LAST: Final = ("languages", "gear")  # the lines that are printed only if there is room
_NUMBER: Final = re.compile(r"\d+$")
FRONT_LINES: Final = ("ac", "hp", "skill.perception", "speeds", "initiative", "saves", "pools")


def make(source: PageInput) -> PageContent:
    """Return the cards of the selected creatures, or no pages."""
    source = source if source.shows_secrets else players_characters(source)
    company = RosterMembers(source)
    members = grouped((member.creature.id, member) for member in company.members)
    creatures = selected_creatures(source)
    portraits, pictures = printed_portraits(creatures, source)
    cards = [
        _card(creature, source) | _individuals(creature, members.get(creature.id, [])) | {"portrait": portrait}
        for creature, portrait in zip(creatures, portraits, strict=True)
    ]
    return card_pages(ID, cards, source, pictures)


def _card(creature: Creature, source: PageInput) -> dict[str, Any]:
    block = stat_block_data(msgspec.structs.replace(creature, description="", environments=()), source, brief=True)
    every = [*block["vital"], *block["further"]]
    lines = [line for line in every if line["about"] in FRONT_LINES]
    behind = [line for line in every if line["about"] not in FRONT_LINES]
    _join_senses(lines, behind)
    behind = _with_joined(behind)
    defences = [line for line in behind if line["about"] in DEFENCES]
    last = [line for line in behind if line["about"] in LAST]
    behind = [line for line in behind if line not in defences and line not in last]
    kind_text = "; ".join(part for part in (block["kind"], _armor(lines, creature)) if part)
    attacks = [_item(line) for group in block["features"] for line in group["lines"] if line["attack"]]
    kind = {"heading": "", "lead": "", "text": kind_text, "tone": "kind"} if kind_text else None
    return {
        "name": block["name"],
        "rating": block["rating"],
        "figures": [_figure("ac", creature.ac, source), _figure("hp", creature.hp, source)],
        "abilities": block["abilities"],
        "front": [
            *([kind] if kind else []),
            *(item for line in lines if line["about"] != "ac" and (item := _shortened(line, creature))),
            *map(_item, defences),
            *attacks,
        ],
        "back": [*_others(block), *map(_item, behind)],
        "notes": [*map(_item, last), *_notes(block, source)],
    }


def _join_senses(lines: list[dict[str, Any]], behind: list[dict[str, Any]]) -> None:
    """Move senses that have no label of their own to the Perception line."""
    senses = next((line for line in behind if line["about"] == "senses" and not line["lead"]), None)
    at = next((place for place, line in enumerate(lines) if line["about"] == "skill.perception"), None)
    if senses is not None and at is not None:
        behind.remove(senses)
        lines[at] = lines[at] | {"text": ["; ".join(part for part in (*lines[at]["text"], *senses["text"]) if part)]}


def _with_joined(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Merge each line that continues the previous one, with the same label, into it."""
    joined: list[dict[str, Any]] = []
    for line in lines:
        before = joined[-1] if joined else None
        if before is not None and line["joined"] and line["lead"] and line["lead"] == before["lead"]:
            joined[-1] = before | {"text": [", ".join((*before["text"], *line["text"]))]}
        else:
            joined.append(line)
    return joined


def _individuals(creature: Creature, members: list[RosterMember]) -> dict[str, Any]:
    """Return a creature's count and, for each individual, a box with its number and hit points."""
    count = sum(1 + member.unlisted for member in members)
    boxes = [(member.label, member.hp) for member in members[:MOST_BOXES]] or [("", creature.hp)]
    return {
        "count": count,
        "boxes": [_box(label if count > 1 else "", hp) for label, hp in boxes],
        "more": max(0, count - MOST_BOXES),
    }


def _box(label: str, hp: int) -> dict[str, Any]:
    """Return the box for an individual's hit points: its number, or its name if it has none."""
    number = _NUMBER.search(label)
    return {"sign": number[0] if number else "", "name": "" if number else one_line(label), "hp": hp}


def _figure(about: str, value: int, source: PageInput) -> dict[str, str]:
    return {"name": source.text(f"ui.roster.{about}"), "value": str(value or "–")}


def _armor(lines: list[dict[str, Any]], creature: Creature) -> str:
    """Return the components of an armor class, or why there is none. The number itself is printed large."""
    text = next((" ".join(line["text"]) for line in lines if line["about"] == "ac"), "")
    return _without_brackets(text.removeprefix(str(creature.ac or "–")).strip())


def _without_brackets(text: str) -> str:
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def _shortened(line: dict[str, Any], creature: Creature) -> dict[str, Any] | None:
    """Remove the hit points, which are printed large above, from a line. Return None if nothing remains."""
    item = _item(line)
    if line["about"] == "hp":
        item["text"] = _without_brackets(item["text"].removeprefix(str(creature.hp)).strip())
    return item if item["text"] else None


def _item(line: dict[str, Any], heading: str = "") -> dict[str, Any]:
    return {"heading": heading, "lead": line["lead"], "text": "\n".join(line["text"]), "tone": ""}


def _others(block: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the features that aren't attacks, with a heading before the first of each type."""
    items = []
    for group in block["features"]:
        heading = group["heading"]
        for line in group["lines"]:
            if not line["attack"]:
                items.append(_item(line, heading))
                heading = ""
    return items


def _notes(block: dict[str, Any], source: PageInput) -> list[dict[str, Any]]:
    text = "\n".join(block["notes"])
    return [{"heading": source.text("ui.stat.notes"), "lead": "", "text": text, "tone": "note"}] if text else []


KIND: Final = PageKind(ID, make, for_players=True, form="cut-two-sides", shares_sheets=True)
