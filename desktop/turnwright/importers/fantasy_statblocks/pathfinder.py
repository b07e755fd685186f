"""Reads a Pathfinder stat block of Obsidian, in either of its two layouts, as a neutral stat block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from turnwright.encounter.prepared import Creature, NamedNumbers
from turnwright.importers.common import as_list, as_mapping, as_text, int_at, list_at, named_numbers, text_at
from turnwright.importers.fantasy_statblocks.basic5e import IGNORED_FIELDS
from turnwright.importers.fantasy_statblocks.pathfinder_strikes import strike_of
from turnwright.importers.fantasy_statblocks.pathfinder_text import COSTS, GLYPH, plain_entry, plain_note
from turnwright.importers.fields import armor_class, hit_points, number_and_note
from turnwright.importers.pf2e.creatures import creature_of as creature_from
from turnwright.importers.pf2e.foundry_actors import split_list
from turnwright.importers.pf2e.stat_block import (
    SourceAbility,
    SourceNumber,
    SourceSpells,
    SourceStatBlock,
    SourceStrike,
)
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator

Data = Mapping[str, Any]
LAYOUT_KEYS: Final = frozenset(
    {"abilitiestop", "abilitiesmid", "abilitiesbot", "abilitymods", "attributes", "armorclass", "rare01"}
)
_SAVES: Final = {"fort": "con", "ref": "dex", "will": "wis", "con": "con", "dex": "dex", "wis": "wis"}
_KNOWN: Final = frozenset({
    *("name", "level", "size", "rarity", "traits", "alignment", "modifier", "perception", "senses", "languages", "skills"),
    *("attributes", "abilitymods", "items", "abilitiestop", "abilitiesmid", "abilitiesbot", "ac", "acnote", "armorclass"),
    *("saves", "hp", "hpnote", "health", "hardness", "immunities", "resistances", "weaknesses", "speed", "attacks"),
    *("spellcasting", "source", "sourcebook", "desc", "description"),
})  # fmt: skip
_NUMBERED = re.compile(r"(?:rare|trait)\d{1,2}")
_LEVEL = re.compile(r"(?:(\w+)\s+)?(-?\d{1,2})")
_SAVE = re.compile(r"\b(Fort|Ref|Will)(?:itude|lex)?:?\s*\+?(-?\d{1,3})\b(?P<beside>[^,;]*)[,;]?", re.IGNORECASE)
_CLAUSE = re.compile(r"\b(Immunities|Resistances|Weaknesses|Hardness)\b:?\s*([^;\n]*)[;\n]?", re.IGNORECASE)
_BONUS = re.compile(r"([A-Z][\w' -]*?|Lore: [\w' -]+?):?\s*\+?(-?\d{1,3})\b[\s,]*(\([^)]*\))?")
_AMOUNT = re.compile(r"(.*?)\s+(\d{1,3})\b\s*(.*)", re.DOTALL)
_SPEED = re.compile(r"(?:([a-z]+)\s+)?(\d{1,4})\s*(?:feet|ft\.?)?\s*(\([^)]*\))?", re.IGNORECASE)
_SENSED = re.compile(r"^\s*Perception\b:?\s*", re.IGNORECASE)
_LONGEST: Final = 2_000  # maximum characters in a part of a line with a number
_NUMBER = re.compile(r"DC\s*(\d{1,2})|attack\s*\+?(\d{1,2})", re.IGNORECASE)
_CAST = re.compile(r"^DC \d{1,2}(?:, attack [+-]?\d{1,2})?[;,]?\s*")
_SPELLS = re.compile(r"\bspells?\b|\brituals\b", re.IGNORECASE)
_TRAITS = re.compile(r"\(([^()]{0,200})\)[;,.]?\s*")
_TRAIT = re.compile(r"[a-z][a-z' -]{1,30}", re.IGNORECASE)


def is_pathfinder(data: Data) -> bool:
    """Whether a block is laid out for Pathfinder."""
    layout = as_text(data.get("layout")).lower()
    return "pathfinder" in layout or "pf2" in layout or len(data.keys() & LAYOUT_KEYS) >= 1


def creature_of(data: Data, name: str, ids: IdAllocator, report: ConversionReport) -> Creature:
    """Return the creature of a block with plain keys. Raise UnreadableError if it can't be used in a fight."""
    kind, level = _level(data.get("level"))
    usual = 0 if "hazard" in text_at(data, "level").lower() else None  # a hazard may have no hit points
    armour, health = _described(data.get("armorclass")), _described(data.get("health"))
    hp, hp_note = hit_points(data.get("hp") or (health if _leading(health) else usual), least=0)
    ac, ac_note = armor_class(data.get("ac"), report)
    report.add_remark("hp", _note(hp_note if data.get("hp") else "", data.get("hpnote")))
    for key in sorted(data.keys() - _KNOWN - IGNORED_FIELDS):
        if not _NUMBERED.fullmatch(key):
            report.add_remark(key, _line(data[key]), "unknown field; kept as a remark")
    defences = {match[1].lower(): match[2].strip() for match in _CLAUSE.finditer(health)}
    hardness = as_text(data.get("hardness")) or defences.get("hardness", "")
    if hardness:
        report.add_remark("hp", f"hardness {hardness}")
        report.add_note("hardness", hardness, "kept as a remark")
    saves, save_notes = _saves(data.get("saves"), armour)
    report.add_remark("saves", save_notes)
    for about, line, figure, read in (("ac", armour, ac, _SAVE), ("hp", health, hp, _CLAUSE)):
        for words in _beside(line, figure, read):
            field = "saves" if " save" in words else about
            report.add_remark(field, words, "note next to the numbers; kept as a remark")
    if len(saves) < len(set(_SAVES.values())) and usual != 0:
        report.add_note("saves", _line(data.get("saves")) or armour, "fewer than three saves; add the others yourself")
    perception, senses = _perception(data, report)
    block = SourceStatBlock(
        name,
        level,
        size=as_text(data.get("size")),
        rarity=as_text(data.get("rarity")),
        kind="" if kind == "creature" else kind,
        traits=tuple(_traits(data)),
        alignment=as_text(data.get("alignment")),
        ac=ac,
        ac_note=_note(ac_note, data.get("acnote")),
        hp=hp,
        abilities=_modifiers(data, report),
        saves=saves,
        perception=perception,
        skills=tuple(_skills(data, report)),
        senses=tuple(_split(senses)),
        languages=tuple(_split(_line(data.get("languages")))),
        speeds=tuple(_numbers(_line(data.get("speed")), _SPEED, "land")),
        immunities=tuple(_split(_line(data.get("immunities")) or defences.get("immunities", ""))),
        resistances=tuple(_numbers(_line(data.get("resistances")) or defences.get("resistances", ""), _AMOUNT)),
        weaknesses=tuple(_numbers(_line(data.get("weaknesses")) or defences.get("weaknesses", ""), _AMOUNT)),
        strikes=tuple(_strikes(data, report)),
        actions=tuple(_abilities(data, report)),
        spells=tuple(_spells(data)),
        items=tuple(_split(_line(data.get("items"))) or _carried(data)),
        hazard="hazard" in kind.lower(),
        description=_line(data.get("desc") or data.get("description")),
        source="Fantasy Statblocks: "
        + (_line(data.get("sourcebook")) or _line(data.get("source")) or "without a source"),
    )
    return creature_from(block, ids.allocate(name), report)


