"""Creature cards to cut out: in front the numbers of every turn, on the back the rest. Never for the players."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from turnwright.encounter.prepared import Creature
from turnwright.handouts.page_input import Card, PageContent, PageInput, PageKind
from turnwright.handouts.print_document import Section
from turnwright.handouts.stat_block_data import paragraphs, selected_creatures, stat_block_data

ID: Final = "creature-cards"
SIZES: Final[Mapping[Card, tuple[float, float]]] = MappingProxyType({"poker": (63.5, 88.9), "tarot": (70.0, 120.0)})
FRONT_LINES: Final = ("ac", "hp", "skill.perception", "speeds", "initiative", "saves", "pools")


def make(source: PageInput) -> PageContent:
    """Return the cards of the selected creatures; nothing where there is none. `width` and `height` are millimetres."""
    cards = [_card(creature, source) for creature in selected_creatures(source)]
    if not cards:
        return PageContent()
    width, height = SIZES[source.options.card]
    return PageContent((Section(ID, {"width": width, "height": height, "cards": cards}),))


def _card(creature: Creature, source: PageInput) -> dict[str, Any]:
    block = stat_block_data(creature, source)
    every = [*block["vital"], *block["further"]]
    lines = [line for line in every if line["about"] in FRONT_LINES]
    behind = [line for line in every if line["about"] not in FRONT_LINES]
    attacks = [_item(line) for group in block["features"] for line in group["lines"] if line["attack"]]
    kind = {"heading": "", "lead": "", "text": block["kind"], "tone": "kind"} if block["kind"] else None
    return {
        "name": block["name"],
        "rating": block["rating"],
        "figures": [_figure("ac", creature.ac, source), _figure("hp", creature.hp, source)],
        "abilities": block["abilities"],
        "front": [
            *([kind] if kind else []),
            *(item for line in lines if (item := _shortened(line, creature))),
            *attacks,
        ],
        "back": [*(_item(line) for line in behind), *_others(block), *_notes(block, creature, source)],
    }


def _figure(about: str, value: int, source: PageInput) -> dict[str, str]:
    return {"name": source.text(f"ui.stat.{about}"), "value": str(value or "–")}


def _shortened(line: dict[str, Any], creature: Creature) -> dict[str, Any] | None:
    """Return a line without a number that is printed large above it; None where nothing remains."""
    item = _item(line)
    shown = {"ac": str(creature.ac or "–"), "hp": str(creature.hp)}.get(line["about"])
    if shown is not None:
        item["text"] = item["text"].removeprefix(shown).strip()
    return item if item["text"] else None


def _item(line: dict[str, Any], heading: str = "") -> dict[str, Any]:
    return {"heading": heading, "lead": line["lead"], "text": "\n".join(line["text"]), "tone": ""}


def _others(block: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the features that are no attacks, the first of each kind under its heading."""
    found = []
    for group in block["features"]:
        heading = group["heading"]
        for line in group["lines"]:
            if not line["attack"]:
                found.append(_item(line, heading))
                heading = ""
    return found


def _notes(block: dict[str, Any], creature: Creature, source: PageInput) -> list[dict[str, Any]]:
    """Return the notes; a creature's description is in its stat block only."""
    described = paragraphs(creature.description)
    text = "\n".join(said for said in block["notes"] if said not in described)
    return [{"heading": source.text("ui.stat.notes"), "lead": "", "text": text, "tone": "note"}] if text else []


KIND: Final = PageKind(ID, make, form="cut-two-sides")
