"""Reads Open5e's older fixtures: monsters (with JSON inside some text fields), documents and spell lists."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, NamedNumbers
from turnwright.encounter.state import grouped
from turnwright.importers.common import as_list, as_text, comma_parts
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.open5e import damage, database
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord
from turnwright.importers.stat_block import ABILITIES, StatBlock, feature_entries, note_unknown_fields, read_block
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.features import feature_of
from turnwright.importers.statblock_text.header_lines import MOVES, SKILLS, singular_type
from turnwright.importers.vocabulary import terms
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport

Record = Mapping[str, Any]
_DATABASE: Final = "api."
_decode = msgspec.json.Decoder().decode
SECTIONS: Final[tuple[tuple[str, str], ...]] = tuple(terms("open5e_v1", "sections").items())
_SAVES: Final = tuple((id, f"{name}_save") for id, name in ABILITIES)
KNOWN_FIELDS: Final[frozenset[str]] = frozenset(
    {*dict(SECTIONS), *dict(ABILITIES).values(), *dict(_SAVES).values(), *terms("open5e_v1", "fields")}
)
_FEATURE: Final = frozenset({"name", "desc", "attack_bonus", "damage_dice", "damage_bonus"})
_FEET = re.compile(r"\s*(\d{1,5})(?:\.0+)?\s*(?:ft\.?|feet|foot)?\s*")


def claims(document: ParsedDocument) -> bool:
    """Return whether a document is a fixture of Open5e's older database."""
    return database.is_fixture(document, _DATABASE)


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield the monsters of the documents. Books and spell lists are looked up in the same folder."""
    ids = IdAllocator()
    folders = database.fixture_folders(documents, _DATABASE)
    several = any("monster" in file.tables for files in folders for file in files)
    for files in folders:
        books, spells = _books(files), _spells(files)
        for file in files:
            name, monsters = file.document.file, file.tables.get("monster", [])
            yield from file.odd_entries()
            for number, row in enumerate(monsters, 1):
                key = as_text(row.get("pk"))
                called = as_text(row["fields"].get("name")) or key or f"record {number}"
                book = books.get(_key(row["fields"].get("document")), database.Book())
                block = partial(_block, book, spells.get(key, ()))
                yield read_block(name, called, row["fields"], row["fields"].get("name"), block, ids, system)
            if not monsters:
                yield file.without_creatures("monsters", several=several)


def _books(files: Sequence[database.FixtureFile]) -> dict[Any, database.Book]:
    """Return the books of a folder, keyed by id. A book without a record is recognised by its monsters' ids."""
    books = {_key(row.get("pk")): database.older_book(row["fields"]) for row in database.rows_of(files, "document")}
    for row in database.rows_of(files, "monster"):
        if as_text(row.get("pk")).endswith("-a5e"):
            books.setdefault(_key(row["fields"].get("document")), database.Book(system="a5e"))
    return books


def _spells(files: Sequence[database.FixtureFile]) -> dict[str, list[str]]:
    """Return the names of spells, keyed by monster."""
    fields = (row["fields"] for row in database.rows_of(files, "monsterspell"))
    return grouped((as_text(field.get("monster")), as_text(field.get("spell"))) for field in fields)


def _block(
    book: database.Book, spells: Sequence[str], fields: Record, name: str, report: ConversionReport
) -> StatBlock:
    return block_of(_opened(fields, report), name, book, spells, report)


def _opened(fields: Record, report: ConversionReport) -> Record:
    """Parse the JSON inside a monster's text fields."""
    record = dict(fields)
    for column, name in terms("open5e_v1", "inner").items():
        text = record.pop(column, None)
        if text is None or text == "null":
            continue
        try:
            record[name] = _decode(text) if isinstance(text, str) and text else text
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            report.add_note(column, text, f"invalid JSON; ignored: {error}")
    return record


def _key(value: Any) -> Any:
    return value if isinstance(value, str | int) else ""


