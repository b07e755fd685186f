"""Replaces commands in prose by the numbers of their item: `[[/attack extended]]`, `[[/save]]`.

Everything else in double brackets is left to the reader of plain text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from turnwright.storage.importers.foundry.formulas import FormulaEvaluator
from turnwright.storage.statblock_text.header_lines import ABILITIES

_COMMAND = re.compile(
    r"\[\[(/attack|/damage|/save|/heal|/healing|lookup)\b([^\[\]]{0,200}+)\]\](?:\{([^{}]{0,100}+)\})?(\s+damage\b)?"
)
_DAMAGE = re.compile(r"^[\s\d+\-*/d@\w.()]*\d[\s\d+\-*/d@\w.()]*$")
_FULL: Final = {
    "str": "Strength", "dex": "Dexterity", "con": "Constitution", "int": "Intelligence", "wis": "Wisdom", "cha": "Charisma",
}  # fmt: skip
_WORDS: Final = frozenset({"extended", "average", "lowercase", "secret", "activity", "type", "format", "and", "or"})


def expand_inline_commands(html: str, known: Mapping[str, Any], name: str, formulas: FormulaEvaluator) -> str:
    """Return prose with its commands replaced by numbers of the item; `name` is the creature's."""
    if "[[" not in html:
        return html
    return _COMMAND.sub(lambda found: _shown(found, known, name, formulas), html)


def _shown(found: re.Match[str], known: Mapping[str, Any], name: str, formulas: FormulaEvaluator) -> str:
    said = _command_text(found, known, name, formulas)
    return said if said.endswith("damage") else f"{said}{found[4] or ''}"


def _command_text(found: re.Match[str], known: Mapping[str, Any], name: str, formulas: FormulaEvaluator) -> str:
    command, rest = found[1], found[2].strip()
    words = rest.split()
    if command == "lookup":
        if "@name" in words:
            return name.lower() if "lowercase" in words else name
        number = formulas.number(words[0]) if words else None
        return str(number) if number is not None else found[3] or ""
    if command == "/attack":
        return _attack(known, extended="extended" in words or "format=extended" in words)
    if command == "/save":
        return _save(words, known)
    if command in ("/heal", "/healing"):
        return " ".join(word for word in words if word not in _WORDS and "=" not in word)
    return _damage(words, known, formulas)


def _attack(known: Mapping[str, Any], *, extended: bool) -> str:
    bonus = known.get("attack")
    if bonus is None:
        return ""
    if not extended:
        return f"{bonus:+d} to hit"
    far = f"range {known['range']} ft." if known.get("range") else ""
    near = f"reach {known['reach']} ft." if known.get("reach") else ""
    kind = "Spell" if "spell" in known.get("properties", ()) else "Weapon"
    way = "Melee or Ranged" if near and far else "Ranged" if far else "Melee"
    return f"{way} {kind} Attack: {bonus:+d} to hit, {' or '.join(part for part in (near, far) if part)}".rstrip(", .")


def _save(words: list[str], known: Mapping[str, Any]) -> str:
    pairs = dict(word.split("=", 1) for word in words if "=" in word)
    ability = (
        pairs.get("ability")
        or next((word for word in words if word[:3].lower() in ABILITIES), "")
        or known.get("save", "")
    )
    dc = pairs.get("dc") or next((word for word in words if word.isdecimal()), "") or known.get("dc", "")
    said = f"{f'DC {dc} ' if dc else ''}{_FULL.get(str(ability)[:3].lower(), '')}".strip()
    return f"{said} saving throw" if pairs.get("format") == "long" else said


def _damage(words: list[str], known: Mapping[str, Any], formulas: FormulaEvaluator) -> str:
    own = [word for word in words if word not in _WORDS and "=" not in word]
    formula = " ".join(word for word in own if _DAMAGE.match(word))
    if formula:
        amount = formulas.amount(formula)
        kinds = [word for word in own if word.isalpha()]
        said = _average(f"{amount.text if amount else formula} {' '.join(kinds)}".strip())
    else:
        dealt = known.get("two_handed" if "attackMode=twoHanded" in words else "damage") or known.get("save_damage", "")
        said = " plus ".join(_average(part) for part in str(dealt).split(" + ") if part)
    return f"Hit: {said}" if said and "extended" in words else said


def _average(part: str) -> str:
    """Return `12 (2d8 + 3) piercing damage` for `2d8+3 piercing`."""
    dice, _, kind = part.partition(" ")
    shown = re.sub(r"([+-])(?=\d+$)", r" \1 ", dice)
    average = sum(int(c or 1) * (int(s) + 1) for c, s in re.findall(r"(\d*)d(\d+)", dice))
    flat = sum(int(n) for n in re.findall(r"[+-]\d+$", dice)) if "d" in dice else int(dice) if dice.isdecimal() else 0
    words = f"{kind} damage".strip()
    return f"{max(average // 2 + flat, 0)} ({shown}) {words}" if "d" in dice else f"{dice} {words}"
