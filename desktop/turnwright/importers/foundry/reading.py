"""Finds actors in exported data (single, in lists, in an adventure), and reads the parts that all 5e systems share."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, NamedNumbers
from turnwright.importers.common import RATINGS, as_list, as_mapping, as_text, nested_value
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.foundry.formulas import FormulaEvaluator
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.importers.stat_block import BlockReader, Defence, StatBlock, read_block
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.feature_text import MAX_TEXT_LENGTH, area_in
from turnwright.importers.statblock_text.features import feature_of
from turnwright.importers.statblock_text.header_lines import ABILITIES, damage_types
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.rules.system_data.numbers import Spell
from turnwright.storage.atomic import IdAllocator, slug
from turnwright.storage.fights import ConversionReport, UnreadableError

MAX_ACTORS_CHECKED: Final = 50
MAX_ITEMS: Final = 2_000
MAX_VALUES: Final = 200
KINDS: Final = ("npc", "character")
_HOLDERS: Final = ("actors", "documents", "entries", "items")
Actor = Mapping[str, Any]
SENSES: Final = ("darkvision", "blindsight", "tremorsense", "truesight")
SIZES: Final[Mapping[str, str]] = terms("foundry", "sizes")
SKILLS: Final[Mapping[str, tuple[str, str]]] = terms("foundry", "skills")
ORDINALS: Final = ("Cantrips", "1st level", "2nd level", "3rd level", *(f"{n}th level" for n in range(4, 10)))
_FEET_PER_METRE: Final = 5 / 1.5
_METRES: Final = frozenset({"m", "meter", "meters", "metre", "metres"})
_MILES: Final = frozenset({"mi", "mile", "miles"})
_RE: Final = Patterns("foundry_reading")


def actors_in(data: Any) -> Iterator[Actor]:
    """Yield every mapping that has the shape of an actor: single, in a list, or in an adventure."""
    for record in map(as_mapping, data if isinstance(data, list) else [data]):
        nested: list[Any] = next((record[key] for key in _HOLDERS if isinstance(record.get(key), list)), [])
        yield from [record] if is_actor(record) else filter(is_actor, map(as_mapping, nested))


def is_actor(record: Actor) -> bool:
    """Return whether a mapping is an actor: it has a type, and system data with abilities or attributes."""
    system = system_of(record)
    return isinstance(record.get("type"), str) and ("abilities" in system or "attributes" in system)


def system_of(record: Actor) -> Mapping[str, Any]:
    """Return the system data of an actor or item, from `system`, or from `data` in early versions."""
    return as_mapping(record.get("system")) or as_mapping(record.get("data"))


def game_of(record: Actor) -> str:
    """Return the id of an actor's rule system, or an empty string if it isn't stated."""
    paths = ("_stats.systemId", "flags.exportSource.system", "_stats.exportSource.systemId")
    game = next(filter(None, (value_at(record, path) for path in paths)), "")
    return game if isinstance(game, str) else ""


def has_actor_of(document: ParsedDocument, is_of_format: Callable[[Actor], bool]) -> bool:
    """Return whether any of the first actors of a document matches `is_of_format`."""
    data = document.data[:MAX_ACTORS_CHECKED] if isinstance(document.data, list) else document.data
    return any(map(is_of_format, islice(actors_in(data), MAX_ACTORS_CHECKED)))


def convert_actors(
    documents: Iterable[ParsedDocument], is_of_format: Callable[[Actor], bool], block_of: BlockReader, system: str
) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield each actor as a creature, or as an `UnreadRecord` if it is unreadable or belongs to another rule system."""

    def block(actor: Actor, name: str, report: ConversionReport) -> StatBlock:
        if actor.get("type") not in KINDS:
            raise UnreadableError(f"actors of type {actor.get('type')!r} have no stat block")
        return block_of(actor, name, report)

    for document in documents:
        for actor in actors_in(document.data):
            name = actor.get("name")
            called = name if isinstance(name, str) else ""
            if is_of_format(actor):
                yield read_block(document.file, called, actor, name, block, IdAllocator(), system)
            else:
                why = f"actor of another game system ({game_of(actor) or 'not stated'})"
                yield UnreadRecord(document.file, called, why)


