"""The YAML files of the pathfinder-2-sqlite collection, one creature a file, with the key names of all its years."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import as_list, as_text, required_name
from turnwright.storage.importers.documents import ParsedDocument
from turnwright.storage.importers.formats import ImportFormat
from turnwright.storage.importers.pf2e.creatures import creature_of
from turnwright.storage.importers.pf2e.damage import parts_of
from turnwright.storage.importers.pf2e.foundry_actors import nested_value
from turnwright.storage.importers.pf2e.markup import unmarked_text
from turnwright.storage.importers.pf2e.spell_ranks import RankedSpell, rank_lines
from turnwright.storage.importers.pf2e.stat_block import (
    SourceAbility,
    SourceDefence,
    SourceSkill,
    SourceSpeed,
    SourceSpells,
    SourceStatBlock,
    SourceStrike,
)
from turnwright.storage.importers.results import ImportedRecord, SkippedFile, UnreadRecord, convert_record
from turnwright.storage.statblock_text.numbers import as_int

SYSTEM: Final = "pf2e"
COLLECTION: Final = "pathfinder-2-sqlite"
_ABILITIES: Final = ("str", "dex", "con", "int", "wis", "cha")
_SAVES: Final = {"fort": "con", "ref": "dex", "will": "wis"}
_COSTS: Final[Mapping[str, tuple[str, int]]] = {
    "one action": ("action", 1), "two actions": ("action", 2), "three actions": ("action", 3),
    "one to three actions": ("action", 1), "reaction": ("reaction", 1), "free action": ("free", 1), "none": ("trait", 1),
    "": ("trait", 1),
}  # fmt: skip
_HEAD = re.compile(r"^\s*\*\*[^*]*\*\*\s*(?:\[[^\]]*\])?\s*(?:\((?:__[^_]*__(?:,\s*)?)+\))?\s*")
_LINES: Final = (
    ("frequency", "Frequency"), ("requirements", "Requirements"), ("trigger", "Trigger"), ("description", ""),
    ("effect", "Effect"), ("saving_throw", "Saving Throw"), ("maximum_duration", "Maximum Duration"),
    ("critical_success", "Critical Success"), ("success", "Success"), ("failure", "Failure"),
    ("critical_failure", "Critical Failure"),
)  # fmt: skip


def claims(document: ParsedDocument) -> bool:
    """Return whether a document holds creatures of this collection, or another of its tables."""
    return document.kind == "yaml" and (
        any(_is_creature(one) for one in _records(document)) or _is_table(document.data)
    )


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield the creatures of documents; the other tables of the collection (conditions and the like) hold none."""
    del system  # they are all of one game
    ids = IdAllocator()
    for document in documents:
        found = [one for one in _records(document) if _is_creature(one)]
        if not found:
            yield SkippedFile(document.file)
        for record in found:
            called = as_text(record.get("name")).strip()
            yield convert_record(document.file, called, _imported, record, document.file, ids)


def _records(document: ParsedDocument) -> list[Any]:
    return document.data if isinstance(document.data, list) else [document.data]


def _is_creature(record: Any) -> bool:
    return isinstance(record, dict) and "ability_mods" in record and ("saves" in record or "hp" in record)


def _is_table(data: Any) -> bool:
    """Return whether data is a table of the collection: one name above rows that cite their book."""
    rows = as_list(next(iter(data.values()), None)) if isinstance(data, dict) and len(data) == 1 else []
    return bool(rows) and all(_cited(one) for one in rows[:5])


def _cited(row: Any) -> bool:
    return any(isinstance(nested_value(one, "abbr"), str) for one in as_list(nested_value(row, "source")))


def _imported(record: Mapping[str, Any], file: str, ids: IdAllocator) -> ImportedRecord:
    name = required_name(record.get("name"))
    report = ConversionReport(name)
    creature = creature_of(_block(record, name, report), ids.allocate(name, "creature"), report)
    return ImportedRecord(name, creature, SYSTEM, file, report.notes)


