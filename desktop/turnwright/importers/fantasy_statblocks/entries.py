"""Reads features of an Obsidian stat block (`{name, desc}`, `[name, desc]` or a line), and lists of spells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from turnwright.encounter.prepared import Feature
from turnwright.importers.common import as_list, as_text, int_at, text_at
from turnwright.importers.damage_placement import (
    DAMAGE_FIELDS,
    loose_dice_pattern,
    normalised_dice,
    placed_damage,
    remaining_damage,
)
from turnwright.importers.statblock_text.damage import TYPES
from turnwright.importers.statblock_text.features import feature_of
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator

_KNOWN: Final = frozenset(
    {"name", "desc", "description", "attack_bonus", "damage_dice", "damage_bonus", "traits", "text"}
)
_KIND = re.compile(rf"Hit: \d+ \([^()]*\) ({'|'.join(TYPES)}) damage")


def feature_in(entry: Any, cost: str, ids: IdAllocator, report: ConversionReport) -> Feature | None:
    """Return the feature of an entry, or None after a note if it isn't a feature."""
    source = _source(entry)
    name, text = text_at(source, "name").strip(), _text(source)
    if not name and not text:
        if entry not in (None, "", {}, []):
            report.add_note(cost, entry, "not a feature; ignored")
        return None
    name = name or "Nameless"
    for key in sorted(source.keys() - _KNOWN):
        if source[key] not in (None, "", 0, [], {}, False):
            report.add_note(f"{name}: {key}", source[key], "unknown field; ignored")
    bonus = int_at(source, "attack_bonus")
    known = {"attack": bonus} if bonus else {}  # 0 means that there is no attack
    prose_report = ConversionReport(report.record)
    feature = feature_of(ids, name, text, cost, prose_report, known)
    parts = _parts(source, feature)
    feature = placed_damage(feature, parts, report, name) if parts else feature
    remaining_damage(feature, prose_report, report)
    return feature


def _source(entry: Any) -> Mapping[str, Any]:
    if isinstance(entry, dict):
        if "name" in entry or "desc" in entry or len(entry) != 1:
            return entry
        name, text = next(iter(entry.items()))
        return {"name": str(name), "desc": text}
    if isinstance(entry, list) and entry:
        return {"name": as_text(entry[0]), "desc": "\n".join(as_text(part) for part in entry[1:])}
    if isinstance(entry, str):
        name, dot, text = entry.partition(". ")
        return {"name": name, "desc": text} if dot and len(name) < 60 else {"name": "", "desc": entry}
    return {}


def _text(source: Mapping[str, Any]) -> str:
    """Return the text of a feature, with nested features as lines."""
    text = source.get("desc", source.get("description", source.get("text")))
    lines = [as_text(line) for line in text] if isinstance(text, list) else [as_text(text)]
    for inner in as_list(source.get("traits")):
        part = _source(inner)
        lines.append(f"{text_at(part, 'name')}. {_text(part)}" if part.get("name") else _text(part))
    return "\n".join(line for line in lines if line)


def _parts(source: Mapping[str, Any], feature: Feature) -> list[str]:
    """Return the damage parts in the separate fields, with the damage types that the text states for the same dice."""
    dice = [part for part in normalised_dice(as_text(source.get("damage_dice"))).replace("-", "+-").split("+") if part]
    dice = [part for part in dice if "d" in part] + [part for part in dice if "d" not in part]
    bonus = int_at(source, "damage_bonus") or 0
    tokens = [token for field in DAMAGE_FIELDS for token in getattr(feature, field).split(" + ") if token]
    if not tokens and (kind := _KIND.search(feature.text)):
        tokens = [f"{part} {kind[1]}" for part in (*dice, *(f"{part}{bonus:+d}" for part in dice), str(bonus))]
    if not dice:
        return _typed([str(bonus)], tokens, feature.text) if bonus > 0 else []
    if bonus:
        withs = [f"{part}{bonus:+d}" for part in dice]
        given = {token.partition(" ")[0] for token in tokens}
        at = next((n for n, part in enumerate(withs) if part in given), 0)
        dice[at] = withs[at]
    return _typed(dice, tokens, feature.text)


def _with_type(dice: str, text: str) -> str:
    """Return dice with the damage type that the text states for them, if it is unambiguous."""
    pattern = rf"{loose_dice_pattern(dice)}\)? ({'|'.join(TYPES)}) damage"
    kinds = {match[1].lower() for match in re.finditer(pattern, text, re.IGNORECASE)}
    return f"{dice} {kinds.pop()}" if len(kinds) == 1 else dice


def _typed(dice: list[str], tokens: list[str], text: str) -> list[str]:
    remaining = list(tokens)
    parts: list[str] = []
    for die in dice:
        same = next((token for token in remaining if token.partition(" ")[0] == die), "")
        parts.append(same or _with_type(die, text))
        if same in remaining:
            remaining.remove(same)
    return parts


def spells_in(value: Any, ids: IdAllocator, report: ConversionReport) -> Feature | None:
    """Return a list of spells as a feature, or None if it is empty."""
    lines: list[str] = []
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, dict):
            lines += [f"{key}: {_joined(spells)}" for key, spells in entry.items()]
        elif as_text(entry):
            lines.append(as_text(entry))
        elif entry not in (None, [], ""):
            report.add_note("spells", entry, "not a list of spells; ignored")
    if not lines:
        return None
    name = "Innate Spellcasting" if "innate" in lines[0].lower() else "Spellcasting"
    return feature_of(ids, name, "\n".join(lines), "trait", report)


def _joined(spells: Any) -> str:
    return ", ".join(as_text(spell) for spell in spells) if isinstance(spells, list) else as_text(spells)