def block_of(
    record: Mapping[str, Any], name: str, book: database.Book, spells: Iterable[str], report: ConversionReport
) -> StatBlock:
    """Return the stat block of a record. Raise UnreadableError if it has no hit points.

    `spells` are names of spells from a separate list.
    """
    note_unknown_fields(record, KNOWN_FIELDS, report)
    features, legendary = _features(record, report)
    fields = damage.shared_fields(record, features, legendary, book, report)
    fields |= _movement(record.get("speed"), report) | _senses(record.get("senses"), report)
    if record.get("group"):
        report.add_note("group", as_text(record["group"]), "category in the source; ignored")
    report.add_remark("spellcasting", _spell_names(record, spells))
    kind, tags, swarm = _kind_in(as_text(record.get("type")), as_text(record.get("subtype")))
    report.add_remark("type", swarm)
    return StatBlock(
        name,
        type=kind,
        tags=tags,
        ac_note=damage.plain(as_text(record.get("armor_desc"))),
        saves=tuple(damage.bonuses_of(record, _SAVES, report)),
        skills=_skills(record, report),
        languages=as_text(record.get("languages")).strip(),
        condition_immunities=damage.conditions_of(record.get("condition_immunities"), report),
        immunities=damage.damage_of(record.get("damage_immunities"), "damage_immunities", report),
        resistances=damage.damage_of(record.get("damage_resistances"), "damage_resistances", report),
        vulnerabilities=damage.damage_of(record.get("damage_vulnerabilities"), "damage_vulnerabilities", report),
        source=book.citation(as_int(record.get("page_no"))),
        environments=_environments(record.get("environments"), report),
        description=damage.plain(record["desc"]) if isinstance(record.get("desc"), str) else "",
        **fields,
    )


def _features(record: Mapping[str, Any], report: ConversionReport) -> tuple[list[Feature], int]:
    """Return the features, and the number of legendary actions per round."""
    ids = IdAllocator()
    features: list[Feature] = []
    preamble = as_text(record.get("legendary_desc"))
    legendary = damage.legendary_count(preamble)
    report.add_remark("legendary", damage.plain(preamble))
    entries: list[tuple[str, int, Mapping[str, Any]]] = []
    for cost, number, entry in feature_entries(record, SECTIONS, report):
        before = entries[-1] if entries and entries[-1][0] == cost else None
        if before and (whole := damage.completed(before[2], entry, report)):
            entries[-1] = (cost, before[1], whole)
        else:
            entries.append((cost, number, entry))
    for cost, number, entry in entries:
        if cost == "legendary" and number == 1 and not legendary and damage.preamble_count(as_text(entry.get("name"))):
            words = f"{as_text(entry['name'])}. {as_text(entry.get('desc'))}".strip()
            legendary = damage.legendary_count(words)
            report.add_remark("legendary", damage.plain(words))
        else:
            features.append(_feature(entry, cost, ids, report))
    return features, legendary


def _feature(entry: Mapping[str, Any], cost: str, ids: IdAllocator, report: ConversionReport) -> Feature:
    name, text = damage.split_name(entry.get("name"), entry.get("desc"), report)
    note_unknown_fields(entry, _FEATURE, report, name)
    bonus = as_int(entry.get("attack_bonus"))
    if bonus is not None and abs(bonus) > damage.MAX_BONUS:
        why = "not a plausible attack bonus; text value used, if any"
        report.add_note(f"{name}: attack_bonus", entry["attack_bonus"], why)
        bonus = None
    feature = feature_of(ids, name, text, cost, report, {"attack": bonus} if bonus else None)
    if bonus == 0:
        feature = _with_no_bonus(feature, report, name)
    dice = as_text(entry.get("damage_dice")).replace(" ", "").strip("+")
    added = as_int(entry.get("damage_bonus"))
    return damage.with_dice(feature, f"{dice}{added:+d}" if added else dice, report, name) if dice else feature


def _with_no_bonus(feature: Feature, report: ConversionReport, name: str) -> Feature:
    """Return a feature whose bonus is stated as 0, which may also mean that it isn't an attack."""
    if feature.attack:
        report.add_note(f"{name}: attack_bonus", "0", f"text value {feature.attack} used; the data says 0")
        return feature
    if feature.attack is None and "to hit" not in feature.text:
        return feature
    return msgspec.structs.replace(feature, attack=0, read=tuple(field for field in feature.read if field != "attack"))


