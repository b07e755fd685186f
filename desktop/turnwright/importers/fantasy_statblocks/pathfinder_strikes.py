"""Reads the attacks of Obsidian's Pathfinder notes: separate fields, or a line as printed in the books."""

from __future__ import annotations

import re
from typing import Any, Final

from turnwright.importers.common import int_at, text_at
from turnwright.importers.fantasy_statblocks.pathfinder_text import plain_entry, plain_note, without_glyphs
from turnwright.importers.pf2e.damage import parts_of
from turnwright.importers.pf2e.foundry_actors import split_list
from turnwright.importers.pf2e.stat_block import DamagePart, SourceStrike
from turnwright.importers.pf2e.terms import damage_id, is_damage

_WAY = re.compile(r"^\W*(melee|ranged)\b[\s:]*", re.IGNORECASE)
_LINE = re.compile(
    r"(?P<name>[^+()\[\]]*?)\s*(?P<bonus>[+-]\d{1,3})\b(?:\s?\[[^\]]*\])?(?:/[+-]\d+)*\s*(?P<rest>.*)", re.DOTALL
)
_DEALT = re.compile(r"\b(?:Damage|Effects?)\b:?\s*")
_TRAITS = re.compile(r"[\[(]([^()\[\]]*)[\])]")
_JOINED = re.compile(r"\s*\b(?:plus|and)\b\s*")
_DICE = re.compile(
    r"(?P<formula>\d{1,3}d\d{1,3}(?:\s*[+-]\s*\d{1,4}(?!d))*|\d{1,4})\s+(?P<kind>[^,;(]+)(?P<rest>.*)", re.DOTALL
)
_LONGEST: Final = 2_000  # maximum characters in the text of an attack


def strike_of(entry: Any) -> SourceStrike | None:
    """Return the Strike of an entry, or None if its fields and text have no attack bonus."""
    name, text = plain_entry(entry)
    bonus, damage = int_at(entry, "bonus"), plain_note(text_at(entry, "damage"))
    text = without_glyphs(text) if len(text) <= _LONGEST else text
    way = _WAY.match(name) or (_WAY.match(text) if bonus is None else None)
    label = without_glyphs(_WAY.sub("", name))
    if bonus is None:
        found = _LINE.match(_WAY.sub("", text)) if len(text) <= _LONGEST else None
        if not found or not (way or found["name"].strip() or _DEALT.search(text)) or "DC " in found["name"]:
            return None
        if not way and not _DEALT.search(found["rest"]):
            return None
        label, bonus = label or found["name"], int(found["bonus"])
        text, *dealt = _DEALT.split(found["rest"], maxsplit=1)
        damage = " ".join(part for part in (damage, *dealt) if part)
    traits = tuple(trait for found in _TRAITS.findall(text) for trait in split_list(found))
    parts, riders = _damage(damage)
    label = label.strip(" ,:_") or "Strike"
    return SourceStrike(
        label[:1].upper() + label[1:], bonus, traits, parts, riders,
        ranged=way[1].lower() == "ranged" if way else None, text=_TRAITS.sub("", text).strip(" ,;:."),
    )  # fmt: skip


def _damage(text: str) -> tuple[tuple[DamagePart, ...], tuple[str, ...]]:
    """Return the damage parts of `2d8 piercing plus 1d6 fire and Grab`, and the other effects of a hit."""
    pairs: list[tuple[str, str, str]] = []
    for part in _JOINED.split(text.strip(" ,;:.")):
        text_part = part.strip(" ,;.")
        match = _DICE.fullmatch(text_part)
        if match and ("d" in match["formula"] or any(is_damage(damage_id(word)) for word in match["kind"].split())):
            pairs.append((match["formula"], match["kind"].strip(), ""))
            text_part = match["rest"].strip(" ,;.")
        if text_part:
            pairs.append(("", text_part, ""))
    return parts_of(pairs)
