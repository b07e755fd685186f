"""Reads creatures and vehicles of 5etools and its homebrew with their copies, for the rules of 2014 and 2024.

Records are converted to lines as a book prints them, which the readers of stat block text then read.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from turnwright.encounter.prepared import NamedNumbers
from turnwright.importers.common import as_list, as_mapping, as_text, named_numbers, texts_at
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.five_e_tools.copies import Record, RecordLibrary, versions_of
from turnwright.importers.five_e_tools.tags import Formulas, plain, plain_entry, proficiency_of, rating_of
from turnwright.importers.five_e_tools.vehicles import as_creature, is_vehicle
from turnwright.importers.formats import ImportFormat
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord
from turnwright.importers.stat_block import PrintedFeature, StatBlock, note_unknown_fields, read_blocks
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.features import ONLY_MYTHIC
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.vocabulary import terms
from turnwright.storage.fights import ConversionReport, UnreadableError

_LISTS: Final = ("monster", "legendaryGroup", "monsterTemplate", "monsterFluff")
_OTHERS: Final[tuple[str, ...]] = terms("five_e_tools", "others")
_SIZES: Final[Mapping[str, str]] = terms("five_e_tools", "sizes")
_ALIGNMENTS: Final[Mapping[str, str]] = terms("five_e_tools", "alignments")
_ANY_BUT: Final[Mapping[str, str]] = terms("five_e_tools", "any_but")
_MODES: Final = ("walk", "burrow", "climb", "fly", "swim")
_KNOWN: Final[frozenset[str]] = frozenset({*ABILITIES, *terms("five_e_tools", "fields")})
SECTIONS: Final[tuple[tuple[str, str], ...]] = tuple(terms("five_e_tools", "sections").items())
_ORDINALS: Final = {1: "1st", 2: "2nd", 3: "3rd"}


def claims(document: ParsedDocument) -> bool:
    """Return whether a document is from 5etools: creatures, legendary groups, templates, or one exported creature."""
    data = document.data
    if _is_monster(data) or is_vehicle(data):
        return True
    if isinstance(data, list):
        return bool(data) and all(_is_monster(record) for record in data[:20])
    if not isinstance(data, dict):
        return False
    is_fleet = any(map(is_vehicle, as_list(data.get("vehicle"))[:5]))
    return is_fleet or any(any(_is_named(record) for record in as_list(data.get(key))[:5]) for key in _LISTS)


def describe_other_content(document: ParsedDocument) -> str:
    """Return a description of a 5etools file without creatures, or an empty string for any other file."""
    data = as_mapping(document.data)
    kinds = [key for key in _OTHERS if any(_is_named(record) for record in as_list(data.get(key))[:5])]
    return f"5etools file without creatures; not imported: {', '.join(kinds)}" if kinds else ""


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield the creatures of the documents. A creature may copy others from any of them."""
    library = RecordLibrary(_lists(document.data) for document in documents)
    for document in documents:
        if not _monsters(document.data):
            yield SkippedFile(document.file)  # groups and templates for creatures in other files
    yield from read_blocks(documents, system, _monsters, partial(_block, library))


def _monsters(data: Any) -> list[Any]:
    lists = _lists(data)
    return [*as_list(lists.get("monster")), *filter(is_vehicle, as_list(lists.get("vehicle")))]


def _lists(data: Any) -> Mapping[str, Any]:
    """Return the lists of a document by their keys. A single creature is a list of one."""
    if isinstance(data, list):
        return {"monster": data}
    return {"monster": [data]} if _is_monster(data) or is_vehicle(data) else as_mapping(data)


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


