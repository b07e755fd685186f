"""Reads the 5e-bits SRD database: its files of 2014 and 2024, and single monsters from its API."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, NamedNumbers
from turnwright.importers import formats, results, stat_block, vocabulary
from turnwright.importers.common import as_list, as_mapping, as_text, comma_parts, int_at, list_at, texts_at
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.damage import as_int
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport, UnreadableError

Record = Mapping[str, Any]
_RE: Final = vocabulary.Patterns("five_e_bits")
SECTIONS: Final[tuple[tuple[str, str], ...]] = tuple(vocabulary.terms("five_e_bits", "sections").items())
_KNOWN: Final[frozenset[str]] = frozenset(
    {*dict(SECTIONS), *dict(stat_block.ABILITIES).values(), *vocabulary.terms("five_e_bits", "fields")}
)
_FEATURE_FIELDS: Final[frozenset[str]] = frozenset(vocabulary.terms("five_e_bits", "feature_fields"))
_PERIODS: Final[Mapping[str, str]] = vocabulary.terms("five_e_bits", "periods")
MAX_OPTIONS: Final = 40
_LOOK_ALIKE: Final = (
    "looks like 5e-bits, but isn't: its ability scores have other names; copy its text into Paste a creature"
)
AttackOption = Counter[str]


def claims(document: ParsedDocument) -> bool:
    """Return whether a document contains monsters of this database, or the API's list of their names."""
    return any(_is_monster(record) or _is_name(record) for record in _records(document.data)[:50])


def describe_other_content(document: ParsedDocument) -> str:
    """Return a description of a document of this database without monsters, or an empty string for any other."""
    for record in _records(document.data)[:5]:
        match = re.match(r"/api/(?:\d{4}/)?([a-z-]+)/", as_text(record.get("url")))
        if match and "index" in record and match[1] != "monsters":
            return f"no creatures; not imported: {match[1].replace('-', ' ')}"
    return ""


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[results.ImportedRecord | results.UnreadRecord]:
    """Yield the monsters of the documents."""
    return stat_block.read_blocks(documents, system, _several, _block, odd="not a monster")


def _block(record: Record, name: str, report: ConversionReport) -> stat_block.StatBlock:
    if not _is_monster(record):
        only_name = "only a name; the statistics are in another file"
        raise UnreadableError(only_name if _is_name(record) else "not a monster")
    if not any(name in record for _, name in stat_block.ABILITIES) and record.keys() - _KNOWN:
        raise UnreadableError(_LOOK_ALIKE)
    stat_block.note_unknown_fields(record, _KNOWN, report)
    fields = stat_block.column_fields(record, report)
    fields |= armor_fields(record.get("armor_class"), report)
    fields |= movement_fields(as_mapping(record.get("speed")), report)
    fields |= sense_fields(as_mapping(record.get("senses")), report)
    fields |= proficiency_fields(as_list(record.get("proficiencies")), report)
    features_and_sources = features_of(record, report)
    casting = [spells for _, source in features_and_sources if (spells := as_mapping(source.get("spellcasting")))]
    if record.get("xp_in_lair"):
        report.add_remark("xp", f"{record['xp_in_lair']} in its lair")
    for form in as_list(record.get("forms")):
        if name_of_form := as_text(as_mapping(form).get("name")):
            report.add_note("forms", name_of_form, "another form, which the source lists as a separate creature")
    return stat_block.StatBlock(
        name,
        kind=as_text(record.get("type")),
        size=as_text(record.get("size")),
        tags=comma_parts(as_text(record.get("subtype")).lower()),
        hit_dice=as_text(record.get("hit_points_roll")) or as_text(record.get("hit_dice")),
        languages=_line(record.get("languages")),
        immunities=_damage(record.get("damage_immunities")),
        resistances=_damage(record.get("damage_resistances")),
        vulnerabilities=_damage(record.get("damage_vulnerabilities")),
        condition_immunities=conditions_of(as_list(record.get("condition_immunities")), report),
        features=with_structured_multiattacks(features_and_sources, report),
        program="5e-bits",
        source=_source(record),
        proficiency=as_int(record.get("proficiency_bonus")) or 0,
        spellcasting=_casting_ability(casting),
        slots=_slots(casting),
        xp=as_int(record.get("xp")) or 0,
        environments=texts_at(record, "environments"),
        description=_line(record.get("desc"), "\n"),
        names={kind: f"damage_{kind}" for kind in ("immunities", "resistances", "vulnerabilities")},
        **fields,
    )