def _movement(value: Any, report: ConversionReport) -> dict[str, Any]:
    """Return speeds in feet, and whether the creature hovers. Other text about movement becomes a remark."""
    if not isinstance(value, dict):
        report.add_note("speed", value, "not a table of speeds; ignored")
        return {"speeds": ()}
    figures: list[tuple[str, int]] = []
    hovers = False
    for way, distance in value.items():
        feet = _feet(distance)
        if way in MOVES and feet is not None:
            figures.append((way, feet))
        elif way == "hover":
            hovers = bool(distance)
        elif way != "unit" and distance not in (None, "", False):
            report.add_remark("speeds", as_text(distance) if way == "notes" else f"{way} {as_text(distance)}".strip())
            report.add_note(f"speed: {way}", distance, "not a movement mode with a distance; kept as a remark")
    return {"speeds": tuple(figures), "hovers": hovers}


def _feet(value: Any) -> int | None:
    match = _FEET.fullmatch(value) if isinstance(value, str) else None
    return int(match[1]) if match else as_int(value)


def _senses(value: Any, report: ConversionReport) -> dict[str, Any]:
    """Return senses in feet and passive scores. Other text about senses becomes a remark."""
    if not isinstance(value, str):
        if value is not None:
            report.add_note("senses", value, "not a line of senses; ignored")
        return {}
    senses = damage.senses_in(value)
    report.add_remark("senses", senses.rest, "not a sense with a distance; kept as a remark")
    return {"senses": senses.distances, "passives": senses.passives}


def _skills(record: Mapping[str, Any], report: ConversionReport) -> NamedNumbers:
    value = record.get("skills")
    figures: dict[str, int] = {}
    if isinstance(value, dict):
        for name, stated in value.items():
            skill = name if name in SKILLS else name.strip().lower().replace(" ", "-").replace("_", "-")
            bonus = as_int(stated)
            if bonus is not None and skill in SKILLS:
                figures[skill] = bonus
            else:
                report.add_remark("skills", f"{name} {as_text(stated)}" if stated else "")
                report.add_note(f"skills: {name}", stated, "not a known skill with a bonus")
    elif value is not None and value != "":
        report.add_note("skills", value, "not a table of skills; ignored")
    perception = as_int(record.get("perception"))
    if perception is not None and figures.setdefault("perception", perception) != perception:
        report.add_note("perception", perception, f"skill table value {figures['perception']} used")
    return tuple(figures.items())


@lru_cache(maxsize=512)
def _kind_in(kind: str, subtype: str) -> tuple[str, tuple[str, ...], str]:
    """Return a creature's type and tags, and a remark. A swarm has its members' type; its full type is the remark."""
    words = kind.lower().split()
    tags = comma_parts(subtype.lower())
    if words[:1] == ["swarm"] and len(words) > 2:
        return singular_type(words[-1]), tuple(dict.fromkeys(("swarm", *tags))), " ".join(words)
    return " ".join(words), tags, ""


def _environments(value: Any, report: ConversionReport) -> tuple[str, ...]:
    if value and not isinstance(value, list):
        report.add_note("environments", value, "not a list of environments; ignored")
    return tuple(dict.fromkeys(place.strip() for place in as_list(value) if isinstance(place, str) and place.strip()))


def _spell_names(record: Mapping[str, Any], spell_list: Iterable[str]) -> str:
    """Return the names of the spells in a record and in its separate list, without duplicates."""
    listed = (*as_list(record.get("spells")), *as_list(record.get("spell_list")))
    spells = (*(entry for entry in listed if isinstance(entry, str)), *spell_list)
    return ", ".join(filter(None, dict.fromkeys(database.key_of(spell).replace("-", " ").strip() for spell in spells)))


FORMAT = ImportFormat("open5e_v1", "Open5e, older database", claims, read)
