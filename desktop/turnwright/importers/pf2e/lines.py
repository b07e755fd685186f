"""Reads the lines of a Pathfinder 2e stat block as books print them: lists, numbers with names, skills, spell lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final

from turnwright.importers.pf2e.stat_block import Listed, Numbered, RankedSpell, SourceNumber
from turnwright.importers.pf2e.terms import ALIGNMENTS, RARITIES, SIZES

SPEED: Final = re.compile(
    r"(?:(?P<name>[A-Za-z][A-Za-z ]{0,40}?):?\s{1,3})?(?P<number>\d{1,4})(?:\s*(?:feet|ft\.?))?(?P<note>.*)"
)
AMOUNT: Final = re.compile(r"(?P<name>.*?)\s+(?P<number>\d{1,3})\b\s*(?P<note>.*)", re.DOTALL)
SKILL: Final = re.compile(
    r"(?P<name>[A-Z][\w' -]*?|Lore: [\w' -]+?)\s*:?\s*\+?(?P<number>-?\d{1,3})\b[\s,]*(?P<note>\([^)]*\))?"
)
DEFENCES: Final = "Immunities|Resistances|Weaknesses|Hardness"
_OPEN_EXCEPTION = re.compile(r"\bexcept\b[^()]*$")
_LONGEST: Final = 2_000  # maximum characters in a part of a line with a number
_TRAITS = re.compile(r"\(([^()]{0,200})\)[;,.]?\s*")
_TRAIT = re.compile(r"[a-z][a-z' -]{1,30}", re.IGNORECASE)
_CASTING = re.compile(r"DC\s*(?P<dc>\d{1,2})|(?:attack\s*\+?|\+)(?P<attack>\d{1,2})", re.IGNORECASE)


def split_list(text: str) -> tuple[str, ...]:
    """Return the parts of a list in a text, separated by commas and semicolons outside brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth = max(0, depth + (letter == "(") - (letter == ")"))
        if letter in ",;" and not depth:
            parts.append(text[start:at])
            start = at + 1
    return tuple(part for piece in (*parts, text[start:]) if (part := piece.strip()))


def entries_of(listed: Listed) -> tuple[str, ...]:
    """Return the entries of a list. In a text, the names after an exception stay together."""
    if not isinstance(listed, str):
        return listed
    entries: list[str] = []
    for part in split_list(listed):
        if entries and _OPEN_EXCEPTION.search(entries[-1]) and not re.search(r"\d", part):
            entries[-1] = f"{entries[-1]}, {part}"
        else:
            entries.append(part[:_LONGEST])
    return tuple(entries)


def numbers_of(numbered: Numbered, pattern: re.Pattern[str], usual: str = "") -> Iterator[SourceNumber]:
    """Yield the named numbers of a list or a text. A number without a name gets the name `usual`."""
    if not isinstance(numbered, str):
        yield from numbered
        return
    for entry in entries_of(numbered):
        match = pattern.fullmatch(entry)
        yield _number(match, usual) if match else SourceNumber(entry, None)


def skills_of(numbered: Numbered) -> Iterator[SourceNumber]:
    """Yield the skills of a list or a text. A number that is repeated after a skill's name is omitted."""
    if not isinstance(numbered, str):
        yield from numbered
        return
    for match in SKILL.finditer(numbered[:_LONGEST]):
        skill = _number(match, "")
        note = skill.note.removeprefix(f"{skill.name}: ")
        yield SourceNumber(skill.name.removeprefix("Lore: "), skill.number, note)


def _number(match: re.Match[str], usual: str) -> SourceNumber:
    return SourceNumber((match["name"] or usual).strip(), int(match["number"]), (match["note"] or "").strip(" ()"))


def traits_before(text: str) -> tuple[tuple[str, ...], str]:
    """Return the traits in brackets at the start of an ability's text, and the text after them."""
    match = _TRAITS.match(text)
    traits = split_list(match[1]) if match else ()
    if match and traits and all(_TRAIT.fullmatch(trait) for trait in traits):
        return traits, text[match.end() :]
    return (), text


def trait_fields(words: Iterable[str], size: str = "", rarity: str = "", alignment: str = "") -> dict[str, Any]:
    """Return a stat block's traits, and its size, rarity and alignment, which may be among them."""
    traits = [word.lower() for word in words]
    size = size or next((word for word in traits if word in SIZES), "")
    rarity = rarity or next((word for word in traits if word in RARITIES), "")
    alignment = alignment or next((word for word in traits if word in ALIGNMENTS), "")
    others = tuple(word for word in traits if word not in (size, rarity, alignment.lower()))
    return {"traits": others, "size": size, "rarity": rarity, "alignment": alignment.upper()}


def casting_numbers(text: str) -> tuple[int, int | None]:
    """Return the DC (or 0) and the attack bonus (or None) in the head of a spell list: `DC 24, attack +16`."""
    found = {match.lastgroup: int(match[match.lastgroup or 0]) for match in reversed([*_CASTING.finditer(text)])}
    return found.get("dc", 0), found.get("attack")


def tradition_in(name: str) -> str:
    """Return the magical tradition in the name of a spell list, or an empty string."""
    return next((word for word in ("arcane", "divine", "occult", "primal") if word in name.lower()), "")


def rank_lines(spells: Iterable[RankedSpell]) -> tuple[str, ...]:
    """Return a line for each rank, the highest first, then cantrips, then constant spells."""

    def place(spell: RankedSpell) -> tuple[bool, bool, int]:
        return spell.constant, spell.cantrip, -spell.rank

    lines = []
    for (constant, cantrip, rank), ranked in groupby(sorted(spells, key=place), key=place):
        names = ", ".join(f"{spell.name} ({spell.note})" if spell.note else spell.name for spell in ranked)
        ordinal = f"{-rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(-rank, 'th') }" if rank else ""
        head = f"Cantrips ({ordinal})" if cantrip and rank else "Cantrips" if cantrip else ordinal or "Spells"
        lines.append(f"{f'Constant ({ordinal})' if constant else head}: {names}")
    return tuple(lines)