def _block(record: Mapping[str, Any], name: str, report: ConversionReport) -> SourceStatBlock:
    hp = as_int(record.get("hp"))
    ac = as_int(record.get("ac"))
    if hp is None:
        raise UnreadableError("hp: is not a number")
    if ac is None:
        report.add_note("ac", as_text(record.get("ac")), "is not a number")
    saves = ((id, as_int(nested_value(record, "saves", key))) for key, id in _SAVES.items())
    mods = ((id, as_int(nested_value(record, "ability_mods", f"{id}_mod"))) for id in _ABILITIES)
    melee = _strikes(record, ("melee_attacks", "melee"), ranged=False)
    ranged = _strikes(record, ("ranged_attacks", "ranged"), ranged=True)
    return SourceStatBlock(
        name,
        as_int(record.get("level")),
        size=as_text(record.get("size")),
        rarity=as_text(record.get("rarity")),
        kind=as_text(record.get("type")),
        traits=_texts(record.get("traits")),
        alignment=as_text(record.get("alignment")),
        ac=ac or 0,
        ac_note="; ".join(
            _unbracketed(as_text(nested_value(one, "descr"))) for one in as_list(record.get("ac_special"))
        ),
        hp=hp,
        abilities=tuple((id, mod) for id, mod in mods if mod is not None),
        saves=tuple((id, total) for id, total in saves if total is not None),
        perception=as_int(record.get("perception")),
        skills=tuple(_skills(record, report)),
        senses=_texts(record.get("senses")),
        languages=_texts(record.get("languages")),
        speeds=tuple(
            SourceSpeed(
                as_text(nested_value(one, "type")),
                as_int(nested_value(one, "amount")),
                as_text(nested_value(one, "misc")),
            )
            for one in as_list(record.get("speed"))
        ),
        immunities=_texts(record.get("immunities")),
        resistances=tuple(_defences(record.get("resistances"))),
        weaknesses=tuple(_defences(record.get("weaknesses"))),
        strikes=(*melee, *ranged),
        actions=tuple(_abilities(record, report)),
        spells=tuple(_spells(one) for one in as_list(record.get("spell_lists"))),
        items=_texts(record.get("items")),
        remarks=tuple(_remarks(record, report)),
        description=unmarked_text(as_text(record.get("description"))),
        source=_source(record),
    )


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text for one in as_list(value) if (text := unmarked_text(as_text(one)).strip()))


def _unbracketed(text: str) -> str:
    """Return a text without an unmatched bracket at its end."""
    text = unmarked_text(text).strip()
    return text[:-1].strip() if text.endswith(")") and text.count(")") > text.count("(") else text


def _skills(record: Mapping[str, Any], report: ConversionReport) -> Iterator[SourceSkill]:
    for one in as_list(record.get("skills")):
        bonus, name = as_int(nested_value(one, "bonus")), as_text(nested_value(one, "name")).strip()
        if bonus is None or not name:
            report.add_note("skills", f"{name} {as_text(nested_value(one, 'misc'))}".strip(), "has no bonus")
            continue
        yield SourceSkill(name, bonus, as_text(nested_value(one, "misc")))


def _defences(value: Any) -> Iterator[SourceDefence]:
    for one in as_list(value):
        name, amount, note = (
            as_text(nested_value(one, "type")),
            as_int(nested_value(one, "amount")),
            as_text(nested_value(one, "misc")),
        )
        if name or note:
            yield SourceDefence(name, amount, note) if name else SourceDefence(note, None)


def _strikes(record: Mapping[str, Any], keys: tuple[str, ...], *, ranged: bool) -> Iterator[SourceStrike]:
    for one in (one for key in keys for one in as_list(record.get(key))):
        parts, riders = parts_of(
            (as_text(nested_value(part, "formula")), as_text(nested_value(part, "type")), "")
            for part in as_list(nested_value(one, "damage"))
        )
        more = (
            unmarked_text(as_text(nested_value(one, "plus_damage")))
            if isinstance(nested_value(one, "plus_damage"), str)
            else ""
        )
        beside, plus = parts_of(
            (as_text(nested_value(part, "formula")), as_text(nested_value(part, "type")), "")
            for part in as_list(nested_value(one, "plus_damage"))
        )
        name = " ".join(as_text(nested_value(one, "name")).split()) or "Strike"
        traits = _texts(nested_value(one, "traits"))
        shoots = ranged or any(trait.lower().startswith("range") for trait in traits)  # some stand among the others
        all_riders = tuple(unmarked_text(rider) for rider in (*riders, *plus, more) if rider)
        yield SourceStrike(
            name[:1].upper() + name[1:], as_int(nested_value(one, "to_hit")), traits, (*parts, *beside),
            all_riders, ranged=shoots,
        )  # fmt: skip