def _block(library: RecordLibrary, source: Record, name: str, report: ConversionReport) -> StatBlock:
    record = as_creature(library.resolved(source, report))
    note_unknown_fields(record, _KNOWN, report)
    for version in versions_of(record):
        report.add_note("_versions", version, "variant of this creature; not imported")
    return StatBlock(
        name,
        kind=_kind(record, report),
        ac=_armor_class(record.get("ac"), report),
        hp=_hit_points(record.get("hp")),
        speeds=_speed(record.get("speed"), report),
        abilities=_abilities(record, report),
        saves=_named_bonuses(record.get("save"), "saves", report),
        skills=_named_bonuses(record.get("skill"), "skills", report),
        vulnerabilities=_defences(record.get("vulnerable"), "vulnerable"),
        resistances=_defences(record.get("resist"), "resist"),
        immunities=_defences(record.get("immune"), "immune"),
        condition_immunities=_condition_immunities(record.get("conditionImmune"), report),
        senses=_joined(record.get("senses")),
        passives=_passives(record.get("passive"), report),
        languages=_joined(record.get("languages")),
        challenge=_rating(record, report),
        initiative=_initiative(record, report),
        spellcasting=spellcasting_ability(record) or None,
        features=tuple(features_of(record, library, report)),
        legendary=(as_int(record.get("legendaryActions")) or 3) if as_list(record.get("legendary")) else 0,
        environments=texts_at(record, "environment"),
        gear=_gear(record),
        description=_description(record, library),
        source=_source(record),
    )


def _joined(value: Any, between: str = ", ") -> str:
    values = value if isinstance(value, list) else [value]
    return between.join(text for part in values if (text := plain(as_text(part))))


def _kind(record: Record, report: ConversionReport) -> str:
    """Return the line with size, type and alignment."""
    sizes = [_SIZES.get(as_text(size), as_text(size)) for size in as_list(record.get("size"))]
    sizes = sizes or [_SIZES.get(as_text(record.get("size")), "")]
    if len(sizes) > 1 or record.get("sizeNote"):
        report.add_remark("size", _spaced(" or ".join(sizes), as_text(record.get("sizeNote"))))
    kind = record.get("type")
    data = as_mapping(kind) or {"type": kind}
    report.add_remark("type", _told(data, "note").strip("() "))
    choices = as_list(as_mapping(data.get("type")).get("choose"))
    word = " or ".join(map(as_text, choices)) or as_text(data.get("type"))
    if swarm := _SIZES.get(as_text(data.get("swarmSize")), ""):
        odd = {"fey": "fey", "undead": "undead", "monstrosity": "monstrosities"}
        word = f"swarm of {swarm} {odd.get(word, word if word.endswith('s') else f'{word}s')}"
    tags = ", ".join(filter(None, map(_tag, as_list(data.get("tags")))))
    alignment = _spaced(as_text(record.get("alignmentPrefix")).strip(), _alignment(record.get("alignment")))
    return f"{sizes[0]} {word}{f' ({tags})' if tags else ''}, {alignment}".strip(" ,")


def _tag(tag: Any) -> str:
    data = as_mapping(tag)
    prefix = "" if data.get("prefixHidden") else as_text(data.get("prefix"))
    return f"{prefix} {as_text(data.get('tag'))}".strip() if data else as_text(tag)


def _spaced(*parts: str) -> str:
    return " ".join(filter(None, parts))


def _told(data: Any, key: str) -> str:
    """Return the text of a key without tags, or an empty string if it has none."""
    return plain(as_text(as_mapping(data).get(key)))


def _alignment(value: Any) -> str:
    letters = as_list(value)
    if any(isinstance(letter, dict) for letter in letters):
        return " or ".join(filter(None, map(_one_alignment, letters)))
    words = [as_text(letter) for letter in letters]
    return _ANY_BUT.get(" ".join(words)) or " ".join(dict.fromkeys(_ALIGNMENTS.get(w, w) for w in words)).strip()


def _one_alignment(value: Any) -> str:
    data = as_mapping(value)
    if not data:
        return _alignment([value])
    chance, note = as_int(data.get("chance")), as_text(data.get("note"))
    aside = f"({chance}%)" if chance else "", f"({note})" if note else ""
    return _told(data, "special") if data.get("special") else _spaced(_alignment(data.get("alignment")), *aside)


def _armor_class(value: Any, report: ConversionReport) -> str:
    """Return the first armour class with its source. The others become remarks."""
    lines = []
    for entry in as_list(value) or [value]:
        data = as_mapping(entry)
        sources = ", ".join(plain(as_text(part)) for part in as_list(data.get("from")))
        stated = f"{as_text(data.get('ac'))}{f' ({sources})' if sources else ''} {_told(data, 'condition')}".strip()
        line = _told(data, "special") if data.get("special") else stated if data else as_text(entry)
        lines += [line] if data or line else []
    for line in lines[1:]:
        report.add_remark("ac", line)
    return lines[0] if lines else ""


