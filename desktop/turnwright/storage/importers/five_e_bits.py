"""5e-bits' database of the SRDs: its files of 2014 and 2024, and single monsters as its API gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Figures, Remark
from turnwright.storage.importers.documents import Document
from turnwright.storage.importers.drafting import (
    Ids,
    checked,
    listed,
    mapping,
    rating_of,
    system_for,
    text_of,
    unreadable_unless_named,
    whole,
)
from turnwright.storage.importers.fivebits.features import SECTIONS, features_of, spellcasting_of
from turnwright.storage.importers.fivebits.head import (
    ABILITIES,
    abilities_of,
    armour,
    conditions,
    damage_types,
    proficiencies,
    senses_of,
    speeds_of,
)
from turnwright.storage.importers.fivebits.multiattacks import with_ways
from turnwright.storage.importers.formats import Format
from turnwright.storage.importers.prose import lines
from turnwright.storage.importers.prose.features import with_multiattacks
from turnwright.storage.importers.results import Account, Imported, Unread, Unreadable

Record = Mapping[str, Any]
_SKIPPED: Final = frozenset({"image", "updated_at"})
_KNOWN: Final = frozenset({
    *(section for section, _cost in SECTIONS),
    *(name for _id, name in ABILITIES),
    *("index", "name", "size", "type", "subtype", "alignment", "armor_class", "hit_points", "hit_dice"),
    *("hit_points_roll", "speed", "proficiencies", "damage_vulnerabilities", "damage_resistances", "damage_immunities"),
    *("condition_immunities", "senses", "languages", "challenge_rating", "proficiency_bonus", "xp", "xp_in_lair", "url"),
    *("desc", "forms", "environments"),
})  # fmt: skip
_YEAR = re.compile(r"/api/(\d{4})/")


def claims(document: Document) -> bool:
    """Return whether a document holds monsters of this database, or the API's list of their names."""
    return any(_is_monster(record) or _is_name(record) for record in _records(document.data)[:50])


def others(document: Document) -> str:
    """Return what a document of this database holds that has no monsters, in words; nothing for any other."""
    for record in _records(document.data)[:5]:
        found = re.match(r"/api/(?:\d{4}/)?([a-z-]+)/", text_of(record.get("url")))
        if found and "index" in record and found[1] != "monsters":
            return f"holds no creatures but {found[1].replace('-', ' ')}, which are not imported"
    return ""


def read(documents: Sequence[Document], system: str) -> Iterator[Imported | Unread]:
    """Yield the monsters of the documents."""
    ids = Ids()
    for document in documents:
        for number, record in enumerate(_several(document.data), 1):
            if isinstance(record, dict):
                yield _read_record(record, number, document.file, ids, system)
            else:
                yield Unread(document.file, f"record {number}", "is no monster")


def _read_record(record: Record, number: int, file: str, ids: Ids, system: str) -> Imported | Unread:
    called = text_of(record.get("name")) or f"record {number}"
    try:
        name = unreadable_unless_named(record.get("name"))
        if not _is_monster(record):
            raise Unreadable(
                "is only a name; its figures stand in another file" if _is_name(record) else "is no monster"
            )
        account = Account(name)
        creature = checked(_creature(record, name, ids, account))
    except Unreadable as error:
        return Unread(file, called, str(error))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        return Unread(file, called, f"is of a shape that can't be read: {error}")
    return Imported(name, creature, system_for(system, "dnd5e"), file, account.reports)


