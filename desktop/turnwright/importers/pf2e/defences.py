"""Reads defences, senses, speeds and skills of a stat block. Other text in these fields becomes remarks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from turnwright.encounter.prepared import NamedNumbers
from turnwright.importers.pf2e.markup import (
    AMOUNT,
    CONDITIONS,
    MODES,
    SKILL_IDS,
    SPEED,
    damage_id,
    entries_of,
    id_of,
    is_damage,
    numbers_of,
    skills_of,
)
from turnwright.importers.pf2e.stat_block import Listed, Numbered
from turnwright.importers.vocabulary import pattern
from turnwright.storage.fights import ConversionReport

_SENSE: Final = pattern("pf2e_defences", "sense")
_ASIDE = re.compile(r"\s{0,3}\((.{0,500})\)\s{0,3}$")
_NOT_ONE_TYPE: Final = "object-immunities"
_PHYSICAL: Final = ("bludgeoning", "piercing", "slashing")
_EXCEPT = re.compile(
    rf"except (?P<types>(?:{'|'.join(_PHYSICAL)})(?:(?:,| or| and)+ (?:{'|'.join(_PHYSICAL)})){{0,2}})"
)
_NO_SENSE: Final = frozenset({"no-vision", "blind"})
_BETTER: Final[Mapping[str, str]] = MappingProxyType({"greater-darkvision": "darkvision"})


def immunities(listed: Listed, report: ConversionReport) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return immunities to damage, and all other immunities."""
    damage: dict[str, None] = {}
    others: dict[str, None] = {}
    for text in entries_of(listed):
        aside = _ASIDE.search(text)
        word = damage_id(text[: aside.start()] if aside else text)
        if not word:
            continue
        if aside:
            report.add_remark("immunities", text.strip())
            report.add_note("immunities", text, "conditional immunity; condition kept as a remark")
        if word == _NOT_ONE_TYPE:
            report.add_note("immunities", text, "group of immunities that the file doesn't list")
        (damage if is_damage(word) and word not in CONDITIONS else others)[word] = None
    return tuple(damage), tuple(others)


def with_amounts(numbered: Numbered, field: str, report: ConversionReport) -> tuple[str, ...]:
    """Return resistances or weaknesses in the form `fire 5`."""
    amounts: dict[str, None] = {}
    for entry in numbers_of(numbered, AMOUNT):
        aside = _ASIDE.search(entry.name)
        name = entry.name[: aside.start()] if aside else entry.name
        note = "; ".join(filter(None, (aside[1] if aside else "", entry.note)))
        amount = " ".join(filter(None, (name, "" if entry.number is None else str(entry.number))))
        text = f"{amount} ({note})" if note else amount
        word = damage_id(name)
        if entry.number is None:
            report.add_remark(field, text, "no number given; kept as a remark")
        elif word == "physical" and (but := _EXCEPT.fullmatch(note)):
            amounts.update((f"{kind} {entry.number}", None) for kind in _PHYSICAL if kind not in but["types"])
        else:
            amounts[f"{word} {entry.number}"] = None
            if note:
                report.add_remark(field, f"{name}: {note}")
                report.add_note(field, text, "exception kept as a remark")
            elif not is_damage(word):
                report.add_note(field, text, "not a damage type; apply it yourself")
    return tuple(amounts)


def senses(listed: Listed, report: ConversionReport) -> NamedNumbers:
    """Return senses with their ranges in feet (0 if unlimited)."""
    ranges: dict[str, int] = {}
    for text in (entry.strip(" ;,.") for entry in entries_of(listed)):
        match = _SENSE.match(text)
        if match is None:
            report.add_remark("senses", text, "not a sense; kept as a remark")
            continue
        word = id_of(match["name"])
        sense = _BETTER.get(word, word)
        if word not in _NO_SENSE:
            ranges[sense] = max(ranges.get(sense, 0), int(match["feet"] or 0))
        if match["acuity"] or match["before"] or match["rest"] or word in _NO_SENSE or sense != word:
            report.add_remark("senses", text)
    return tuple(ranges.items())


def speeds(numbered: Numbered, report: ConversionReport) -> NamedNumbers:
    """Return speeds in feet. Unknown movement modes, and modes with a condition, become remarks."""
    distances: dict[str, int] = {}
    for entry in numbers_of(numbered, SPEED, "land"):
        name = entry.name.strip(" ;,")
        mode = MODES.get(name.lower(), "")
        distance = f"{name} {entry.number} feet" if entry.number is not None else name
        text = f"{distance} ({entry.note})" if entry.note else distance
        if mode and entry.number is not None and mode not in distances:
            distances[mode] = entry.number
            report.add_remark("speeds", text if entry.note else "")
        else:
            why = "" if entry.number is None else "not a movement mode; kept as a remark"
            report.add_remark("speeds", text, why)
    return tuple(distances.items())


def skills(numbered: Numbered, perception: int | None, report: ConversionReport) -> NamedNumbers:
    """Return total skill bonuses, starting with Perception. Lore skills have ids such as `lore-…`."""
    bonuses: dict[str, int] = {} if perception is None else {"perception": perception}
    for entry in skills_of(numbered):
        id, number = skill_id(entry.name), entry.number or 0
        if id in bonuses and bonuses[id] != number:
            less, more = sorted((bonuses[id], number))
            report.add_note("skills", f"{entry.name} {less:+d}", f"listed twice; {more:+d}, the higher value, is used")
            number = more
        bonuses[id] = number
        if entry.note:
            name = entry.name.strip()
            report.add_remark("skills", f"{name[:1].upper()}{name[1:]} {entry.note}")
    return tuple(bonuses.items())


def skill_id(name: str) -> str:
    """Return the id of a skill, or `lore-something` for a lore skill."""
    word = id_of(name)
    if word in SKILL_IDS:
        return word
    about = "-".join(part for part in word.split("-") if part != "lore")
    return f"lore-{about}" if about else "lore"