def _hit_points(value: Any) -> str:
    average, formula = as_int(as_mapping(value).get("average")), as_text(as_mapping(value).get("formula"))
    if average is not None:
        return f"{average} ({formula})" if formula and formula != str(average) else str(average)
    special = _told(value, "special")
    if special and not special[0].isdigit():
        raise UnreadableError(f"hp: expected a number of hit points, found {special[:200]!r}")
    return special


def _speed(value: Any, report: ConversionReport) -> str:
    """Return the speeds as a line. Conditions are in brackets, and become remarks later."""
    if not isinstance(value, dict):
        return f"{as_int(value)} ft." if as_int(value) is not None else plain(as_text(value))
    parts: list[str] = []
    for mode in _MODES:
        stated = value.get("walk") if value.get(mode) is True else value.get(mode)
        data = as_mapping(stated) if value.get(mode) is not True else {}
        feet = as_int(as_mapping(stated).get("number") if isinstance(stated, dict) else stated)
        if value.get(mode) is not None and feet is None:
            report.add_note(f"speed: {mode}", str(value[mode]), "not a distance; ignored")
        elif feet is not None:
            condition = _told(data, "condition").strip("() ")
            hover = mode == "fly" and value.get("canHover")
            hovers = " (hover)" if hover or condition.lower() == "hover" else ""
            aside = f" ({mode} {condition})" if condition and condition.lower() != "hover" else ""
            parts.append(f"{'' if mode == 'walk' else f'{mode} '}{feet} ft.{hovers}{aside}")
    for mode, others in as_mapping(value.get("alternate")).items():
        for other in as_list(others):
            feet_text = as_text(as_mapping(other).get("number") if as_mapping(other) else other)
            words = f"{mode} {feet_text} ft. {_told(other, 'condition').strip('() ')}"
            report.add_remark("speeds", words.strip(), "alternative speed; kept as a remark", field="speed")
    if choose := as_mapping(value.get("choose")):
        modes = " or ".join(map(as_text, as_list(choose.get("from"))))
        words = f"{modes} {as_text(choose.get('amount'))} ft. {_told(choose, 'note')}".strip()
        report.add_remark("speeds", words, "choice of speeds; kept as a remark", field="speed")
    return ", ".join(parts)


def _abilities(record: Record, report: ConversionReport) -> Record:
    for id in ABILITIES:
        if special := as_text(as_mapping(record.get(id)).get("special")):
            words = f"{id.title()} {plain(special)}"
            report.add_remark("abilities", words, "not an ability score; kept as a remark", field=id)
    return {id: record.get(id) for id in ABILITIES}


def _named_bonuses(value: Any, field: str, report: ConversionReport) -> str:
    """Return saves or skills as a line. A choice between several becomes a remark."""
    parts = []
    for name, stated in as_mapping(value).items():
        if name in ("other", "special"):
            for entry in stated if isinstance(stated, list) else [stated]:
                choices = as_mapping(as_mapping(entry).get("oneOf")).items()
                one_of = f"one of: {', '.join(f'{key} {as_text(bonus)}' for key, bonus in choices)}"
                report.add_remark(field, one_of if choices else plain_entry(entry), "kept as a remark")
        else:
            bonus = plain(as_text(stated)).strip()
            parts.append(f"{name} {f'+{bonus}' if bonus[:1].isdecimal() else bonus}")
    return ", ".join(parts)


def _defences(value: Any, key: str) -> str:
    """Return damage types or conditions as a line. Groups that have a note follow, separated by semicolons."""
    plain_ones: list[str] = []
    groups: list[str] = []
    for entry in value if isinstance(value, list) else [value]:
        data = as_mapping(entry)
        if not data:
            plain_ones += [plain(as_text(entry))] if as_text(entry) else []
        elif data.get("special"):
            groups.append(_told(data, "special"))
        else:
            inner = _series([_defences([part], key) for part in as_list(data.get(key))])
            groups.append(_spaced(_told(data, "preNote"), inner, _told(data, "note")))
    return "; ".join(filter(None, (", ".join(plain_ones), *groups)))


def _condition_immunities(value: Any, report: ConversionReport) -> str:
    """Return conditions as a line. Conditional immunities become a remark."""
    always = []
    for entry in as_list(value):
        data = as_mapping(entry)
        if data.get("note") or data.get("preNote"):
            words = _defences([entry], "conditionImmune")
            report.add_remark("condition_immunities", words, "kept as a remark", field="conditionImmune")
        else:
            always.append(_defences([entry], "conditionImmune"))
    return ", ".join(filter(None, always))


