"""Reads a Pathfinder stat block of Obsidian, in either of its two layouts, as a neutral stat block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from turnwright.encounter.prepared import Creature, NamedNumbers
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import as_list, as_mapping, as_text, int_at, list_at, named_numbers, text_at
from turnwright.storage.importers.fantasy_statblocks.basic5e import IGNORED_FIELDS
from turnwright.storage.importers.numbers_with_notes import armor_class, hit_points, number_and_note
from turnwright.storage.importers.pf2e.creatures import creature_of as creature_from
from turnwright.storage.importers.pf2e.foundry_actors import split_list
from turnwright.storage.importers.pf2e.markup import unmarked_text
from turnwright.storage.importers.pf2e.stat_block import (
    DamagePart,
    SourceAbility,
    SourceNumber,
    SourceSpells,
    SourceStatBlock,
    SourceStrike,
)
from turnwright.storage.statblock_text.header_lines import ABILITIES
from turnwright.storage.statblock_text.numbers import as_int

Data = Mapping[str, Any]
LAYOUT_KEYS: Final = frozenset(
    {"abilitiestop", "abilitiesmid", "abilitiesbot", "abilitymods", "attributes", "armorclass", "rare01"}
)
_SAVES: Final = {"fort": "con", "ref": "dex", "will": "wis", "con": "con", "dex": "dex", "wis": "wis"}
_GLYPHS: Final = {
    "\u2b3b": ("action", 1), "\u2b3a": ("action", 2), "\u2b3d": ("action", 3),
    "\u2b32": ("reaction", 1), "\u2b53": ("free", 1),
}  # fmt: skip
_GLYPH = re.compile(f"[{''.join(_GLYPHS)}]")
_KNOWN: Final = frozenset({
    *("name", "level", "size", "rarity", "traits", "alignment", "modifier", "perception", "senses", "languages", "skills"),
    *("attributes", "abilitymods", "items", "abilitiestop", "abilitiesmid", "abilitiesbot", "ac", "acnote", "armorclass"),
    *("saves", "hp", "hpnote", "health", "hardness", "immunities", "resistances", "weaknesses", "speed", "attacks"),
    *("spellcasting", "source", "sourcebook", "desc", "description"),
})  # fmt: skip
_NUMBERED = re.compile(r"(?:rare|trait)\d{1,2}")
_LEVEL = re.compile(r"(?:(\w+)\s+)?(-?\d{1,2})")
_SAVE = re.compile(r"\b(Fort|Ref|Will)(?:itude|lex)?\s*\+?(-?\d{1,3})\b([^,;]*)", re.IGNORECASE)
_CLAUSE = re.compile(r"\b(Immunities|Resistances|Weaknesses|Hardness)\b\s*([^;]*)", re.IGNORECASE)
_BONUS = re.compile(r"([A-Z][\w' ]*?|Lore: [\w' ]+)\s*\+?(-?\d{1,3})\b\s*(\([^)]*\))?")
_STRIKE = re.compile(r"(?P<name>.*?)\s*(?P<bonus>[+-]\d{1,3})\b(?:/[+-]\d+)*\s*(?P<rest>.*)", re.DOTALL)
_TRAITS = re.compile(r"[\[(]([^()\[\]]*)[\])]")
_PART = re.compile(r"(?P<dice>\d+d\d+(?:\s*[+-]\s*\d+)?|\d+)\s+(?P<kind>[a-z ]+)", re.IGNORECASE)
_AMOUNT = re.compile(r"(.*?)\s+(\d{1,3})\b\s*(\([^)]*\))?.*", re.DOTALL)
_SPEED = re.compile(r"(?:([a-z]+)\s+)?(\d{1,4})\s*(?:feet|ft\.?)?\s*(\([^)]*\))?", re.IGNORECASE)
_LONGEST: Final = 2_000  # characters in one part of a line; a longer part is no number
_NUMBER = re.compile(r"DC\s*(\d{1,2})|attack\s*\+?(\d{1,2})", re.IGNORECASE)


def is_pathfinder(data: Data) -> bool:
    """Return whether a block is laid out for Pathfinder."""
    layout = as_text(data.get("layout")).lower()
    return "pathfinder" in layout or "pf2" in layout or len(data.keys() & LAYOUT_KEYS) >= 1


def creature_of(data: Data, name: str, ids: IdAllocator, report: ConversionReport) -> Creature:
    """Return the creature of a block with plain keys; UnreadableError where it could not be played."""
    kind, level = _level(data.get("level"))
    usual = 0 if "hazard" in text_at(data, "level").lower() else None  # nothing wears a hazard down
    hp, hp_note = hit_points(data.get("hp") or usual, least=0)
    ac, ac_note = armor_class(data.get("ac"), report)
    report.add_remark("hp", _note(hp_note, data.get("hpnote")))
    for key in sorted(data.keys() - _KNOWN - IGNORED_FIELDS):
        if not _NUMBERED.fullmatch(key):
            report.add_remark(key, _line(data[key]), "is not known in these blocks; it is kept as a remark")
    armour, health = _described(data.get("armorclass")), _described(data.get("health"))
    defences = {found[1].lower(): found[2].strip() for found in _CLAUSE.finditer(health)}
    hardness = as_text(data.get("hardness")) or defences.get("hardness", "")
    if hardness:
        report.add_remark("hp", f"hardness {hardness}")
        report.add_note("hardness", hardness, "is kept as a remark")
    saves, said = _saves(data.get("saves"), armour)
    for about, words in (("saves", said), ("ac", armour), ("hp", health)):
        report.add_remark(about, words)
    perception, senses = _perception(data)
    block = SourceStatBlock(
        name,
        level,
        size=as_text(data.get("size")),
        rarity=as_text(data.get("rarity")),
        kind=kind,
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
        items=tuple(_split(_line(data.get("items")))),
        hazard="hazard" in kind.lower(),
        description=unmarked_text(_line(data.get("desc") or data.get("description"))),
        source="Fantasy Statblocks: "
        + (_line(data.get("sourcebook")) or _line(data.get("source")) or "without a source"),
    )
    return creature_from(block, ids.allocate(name), report)


def _line(value: Any) -> str:
    """Return one line of text, of a list, or of a link."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {as_text(one)}".strip() for key, one in value.items())
    return ", ".join(_line(one) for one in value) if isinstance(value, list) else unmarked_text(as_text(value))


