"""Leaves figures out of an action where its prose has them come later, or only with a hit.

A stat block's format lists damage and a save beside an action without saying when: `Swallow` hurts as later turns start, and
the save of a kick comes once the kick has hit. Dealt as the action is used they would be wrong. Where the
prose names an own attack, the action takes its figures, and the save comes with its hit. A condition that hangs on
another save, or on another of the ways of an action, isn't put on whoever fails the first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature

_COSTS: Final = frozenset({"action", "bonus", "free", "legendary"})
_MAX_LENGTH: Final = 4_000
_SENTENCES: Final = re.compile(r"(?<=[.;!?])\s+|\n")
_DICE: Final = re.compile(r"\d{1,3}d\d{1,3}")
_LATER: Final = re.compile(
    r"\bat the (?:start|beginning|end) of each of\b|\b(?:starts?|ends?) (?:its|their) turn (?:there|in|within)\b"
    r"|\bthat enters (?:this|the|that) area for the first time\b|\bif (?:it|the [a-z -]{1,30}) is bloodied\b"
    r"|\bthat succeeds on (?:the|its) saving throw takes\b|\bfor every \d{1,3} feet\b|\bfirst time an? [^.]{1,60} moves\b|\bdamage or more on a single turn\b",
    re.IGNORECASE,
)
_MAKES: Final = re.compile(
    r"\b(?:makes?|attempts?) (?:an?|one|its|their|his|her) (?P<name>[a-z' -]{1,40}?)?\s?(?:attack|strike)\b"
    r"(?: with (?:its|their|his|her|an?) (?P<with>[a-z' -]{1,40}?)(?=[.,]| against| at))?"
    r"|\battacks with (?:its|their|his|her|an?) (?P<means>[a-z' -]{1,40}?)(?=[.,]| against| at)",
    re.IGNORECASE,
)
_ON_HIT: Final = re.compile(
    r"\bon a (?P<critical>critical )?hit\b|\bif (?:this|that|the) (?:attack |strike )?hits\b"
    r"|\b(?:hit|struck|damaged) (?:by|with) this (?:attack|strike)\b",
    re.IGNORECASE,
)
_HITS: Final = re.compile(r"\bhits?\b", re.IGNORECASE)
_SEVERAL: Final = re.compile(r"\bagainst (?:each|every|any|all|up to)\b|\bstrides?\b|\bwhether or not\b", re.IGNORECASE)
_REACHES: Final = re.compile(r"\bwith an? (?:extended )?(?:range|reach) of (\d{1,3}) feet\b", re.IGNORECASE)
_WAYS: Final = re.compile(r"\b(?:in )?one of (?:two|three) ways\b|\bone of the following\b")
_FIRST: Final = re.compile(r"\bFirst ([A-Z][a-z]{2,20})\b")
_WAY: Final = re.compile(r"\u2022|\n")
_ABILITIES: Final = MappingProxyType({
    "strength": "str", "dexterity": "dex", "constitution": "con", "intelligence": "int", "wisdom": "wis",
    "charisma": "cha", "fortitude": "con", "reflex": "dex", "will": "wis",
})  # fmt: skip
_ASKED: Final = re.compile(rf"\bdc \d{{1,3}} (?:basic )?({'|'.join(_ABILITIES)})\b")
_SAVE: Final = ("save", "dc", "half", "afflictions", "push", "save_damage", "damage", "ongoing")
_ATTACK: Final = ("attack", "reach", "range", "damage", "ability", "proficient", "magic", "other_damage")
_PLAIN: Final = Feature("a", "a")


def with_timely_figures(features: tuple[Feature, ...]) -> tuple[Feature, ...]:
    """Return the features of a stat block, its actions without figures that come later than their use."""
    return tuple(_timely(one, features) if _is_read(one) else one for one in features)


def _is_read(feature: Feature) -> bool:
    return (
        feature.cost in _COSTS
        and bool(feature.damage or feature.save or feature.ongoing)
        and feature.attack is None
        and feature.level is None
        and not feature.trigger
        and "spell" not in feature.properties
        and len(feature.text) <= _MAX_LENGTH
    )


def _timely(feature: Feature, features: Sequence[Feature]) -> Feature:
    sentences = _SENTENCES.split(feature.text)
    lasting = _DICE.search(feature.ongoing) if not feature.save and _MAKES.search(feature.text) else None
    if lasting and all(_HITS.search(one) for one in sentences if lasting[0] in one.replace(" ", "")):
        feature = _without(feature, ("ongoing",))
    dice = _DICE.search(feature.damage)
    if dice and (
        _is_of_a_second(feature.text, dice[0])
        or _comes_later([one for one in sentences if dice[0] in one.replace(" ", "")])
    ):
        feature = _without(feature, ("damage", "half"))
    if feature.save and feature.dc:
        asked = re.compile(rf"\bDC\s?{feature.dc}\b")
        if _comes_later([one for one in sentences if asked.search(one)]):
            return _without(feature, _SAVE)
    found = _on_hit(feature) if feature.save else None
    if found is not None:
        return _with_attack(feature, features, found)
    if "afflictions" in feature.read:
        kept = tuple(one for one in feature.afflictions if _is_of_its_save(feature, one.condition))
        if len(kept) < len(feature.afflictions):
            feature = msgspec.structs.replace(feature, afflictions=kept)
    if feature.push and not _is_of_its_save(feature, "push"):
        feature = _without(feature, ("push",))
    return feature


def _is_of_its_save(feature: Feature, condition: str) -> bool:
    """Return whether a condition hangs on the save of its feature, not on another's, nor on another of several ways."""
    text = feature.text.lower()
    dice = _DICE.search(feature.damage)
    if dice and _WAYS.search(text):
        ways = [one for one in _WAY.split(text) if dice[0] in one]
        if ways and not any(condition in one for one in ways):
            return False
    at = text.find(condition)
    asked = [_ABILITIES[one[1]] for one in _ASKED.finditer(text, 0, max(at, 0))]
    return not asked or feature.save not in asked or asked[-1] == feature.save