def _damage(value: Any) -> list[str]:
    """Return the texts of a list of damage types, each a text or a record with a name."""
    entries = value if isinstance(value, list) else [value] if value else []
    return [as_text(as_mapping(entry).get("name")) or as_text(entry) for entry in entries]


def _casting_ability(casting: Sequence[Record]) -> str:
    abilities = [as_text(as_mapping(spells.get("ability")).get("index")) for spells in casting]
    return next((ability for ability in abilities if ability in header_lines.ABILITIES), "")


def _slots(casting: Sequence[Record]) -> NamedNumbers:
    slots = next((as_mapping(spells.get("slots")) for spells in casting if as_mapping(spells.get("slots"))), {})
    return tuple((str(level), count) for level, value in slots.items() if (count := as_int(value)))


def _line(value: Any, between: str = ", ") -> str:
    return between.join(as_text(part) for part in value) if isinstance(value, list) else as_text(value).strip()


def _source(record: Record) -> str:
    """Return the edition of a record as its source. The address is omitted, because lists are sorted by source."""
    year = _RE.year.search(as_text(record.get("url")))
    return {"2014": "SRD 5.1", "2024": "SRD 5.2"}.get(year[1], year[1]) if year else "SRD"


def _several(data: Any) -> list[Any]:
    mapping = as_mapping(data)
    return as_list(mapping.get("results")) if "results" in mapping else [data] if mapping else as_list(data)


def _records(data: Any) -> list[Record]:
    return [record for record in _several(data) if isinstance(record, dict)]


def _is_monster(record: Record) -> bool:
    return isinstance(record.get("index"), str) and "hit_points" in record and "armor_class" in record


def _is_name(record: Record) -> bool:
    return isinstance(record.get("index"), str) and "/monsters/" in as_text(record.get("url"))


def armor_fields(value: Any, report: ConversionReport) -> dict[str, Any]:
    """Return the highest armour class without spells and conditions, and its source. The others become remarks."""
    entries = [as_mapping(entry) for entry in value] if isinstance(value, list) else [{"value": value}]
    plain = [entry for entry in entries if entry.get("type") not in ("spell", "condition")] or entries
    worn = max(plain, key=lambda entry: as_int(entry.get("value")) or 0, default={})
    ac = as_int(worn.get("value"))
    if ac is None:
        report.add_note("armor_class", value, "not an Armor Class; set to 10")
        return {"ac": 0}
    for entry in (entry for entry in entries if entry is not worn):
        report.add_remark("ac", f"{as_text(entry.get('value'))} {_gives(entry, alone=False)}".strip())
    return {"ac": ac, "ac_note": _gives(worn, alone=True)}


def _gives(entry: Record, *, alone: bool) -> str:
    """Return the source of an armour class: `natural armor`, `leather armor, shield`, `with mage armor`."""
    if as_text(entry.get("desc")):
        return as_text(entry["desc"]).strip()
    kind = as_text(entry.get("type"))
    things = [as_text(as_mapping(thing).get("name")) for thing in as_list(entry.get("armor"))]
    for key, word in (("spell", "with"), ("condition", "while")):
        if as_mapping(entry.get(key)):
            return f"{word} {as_text(entry[key].get('name')).lower()}"
    words = {"natural": "natural armor", "dex": "" if alone else "without armor", "armor": ""}
    return ", ".join(things).lower() if things else words.get(kind, kind)