def items_of(actor: Actor) -> list[Mapping[str, Any]]:
    """Return the embedded items of an actor that are mappings. Raise UnreadableError if there are too many."""
    items = as_list(actor.get("items"))
    if len(items) > MAX_ITEMS:
        raise UnreadableError(f"{len(items):,} items; the limit is {MAX_ITEMS:,}")
    return [item for item in items if isinstance(item, dict)]


def values_of(table: Any) -> list[Mapping[str, Any]]:
    """Return the mappings in a list (early versions) or in a table keyed by random ids, in order.

    Raise UnreadableError if there are more than `MAX_VALUES`.
    """
    inner = table.values() if isinstance(table, dict) else as_list(table)
    if len(inner) > MAX_VALUES:
        raise UnreadableError(f"a list has {len(inner):,} entries; the limit is {MAX_VALUES}")
    return [value for value in inner if isinstance(value, dict)]


def value_at(record: Any, path: str) -> Any:
    """Return the value at a path of keys, or None if it doesn't exist."""
    return nested_value(record, *path.split("."))


def mapping_at(record: Any, path: str) -> Mapping[str, Any]:
    """Return the mapping at a path of keys, or an empty one if it doesn't exist."""
    return as_mapping(value_at(record, path))


def text_at(record: Any, path: str) -> str:
    """Return the stripped text at a path of keys, or an empty string if it doesn't exist."""
    return as_text(value_at(record, path)).strip()


def is_metric(unit: Any) -> bool:
    """Return whether a unit is the metre."""
    return isinstance(unit, str) and unit.strip().lower() in _METRES


def in_feet(value: Any, unit: Any = "ft") -> int | None:
    """Return a distance in feet (1.5 metres are 5 feet), or None if it isn't a number."""
    number = as_int(value)
    if number is None and isinstance(value, float) and math.isfinite(value):
        number = round(value) if not is_metric(unit) else round(value * 2) / 2  # type: ignore[assignment]  # half metres
    if number is None:
        return None
    if is_metric(unit):
        return round(number * _FEET_PER_METRE)
    if isinstance(unit, str) and unit.strip().lower() in _MILES:
        return number * 5_280
    return number


def refill_period(text: Any) -> str:
    """Return the period after which uses are restored, or an empty string if it is unknown."""
    return terms("foundry", "periods").get(text.lower(), "") if isinstance(text, str) else ""


def proficiency_bonus(rating: float) -> int:
    """Return the proficiency bonus for a challenge rating."""
    return 2 + max(0, math.ceil(rating) - 1) // 4


def proficiency_multiplier(value: Any) -> float:
    """Return the multiplier of the proficiency bonus (0, 0.5, 1 or 2), or 0 for any other value."""
    return float(value) if isinstance(value, int | float) and 0 <= value <= 2 else 0.0


def rating_number(rating: Any) -> float:
    """Return a challenge rating in any notation as a number, or 0 if it isn't a rating."""
    text = as_text(rating).strip()
    try:
        number = {notation: number for number, notation in RATINGS.items()}.get(text) or float(text)
    except ValueError:
        return 0.0
    return number if 0 <= number < 1_000 else 0.0


def title_from_key(key: str) -> str:
    """Convert a key to a title: `monstrousMenagerie` becomes `Monstrous Menagerie`."""
    return " ".join(part[:1].upper() + part[1:] for part in _RE.camel.split(key.strip()) if part)


Record = Mapping[str, Any]
_MOST: Final = 100
_PARAPHRASE: Final = 0.75  # a text with this share of a condition's words already states it
_LANGUAGES: Final = {"deep": "Deep Speech", "cant": "Thieves' Cant", "sign": "Common Sign Language"}
RawTraits = Mapping[str, Any]
NO_GUESSES: Final[Mapping[str, tuple[Any, str]]] = {}