def _line(value: Any) -> str:
    """Return a text, a list or a link as one line."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {as_text(part)}".strip() for key, part in value.items())
    text = ", ".join(_line(part) for part in value) if isinstance(value, list) else plain_note(as_text(value))
    return "" if text in ("\N{EM DASH}", "\N{EN DASH}", "-") else text


def _note(one: str, other: Any) -> str:
    return " ".join(part for part in (one, _line(other).strip("() ")) if part)


def _level(value: Any) -> tuple[str, int | None]:
    """Return the kind and the level in a text such as `Creature 16`; the kind may be missing."""
    match = _LEVEL.search(as_text(value))
    return ((match[1] or "").lower(), int(match[2])) if match else ("", None)


def _traits(data: Data) -> Iterator[str]:
    yield from map(_line, list_at(data, "traits"))
    yield from (_line(data[key]) for key in sorted(data) if _NUMBERED.fullmatch(key) and text_at(data, key))


def _described(value: Any) -> str:
    """Return the descriptions in a list of names and descriptions, as one line."""
    return "; ".join(plain_note(text_at(entry, "desc")) for entry in as_list(value) if as_mapping(entry).get("desc"))


def _leading(text: str) -> str:
    """Return the number at the start of a line, or an empty string."""
    match = re.match(r"\s*(\d{1,6})\b", text)
    return match[1] if match else ""


def _beside(line: str, figure: int, read: re.Pattern[str]) -> list[str]:
    """Return the parts of a line that remain without its main number and the matches of `read`."""
    rest = read.sub(lambda found: found["beside"].strip(" ;,") if "beside" in found.groupdict() else "", line)
    rest = rest.removeprefix(str(figure)) if _leading(rest) == str(figure) else rest
    return [part for one in rest.split(";") if (part := one.strip(" ,."))]


def _modifiers(data: Data, report: ConversionReport) -> NamedNumbers:
    named = {
        str(key).lower()[:3]: value
        for entry in as_list(data.get("attributes"))
        for key, value in as_mapping(entry).items()
    }
    mods = list_at(data, "abilitymods")
    values = {**dict(zip(ABILITIES, mods, strict=False)), **named}
    figures = named_numbers((ability, values.get(ability)) for ability in ABILITIES)
    if len(figures) < len(ABILITIES):
        report.add_note(
            "attributes", data.get("attributes") or mods or "", "fewer than six modifiers; add the others yourself"
        )
    return figures


def _saves(value: Any, armour: str) -> tuple[NamedNumbers, str]:
    """Return the saves, keyed by ability, and the notes on them."""
    figures: dict[str, int] = {}
    notes: list[str] = []
    for entry in value if isinstance(value, list) else [value]:
        for key, stated in as_mapping(entry).items():
            save = str(key).strip().lower()
            ability = next((ability for start, ability in _SAVES.items() if save.startswith(start)), "")
            bonus, rest = number_and_note(stated)
            if ability and bonus is not None:
                figures.setdefault(ability, bonus)
                notes += [f"{key} {rest}"] if rest else []
            else:
                notes.append(_line(stated) if str(key) == "note" else f"{key} {_line(stated)}")
    for match in _SAVE.finditer(armour) if not figures else ():
        figures.setdefault(_SAVES[match[1].lower()], int(match[2]))
    return tuple(figures.items()), "; ".join(notes)


def _perception(data: Data, report: ConversionReport) -> tuple[int | None, str]:
    """Return the Perception bonus and the senses; a different initiative modifier is reported."""
    bonus, senses, text = int_at(data, "modifier"), _line(data.get("senses")), data.get("perception")
    text = _described(text) if isinstance(text, list) else _line(text)
    figure, rest = number_and_note(_SENSED.sub("", text))
    if figure is not None and bonus is not None and figure != bonus:
        report.add_note("modifier", str(bonus), f"differs from Perception, {figure:+d}, which is used")
    return (bonus if figure is None else figure), ", ".join(
        part for part in (senses, rest if figure is not None else _SENSED.sub("", text)) if part
    )


def _skills(data: Data, report: ConversionReport) -> Iterator[SourceNumber]:
    for entry in map(as_mapping, list_at(data, "skills")):
        if "desc" in entry:
            text = plain_note(text_at(entry, "desc"))[:_LONGEST]
            for match in _BONUS.finditer(text):
                name, note = match[1].strip(), (match[3] or "").strip("()")
                yield SourceNumber(name.removeprefix("Lore: "), int(match[2]), note.removeprefix(f"{name}: "))
            if unread := _BONUS.sub("", text).strip(" ,;.\n"):
                report.add_note("skills", unread, "not a skill with a bonus; ignored")
            continue
        name = next((key for key in entry if str(key) != "note"), "")
        bonus, beside = number_and_note(entry.get(name))
        if bonus is None:
            report.add_note("skills", _line(entry), "not a skill with a bonus; ignored")
            continue
        others = [(str(key), _line(value)) for key, value in entry.items() if key != name]
        notes = [value_text if key == "note" else f"{value_text} {key}" for key, value_text in others]
        yield SourceNumber(str(name), bonus, "; ".join(part for part in (beside, *notes) if part))


def _split(text: str) -> list[str]:
    """Split a list, but keep the names after an exception together."""
    parts: list[str] = []
    for part in split_list(text):
        if parts and "except" in parts[-1] and not re.search(r"\d", part):
            parts[-1] = f"{parts[-1]}, {part}"
        else:
            parts.append(part[:_LONGEST])
    return parts


def _numbers(text: str, pattern: re.Pattern[str], usual: str = "") -> Iterator[SourceNumber]:
    """Yield each part of a line with its number. A number without a name gets the name `usual`."""
    for part in _split(text):
        if match := pattern.fullmatch(part):
            yield SourceNumber(match[1] or usual, int(match[2]), (match[3] or "").strip("() "))
        else:
            yield SourceNumber(part, None)


def _is_named(entry: Any) -> bool:
    return bool(as_mapping(entry).get("name") or as_mapping(entry).get("desc"))


def _is_gear(entry: Any) -> bool:
    return plain_entry(entry)[0].lower() == "items"


def _carried(data: Data) -> list[str]:
    """Return the gear that a block lists among its abilities."""
    return [part for entry in filter(_is_gear, list_at(data, "abilitiestop")) for part in _split(plain_entry(entry)[1])]


def _is_spells(entry: Any) -> bool:
    """Whether an entry among the attacks is a list of spells."""
    name, text = plain_entry(entry)
    return _SPELLS.search(name) is not None and (text.startswith("DC ") or "ritual" in name.lower())


def _strikes(data: Data, report: ConversionReport) -> Iterator[SourceStrike]:
    for entry in filter(_is_named, list_at(data, "attacks")):
        if strike := strike_of(entry):
            yield strike
        elif re.search(r"\b(?:melee|ranged)\b", text_at(entry, "name"), re.IGNORECASE):
            report.add_note("attacks", " ".join(plain_entry(entry)), "not a Strike with a bonus; kept as text only")


def _abilities(data: Data, report: ConversionReport) -> Iterator[SourceAbility]:
    for entry in filter(_is_named, list_at(data, "attacks")):
        if strike_of(entry) is None and not _is_spells(entry):
            yield _ability(entry)
    for place in ("abilitiestop", "abilitiesmid", "abilitiesbot"):
        for entry in list_at(data, place):
            if _is_named(entry):
                yield from () if _is_gear(entry) else (_ability(entry),)
            elif any(as_mapping(entry).values()) or not isinstance(entry, dict | None):
                report.add_note(place, entry, "not an ability; ignored")


def _ability(entry: Any) -> SourceAbility:
    name, text = plain_entry(entry)
    glyph = GLYPH.search(name) or GLYPH.match(text)
    cost, price = COSTS[glyph[0]] if glyph else ("trait", 1)
    name, text = GLYPH.sub("", name).strip(), GLYPH.sub("", text).strip()
    match = _TRAITS.match(text)
    traits = split_list(match[1]) if match else ()
    if match and traits and all(_TRAIT.fullmatch(trait) for trait in traits):
        text = text[match.end() :]
    else:
        traits = ()
    return SourceAbility(name or "Ability", cost, price, tuple(traits), text)


def _spells(data: Data) -> Iterator[SourceSpells]:
    listed = [one for one in list_at(data, "attacks") if strike_of(one) is None and _is_spells(one)]
    for entry in (*list_at(data, "spellcasting"), *listed):
        name, text = plain_entry(entry)
        figures = [(match[1], match[2]) for match in _NUMBER.finditer(f"{name} {text}")]
        dc = int_at(entry, "dc") or next((int(one) for one, _ in figures if one), 0)
        attack = int_at(entry, "bonus")
        if attack is None:
            attack = next((int(other) for _, other in figures if other), None)
        text, points = _CAST.sub("", text), text_at(entry, "fp")
        yield SourceSpells(name or "Spells", dc, attack, ranks=(text,), note=f"{points} Focus Points" if points else "")
