"""Reads creatures, hazards and player characters of Foundry's Pathfinder 2e system, in the 2021 schema and later ones.

Hazards are creatures of the kind `hazard`, with Stealth, hardness, routine, disabling and reset.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from turnwright.importers import formats, results
from turnwright.importers.common import (
    as_list,
    as_mapping,
    as_text,
    int_at,
    list_at,
    named_numbers,
    nested_value,
    text_at,
)
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.pf2e import characters, creatures, foundry, hazards, markup, spells, stat_block
from turnwright.importers.pf2e.foundry import system_data_of, value_of
from turnwright.importers.statblock_text import damage, header_lines
from turnwright.storage.fights import ConversionReport

_SAVES: Final = ("fortitude", "reflex", "will")
COLLECTION: Final = "Foundry PF2e"
ACTORS: Final = frozenset({"npc", "hazard"})
_LOOKED_AT: Final = 50  # number of a collection's documents that are checked for the format


def claims(document: ParsedDocument) -> bool:
    """Return whether a document contains a record of Foundry's Pathfinder 2e system."""
    return document.kind == "json" and any(_is_ours(record) for record in creatures.records_in(document)[:_LOOKED_AT])


def read(
    documents: Iterable[ParsedDocument], system: str
) -> Iterator[results.ImportedRecord | results.UnreadRecord | results.SkippedFile]:
    """Yield the creatures and hazards of documents. Conditions, abilities and spells are only read for their texts."""
    del system  # all records are for Pathfinder 2e
    glossary = _glossary(documents)
    return creatures.convert_records(
        documents, _is_creature, lambda record, name, report: _block(record, name, report, glossary)
    )


def _is_creature(record: Any) -> bool:
    return isinstance(record, dict) and record.get("type") in (*ACTORS, "character")


def _is_ours(record: Any) -> bool:
    """Whether a record belongs to the Pathfinder 2e system; records of other systems have a similar structure."""
    body = system_data_of(as_mapping(record))
    kind = as_text(as_mapping(record).get("type"))
    if kind == "npc":
        return nested_value(body, "saves", "fortitude") is not None and body.get("attributes") is not None
    if kind == "hazard":
        stealth = nested_value(body, "attributes", "stealth")
        return stealth is not None or nested_value(body, "details", "isComplex") is not None
    if kind == "character":
        return bool(body) and any(text_at(item, "type") == "ancestry" for item in list_at(record, "items"))
    if not isinstance(as_mapping(record).get("name"), str) or not kind:
        return False
    described = isinstance(nested_value(body, "description", "value"), str)
    by_rules = isinstance(body.get("rules"), list) and ("slug" in body or "publication" in body or "traits" in body)
    by_action = kind == "action" and nested_value(body, "actionType", "value") is not None
    return described and (by_rules or by_action)


def _glossary(documents: Iterable[ParsedDocument]) -> Mapping[str, str]:
    """Return the texts of abilities and conditions, keyed by id, for records that only refer to them."""
    texts: dict[str, str] = {}
    for document in documents:
        for record in creatures.records_in(document):
            if isinstance(record, dict) and record.get("type") in ("action", "condition") and "items" not in record:
                text = as_text(nested_value(system_data_of(record), "description", "value"))
                if text and "@Localize" not in text:
                    texts.setdefault(markup.glossary_id(as_text(record.get("name"))), text)
    return texts


def _block(
    record: Mapping[str, Any], name: str, report: ConversionReport, glossary: Mapping[str, str]
) -> stat_block.SourceStatBlock:
    body = system_data_of(record)
    items = [item for item in as_list(record.get("items")) if isinstance(item, dict)]
    items = characters.with_prepared_spells(items) if record["type"] == "character" else items
    level = damage.as_int(value_of(nested_value(body, "details", "level")))

    def plain_of(place: str, text: str) -> str:
        if "@" in text:
            for mark in markup.unresolved_marks(text):
                if not (mark.startswith("@Localize") and markup.glossary_id(mark[10:-1]) in glossary):
                    report.add_note(place, mark, "value not in the file; ignored")
        return markup.unmarked_text(text, glossary, level)

    hp, is_hazard = int_at(body, "attributes", "hp", "max"), record["type"] == "hazard"
    ac = int_at(body, "attributes", "ac", "value")
    block = stat_block.SourceStatBlock(
        name,
        level,
        size=text_at(body, "traits", "size", "value"),
        rarity=as_text(value_of(nested_value(body, "traits", "rarity"))),
        kind=text_at(body, "details", "creatureType") or as_text(body.get("creatureType")),
        traits=foundry.traits(body),
        alignment=text_at(body, "details", "alignment", "value"),
        ac=ac or 0,
        ac_note=_aside(body, plain_of, "ac"),
        hp=hp if hp is not None else int_at(body, "attributes", "hp", "value") or (0 if is_hazard else None),
        abilities=named_numbers((id, nested_value(body, "abilities", id, "mod")) for id in header_lines.ABILITIES),
        saves=named_numbers((markup.SAVES[name], nested_value(body, "saves", name, "value")) for name in _SAVES),
        perception=foundry.perception(body),
        skills=tuple(foundry.skills(body, items)),
        senses=tuple(foundry.senses(body)),
        languages=tuple(foundry.languages(body)),
        speeds=tuple(foundry.speeds(body)),
        immunities=tuple(foundry.immunities(body)),
        resistances=tuple(foundry.resistances_or_weaknesses(body, "dr", "resistances")),
        weaknesses=tuple(foundry.resistances_or_weaknesses(body, "dv", "weaknesses")),
        strikes=tuple(foundry.strikes(items, plain_of)),
        actions=tuple(foundry.abilities(items, plain_of, report)),
        spells=tuple(foundry.spells(items, level or 0)),
        own_spells=spells.spells_of(items, lambda text: markup.unmarked_text(text, glossary, level)),
        items=tuple(foundry.equipment(items)),
        description=_texts(body, plain_of, "publicNotes", "flavorText", "flavourText", "description"),
        notes=_texts(body, plain_of, "blurb", "privateNotes", "sidebarText", "recallKnowledgeText", "biography"),
        source=foundry.source(body, COLLECTION),
        licence=foundry.published(body, "license"),
    )
    _add_remarks(body, plain_of, report)
    if is_hazard:
        return _hazard(block, body, plain_of, report)
    if record["type"] == "character":
        return characters.with_worked_out_numbers(block, record, report)
    if ac is None:
        report.add_note("ac", text_at(body, "attributes", "ac", "value"), "not a number; set to 10")
    return block


