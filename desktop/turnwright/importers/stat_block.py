"""The neutral stat block that every format fills in, with numbers or with the words of a book, and its creature.

This is the only place where importers make creatures. A field that holds words is read like a line of a printed stat
block; any other value is used unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature, Feature, NamedNumbers
from turnwright.importers.common import (
    MAX_FEATURES,
    as_text,
    challenge_rating,
    check_bounds,
    named_numbers,
    required_name,
    system_for,
)
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.fields import (
    Defence,
    armor_class,
    conditions_with_clauses,
    damage_fields,
    damage_types_with_clauses,
    hit_points,
    normalised_dice,
    placed_damage,
    remaining_damage,
)
from turnwright.importers.results import ImportedRecord, UnreadRecord, convert_record
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.features import feature_of, with_multiattacks
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport, UnreadableError

_DICE = re.compile(r"\d{0,3}d\d{1,3}(?:\s*[+\-\u2212\u2013]\s*\d{1,4})?", re.IGNORECASE)
_HIT_DICE = re.compile(rf"\(?\s*({_DICE.pattern})\s*\)?(.*)", re.IGNORECASE | re.DOTALL)
_RATING = re.compile(r"\s*(?:CR\s*)?(\d{1,2}/\d{1,2}|\d{1,3}|[\u00bc\u00bd\u215b])(?![\d/])", re.IGNORECASE)
_XP = re.compile(r"(\d{1,3}(?:,\d{3}){1,2}|\d{1,7})\s*XP\b|\bXP\s*:?\s*(\d{1,3}(?:,\d{3}){1,2}|\d{1,7})", re.IGNORECASE)
_PROFICIENCY = re.compile(r"\b(?:PB|proficiency(?:\s+bonus)?)\s*:?\s*\+?(\d{1,2})\b", re.IGNORECASE)
_ATTACK_HEAD = re.compile(r"(?:Melee|Ranged)\s+(?:or\s+\w+\s+)?(?:Weapon\s+|Spell\s+)?Attack\b")
_NONE: Final = frozenset({"", "-", "--", "\N{EM DASH}", "\N{EN DASH}", "none"})
Record = Mapping[str, Any]
BlockReader = Callable[[Any, str, ConversionReport], "StatBlock"]  # of a record, with its name


class PrintedFeature(msgspec.Struct, frozen=True):
    """A trait, action or other feature as worded in a book. Its name may end in brackets (`Recharge 5-6`).

    `only` is the condition under which the creature has it. The numbers in `known`, keyed by a feature's field, take
    precedence over the text. So do the parts in `damage`, which are compared with the damage that the text states; None
    means that the source has no separate damage.
    """

    name: str
    text: str
    cost: str
    only: str = ""
    known: Mapping[str, Any] = MappingProxyType({})
    damage: tuple[str, ...] | None = None


class StatBlock(msgspec.Struct, frozen=True):
    """A stat block of any format. Fields that aren't given (None) have the defaults of a creature.

    Most fields are those of a creature. Where a text is allowed as well, it is a line of a printed stat block without
    its caption: `ac` may be `17 (natural armor)`, `hp` may be `135 (18d10 + 36)`, `speeds` may be `30 ft., fly 60 ft.`. Damage
    types may be a list of such texts.
    `kind` is the line with size, type, tags and alignment (or without its `size`), and `challenge` the line with the rating, experience points
    and proficiency bonus. `abilities` may be a
    mapping of the source's values; missing ones are reported. A text in `gear` becomes a remark. If `spellcasting` and `slots` are None, they are read from
    the texts of features. `program` is added before the `source`, and `system` is the rule system that the source states. `names` are the source's names of fields for notes, keyed by the names here.
    """

    name: str
    kind: str | None = None
    size: str | None = None
    type: str | None = None
    tags: tuple[str, ...] | None = None
    alignment: str | None = None
    gear: tuple[str, ...] | str | None = None
    features: tuple[PrintedFeature | Feature, ...] = ()
    ac: int | str | None = None
    ac_note: str | None = None
    hp: int | str | None = None
    hit_dice: str | None = None
    speeds: NamedNumbers | str | None = None
    hovers: bool | None = None
    abilities: NamedNumbers | Mapping[str, Any] = ()
    saves: NamedNumbers | str | None = None
    skills: NamedNumbers | str | None = None
    senses: NamedNumbers | str | None = None
    passives: NamedNumbers | None = None
    challenge: str | None = None
    rating: str | None = None
    level: int | None = None
    xp: int | None = None
    proficiency: int | None = None
    immunities: Defence | list[str] | str = ((), None)
    resistances: Defence | list[str] | str = ((), None)
    vulnerabilities: Defence | list[str] | str = ((), None)
    condition_immunities: tuple[str, ...] | str | None = None
    languages: str | None = None
    initiative: int | None = None
    maneuver_dc: int | None = None
    spellcasting: str | None = None
    slots: NamedNumbers | None = None
    legendary: int | None = None
    pools: NamedNumbers | None = None
    environments: tuple[str, ...] | None = None
    description: str | None = None
    notes: str | None = None
    source: str | None = None
    program: str = ""
    licence: str | None = None
    read: tuple[str, ...] = ()
    system: str = "dnd5e"
    names: Mapping[str, str] = MappingProxyType({})

    def named(self, field: str) -> str:
        """Return the source's name of a field."""
        return self.names.get(field, field)


