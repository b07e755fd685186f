"""Reads the brackets after a feature's name: recharge, number of uses, and cost.

Other text (`Bear Form Only`, `While Bloodied`, a spell's level) stays in the name and is also returned as `rest`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import msgspec

from turnwright.encounter.prepared import UsesPeriod

_LONGEST: Final = 300  # longer texts are not names, and are not read
_GROUP = re.compile(r"\s*[(\[]([^()\[\]]*+)(?:[)\]]|$)")
_RECHARGE = re.compile(
    r"recharges?(?: on)?(?: an?)?\s*:?\s*(?:roll of\s*)?(?P<face>[2-6])(?:\s*(?:[-\u2010-\u2015\u2212+]|to|or)\s*6|\+)?",
    re.IGNORECASE,
)
_RESTED = re.compile(
    r"recharges?\s+(?:after|on|with)\s+(?:finishing\s+)?(?:an?\s+)?(?P<rest>(?:short or long|short|long)?\s*rest)",
    re.IGNORECASE,
)
_USES = re.compile(
    r"(?P<uses>\d{1,3})\s*(?:/|per\s+|times?\s+(?:a|per)\s+|uses?\s*(?:/|a|per)\s*)\s*"
    r"(?P<per>short or long rest|short rest|long rest|rest|day|dawn|week|hour|minute|encounter|combat|round|turn)"
    r"(?:\s+each)?",
    re.IGNORECASE,
)
_COSTS = re.compile(
    r"costs?\s+(?P<price>\d{1,2})(?:\s+(?:legendary\s+)?actions?)?|(?P<count>\d{1,2})\s+(?:legendary\s+)?actions?",
    re.IGNORECASE,
)
_PER: Final[dict[str, UsesPeriod]] = {
    "short or long rest": "rest",
    "short rest": "rest",
    "rest": "rest",
    "long rest": "long-rest",
    "dawn": "day",
    "combat": "encounter",
}


class FeatureName(msgspec.Struct, frozen=True):
    """A feature's name without the numbers in brackets. Missing numbers are 0, except `price`, which is 1.

    `rest` is other text in brackets, which also stays in the name.
    """

    name: str
    recharge: int = 0
    uses: int = 0
    per: UsesPeriod = "day"
    price: int = 1
    rest: str = ""


def read_feature_name(name: str) -> FeatureName:
    """Return a feature's name and the numbers in the brackets after it."""
    name = name.strip().rstrip(":.").rstrip()
    if ("(" not in name and "[" not in name) or len(name) > _LONGEST:
        return FeatureName(name)
    return _read(name)


def read_usage(text: str) -> FeatureName:
    """Return the numbers in a separate usage text (`Recharge 5-6`, `(2/Day)`). The name only contains other text."""
    text = text.strip()
    return read_feature_name(text if text[:1] in "([" else f"({text})") if text else FeatureName("")


@lru_cache(maxsize=2048)
def _read(name: str) -> FeatureName:
    parts: list[str] = []
    figures: dict[str, object] = {}
    rest: list[str] = []
    at = 0
    for group in _GROUP.finditer(name):
        parts.append(name[at : group.start()])
        at = group.end()
        remaining = _left_of(group[1], figures)
        if remaining:
            rest.append(remaining)
            parts.append(f" ({remaining})")
    parts.append(name[at:])
    whole = " ".join("".join(parts).split())
    return FeatureName(whole, rest="; ".join(rest), **figures)  # type: ignore[arg-type]  # as _figures has read them


def _left_of(text: str, figures: dict[str, object]) -> str:
    """Read the numbers in brackets, and return the remaining text."""
    numbers = _figures(text.strip())
    if numbers:
        figures.update(numbers)
        return ""
    remaining: list[str] = []
    for part in re.split(r"([,;])", text):
        read = _figures(part.strip())
        if read and not read.keys() & figures.keys():
            figures.update(read)
        else:
            remaining.append(part)
    return re.sub(r"^[\s,;]++|[\s,;]++$", "", "".join(remaining)) if remaining else ""


def _figures(text: str) -> dict[str, object]:
    """Return the numbers in a phrase, or an empty dict if the phrase as a whole isn't understood."""
    if not text:
        return {}
    if match := _RECHARGE.fullmatch(text):
        return {"recharge": int(match["face"])}
    if match := _USES.fullmatch(text):
        per = match["per"].lower()
        return {"uses": int(match["uses"]), "per": _PER.get(per, per)}
    if match := _COSTS.fullmatch(text):
        return {"price": int(match["price"] or match["count"])}
    if match := _RESTED.fullmatch(text):
        return {"uses": 1, "per": "long-rest" if match["rest"].lower().startswith("long") else "rest"}
    return {}