def movement_fields(speed: Record, report: ConversionReport) -> dict[str, Any]:
    """Return speeds in feet, keyed by movement mode, and whether the creature hovers. Other text becomes a remark."""
    figures: list[tuple[str, int]] = []
    for way, value in speed.items():
        feet = _feet(way, value, "speed", report) if way in header_lines.MOVES else None
        if feet is not None:
            figures.append((way, feet))
        elif way != "hover":
            report.add_remark("speeds", f"{way} {as_text(value)}".strip())
            report.add_note(f"speed: {way}", value, "not a movement mode with a distance; kept as a remark")
    return {"speeds": tuple(figures), "hovers": speed.get("hover") is True}


def _feet(name: str, value: Any, about: str, report: ConversionReport) -> int | None:
    """Return a distance in feet, or None if it isn't a distance. Text after it becomes a remark."""
    match = _RE.feet.fullmatch(as_text(value))
    if match and match[2].strip():
        report.add_remark(f"{about.removesuffix('s')}s", f"{name} {match[2].strip()}")
        report.add_note(f"{about}: {name}", as_text(value), "text after the distance kept as a remark")
    return int(match[1]) if match else None


def sense_fields(senses: Record, report: ConversionReport) -> dict[str, Any]:
    """Return senses in feet, and passive scores keyed by skill."""
    figures: list[tuple[str, int]] = []
    passives: list[tuple[str, int]] = []
    for sense, value in senses.items():
        number = as_int(value)
        if sense.startswith("passive_") and number is not None:
            passives.append((sense.removeprefix("passive_").replace("_", "-"), number))
            continue
        feet = None if sense.startswith("passive_") else _feet(sense, value, "senses", report)
        if feet is not None:
            figures.append((sense, feet))
        else:
            report.add_note(f"senses: {sense}", value, "not a distance; kept as a remark")
            report.add_remark("senses", f"{sense} {as_text(value)}".strip())
    return {"senses": tuple(figures), "passives": tuple(passives)}


def proficiency_fields(entries: list[Any], report: ConversionReport) -> dict[str, Any]:
    """Return saves and skills."""
    saves: list[tuple[str, int]] = []
    skills: list[tuple[str, int]] = []
    for entry in map(as_mapping, entries):
        index, bonus = as_text(as_mapping(entry.get("proficiency")).get("index")), as_int(entry.get("value"))
        ability, skill = index.removeprefix("saving-throw-"), index.removeprefix("skill-")
        if bonus is not None and ability != index and ability in header_lines.ABILITIES:
            saves.append((ability, bonus))
        elif bonus is not None and skill != index and skill in header_lines.SKILLS:
            skills.append((skill, bonus))
        else:
            report.add_note("proficiencies", index or entry, "unknown saving throw or skill; ignored")
    return {"saves": tuple(saves), "skills": tuple(skills)}


def conditions_of(entries: list[Any], report: ConversionReport) -> tuple[str, ...]:
    """Return the ids of the conditions in a list."""
    ids = [as_text(as_mapping(entry).get("index")) or as_text(entry) for entry in entries]
    for entry in (entry for entry, id in zip(entries, ids, strict=True) if not id):
        report.add_note("condition_immunities", entry, "not a condition; ignored")
    return tuple(dict.fromkeys(id.lower() for id in ids if id))


def features_of(record: Mapping[str, Any], report: ConversionReport) -> list[tuple[Feature, Mapping[str, Any]]]:
    """Return each feature with its source record, in the order of a stat block."""
    ids = IdAllocator()
    entries = stat_block.feature_entries(record, SECTIONS, report)
    return [(_feature(source, cost, ids, report), source) for cost, _number, source in entries]


def _feature(source: Mapping[str, Any], cost: str, ids: IdAllocator, report: ConversionReport) -> Feature:
    name = as_text(source.get("name")).strip() or "Nameless"
    desc = source.get("desc")
    text = "\n".join(map(as_text, desc if isinstance(desc, list) else [desc]))
    stat_block.note_unknown_fields(source, _FEATURE_FIELDS, report, name)
    parts = _one_of(source, name, report)
    known = _usage(source, name, report) | _rolls(parts, name, text, report)
    damage = [_part(as_mapping(part), name, report) for part in as_list(parts.get("damage"))]
    printed = stat_block.PrintedFeature(name, text, cost, known=known, damage=tuple(filter(None, damage)))
    return stat_block.read_feature(printed, ids, report)