def _series(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])}, and {parts[-1]}" if len(parts) > 2 else " and ".join(parts)


def _passives(passive: Any, report: ConversionReport) -> NamedNumbers:
    if passive is not None and as_int(passive) is None:
        words = f"passive Perception {plain(as_text(passive))}"
        report.add_remark("senses", words, "kept as a remark", field="passive")
    return named_numbers([("perception", passive)])


def _rating(record: Record, report: ConversionReport) -> str:
    data = as_mapping(record.get("cr"))
    for key, words in (("lair", "in its lair"), ("coven", "in a coven")):
        if data.get(key):
            report.add_remark("rating", f"{as_text(data[key])} {words}")
    if data.get("xpLair"):
        report.add_remark("xp", f"{as_text(data['xpLair'])} in its lair")
    points = as_int(data.get("xp"))
    note = _told(record, "pbNote")
    if note and not re.fullmatch(r"\+?\d{1,2}", note):
        report.add_remark("proficiency", note, "kept as a remark", field="pbNote")
        note = ""
    return f"{rating_of(record)}{f' ({points} XP)' if points else f' PB {note}' if note else ''}"


def _initiative(record: Record, report: ConversionReport) -> int | None:
    stated = record.get("initiative")
    if not isinstance(stated, dict):
        return as_int(stated)
    modes = {"adv": "advantage", "dis": "disadvantage"}
    report.add_remark("initiative", modes.get(as_text(stated.get("advantageMode")), ""))
    if (bonus := as_int(stated.get("initiative"))) is not None:
        return bonus
    times = as_int(stated.get("proficiency")) or 0
    return Formulas(record).modifier("dex") + times * proficiency_of(rating_of(record)) if times else None


def _gear(record: Record) -> str:
    parts = []
    for entry in as_list(record.get("gear")):
        data = as_mapping(entry) or {"item": entry if isinstance(entry, str) else ""}
        name = plain(as_text(data.get("displayName")) or as_text(data.get("item")).partition("|")[0])
        count = as_int(data.get("quantity"))
        parts.append(f"{count} {name}" if count else name)
    return ", ".join(filter(None, parts))


def _description(record: Record, library: RecordLibrary) -> str:
    """Return the description of a creature, its variants, and the texts on its region and its mythic encounter."""
    parts = [plain_entry(as_mapping(record.get("fluff")).get("entries", []))]
    parts += [plain_entry(variant) for variant in as_list(record.get("variant"))]
    parts.append(plain_entry(record.get("footer", [])))
    group = library.legendary_group(record.get("legendaryGroup")) or {}
    for key, title in (("regionalEffects", "Regional effects"), ("mythicEncounter", "Mythic encounter")):
        if group.get(key):
            parts.append(f"{title}: {plain_entry(group[key])}")
    return "\n\n".join(filter(None, parts))


def _source(record: Record) -> str:
    page, book = as_text(record.get("page")), as_text(record.get("source"))
    return f"5etools: {book}, page {page}" if page and page != "0" else f"5etools: {book}"


def features_of(record: Record, library: RecordLibrary, report: ConversionReport) -> Iterator[PrintedFeature]:
    """Yield every feature of a creature, in the order of a stat block."""
    casting = [(_shown_as(block), block) for block in map(as_mapping, as_list(record.get("spellcasting")))]
    for section, cost in SECTIONS:
        for entry in as_list(record.get(section)):
            if isinstance(entry, dict):
                only = ONLY_MYTHIC if section == "mythic" else ""
                text = entry.get("entries", entry.get("entry", entry.get("items", [])))
                yield PrintedFeature(_told(entry, "name"), plain_entry(text), cost, only)
            else:
                report.add_note(section, str(entry)[:300], "feature has no name; kept without one")
                yield PrintedFeature("", plain_entry(entry), cost)
        if section == "mythic" and as_list(record.get("mythic")):
            report.add_note("mythic", "", "imported as legendary actions of a second phase, at zero hit points")
        yield from (_spells(block, cost) for place, block in casting if place == section)
    for key, title in terms("five_e_tools", "headers").items():
        if record.get(key):
            yield PrintedFeature(title, plain_entry(record[key]), "trait")
    if as_list(record.get("legendaryHeader")):
        yield PrintedFeature("Legendary Actions", plain_entry(record["legendaryHeader"]), "trait")
    if record.get("legendaryActionsLair"):
        report.add_remark("legendary", f"{as_text(record['legendaryActionsLair'])} legendary actions in its lair")
    yield from _lair_actions(record, library, report)


