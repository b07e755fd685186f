"""Reads a 5e stat block of Obsidian as a creature."""

import re
from collections.abc import Mapping
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature, NamedNumbers
from turnwright.importers import stat_block
from turnwright.importers.common import as_list, as_mapping, as_text, comma_parts, int_at, named_numbers, text_at
from turnwright.importers.stat_block import (
    DAMAGE_FIELDS,
    StatBlock,
    hit_points,
    loose_dice_pattern,
    normalised_dice,
    placed_damage,
    rating_or_note,
    remaining_damage,
)
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.damage import TYPES, as_int
from turnwright.importers.statblock_text.features import feature_of
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.vocabulary import terms
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport

Data = Mapping[str, Any]
SECTIONS: Final[tuple[tuple[str, str], ...]] = tuple(terms("fantasy_statblocks", "sections").items())
IGNORED_FIELDS: Final[frozenset[str]] = frozenset(terms("fantasy_statblocks", "ignored_fields"))
_NOUNS: Final = {"saves": "save", "skillsaves": "skill"}  # nouns for notes, keyed by field
_KNOWN: Final[frozenset[str]] = frozenset({*dict(SECTIONS), *terms("fantasy_statblocks", "fields")})
_FEATURE_FIELDS: Final[frozenset[str]] = frozenset(terms("fantasy_statblocks", "feature_fields"))
_KIND = re.compile(rf"Hit: \d+ \([^()]*\) ({'|'.join(TYPES)}) damage")


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
        program="Fantasy Statblocks",
        source=_line(data.get("source")),
        proficiency=max(0, int_at(data, "proficiencybonus") or 0),
        spellcasting=spellcasting,
        slots=slots,
        legendary=header_lines.legendary_count(as_text(data.get("legendarydescription"))),
        xp=max(0, int_at(data, "xp") or 0),
        environments=_tags(_line(data.get("environment"))),
        description=plain_text(_line(data.get("desc") or data.get("description"))),
        names=terms("fantasy_statblocks", "names"),
    )
    for key in sorted(data.keys() - _KNOWN - IGNORED_FIELDS):
        if data[key] not in (None, "", [], {}):
            why = "unknown field; kept as a remark" if _line(data[key]) else "unknown field; ignored"
            report.add_note(key, data[key], why)
            report.add_remark(key, _line(data[key]))
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
    return comma_parts(_line(value).lower())


def _abilities(data: Data, report: ConversionReport) -> NamedNumbers:
    stats = data.get("stats")
    if isinstance(stats, dict):
        named = {str(key).lower()[:3]: value for key, value in stats.items()}
        stats = [named.get(ability) for ability in header_lines.ABILITIES]
    scores = named_numbers(zip(header_lines.ABILITIES, as_list(stats), strict=False))
    if len(scores) < len(header_lines.ABILITIES):
        why = "fewer than six ability scores; add the others yourself" if stats else "missing; add them yourself"
        report.add_note("stats", stats or "", why)
    if len(as_list(stats)) > len(header_lines.ABILITIES):
        report.add_note("stats", stats, "more than six scores; the first six are used")
    return scores


def _bonuses(value: Any, field: str, report: ConversionReport) -> NamedNumbers:
    """Return bonuses from `[{dexterity: 9}]`, `{dexterity: 9}` or `Dex +9`."""
    figures: dict[str, int] = {}
    ids = header_lines.ABILITIES if field == "saves" else header_lines.SKILLS
    for entry in value if isinstance(value, list) else [value]:
        unknown: list[str] = []
        if isinstance(entry, str):
            read = header_lines.saves(entry) if field == "saves" else header_lines.skills(entry)
            figures.update(read.bonuses)
            unknown += [read.rest] if read.rest else []
        stated_ones = as_mapping(entry)
        if stated_ones.keys() == {"name", "desc"}:
            stated_ones = {plain_text(as_text(stated_ones["name"])): stated_ones["desc"]}
        for key, stated in stated_ones.items():
            id = str(key).strip().lower()
            id = id[:3] if field == "saves" else "-".join(id.replace("_", " ").split())
            bonus = as_int(stated)
            if id in ids and bonus is not None:
                figures.setdefault(id, bonus)
            else:
                unknown.append(f"{key}: {stated}")
        for words in unknown:
            report.add_note(field, words, f"unknown {_NOUNS[field]} or bonus; ignored")
    return tuple(figures.items())


def _damage(value: Any) -> list[str]:
    """Return the texts of a list or line of damage types."""
    return [text for part in (value if isinstance(value, list) else [value]) for text in as_text(part).split(";")]


