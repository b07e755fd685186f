"""Reads actors of Foundry's D&D 5e system, as JSON or YAML, in any version of that system's records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from turnwright.encounter.prepared import Creature, Feature, SourceNote
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
from turnwright.storage.importers.foundry.actors import (
    Actor,
    convert_actors,
    game_of,
    has_actor_of,
    items_of,
    nested_value,
    system_of,
)
from turnwright.storage.importers.foundry.dnd5e_damage import ItemContext
from turnwright.storage.importers.foundry.dnd5e_items import read_items
from turnwright.storage.importers.foundry.dnd5e_statistics import (
    armor_class_of,
    conditions_of,
    defences_of,
    hit_points_of,
    languages_of,
    saves_of,
    senses_of,
    skills_of,
    speeds_of,
    totals_of,
)
from turnwright.storage.importers.foundry.traits import size_of
from turnwright.storage.importers.foundry.units import SIZES, rating_number, title_from_key
from turnwright.storage.importers.results import ImportedRecord, UnreadRecord
from turnwright.storage.statblock_text.features import with_multiattacks
from turnwright.storage.statblock_text.header_lines import type_line
from turnwright.storage.statblock_text.markup import plain_text
from turnwright.storage.statblock_text.numbers import as_int


def is_dnd5e_actor(actor: Actor) -> bool:
    """Return whether an actor is of D&D 5e: it states so, or its abilities and traits have the shape only D&D 5e has."""
    said = game_of(actor)
    if said:
        return said == "dnd5e"
    figures = system_of(actor)
    if "baseFormula" in as_mapping(nested_value(figures, "attributes.ac")):
        return False
    ability, traits = as_mapping(nested_value(figures, "abilities.str")), as_mapping(figures.get("traits"))
    shaped = "proficient" in ability and "value" in ability and isinstance(ability.get("proficient"), int | float)
    return (
        shaped
        and "mod" not in as_mapping(nested_value(figures, "saves.fortitude"))
        and bool({"di", "dr", "ci", "size"} & traits.keys())
    )


def claims(document: ParsedDocument) -> bool:
    """Return whether a document holds actors of D&D 5e."""
    return has_actor_of(document, is_dnd5e_actor)


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield the creatures of documents, for the rules of `system` where a person asked for a5e or dnd5e."""
    return convert_actors(documents, is_dnd5e_actor, _creature, system_for(system, "dnd5e"))


def _creature(actor: Actor, name: str, report: ConversionReport) -> Creature:
    figures = system_of(actor)
    details, items = as_mapping(figures.get("details")), items_of(actor)
    level = _level(details, items) if actor.get("type") == "character" else 0
    sums = totals_of(figures, rating_number(details.get("cr")), level, report)
    has = read_items(
        items, IdAllocator(),
        ItemContext(sums.formulas, sums.modifiers, sums.proficiency, sums.casting, sums.bonuses, report, name),
    )  # fmt: skip
    ac, ac_note = armor_class_of(figures, items, sums, report)
    hp, dice = hit_points_of(figures, report)
    kind, tags, remarks = _type(details)
    speeds, hovers, of_speeds = speeds_of(figures, report)
    senses, said_passives, of_senses = senses_of(figures)
    skills, passives = skills_of(figures, sums, report)
    resisted = defences_of(figures, "dr", "resistances", report)
    immune = defences_of(figures, "di", "immunities", report)
    vulnerable = defences_of(figures, "dv", "vulnerabilities", report)
    _tell_amounts(figures, report)
    resources = as_mapping(figures.get("resources"))
    features = _with_resistance(has.features, resources)
    return Creature(
        id=slug(name),
        name=name,
        size=size_of(nested_value(figures, "traits.size"), report),
        type=kind,
        tags=tags,
        rating=challenge_rating(details.get("cr")),
        ac=ac,
        ac_note=ac_note,
        hp=hp,
        hit_dice=dice,
        speeds=speeds,
        hovers=hovers,
        abilities=tuple(sums.scores.items()),
        saves=saves_of(figures, sums, report),
        skills=skills,
        senses=senses,
        languages=languages_of(figures),
        initiative=_initiative(figures, sums.modifiers, sums.formulas.number),
        resistances=resisted.types,
        vulnerabilities=vulnerable.types,
        immunities=immune.types,
        mundane_immunity=immune.mundane,
        mundane_resistance=resisted.mundane,
        condition_immunities=conditions_of(figures, report),
        gear=tuple(has.gear),
        features=with_multiattacks(features, report),
        source=_source(figures, details),
        level=level,
        spellcasting=sums.casting if has.casts or has.spells else "",
        passives=tuple({**dict(passives), **dict(said_passives)}.items()),
        slots=_slots(figures),
        legendary=_count(nested_value(resources, "legact.max") or nested_value(resources, "legact.value")),
        alignment=as_text(details.get("alignment")).lower(),
        xp=_count(nested_value(details, "xp.value"), 1_000_000) if level == 0 else 0,
        environments=_habitats(details),
        description=plain_text(as_text(nested_value(details, "biography.value")) or as_text(details.get("biography"))),
        remarks=(*remarks, *of_speeds, *of_senses, *_lair(resources), *has.remarks),
        licence=as_text(nested_value(figures, "source.license")) or as_text(nested_value(details, "source.license")),
    )


