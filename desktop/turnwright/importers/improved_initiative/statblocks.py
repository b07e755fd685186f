"""Converts stat blocks of Improved Initiative to creatures.

Improved Initiative splits lists at every comma, so they are joined and read again. Its initiative modifier is added to
the Dexterity modifier. A missing number is reported, and keeps its default value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from turnwright.encounter.prepared import Creature, NamedNumbers
from turnwright.importers.common import (
    as_mapping,
    as_text,
    challenge_rating,
    int_at,
    list_at,
    named_numbers,
    nested_value,
    required_name,
    text_at,
)
from turnwright.importers.stat_block import PrintedFeature, StatBlock
from turnwright.importers.stat_block import creature_of as stat_block_creature
from turnwright.importers.statblock_text.feature_names import read_usage
from turnwright.importers.statblock_text.header_lines import ABILITIES, SKILLS, joined_text, legendary_count, type_line
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.importers.statblock_text.phases import ONLY_MYTHIC
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator

COSTS: Final[Mapping[str, str]] = MappingProxyType({
    "Traits": "trait",
    "Actions": "action",
    "BonusActions": "bonus",
    "Reactions": "reaction",
    "LegendaryActions": "legendary",
    "MythicActions": "legendary",
})  # fmt: skip
PLAYER: Final = "player"
_READ: Final = frozenset({
    *COSTS, "Name", "Source", "Type", "HP", "AC", "InitiativeModifier", "InitiativeAdvantage", "InitiativeSpecialRoll",
    "Speed", "Abilities", "DamageVulnerabilities", "DamageResistances", "DamageImmunities", "ConditionImmunities",
    "Saves", "Skills", "Senses", "Languages", "Challenge", "Description", "Player",
})  # fmt: skip
_OF_THE_PROGRAM: Final = frozenset({"Id", "Version", "LastUpdateMs", "UpdatedTime"})
_NAMES: Final = MappingProxyType(
    {
        "speed": "Speed",
        "saves": "Saves",
        "skills": "Skills",
        "senses": "Senses",
        "immunities": "DamageImmunities",
        "resistances": "DamageResistances",
        "vulnerabilities": "DamageVulnerabilities",
        "condition_immunities": "ConditionImmunities",
    }
)
_DICE = re.compile(r"\(?\s*(\d{1,3}d\d{1,3}(?:\s*[+\-\u2212\u2013]\s*-?\d{1,4})*)\s*\)?")


def is_statblock(data: Any) -> bool:
    """Return whether a mapping is a stat block: it has a name and hit points in this program's form."""
    return (
        isinstance(data, dict)
        and isinstance(data.get("Name"), str)
        and isinstance(data.get("HP"), dict)
        and "Value" in data["HP"]
    )


def creature_of(block: Mapping[str, Any], ids: IdAllocator, report: ConversionReport, notes: str = "") -> Creature:
    """Return the creature of a stat block. Raise UnreadableError if it can't be used in a fight."""
    name = required_name(block.get("Name"))
    id = ids.allocate(name)
    kind, player = text_at(block, "Type"), bool(text_at(block, "Player"))
    challenge = _challenge(block, report, player=player)
    hp, hit_dice = _hit_points(block, report)
    abilities = _abilities(block, report)
    stat_block = StatBlock(
        name,
        kind=kind if type_line(kind).size else f"medium {kind}",
        tags=(PLAYER,) if player else (),
        ac=_armor(block, report),
        hp=hp,
        hit_dice=hit_dice,
        abilities=abilities,
        speeds=joined_text(block.get("Speed")),
        saves=_bonuses(block, "Saves"),
        skills=_bonuses(block, "Skills"),
        senses=joined_text(block.get("Senses")),
        immunities=[joined_text(block.get("DamageImmunities"))],
        resistances=[joined_text(block.get("DamageResistances"))],
        vulnerabilities=[joined_text(block.get("DamageVulnerabilities"))],
        condition_immunities=joined_text(block.get("ConditionImmunities")),
        languages=", ".join(as_text(language) for language in list_at(block, "Languages")),
        level=challenge if player else None,
        rating=None if player else challenge,
        features=tuple(_features(block, report)),
        legendary=_legendary(block, report),
        initiative=_initiative(block, abilities, report),
        description=plain_text(text_at(block, "Description")),
        notes=notes,
        source=text_at(block, "Source") or "Improved Initiative",
        names=_NAMES,
    )
    _unread(block, report)
    return stat_block_creature(stat_block, id, report)


