"""The neutral stat block that every format fills in, with numbers or with the words of a book, and its creature.

This is the only place where importers make creatures. A field that holds words is read like a line of a printed stat
block; any other value is used unchanged. Sources list all dice of a feature together, such as those for a hit, for a
failed save, or for every ten minutes; the damage is assigned to the fields in which the feature's text deals it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import msgspec

from turnwright.encounter.field_specs import dice_problem
from turnwright.encounter.prepared import Creature, Feature, NamedNumbers
from turnwright.importers import characters, common, results, vocabulary
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.damage import TYPES, as_int, normalised_dice_text
from turnwright.importers.statblock_text.features import feature_of, with_multiattacks
from turnwright.rules.system_data.numbers import Spell
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport, UnreadableError
from turnwright.storage.resources import habitats

Record = Mapping[str, Any]
ABILITIES: Final[tuple[tuple[str, str], ...]] = tuple(vocabulary.terms("abilities", "names").items())
_NOTHING: Final[tuple[Any, ...]] = (None, "", "null", "[]", "{}", [], {}, False)
_RE: Final = vocabulary.Patterns("fields")
# Types and clauses, and the materials excepted from nonmagical weapons.
Defence = tuple[tuple[str, ...], tuple[str, ...] | None]


def column_fields(record: Record, report: ConversionReport, scores: str = "") -> dict[str, Any]:
    """Return the fields of a creature from its columns. Raise UnreadableError if it has no hit points.

    `scores` is the prefix of the ability columns.
    """
    hp = as_int(record.get("hit_points"))
    if hp is None or hp < 1:
        raise UnreadableError(f"hit_points: expected a number of hit points, found {record.get('hit_points')!r}")
    rating = common.challenge_rating(record.get("challenge_rating")) or common.challenge_rating(record.get("cr"))
    if not rating:
        report.add_note("challenge_rating", record.get("challenge_rating"), "not a challenge rating; left empty")
    abilities = common.named_numbers((id, record.get(f"{scores}{name}")) for id, name in ABILITIES)
    for column in (f"{scores}{name}" for id, name in ABILITIES if id not in dict(abilities)):
        report.add_note(column, record.get(column), "not an ability score; ignored")
    alignment = common.as_text(record.get("alignment")).strip()
    return {"hp": hp, "rating": rating, "abilities": abilities, "alignment": alignment}


def feature_entries(
    record: Record, sections: Sequence[tuple[str, str]], report: ConversionReport
) -> Iterator[tuple[str, int, Record]]:
    """Yield the cost, number and record of each feature in a creature's lists.

    Each of the `sections` is the key of a list and the cost of its features.
    """
    for section, cost in sections:
        if record.get(section) and not isinstance(record[section], list):
            report.add_note(section, record[section], "not a list of features; ignored")
        for number, entry in enumerate(common.as_list(record.get(section)), 1):
            if isinstance(entry, dict) and (entry.get("name") or entry.get("desc")):
                yield cost, number, entry
            else:
                report.add_note(f"{section} {number}", entry, "not a feature; ignored")


def note_unknown_fields(record: Record, known: frozenset[str], report: ConversionReport, owner: str = "") -> None:
    """Add a note on each unknown field with a value; `owner` is the feature that the record describes, if any."""
    for key in sorted(record.keys() - known):
        if record[key] not in _NOTHING:
            field = f"{owner}: {key}" if owner else key
            report.add_note(field, record[key], "unknown field; ignored")


def number_and_note(value: Any) -> tuple[int | None, str]:
    """Return the number at the start of a cell, and the rest of its text without surrounding brackets.

    The number is None if the cell doesn't start with a whole number; the second value is then the full text.
    """
    number, text = as_int(value), common.as_text(value).strip()
    match = _RE.leading.fullmatch(text)
    if number is not None or not match:
        return number, "" if number is not None else text
    rest = match[2].strip()
    is_aside = rest.startswith("(") and rest.endswith(")") and rest.count("(") == 1
    return int(match[1]), rest[1:-1].strip() if is_aside else rest


def hit_points(value: Any, least: int = 1) -> tuple[int, str]:
    """Return a cell's hit points and the note after them. Raise UnreadableError if there are fewer than `least`."""
    hp, note = number_and_note(value)
    if hp is None:
        raise UnreadableError(f"hp: expected a number of hit points, found {note!r}" if note else "no hit points")
    if hp < least:
        raise UnreadableError(f"hp: expected at least {least}, found {hp}")
    return hp, note