def _level(details: Mapping[str, Any], items: list[Mapping[str, Any]]) -> int:
    """Return a character's level: its own number, or the sum of its classes."""
    own = as_int(details.get("level"))
    classes = [as_int(system_of(item).get("levels")) or 0 for item in items if item.get("type") == "class"]
    return min(max(own or sum(classes), 1), 100)


def _type(details: Mapping[str, Any]) -> tuple[str, tuple[str, ...], list[SourceNote]]:
    """Return a creature's type, its tags, and a swarm's own words as a remark."""
    given = details.get("type")
    if isinstance(given, str):
        read = type_line(f"medium {given}")
        return read.type or "humanoid", read.tags, [SourceNote("type", read.remark)] if read.remark else []
    found = as_mapping(given)
    value, custom = as_text(found.get("value")).strip().lower(), as_text(found.get("custom")).strip().lower()
    kind = (custom if value in ("", "custom") else value) or "humanoid"
    tags = tuple(part.strip().lower() for part in as_text(found.get("subtype")).split(",") if part.strip())
    swarm = as_text(found.get("swarm")).strip()
    if not swarm:
        return kind, tags, []
    of = SIZES.get(swarm.lower(), swarm.lower())
    return kind, ("swarm", *tags), [SourceNote("type", f"swarm of {of} creatures of this type")]


def _initiative(figures: Mapping[str, Any], modifiers: Mapping[str, int], number: Any) -> int | None:
    """Return the initiative bonus where it isn't that of Dexterity alone."""
    given = as_mapping(nested_value(figures, "attributes.init"))
    ability = as_text(given.get("ability")) if as_text(given.get("ability")) in modifiers else "dex"
    bonus = number(given.get("bonus")) or 0
    return modifiers[ability] + bonus if bonus or ability != "dex" else None


def _tell_amounts(figures: Mapping[str, Any], report: ConversionReport) -> None:
    for kind, amount in as_mapping(nested_value(figures, "traits.dm.amount")).items():
        if amount:
            report.add_note("damage modification", f"{kind} {amount}", "is no figure that is kept")


def _with_resistance(features: list[Feature], resources: Mapping[str, Any]) -> tuple[Feature, ...]:
    """Return features with the uses of Legendary Resistance from the creature's own resources."""
    uses = _count(nested_value(resources, "legres.max") or nested_value(resources, "legres.value"))
    return tuple(
        msgspec.structs.replace(one, uses=uses, per="day")
        if uses and not one.uses and one.name.startswith("Legendary Resistance")
        else one
        for one in features
    )


def _count(given: Any, most: int = 100) -> int:
    number = as_int(given) or 0
    return number if 0 <= number <= most else 0


def _lair(resources: Mapping[str, Any]) -> list[SourceNote]:
    count = as_int(nested_value(resources, "lair.initiative"))
    return [SourceNote("lair", f"initiative count {count}")] if nested_value(resources, "lair.value") and count else []


def _slots(figures: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    spells = as_mapping(figures.get("spells"))
    found = []
    for level in range(1, 10):
        slot = as_mapping(spells.get(f"spell{level}"))
        count = next(
            (n for n in (as_int(slot.get("override")), as_int(slot.get("max")), as_int(slot.get("value"))) if n), 0
        )
        if 0 < count <= 100:
            found.append((str(level), count))
    return tuple(found)


def _habitats(details: Mapping[str, Any]) -> tuple[str, ...]:
    said = [
        as_text(one.get("subtype")) or as_text(one.get("type"))
        for one in _mappings(nested_value(details, "habitat.value"))
    ]
    said += as_text(nested_value(details, "habitat.custom")).split(",") + as_text(details.get("environment")).split(",")
    return tuple(dict.fromkeys(part.strip().lower() for part in said if part.strip()))


def _mappings(given: Any) -> list[Mapping[str, Any]]:
    return [one for one in as_list(given) if isinstance(one, dict)]


def _source(figures: Mapping[str, Any], details: Mapping[str, Any]) -> str:
    given = figures.get("source") or details.get("source")
    if isinstance(given, str):
        return f"Foundry D&D 5e: {given.strip()}" if given.strip() else "Foundry D&D 5e"
    found = as_mapping(given)
    title = as_text(found.get("book")).strip() or as_text(found.get("custom")).strip()
    rules = as_text(found.get("rules")).strip()
    title = title or (f"rules of {title_from_key(rules)}" if rules else "")
    page = as_text(found.get("page")).strip()
    return f"Foundry D&D 5e: {title}{f', page {page}' if page else ''}" if title else "Foundry D&D 5e"


FORMAT = ImportFormat("foundry-dnd5e", "Foundry VTT actors (D&D 5e)", claims, read)
