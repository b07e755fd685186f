"""Reads a Pathfinder stat block of Obsidian, in either of its two layouts, as a neutral stat block.

Attacks are separate fields, or a line as printed in the books. In texts, dice appear once, action costs as glyphs.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature, NamedNumbers
from turnwright.importers.common import as_list, as_mapping, as_text, int_at, list_at, named_numbers, text_at
from turnwright.importers.fantasy_statblocks.basic5e import IGNORED_FIELDS, Data
from turnwright.importers.pf2e import markup
from turnwright.importers.pf2e.creatures import creature_of as creature_from
from turnwright.importers.pf2e.stat_block import (
    SourceAbility,
    SourceNumber,
    SourceSpells,
    SourceStatBlock,
    SourceStrike,
)
from turnwright.importers.pf2e.strikes import strike_in, traits_and_text
from turnwright.importers.stat_block import armor_class, hit_points, number_and_note
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport

LAYOUT_KEYS: Final[frozenset[str]] = frozenset(terms("fantasy_statblocks_pathfinder", "layout_keys"))
_COSTS: Final[Mapping[str, tuple[str, int]]] = terms("fantasy_statblocks_pathfinder", "costs")
_GLYPH: Final = re.compile(f"[{''.join(_COSTS)}]")
_ICONS: Final[Mapping[str, str]] = terms("fantasy_statblocks_pathfinder", "icons")
_RE: Final = Patterns("fantasy_statblocks_pathfinder")
_SAVES: Final = {"fort": "con", "ref": "dex", "will": "wis", "con": "con", "dex": "dex", "wis": "wis"}
_KNOWN: Final[frozenset[str]] = frozenset(terms("fantasy_statblocks_pathfinder", "fields"))
_DEFENCES: Final = ("immunities", "resistances", "weaknesses")
_CLAUSE = re.compile(rf"\b({markup.DEFENCES})\b:?\s*([^;\n]*)[;\n]?", re.IGNORECASE)
_LONGEST_ATTACK: Final = 2_000  # maximum characters in the text of an attack


def is_pathfinder(data: Data) -> bool:
    """Whether a block is laid out for Pathfinder."""
    layout = as_text(data.get("layout")).lower()
    return "pathfinder" in layout or "pf2" in layout or len(data.keys() & LAYOUT_KEYS) >= 1


def creature_of(data: Data, name: str, ids: IdAllocator, report: ConversionReport) -> Creature:
    """Return the creature of a block with plain keys. Raise UnreadableError if it can't be used in a fight."""
    kind, level = _level(data.get("level"))
    usual = 0 if "hazard" in text_at(data, "level").lower() else None  # a hazard may have no hit points
    armour, health = _described(data.get("armorclass")), _described(data.get("health"))
    hp, hp_note = hit_points(data.get("hp") or (health if re.match(r"\s*\d{1,6}\b", health) else usual), least=0)
    ac, ac_note = armor_class(data.get("ac"), report)
    report.add_remark("hp", _note(hp_note if data.get("hp") else "", data.get("hpnote")))
    for key in sorted(data.keys() - _KNOWN - IGNORED_FIELDS):
        if not _RE.numbered.fullmatch(key):
            report.add_remark(key, _line(data[key]), "unknown field; kept as a remark")
    defences: dict[str, Any] = {match[1].lower(): match[2].strip() for match in _CLAUSE.finditer(health)}
    hardness = as_text(data.get("hardness")) or defences.get("hardness", "")
    if hardness:
        report.add_remark("hp", f"hardness {hardness}")
        report.add_note("hardness", hardness, "kept as a remark")
    saves, save_notes = _saves(data.get("saves"), armour)
    report.add_remark("saves", save_notes)
    for about, line, figure, read in (("ac", armour, ac, _RE.save), ("hp", health, hp, _CLAUSE)):
        for words in _beside(line, figure, read):
            field = "saves" if " save" in words else about
            report.add_remark(field, words, "note next to the numbers; kept as a remark")
    if len(saves) < len(set(_SAVES.values())) and usual != 0:
        report.add_note("saves", _line(data.get("saves")) or armour, "fewer than three saves; add the others yourself")
    perception, senses = _perception(data, report)
    strikes, abilities, spells = _attacks(data, report)
    listed: dict[str, Any] = {key: _line(data.get(key)) or defences.get(key, "") for key in _DEFENCES}
    book = _line(data.get("sourcebook")) or _line(data.get("source")) or "without a source"
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
        senses=senses,
        languages=_line(data.get("languages")),
        speeds=_line(data.get("speed")),
        **listed,
        strikes=tuple(strikes),
        actions=(*abilities, *_abilities(data, report)),
        spells=(*map(_spells, list_at(data, "spellcasting")), *spells),
        items=_line(data.get("items")) or _carried(data),
        hazard="hazard" in kind.lower(),
        description=_line(data.get("desc") or data.get("description")),
        source=f"Fantasy Statblocks: {book}",
    )
    return creature_from(block, ids.allocate(name), report)


