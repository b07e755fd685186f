"""5etools: bestiaries and homebrew with their copies and legendary groups, of the rules of 2014 and of 2024.

Its records are brought to lines as a book prints them, which the readers of stat-block text then read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.encounter.prepared import NamedNumbers
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import as_list, as_mapping, as_text, named_numbers, required_name, system_for
from turnwright.storage.importers.documents import ParsedDocument
from turnwright.storage.importers.fifth_edition.creatures import creature_of
from turnwright.storage.importers.fifth_edition.stat_block import PrintedStatBlock
from turnwright.storage.importers.five_e_tools.copies import RecordLibrary, versions_of
from turnwright.storage.importers.five_e_tools.features import features_of, spellcasting_ability
from turnwright.storage.importers.five_e_tools.tags import plain, plain_entry
from turnwright.storage.importers.five_e_tools.variables import Formulas, proficiency_of, rating_of
from turnwright.storage.importers.formats import ImportFormat
from turnwright.storage.importers.results import ImportedRecord, SkippedFile, UnreadRecord, convert_record
from turnwright.storage.statblock_text.header_lines import ABILITIES
from turnwright.storage.statblock_text.numbers import as_int

Record = dict[str, Any]
_LISTS: Final = ("monster", "legendaryGroup", "monsterTemplate", "monsterFluff")
_OTHERS: Final = (
    "spell", "item", "baseitem", "class", "race", "feat", "background", "adventure", "book", "vehicle", "object", "trap", "hazard",
    "deity", "condition", "variantrule", "table", "optionalfeature", "reward", "psionic", "magicvariant", "subclass", "deck",
)  # fmt: skip
_SIZES: Final = {
    "F": "Tiny", "D": "Tiny", "T": "Tiny", "S": "Small", "M": "Medium", "L": "Large", "H": "Huge", "G": "Gargantuan",
    "C": "Colossal", "V": "",
}  # fmt: skip
_ALIGNMENTS: Final = {
    "L": "lawful", "N": "neutral", "C": "chaotic", "G": "good", "E": "evil", "U": "unaligned", "A": "any alignment",
    "NX": "neutral", "NY": "neutral",
}  # fmt: skip
_ANY_BUT: Final = {
    "L NX C NY E": "any non-good alignment", "L NX C NY G": "any non-evil alignment", "NX C G NY E": "any non-lawful alignment",
    "L NX G NY E": "any non-chaotic alignment", "L G NY E": "any lawful alignment", "C G NY E": "any chaotic alignment",
    "L NX C G": "any good alignment", "L NX C E": "any evil alignment",
}  # fmt: skip
_MODES: Final = ("walk", "burrow", "climb", "fly", "swim")
_KNOWN: Final = frozenset({
    *("name", "source", "page", "size", "sizeNote", "type", "alignment", "alignmentPrefix", "ac", "hp", "speed", *ABILITIES, "save", "skill"),
    *("senses", "passive", "languages", "cr", "pbNote", "resist", "immune", "vulnerable", "conditionImmune", "spellcasting", "trait"),
    *("action", "bonus", "reaction", "legendary", "mythic", "legendaryGroup", "legendaryActions", "legendaryActionsLair", "legendaryHeader"),
    *("mythicHeader", "actionNote", "actionHeader", "bonusNote", "bonusHeader", "reactionNote", "reactionHeader", "variant", "footer"),
    *("environment", "initiative", "gear", "attachedItems", "fluff", "_versions", "level", "shortName", "tool"),
    # of the program: pages, pictures, sounds, and lists of words to search by
    *("alias", "group", "otherSources", "additionalSources", "referenceSources", "externalSources", "sourceSub", "srd", "srd52"),
    *("basicRules", "basicRules2024", "reprintedAs", "isReprinted", "legacy", "edition", "isNpc", "isNamedCreature", "familiar"),
    *("hasToken", "tokenUrl", "token", "tokenHref", "tokenHref3d", "tokenCredit", "tokenCustom", "hasFluff", "hasFluffImages", "altArt", "soundClip"),
    *("traitTags", "actionTags", "languageTags", "senseTags", "spellcastingTags", "damageTags", "damageTagsSpell", "damageTagsLegendary"),
    *("miscTags", "conditionInflict", "conditionInflictLegendary", "conditionInflictSpell", "savingThrowForced", "savingThrowForcedLegendary"),
    *("savingThrowForcedSpell", "dragonCastingColor", "dragonAge", "treasure", "uniqueId", "foundryTokenScale", "foundryAdvice"),
    *("foundryPrototypeToken", "foundryTokenSubjectHref", "foundryTokenSubjectScale", "foundrySystem", "foundryFlags", "foundryImg", "_isCopy", "_copy"),
    *("summonedBySpell", "summonedBySpellLevel", "summonedByClass", "summonedScaleByPlayerLevel", "resource", "isLegacy"),
})  # fmt: skip


def claims(document: ParsedDocument) -> bool:
    """Return whether a document is of 5etools: lists of creatures, legendary groups or templates, or one exported creature."""
    data = document.data
    if _is_monster(data):
        return True
    if isinstance(data, list):
        return bool(data) and all(_is_monster(one) for one in data[:20])
    if not isinstance(data, dict):
        return False
    return any(any(_is_named(one) for one in as_list(data.get(key))[:5]) for key in _LISTS)


def describe_other_content(document: ParsedDocument) -> str:
    """Return a description of a file of 5etools without creatures; nothing for any other."""
    data = as_mapping(document.data)
    found = [key for key in _OTHERS if any(_is_named(one) for one in as_list(data.get(key))[:5])]
    return (
        f"is a file of 5etools without creatures: it holds {', '.join(found)}, which are not imported" if found else ""
    )


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield the creatures of the documents, each with what it copies from any of them."""
    library = RecordLibrary(_lists(document.data) for document in documents)
    ids = IdAllocator()
    own = system_for(system, "dnd5e")
    for document in documents:
        monsters = as_list(_lists(document.data).get("monster"))
        if not monsters:
            yield SkippedFile(document.file)  # its groups and templates are those of others' creatures
        for number, record in enumerate(monsters, 1):
            if isinstance(record, dict):
                called = as_text(record.get("name")).strip() or f"record {number}"
                yield convert_record(document.file, called, _imported, record, document.file, ids, own, library)
            else:
                yield UnreadRecord(document.file, f"record {number}", "is no creature")


