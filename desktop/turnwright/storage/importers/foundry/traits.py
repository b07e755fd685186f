"""Speeds, senses, damage types and conditions of an actor, with what their figures can't say as remarks or reports."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from turnwright.encounter.prepared import Remark
from turnwright.storage.importers.drafting import listed, mapping, text_of, whole
from turnwright.storage.importers.foundry.units import in_feet, is_metric
from turnwright.storage.importers.results import Account

_MUNDANE = re.compile(r"non-?magical", re.IGNORECASE)
_EXCEPT = re.compile(r"adamantine|silver|cold iron|except|aren't|not made", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+(?:[ -][a-z]+)?")
Given = Mapping[str, Any]


def distances(
    given: Given, names: tuple[str, ...], about: str, attributes: Given, account: Account
) -> tuple[tuple[tuple[str, int], ...], bool, list[Remark]]:
    """Return distances in feet by name (of those that are there at all), whether it hovers, and remarks.

    A metre among feet is a slip: its number is one of feet, and told.
    """
    found: list[tuple[str, int]] = []
    remarks: list[Remark] = []
    slip = _mostly_feet(attributes)
    for name in names:
        one = mapping(given.get(name))
        distance, unit = one.get("distance"), one.get("unit")
        if distance in (None, "", 0, "0"):
            continue
        if is_metric(unit) and slip:
            account.tell(
                f"{about}: {name}", f"{distance} {unit}", "is in metres where all else is in feet; read as feet"
            )
            unit = "feet"
        feet = in_feet(distance, unit)
        if feet is None or feet < 0:
            account.tell(f"{about}: {name}", text_of(distance), "is no distance; it isn't kept")
            continue
        found.append((name, feet))
        if one.get("otherwiseBlind"):
            remarks.append(Remark(about, f"{name}: blind beyond this radius"))
    if about == "speeds" and whole(mapping(given.get("walk")).get("distance")) == 0:
        found.insert(0, ("walk", 0))
    return tuple(found), bool(mapping(given.get("traits")).get("hover")), remarks


def _mostly_feet(attributes: Given) -> bool:
    units = [
        one.get("unit")
        for key in ("movement", "senses")
        for one in mapping(attributes.get(key)).values()
        if isinstance(one, dict) and "unit" in one
    ]
    return sum(map(is_metric, units)) * 2 < len(units)


class Clauses(msgspec.Struct, frozen=True):
    """Damage types by themselves, whole clauses that the game has no figure for, and nonmagical weapons."""

    types: tuple[str, ...] = ()
    mundane: bool = False


def clauses_of(given: Any, field: str, account: Account) -> Clauses:
    """Return damage types; of immunities and resistances also whether all nonmagical weapons are meant. What is a clause is told."""
    types: list[str] = []
    mundane = False
    for one in listed(given):
        said = " ".join(text_of(one).split())
        if not said:
            continue
        if field != "vulnerabilities" and _MUNDANE.search(said) and not _EXCEPT.search(said):
            mundane = True
            continue
        if not _WORD.fullmatch(said.lower()):
            account.tell(field, said, "is a clause, which no figure can say; it is kept as it stands")
        if (known := typed(said)) not in types:
            types.append(known)
    return Clauses(tuple(types), mundane)


def typed(said: str) -> str:
    """Return a damage type in small letters; a longer clause as it stands."""
    return said.lower() if _WORD.fullmatch(said.lower()) and " " not in said else said


def conditions_of(given: Any) -> tuple[str, ...]:
    """Return conditions in small letters, each once."""
    return tuple(dict.fromkeys(text_of(one).strip().lower() for one in listed(given) if text_of(one).strip()))