def _note(one: str, other: Any) -> str:
    return " ".join(part for part in (one, _line(other).strip("() ")) if part)


def _level(value: Any) -> tuple[str, int | None]:
    """Return the kind and the level of `Creature 16`, or of a bare number."""
    found = _LEVEL.search(as_text(value))
    return ((found[1] or "").lower(), int(found[2])) if found else ("", None)


def _traits(data: Data) -> Iterator[str]:
    yield from map(_line, list_at(data, "traits"))
    yield from (_line(data[key]) for key in sorted(data) if _NUMBERED.fullmatch(key) and text_at(data, key))


def _described(value: Any) -> str:
    """Return the texts of a list of names and texts in one line."""
    return "; ".join(unmarked_text(text_at(one, "desc")) for one in as_list(value) if as_mapping(one).get("desc"))


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
        report.add_note("attributes", data.get("attributes") or mods or "", "are not six modifiers")
    return figures


def _saves(value: Any, armour: str) -> tuple[NamedNumbers, str]:
    """Return saves by ability, and the words beside them."""
    figures: dict[str, int] = {}
    notes: list[str] = []
    for entry in value if isinstance(value, list) else [value]:
        for key, said in as_mapping(entry).items():
            save = str(key).strip().lower()
            ability = next((ability for start, ability in _SAVES.items() if save.startswith(start)), "")
            bonus, rest = number_and_note(said)
            if ability and bonus is not None:
                figures.setdefault(ability, bonus)
                notes += [f"{key} {rest}"] if rest else []
            else:
                notes.append(_line(said) if str(key) == "note" else f"{key} {_line(said)}")
    for found in _SAVE.finditer(armour) if not figures else ():
        figures.setdefault(_SAVES[found[1].lower()], int(found[2]))
    return tuple(figures.items()), "; ".join(notes)


def _perception(data: Data) -> tuple[int | None, str]:
    bonus, senses, said = int_at(data, "modifier"), _line(data.get("senses")), data.get("perception")
    said = _described(said) if isinstance(said, list) else _line(said)
    figure, rest = number_and_note(said)
    return (figure if bonus is None else bonus), senses or (rest if figure is not None else said)


def _skills(data: Data, report: ConversionReport) -> Iterator[SourceNumber]:
    for entry in map(as_mapping, list_at(data, "skills")):
        if "desc" in entry:
            for found in _BONUS.finditer(unmarked_text(text_at(entry, "desc"))[:_LONGEST]):
                yield SourceNumber(found[1].removeprefix("Lore: ").strip(), int(found[2]), (found[3] or "").strip("()"))
            continue
        name = next((key for key in entry if str(key) != "note"), "")
        bonus = as_int(entry.get(name))
        if bonus is None:
            report.add_note("skills", _line(entry), "is no skill with a bonus")
            continue
        others = [(str(key), _line(value)) for key, value in entry.items() if key != name]
        note = "; ".join(said if key == "note" else f"{said} {key}" for key, said in others)
        yield SourceNumber(str(name), bonus, note)