def _lists(data: Any) -> Mapping[str, Any]:
    """Return the lists of a document by their keys; a creature by itself is a list of one."""
    if isinstance(data, list):
        return {"monster": data}
    return {"monster": [data]} if _is_monster(data) else as_mapping(data)


def _is_named(record: Any) -> bool:
    return isinstance(record, dict) and isinstance(record.get("name"), str)


def _is_monster(record: Any) -> bool:
    if not _is_named(record) or "items" in record or "system" in record:
        return False
    hp = record.get("hp")
    return isinstance(record.get("source"), str) and (
        isinstance(record.get("_copy"), dict)
        or (isinstance(record.get("ac"), list) and isinstance(hp, dict) and ("average" in hp or "special" in hp))
    )


def _imported(record: Record, file: str, ids: IdAllocator, system: str, library: RecordLibrary) -> ImportedRecord:
    name = required_name(record.get("name"))
    report = ConversionReport(name)
    block = _block(library.resolved(record, report), name, library, report)
    return ImportedRecord(name, creature_of(block, ids, report), system, file, report.notes)


def _block(record: Record, name: str, library: RecordLibrary, report: ConversionReport) -> PrintedStatBlock:
    for key in sorted(record.keys() - _KNOWN):
        if record[key] not in (None, "", [], {}, False):
            report.add_note(key, str(record[key])[:300], "is not known in these records, and not kept")
    for version in versions_of(record):
        report.add_note("_versions", version, "is a version of this creature, which isn't read")
    return PrintedStatBlock(
        name,
        kind=_kind(record, report),
        armor_class=_armor_class(record.get("ac"), report),
        hit_points=_hit_points(record.get("hp")),
        speed=_speed(record.get("speed"), report),
        abilities=_abilities(record, report),
        saves=_named_bonuses(record.get("save"), "saves", report),
        skills=_named_bonuses(record.get("skill"), "skills", report),
        vulnerabilities=_defences(record.get("vulnerable"), "vulnerable"),
        resistances=_defences(record.get("resist"), "resist"),
        immunities=_defences(record.get("immune"), "immune"),
        condition_immunities=_condition_immunities(record.get("conditionImmune"), report),
        senses=_senses(record, report),
        languages=_joined(record.get("languages")),
        rating=_rating(record, report),
        initiative=_initiative(record, report),
        spellcasting=spellcasting_ability(record),
        features=tuple(features_of(record, library, report)),
        legendary=(as_int(record.get("legendaryActions")) or 3) if as_list(record.get("legendary")) else 0,
        environments=tuple(as_text(one) for one in as_list(record.get("environment")) if as_text(one)),
        gear=_gear(record),
        description=_description(record, library),
        source=_source(record),
    )


