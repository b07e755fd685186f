"""Converts neutral stat blocks of Pathfinder 2e, and the records of documents, to creatures of the library."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.characters import party_of_one
from turnwright.importers.common import check_bounds, required_name, text_at
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.pf2e import conditions, markup, strikes
from turnwright.importers.pf2e.conditions import from_remarks, with_follow_ups, without_repeats
from turnwright.importers.pf2e.hazards import disabling
from turnwright.importers.pf2e.markup import SIZES, creature_type, entries_of, id_of, rank_lines
from turnwright.importers.pf2e.stat_block import SourceAbility, SourceSpells, SourceStatBlock, SourceStrike
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord, convert_record
from turnwright.importers.vocabulary import Patterns
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport, UnreadableError

SYSTEM: Final = "pf2e"
REFILL_PERIODS: Final = frozenset({"day", "week", "hour", "minute", "encounter", "round", "turn"})
_BESIDE: Final = {"attack": "attack-trait"}  # abilities that count as attacks without being Strikes
_UNCHANGED: Final = (
    *("ac", "ac_note", "hp", "abilities", "saves", "pools", "alignment", "description", "notes", "source", "licence"),
)
_RE: Final = Patterns("pf2e_creatures")
BlockOf = Callable[[Mapping[str, Any], str, ConversionReport], SourceStatBlock]


def records_in(document: ParsedDocument) -> list[Any]:
    """Return the records of a document: the entries of its list, or its only record."""
    return document.data if isinstance(document.data, list) else [document.data]


def convert_records(
    documents: Iterable[ParsedDocument], is_creature: Callable[[Any], bool], block_of: BlockOf
) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield a creature for each creature record of the documents, from the stat block that `block_of` reads.

    Documents without creatures are skipped.
    """
    ids = IdAllocator()
    for document in documents:
        records = [entry for entry in records_in(document) if is_creature(entry)]
        if not records:
            yield SkippedFile(document.file)
        for record in records:
            called = text_at(record, "name").strip()
            yield convert_record(document.file, called, imported, record, document.file, ids, block_of)


def imported(record: Mapping[str, Any], file: str, ids: IdAllocator, block_of: BlockOf) -> ImportedRecord:
    """Return the creature of a record, from the stat block that `block_of` reads."""
    name = required_name(record.get("name"))
    report = ConversionReport(name)
    block = block_of(record, name, report)
    creature = creature_of(block, ids.allocate(name, "creature"), report)
    result = party_of_one(creature, block.character) if block.character is not None else creature
    return ImportedRecord(name, result, SYSTEM, file, report.notes, spells=block.own_spells)