def armor_class(value: Any, report: ConversionReport) -> tuple[int, str]:
    """Return the Armor Class of a cell and the note after it. If it has none, report that and return 0."""
    ac, note = number_and_note(value)
    if ac is None:
        report.add_note("ac", note, "not an Armor Class; set to 10" if note else "missing; set to 10")
        return 0, ""
    return ac, note


def rating_or_note(value: Any, report: ConversionReport) -> str:
    """Return a challenge rating as printed. If there is none, report that and return an empty string."""
    rating = common.challenge_rating(value)
    if not rating:
        report.add_note("cr", value or "", "not a challenge rating; left empty" if value else "missing; left empty")
    return rating


def damage_types_with_clauses(parts: Iterable[str], field: str, report: ConversionReport, *, weapons: bool) -> Defence:
    """Return damage types and verbatim clauses, and the materials excepted from nonmagical weapons.

    The second value is None if nonmagical weapons aren't included. If `weapons`, the creature has a separate field for
    them, and they aren't listed as a clause. Every clause is reported.
    """
    kinds: dict[str, None] = {}
    mundane: tuple[str, ...] | None = None
    for part in parts:
        read = header_lines.damage_types(part)
        kinds.update(dict.fromkeys(read.kinds))
        if weapons and read.weapons is not None:
            mundane = (*(mundane or ()), *read.weapons)
        for clause in read.clauses:
            if weapons and _RE.any_weapon.fullmatch(clause):
                mundane = mundane or ()
            elif clause != read.nonmagical or not weapons:
                kinds.setdefault(clause)
                report.add_note(field, clause, "not a damage type; kept as worded")
    return tuple(kinds), mundane


def conditions_with_clauses(value: Any, field: str, report: ConversionReport) -> tuple[str, ...]:
    """Return condition immunities, with unknown clauses verbatim. Clauses and damage types among them are reported."""
    read = header_lines.condition_list(value)
    for clause in read.clauses:
        report.add_note(field, clause, "not a condition; kept as worded")
    for kind in read.kinds:
        if kind in TYPES:
            report.add_note(field, kind, "damage type among the condition immunities; kept there")
    return (*read.kinds, *read.clauses)


def damage_fields(read: Callable[[str], Defence]) -> dict[str, Any]:
    """Return a creature's fields for immunities, resistances and vulnerabilities.

    `read` takes the name of a field, and returns its damage types and the materials excepted from nonmagical weapons.
    """
    immunities, mundane_immunity = read("immunities")
    resistances, mundane_resistance = read("resistances")
    vulnerabilities, _ = read("vulnerabilities")
    return {
        "immunities": immunities,
        "mundane_immunity": mundane_immunity is not None,
        "resistances": resistances,
        "mundane_resistance": mundane_resistance is not None,
        "mundane_except": tuple(dict.fromkeys((*(mundane_immunity or ()), *(mundane_resistance or ())))),
        "vulnerabilities": vulnerabilities,
    }


DAMAGE_FIELDS = ("damage", "save_damage", "ongoing")
TEXT_ONLY = "kept as text only"  # reason in notes about damage that doesn't fit any field


def normalised_dice(text: str) -> str:
    """Return dice in the form of dice expressions: no spaces, plain minus signs, no `+-`."""
    return normalised_dice_text(text).removesuffix("+0").removesuffix("+")


class ProsePart(msgspec.Struct):
    """A part of the damage stated in the text, and its field.

    `met` means that a part of the source's data matches it; `own` means that both agree entirely.
    """

    field: str
    text: str
    met: bool = False
    own: bool = False


def prose_parts(feature: Feature) -> list[ProsePart]:
    """Return the parts of a feature's damage that were read from its text, with their fields."""
    return [ProsePart(field, part) for field in DAMAGE_FIELDS for part in split_damage(getattr(feature, field))]


def with_damage(feature: Feature, parts: Sequence[ProsePart]) -> Feature:
    """Set the damage of a feature. A field counts as read from the text unless the data confirms all its parts."""
    joined = {field: " + ".join(part.text for part in parts if part.field == field) for field in DAMAGE_FIELDS}
    figures = {field: text.replace("+ -", "-") for field, text in joined.items()}
    read_still = {part.field for part in parts if not part.own}
    read = tuple(field for field in feature.read if field not in DAMAGE_FIELDS or field in read_still)
    return msgspec.structs.replace(feature, read=read, **figures)