def _split(text: str) -> list[str]:
    return [part[:_LONGEST] for part in split_list(text)]


def _numbers(text: str, pattern: re.Pattern[str], usual: str = "") -> Iterator[SourceNumber]:
    """Yield the parts of a line with their numbers; `usual` is the name of a number by itself."""
    for part in _split(text):
        if found := pattern.fullmatch(part):
            yield SourceNumber(found[1] or usual, int(found[2]), (found[3] or "").strip("()"))
        else:
            yield SourceNumber(part, None)


def _plain(entry: Any) -> tuple[str, str]:
    """Return an entry's name and its text without marks."""
    return unmarked_text(text_at(entry, "name")), unmarked_text(text_at(entry, "desc"))


def _strikes(data: Data, report: ConversionReport) -> Iterator[SourceStrike]:
    for entry in list_at(data, "attacks"):
        if strike := _strike(entry):
            yield strike
        else:
            report.add_note("attacks", " ".join(_plain(entry)), "is no Strike with a bonus; it is kept as a text")


def _strike(entry: Any) -> SourceStrike | None:
    """Return the Strike of an entry; None where neither its fields nor its text give a bonus."""
    name, text = _plain(entry)
    bonus, damage = int_at(entry, "bonus"), unmarked_text(text_at(entry, "damage"))
    ranged = True if "ranged" in name.lower() else False if "melee" in name.lower() else None
    if bonus is None:  # all of it stands in the text
        found = _STRIKE.match(_GLYPH.sub("", text).strip()[:_LONGEST])
        if not found:
            return None
        name, bonus = found["name"], int(found["bonus"])
        text, _, damage = found["rest"].partition("Damage")
    else:
        name = _GLYPH.sub("", re.sub(r"^_*(?:melee|ranged)_*", "", name, flags=re.IGNORECASE))
    traits = tuple(trait for found in _TRAITS.findall(text) for trait in _split(found))
    parts, riders = _damage(damage)
    return SourceStrike(
        name.strip(" ,:_") or "Strike", bonus, traits, parts, riders, ranged, text=f"{text} {damage}".strip()
    )


def _damage(text: str) -> tuple[tuple[DamagePart, ...], tuple[str, ...]]:
    parts: list[DamagePart] = []
    riders: list[str] = []
    for one in re.split(r"\bplus\b|\band\b(?=\s+\d)", text.strip(" ,;:")):
        found = _PART.fullmatch(one.strip(" ,;.()"))
        if not found:
            riders += [one.strip(" ,;.()")] if one.strip(" ,;.()") else []
            continue
        words = found["kind"].lower().replace(" damage", "").split()
        category = "persistent" if "persistent" in words else ""
        parts.append(DamagePart("".join(found["dice"].split()), words[-1], category))
    return tuple(parts), tuple(riders)


def _abilities(data: Data, report: ConversionReport) -> Iterator[SourceAbility]:
    yield from (_ability(entry) for entry in list_at(data, "attacks") if _strike(entry) is None)
    for place in ("abilitiestop", "abilitiesmid", "abilitiesbot"):
        for entry in list_at(data, place):
            if as_mapping(entry).get("name") or as_mapping(entry).get("desc"):
                yield _ability(entry)
            else:
                report.add_note(place, entry, "is no ability with a name or a text, and not kept")


def _ability(entry: Any) -> SourceAbility:
    name, text = _plain(entry)
    glyph = _GLYPH.search(name) or _GLYPH.match(text)
    cost, price = _GLYPHS[glyph[0]] if glyph else ("trait", 1)
    name, text = _GLYPH.sub("", name).strip(), _GLYPH.sub("", text).strip()
    found = re.match(r"\(([^()]*)\)", text)
    traits = tuple(_split(found[1])) if found and glyph else ()
    return SourceAbility(name or "Ability", cost, price, traits, text)


def _spells(data: Data) -> Iterator[SourceSpells]:
    for entry in list_at(data, "spellcasting"):
        name, text = _plain(entry)
        figures = [(found[1], found[2]) for found in _NUMBER.finditer(f"{name} {text}")]
        dc = int_at(entry, "dc") or next((int(one) for one, _ in figures if one), 0)
        attack = int_at(entry, "bonus")
        if attack is None:
            attack = next((int(other) for _, other in figures if other), None)
        points = text_at(entry, "fp")
        yield SourceSpells(name or "Spells", dc, attack, ranks=(text,), note=f"{points} Focus Points" if points else "")