def _joined(value: Any, between: str = ", ") -> str:
    values = value if isinstance(value, list) else [value]
    return between.join(text for one in values if (text := plain(as_text(one))))


def _kind(record: Record, report: ConversionReport) -> str:
    """Return the line of size, type and alignment."""
    sizes = [_SIZES.get(as_text(one), as_text(one)) for one in as_list(record.get("size"))] or [
        _SIZES.get(as_text(record.get("size")), "")
    ]
    if len(sizes) > 1 or record.get("sizeNote"):
        report.add_remark(
            "size", " ".join(part for part in (" or ".join(sizes), as_text(record.get("sizeNote"))) if part)
        )
    kind = record.get("type")
    tags: list[str] = []
    if isinstance(kind, dict):
        for tag in as_list(kind.get("tags")):
            found = as_mapping(tag)
            prefix = "" if found.get("prefixHidden") else as_text(found.get("prefix"))
            tags.append(f"{prefix} {as_text(found.get('tag'))}".strip() if found else as_text(tag))
        if kind.get("note"):
            report.add_remark("type", plain(as_text(kind["note"])).strip("() "))
        swarm = _SIZES.get(as_text(kind.get("swarmSize")), "")
        kind = kind.get("type")
    else:
        swarm = ""
    choices = [as_text(one) for one in as_list(as_mapping(kind).get("choose"))]
    word = " or ".join(choices) if choices else as_text(kind)
    if swarm:
        word = f"swarm of {swarm} {_plural(word)}"
    told = f" ({', '.join(tag for tag in tags if tag)})" if any(tags) else ""
    alignment = " ".join(
        part for part in (as_text(record.get("alignmentPrefix")).strip(), _alignment(record.get("alignment"))) if part
    )
    return f"{sizes[0]} {word}{told}, {alignment}".strip(" ,")


def _plural(word: str) -> str:
    odd = {"fey": "fey", "undead": "undead", "monstrosity": "monstrosities"}
    return odd.get(word, word if word.endswith("s") else f"{word}s")


def _alignment(value: Any) -> str:
    letters = as_list(value)
    if any(isinstance(one, dict) for one in letters):
        return " or ".join(part for one in letters if (part := _one_alignment(one)))
    words = [as_text(one) for one in letters]
    if " ".join(words) in _ANY_BUT:
        return _ANY_BUT[" ".join(words)]
    return " ".join(dict.fromkeys(_ALIGNMENTS.get(one, one) for one in words)).strip()


def _one_alignment(value: Any) -> str:
    found = as_mapping(value)
    if not found:
        return _alignment([value])
    if found.get("special"):
        return plain(as_text(found["special"]))
    chance, note = as_int(found.get("chance")), as_text(found.get("note"))
    return " ".join(
        part
        for part in (_alignment(found.get("alignment")), f"({chance}%)" if chance else "", f"({note})" if note else "")
        if part
    )


def _armor_class(value: Any, report: ConversionReport) -> str:
    """Return the first armour class with what gives it; the others are remarks."""
    lines = []
    for one in as_list(value) or [value]:
        found = as_mapping(one)
        if found.get("special"):
            lines.append(plain(as_text(found["special"])))
        elif found:
            gives = [plain(as_text(part)) for part in as_list(found.get("from"))]
            aside = f" ({', '.join(gives)})" if gives else ""
            lines.append(f"{as_text(found.get('ac'))}{aside} {plain(as_text(found.get('condition')))}".strip())
        elif as_text(one):
            lines.append(as_text(one))
    for line in lines[1:]:
        report.add_remark("ac", line)
    return lines[0] if lines else ""