def _abilities(record: Mapping[str, Any], report: ConversionReport) -> Iterator[SourceAbility]:
    for key in (
        "sense_abilities",
        "automatic_abilities",
        "active_abilities",
        "proactive_abilities",
        "interaction_abilities",
    ):
        for one in as_list(record.get(key)):
            name = " ".join(unmarked_text(as_text(nested_value(one, "name"))).split())[:200] or "Ability"
            said = as_text(nested_value(one, "action_cost")).strip()
            if said.lower() not in _COSTS:
                report.add_note(f"{name}: action_cost", said, "is no number of actions; it is in the text")
            cost, price = _COSTS.get(said.lower(), ("trait", 1))
            text = _text(one)
            if said.lower() not in _COSTS:
                text = f"[{said}] {text}"
            yield SourceAbility(
                name, cost, price, _texts(nested_value(one, "traits")), text, range=unmarked_text(as_text(nested_value(one, "range"))),
            )  # fmt: skip


def _text(ability: Any) -> str:
    """Return the whole text of an ability: its description, and the separate lines missing from it."""
    text = unmarked_text(_HEAD.sub("", as_text(nested_value(ability, "raw_description")), count=1)).lstrip("; ")
    pieces = [text] if text else []
    for key, label in _LINES:
        said = unmarked_text(as_text(nested_value(ability, key))).strip("* ;")
        if said and said not in text:
            pieces.append(f"{label} {said}".strip())
    for number, one in enumerate(as_list(nested_value(ability, "stages")), 1):
        said = unmarked_text(as_text(nested_value(one, "effect")))
        if said and said not in text:
            pieces.append(f"Stage {number} {said}")
    return "\n".join(pieces)


def _spells(held: Any) -> SourceSpells:
    ranks = [
        RankedSpell(as_text(nested_value(spell, "name")), as_int(nested_value(group, "level")) or 0, as_text(nested_value(spell, "misc")),
             cantrip=key == "cantrips", constant=key == "constants")
        for key in ("spell_lists", "cantrips", "constants")
        for group in as_list(nested_value(held, key))
        for spell in as_list(nested_value(group, "spells"))
    ]  # fmt: skip
    name = as_text(nested_value(held, "spells_source")).strip() or "Spells"
    focus = as_int(nested_value(held, "focus_points"))
    note = (f"{focus} Focus Point{'s' if focus != 1 else ''}" if focus else "", as_text(nested_value(held, "misc")))
    return SourceSpells(
        name, dc=as_int(nested_value(held, "dc")) or 0, attack=as_int(nested_value(held, "attack_bonus")),
        tradition=next((word for word in ("arcane", "divine", "occult", "primal") if word in name.lower()), ""),
        ranks=rank_lines(ranks), note="; ".join(one for one in note if one),
    )  # fmt: skip


def _remarks(record: Mapping[str, Any], report: ConversionReport) -> Iterator[tuple[str, str]]:
    """Yield the words beside hit points and saves."""
    hp = _unbracketed(as_text(record.get("hp_misc")))
    if hp:
        report.add_note("hp", hp, "is words beside the hit points; it is a remark")
        yield "hp", hp
    for key, title in (("misc", ""), ("fort_misc", "Fortitude: "), ("ref_misc", "Reflex: "), ("will_misc", "Will: ")):
        said = unmarked_text(as_text(nested_value(record, "saves", key)))
        if said:
            report.add_note("saves", said, "holds at times; it is a remark")
            yield "saves", f"{title}{said}"


def _source(record: Mapping[str, Any]) -> str:
    found = []
    for one in (*as_list(record.get("sources")), *as_list(record.get("source"))):
        book, page = as_text(nested_value(one, "abbr")), as_text(nested_value(one, "page_start"))
        found.append(f"{book}, page {page}" if book and page else book)
    return f"{COLLECTION}: {'; '.join(one for one in found if one)}" if any(found) else COLLECTION


FORMAT: Final = ImportFormat("pf2-yaml", "Pathfinder 2e, YAML of pathfinder-2-sqlite", claims, read)
