"""A stat block as plain data for a template: every line in order, with its subject and its text in paragraphs.

Rolls are buttons in the window but plain text on paper. A line's `about` names the creature's field or
feature (`feature:axe`), so a template can place it where its game does. A line has plain `text`, and `runs`:
the same paragraphs split into pieces, each with its style (bold, italic or none).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageInput
from turnwright.handouts.print_document import Picture
from turnwright.rules.parts.attacks.weapon_kind import is_attack
from turnwright.rules.parts.stat_block.features import limits_after_price
from turnwright.rules.parts.stat_block.sections import RARITIES, StatSections, stat_sections
from turnwright.rules.parts.stat_block.text_runs import Paragraph, StatBlockNames
from turnwright.rules.system_data import SystemData

MOST_BOXES: Final = 8
RECHARGES: Final = 4  # boxes for a feature that can recharge several times


def selected_creatures(source: PageInput) -> tuple[Creature, ...]:
    """Return the creatures to print, in encounter order."""
    return tuple(creature for creature in source.encounter.all(Creature) if source.has_creature(creature.id))


def printed_portraits(creatures: Iterable[Creature], source: PageInput) -> tuple[list[str], tuple[Picture, ...]]:
    """Return each creature's portrait name (empty if none is printed), and the distinct images."""
    faces = [source.printable_portrait(creature) for creature in creatures]
    pictures = {face.name: face for face in faces if face is not None}
    return [face.name if face is not None else "" for face in faces], tuple(pictures.values())


def stat_block_data(creature: Creature, source: PageInput) -> dict[str, Any]:
    """Convert a creature's stat block to data."""
    catalogue = source.rules.data
    sections = stat_sections(creature, catalogue, source.text)
    return {
        "id": creature.id,
        "name": one_line(sections.name),
        "kind": one_line(sections.kind),
        "rating": one_line(sections.rating),
        "traits": [{"name": one_line(trait), "rare": trait in RARITIES} for trait in sections.traits],
        "vital": [_line(line) for line in sections.vital],
        "abilities": [
            {"name": cell.name, "score": cell.score, "modifier": cell.modifier.text} for cell in sections.abilities
        ],
        "further": [_line(line) for line in sections.further],
        "features": list(_groups(creature, source, sections)),
        "legendary": creature.legendary,
        "tactics": {"heading": source.text("ui.stat.tactics"), "text": paragraphs(sections.tactics)},
        "pools": _pools(creature, catalogue),
        "notes": paragraphs(sections.notes),
    }


def paragraphs(text: str) -> list[str]:
    """Return the non-empty lines of a text."""
    return [line for line in (one_line(part) for part in text.splitlines()) if line]


def _line(line: Paragraph) -> dict[str, Any]:
    text = "".join(piece.text for piece in line.runs)
    return {
        "about": line.about,
        "lead": one_line(line.lead),
        "text": paragraphs(text),
        "runs": [runs for runs in _paragraphs_in_runs(line) if runs],
        "joined": line.joined,
    }


def _paragraphs_in_runs(line: Paragraph) -> list[list[dict[str, str]]]:
    """Return the paragraphs of a line, split into runs of the same style."""
    result: list[list[dict[str, str]]] = [[]]
    for piece in line.runs:
        first, *others = piece.text.splitlines() or [""]
        for number, text in enumerate((first, *others)):
            if number:
                result.append([])
            content = one_line(f"|{text}|")[1:-1]  # keeps leading and trailing spaces
            if not content:
                continue
            if result[-1] and result[-1][-1]["style"] == piece.style:
                result[-1][-1]["text"] += content
            else:
                result[-1].append({"text": content, "style": piece.style})
    return result


def _pools(creature: Creature, catalogue: SystemData) -> list[dict[str, Any]]:
    """Return a creature's point pools with their names and maximums."""
    own, pools = dict(creature.pools), catalogue.presentation.pools
    amounts = (
        (resource, own.get(resource.id, resource.amount)) for resource in catalogue.resources if resource.id in pools
    )
    return [{"id": resource.id, "name": resource.name, "most": most} for resource, most in amounts if most > 0]


def _groups(creature: Creature, source: PageInput, sections: StatSections) -> Iterable[dict[str, Any]]:
    """Yield the features, grouped by cost."""
    by_id = {f"feature:{feature.id}": feature for feature in creature.features}
    for heading, lines in sections.features:
        yield {
            "heading": one_line(heading),
            "cost": by_id[lines[0].about].cost,
            "lines": [_line(line) | _feature_line(creature, by_id[line.about], source) for line in lines],
        }


def _feature_line(creature: Creature, feature: Feature, source: PageInput) -> dict[str, Any]:
    """Return the parts of a feature that a template may format separately: name, cost, limits, number of use boxes."""
    names = StatBlockNames(source.rules.data, source.text)
    words = names.data.presentation.price(feature.cost, feature.price)
    uses = 0 if feature.per in ("turn", "round") else min(feature.uses, MOST_BOXES)
    return {
        "attack": _is_for_attacking(feature),
        "name": one_line(feature.name),
        "cost": feature.cost,
        "price": feature.price if len(words) > 1 and words[0].isalnum() else 0,
        "cost_words": words,
        "limits": limits_after_price(creature, feature, names),
        "boxes": uses or (RECHARGES if feature.recharge else 0),
    }


def _is_for_attacking(feature: Feature) -> bool:
    """Return whether a feature takes an action and is an attack, a multiattack, or deals damage on a save."""
    more = feature.attacks or feature.multiattack or feature.damage or feature.save
    return feature.cost == "action" and (is_attack(feature) or bool(more))