def _hit_points(value: Any) -> str:
    found = as_mapping(value)
    average, formula = as_int(found.get("average")), as_text(found.get("formula"))
    if average is not None:
        return f"{average} ({formula})" if formula and formula != str(average) else str(average)
    special = plain(as_text(found.get("special")))
    if special and not special[0].isdigit():
        raise UnreadableError(f"hp: {special[:200]!r} is no number of hit points")
    return special


def _speed(value: Any, report: ConversionReport) -> str:
    """Return the speeds as a line; what holds only at times is in brackets, which are remarks then."""
    if not isinstance(value, dict):
        return f"{as_int(value)} ft." if as_int(value) is not None else plain(as_text(value))
    parts: list[str] = []
    walk = as_int(
        as_mapping(value.get("walk")).get("number") if isinstance(value.get("walk"), dict) else value.get("walk")
    )
    for mode in _MODES:
        said = value.get(mode)
        found = as_mapping(said)
        feet = as_int(found.get("number")) if found else walk if said is True else as_int(said)
        if said is not None and feet is None:
            report.add_note(f"speed: {mode}", str(said), "is no distance")
        elif feet is not None:
            word = "" if mode == "walk" else f"{mode} "
            hover = " (hover)" if mode == "fly" and value.get("canHover") else ""
            condition = plain(as_text(found.get("condition"))).strip("() ")
            aside = (
                f" ({mode} {condition})"
                if condition and condition.lower() != "hover"
                else " (hover)"
                if condition and not hover
                else ""
            )
            parts.append(f"{word}{feet} ft.{hover}{aside}")
    for mode, others in as_mapping(value.get("alternate")).items():
        for other in as_list(others):
            found = as_mapping(other)
            words = f"{mode} {as_text(found.get('number') if found else other)} ft. {plain(as_text(found.get('condition'))).strip('() ')}"
            report.add_remark("speeds", words.strip(), "is another speed; kept as a remark", field="speed")
    if choose := as_mapping(value.get("choose")):
        words = f"{' or '.join(map(as_text, as_list(choose.get('from'))))} {as_text(choose.get('amount'))} ft. {plain(as_text(choose.get('note')))}"
        report.add_remark("speeds", words.strip(), "is a choice; kept as a remark", field="speed")
    return ", ".join(parts)


def _abilities(record: Record, report: ConversionReport) -> NamedNumbers:
    for id in ABILITIES:
        special = as_text(as_mapping(record.get(id)).get("special"))
        if special:
            report.add_remark(
                "abilities", f"{id.title()} {plain(special)}", "is no ability score; kept as a remark", field=id
            )
    return named_numbers((id, record.get(id)) for id in ABILITIES)


def _named_bonuses(value: Any, field: str, report: ConversionReport) -> str:
    """Return saves or skills as a line; choices among several are a remark."""
    parts = []
    for name, said in as_mapping(value).items():
        if name in ("other", "special"):
            for one in as_list(said) if isinstance(said, list) else [said]:
                chosen = as_mapping(as_mapping(one).get("oneOf"))
                words = (
                    f"one of: {', '.join(f'{key} {as_text(bonus)}' for key, bonus in chosen.items())}"
                    if chosen
                    else plain_entry(one)
                )
                report.add_remark(field, words, "is kept as a remark")
        else:
            bonus = plain(as_text(said)).strip()
            parts.append(f"{name} {f'+{bonus}' if bonus[:1].isdecimal() else bonus}")
    return ", ".join(parts)


def _defences(value: Any, key: str) -> str:
    """Return a list of damage types or conditions as a line: groups with a note apart, behind a semicolon."""
    plain_ones: list[str] = []
    groups: list[str] = []
    for one in value if isinstance(value, list) else [value]:
        found = as_mapping(one)
        if not found:
            plain_ones += [plain(as_text(one))] if as_text(one) else []
        elif found.get("special"):
            groups.append(plain(as_text(found["special"])))
        else:
            inner = _series(
                [
                    plain(as_text(part)) if not isinstance(part, dict) else _defences([part], key)
                    for part in as_list(found.get(key))
                ]
            )
            groups.append(
                " ".join(
                    part
                    for part in (plain(as_text(found.get("preNote"))), inner, plain(as_text(found.get("note"))))
                    if part
                )
            )
    return "; ".join(part for part in (", ".join(plain_ones), *groups) if part)