def _is_of_a_second(text: str, dice: str) -> bool:
    """Return whether dice are of a second use or a further one, each with its own heading (`First Roar. ... Second Roar.`)."""
    first = _FIRST.search(text)
    second = text.find(f"Second {first[1]}", first.end()) if first else -1
    return 0 <= second < text.find(dice)


def _comes_later(sentences: Sequence[str]) -> bool:
    return bool(sentences) and all(_LATER.search(one) for one in sentences)


def _on_hit(feature: Feature) -> re.Match[str] | None:
    """Return where an attack of the prose is, on whose hit alone the save comes; None where there is none."""
    made = _MAKES.search(feature.text)
    asked = re.search(rf"\bDC\s?{feature.dc}\b", feature.text)
    if made is None or asked is None or made.start() > asked.start():
        return None
    return made if _ON_HIT.search(feature.text, made.end(), asked.start()) else None


def _with_attack(feature: Feature, features: Sequence[Feature], found: re.Match[str]) -> Feature:
    """Return a feature as the attack that its prose names, with the save that its hit brings, or without a save."""
    named = (found["means"] or found["with"] or found["name"] or "").strip().lower()
    own = next(
        (one for one in features if one.attack is not None and _called(one) in (named, named.removesuffix("s"))), None
    )
    hit = _ON_HIT.search(feature.text, found.end())
    if own is None or hit is None or hit["critical"] or _SEVERAL.search(feature.text):
        return _without(feature, _SAVE)
    changes = {name: getattr(own, name) for name in _ATTACK}
    if far := _REACHES.search(feature.text):
        changes["reach"] = int(far[1])
    read = tuple(
        dict.fromkeys((*feature.read, *(name for name, value in changes.items() if value != getattr(_PLAIN, name))))
    )
    return msgspec.structs.replace(feature, **changes, half=False, read=read)


def _called(feature: Feature) -> str:
    return feature.name.partition("(")[0].strip().lower().removesuffix("s")


def _without(feature: Feature, fields: Sequence[str]) -> Feature:
    changes: dict[str, Any] = {name: getattr(_PLAIN, name) for name in fields}
    read = tuple(name for name in feature.read if name not in changes)
    return msgspec.structs.replace(feature, **changes, read=read)
