"""A stat block as plain data for a template: every line in its order, with its subject, in paragraphs of text.

Rolls of the window are text on paper. `about` of a line names the creature's field, or feature (`feature:axe`), so
that a template can put it in the place where its game has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from turnwright.encounter.prepared import Creature, Feature
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageInput
from turnwright.rules.parts.attacks.weapon_kind import is_attack
from turnwright.rules.parts.stat_block.sections import StatSections, stat_sections
from turnwright.rules.parts.stat_block.text_runs import Paragraph
from turnwright.rules.system_data import SystemData


def selected_creatures(source: PageInput) -> tuple[Creature, ...]:
    """Return the creatures to print: the selected creatures, or all, in the encounter's order."""
    wanted = source.options.creatures
    return tuple(one for one in source.encounter.all(Creature) if not wanted or one.id in wanted)


def stat_block_data(creature: Creature, source: PageInput) -> dict[str, Any]:
    """Return a creature's stat block as data."""
    catalogue = source.rules.data
    sections = stat_sections(creature, catalogue, source.text)
    return {
        "id": creature.id,
        "name": one_line(sections.name),
        "kind": one_line(sections.kind),
        "rating": one_line(sections.rating),
        "traits": _traits(creature, catalogue),
        "vital": [_line(line) for line in sections.vital],
        "abilities": [
            {"name": cell.name, "score": cell.score, "modifier": cell.modifier.text} for cell in sections.abilities
        ],
        "further": [_line(line) for line in sections.further],
        "features": list(_groups(creature, catalogue, sections)),
        "pools": _pools(creature, catalogue),
        "notes": paragraphs(sections.notes),
    }


def paragraphs(text: str) -> list[str]:
    """Return the lines of a text that are not empty."""
    return [line for line in (one_line(part) for part in text.splitlines()) if line]


def _line(line: Paragraph) -> dict[str, Any]:
    text = "".join(piece.text for piece in line.runs)
    return {"about": line.about, "lead": one_line(line.lead), "text": paragraphs(text)}


def _traits(creature: Creature, catalogue: SystemData) -> list[str]:
    """Return a creature's size, alignment, type and tags, each in a word or two."""
    sizes = {size.id: size.name for size in catalogue.sizes}
    words = (sizes.get(creature.size, creature.size), creature.alignment, creature.type, *creature.tags)
    return list(dict.fromkeys(one_line(word) for word in words if word.strip()))


def _pools(creature: Creature, catalogue: SystemData) -> list[dict[str, Any]]:
    """Return a creature's pools of points: their names and maximums."""
    own, shown = dict(creature.pools), catalogue.presentation.pools
    counted = ((one.name, own.get(one.id, one.amount)) for one in catalogue.resources if one.id in shown)
    return [{"name": name, "most": most} for name, most in counted if most > 0]


def _groups(creature: Creature, catalogue: SystemData, sections: StatSections) -> Iterable[dict[str, Any]]:
    """Yield the features by cost. `signed`: the price behind each name shows the cost already."""
    by_id = {f"feature:{feature.id}": feature for feature in creature.features}
    for heading, lines in sections.features:
        cost = by_id[lines[0].about].cost
        yield {
            "heading": one_line(heading),
            "signed": bool(catalogue.presentation.price(cost, 1)),
            "lines": [_line(line) | {"attack": _is_for_attacking(by_id[line.about])} for line in lines],
        }


def _is_for_attacking(feature: Feature) -> bool:
    """Return whether a feature takes an action and is an attack, a multiattack, or deals damage on a save."""
    more = feature.attacks or feature.multiattack or feature.damage or feature.save
    return feature.cost == "action" and (is_attack(feature) or bool(more))
