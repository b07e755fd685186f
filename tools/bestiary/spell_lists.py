"""Spell lists of stat blocks: names of spells by their uses, in words of the project."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from turnwright.encounter.prepared import Feature

_ABILITY: Final = re.compile(
    r"using (\w+) as (?:its |their |the )?spellcasting ability|spellcasting ability (?:is|\()\s*\(?(?!spell)(\w+)",
    re.IGNORECASE,
)
_LEVEL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)[- ]level (?:spell)?caster", re.IGNORECASE)
_ATTACK: Final = re.compile(r"\+(\d+) ?to hit")
_LINE: Final = re.compile(
    r"(?:^|•|\n)\s*(?:(?P<cantrips>cantrips?)[^:\n]{0,20}|(?P<will>at will)|(?P<level>\d)(?:st|nd|rd|th)[- ]level \((?P<slots>\d+) slots?\)"
    r"|(?P<uses>\d+)/day(?: each)?):\s*(?P<names>[^•\n]+)",
    re.IGNORECASE,
)
_SPELL: Final = re.compile(r"[^,()]+(?:\([^)]*\))?")

_CAST_AT: Final = re.compile(r"Spellcasting to cast ([A-Za-z'’ ]+?) \(level (\d) version\)")
_LIMITS: Final = (  # what stat blocks say of a spell in brackets, in the project's words
    (re.compile(r"\bto elemental plane of (\w+) only\b"), r"only to the plane of \1"),
    (re.compile(r"\bcan assume medium or large form\b"), "into medium or large forms"),
    (
        re.compile(r"\bself only, can't travel to or from the material plane\b"),
        "self only; not the material plane, either way",
    ),
    (re.compile(r"\b(?:between )?locations within its domain only\b"), "only inside its domain"),
)


def is_spell_list(feature: Feature) -> bool:
    """Whether a feature lists the spells of its owner."""
    return bool(feature.does or "spell" in feature.properties) and _LINE.search(feature.text) is not None


def cast_levels(texts: Iterable[str]) -> dict[str, str]:
    """Return the levels at which features cast spells of a list that lost its levels, by the spells' names."""
    return {_plain(name): level for text in texts for name, level in _CAST_AT.findall(text)}


def spell_list(text: str, levels: Mapping[str, str]) -> str:
    """Return a spell list in a fixed form, with the names from the last to the first. `levels` are those of spells."""
    ability, attack, level = _ABILITY.search(text), _ATTACK.search(text), _LEVEL.search(text)
    head = f"Casts as a level {level[1]} caster" if level else "Casts"
    head += f" with {(ability[1] or ability[2]).capitalize()}" if ability else ""
    head += f" (+{attack[1]} to hit)." if attack else "."
    return "\n".join([head, *(_line(found, levels) for found in _LINE.finditer(text))])


def _line(found: re.Match[str], levels: Mapping[str, str]) -> str:
    names = [_plain(each) for each in _SPELL.findall(found["names"]) if each.strip(" .\n")]
    names = [f"{name} (level {levels[name]})" if name in levels else name for name in names]
    if found["level"]:
        slots = "1 slot" if found["slots"] == "1" else f"{found['slots']} slots"
        head = f"Level {found['level']} ({slots})"
    else:
        head = "Cantrips" if found["cantrips"] else "At will" if found["will"] else f"{found['uses']} a day each"
    return f"{head}: {', '.join(reversed(names))}."


def _plain(name: str) -> str:
    name = re.sub(r"\s+", " ", name.replace("’", "'")).strip(" .").lower()
    for pattern, words in _LIMITS:
        name = pattern.sub(words, name)
    return name