def creature_of(block: SourceStatBlock, id: str, report: ConversionReport) -> Creature:
    """Return the creature of a stat block. Raise UnreadableError if hit points are missing or a number is out of bounds."""
    if block.hp is None:
        raise UnreadableError("hp: not a number")
    items = entries_of(block.items)
    traits = tuple(dict.fromkeys(id_of(trait) for trait in block.traits if trait.strip()))
    immune, proof = markup.immunities(block.immunities, report)
    resists = markup.with_amounts(block.resistances, "resistances", report)
    weak = markup.with_amounts(block.weaknesses, "vulnerabilities", report)
    senses = markup.senses(block.senses, report)
    speeds = markup.speeds(block.speeds, report)
    skills = markup.skills(block.skills, block.perception, report)
    report.add_remark("gear", ", ".join(items))
    ids = IdAllocator()
    own = [found for each in report.remarks if (found := _RE.own_bonus.fullmatch(each.text))]
    bonuses = [(name, int(bonus)) for found in own for name, bonus in found.groupdict().items() if bonus]
    known = (("athletics", dict(block.abilities).get("str", 0)), *skills, *bonuses)
    by = "athletics" if block.licence == "ORC" else ""  # the licence of the remastered rules
    features = with_follow_ups(_features(block, items, ids, report), items, known, ids, block.level or 0, by)
    passive, remarks = from_remarks(report.remarks, ids)
    features = without_repeats(features, passive)
    for remark in report.remarks:
        if remark not in remarks:
            report.take_back_note(remark.about, remark.text)
    if block.size and block.size.lower().strip() not in SIZES:
        report.add_note("size", block.size, "not a size; treated as Medium")
    if block.level is None:
        report.add_note("level", "", "no level given; left empty")
    rarity = id_of(block.rarity)
    tags = {*traits, "" if rarity == "common" else rarity, "hazard" if block.hazard else ""} - {""}
    return check_bounds(
        Creature(
            id,
            block.name,
            **{field: getattr(block, field) for field in _UNCHANGED},
            size=SIZES.get(block.size.lower().strip(), "medium"),
            type="hazard" if block.hazard else creature_type(traits, block.kind),
            tags=tuple(sorted(tags)),
            rating="" if block.level is None else str(block.level),
            level=block.level or 0,
            speeds=speeds,
            skills=skills,
            senses=senses,
            languages=", ".join(entries_of(block.languages)),
            resistances=resists,
            vulnerabilities=weak,
            immunities=immune,
            condition_immunities=proof,
            gear=("shield",) if any("shield" in item.lower().split() for item in items) else (),
            features=(*features, *passive),
            spellcasting=next((spell.ability for spell in block.spells if spell.ability), ""),
            remarks=tuple(remarks),
            **disabling(next((each.text for each in block.actions if each.name == "Disable" and block.hazard), "")),
        ),
        report,
    )


def _features(
    block: SourceStatBlock, items: tuple[str, ...], ids: IdAllocator, report: ConversionReport
) -> tuple[Feature, ...]:
    weapons = tuple(item.lower() for item in items)
    strike_features = [strikes.feature_of(strike, ids, weapons, report) for strike in block.strikes]
    strike_ids: dict[str, str] = {}
    for strike in strike_features:
        strike_ids.setdefault(strike.name.lower(), strike.id)
        strike_ids.setdefault(f"{strike.name.lower()}s", strike.id)
    abilities: list[Feature] = []
    for action in block.actions:
        ways = [_ability(way, ids, block.name, strike_ids, report) for way in _ways(action)]
        shared = ways[0].id if ways[0].uses or ways[0].rests else ""
        abilities += [ways[0], *(msgspec.structs.replace(way, shares=shared) for way in ways[1:])]
    shapes = [action for action in block.actions if action.name.startswith("Change Shape")]
    own = _of_shapes(shapes, ids, report)
    forms = [strike.only for strike in own if not any("change its Speed" in shape.text for shape in shapes)]
    strike_features = [_outside(strike, shapes, forms) for strike in strike_features] + own
    spells = [_spells(spell, ids) for spell in block.spells]
    passive = [ability for ability in abilities if ability.cost == "trait"]
    return (*passive, *strike_features, *(ability for ability in abilities if ability.cost != "trait"), *spells)


def _outside(strike: Feature, shapes: Iterable[SourceAbility], forms: Iterable[str]) -> Feature:
    """Return a Strike that its owner loses in another shape as one that is only available in its own.

    In `forms`, which have their own Strikes, it has no others, except for weapons in human hands.
    """
    lost = [match for shape in shapes for match in _RE.lost.finditer(shape.text)]
    kinds = {strike.name.lower(), f"{strike.name.lower()}s", *({"weapon"} & {*strike.properties})}
    humans = next((bool(match["human"]) for match in lost if kinds & {*match["names"].split(" and ")}), None)
    other = "not changed-shape | form:human" if "weapon" in kinds else "not changed-shape"
    limits = [f"not {form}" for form in dict.fromkeys(forms) if form != "form:human" or "weapon" not in kinds]
    only = {None: ", ".join([strike.only] * bool(strike.only) + limits), True: "not form:human", False: other}[humans]
    return msgspec.structs.replace(strike, only=only)


