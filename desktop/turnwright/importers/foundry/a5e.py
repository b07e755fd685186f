"""Reads actors of Foundry's A5E system in any version, one per file or several in a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from turnwright.importers.common import as_list, as_text, challenge_rating
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.foundry.a5e_items import read_items
from turnwright.importers.foundry.a5e_statistics import head_fields, read_totals
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
from turnwright.importers.foundry.links import items_with_link_names
from turnwright.importers.foundry.traits import conditions_of, damage_defences_of, distances, size_of
from turnwright.importers.foundry.units import SENSES, SPEEDS, title_from_key
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.importers.stat_block import StatBlock
from turnwright.importers.statblock_text.header_lines import legendary_count
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.storage.conversion_report import ConversionReport


def is_a5e_actor(actor: Actor) -> bool:
    """Whether an actor belongs to A5E: it says so, or has the armour class formula that only A5E uses."""
    game = game_of(actor)
    if game:
        return game == "a5e"
    return "baseFormula" in mapping_at(system_of(actor), "attributes.ac")


def claims(document: ParsedDocument) -> bool:
    """Return whether a document contains actors of A5E."""
    return has_actor_of(document, is_a5e_actor)


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield creatures for the rule system `system` if it is a5e or dnd5e, otherwise for A5E."""
    return convert_actors(documents, is_a5e_actor, _block, system)


def _block(actor: Actor, name: str, report: ConversionReport) -> StatBlock:
    reading = read_totals(actor, name, report)
    figures = reading.system
    attributes, details = mapping_at(figures, "attributes"), mapping_at(figures, "details")
    traits = mapping_at(figures, "traits")
    kinds = [
        text.strip().lower()
        for kind_data in as_list(details.get("creatureTypes"))
        if (text := as_text(kind_data)).strip()
    ]
    speeds, senses = (
        distances(mapping_at(attributes, key), names, field, attributes, reading)
        for key, names, field in (("movement", SPEEDS, "speeds"), ("senses", SENSES, "senses"))
    )
    reading.items = items_with_link_names(reading.items, reading.names_by_link, report)
    legendary = read_items(reading)
    if details.get("elite"):
        report.add_remark("rating", "elite")
    head = head_fields(reading)
    return StatBlock(
        name,
        size=size_of(traits.get("size"), report),
        type=kinds[0] if kinds else "humanoid",
        tags=(*kinds[1:], *(tag for tag, key in (("swarm", "isSwarm"), ("squad", "isSquad")) if details.get(key))),
        rating=challenge_rating(details.get("cr")),
        speeds=speeds,
        hovers=bool(value_at(attributes, "movement.traits.hover")),
        senses=senses,
        condition_immunities=conditions_of(traits.get("conditionImmunities")),
        gear=tuple(reading.gear),
        features=tuple(reading.features),
        notes="\n\n".join(text for key in ("notes", "privateNotes") if (text := plain_text(text_at(details, key)))),
        source=_source(figures),
        level=reading.level,
        spellcasting=reading.casting if reading.is_caster() else "",
        legendary=legendary
        or next((count for feature in reading.features if (count := legendary_count(feature.text))), 0),
        alignment=" ".join(as_text(word).lower() for word in as_list(traits.get("alignment"))),
        environments=tuple(
            title_from_key(key).lower() for key in as_list(details.get("terrain")) if isinstance(key, str)
        ),
        description=plain_text(text_at(details, "bio")),
        immunities=damage_defences_of(traits.get("damageImmunities"), "immunities", report),
        resistances=damage_defences_of(traits.get("damageResistances"), "resistances", report),
        vulnerabilities=damage_defences_of(traits.get("damageVulnerabilities"), "vulnerabilities", report),
        system="a5e",
        **head,
    )


def _source(figures: Mapping[str, Any]) -> str:
    source = as_text(figures.get("source"))
    return f"Foundry A5E: {title_from_key(source)}" if source and not source.startswith("[") else "Foundry A5E"


FORMAT = ImportFormat("foundry-a5e", "Foundry VTT actors (A5E)", claims, read)
