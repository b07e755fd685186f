"""Reads a 5e stat block of Obsidian as a creature."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature, NamedNumbers
from turnwright.importers import stat_block
from turnwright.importers.common import (
    as_list,
    as_mapping,
    as_text,
    int_at,
    named_numbers,
)
from turnwright.importers.damage_placement import normalised_dice
from turnwright.importers.fantasy_statblocks.entries import feature_in, spells_in
from turnwright.importers.numbers_with_notes import hit_points, rating_or_note
from turnwright.importers.stat_block import StatBlock
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator

Data = Mapping[str, Any]
SECTIONS: Final = (
    ("traits", "trait"),
    ("actions", "action"),
    ("bonusactions", "bonus"),
    ("reactions", "reaction"),
    ("legendaryactions", "legendary"),
    ("mythicactions", "legendary"),
    ("lairactions", "lair"),
)
IGNORED_FIELDS: Final = frozenset({
    *("layout", "image", "imagelink", "bestiary", "statblock", "statblocklink", "dice", "render", "columns"),
    *("forcecolumns", "columnwidth", "columnheight", "path", "mtime", "monster", "creature", "extends", "export", "token"),
    *("cssclass", "cssclasses", "publish", "aliases"),
})  # fmt: skip
_NOUNS: Final = {"saves": "save", "skillsaves": "skill"}  # nouns for notes, keyed by field
_NAMES: Final = MappingProxyType(
    {
        "immunities": "damageimmunities",
        "resistances": "damageresistances",
        "vulnerabilities": "damagevulnerabilities",
        "condition_immunities": "condition_immunities",
    }
)
_KNOWN: Final = frozenset({
    *(section for section, _cost in SECTIONS),
    *("name", "size", "type", "subtype", "alignment", "ac", "acclass", "health", "hp", "hitdice", "speed", "stats", "saves"),
    *("skillsaves", "damagevulnerabilities", "damageresistances", "damageimmunities", "conditionimmunities", "senses"),
    *("languages", "cr", "spells", "source", "modifier", "legendarydescription", "desc", "description", "environment"),
    *("xp", "proficiencybonus"),
})  # fmt: skip


def creature_of(data: Data, name: str, ids: IdAllocator, report: ConversionReport) -> Creature:
    """Return the creature of a block with plain keys. Raise UnreadableError if it can't be used in a fight."""
    hp, hp_note = hit_points(data["hp"] if data.get("hp") is not None else _line(data.get("health")))
    dice = normalised_dice(as_text(data.get("hitdice")) or (hp_note if "d" in hp_note else ""))
    if normalised_dice(hp_note) != dice:
        report.add_remark("hp", hp_note)
    speeds = header_lines.speeds(_line(data.get("speed")))
    if not speeds.distances:
        report.add_note("speed", _line(data.get("speed")), "no speed found")
    features = _features(data, report)
    spellcasting, slots = header_lines.spellcasting_and_slots(feature.text for feature in features)
    block = StatBlock(
        name,
        kind=as_text(data.get("type")),
        size=as_text(data.get("size")),
        tags=_tags(data.get("subtype")),
        alignment=as_text(data.get("alignment")).strip(),
        rating=rating_or_note(data.get("cr"), report),
        ac=as_text(data.get("ac")),
        ac_note=as_text(data.get("acclass")),
        hp=hp,
        hit_dice=dice,
        speeds=_line(data.get("speed")) if speeds.distances else (),
        hovers=speeds.hovers,
        abilities=_abilities(data, report),
        saves=_bonuses(data.get("saves"), "saves", report),
        skills=_bonuses(data.get("skillsaves"), "skillsaves", report),
        senses=_line(data.get("senses")),
        languages=_line(data.get("languages")),
        initiative=int_at(data, "modifier"),
        immunities=_damage(data.get("damageimmunities")),
        resistances=_damage(data.get("damageresistances")),
        vulnerabilities=_damage(data.get("damagevulnerabilities")),
        condition_immunities=header_lines.joined_text(data.get("conditionimmunities")),
        features=features,
        source=_source(data),
        proficiency=max(0, int_at(data, "proficiencybonus") or 0),
        spellcasting=spellcasting,
        slots=slots,
        legendary=header_lines.legendary_count(as_text(data.get("legendarydescription"))),
        xp=max(0, int_at(data, "xp") or 0),
        environments=_tags(_line(data.get("environment"))),
        description=plain_text(_line(data.get("desc") or data.get("description"))),
        names=_NAMES,
    )
    _add_unknown(data, report)
    return stat_block.creature_of(block, ids.allocate(name), report)