def _condition_immunities(value: Any, report: ConversionReport) -> str:
    """Return conditions as a line; those that hold only at times are a remark."""
    always = []
    for one in as_list(value):
        found = as_mapping(one)
        if found.get("note") or found.get("preNote"):
            words = _defences([one], "conditionImmune")
            report.add_remark("condition_immunities", words, "is kept as a remark", field="conditionImmune")
        else:
            always.append(_defences([one], "conditionImmune"))
    return ", ".join(part for part in always if part)


def _series(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])}, and {parts[-1]}" if len(parts) > 2 else " and ".join(parts)


def _senses(record: Record, report: ConversionReport) -> str:
    senses, passive = _joined(record.get("senses")), record.get("passive")
    if passive is None:
        return senses
    number = as_int(passive)
    if number is None:
        report.add_remark(
            "senses", f"passive Perception {plain(as_text(passive))}", "is kept as a remark", field="passive"
        )
        return senses
    return ", ".join(part for part in (senses, f"passive Perception {number}") if part)


def _rating(record: Record, report: ConversionReport) -> str:
    found = as_mapping(record.get("cr"))
    for key, words in (("lair", "in its lair"), ("coven", "in a coven")):
        if found.get(key):
            report.add_remark("rating", f"{as_text(found[key])} {words}")
    if found.get("xpLair"):
        report.add_remark("xp", f"{as_text(found['xpLair'])} in its lair")
    points = as_int(found.get("xp"))
    note = plain(as_text(record.get("pbNote")))
    if note and not re.fullmatch(r"\+?\d{1,2}", note):
        report.add_remark("proficiency", note, "is kept as a remark", field="pbNote")
        note = ""
    said = rating_of(record)
    return f"{said} ({points} XP)" if points else f"{said}{f' PB {note}' if note else ''}"


def _initiative(record: Record, report: ConversionReport) -> int | None:
    said = record.get("initiative")
    if not isinstance(said, dict):
        return as_int(said)
    if said.get("advantageMode"):
        report.add_remark(
            "initiative", {"adv": "advantage", "dis": "disadvantage"}.get(as_text(said["advantageMode"]), "")
        )
    if (bonus := as_int(said.get("initiative"))) is not None:
        return bonus
    times = as_int(said.get("proficiency")) or 0
    return Formulas(record).modifier("dex") + times * proficiency_of(rating_of(record)) if times else None


def _gear(record: Record) -> str:
    parts = []
    for one in as_list(record.get("gear")):
        found = as_mapping(one)
        name = (
            as_text(found.get("displayName"))
            or as_text(found.get("item") or (one if isinstance(one, str) else "")).partition("|")[0]
        )
        count = as_int(found.get("quantity"))
        parts.append(f"{count} {plain(name)}" if count else plain(name))
    return ", ".join(part for part in parts if part)


def _description(record: Record, library: RecordLibrary) -> str:
    """Return the text about a creature: its own, its variants, and the region of its lair."""
    parts = [plain_entry(as_mapping(record.get("fluff")).get("entries", []))]
    parts += [plain_entry(one) for one in as_list(record.get("variant"))]
    parts.append(plain_entry(record.get("footer", [])))
    group = library.legendary_group(record.get("legendaryGroup")) or {}
    for key, title in (("regionalEffects", "Regional effects"), ("mythicEncounter", "Mythic encounter")):
        if group.get(key):
            parts.append(f"{title}: {plain_entry(group[key])}")
    return "\n\n".join(part for part in parts if part)


def _source(record: Record) -> str:
    page = as_text(record.get("page"))
    book = as_text(record.get("source"))
    return f"5etools: {book}, page {page}" if page and page != "0" else f"5etools: {book}"


FORMAT: Final = ImportFormat("five_e_tools", "5etools and its homebrew", claims, read, describe_other_content)