def feature_in(entry: Any, cost: str, ids: IdAllocator, report: ConversionReport) -> Feature | None:
    """Return the feature of an entry, or None after a note if it isn't a feature."""
    source = _entry(entry)
    name, text = text_at(source, "name").strip(), _text(source)
    if not name and not text:
        if entry not in (None, "", {}, []):
            report.add_note(cost, entry, "not a feature; ignored")
        return None
    name = name or "Nameless"
    for key in sorted(source.keys() - _FEATURE_FIELDS):
        if source[key] not in (None, "", 0, [], {}, False):
            report.add_note(f"{name}: {key}", source[key], "unknown field; ignored")
    bonus = int_at(source, "attack_bonus")
    known = {"attack": bonus} if bonus else {}  # 0 means that there is no attack
    prose_report = ConversionReport(report.record)
    feature = feature_of(ids, name, text, cost, prose_report, known)
    parts = _parts(source, feature)
    feature = placed_damage(feature, parts, report, name) if parts else feature
    remaining_damage(feature, prose_report, report)
    return feature


def _entry(entry: Any) -> Mapping[str, Any]:
    if isinstance(entry, dict):
        if "name" in entry or "desc" in entry or len(entry) != 1:
            return entry
        name, text = next(iter(entry.items()))
        return {"name": str(name), "desc": text}
    if isinstance(entry, list) and entry:
        return {"name": as_text(entry[0]), "desc": "\n".join(as_text(part) for part in entry[1:])}
    if isinstance(entry, str):
        name, dot, text = entry.partition(". ")
        return {"name": name, "desc": text} if dot and len(name) < 60 else {"name": "", "desc": entry}
    return {}


def _text(source: Mapping[str, Any]) -> str:
    """Return the text of a feature, with nested features as lines."""
    text = source.get("desc", source.get("description", source.get("text")))
    lines = [as_text(line) for line in text] if isinstance(text, list) else [as_text(text)]
    for inner in as_list(source.get("traits")):
        part = _entry(inner)
        lines.append(f"{text_at(part, 'name')}. {_text(part)}" if part.get("name") else _text(part))
    return "\n".join(filter(None, lines))


def _parts(source: Mapping[str, Any], feature: Feature) -> list[str]:
    """Return the damage parts in the separate fields, with the damage types that the text states for the same dice."""
    dice = [part for part in normalised_dice(as_text(source.get("damage_dice"))).replace("-", "+-").split("+") if part]
    dice = [part for part in dice if "d" in part] + [part for part in dice if "d" not in part]
    bonus = int_at(source, "damage_bonus") or 0
    tokens = [token for field in DAMAGE_FIELDS for token in getattr(feature, field).split(" + ") if token]
    if not tokens and (kind := _KIND.search(feature.text)):
        tokens = [f"{part} {kind[1]}" for part in (*dice, *(f"{part}{bonus:+d}" for part in dice), str(bonus))]
    if not dice:
        return _typed([str(bonus)], tokens, feature.text) if bonus > 0 else []
    if bonus:
        withs = [f"{part}{bonus:+d}" for part in dice]
        given = {token.partition(" ")[0] for token in tokens}
        at = next((n for n, part in enumerate(withs) if part in given), 0)
        dice[at] = withs[at]
    return _typed(dice, tokens, feature.text)


def _with_type(dice: str, text: str) -> str:
    """Return dice with the damage type that the text states for them, if it is unambiguous."""
    pattern = rf"{loose_dice_pattern(dice)}\)? ({'|'.join(TYPES)}) damage"
    kinds = {match[1].lower() for match in re.finditer(pattern, text, re.IGNORECASE)}
    return f"{dice} {kinds.pop()}" if len(kinds) == 1 else dice


def _typed(dice: list[str], tokens: list[str], text: str) -> list[str]:
    remaining = list(tokens)
    parts: list[str] = []
    for die in dice:
        same = next((token for token in remaining if token.partition(" ")[0] == die), "")
        parts.append(same or _with_type(die, text))
        if same in remaining:
            remaining.remove(same)
    return parts


def spells_in(value: Any, ids: IdAllocator, report: ConversionReport) -> Feature | None:
    """Return a list of spells as a feature, or None if it is empty."""
    lines: list[str] = []
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, dict):
            listed = ((key, spells if isinstance(spells, list) else [spells]) for key, spells in entry.items())
            lines += [f"{key}: {', '.join(map(as_text, spells))}" for key, spells in listed]
        elif as_text(entry):
            lines.append(as_text(entry))
        elif entry not in (None, [], ""):
            report.add_note("spells", entry, "not a list of spells; ignored")
    if not lines:
        return None
    name = "Innate Spellcasting" if "innate" in lines[0].lower() else "Spellcasting"
    return feature_of(ids, name, "\n".join(lines), "trait", report)