_OF_CREATURES: Final = frozenset(Creature.__struct_fields__) - {"features"}
_SAME: Final = tuple(field for field in StatBlock.__struct_fields__ if field in _OF_CREATURES)


def creature_of(block: StatBlock, id: str, report: ConversionReport) -> Creature:
    """Return the creature of a stat block. Raise UnreadableError if it can't be used in a fight."""
    fields: dict[str, Any] = {}
    prose = {field for field in _READERS if isinstance(getattr(block, field), str | dict)}
    for field in _SAME:
        if field not in prose and (value := getattr(block, field)) is not None:
            fields[field] = value
    for field, reader in _READERS.items():
        if field in prose:
            fields |= reader(getattr(block, field), block, report)
    if block.size is not None and block.kind is None and block.size not in header_lines.SIZES:
        report.add_note("size", block.size, "not a size; treated as Medium")
        fields["size"] = "medium"
    features = fields["features"] = _features(block, report)
    spellcasting, slots = header_lines.spellcasting_and_slots(feature.text for feature in features)
    found = {"spellcasting": spellcasting, "slots": slots}
    read = [field for field, value in found.items() if value and getattr(block, field) is None]
    fields |= {field: found[field] for field in read}
    fields |= damage_fields(lambda field: _damage(block, field, report))
    fields["read"] = (*block.read, *read)
    if block.program:
        fields["source"] = f"{block.program}: {block.source}" if block.source else block.program
    return check_bounds(Creature(id=id, remarks=tuple(report.remarks), **fields))


def _kind(text: str, block: StatBlock, report: ConversionReport) -> dict[str, Any]:
    kind = header_lines.type_line(text if block.size is None else f"{block.size} {text}")
    if not kind.size:
        report.add_note("size", text if block.size is None else block.size, "not a size; treated as Medium")
    report.add_remark("type", kind.remark)
    return {
        "size": kind.size or "medium",
        "type": kind.type,
        "tags": (*kind.tags, *(block.tags or ())),
        "alignment": kind.alignment if block.alignment is None else block.alignment,
    }


def _armor_class(text: str, block: StatBlock, report: ConversionReport) -> dict[str, Any]:
    ac, note = armor_class(text.removeprefix("AC ").strip(), report)
    return {"ac": ac, "ac_note": block.ac_note or note}


