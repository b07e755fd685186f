"""Removes numbers from an action if its prose says that they apply later, or only after a hit.

Some stat block formats list an action's damage and save without their timing: `Swallow` deals damage at the start of
later turns, and the save of a kick follows a hit. If the prose mentions one of the creature's attacks, the action gets
the attack's numbers, and the save follows its hit. Conditions that depend on another save, or on another option of an
action, aren't applied to targets that fail the first save.
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
    """Return a stat block's features without the numbers that apply after an action's use."""
    return tuple(_timely(feature, features) if _is_read(feature) else feature for feature in features)


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
    if lasting and all(_HITS.search(sentence) for sentence in sentences if lasting[0] in sentence.replace(" ", "")):
        feature = _without(feature, ("ongoing",))
    dice = _DICE.search(feature.damage)
    if dice and (
        _is_of_a_second(feature.text, dice[0])
        or _comes_later([sentence for sentence in sentences if dice[0] in sentence.replace(" ", "")])
    ):
        feature = _without(feature, ("damage", "half"))
    if feature.save and feature.dc:
        save_pattern = re.compile(rf"\bDC\s?{feature.dc}\b")
        if _comes_later([sentence for sentence in sentences if save_pattern.search(sentence)]):
            return _without(feature, _SAVE)
    attack = _on_hit(feature) if feature.save else None
    if attack is not None:
        return _with_attack(feature, features, attack)
    if "afflictions" in feature.read:
        afflictions = tuple(
            affliction for affliction in feature.afflictions if _is_of_its_save(feature, affliction.condition)
        )
        if len(afflictions) < len(feature.afflictions):
            feature = msgspec.structs.replace(feature, afflictions=afflictions)
    if feature.push and not _is_of_its_save(feature, "push"):
        feature = _without(feature, ("push",))
    return feature


def _is_of_its_save(feature: Feature, condition: str) -> bool:
    """Whether a condition depends on the feature's save, and not on another save or one of several options."""
    text = feature.text.lower()
    dice = _DICE.search(feature.damage)
    if dice and _WAYS.search(text):
        ways = [part for part in _WAY.split(text) if dice[0] in part]
        if ways and not any(condition in way for way in ways):
            return False
    at = text.find(condition)
    abilities = [_ABILITIES[match[1]] for match in _ASKED.finditer(text, 0, max(at, 0))]
    return not abilities or feature.save not in abilities or abilities[-1] == feature.save


def _is_of_a_second(text: str, dice: str) -> bool:
    """Whether the dice belong to the second part of a text with headings such as `First Roar. ... Second Roar.`."""
    first = _FIRST.search(text)
    second = text.find(f"Second {first[1]}", first.end()) if first else -1
    return 0 <= second < text.find(dice)


def _comes_later(sentences: Sequence[str]) -> bool:
    return bool(sentences) and all(_LATER.search(sentence) for sentence in sentences)


def _on_hit(feature: Feature) -> re.Match[str] | None:
    """Return the match of an attack in the prose if the save follows its hit, or None."""
    attack = _MAKES.search(feature.text)
    save = re.search(rf"\bDC\s?{feature.dc}\b", feature.text)
    if attack is None or save is None or attack.start() > save.start():
        return None
    return attack if _ON_HIT.search(feature.text, attack.end(), save.start()) else None


def _with_attack(feature: Feature, features: Sequence[Feature], match: re.Match[str]) -> Feature:
    """Convert a feature to the attack mentioned in its prose, with the save after a hit, or without a save."""
    named = (match["means"] or match["with"] or match["name"] or "").strip().lower()
    own = next(
        (
            candidate
            for candidate in features
            if candidate.attack is not None and _called(candidate) in (named, named.removesuffix("s"))
        ),
        None,
    )
    hit = _ON_HIT.search(feature.text, match.end())
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