def _one_of(source: Mapping[str, Any], name: str, report: ConversionReport) -> Mapping[str, Any]:
    """Return the record that contains a feature's numbers: the feature's own, or the first of several options."""
    choices = list_at(source, "options", "from", "options") or as_list(source.get("attacks"))
    named: list[Record] = [choice for choice in choices if isinstance(choice, dict)]
    if not named or "dc" in source or "attack_bonus" in source:
        return source
    for choice in named[1:] if "one of the following" not in as_text(source.get("desc")) else ():
        why = "additional option; only the first option is used"
        report.add_note(f"{name}: options", as_text(choice.get("name")), why)
    return named[0]


def _usage(source: Mapping[str, Any], name: str, report: ConversionReport) -> dict[str, Any]:
    usage = as_mapping(source.get("usage"))
    kind, times = as_text(usage.get("type")).lower(), as_int(usage.get("times"))
    known: dict[str, Any] = {}
    if kind == "recharge on roll":
        face = as_int(usage.get("min_value"))
        if face is not None and 2 <= face <= 6 and as_text(usage.get("dice") or "1d6") == "1d6":
            known["recharge"] = face
        else:
            report.add_note(f"{name}: usage", usage, "unknown recharge; ignored")
    elif kind == "recharge after rest":
        known = {"uses": times or 1, "per": "rest" if "short" in as_list(usage.get("rest_types")) else "long-rest"}
    elif kind in _PERIODS and times:
        known = {"uses": times, "per": _PERIODS[kind]}
    elif usage and kind != "at will":
        report.add_note(f"{name}: usage", usage, "unknown usage limit; ignored")
    if usage.get("times_in_lair"):
        why = "uses in its lair ignored; uses elsewhere kept"
        report.add_note(f"{name}: usage", f"{usage['times_in_lair']} in its lair", why)
    return known


def _rolls(parts: Mapping[str, Any], name: str, text: str, report: ConversionReport) -> dict[str, Any]:
    """Return the attack, the saving throw and the spellcasting numbers."""
    bonus = as_int(parts.get("attack_bonus"))
    known: dict[str, Any] = {"attack": bonus} if bonus or (bonus == 0 and _RE.rolls.search(text)) else {}
    for key, field in (("dc", "dc"), ("modifier", "attack")):
        if (figure := int_at(parts, "spellcasting", key)) is not None:
            known[field] = figure
    save = as_mapping(parts.get("dc"))
    if not save:
        return known
    ability, dc = as_text(as_mapping(save.get("dc_type")).get("index")).lower(), as_int(save.get("dc_value"))
    if ability not in header_lines.ABILITIES or dc is None:
        report.add_note(f"{name}: dc", save, "not a saving throw with a DC; ignored")
    elif "escape DC" in text and not re.search(r"saving throw", text, re.IGNORECASE):
        why = "escape DC according to the text; not imported as a saving throw"
        report.add_note(f"{name}: dc", f"{ability} {dc}", why)
    else:
        known |= {"save": ability, "dc": dc} | ({"half": True} if as_text(save.get("success_type")) == "half" else {})
    return known


def _part(damage: Mapping[str, Any], name: str, report: ConversionReport) -> str:
    """Return one part of damage. If the source offers a choice, use the first option; the text names the others."""
    if "from" in damage:
        choices = [as_mapping(option) for option in as_list(as_mapping(damage["from"]).get("options"))]
        return _part(choices[0], name, report) if choices else ""
    dice = stat_block.normalised_dice(as_text(damage.get("damage_dice")))
    if not dice:
        report.add_note(f"{name}: damage", damage, "no dice given; ignored")
        return ""
    kind = as_mapping(damage.get("damage_type"))
    return f"{dice} {as_text(kind.get('index') or kind.get('name')).lower()}".strip()


