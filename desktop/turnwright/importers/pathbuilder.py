"""Reads player characters exported by Pathbuilder 2e, with or without the wrapper of its web address.

Most numbers are inputs of the rules, so totals are exact sums. Keys are compared without blanks, which copying a file
from a web page may insert.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from turnwright.encounter.prepared import Creature
from turnwright.importers import formats, results, vocabulary
from turnwright.importers.characters import Character
from turnwright.importers.common import as_list, as_mapping, as_text, int_at, list_at, number_at, text_at, texts_at
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.pf2e import creatures, stat_block
from turnwright.importers.pf2e.characters import Sums, usual_weapon
from turnwright.importers.statblock_text import damage, header_lines
from turnwright.storage import atomic, fights

Build = Mapping[str, Any]
_DEPTH: Final = 5
_LEVELS: Final = range(1, 21)
_HIT_POINTS: Final = ("ancestryhp", "classhp", "bonushp", "bonushpPerLevel", "speed", "speedBonus")


def claims(document: ParsedDocument) -> bool:
    """Whether a document contains a character of Pathbuilder 2e."""
    return document.kind == "json" and any(map(_is_build, map(_build, creatures.records_in(document)[:20])))


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[results.ImportedRecord | results.UnreadRecord]:
    """Yield each character as a party of one."""
    del system  # all characters are for Pathfinder 2e
    ids = atomic.IdAllocator()
    for document in documents:
        for number, build in enumerate(map(_build, creatures.records_in(document)), 1):
            if _is_build(build):
                name = text_at(build, "name")
                yield results.convert_record(document.file, name, creatures.imported, build, document.file, ids, _block)
            else:
                yield results.UnreadRecord(document.file, f"record {number}", "not a Pathbuilder 2e character")


def _build(record: Any) -> Build:
    tidy = as_mapping(_without_blanks(record, _DEPTH))
    return as_mapping(tidy.get("build")) or tidy


def _without_blanks(value: Any, depth: int) -> Any:
    """Return data with the blanks removed from all its keys."""
    if isinstance(value, dict) and depth:
        return {"".join(str(key).split()): _without_blanks(inner, depth - 1) for key, inner in value.items()}
    return value


def _is_build(build: Build) -> bool:
    shaped = int_at(build, "level") in _LEVELS and isinstance(build.get("proficiencies"), dict)
    return shaped and all(int_at(build, "abilities", ability) is not None for ability in header_lines.ABILITIES)


def _rank(value: Any) -> int:
    """Return a rank from 0 to 4. Files contain twice that number."""
    return max(0, min(4, (damage.as_int(value) or 0) // 2))


def _block(build: Build, name: str, report: fights.ConversionReport) -> stat_block.SourceStatBlock:
    inputs = {key: int_at(build, "attributes", key) for key in _HIT_POINTS}
    for key in _HIT_POINTS[:2]:
        if inputs[key] is None:
            found = as_mapping(build.get("attributes")).get(key)
            raise fights.UnreadableError(f"build.attributes.{key}: expected a number of hit points, found {found!r}")
    ancestry, per_class, flat, per_level, speed, faster = (number or 0 for number in inputs.values())
    modifiers = {id: ((int_at(build, "abilities", id) or 10) - 10) // 2 for id in header_lines.ABILITIES}
    ranks = {name: _rank(value) for name, value in as_mapping(build.get("proficiencies")).items()}
    sums = Sums(int_at(build, "level") or 1, modifiers, ranks, report)
    ac, unarmoured = int_at(build, "acTotal", "acTotal"), ranks.get("unarmored", 0)
    if ac is None:
        ac = 10 + sums.total("dex", unarmoured)
        sums.assumed.add("ac", ac, f"10, {sums.formula('dex', unarmoured)}, without armour")
    if not speed:
        report.add_note("build.attributes.speed", "", "missing; 25 feet used")
    lores = [(*as_list(lore), "", "")[:2] for lore in list_at(build, "lores")]
    classes = list(filter(None, (text_at(build, "class"), text_at(build, "dualClass"))))
    feats = ", ".join(filter(None, (as_text((*as_list(feat), "")[0]) for feat in list_at(build, "feats"))))
    origin = " ".join(filter(None, (text_at(build, "heritage"), text_at(build, "ancestry"), *classes)))
    strikes, shield = tuple(_strikes(build, sums)), ["shield"] if int_at(build, "acTotal", "shieldBonus") else []
    companions = tuple(_companions(build, name, 5 * sums.level, ac, report))
    assumed, level = frozenset(sums.assumed.fields), " ".join(f"{one.lower()} {sums.level}" for one in classes)
    return stat_block.SourceStatBlock(
        name, sums.level, size=text_at(build, "sizeName"), traits=("humanoid",), ac=ac, strikes=strikes,
        hp=ancestry + flat + sums.level * (per_class + modifiers["con"] + per_level), abilities=tuple(modifiers.items()),
        saves=sums.saves(), perception=sums.total("wis", ranks.get("perception", 0)), spells=tuple(_spells(build, sums)),
        skills=sums.skills((f"{as_text(about)} Lore", _rank(rank)) for about, rank in lores if as_text(about)),
        languages=texts_at(build, "languages"), speeds=(stat_block.SourceNumber("land", (speed or 25) + faster),),
        items=(*(strike.name for strike in strikes), *shield), source="Pathbuilder 2e",
        description=f"{origin}.{f' Feats: {feats}.' if feats else ''}",
        character=Character(classes=level, companions=companions, assumed=assumed),
    )  # fmt: skip


def _strikes(build: Build, sums: Sums) -> Iterator[stat_block.SourceStrike]:
    for weapon in list_at(build, "weapons"):
        traits, far = usual_weapon(text_at(weapon, "name"))
        name, rank = text_at(weapon, "display") or text_at(weapon, "name"), sums.ranks.get(text_at(weapon, "prof"), 0)
        count = 1 + vocabulary.terms("pf2e_characters", "runes").get(text_at(weapon, "str"), 0)
        kind = vocabulary.terms("pathbuilder", "damage_types").get(text_at(weapon, "damageType"), "")
        attack, more = int_at(weapon, "attack"), int_at(weapon, "damageBonus")
        dice, extra = (count, text_at(weapon, "die"), kind), texts_at(weapon, "extraDamage")
        yield sums.strike(name, traits, rank, number_at(weapon, "pot"), dice, far, attack, more, extra)


def _spells(build: Build, sums: Sums) -> Iterator[stat_block.SourceSpells]:
    for caster in map(as_mapping, list_at(build, "spellCasters")):
        prepared = [one for one in list_at(caster, "prepared") if list_at(one, "list")]
        prepared = prepared if text_at(caster, "spellcastingType") == "prepared" else []
        per_day = [] if prepared else [damage.as_int(count) for count in list_at(caster, "perDay")]
        note = ", ".join(f"rank {rank}: {count} slots" for rank, count in enumerate(per_day) if rank and count)
        kind, lists = "Prepared" if prepared else "Spontaneous", prepared or list_at(caster, "spells")
        title, tradition = f"{text_at(caster, 'name')} {kind} Spells", text_at(caster, "magicTradition")
        yield _list(title, caster, tradition, lists, note, sums)
    points = int_at(build, "focusPoints")
    for tradition, by_ability in as_mapping(build.get("focus")).items():
        for ability, listed in as_mapping(by_ability).items():
            cantrips = {"spellLevel": 0, "list": list_at(listed, "focusCantrips")}
            lists = [cantrips, {"spellLevel": sums.half, "list": list_at(listed, "focusSpells")}]
            own, note = {**as_mapping(listed), "ability": ability}, f"{points} focus points" if points else ""
            yield _list(f"{tradition} Focus Spells".title(), own, tradition, lists, note, sums)


def _list(
    title: str, caster: Build, tradition: str, lists: list[Any], note: str, sums: Sums
) -> stat_block.SourceSpells:
    ability = text_at(caster, "ability")
    named = [(as_text(spell), number_at(one, "spellLevel")) for one in lists for spell in list_at(one, "list")]
    rows = [(name, rank, f"×{n}" if n > 1 else "") for (name, rank), n in Counter(named).items()]
    spells = tuple(stat_block.RankedSpell(name, rank or sums.half, note, cantrip=not rank) for name, rank, note in rows)
    ability = ability if ability in header_lines.ABILITIES else "cha"
    found = stat_block.SourceSpells(title, tradition=tradition.lower(), ability=ability, spells=spells, note=note)
    return sums.casting(found, _rank(caster.get("proficiency")))


def _companions(build: Build, owner: str, hp: int, ac: int, report: fights.ConversionReport) -> Iterator[Creature]:
    ids = atomic.IdAllocator((atomic.slug(owner),))
    for key, most, why in (
        ("familiars", hp, "familiar; 5 hit points a level, and its owner's AC"),
        ("pets", 1, _NO_NUMBERS),
    ):
        for name in (text_at(pet, "name") or text_at(pet, "type") or "Companion" for pet in list_at(build, key)):
            report.add_note(f"build.{key}", name, why)
            size = "tiny" if key == "familiars" else "medium"
            yield Creature(ids.allocate(name), name, size=size, type="animal", hp=most, ac=ac if most > 1 else 10)


_NO_NUMBERS: Final = "companion without numbers in the file; enter its hit points and AC"
FORMAT: Final = formats.ImportFormat("pathbuilder", "Pathbuilder 2e characters", claims, read)