def _line(value: Any) -> str:
    """Return a text, a list or a link as one line."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {as_text(part)}".strip() for key, part in value.items())
    text = ", ".join(_line(part) for part in value) if isinstance(value, list) else plain_note(as_text(value))
    return "" if text in ("\N{EM DASH}", "\N{EN DASH}", "-") else text


def _note(one: str, other: Any) -> str:
    return " ".join(filter(None, (one, _line(other).strip("() "))))


def _level(value: Any) -> tuple[str, int | None]:
    """Return the kind and the level in a text such as `Creature 16`; the kind may be missing."""
    match = _RE.level.search(as_text(value))
    return ((match[1] or "").lower(), int(match[2])) if match else ("", None)


def _traits(data: Data) -> Iterator[str]:
    yield from map(_line, list_at(data, "traits"))
    yield from (_line(data[key]) for key in sorted(data) if _RE.numbered.fullmatch(key) and text_at(data, key))


def _described(value: Any) -> str:
    """Return the descriptions in a list of names and descriptions, as one line."""
    return "; ".join(plain_note(text_at(entry, "desc")) for entry in as_list(value) if as_mapping(entry).get("desc"))


def _beside(line: str, figure: int, read: re.Pattern[str]) -> list[str]:
    """Return the parts of a line that remain without its main number and the matches of `read`."""
    rest = read.sub(lambda found: found["beside"].strip(" ;,") if "beside" in found.groupdict() else "", line)
    rest = re.sub(rf"^\s*{figure}\b", "", rest)
    return [part for one in rest.split(";") if (part := one.strip(" ,."))]


def _modifiers(data: Data, report: ConversionReport) -> NamedNumbers:
    mods = list_at(data, "abilitymods")
    values: dict[str, Any] = dict(zip(ABILITIES, mods, strict=False))
    for entry in map(as_mapping, list_at(data, "attributes")):
        values |= {str(key).lower()[:3]: value for key, value in entry.items()}
    figures = named_numbers((ability, values.get(ability)) for ability in ABILITIES)
    if len(figures) < len(ABILITIES):
        why = "fewer than six modifiers; add the others yourself"
        report.add_note("attributes", data.get("attributes") or mods or "", why)
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
    for match in _RE.save.finditer(armour) if not figures else ():
        figures.setdefault(_SAVES[match[1].lower()], int(match[2]))
    return tuple(figures.items()), "; ".join(notes)


def _perception(data: Data, report: ConversionReport) -> tuple[int | None, str]:
    """Return the Perception bonus and the senses; a different initiative modifier is reported."""
    bonus, senses, text = int_at(data, "modifier"), _line(data.get("senses")), data.get("perception")
    text = _described(text) if isinstance(text, list) else _line(text)
    figure, rest = number_and_note(_RE.sensed.sub("", text))
    if figure is not None and bonus is not None and figure != bonus:
        report.add_note("modifier", str(bonus), f"differs from Perception, {figure:+d}, which is used")
    others = rest if figure is not None else _RE.sensed.sub("", text)
    return (bonus if figure is None else figure), ", ".join(filter(None, (senses, others)))


def _skills(data: Data, report: ConversionReport) -> Iterator[SourceNumber]:
    for entry in map(as_mapping, list_at(data, "skills")):
        if "desc" in entry:
            text = plain_note(text_at(entry, "desc"))
            yield from markup.skills_of(text)
            if unread := markup.SKILL.sub("", text).strip(" ,;.\n"):
                report.add_note("skills", unread, "not a skill with a bonus; ignored")
            continue
        name = next((key for key in entry if str(key) != "note"), "")
        bonus, beside = number_and_note(entry.get(name))
        if bonus is None:
            report.add_note("skills", _line(entry), "not a skill with a bonus; ignored")
            continue
        others = [(str(key), _line(value)) for key, value in entry.items() if key != name]
        notes = [value_text if key == "note" else f"{value_text} {key}" for key, value_text in others]
        yield SourceNumber(str(name), bonus, "; ".join(filter(None, (beside, *notes))))


def _is_named(entry: Any) -> bool:
    return bool(as_mapping(entry).get("name") or as_mapping(entry).get("desc"))


def _is_gear(entry: Any) -> bool:
    return plain_entry(entry)[0].lower() == "items"


def _carried(data: Data) -> tuple[str, ...]:
    """Return the gear that a block lists among its abilities."""
    gear = filter(_is_gear, list_at(data, "abilitiestop"))
    return tuple(part for entry in gear for part in markup.entries_of(plain_entry(entry)[1]))


def _attacks(
    data: Data, report: ConversionReport
) -> tuple[list[SourceStrike], list[SourceAbility], list[SourceSpells]]:
    """Return the Strikes, the other abilities and the spell lists among the attacks."""
    strikes: list[SourceStrike] = []
    abilities: list[SourceAbility] = []
    spells: list[SourceSpells] = []
    for entry in filter(_is_named, list_at(data, "attacks")):
        name, text = plain_entry(entry)
        if strike := _strike(entry):
            strikes.append(strike)
        elif _RE.spells.search(name) and (text.startswith("DC ") or "ritual" in name.lower()):
            spells.append(_spells(entry))
        else:
            abilities.append(_ability(entry))
            if re.search(r"\b(?:melee|ranged)\b", name, re.IGNORECASE):
                report.add_note("attacks", f"{name} {text}", "not a Strike with a bonus; kept as text only")
    return strikes, abilities, spells


def _strike(entry: Any) -> SourceStrike | None:
    """Return the Strike of an entry, or None if its fields and text have no attack bonus."""
    name, text = plain_entry(entry)
    bonus, damage = int_at(entry, "bonus"), plain_note(text_at(entry, "damage"))
    is_short = len(text) <= _LONGEST_ATTACK
    text = without_glyphs(text) if is_short else text
    way = _RE.way.match(name) or (_RE.way.match(text) if bonus is None else None)
    label = without_glyphs(_RE.way.sub("", name))
    ranged = way[1].lower() == "ranged" if way else None
    if bonus is not None:
        traits, text = traits_and_text(text)
        return SourceStrike(label.strip(" ,:_"), bonus, traits, damage, ranged=ranged, text=text)
    strike = strike_in(_RE.way.sub("", text), ranged=ranged) if is_short else None
    if not strike or "DC " in strike.name:
        return None
    whole = f"{damage} {strike.damage}".strip()
    return msgspec.structs.replace(strike, name=(label or strike.name).strip(" ,:_"), damage=whole)


def _abilities(data: Data, report: ConversionReport) -> Iterator[SourceAbility]:
    for place in ("abilitiestop", "abilitiesmid", "abilitiesbot"):
        for entry in list_at(data, place):
            if _is_named(entry):
                yield from () if _is_gear(entry) else (_ability(entry),)
            elif any(as_mapping(entry).values()) or not isinstance(entry, dict | None):
                report.add_note(place, entry, "not an ability; ignored")


def _ability(entry: Any) -> SourceAbility:
    name, text = plain_entry(entry)
    glyph = _GLYPH.search(name) or _GLYPH.match(text)
    cost, price = _COSTS[glyph[0]] if glyph else ("trait", 1)
    name, text = _GLYPH.sub("", name).strip(), _GLYPH.sub("", text).strip()
    traits, text = markup.traits_before(text)
    return SourceAbility(name, cost, price, traits, text)


def _spells(entry: Any) -> SourceSpells:
    name, text = plain_entry(entry)
    dc, attack = markup.casting_numbers(f"{name} {text}")
    bonus, points = int_at(entry, "bonus"), text_at(entry, "fp")
    ranks, note = (_RE.cast.sub("", text),), f"{points} Focus Points" if points else ""
    attack = attack if bonus is None else bonus
    return SourceSpells(name or "Spells", int_at(entry, "dc") or dc, attack, ranks=ranks, note=note)


def plain_note(text: str) -> str:
    """Return a note's text without markup. Dice that are repeated for a dice-rolling plugin appear only once."""
    text = _RE.icon.sub(lambda match: _ICONS[(match[1] or match[2]).lower()], text)
    text = markup.unmarked_text(_RE.bold.sub(r"**\1**", _RE.rule.sub("", text)))
    return _RE.dice_again.sub(r"\1", _RE.check_again.sub("", text)).replace("\N{MINUS SIGN}", "-")


def plain_entry(entry: Any) -> tuple[str, str]:
    """Return an entry's name and its text without markup."""
    return plain_note(text_at(entry, "name")).strip(" _"), plain_note(text_at(entry, "desc"))


def without_glyphs(text: str) -> str:
    """Return a text without action glyphs."""
    return " ".join(_GLYPH.sub(" ", text).split())