def with_structured_multiattacks(
    pairs: Sequence[tuple[Feature, Mapping[str, Any]]], report: ConversionReport
) -> tuple[Feature, ...]:
    """Return the features. The options of each multiattack come from its record."""
    features = tuple(feature for feature, _source in pairs)
    return tuple(_with_ways(feature, source, features, report) for feature, source in pairs)


def _with_ways(
    feature: Feature, source: Mapping[str, Any], features: Sequence[Feature], report: ConversionReport
) -> Feature:
    if not source.get("actions") and not source.get("action_options"):
        return feature
    ids = {_plain(other.name): other for other in reversed(features) if other is not feature}
    reader = _Reader(ids, feature.name, report)
    fixed = reader.ways_of({"items": as_list(source.get("actions"))})
    options = list_at(source, "action_options", "from", "options")
    choices = [way for option in options for way in reader.ways_of(as_mapping(option))] or [AttackOption()]
    if (int_at(source, "action_options", "choose") or 1) > 1:
        why = "several options may be combined; only single options imported"
        report.add_note(f"{feature.name}: action_options", source["action_options"], why)
    ways = [first + second for first, second in islice(product(fixed, choices), MAX_OPTIONS)]
    tables = tuple(dict.fromkeys(tuple(way.items()) for way in ways if way))
    if not tables:
        return feature
    attacks = min(max(reader.attacks_in(table) for table in tables), 100)
    read = tuple(field for field in feature.read if field not in ("multiattack", "attacks"))
    return msgspec.structs.replace(feature, multiattack=tables, attacks=attacks, read=read)


class _Reader:
    """Reads the options of one multiattack. `features` are the creature's other features, keyed by plain name."""

    def __init__(self, features: Mapping[str, Feature], name: str, report: ConversionReport) -> None:
        self._features = features
        self._ids = {feature.id: feature for feature in features.values()}
        self._name = name
        self._account = report

    def ways_of(self, option: Mapping[str, Any]) -> list[AttackOption]:
        """Return the options in a record. Items are combined; each entry of a choice is a separate option."""
        if "items" in option:
            item_ways = [self.ways_of(as_mapping(item)) for item in as_list(option["items"])]
            return [sum(combined, AttackOption()) for combined in islice(product(*item_ways), MAX_OPTIONS)]
        if "from" in option or "choice" in option:
            entries = list_at(as_mapping(option.get("choice")) or option, "from", "options")
            return [way for entry in entries for way in self.ways_of(as_mapping(entry))]
        return [AttackOption(dict(self._counted(option)))]

    def attacks_in(self, table: NamedNumbers) -> int:
        """Return the number of attacks of an option."""
        return sum(count for id, count in table if self._ids[id].attack is not None)

    def _counted(self, action: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
        name, count = as_text(action.get("action_name")), as_int(action.get("count"))
        feature = self._named(name)
        if feature is None:
            self._account.add_note(f"{self._name}: {name}", name or action, "no feature of this name; ignored")
        elif count is None or not 0 < count <= 100:
            self._account.add_note(f"{self._name}: {name}", action.get("count"), "not a number of attacks; ignored")
        else:
            yield feature.id, count

    def _named(self, name: str) -> Feature | None:
        plain = _plain(name)
        if not plain:
            return None
        match = self._features.get(plain) or self._features.get(_plain(name.partition("(")[0]))
        if match is None:
            longer = [feature for key, feature in self._features.items() if key.startswith(f"{plain} ")]
            match = longer[0] if longer else None
        return match


def _plain(name: str) -> str:
    """Return a name in lower case without its plural ending: `claw` for `Claws`."""
    words = _RE.not_word.sub(" ", name.lower()).split()
    return " ".join(word.removesuffix("s") if len(word) > 3 else word for word in words)


FORMAT = formats.ImportFormat("five_e_bits", "5e-bits database", claims, read, describe_other_content)
