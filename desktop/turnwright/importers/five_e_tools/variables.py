"""Evaluates variables and formulas in the changes of a copied creature: `<$name$>`, `10 + <$pb$>`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from turnwright.importers.common import as_mapping, as_text
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.statblock_text.numbers import as_int

_VARIABLE = re.compile(r"<\$([\w]{1,40})\$>")
_SUM = re.compile(r"(?:\s*[+\-]?\s*\d{1,6}(?:\s*\*\s*\d{1,4})?){1,12}\s*")
_TERM = re.compile(r"([+\-]?)\s*(\d{1,6})(?:\s*\*\s*(\d{1,4}))?")
_OF_SKILLS: Final = {
    "acrobatics": "dex", "animal handling": "wis", "arcana": "int", "athletics": "str", "deception": "cha", "history": "int",
    "insight": "wis", "intimidation": "cha", "investigation": "int", "medicine": "wis", "nature": "int", "perception": "wis",
    "performance": "cha", "persuasion": "cha", "religion": "int", "sleight of hand": "dex", "stealth": "dex", "survival": "wis",
}  # fmt: skip
_TITLES: Final = re.compile(r"^(?:the|lord|lady|king|queen|sir|baron|count|captain)\s+", re.IGNORECASE)


def rating_of(record: Mapping[str, Any]) -> str:
    """Return the challenge rating of a creature, as text."""
    rating = record.get("cr")
    return as_text(rating.get("cr") if isinstance(rating, dict) else rating).strip()


def proficiency_of(rating: str) -> int:
    """Return the proficiency bonus of a challenge rating."""
    whole = as_int(rating) if "/" not in rating else 0
    return 2 + max(0, (whole or 0) - 1) // 4


class Formulas:
    """Calculates the values of variables and formulas for a creature's record."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._record = record

    def modifier(self, ability: str) -> int:
        """Return the modifier of an ability, or 0 if the creature has no such score."""
        score = as_int(self._record.get(ability))
        return 0 if score is None else (score - 10) // 2

    def known(self, field: str) -> tuple[str, ...]:
        """Return the names of all saves or skills."""
        return ABILITIES if field == "save" else tuple(_OF_SKILLS)

    def bonus(self, field: str, name: str, times: int) -> int | None:
        """Return a save or skill bonus with `times` the proficiency bonus, or None for an unknown save or skill."""
        ability = name if field == "save" and name in ABILITIES else _OF_SKILLS.get(name, "")
        if not ability:
            return None
        return self.modifier(ability) + times * proficiency_of(rating_of(self._record))

    def filled(self, text: str) -> str:
        """Return a text with its variables filled in. Unknown variables stay."""
        return _VARIABLE.sub(self._value, text)

    def calculated(self, formula: str) -> int | None:
        """Calculate a formula of sums and products. Return None for any other formula."""
        text = self.filled(formula).replace("(", " ").replace(")", " ")
        if not _SUM.fullmatch(text):
            return None
        return sum(
            (-1 if sign == "-" else 1) * int(term) * int(times or 1) for sign, term, times in _TERM.findall(text)
        )

    def _value(self, match: re.Match[str]) -> str:
        name, _, about = match[1].partition("__")
        bonus = proficiency_of(rating_of(self._record))
        modifier = self.modifier(about)
        short = as_mapping(self._record).get("shortName")
        full_name = as_text(self._record.get("name"))
        shortened = (
            short
            if isinstance(short, str)
            else full_name
            if short is True
            else _TITLES.sub("", full_name).partition(",")[0].partition("(")[0].strip()
        )
        values = {
            "name": full_name,
            "short_name": shortened,
            "title_short_name": shortened.title(),
            "title_name": full_name.title(),
            "pb": str(bonus),
            "dc": str(8 + modifier + bonus),
            "spell_dc": str(8 + modifier + bonus),
            "to_hit": f"{modifier + bonus:+d}",
            "damage_mod": f" {'+' if modifier > 0 else '-'} {abs(modifier)}" if modifier else "",
            "mod": str(modifier),
        }
        if name == "damage_avg":
            return match[0]
        return values.get(name, match[0])