def placed_damage(feature: Feature, parts: Sequence[str], report: ConversionReport, name: str) -> Feature:
    """Assign the damage in a source's data (`parts`, such as `2d6+5 piercing`) to the fields of a feature.

    A part that the text also states keeps its field and no longer counts as read from the text. If the two differ, the
    data takes precedence. If no field fits a part, it is reported and remains in the text only.
    """
    sound = [part for part in parts if part and not dice_problem(part)]
    for part in parts:
        if part not in sound:
            report.add_note(f"{name}: damage", part, "not a dice expression; ignored")
    prose = prose_parts(feature)
    for prose_part in prose:
        prose_part.own = prose_part.text in sound
    stated = {prose_part.text for prose_part in prose}
    stated |= {part for other in feature.other_damage for part in split_damage(other.damage)}
    unplaced = [part for part in sound if part not in stated and not _corrects(part, prose, report, name)]
    if unplaced and not prose:
        prose, unplaced = [ProsePart("damage", part, own=True) for part in unplaced], []
    for part in unplaced:
        report.add_note(f"{name}: damage", part, "the text doesn't deal this damage at once; kept as text only")
    return with_damage(feature, prose)


def remaining_damage(feature: Feature, prose_report: ConversionReport, report: ConversionReport) -> None:
    """Report the notes on a feature's text, except those on damage that the source's data provides."""
    dice = {part.partition(" ")[0] for field in DAMAGE_FIELDS for part in split_damage(getattr(feature, field))}
    for note in prose_report.notes:
        is_kept = note.field.endswith(": damage") and note.why == TEXT_ONLY
        if not is_kept or dice.isdisjoint(map(normalised_dice, _RE.dice.findall(note.text))):
            report.add_note(note.field, note.text, note.why)


def loose_dice_pattern(dice: str) -> str:
    """Return a pattern that matches dice with any spaces and any minus sign."""
    return re.escape(dice).replace(r"\+", r" ?\+ ?").replace(r"\-", r" ?[-\u2212\u2013] ?")


def split_damage(text: str) -> list[str]:
    """Return the parts of a damage expression, each with its type."""
    return [part.removeprefix("+ ").strip() for part in _RE.parts.split(text)] if text else []


def _corrects(part: str, said: Sequence[ProsePart], report: ConversionReport, name: str) -> bool:
    """Replace a matching part of the text's damage with the source's. Return False unless exactly one part matches."""
    _, _, kind = part.partition(" ")
    kinds = (kind, "")
    places = [part for part in said if not part.own and (not kind or part.text.partition(" ")[2] in kinds)]
    if len(places) != 1:
        return False
    (place,) = places
    before = place.text
    place.text, place.own = part if kind else f"{part} {before.partition(' ')[2]}".strip(), True
    if before.partition(" ")[0] != place.text.partition(" ")[0]:
        report.add_note(f"{name}: {place.field}", before, f"data value {place.text} used; the text says {before}")
    return True


_CONDITIONS: Final[frozenset[str]] = frozenset(vocabulary.terms("pasted_text_fifth_edition", "condition_words"))
_NONE: Final = frozenset({"", "-", "--", "\N{EM DASH}", "\N{EN DASH}", "none"})
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


def spell_list(title: str, spells: Iterable[tuple[int, str]], heads: Iterable[str], dc: int) -> PrintedFeature:
    """Return a feature that lists spells (level and name), each under its head or under its level."""
    lines: dict[str, dict[str, None]] = {}
    for (level, name), head in sorted(zip(spells, heads, strict=True)):
        ordinal = f"{level}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(level, 'th') } level" if level else "Cantrips"
        lines.setdefault(head or ordinal, {})[name] = None
    text = "\n".join(f"{head}: {', '.join(names)}" for head, names in lines.items())
    return PrintedFeature(title, text, "trait", known={"dc": dc} if dc > 0 else {})