def _challenge(block: Mapping[str, Any], report: ConversionReport, *, player: bool) -> Any:
    stated = block.get("Challenge")
    rating = (as_int(stated) or 0) if player else challenge_rating(stated)
    if not rating and as_text(stated):
        report.add_note("Challenge", stated, f"not a {'level' if player else 'challenge rating'}; left empty")
    return rating


def _hit_points(block: Mapping[str, Any], report: ConversionReport) -> tuple[int, str]:
    hp, notes = int_at(block, "HP", "Value"), text_at(block, "HP", "Notes").strip()
    if hp is None or hp < 1:
        raise UnreadableError("no hit points")
    if dice := _DICE.fullmatch(notes):
        return hp, "".join(dice[1].split()).replace("+-", "-")
    report.add_remark("hp", notes, "not hit dice; kept as a remark", field="HP")
    return hp, ""


def _armor(block: Mapping[str, Any], report: ConversionReport) -> str | None:
    ac = int_at(block, "AC", "Value")
    if ac is None:
        report.add_note("AC", nested_value(block, "AC", "Value") or "", "no Armor Class given; default used")
        return None
    return f"{ac} {text_at(block, 'AC', 'Notes')}"


def _abilities(block: Mapping[str, Any], report: ConversionReport) -> NamedNumbers:
    stated = {key.lower()[:3]: value for key, value in as_mapping(block.get("Abilities")).items()}
    scores = named_numbers((ability, stated.get(ability)) for ability in ABILITIES)
    if len(scores) < len(ABILITIES):
        report.add_note(
            "Abilities", block.get("Abilities") or "", "fewer than six ability scores; defaults used for the others"
        )
    return scores


def _bonuses(block: Mapping[str, Any], key: str) -> str:
    """Return saves or skills as a line, with the sign that only known ones need."""
    bonuses = []
    for entry in list_at(block, key):
        name, bonus = text_at(entry, "Name"), int_at(entry, "Modifier")
        known = name.strip().lower()[:3] in ABILITIES if key == "Saves" else "-".join(name.lower().split()) in SKILLS
        stated = text_at(entry, "Modifier") if bonus is None or not known else f"{bonus:+d}"
        bonuses.append(f"{name} {stated}".strip() or str(entry))
    return ", ".join(bonuses)


def _features(block: Mapping[str, Any], report: ConversionReport) -> Iterator[PrintedFeature]:
    for key, cost in COSTS.items():
        for entry in list_at(block, key):
            if not isinstance(entry, dict):
                report.add_note(key, entry, "not a feature; ignored")
                continue
            name, usage = text_at(entry, "Name"), read_usage(text_at(entry, "Usage"))
            known: dict[str, Any] = {field: value for field in ("recharge", "uses") if (value := getattr(usage, field))}
            if usage.uses:
                known["per"] = usage.per
            only = ONLY_MYTHIC if key == "MythicActions" else ""
            if only:
                report.add_note(
                    f"{key}: {name}", name, "imported as a legendary action of a second phase, at zero hit points"
                )
            yield PrintedFeature(f"{name} {usage.name}".strip(), text_at(entry, "Content"), cost, only, known)


def _legendary(block: Mapping[str, Any], report: ConversionReport) -> int:
    if not list_at(block, "LegendaryActions"):
        return 0
    for key in ("LegendaryActions", "Traits"):
        for entry in list_at(block, key):
            if count := legendary_count(f"{text_at(entry, 'Name')}. {text_at(entry, 'Content')}"):
                return count
    if count := legendary_count(text_at(block, "Description")):
        return count
    report.add_note("LegendaryActions", "", "the number of legendary actions per round is missing; set it yourself")
    return 0


def _initiative(block: Mapping[str, Any], abilities: NamedNumbers, report: ConversionReport) -> int | None:
    special = text_at(block, "InitiativeSpecialRoll") or (
        "advantage" if block.get("InitiativeAdvantage") is True else ""
    )
    report.add_remark("initiative", special, "kept as a remark", field="InitiativeSpecialRoll")
    modifier = int_at(block, "InitiativeModifier")
    return (dict(abilities).get("dex", 10) - 10) // 2 + modifier if modifier else None


def _unread(block: Mapping[str, Any], report: ConversionReport) -> None:
    """Report the unknown fields of a block, unless they are empty or internal to the program."""
    for key in block.keys() - _READ - _OF_THE_PROGRAM:
        if block[key] not in (None, "", [], {}, False):
            why = "pictures aren't imported" if key == "ImageURL" else "unknown field; ignored"
            report.add_note(key, block[key], why)
