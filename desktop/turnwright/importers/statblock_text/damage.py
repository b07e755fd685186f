"""Converts damage such as `12 (2d6 + 5) bludgeoning damage plus 3 (1d6) fire damage` to a dice expression.

A part that only applies sometimes (`… if the roll had advantage`) or later (`… at the start of its turns`) is left out.
If there is a choice of types (`radiant or necrotic`), the dice have no type.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import msgspec

from turnwright.encounter.bounds import dice_problem
from turnwright.encounter.prepared import OtherDamage

TYPES: Final = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic", "radiant",
    "slashing", "thunder",
)  # fmt: skip
_KNOWN: Final = frozenset(TYPES)
_WORDS = (
    rf"(?:(?:{'|'.join(TYPES)}|or|and|magical|nonmagical|magic|ongoing|extra|additional|silvered|weapon|bonus)[,/]?\s+)"
)
DICE = r"\d{0,3}\s?d\d{1,4}(?:\s*[+\-\u2212\u2013]\s*(?:-?\d{1,4}(?:d\d{1,4})?))*"
PART = (
    rf"(?:(?P<flat>\d{{1,4}})(?:\s*\(\s*(?P<dice>{DICE})\s*\))?|(?P<bare>{DICE}))\s+"
    rf"(?P<words>{_WORDS}*+)(?:damage\b|(?=plus\s+\d))"
)
_PART = re.compile(PART, re.IGNORECASE)
_LINK = re.compile(
    r"[,;]?\s*(?:\b|(?<=\W))(?:plus|and)\s+(?:it\s+takes\s+)?(?:(?:an?\s+)?(?:extra|additional)\s+)?(?=\d)",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    r"\s*[,;]?\s*(?:(?:if|while|when|whenever|unless|only|for\s+each|per|against|instead)\b"
    r"|(?:at\s+the\s+(?:start|end|beginning)|each\s+(?:round|turn|time|minute|hour|day)|every)\b)",
    re.IGNORECASE,
)
_OTHER = re.compile(rf"[,;\u2014\u2013]?\s*\bor\s+(?:(?:{DICE}|\d+\s*\()|half\s+damage\s+if\b)", re.IGNORECASE)
_WITH: Final = r"(?:with|while|when|in|if)"
_INSTEAD = re.compile(
    rf"[,;\u2014\u2013]?\s*\bor\s+(?:(?P<flat>\d{{1,4}})\s*\(\s*(?P<dice>{DICE})\s*\)|(?P<bare>{DICE}))\s+"
    rf"(?P<words>{_WORDS}*+)damage\s+(?P<name>{_WITH}\s[^.,;()]{{3,90}}?)(?=[.,;]|\s+plus\s+\d|$)",
    re.IGNORECASE,
)
_GRIP = re.compile(
    r"(?:if|when)\s+(?:used|wielded)\s+with\s+two\s+hands(?:\s+to\s+make\s+a\s+melee\s+attack)?", re.IGNORECASE
)
_HALF_GONE = re.compile(
    r"(?:if|while|when)\s+(?:(?P<who>the\s+[\w' -]{1,40}?)\s+)?(?:is\s+)?"
    r"(?:bloodied|has\s+half\s+(?:of\s+)?its\s+hit\s+points\s+or\s+(?:fewer|less))",
    re.IGNORECASE,
)
_DASHES: Final = str.maketrans(dict.fromkeys("\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}", "-"))
MAX_PARTS: Final = 8
TWO_HANDS: Final = "with two hands"  # the name of the alternative damage of a versatile weapon
_TWO_HANDS = re.compile(r"[^.]{0,120}?\btwo\s+hands\b", re.IGNORECASE)
_BESIDE = re.compile(
    r"[^.;]{0,120}?(?:,\s+|\s\s+|\s*[\u2014\u2013]\s*)plus\s+(?:an?\s+(?:extra|additional)\s+)?(?=\d)", re.IGNORECASE
)


class ProseDamage(msgspec.Struct, frozen=True):
    """Damage read from prose: the immediate and the ongoing damage, remarks, and alternatives.

    `end` is the end of its text, and `parts` the number of its parts. `others` are alternatives, which replace all of
    the damage.
    """

    damage: str
    ongoing: str
    end: int
    parts: int
    remarks: tuple[str, ...] = ()
    others: tuple[OtherDamage, ...] = ()


def damage_at(text: str, start: int) -> ProseDamage | None:
    """Return the damage that begins exactly at `start`, or None if there is none."""
    match = _PART.match(text, start)
    return damage_from(text, match) if match else None


def damage_from(text: str, first_part: re.Match[str]) -> ProseDamage:
    """Return the damage that begins with the match `first_part`, including all following parts."""
    parts: list[str] = []
    ongoing = ""
    remarks: list[str] = []
    others: list[tuple[str, list[str]]] = []  # the parts so far, by name
    part: re.Match[str] | None = first_part
    number = 0
    while part is not None and number < MAX_PARTS:
        end = part.end()
        number += 1
        dice, kind, why = _read(part)
        ends = text[end : end + 1] in (".", "")
        if not ends and _LIMITED.match(text, end):
            remarks.append("conditional damage; kept as text only")
        elif "ongoing" in part["words"].lower():
            ongoing = f"{dice} {kind}".rstrip()
        else:
            parts.append(f"{dice} {kind}".rstrip())
            for _, dealt in others:
                dealt.append(parts[-1])
            remarks += [why] if why else []
        if ends:
            break
        link = _LINK.match(text, end)
        if link is None and len(parts) == 1 and (instead := _INSTEAD.match(text, end)):
            number += 1
            dice, kind, _ = _read(instead)
            others.append((_GRIP.sub(TWO_HANDS, " ".join(instead["name"].split())), [f"{dice} {kind}".rstrip()]))
            end = instead.end()
            link = _LINK.match(text, end)
        elif link is None and (other := _OTHER.match(text, end)):
            number += 1
            link = _BESIDE.match(text, other.end())
            remarks += [] if _TWO_HANDS.match(text, other.end()) else ["alternative damage; kept as text only"]
        part = _PART.match(text, link.end()) if link else None
    named = tuple(
        OtherDamage(name, _joined(dealt), _statement(name))
        for name, dealt in others
        if not dice_problem_in(_joined(dealt))
    )
    return ProseDamage(_joined(parts), ongoing, end, number, tuple(remarks), named)


def _statement(clause: str) -> str:
    """Convert a clause to a statement that rules can check, such as `bloodied`, or an empty string."""
    match = _HALF_GONE.fullmatch(clause)
    return "" if match is None else "target.bloodied" if (match["who"] or "").lower() == "the target" else "bloodied"


def _joined(parts: list[str]) -> str:
    return " + ".join(parts).replace("+ -", "- ")


def _read(part: re.Match[str]) -> tuple[str, str, str]:
    """Return the dice, the type and the remark of a part. The remark may be empty."""
    dice = part["dice"] or part["bare"] or part["flat"]
    words = part["words"].lower().replace(",", " ").replace("/", " or ").split() if part["words"] else []
    kinds = list(dict.fromkeys(word for word in words if word in _KNOWN))
    if len(kinds) == 1:
        return normalised_dice_text(dice), kinds[0], ""
    return normalised_dice_text(dice), "", "choice of damage types; set the type yourself" if kinds else ""


def normalised_dice_text(dice: str) -> str:
    """Return dice without spaces and unusual signs: `2d6+5`."""
    return "".join(dice.split()).lower().translate(_DASHES).replace("+-", "-").replace("--", "+")


_EXPRESSION_PART: Final = r"(?:[1-9]\d?d[1-9]\d{0,2}|\d{1,4})(?:[+-]\d{1,4}){0,2}(?: (?!adv|dis)[a-z]{4,20})?"


_PLAIN_EXPRESSION: Final = re.compile(rf"{_EXPRESSION_PART}(?: [+-] {_EXPRESSION_PART}){{0,4}}", re.ASCII)


@lru_cache(maxsize=2048)  # many records have the same dice
def dice_problem_in(text: str) -> str:
    """Return the error in a dice expression, or an empty string. Common expressions are accepted without parsing."""
    return "" if _PLAIN_EXPRESSION.fullmatch(text) else dice_problem(text)
