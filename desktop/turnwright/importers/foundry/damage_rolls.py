"""Sorts the dice of an action by timing: on a hit, on a failed save, as ongoing damage, or in other cases.

Foundry keeps all dice that an action may ever roll in one list. A second roll of the same type is for another use
(two-handed, bloodied) or is extra damage, and is reported. If the text contains the same dice, their sentence decides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import msgspec

_AGAIN = re.compile(
    r"at the (?:start|beginning|end) of|each time|(?:each|every|per) (?:round|turn|minute|hour|24)", re.IGNORECASE
)
_EXTRA_LABEL = re.compile(r"\b(?:extra|additional|bonus|sneak)\b", re.IGNORECASE)
_LATER = re.compile(r"at the (?:start|beginning|end) of each\b", re.IGNORECASE)
_EXTRA = re.compile(
    r"(?:\bextra|\badditional|\bor(?: instead)?|\bincreases? by|\bup to)\s+(?:\d+\s*\(\s*)?$", re.IGNORECASE
)
_LABEL = re.compile(
    r"swallow|bloodied|ongoing|extra|additional|bonus|sneak|surpris|charg|two[- ]hand|\b2h\b|versatile|\bmounted|"
    r"\bvs\.?\b|\bif\b|\bwhen\b|\bper\b|each (?:round|turn)",
    re.IGNORECASE,
)
_SAVED = re.compile(r"saving throw|on a failure|failed save|on a success", re.IGNORECASE)
_NORMAL = re.compile(r"\b(?:base|normal|default|one[- ]hand(?:ed)?|1h)\b", re.IGNORECASE)
_FLAT = re.compile(r"\s*([+\-\N{MINUS SIGN}\N{EN DASH}])\s*(\d{1,4})")
_HALF = re.compile(r"\bhal(?:f|ve|ves|ved|ving)\b", re.IGNORECASE)


class DamageRollPart(msgspec.Struct, frozen=True):
    """A computed damage roll of one type: its dice, flat bonus and label, and whether Foundry rolls it by default."""

    amount: str
    kind: str
    dice: str = ""
    flat: int = 0
    added: bool = False
    label: str = ""
    is_default: bool = True

    @property
    def text(self) -> str:
        """The damage as it is written: `2d6+3 fire`."""
        return f"{self.amount} {self.kind}".rstrip()

    @property
    def labelled(self) -> str:
        """The damage with its label: `Charge: 2d6 fire`."""
        return f"{self.label}: {self.text}" if self.label else self.text


class DamageByTiming(msgspec.Struct):
    """The damage of one action, grouped by timing."""

    hit: list[DamageRollPart] = []
    saved: list[DamageRollPart] = []
    ongoing: list[DamageRollPart] = []
    beside: list[DamageRollPart] = []


def sort_damage(
    rolls: Sequence[DamageRollPart], prose: str, on_save: str, *, save: bool, other_features: Collection[str] = ()
) -> DamageByTiming:
    """Sort the damage rolls of an action by timing.

    `on_save` is the text about a successful save; `other_features` are the names of the creature's other features.
    """
    by_timing = DamageByTiming()
    rolls = sorted(rolls, key=lambda roll: not _NORMAL.search(roll.label) or bool(_LABEL.search(roll.label)))
    anything_usual = any(roll.is_default for roll in rolls)
    for number, roll in enumerate(rolls):
        place = _place(roll, prose, usual=roll.is_default if anything_usual else not number)
        if place == "hit" and by_timing.hit:
            if roll.label.lower() in other_features and not (save and _HALF.search(on_save)):
                place = "saved" if save else "beside"
            elif save and ((roll.kind and roll.kind in on_save.lower()) or _half_of(roll, prose)):
                place = "saved"
        if place in ("hit", "saved") and (choice := _choice(getattr(by_timing, place), roll, prose)) is not None:
            getattr(by_timing, place)[choice] = msgspec.structs.replace(getattr(by_timing, place)[choice], kind="")
            continue
        same = [
            other
            for other in (*by_timing.hit, *by_timing.saved)
            if other.kind == roll.kind or (other.added and roll.added)
        ]
        if place in ("hit", "saved") and same:
            place = "beside"
        getattr(by_timing, place).append(roll)
    return by_timing


def _place(roll: DamageRollPart, prose: str, *, usual: bool) -> str:
    at = position_in_prose(prose, roll)
    if at < 0:
        return "hit" if usual and not _LABEL.search(roll.label) else "beside"
    start, end = prose.rfind(". ", 0, at) + 1, prose.find(". ", at)
    after = re.split(r"[.,;:]", prose[at : at + 100], maxsplit=1)[0]
    if "ongoing" in after[:30].lower():
        return "ongoing"
    if _EXTRA.search(prose[max(0, at - 40) : at]) or _AGAIN.search(after):
        return "beside"
    return "saved" if _SAVED.search(prose[start : end if end > 0 else len(prose)]) else "hit"


def position_in_prose(prose: str, roll: DamageRollPart) -> int:
    """Return the position of the same dice and flat bonus in a text, or -1 if the text doesn't contain them."""
    at = prose.find(roll.dice) if roll.dice else -1
    while at >= 0:
        added = _FLAT.match(prose, at + len(roll.dice))
        flat = int(added[2]) * (1 if added[1] == "+" else -1) if added else 0
        if flat == roll.flat and not prose[at - 1 : at].isdecimal():
            return at
        at = prose.find(roll.dice, at + 1)
    return -1


def is_extra(prose: str, roll: DamageRollPart) -> bool:
    """Return whether a roll is extra damage, according to its label or the text."""
    if _EXTRA_LABEL.search(roll.label):
        return True
    at = position_in_prose(prose, roll)
    return at >= 0 and re.search(r"\b(?:extra|additional)\s+(?:\d+\s*\(\s*)?$", prose[max(0, at - 40) : at]) is not None


def is_dealt_later(prose: str, roll: DamageRollPart) -> bool:
    """Whether a roll is dealt at the start or end of later turns, according to the text."""
    at = position_in_prose(prose, roll)
    return at >= 0 and _LATER.search(re.split(r"[.;:]", prose[at : at + 100], maxsplit=1)[0]) is not None


def _choice(there: Sequence[DamageRollPart], roll: DamageRollPart, prose: str) -> int | None:
    """Return the index of an equal roll if the text offers a choice between its type and this roll's, or None."""
    for at, other in enumerate(there):
        if other.amount == roll.amount and (
            f"{other.kind} or {roll.kind}" in prose.lower() or f"{roll.kind} or {other.kind}" in prose.lower()
        ):
            return at
    return None


def _half_of(roll: DamageRollPart, prose: str) -> bool:
    """Return whether a text without numbers states that a save halves damage of this type."""
    return bool(roll.kind) and bool(
        re.search(
            rf"half (?:\w+ ){{0,5}}{re.escape(roll.kind)} damage|{re.escape(roll.kind)} damage[^.]{{0,200}} half",
            prose,
            re.IGNORECASE,
        )
    )