def _hit_points(line: str, _block: StatBlock, report: ConversionReport) -> dict[str, Any]:
    """Return hit points and hit dice. If only hit dice are given (`4d8 + 4`), their average gives the hit points."""
    text = line.strip()
    if dice := _DICE.fullmatch(text):
        hit_dice = normalised_dice(dice[0])
        report.add_note("hp", text, "only hit dice given; their average used as hit points")
        return {"hp": _mean(hit_dice), "hit_dice": hit_dice}
    hp, note = hit_points(text)
    dice = _HIT_DICE.fullmatch(note)
    if dice is None:
        report.add_remark("hp", note, "not hit dice; kept as a remark")
        return {"hp": hp}
    report.add_remark("hp", dice[2].strip(" ;,()"), "text beside the hit dice; kept as a remark")
    return {"hp": hp, "hit_dice": normalised_dice(dice[1])}


def _mean(dice: str) -> int:
    match = re.fullmatch(r"(\d*)d(\d+)([+-]\d+)?", dice)
    if match is None:
        raise UnreadableError(f"hp: expected a number of hit points, found {dice!r}")
    return max(1, int(match[1] or 1) * (int(match[2]) + 1) // 2 + int(match[3] or 0))


def _speeds(text: str, block: StatBlock, report: ConversionReport) -> dict[str, Any]:
    speeds = header_lines.speeds(text)
    report.add_remark("speeds", speeds.rest, "kept as a remark", field=block.named("speed"))
    if not speeds.distances:
        report.add_note(block.named("speed"), text, "no speed given; default used")
        return {"hovers": speeds.hovers}
    return {"speeds": speeds.distances, "hovers": speeds.hovers}


def _abilities(stated: Mapping[str, Any], _block: StatBlock, report: ConversionReport) -> dict[str, Any]:
    abilities = named_numbers((id, stated.get(id)) for id in header_lines.ABILITIES)
    if len(abilities) < len(header_lines.ABILITIES):
        scores = ", ".join(f"{id} {score}" for id, score in abilities)
        report.add_note("abilities", scores, "fewer than six ability scores; defaults used for the others")
    return {"abilities": abilities}


def _bonuses(field: str, text: str, block: StatBlock, report: ConversionReport) -> dict[str, Any]:
    line = (header_lines.saves if field == "saves" else header_lines.skills)(_stated(text))
    report.add_remark(field, line.rest, "kept as a remark", field=block.named(field))
    return {field: line.bonuses}


def _senses(text: str, block: StatBlock, report: ConversionReport) -> dict[str, Any]:
    senses = header_lines.senses(text)
    report.add_remark("senses", _stated(senses.rest), "kept as a remark", field=block.named("senses"))
    passives = block.passives if block.passives and "passive" not in text.lower() else senses.passives
    return {"senses": senses.distances, "passives": passives}


def _challenge(line: str, block: StatBlock, report: ConversionReport) -> dict[str, Any]:
    """Return the challenge rating, with experience points and the proficiency bonus if the line contains them."""
    text = line.strip()
    match = _RATING.match(text)
    rating = challenge_rating(match[1]) if match else ""
    if not rating:
        report.add_note("cr", text, "not a challenge rating; left empty" if text else "missing; left empty")
    xp, bonus = _XP.search(text), _PROFICIENCY.search(text)
    points = int((xp[1] or xp[2]).replace(",", "")) if xp else 0
    return {"rating": rating, "xp": points, "proficiency": block.proficiency or (int(bonus[1]) if bonus else 0)}


def _conditions(text: str, block: StatBlock, report: ConversionReport) -> dict[str, Any]:
    field = block.names.get("condition_immunities", "condition immunities")
    return {"condition_immunities": conditions_with_clauses(_stated(text), field, report)}


def _gear(text: str, _block: StatBlock, report: ConversionReport) -> dict[str, Any]:
    report.add_remark("gear", text)
    return {"gear": ()}


_READERS: Final[Mapping[str, Callable[[Any, StatBlock, ConversionReport], dict[str, Any]]]] = MappingProxyType({
    "kind": _kind, "gear": _gear, "ac": _armor_class, "hp": _hit_points, "speeds": _speeds, "abilities": _abilities,
    "saves": partial(_bonuses, "saves"), "skills": partial(_bonuses, "skills"), "senses": _senses,
    "challenge": _challenge, "condition_immunities": _conditions,
    "languages": lambda text, *_: {"languages": _stated(text.strip())},
})  # fmt: skip


def _stated(text: str) -> str:
    """Return a line, or an empty one if it only says that there is nothing."""
    return "" if text.strip() in _NONE else text


def _damage(block: StatBlock, field: str, report: ConversionReport) -> Defence:
    value = getattr(block, field)
    if isinstance(value, tuple):
        return value
    parts = value.split(";") if isinstance(value, str) else value
    stated = [part for part in parts if _stated(part)]
    return damage_types_with_clauses(stated, block.named(field), report, weapons=field != "vulnerabilities")


def _features(block: StatBlock, report: ConversionReport) -> tuple[Feature, ...]:
    if len(block.features) > MAX_FEATURES:
        raise UnreadableError(f"{len(block.features):,} features; the limit is {MAX_FEATURES}")
    ids = IdAllocator()
    features = [each if isinstance(each, Feature) else read_feature(each, ids, report) for each in block.features]
    return with_multiattacks(tuple(features), report)


def read_feature(printed: PrintedFeature, ids: IdAllocator, report: ConversionReport) -> Feature:
    """Return a feature with the numbers that its text states."""
    name, text = _named(printed)
    known = {**printed.known, "only": printed.only} if printed.only else printed.known
    if printed.damage is None:
        return feature_of(ids, name, text, printed.cost, report, known)
    prose_report = ConversionReport(report.record)
    feature = feature_of(ids, name, text, printed.cost, prose_report, known)
    if printed.damage:
        feature = placed_damage(feature, printed.damage, report, name)
    remaining_damage(feature, prose_report, report)
    return feature


def _named(feature: PrintedFeature) -> tuple[str, str]:
    """Return a feature's name and text. If the name is really the start of an attack, it is moved back to the text."""
    if _ATTACK_HEAD.match(feature.name):
        return "Attack", f"{feature.name}{'' if feature.text[:1] in ',.:;' else ' '}{feature.text}"
    return feature.name or "Nameless", feature.text


def read_blocks(
    documents: Iterable[ParsedDocument],
    system: str,
    records_of: Callable[[Any], Iterable[Any]],
    block_of: BlockReader,
    *,
    name_of: Callable[[Any], Any] = lambda record: record.get("name"),
    entry: str = "record",
    is_record: Callable[[Any], bool] = lambda record: isinstance(record, dict),
    odd: str = "not a creature",
) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield a creature for each of the `records_of` each document's data, from its stat block.

    `system` is the rule system that the user chose. Records without a name are called by their number after `entry`;
    `odd` is the reason for one that isn't a record of the format at all (`is_record`).
    """
    ids = IdAllocator()
    for document in documents:
        for number, record in enumerate(records_of(document.data), 1):
            if is_record(record):
                stated = name_of(record)
                label = as_text(stated).strip() or f"{entry} {number}"
                yield read_block(document.file, label, record, stated, block_of, ids, system)
            else:
                yield UnreadRecord(document.file, f"{entry} {number}", odd)


def read_block(
    file: str, label: str, record: Any, name: Any, block_of: BlockReader, ids: IdAllocator, system: str
) -> ImportedRecord | UnreadRecord:
    """Return a record's creature with the notes on it, or the reason why it can't be used in a fight."""
    return convert_record(file, label, _imported, record, name, block_of, ids, file, system)


def _imported(
    record: Any, name: Any, block_of: BlockReader, ids: IdAllocator, file: str, system: str
) -> ImportedRecord:
    called = required_name(name)
    report = ConversionReport(called)
    block = block_of(record, called, report)
    creature = creature_of(block, ids.allocate(called), report)
    return ImportedRecord(called, creature, system_for(system, block.system), file, report.notes)