def _features(data: Data, report: ConversionReport) -> tuple[Feature, ...]:
    ids = IdAllocator()
    features: list[Feature | None] = []
    for section, cost in SECTIONS:
        entries = data.get(section)
        if isinstance(entries, dict):
            entries = [{"name": str(name), "desc": text} for name, text in entries.items()]
        elif entries and not isinstance(entries, list):
            entries = [{"name": section, "desc": as_text(entries)}]
        features += [feature_in(entry, cost, ids, report) for entry in as_list(entries)]
        if section == "traits":
            features.append(spells_in(data.get("spells"), ids, report))
    return tuple(feature for feature in features if feature is not None)


def _line(value: Any) -> str:
    """Return a text, a list or a small table as one line."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {as_text(part)}".strip() for key, part in value.items())
    return ", ".join(as_text(part) for part in value) if isinstance(value, list) else as_text(value).strip()


def _tags(value: Any) -> tuple[str, ...]:
    return tuple(tag for part in _line(value).split(",") if (tag := part.strip().lower()))


def _abilities(data: Data, report: ConversionReport) -> NamedNumbers:
    stats = data.get("stats")
    if isinstance(stats, dict):
        named = {str(key).lower()[:3]: value for key, value in stats.items()}
        stats = [named.get(ability) for ability in header_lines.ABILITIES]
    scores = named_numbers(zip(header_lines.ABILITIES, as_list(stats), strict=False))
    if len(scores) < len(header_lines.ABILITIES):
        report.add_note(
            "stats",
            stats or "",
            "fewer than six ability scores; add the others yourself" if stats else "missing; add them yourself",
        )
    if len(as_list(stats)) > len(header_lines.ABILITIES):
        report.add_note("stats", stats, "more than six scores; the first six are used")
    return scores


def _bonuses(value: Any, field: str, report: ConversionReport) -> NamedNumbers:
    """Return bonuses from `[{dexterity: 9}]`, `{dexterity: 9}` or `Dex +9`."""
    figures: dict[str, int] = {}
    ids = header_lines.ABILITIES if field == "saves" else header_lines.SKILLS
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, str):
            read = header_lines.saves(entry) if field == "saves" else header_lines.skills(entry)
            figures.update(read.bonuses)
            if read.rest:
                report.add_note(field, read.rest, f"unknown {_NOUNS[field]} or bonus; ignored")
            continue
        for key, stated in as_mapping(entry).items():
            id = str(key).strip().lower()
            id = id[:3] if field == "saves" else "-".join(id.replace("_", " ").split())
            bonus = as_int(stated)
            if id in ids and bonus is not None:
                figures.setdefault(id, bonus)
            else:
                report.add_note(field, f"{key}: {stated}", f"unknown {_NOUNS[field]} or bonus; ignored")
    return tuple(figures.items())


def _damage(value: Any) -> list[str]:
    """Return the texts of a list or line of damage types."""
    return [text for part in (value if isinstance(value, list) else [value]) for text in as_text(part).split(";")]


def _source(data: Data) -> str:
    source = _line(data.get("source"))
    return f"Fantasy Statblocks: {source}" if source else "Fantasy Statblocks"


def _add_unknown(data: Data, report: ConversionReport) -> None:
    """Keep unknown keys as remarks, and report them."""
    for key in sorted(data.keys() - _KNOWN - IGNORED_FIELDS):
        text = _line(data[key])
        if data[key] not in (None, "", [], {}):
            why = "unknown field; kept as a remark" if text else "unknown field; ignored"
            report.add_note(key, data[key], why)
            report.add_remark(key, text)
