"""What a stat block says of defences, senses, speeds and skills: figures where they are figures, remarks where words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from turnwright.encounter.prepared import Figures, Remark
from turnwright.storage.importers.pf2e.blocks import Defence, Skill, Speed
from turnwright.storage.importers.pf2e.terms import CONDITIONS, MODES, SKILL_IDS, damage_word, is_damage, word_of
from turnwright.storage.importers.results import Account

_SENSE = re.compile(
    r"^(?P<name>[A-Za-z][A-Za-z' -]*?)(?: \((?P<acuity>precise|imprecise|vague)\))?(?: (?P<feet>\d{1,5}) (?:feet|ft\.?))?(?P<rest>(?: \(|[;,:]).*)?$"
)
_ASIDE = re.compile(r"\s{0,3}\((.{0,500})\)\s{0,3}$")
_NOT_ONE_TYPE: Final = "object-immunities"
_PHYSICAL: Final = ("bludgeoning", "piercing", "slashing")
_EXCEPT = re.compile(
    rf"except (?P<types>(?:{'|'.join(_PHYSICAL)})(?:(?:,| or| and)+ (?:{'|'.join(_PHYSICAL)})){{0,2}})"
)
_NO_SENSE: Final = frozenset({"no-vision", "blind"})
_BETTER: Final[Mapping[str, str]] = MappingProxyType({"greater-darkvision": "darkvision"})


def immunities(listed: Iterable[str], account: Account) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Remark, ...]]:
    """Return immunities to damage, immunities to all else, and what is said about them besides."""
    damage: dict[str, None] = {}
    others: dict[str, None] = {}
    remarks: list[Remark] = []
    for text in listed:
        aside = _ASIDE.search(text)
        word = damage_word(text[: aside.start()] if aside else text)
        if not word:
            continue
        if aside:
            remarks.append(Remark("immunities", text.strip()))
            account.tell("immunities", text, "holds with a condition, which is a remark")
        if word == _NOT_ONE_TYPE:
            account.tell("immunities", text, "stands for a list that the source doesn't give")
        (damage if is_damage(word) and word not in CONDITIONS else others)[word] = None
    return tuple(damage), tuple(others), tuple(remarks)


def figured(listed: Iterable[Defence], field: str, account: Account) -> tuple[tuple[str, ...], tuple[Remark, ...]]:
    """Return resistances or weaknesses as `fire 5`, and what is said about them besides."""
    found: dict[str, None] = {}
    remarks: list[Remark] = []
    for one in listed:
        aside = _ASIDE.search(one.name)
        name = one.name[: aside.start()] if aside else one.name
        note = "; ".join(part for part in (aside[1] if aside else "", one.note) if part)
        said = " ".join(part for part in (name, "" if one.amount is None else str(one.amount)) if part)
        whole = f"{said} ({note})" if note else said
        if one.amount is None:
            remarks.append(Remark(field, whole))
            account.tell(field, whole, "has no figure; it is a remark")
            continue
        word = damage_word(name)
        but = _EXCEPT.fullmatch(note) if word == "physical" else None
        if but:
            found.update((f"{each} {one.amount}", None) for each in _PHYSICAL if each not in but["types"])
            continue
        found[f"{word} {one.amount}"] = None
        if note:
            remarks.append(Remark(field, whole))
            account.tell(field, whole, "holds with an exception, which is a remark")
        elif not is_damage(word):
            account.tell(field, whole, "is against what is no type of damage; a person sees to it")
    return tuple(found), tuple(remarks)


def senses(listed: Iterable[str], account: Account) -> tuple[Figures, tuple[Remark, ...]]:
    """Return senses with how far they go, 0 where they end nowhere, and what is said of them besides."""
    found: dict[str, int] = {}
    remarks: list[Remark] = []
    for text in (one.strip(" ;,.") for one in listed):
        if not text:
            continue
        match = _SENSE.match(text)
        if match is None:
            remarks.append(Remark("senses", text))
            account.tell("senses", text, "is not a sense; it is a remark")
            continue
        word = word_of(match["name"])
        sense = _BETTER.get(word, word)
        if word not in _NO_SENSE:
            found[sense] = max(found.get(sense, 0), int(match["feet"] or 0))
        if match["acuity"] or match["rest"] or word in _NO_SENSE or sense != word:
            remarks.append(Remark("senses", text))
    return tuple(found.items()), tuple(remarks)


def speeds(listed: Iterable[Speed], account: Account) -> tuple[Figures, tuple[Remark, ...]]:
    """Return ways of moving in feet; what is none of the game's, or has a condition, is a remark."""
    found: dict[str, int] = {}
    remarks: list[Remark] = []
    for one in listed:
        name = one.name.strip(" ;,")
        mode = MODES.get(name.lower(), "")
        said = f"{name} {one.feet} feet" if one.feet is not None else name
        whole = f"{said} ({one.note})" if one.note else said
        if mode and one.feet is not None and mode not in found:
            found[mode] = one.feet
            if one.note:
                remarks.append(Remark("speeds", whole))
            continue
        if whole:
            remarks.append(Remark("speeds", whole))
            if one.feet is not None:
                account.tell("speeds", whole, "is no way of moving by itself; it is a remark")
    return tuple(found.items()), tuple(remarks)


def skills(listed: Iterable[Skill], perception: int | None) -> tuple[Figures, tuple[Remark, ...]]:
    """Return total bonuses by skill, Perception first and lore as `lore-…`, and what is said of them besides."""
    found: dict[str, int] = {} if perception is None else {"perception": perception}
    remarks: list[Remark] = []
    for one in listed:
        found.setdefault(skill_id(one.name), one.bonus)
        if one.note:
            name = one.name.strip()
            remarks.append(Remark("skills", f"{name[:1].upper()}{name[1:]} {one.note}"))
    return tuple(found.items()), tuple(remarks)


def skill_id(name: str) -> str:
    """Return the id of a skill; lore of something is `lore-something`."""
    word = word_of(name)
    if word in SKILL_IDS:
        return word
    about = "-".join(part for part in word.split("-") if part != "lore")
    return f"lore-{about}" if about else "lore"
