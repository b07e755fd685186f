"""From a neutral stat block of Pathfinder 2e to a creature of the library."""

from __future__ import annotations

from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import check_bounds
from turnwright.storage.importers.pf2e import ability_text, defences, strikes
from turnwright.storage.importers.pf2e.follow_ups import (
    from_remarks,
    with_damage_of_strikes,
    with_follow_ups,
    with_shields,
)
from turnwright.storage.importers.pf2e.stat_block import SourceAbility, SourceSpells, SourceStatBlock
from turnwright.storage.importers.pf2e.terms import SIZES, creature_type, id_of

REFILL_PERIODS: Final = frozenset({"day", "week", "hour", "minute", "encounter", "round", "turn"})
_BESIDE: Final = {"attack": "attack-trait"}  # abilities that count as attacks without being Strikes


def creature_of(block: SourceStatBlock, id: str, report: ConversionReport) -> Creature:
    """Return a stat block as a creature within its bounds; UnreadableError where a number is out of them."""
    traits = tuple(dict.fromkeys(id_of(one) for one in block.traits if one.strip()))
    immune, proof = defences.immunities(block.immunities, report)
    resists = defences.with_amounts(block.resistances, "resistances", report)
    weak = defences.with_amounts(block.weaknesses, "vulnerabilities", report)
    senses = defences.senses(block.senses, report)
    speeds = defences.speeds(block.speeds, report)
    skills = defences.skills(block.skills, block.perception, report)
    report.add_remark("gear", ", ".join(block.items))
    ids = IdAllocator()
    features = with_follow_ups(_features(block, ids, report), skills, ids)
    features = tuple(with_damage_of_strikes(tuple(with_shields(features, block.items))))
    passive, remarks = from_remarks(report.remarks, ids)
    for remark in report.remarks:
        if remark not in remarks:
            report.take_back_note(remark.about, remark.text)
    size = SIZES.get(block.size.lower().strip(), "")
    if block.size and not size:
        report.add_note("size", block.size, "is no size of the game")
    if block.level is None:
        report.add_note("level", "", "is not a number")
    level = block.level or 0
    return check_bounds(
        Creature(
            id,
            block.name,
            size=size or "medium",
            type="hazard" if block.hazard else creature_type(traits, block.kind),
            tags=tuple(sorted({*traits, *_rarity(block), *(("hazard",) if block.hazard else ())})),
            rating="" if block.level is None else str(level),
            ac=block.ac,
            ac_note=block.ac_note,
            hp=block.hp,
            speeds=speeds,
            abilities=block.abilities,
            saves=block.saves,
            skills=skills,
            senses=senses,
            languages=", ".join(block.languages),
            resistances=resists,
            vulnerabilities=weak,
            immunities=immune,
            condition_immunities=proof,
            gear=("shield",) if any("shield" in one.lower().split() for one in block.items) else (),
            features=(*features, *passive),
            notes=block.notes,
            source=block.source,
            level=level,
            spellcasting=next((one.ability for one in block.spells if one.ability), ""),
            pools=block.pools,
            alignment=block.alignment,
            description=block.description,
            remarks=tuple(remarks),
            licence=block.licence,
        )
    )


def _rarity(block: SourceStatBlock) -> tuple[str, ...]:
    word = id_of(block.rarity)
    return () if word in ("", "common") else (word,)


def _features(block: SourceStatBlock, ids: IdAllocator, report: ConversionReport) -> tuple[Feature, ...]:
    weapons = tuple(one.lower() for one in block.items)
    struck = [strikes.feature_of(one, ids, weapons, report) for one in block.strikes]
    known: dict[str, str] = {}
    for one in struck:
        known.setdefault(one.name.lower(), one.id)
        known.setdefault(f"{one.name.lower()}s", one.id)
    done = [_ability(one, ids, block.name, known, report) for one in block.actions]
    cast = [_spells(one, ids) for one in block.spells]
    passive = [one for one in done if one.cost == "trait"]
    return (*passive, *struck, *(one for one in done if one.cost != "trait"), *cast)


def _ability(
    ability: SourceAbility, ids: IdAllocator, owner: str, strikes_known: dict[str, str], report: ConversionReport
) -> Feature:
    def tell(figure: str, text: str, why: str) -> None:
        report.add_note(f"{ability.name}: {figure}", text, why)

    traits = tuple(dict.fromkeys(_BESIDE.get(word := id_of(one), word) for one in ability.traits))
    read: dict[str, Any] = ability_text.read_ability(ability.name, ability.text, owner, traits, tell)
    known: dict[str, Any] = {}
    if ability.uses:
        known["uses"] = ability.uses
        if ability.per in REFILL_PERIODS:
            known["per"] = ability.per
    feet = ability.range.strip().partition(" ")[0]
    if feet.isdigit():
        is_aura = ability_text.is_aura(ability.name, traits)
        known |= {"area": f"{feet}-foot emanation"} if is_aura else {"range": feet}
    if ability.cost == "trait":
        read.pop("range", None)  # how near something has to be, not how far it is sent
    else:
        gives = ability_text.strikes_in(ability.text, strikes_known, tell)
        if gives:
            read |= {"multiattack": (gives,), "attacks": sum(count for _, count in gives)}
        if "damage" in read and "save" not in read:  # nothing is rolled for it, and it is no attack
            tell("damage", read.pop("damage"), "is dealt without an attack or a save; it stays in the text")
    figures = {**read, **known}
    if figures.get("per") == "day" and "uses" in figures:
        del figures["per"]
    return Feature(
        ids.allocate(ability.name, "feature"),
        ability.name,
        ability.cost,  # type: ignore[arg-type]  # one of the costs: the readers of formats see to it
        price=ability.action_count,
        properties=traits,
        text=ability.text,
        read=tuple(name for name in figures if name not in known),
        **figures,
    )


def _spells(spells: SourceSpells, ids: IdAllocator) -> Feature:
    lines = [f"DC {spells.dc}" if spells.dc else "", spells.note, *spells.ranks]
    return Feature(
        ids.allocate(spells.name, "spells"),
        spells.name,
        "trait",
        attack=spells.attack,
        dc=spells.dc,
        properties=("spell", *((id_of(spells.tradition),) if spells.tradition else ())),
        text="\n".join(one for one in lines if one),
    )