def spellcasting_ability(record: Record) -> str:
    """Return the spellcasting ability in a creature's spellcasting blocks, or an empty string if there is none."""
    abilities = (as_text(as_mapping(block).get("ability")).lower() for block in as_list(record.get("spellcasting")))
    return next((ability for ability in abilities if ability in ABILITIES), "")


def _shown_as(casting: Any) -> str:
    """Return the section in which a spellcasting block is displayed."""
    section = as_text(as_mapping(casting).get("displayAs")) or "trait"
    return section if section in dict(SECTIONS) else "trait"


def _spells(casting: Any, cost: str) -> PrintedFeature:
    """Return a spellcasting block as a feature, with a line for each frequency or level."""
    block = as_mapping(casting)
    hidden = {as_text(spell) for spell in as_list(block.get("hidden"))}
    lines = [plain_entry(block.get("headerEntries", []))]
    for key, label in (("constant", "Constant"), ("will", "At will"), ("ritual", "Rituals")):
        if block.get(key) and key not in hidden:
            lines.append(f"{label}: {_listed(block[key])}")
    for key, words in terms("five_e_tools", "times").items():
        for often, spells in as_mapping(block.get(key)).items() if key not in hidden else ():
            number, each = often.rstrip("e"), " each" if often.endswith("e") else ""
            recharge = f"Recharge {number}{'-6' if number != '6' else ''}"
            lines.append(f"{recharge if key == 'recharge' else f'{number}{words}{each}'}: {_listed(spells)}")
    for level, data in as_mapping(block.get("spells")).items() if "spells" not in hidden else ():
        lines.append(f"{_level(level, as_mapping(data))}: {_listed(as_mapping(data).get('spells'))}")
    lines.append(plain_entry(block.get("footerEntries", [])))
    return PrintedFeature(_told(block, "name") or "Spellcasting", "\n".join(filter(None, lines)), cost)


def _level(level: str, data: Any) -> str:
    number = as_int(level) or 0
    if not number:
        return "Cantrips (at will)"
    ordinal = _ORDINALS.get(number, f"{number}th")
    slots, lower = as_int(data.get("slots")), as_int(data.get("lower"))
    span = f"{_ORDINALS.get(lower, f'{lower}th')}-{ordinal}" if lower and lower != number else ordinal
    if not slots:
        return f"{span} level"
    return f"{span} level ({slots} {f'{ordinal}-level ' if lower else ''}slot{'' if slots == 1 else 's'})"


def _listed(spells: Any) -> str:
    shown = [spell for spell in as_list(spells) if not as_mapping(spell).get("hidden")]
    names = (plain_entry(spell.get("entry", "") if as_mapping(spell) else spell) for spell in shown)
    return ", ".join(filter(None, names))


def _lair_actions(record: Record, library: RecordLibrary, report: ConversionReport) -> Iterator[PrintedFeature]:
    reference = record.get("legendaryGroup")
    if not reference:
        return
    group = library.legendary_group(reference)
    if group is None:
        name = as_text(as_mapping(reference).get("name"))
        report.add_note("legendaryGroup", name, "legendary group not in these files; its lair actions are missing")
        return
    actions = as_list(group.get("lairActions"))
    lists = [entry for entry in map(as_mapping, actions) if entry.get("type") == "list"]
    items = [item for entry in lists for item in as_list(entry.get("items"))]
    for number, item in enumerate(items, 1):
        bare = {key: value for key, value in item.items() if key != "name"} if isinstance(item, dict) else item
        yield PrintedFeature(_told(item, "name").rstrip(".:") or f"Lair Action {number}", plain_entry(bare), "lair")
    if others := [entry for entry in actions if as_mapping(entry).get("type") != "list"]:
        yield PrintedFeature("Lair Actions", plain_entry(others), "trait" if items else "lair")


FORMAT: Final = ImportFormat("five_e_tools", "5etools and its homebrew", claims, read, describe_other_content)
