"""Creature cards to cut out: the numbers needed every turn, then the rest, continued on the back if necessary.

Players get only their own characters' cards.
"""

from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature
from turnwright.encounter.state import grouped
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, card_pages
from turnwright.handouts.roster_members import DEFENCES, RosterMember, RosterMembers, players_characters
from turnwright.handouts.stat_block_data import stat_block_data, with_portraits
from turnwright.rules.parts.stat_block.features import lists_spell

ID: Final = "creature-cards"
MOST_BOXES: Final = 24  # maximum number of boxes for one creature's individuals
# The lines that are printed only if there is room, as the spells of a list are.
LAST: Final = ("proficiency", "gear")
FRONT_LINES: Final = ("ac", "hp", "skill.perception", "speeds", "initiative", "saves", "pools", "slots")


def make(source: PageInput) -> PageContent:
    """Return the cards of the selected creatures, or no pages."""
    source = players_characters(source)
    company = RosterMembers(source)
    members = grouped((member.creature.id, member) for member in company.members)
    creatures = source.selected_creatures()
    rows = (_card(each, source) | _individuals(each, members.get(each.id, [])) for each in creatures)
    cards, pictures = with_portraits(rows, creatures, source)
    catalogue = source.rules.data
    conditions = [condition.name.lower() for condition in catalogue.conditions]
    return card_pages(ID, cards, source, pictures, headings=catalogue.presentation.headings, conditions=conditions)


def _card(creature: Creature, source: PageInput) -> dict[str, Any]:
    listed = {spell for spell in creature.features if any(lists_spell(each, spell) for each in creature.features)}
    features = tuple(each for each in creature.features if each not in listed or each.damage or each.attack is not None)
    spells = {f"feature:{each.id}" for each in listed}
    plain = {"description": "", "environments": (), "hit_dice": "", "spellcasting": ""}
    shown = msgspec.structs.replace(creature, features=features, **plain)
    block = stat_block_data(shown, source, brief=True)
    every = [*block["vital"], *block["further"]]
    # Senses without a label continue the Perception line.
    lines = [line for line in every if line["about"] in FRONT_LINES or (line["about"] == "senses" and not line["lead"])]
    defences = [line for line in every if line["about"] in (*DEFENCES, "mundane_immunity")]
    last = [line for line in every if line["about"] in LAST]
    rest = [line for line in every if line not in (*lines, *defences, *last)]
    reactive = [line for line in rest if line["about"].startswith("feature:")]
    # The numbers themselves are printed large.
    remarks = (_remark(lines, "ac", str(creature.ac or "–")), _remark(lines, "hp", str(creature.hp)))
    kind_text = "; ".join(filter(None, (block["kind"], *remarks)))
    told = [line for group in block["features"] for line in group["lines"]]
    return {
        "name": block["name"],
        "rating": block["rating"],
        "figures": [{"name": source.text(f"ui.roster.{id}"), "value": getattr(creature, id)} for id in ("ac", "hp")],
        "abilities": block["abilities"],
        "front": [
            *_plain(kind_text, "kind"),
            *(_item(line) for line in lines if line["about"] not in ("ac", "hp")),
            *map(_item, defences),
            *(_item(line) for line in told if line["attack"] and line["about"] not in spells),
        ],
        "back": [*map(_item, reactive), *_others(block, source.text(f"handout.{ID}.other-actions"), spells)],
        "fills": [_item(line) for line in rest if line not in reactive],
        "spells": [_item(line) for line in told if line["about"] in spells],
        "notes": [
            *map(_item, last),
            *_plain("\n".join((*block["tactics"]["text"], *block["notes"])), "note", source.text("ui.stat.notes")),
        ],
    }


def _individuals(creature: Creature, members: list[RosterMember]) -> dict[str, Any]:
    """Return a creature's count and, for each individual, a box with its label and hit points."""
    count = sum(1 + member.unlisted for member in members)
    boxes = [(one_line(member.label) if count > 1 else "", member.hp) for member in members[:MOST_BOXES]]
    called = ", ".join(dict.fromkeys(one_line(each.entry.name) for each in members if each.entry.name))
    return {"count": count, "called": called, "boxes": boxes or [("", creature.hp)]}


def _remark(lines: list[dict[str, Any]], about: str, number: str) -> str:
    """Return the text of a line after its number, such as the components of an armor class."""
    text = next((" ".join(line["text"]) for line in lines if line["about"] == about), "")
    text = text.removeprefix(number).strip("; ")
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def _item(line: dict[str, Any], heading: str = "") -> dict[str, Any]:
    return {
        "heading": heading,
        "lead": line["lead"],
        "text": "\n".join(line["text"]),
        "tone": "points" if line["about"] in ("pools", "slots") else "",
        "boxes": line.get("boxes", 0),
        "joined": line["joined"] and line["about"] != "saves",
    }


def _plain(text: str, tone: str, heading: str = "") -> list[dict[str, Any]]:
    """Return an item without a label, or none if the text is empty."""
    return [{"heading": heading, "lead": "", "text": text, "tone": tone, "boxes": 0, "joined": False}] if text else []


def _others(block: dict[str, Any], other_actions: str, spells: set[str]) -> list[dict[str, Any]]:
    """Return the features that aren't attacks or listed spells, with a heading before the first of each type."""
    items = []
    for group in block["features"]:
        is_rest = group["cost"] == "action" and any(line["attack"] for line in group["lines"])
        heading = other_actions if is_rest and group["heading"] else group["heading"]
        for line in group["lines"]:
            if not line["attack"] and line["about"] not in spells:
                legendary = block["legendary"] if heading and group["cost"] == "legendary" else 0
                items.append(_item(line, heading) | {"heading_boxes": legendary})
                heading = ""
    return items


KIND: Final = PageKind(ID, make, for_players=True, form="cut-two-sides", shares_sheets=True)
