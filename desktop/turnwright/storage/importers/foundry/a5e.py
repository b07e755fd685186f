"""Reads actors of Foundry's A5E system: one a file, or lists of them; any version of that system's records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from turnwright.encounter.prepared import Creature, SourceNote
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator, slug
from turnwright.storage.importers.common import (
    as_list,
    as_mapping,
    as_text,
    challenge_rating,
    system_for,
)
from turnwright.storage.importers.documents import ParsedDocument
from turnwright.storage.importers.formats import ImportFormat
from turnwright.storage.importers.foundry.a5e_actions import A5eActionContext
from turnwright.storage.importers.foundry.a5e_items import A5eItems, read_items
from turnwright.storage.importers.foundry.a5e_statistics import (
    armor_class_of,
    hit_points_of,
    initiative_of,
    languages_of,
    level_of,
    note_situational_bonuses,
    saves_of,
    skills_of,
    slots_of,
    totals_of,
)
from turnwright.storage.importers.foundry.actors import (
    Actor,
    convert_actors,
    game_of,
    has_actor_of,
    items_of,
    nested_value,
    system_of,
)
from turnwright.storage.importers.foundry.traits import conditions_of, damage_defences_of, distances, size_of
from turnwright.storage.importers.foundry.units import ABILITIES, SENSES, SPEEDS, rating_number, title_from_key
from turnwright.storage.importers.results import ImportedRecord, UnreadRecord
from turnwright.storage.statblock_text.features import with_multiattacks
from turnwright.storage.statblock_text.header_lines import legendary_count
from turnwright.storage.statblock_text.markup import plain_text


def is_a5e_actor(actor: Actor) -> bool:
    """Return whether an actor is of A5E: it states so, or its armour class has the formula that only A5E has."""
    said = game_of(actor)
    if said:
        return said == "a5e"
    return "baseFormula" in as_mapping(nested_value(system_of(actor), "attributes.ac"))


def claims(document: ParsedDocument) -> bool:
    """Return whether a document holds actors of A5E."""
    return has_actor_of(document, is_a5e_actor)


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield the creatures of documents, for the rules of `system` where a person asked for a5e or dnd5e."""
    return convert_actors(documents, is_a5e_actor, _creature, system_for(system, "a5e"))


def _creature(actor: Actor, name: str, report: ConversionReport) -> Creature:
    figures = system_of(actor)
    attributes, details = as_mapping(figures.get("attributes")), as_mapping(figures.get("details"))
    traits = as_mapping(figures.get("traits"))
    rating = details.get("cr")
    level = level_of(actor, details) if actor.get("type") == "character" else 0
    sums = totals_of(figures, attributes, rating_number(rating), level, report)
    items = items_of(actor)
    maker = A5eActionContext(
        sums.formulas, sums.modifiers, sums.proficiency, sums.casting,
        frozenset(as_text(item.get("name")).lower() for item in items), as_mapping(figures.get("bonuses")), report,
    )  # fmt: skip
    note_situational_bonuses(as_mapping(figures.get("bonuses")), report)
    has = read_items(items, IdAllocator(), maker)
    ac, ac_note = armor_class_of(attributes, items, sums, report)
    kinds = [text.strip().lower() for one in as_list(details.get("creatureTypes")) if (text := as_text(one)).strip()]
    dice, hp = hit_points_of(attributes, sums, report)
    speeds, hovers, remarks = distances(as_mapping(attributes.get("movement")), SPEEDS, "speeds", attributes, report)
    senses, _, more = distances(as_mapping(attributes.get("senses")), SENSES, "senses", attributes, report)
    remarks += more + has.remarks
    if details.get("elite"):
        remarks.append(SourceNote("rating", "elite"))
    saves, skills = saves_of(figures, sums, remarks, report), skills_of(figures, sums, remarks, report)
    resisted = damage_defences_of(traits.get("damageResistances"), "resistances", report)
    immune = damage_defences_of(traits.get("damageImmunities"), "immunities", report)
    vulnerable = damage_defences_of(traits.get("damageVulnerabilities"), "vulnerabilities", report)
    features = with_multiattacks(tuple(has.features), report)
    return Creature(
        id=slug(name),
        name=name,
        size=size_of(traits.get("size"), report),
        type=kinds[0] if kinds else "humanoid",
        tags=(
            *kinds[1:],
            *(("swarm",) if details.get("isSwarm") else ()),
            *(("squad",) if details.get("isSquad") else ()),
        ),
        rating=challenge_rating(rating),
        ac=ac,
        ac_note=ac_note,
        hp=hp,
        hit_dice=dice,
        speeds=speeds,
        hovers=hovers,
        abilities=tuple((ability, sums.scores[ability]) for ability in ABILITIES),
        saves=saves,
        skills=skills,
        senses=senses,
        languages=languages_of(figures),
        initiative=initiative_of(attributes, sums, report),
        resistances=resisted.types,
        vulnerabilities=vulnerable.types,
        immunities=immune.types,
        mundane_immunity=immune.mundane,
        mundane_resistance=resisted.mundane,
        condition_immunities=conditions_of(traits.get("conditionImmunities")),
        gear=tuple(has.gear),
        features=features,
        notes="\n\n".join(_prose(details, ("notes", "privateNotes"))),
        source=_source(figures),
        level=level,
        spellcasting=sums.casting if has.casts or has.spells else "",
        slots=slots_of(figures),
        legendary=_legendary(has, features),
        alignment=" ".join(as_text(one).lower() for one in as_list(traits.get("alignment"))),
        environments=tuple(
            title_from_key(one).lower() for one in as_list(details.get("terrain")) if isinstance(one, str)
        ),
        description="\n\n".join(_prose(details, ("bio",))),
        remarks=tuple(remarks),
    )


def _legendary(has: A5eItems, features: tuple[Any, ...]) -> int:
    """Return the number of legendary actions: from a feature's uses, else from its words."""
    if has.legendary:
        return min(has.legendary, 100)
    return next((count for one in features if (count := legendary_count(one.text))), 0)


def _prose(details: Mapping[str, Any], keys: tuple[str, ...]) -> list[str]:
    texts = (plain_text(as_text(details.get(key))) for key in keys)
    return [text for text in texts if text]


def _source(figures: Mapping[str, Any]) -> str:
    said = as_text(figures.get("source"))
    return f"Foundry A5E: {title_from_key(said)}" if said and not said.startswith("[") else "Foundry A5E"


FORMAT = ImportFormat("foundry-a5e", "Foundry VTT actors (A5E)", claims, read)