def _creature(record: Record, name: str, ids: Ids, account: Account) -> Creature:
    hp = whole(record.get("hit_points"))
    if hp is None or hp < 1:
        raise Unreadable(f"hit_points: {record.get('hit_points')!r} is no number of hit points that is at least 1")
    for key in sorted(record.keys() - _KNOWN - _SKIPPED):
        if record[key] not in (None, "", [], {}):
            account.tell(key, record[key], "is not known in these records, and not kept")
    remarks: list[Remark] = []
    line = lines.type_line(f"{text_of(record.get('size'))} {text_of(record.get('type'))}")
    if not line.size:
        account.tell("size", text_of(record.get("size")), "is no size; it is taken for medium")
    if line.remark:
        remarks.append(Remark("type", line.remark))
    ac, ac_note = armour(record.get("armor_class"), remarks, account)
    speeds, hovers = speeds_of(mapping(record.get("speed")), remarks, account)
    senses, passives = senses_of(mapping(record.get("senses")), remarks, account)
    saves, skills = proficiencies(listed(record.get("proficiencies")), account)
    immunities, mundane = damage_types(record, "damage_immunities", account)
    resistances, blunted = damage_types(record, "damage_resistances", account)
    found = features_of(record, account)
    casting = list(spellcasting_of(found))
    features = with_multiattacks(with_ways(found, account), account)
    if any(feature.cost == "legendary" for feature in features):
        account.tell("legendary_actions", "", "how many of them it has a round isn't said")
    xp = whole(record.get("xp"))
    if record.get("xp_in_lair"):
        remarks.append(Remark("xp", f"{record['xp_in_lair']} in its lair"))
    forms = [text_of(mapping(form).get("name")) for form in listed(record.get("forms"))]
    remarks += [Remark("type", f"other form: {form}") for form in forms if form]
    rating = rating_of(record.get("challenge_rating"))
    if not rating:
        account.tell("challenge_rating", record.get("challenge_rating"), "is no challenge rating")
    return Creature(
        id=ids.of(name),
        name=name,
        size=line.size or "medium",
        type=line.type,
        tags=(*line.tags, *_tags(record.get("subtype"))),
        rating=rating,
        ac=ac,
        ac_note=ac_note,
        hp=hp,
        hit_dice=text_of(record.get("hit_points_roll")) or text_of(record.get("hit_dice")),
        speeds=speeds,
        hovers=hovers,
        abilities=abilities_of(record, account),
        saves=saves,
        skills=skills,
        senses=senses,
        passives=passives,
        languages=_line(record.get("languages")),
        resistances=resistances,
        vulnerabilities=damage_types(record, "damage_vulnerabilities", account)[0],
        immunities=immunities,
        mundane_immunity=mundane,
        mundane_resistance=blunted,
        condition_immunities=conditions(listed(record.get("condition_immunities")), account),
        features=features,
        source=_source(record),
        proficiency=whole(record.get("proficiency_bonus")) or 0,
        spellcasting=_casting_ability(casting),
        slots=_slots(casting),
        alignment=text_of(record.get("alignment")).strip(),
        xp=xp or 0,
        environments=tuple(text_of(one) for one in listed(record.get("environments")) if text_of(one)),
        description=_line(record.get("desc"), "\n"),
        remarks=tuple(remarks),
    )


def _casting_ability(casting: Sequence[Record]) -> str:
    found = [text_of(mapping(each.get("ability")).get("index")) for each in casting]
    return next((ability for ability in found if ability in lines.ABILITIES), "")


def _slots(casting: Sequence[Record]) -> Figures:
    slots = next((mapping(each.get("slots")) for each in casting if mapping(each.get("slots"))), {})
    return tuple((str(level), count) for level, value in slots.items() if (count := whole(value)))


def _tags(value: Any) -> tuple[str, ...]:
    return tuple(tag for part in text_of(value).split(",") if (tag := part.strip().lower()))


def _line(value: Any, between: str = ", ") -> str:
    return between.join(text_of(one) for one in value) if isinstance(value, list) else text_of(value).strip()


def _source(record: Record) -> str:
    """Return the edition a record is of: the list is sorted out by it, so its own address isn't in it."""
    year = _YEAR.search(text_of(record.get("url")))
    edition = {"2014": "SRD 5.1", "2024": "SRD 5.2"}.get(year[1], year[1]) if year else "SRD"
    return f"5e-bits: {edition}"


def _several(data: Any) -> list[Any]:
    found = mapping(data)
    return listed(found.get("results")) if "results" in found else [data] if found else listed(data)


def _records(data: Any) -> list[Record]:
    return [record for record in _several(data) if isinstance(record, dict)]


def _is_monster(record: Record) -> bool:
    return isinstance(record.get("index"), str) and "hit_points" in record and "armor_class" in record


def _is_name(record: Record) -> bool:
    return isinstance(record.get("index"), str) and "/monsters/" in text_of(record.get("url"))


FORMAT = Format("five_e_bits", "5e-bits database", claims, read, others)