class StatBlock(msgspec.Struct, frozen=True):
    """A stat block of any format. Fields that aren't given (None) have the defaults of a creature.

    Most fields are those of a creature. Where a text is allowed as well, it is a line of a printed stat block without
    its caption: `ac` may be `17 (natural armor)`, `hp` may be `135 (18d10 + 36)`, `speeds` may be `30 ft., fly 60 ft.`. Damage
    types may be a list of such texts.
    `kind` is the line with size, type, tags and alignment (or without its `size`), and `challenge` the line with the rating, experience points
    and proficiency bonus. `abilities` may be a
    mapping of the source's values; missing ones are reported. A text in `gear` becomes a remark. If `spellcasting` and `slots` are None, they are read from
    the texts of features. `program` is added before the `source`, and `system` is the rule system that the source states. `names` are the source's names of fields for notes, keyed by the names here. A `character` makes it a player character.
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
    own_spells: tuple[Spell, ...] = ()
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
    character: characters.Character | None = None

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
    _move_conditions(fields, block, report)
    fields["environments"] = _habitats(block.environments or ())
    fields["read"] = (*block.read, *read)
    if block.program:
        fields["source"] = f"{block.program}: {block.source}" if block.source else block.program
    return common.check_bounds(Creature(id=id, remarks=tuple(report.remarks), **fields), report)


def _move_conditions(fields: dict[str, Any], block: StatBlock, report: ConversionReport) -> None:
    """Move conditions among the damage immunities to those of conditions: a line of 2024 lists both."""
    moved: list[str] = []
    for clause in fields["immunities"] if isinstance(block.immunities, str | list) else ():
        if all(kind in _CONDITIONS for kind in header_lines.condition_list(clause).kinds):
            report.take_back_note(block.named("immunities"), clause)
            fields["immunities"] = tuple(kind for kind in fields["immunities"] if kind != clause)
            moved += header_lines.condition_list(clause).kinds
    if moved:
        fields["condition_immunities"] = tuple(dict.fromkeys((*fields.get("condition_immunities", ()), *moved)))


def _habitats(places: Iterable[str]) -> tuple[str, ...]:
    """Return places as the words for habitats. Words without one are kept, and those for any place are left out."""
    words: Mapping[str, str] = vocabulary.terms("habitats", "words")
    known = {**dict(zip(habitats(), habitats(), strict=True)), **words}
    named = (known.get(place.strip().lower().replace("-", " "), place) for place in places)
    return tuple(place for place in dict.fromkeys(named) if place)


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
    if dice := _RE.dice_alone.fullmatch(text):
        hit_dice = normalised_dice(dice[0])
        report.add_note("hp", text, "only hit dice given; their average used as hit points")
        return {"hp": _mean(hit_dice), "hit_dice": hit_dice}
    hp, note = hit_points(text)
    dice = _RE.hit_dice.fullmatch(note)
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
    abilities = common.named_numbers((id, stated.get(id)) for id in header_lines.ABILITIES)
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
    match = _RE.rating.match(text)
    rating = common.challenge_rating(match[1]) if match else ""
    if not rating:
        report.add_note("cr", text, "not a challenge rating; left empty" if text else "missing; left empty")
    xp, bonus = _RE.xp.search(text), _RE.proficiency.search(text)
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
    """Return a line, or an empty string if it is only a word for nothing."""
    return "" if text.strip() in _NONE else text


def _damage(block: StatBlock, field: str, report: ConversionReport) -> Defence:
    value = getattr(block, field)
    if isinstance(value, tuple):
        return value
    parts = value.split(";") if isinstance(value, str) else value
    stated = [part for part in parts if _stated(part)]
    return damage_types_with_clauses(stated, block.named(field), report, weapons=field != "vulnerabilities")


def _features(block: StatBlock, report: ConversionReport) -> tuple[Feature, ...]:
    if len(block.features) > common.MAX_FEATURES:
        raise UnreadableError(f"{len(block.features):,} features; the limit is {common.MAX_FEATURES}")
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
    if _RE.attack_head.match(feature.name):
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
) -> Iterator[results.ImportedRecord | results.UnreadRecord]:
    """Yield a creature for each of the `records_of` each document's data, from its stat block.

    `system` is the rule system that the user chose. Records without a name are called by their number after `entry`;
    `odd` is the reason for one that isn't a record of the format at all (`is_record`).
    """
    ids = IdAllocator()
    for document in documents:
        for number, record in enumerate(records_of(document.data), 1):
            if is_record(record):
                stated = name_of(record)
                label = common.as_text(stated).strip() or f"{entry} {number}"
                yield read_block(document.file, label, record, stated, block_of, ids, system)
            else:
                yield results.UnreadRecord(document.file, f"{entry} {number}", odd)


def read_block(
    file: str, label: str, record: Any, name: Any, block_of: BlockReader, ids: IdAllocator, system: str
) -> results.ImportedRecord | results.UnreadRecord:
    """Return a record's creature with the notes on it, or the reason why it can't be used in a fight."""
    return results.convert_record(file, label, _imported, record, name, block_of, ids, file, system)


def _imported(
    record: Any, name: Any, block_of: BlockReader, ids: IdAllocator, file: str, system: str
) -> results.ImportedRecord:
    called = common.required_name(name)
    report = ConversionReport(called)
    block = block_of(record, called, report)
    creature = creature_of(block, ids.allocate(called), report)
    result = characters.party_of_one(creature, block.character) if block.character is not None else creature
    return results.ImportedRecord(
        called, result, common.system_for(system, block.system), file, report.notes, spells=block.own_spells
    )
