"""Reads actors of Foundry's D&D 5e system, as JSON or YAML, in any version of its records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.importers.common import as_list, as_mapping, as_text, challenge_rating
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.foundry.actors import (
    Actor,
    convert_actors,
    game_of,
    has_actor_of,
    mapping_at,
    system_of,
    text_at,
    value_at,
)
from turnwright.importers.foundry.dnd5e_items import described, read_items
from turnwright.importers.foundry.dnd5e_statistics import head_fields, read_totals
from turnwright.importers.foundry.traits import size_of
from turnwright.importers.foundry.units import SIZES, title_from_key
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.importers.stat_block import StatBlock
from turnwright.importers.statblock_text.header_lines import type_line
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport


def is_dnd5e_actor(actor: Actor) -> bool:
    """Whether an actor belongs to D&D 5e: it says so, or its abilities and traits have that structure."""
    game = game_of(actor)
    if game:
        return game == "dnd5e"
    figures = system_of(actor)
    if "baseFormula" in mapping_at(figures, "attributes.ac"):
        return False
    ability, traits = mapping_at(figures, "abilities.str"), as_mapping(figures.get("traits"))
    shaped = "proficient" in ability and "value" in ability and isinstance(ability.get("proficient"), int | float)
    return (
        shaped
        and "mod" not in mapping_at(figures, "saves.fortitude")
        and bool({"di", "dr", "ci", "size"} & traits.keys())
    )


def claims(document: ParsedDocument) -> bool:
    """Return whether a document contains actors of D&D 5e."""
    return has_actor_of(document, is_dnd5e_actor)


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield creatures for the rule system `system` if it is a5e or dnd5e, otherwise for D&D 5e."""
    return convert_actors(documents, is_dnd5e_actor, _block, system)


def _block(actor: Actor, name: str, report: ConversionReport) -> StatBlock:
    reading = read_totals(actor, name, report)
    details, resources = mapping_at(reading.system, "details"), mapping_at(reading.system, "resources")
    kind, tags = _type(details, report)
    head = head_fields(reading)
    count = as_int(value_at(resources, "lair.initiative"))
    if value_at(resources, "lair.value") and count:
        report.add_remark("lair", f"initiative count {count}")
    read_items(reading)
    for damage, amount in mapping_at(reading.system, "traits.dm.amount").items():
        if amount:
            report.add_note(
                "damage modification", f"{damage} {amount}", "damage modifications aren't supported; ignored"
            )
    return StatBlock(
        name,
        size=size_of(value_at(reading.system, "traits.size"), report),
        type=kind,
        tags=tags,
        rating=challenge_rating(details.get("cr")),
        gear=tuple(reading.gear),
        features=_with_resistance(reading.features, resources),
        source=_source(reading.system, details),
        level=reading.level,
        spellcasting=reading.casting if reading.is_caster() else "",
        legendary=_count(value_at(resources, "legact.max") or value_at(resources, "legact.value")),
        alignment=as_text(details.get("alignment")).lower(),
        xp=_count(value_at(details, "xp.value"), 1_000_000) if reading.level == 0 else 0,
        environments=_habitats(details),
        description=described(text_at(details, "biography.value") or as_text(details.get("biography")), reading),
        licence=text_at(reading.system, "source.license") or text_at(details, "source.license"),
        **head,
    )


def _type(details: Mapping[str, Any], report: ConversionReport) -> tuple[str, tuple[str, ...]]:
    """Return a creature's type and its tags. The description of a swarm becomes a remark."""
    stated = details.get("type")
    if isinstance(stated, str):
        read = type_line(f"medium {stated}")
        kind, tags, swarm = read.type, read.tags, read.remark
    else:
        value, custom, words, size = (text_at(stated, key).lower() for key in ("value", "custom", "subtype", "swarm"))
        kind = custom if value in ("", "custom") else value
        tags = tuple(part.strip() for part in words.split(",") if part.strip())
        tags = ("swarm", *tags) if size else tags
        swarm = f"swarm of {SIZES.get(size, size)} creatures of this type" if size else ""
    report.add_remark("type", swarm)
    return kind or "humanoid", tags


def _with_resistance(features: list[Feature], resources: Mapping[str, Any]) -> tuple[Feature, ...]:
    """Return the features. Legendary Resistance gets its number of uses from the creature's resources."""
    uses = _count(value_at(resources, "legres.max") or value_at(resources, "legres.value"))
    return tuple(
        msgspec.structs.replace(feature, uses=uses, per="day")
        if uses and not feature.uses and feature.name.startswith("Legendary Resistance")
        else feature
        for feature in features
    )


def _count(value: Any, most: int = 100) -> int:
    number = as_int(value) or 0
    return number if 0 <= number <= most else 0


def _habitats(details: Mapping[str, Any]) -> tuple[str, ...]:
    listed = as_list(value_at(details, "habitat.value"))
    names = [text_at(habitat, "subtype") or text_at(habitat, "type") for habitat in listed]
    names += text_at(details, "habitat.custom").split(",") + as_text(details.get("environment")).split(",")
    return tuple(dict.fromkeys(part.strip().lower() for part in names if part.strip()))


def _source(figures: Mapping[str, Any], details: Mapping[str, Any]) -> str:
    source = figures.get("source") or details.get("source")
    rules, page = text_at(source, "rules"), text_at(source, "page")
    title = (
        text_at(source, "book") or text_at(source, "custom") or (f"rules of {title_from_key(rules)}" if rules else "")
    )
    title = source.strip() if isinstance(source, str) else f"{title}, page {page}" if title and page else title
    return f"Foundry D&D 5e: {title}" if title else "Foundry D&D 5e"


FORMAT = ImportFormat("foundry-dnd5e", "Foundry VTT actors (D&D 5e)", claims, read)