def _of_shapes(shapes: Iterable[SourceAbility], ids: IdAllocator, report: ConversionReport) -> list[Feature]:
    """Return the Strikes of the shapes that a list in Change Shape describes, available in their shape alone."""
    found: list[Feature] = []
    for shape in shapes:
        form = ""
        for part in shape.text.split("\N{BULLET}")[1:]:
            form = head["name"] if (head := _RE.shape.match(part)) else form
            for strike in _RE.in_shape.finditer(part) if form else ():
                damage = strike["damage"].replace("\N{EN DASH}", "-").replace(" damage", "").replace(" + ", " plus ")
                listed = tuple((strike["traits"] or "unarmed").split(", "))
                source = SourceStrike(f"{strike['name']} ({form.lower()})", int(strike["attack"]), listed, damage)
                own = strikes.feature_of(source, ids, (), report)
                found.append(msgspec.structs.replace(own, only=f"form:{id_of(form)}"))
    return found


def _ways(ability: SourceAbility) -> list[SourceAbility]:
    """Return the ways to use an ability that has several, such as two breath weapons, or only the ability."""
    ways = list(_RE.way.finditer(ability.text)) if ability.cost != "trait" else []
    if len(ways) < 2 or not _RE.several.search(head := ability.text[: ways[0].start()]):
        return [ability]
    return [
        msgspec.structs.replace(ability, name=f"{ability.name} ({way['name']})", text=f"{head.strip()}\n{way['text']}")
        for way in ways
    ]


def _ability(
    ability: SourceAbility, ids: IdAllocator, owner: str, strikes_known: dict[str, str], report: ConversionReport
) -> Feature:
    called = ability.name[:200] or "Ability"

    def add_note(field: str, text: str, why: str) -> None:
        report.add_note(f"{called}: {field}", text, why)

    traits = tuple(dict.fromkeys(_BESIDE.get(word := id_of(trait), word) for trait in ability.traits))
    read: dict[str, Any] = conditions.read_ability(called, ability.text, owner, traits, add_note)
    known: dict[str, Any] = {"uses": ability.uses} if ability.uses else {}
    known |= {"per": ability.per} if ability.uses and ability.per in REFILL_PERIODS else {}
    feet = ability.range.strip().partition(" ")[0]
    if feet.isdigit():
        is_aura = conditions.is_aura(called, traits)
        known |= {"area": f"{feet}-foot emanation"} if is_aura else {"range": feet}
    if ability.cost == "trait":
        read.pop("range", None)  # the distance of a trigger, not a range
    else:
        if combined := conditions.strikes_in(ability.text, strikes_known, add_note):
            read |= {"multiattack": (combined,), "attacks": sum(count for _, count in combined)}
        if "damage" in read and "save" not in read:  # no attack and no save
            add_note("damage", read.pop("damage"), "damage without an attack or a save; kept as text only")
    if ability.cost == "action" and (required := _RE.requires.search(ability.text)):
        read["requires"] = required["what"][:1].upper() + required["what"][1:]
    figures = {**read, **known}
    if figures.get("per") == "day" and "uses" in figures:
        del figures["per"]
    read_fields = tuple(name for name in figures if name not in known)
    figures |= {"cost": ability.cost, "price": ability.action_count, "properties": traits, "text": ability.text}
    return Feature(ids.allocate(called, "feature"), called, read=read_fields, **figures)


def _spells(spells: SourceSpells, ids: IdAllocator) -> Feature:
    lines = [f"DC {spells.dc}" if spells.dc else "", spells.note, *rank_lines(spells.spells), *spells.ranks]
    id, text = ids.allocate(spells.name, "spells"), "\n".join(filter(None, lines))
    words = tuple(filter(None, ("spell", spells.tradition and id_of(spells.tradition))))
    return Feature(id, spells.name, "trait", attack=spells.attack, dc=spells.dc, properties=words, text=text)