class ActorReading(msgspec.Struct):
    """An actor while it is being read: its data, the values for its totals, and the parts of its stat block so far."""

    name: str
    system: Record
    items: list[Record]
    report: ConversionReport
    level: int
    scores: dict[str, int]
    modifiers: dict[str, int]
    proficiency: int
    casting: str
    bonuses: Record
    formulas: FormulaEvaluator
    ids: IdAllocator = msgspec.field(default_factory=IdAllocator)
    features: list[Feature] = []
    spells: list[tuple[str, str, int]] = []
    own_spells: list[Spell] = []
    gear: list[str] = []
    names_by_link: Mapping[str, str] = {}
    effects: list[Record] = []

    def is_caster(self) -> bool:
        """Return whether the actor has spells or a spellcasting feature."""
        return bool(self.spells) or any("spellcasting" in feature.name.lower() for feature in self.features)

    def bonus(self, formula: Any, field: str) -> int:
        """Return a bonus as a number, or 0 if it is empty or its formula can't be evaluated, which is reported."""
        return self.formulas.bonus(formula, field, self.report)


def actor_reading(actor: Actor, name: str, casting: Any, report: ConversionReport) -> ActorReading:
    """Start the reading of an actor. `casting` is the spellcasting ability that the actor states."""
    system, items = system_of(actor), items_of(actor)
    scores: dict[str, int] = {}
    for ability in ABILITIES:
        stated = value_at(system, f"abilities.{ability}.value")
        score = as_int(stated)
        if score is None:
            report.add_note(f"abilities: {ability}", as_text(stated), "not an ability score; default used")
        scores[ability] = 10 if score is None else score
    modifiers = {ability: (score - 10) // 2 for ability, score in scores.items()}
    level = _level(value_at(system, "details.level"), items) if actor.get("type") == "character" else 0
    rating = rating_number(value_at(system, "details.cr"))
    proficiency = 2 + (level - 1) // 4 if level else proficiency_bonus(rating)
    values = {f"{ability}.mod": number for ability, number in modifiers.items()}
    values |= {f"{ability}.value": score for ability, score in scores.items()} | scores
    values |= {"prof": proficiency, "cr": int(rating), "level": level}
    return ActorReading(
        name, system, items, report, level, scores, modifiers, proficiency, casting if casting in ABILITIES else "int",
        mapping_at(system, "bonuses"), FormulaEvaluator(values), names_by_link=names_by_link(items),
        effects=[effect for effect in as_list(actor.get("effects")) if isinstance(effect, dict)],
    )  # fmt: skip


def effects_on(reading: ActorReading, path: str) -> Iterator[tuple[Record, Record]]:
    """Yield the changes to values under `path`, with their effects, which come from the actor and equipped items."""
    effects = list(reading.effects)
    for item in reading.items:
        if system_of(item).get("equipped") is not False and item.get("type") != "spell":
            own = [entry for entry in as_list(item.get("effects")) if isinstance(entry, dict)]
            effects += [one for one in own if one.get("transfer") is not False and one.get("type") != "enchantment"]
    for effect in effects:
        for change in (*as_list(effect.get("changes")), *as_list(value_at(effect, "system.changes"))):
            key = as_text(as_mapping(change).get("key"))
            if key.removeprefix("system.").removeprefix("data.").startswith(path):
                yield effect, change


def _level(own_level: Any, items: Iterable[Record]) -> int:
    """Return a character's level, as stated or as the sum of its class levels."""
    classes = [system_of(item) for item in items if item.get("type") == "class"]
    levels = (as_int(class_.get("classLevels") or class_.get("levels")) or 0 for class_ in classes)
    return min(max(as_int(own_level) or sum(levels), 1), _MOST)


def first_number(record: Record, *keys: str) -> int:
    """Return the first nonzero number under one of the keys, or 0 if there is none."""
    return next((number for key in keys if (number := as_int(record.get(key)))), 0)


def hit_points(hp: Record, keys: Sequence[str], report: ConversionReport) -> int:
    """Return the maximum hit points, from the first key that has a number. Raise UnreadableError if none has."""
    most, value = first_number(hp, *keys), as_int(hp.get("value"))
    if not most:
        raise UnreadableError(f"no hit points (found {hp.get(keys[0], hp.get('value'))!r})")
    if value is not None and value != most:
        report.add_note("hp", str(value), f"current hit points ignored; the maximum is {most}")
    return most


def skills_in(reading: ActorReading, trained: str) -> Iterator[tuple[str, Record, int, float, int]]:
    """Yield the id, data, ability modifier, proficiency multiplier (under `trained`) and bonus of each skill."""
    for code, data in mapping_at(reading.system, "skills").items():
        skill = as_mapping(data)
        id, usual = SKILLS.get(code, (slug(code), "int"))
        ability = skill["ability"] if skill.get("ability") in ABILITIES else usual
        bonus = reading.bonus(value_at(skill, "bonuses.check"), f"skills: {id}")
        yield id, skill, reading.modifiers[ability], proficiency_multiplier(skill.get(trained)), bonus


def initiative_of(data: Record, reading: ActorReading) -> int | None:
    """Return the initiative bonus, or None if it is only the Dexterity modifier."""
    ability = data["ability"] if data.get("ability") in ABILITIES else "dex"
    bonus = reading.bonus(data.get("bonus"), "initiative")
    return reading.modifiers[ability] + bonus if bonus or ability != "dex" else None


def slots_of(slots: Iterable[Any], *keys: str) -> NamedNumbers:
    """Return spell slots keyed by level, from the data of each level in order."""
    counts = ((str(level), first_number(as_mapping(slot), *keys)) for level, slot in enumerate(slots, 1))
    return tuple((level, count) for level, count in counts if 0 < count <= _MOST)


def language_names(languages: Iterable[str]) -> list[str]:
    """Return the names of languages, which may be given as keys or as names."""
    titles = [
        (name, title_from_key(name) if name.islower() and " " not in name else name) for name in languages if name
    ]
    return [_LANGUAGES.get(name, title) for name, title in titles]


def item_name(item: Record) -> str:
    """Return the name of an item or an action."""
    return " ".join(as_text(item.get("name")).split())


def limited_uses(number: int | None, count: str, period: str, name: str, report: ConversionReport) -> dict[str, Any]:
    """Return the fields for a number of uses per period. An unknown period is reported."""
    stretch = refill_period(period)
    if number and number > 0 and stretch:
        return {"uses": number, "per": stretch}
    report.add_note(f"{name}: uses", f"{count} per {period or '?'}", "unknown usage limit; ignored")
    return {}


def spell_entry(spell: Record, uses: str, per: str) -> tuple[str, str, int]:
    """Return a spell's name, its use limit in brackets, and its level."""
    limit = f" ({uses}/{refill_period(per).replace('-', ' ') or per})" if uses and per else ""
    return item_name(spell), limit, as_int(system_of(spell).get("level")) or 0


def armor_kind(system: Record) -> str:
    """Return the category of a piece of armour, in any version of the records: `heavy`, `shield`."""
    return text_at(system, "type.value") or text_at(system, "armor.type")


def add_worn(kind: str, reading: ActorReading) -> None:
    """Add a shield or heavy armour to the gear of an actor."""
    word = {"shield": "shield", "heavy": "heavy-armor"}.get(kind, "")
    if word and word not in reading.gear:
        reading.gear.append(word)


def add_carried(item: Record, name: str, text: str, reading: ActorReading) -> None:
    """Add a remark with the name of a carried item. The item's text is reported: stat blocks have no place for it."""
    count = as_int(system_of(item).get("quantity")) or 1
    label = f"{name} ({count})" if count > 1 else name
    reading.report.add_remark("gear", label)
    if text:
        reading.report.add_note(f"gear: {name}", text, "text of a carried item; only the name is kept")


def with_preface(preface: str, text: str) -> str:
    """Return a feature's text, preceded by its trigger or condition unless the text already states it."""
    preface = preface.strip().rstrip(".")
    words, text_words = (set(_RE.word.findall(part.lower())) for part in (preface, text))
    if not preface or len(words & text_words) >= _PARAPHRASE * len(words):
        return text
    return f"{preface[:1].upper()}{preface[1:]}. {text}".strip()


def with_long_activation(text: str, number: int | None, unit: str, name: str, report: ConversionReport) -> str:
    """Return a feature's text, with its activation time appended if that is longer than an action."""
    if unit not in ("minute", "hour", "day"):
        return text
    duration = f"{number or 1} {unit}{'s' if (number or 1) > 1 else ''}"
    report.add_note(f"{name}: activation", duration, "takes longer than an action; kept as text only")
    return f"{text}\nTakes {duration}.".strip()


def distances(
    raw: RawTraits, names: tuple[str, ...], field: str, attributes: RawTraits, reading: ActorReading
) -> tuple[tuple[str, int], ...]:
    """Return the named distances in feet. A limit of sight becomes a remark.

    If only one distance is in metres, that is a mistake in the source: its number is read as feet, and reported.
    """
    found_distances: list[tuple[str, int]] = []
    tables = (as_mapping(attributes.get(key)) for key in ("movement", "senses"))
    units = [data["unit"] for table in tables for data in table.values() if isinstance(data, dict) and "unit" in data]
    slip = sum(map(is_metric, units)) * 2 < len(units)
    for name in names:
        data = as_mapping(raw.get(name))
        distance, unit = data.get("distance"), data.get("unit")
        if distance in (None, "", 0, "0"):
            continue
        if is_metric(unit) and slip:
            why = "in metres, but other distances are in feet; read as feet"
            reading.report.add_note(f"{field}: {name}", f"{distance} {unit}", why)
            unit = "feet"
        feet = in_feet(distance, unit)
        if feet is None or feet < 0:
            reading.report.add_note(f"{field}: {name}", as_text(distance), "not a distance; ignored")
            continue
        found_distances.append((name, feet))
        if data.get("otherwiseBlind"):
            reading.report.add_remark(field, f"{name}: blind beyond this radius")
    if field == "speeds" and as_int(as_mapping(raw.get("walk")).get("distance")) == 0:
        found_distances.insert(0, ("walk", 0))
    return tuple(found_distances)


def damage_defences_of(raw: Any, field: str, report: ConversionReport) -> Defence:
    """Return damage types and clauses, and the exceptions to an immunity or resistance to nonmagical weapons.

    Clauses are reported.
    """
    types: dict[str, None] = {}
    mundane: tuple[str, ...] | None = None
    for entry in as_list(raw):
        text = " ".join(as_text(entry).split())
        weapons = damage_types(text if "from" in text.lower() else f"damage from {text}").weapons
        if weapons is None and _RE.mundane.search(text) and not _RE.except_.search(text):
            weapons = ()
        if field != "vulnerabilities" and weapons is not None:
            mundane = (*(mundane or ()), *weapons)
        elif _RE.plain_type.fullmatch(text.lower()):
            types.setdefault(text if " " in text else text.lower())
        elif text:
            report.add_note(field, text, "not a damage type; kept as worded")
            types.setdefault(text)
    return tuple(types), mundane


def conditions_of(raw: Any) -> tuple[str, ...]:
    """Return conditions in lower case, without duplicates."""
    return tuple(dict.fromkeys(as_text(entry).strip().lower() for entry in as_list(raw) if as_text(entry).strip()))


def size_of(raw: Any) -> str:
    """Return a size in full."""
    size = as_text(raw).lower()
    return SIZES.get(size, size)


def names_by_link(items: Iterable[Mapping[str, Any]]) -> Mapping[str, str]:
    """Return the names of link targets, from the actor's own items and from labels of other links in its texts."""
    names: dict[str, str] = {}
    for item in items:
        name = as_text(item.get("name")).strip()
        for source in (value_at(item, "_stats.compendiumSource"), value_at(item, "flags.core.sourceId")):
            if isinstance(source, str) and name:
                names.setdefault(_id(source), name)
        if isinstance(item.get("_id"), str) and name:
            names.setdefault(item["_id"], name)
        description = system_of(item).get("description")
        text = as_text(description.get("value")) if isinstance(description, dict) else as_text(description)
        for link in _RE.link.finditer(text) if "@UUID" in text else ():
            if link["label"] and link["label"].strip("{} "):
                names.setdefault(_id(link["target"]), link["label"].strip("{} "))
    return names


def with_link_names(html: str, names: Mapping[str, str], owner: str, report: ConversionReport) -> str:
    """Label the unlabelled links in a text with their target's name or, if that is unknown, a reported substitute."""

    def labelled(match: re.Match[str]) -> str:
        if match["label"]:
            return match[0]
        id = _id(match["target"])
        name = names.get(id, "")
        if not name:
            readable = _RE.readable.fullmatch(id)
            name = title_from_key(readable["name"]) if readable else "[another document]"
            report.add_note(f"{owner}: text", match[0], f"linked document not in the file; the text shows {name!r}")
        return f"@UUID[{match['target']}]{{{name}}}"

    return _RE.link.sub(labelled, html) if "@UUID" in html else html


def items_with_link_names(
    items: Iterable[Mapping[str, Any]], names: Mapping[str, str], report: ConversionReport
) -> list[Mapping[str, Any]]:
    """Label the links in the descriptions of features and objects, and return the items."""
    return [_named(item, names, report) if item.get("type") in ("feature", "object") else item for item in items]


def _named(item: Mapping[str, Any], names: Mapping[str, str], report: ConversionReport) -> Mapping[str, Any]:
    description = value_at(item, "system.description")
    if not isinstance(description, str) or "@UUID" not in description:
        return item
    labelled = with_link_names(description, names, as_text(item.get("name")), report)
    return {**item, "system": {**system_of(item), "description": labelled}}


def _id(target: str) -> str:
    match = _RE.last.search(target)
    return match[1] if match else target


def add_feature(
    name: str, text: str, cost: str, known: Mapping[str, Any], reading: ActorReading,
    guessed: Mapping[str, tuple[Any, str]] = NO_GUESSES,
) -> None:  # fmt: skip
    """Add a feature with the numbers from its data, completed with numbers that only its text states.

    `guessed` contains guesses for numbers missing from the data, each with a reason. Numbers in the text take
    precedence over them. Every guess that is used is reported.
    """
    fields = {field: value for field, value in known.items() if value is not None}
    area = area_in(text) if "area" in fields and len(text) <= MAX_TEXT_LENGTH else ""
    if area and area.partition(",")[0].replace("emanation", "radius") == fields["area"].partition(",")[0]:
        fields["area"] = area  # the text may also give a width or height
    feature = feature_of(reading.ids, name, text, cost, reading.report, fields, hit="attack" in guessed)
    changes: dict[str, Any] = {}
    for field, (value, why) in guessed.items():
        if not getattr(feature, field):
            changes[field] = value
            reading.report.add_note(f"{name}: {field}", str(value), why)
    reading.features.append(msgspec.structs.replace(feature, **changes) if changes else feature)


def name_spells(reading: ActorReading, slots: NamedNumbers, dc: int) -> None:
    """Add spells that no spellcasting feature mentions to the first such feature, or to a new one.

    Without `slots` and a limit, it isn't known how often they are cast. `dc` is the caster's DC.
    """
    features = reading.features
    hosts = [at for at, feature in enumerate(features) if "spellcasting" in feature.name.lower()]
    texts = " ".join(features[at].text for at in hosts).lower()
    missing: dict[str, dict[str, None]] = {}
    for name, limit, stated in sorted(reading.spells, key=lambda spell: spell[2]):
        level = min(max(stated, 0), 9)
        head = ORDINALS[level] if slots or limit or not level else f"{ORDINALS[level]} spells"
        if name and name.lower() not in texts:
            missing.setdefault(head, {})[f"{name}{limit}"] = None
    if reading.spells:
        why = "the spells' numbers are used; the rules texts are shortened"
        reading.report.add_note("items: spells", str(len(reading.spells)), why)
    lines = "\n".join(f"{head}: {', '.join(names)}" for head, names in missing.items())
    if lines and hosts:
        host = features[hosts[0]]
        figures = {"text": f"{host.text}\n{lines}".strip(), "dc": host.dc or max(dc, 0)}
        features[hosts[0]] = msgspec.structs.replace(host, **figures)
    elif lines:
        add_feature("Spells", lines, "trait", {"dc": dc} if dc > 0 else {}, reading)
