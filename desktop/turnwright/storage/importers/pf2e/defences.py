"""Reads defences, senses, speeds and skills of a stat block: numbers where they are numbers, remarks where words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from turnwright.encounter.prepared import NamedNumbers
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.importers.pf2e.stat_block import SourceNumber
from turnwright.storage.importers.pf2e.terms import CONDITIONS, MODES, SKILL_IDS, damage_id, id_of, is_damage

_SENSE = re.compile(
    r"^(?:(?P<before>precise|imprecise|vague) )?(?P<name>[A-Za-z][A-Za-z' -]*?)"
    r"(?: \((?P<acuity>precise|imprecise|vague)\))?(?: (?P<feet>\d{1,5})(?: ?(?:feet|ft\.?))?)?(?P<rest>(?: \(|[;,:]).*)?$",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s{0,3}\((.{0,500})\)\s{0,3}$")
_NOT_ONE_TYPE: Final = "object-immunities"
_PHYSICAL: Final = ("bludgeoning", "piercing", "slashing")
_EXCEPT = re.compile(
    rf"except (?P<types>(?:{'|'.join(_PHYSICAL)})(?:(?:,| or| and)+ (?:{'|'.join(_PHYSICAL)})){{0,2}})"
)
_NO_SENSE: Final = frozenset({"no-vision", "blind"})
_BETTER: Final[Mapping[str, str]] = MappingProxyType({"greater-darkvision": "darkvision"})


def immunities(entries: Iterable[str], report: ConversionReport) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return immunities to damage, and immunities to all else."""
    damage: dict[str, None] = {}
    others: dict[str, None] = {}
    for text in entries:
        aside = _ASIDE.search(text)
        word = damage_id(text[: aside.start()] if aside else text)
        if not word:
            continue
        if aside:
            report.add_remark("immunities", text.strip())
            report.add_note("immunities", text, "holds with a condition, which is a remark")
        if word == _NOT_ONE_TYPE:
            report.add_note("immunities", text, "stands for a list that the source doesn't give")
        (damage if is_damage(word) and word not in CONDITIONS else others)[word] = None
    return tuple(damage), tuple(others)


def with_amounts(entries: Iterable[SourceNumber], field: str, report: ConversionReport) -> tuple[str, ...]:
    """Return resistances or weaknesses as `fire 5`."""
    found: dict[str, None] = {}
    for one in entries:
        aside = _ASIDE.search(one.name)
        name = one.name[: aside.start()] if aside else one.name
        note = "; ".join(part for part in (aside[1] if aside else "", one.note) if part)
        said = " ".join(part for part in (name, "" if one.number is None else str(one.number)) if part)
        whole = f"{said} ({note})" if note else said
        word = damage_id(name)
        if one.number is None:
            report.add_remark(field, whole, "has no figure; it is a remark")
        elif word == "physical" and (but := _EXCEPT.fullmatch(note)):
            found.update((f"{each} {one.number}", None) for each in _PHYSICAL if each not in but["types"])
        else:
            found[f"{word} {one.number}"] = None
            if note:
                report.add_remark(field, f"{name}: {note}")
                report.add_note(field, whole, "holds with an exception, which is a remark")
            elif not is_damage(word):
                report.add_note(field, whole, "is against what is no type of damage; a person sees to it")
    return tuple(found)


def senses(entries: Iterable[str], report: ConversionReport) -> NamedNumbers:
    """Return senses with their ranges, 0 for unlimited."""
    found: dict[str, int] = {}
    for text in (one.strip(" ;,.") for one in entries):
        match = _SENSE.match(text)
        if match is None:
            report.add_remark("senses", text, "is not a sense; it is a remark")
            continue
        word = id_of(match["name"])
        sense = _BETTER.get(word, word)
        if word not in _NO_SENSE:
            found[sense] = max(found.get(sense, 0), int(match["feet"] or 0))
        if match["acuity"] or match["before"] or match["rest"] or word in _NO_SENSE or sense != word:
            report.add_remark("senses", text)
    return tuple(found.items())


def speeds(entries: Iterable[SourceNumber], report: ConversionReport) -> NamedNumbers:
    """Return modes of movement in feet; unknown modes, or those with a condition, are remarks."""
    found: dict[str, int] = {}
    for one in entries:
        name = one.name.strip(" ;,")
        mode = MODES.get(name.lower(), "")
        said = f"{name} {one.number} feet" if one.number is not None else name
        whole = f"{said} ({one.note})" if one.note else said
        if not mode or one.number is None or mode in found:
            why = "" if one.number is None else "is no way of moving by itself; it is a remark"
            report.add_remark("speeds", whole, why)
            continue
        found[mode] = one.number
        if one.note:
            report.add_remark("speeds", whole)
    return tuple(found.items())


def skills(entries: Iterable[SourceNumber], perception: int | None, report: ConversionReport) -> NamedNumbers:
    """Return total bonuses by skill, Perception first and lore as `lore-…`."""
    found: dict[str, int] = {} if perception is None else {"perception": perception}
    for one in entries:
        id, number = skill_id(one.name), one.number or 0
        if id in found and found[id] != number:
            less, more = sorted((found[id], number))
            report.add_note("skills", f"{one.name} {less:+d}", f"stands twice; the higher, {more:+d}, is kept")
            number = more
        found[id] = number
        if one.note:
            name = one.name.strip()
            report.add_remark("skills", f"{name[:1].upper()}{name[1:]} {one.note}")
    return tuple(found.items())


def skill_id(name: str) -> str:
    """Return the id of a skill; `lore-something` for lore of something."""
    word = id_of(name)
    if word in SKILL_IDS:
        return word
    about = "-".join(part for part in word.split("-") if part != "lore")
    return f"lore-{about}" if about else "lore"