def _aside(body: Mapping[str, Any], plain_of: foundry.PlainText, name: str) -> str:
    """Return the note on a number, or an empty string if it contains only punctuation."""
    text = plain_of(name, text_at(body, "attributes", name, "details")).strip(" ;,")
    return text if any(letter.isalnum() for letter in text) else ""


def _texts(body: Mapping[str, Any], plain_of: foundry.PlainText, *names: str) -> str:
    places = (("details", name, *part) for name in names for part in ((), ("value",), ("public",)))
    return "\n\n".join(filter(None, (plain_of(place[1], text_at(body, *place)) for place in places)))


def _add_remarks(body: Mapping[str, Any], plain_of: foundry.PlainText, report: ConversionReport) -> None:
    """Keep the notes on hit points, saves and initiative as remarks."""
    report.add_remark("hp", _aside(body, plain_of, "hp"), "a note on hit points; kept as a remark")
    texts = [("allSaves", text_at(body, "attributes", "allSaves", "value"))]
    texts += [(name, text_at(body, "saves", name, "saveDetail")) for name in _SAVES]
    for name, value in texts:
        if text := plain_of(name, value):
            report.add_remark("saves", text if name == "allSaves" else f"{name.title()}: {text}")
            report.add_note("saves", text, "a conditional bonus; kept as a remark")
    statistic = text_at(body, "initiative", "statistic")
    report.add_remark("initiative", "" if statistic == "perception" else statistic)


def _hazard(
    block: stat_block.SourceStatBlock, body: Mapping[str, Any], plain: foundry.PlainText, report: ConversionReport
) -> stat_block.SourceStatBlock:
    """Return a stat block completed with the fields of a hazard.

    A hazard without health gets no AC, hit points or saves, even if its fields contain some.
    """
    has_health = nested_value(body, "attributes", "hasHealth") is not False
    is_complex = nested_value(body, "details", "isComplex") is True
    stealth = int_at(body, "attributes", "stealth", "value")
    text = plain("Routine", text_at(body, "details", "routine")) if is_complex else ""
    routine, pools = hazards.routine_of(text, report)
    titles = hazards.TITLES[:2] if is_complex else hazards.TITLES
    texts = {title: plain(title, text_at(body, "details", title.lower())) for title in titles}
    further = [stat_block.SourceAbility(title, text=text) for title, text in texts.items() if text]
    _add_hazard_remarks(body, stealth, plain, report)
    return msgspec.structs.replace(
        block,
        hazard=True,
        ac=block.ac if has_health else 0,
        hp=block.hp if has_health else 0,
        saves=block.saves if has_health else (),
        traits=(*block.traits, "complex" if is_complex else "simple"),
        skills=(*block.skills, *((stat_block.SourceNumber("stealth", stealth),) if stealth is not None else ())),
        actions=(*routine, *block.actions, *further),
        pools=pools,
    )


def _add_hazard_remarks(
    body: Mapping[str, Any], stealth: int | None, plain: foundry.PlainText, report: ConversionReport
) -> None:
    """Keep a hazard's Stealth and hardness as remarks: a creature has no field for them."""
    details = plain("stealth", text_at(body, "attributes", "stealth", "details")).strip()
    if stealth is not None:
        report.add_remark("stealth", f"DC {markup.DC_BASE + stealth} {details}".strip())
    else:
        report.add_remark("stealth", details, "not a number; kept as a remark")
    hazards.add_hardness(damage.as_int(value_of(nested_value(body, "attributes", "hardness"))), report)


FORMAT: Final = formats.ImportFormat("foundry-pf2e", "Foundry VTT, Pathfinder 2e", claims, read)
