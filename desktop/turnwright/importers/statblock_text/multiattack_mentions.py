"""Finds the features mentioned in a sentence of a multiattack, with their counts and conjunctions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from turnwright.importers.statblock_text.numbers import NUMBERS

_WORD = re.compile(r"[a-z][a-z'\N{RIGHT SINGLE QUOTATION MARK}\-]*|\d+|[,;:]|\s\s+")
_JOINTS: Final = frozenset({",", ";"})
_GENERIC: Final = frozenset({"melee", "ranged", "weapon", "spell"})

_LATER: Final = frozenset({"legendary", "lair"})  # these features only match if no other has the name
_WHOSE: Final = frozenset({"its", "their", "his", "her"})
_NO_FEATURES: Final = frozenset({
    "turn", "turns", "reach", "action", "actions", "multiattack", "choice", "next", "attack", "attacks", "space", "speed",
    "control", "own", "two", "three", "other", "bonus", "legendary", "weapon", "weapons",
})  # fmt: skip

Names = dict[str, list[tuple[tuple[str, ...], int]]]


class MentionableFeature(NamedTuple):
    """The properties of a feature that matter when a multiattack mentions it."""

    name: str
    cost: str
    has_attack: bool
    is_melee: bool
    is_ranged: bool
    is_spell: bool


class Mention(msgspec.Struct):
    """A mention of features, of which `count` are used in total.

    `has_own_count`: the count belongs to this mention only. `shares_count`: the count is the total in `two attacks
    with …`.
    """

    count: int
    candidates: list[int]
    joiner: str
    has_own_count: bool
    shares_count: bool = False


def names_by_first_word(features: Sequence[MentionableFeature]) -> Names:
    """Group the features that can be mentioned by the first word of their names, longest names first."""
    names: Names = {}
    later: list[tuple[tuple[str, ...], int]] = []
    for at, feature in enumerate(features):
        if not feature.cost or (feature.cost == "trait" and not feature.has_attack and "pell" not in feature.name):
            continue
        words = _called(feature.name)
        if feature.cost in _LATER:
            later.append((words, at))
        elif words and not any(words == other for other, _ in names.get(words[0], ())):
            names.setdefault(words[0], []).append((words, at))
            noun = _called(feature.name.partition(",")[0])
            if len(noun) < len(words) and not any(noun == other for other, _ in names.get(noun[0], ())):
                names[noun[0]].append((noun, at))
    for words, at in later:
        if words and words[0] not in names:
            names[words[0]] = [(words, at)]
    last: dict[str, list[int]] = {}
    for entries in list(names.values()):
        for words, at in entries:
            if len(words) > 1 and features[at].has_attack:
                last.setdefault(words[-1], []).append(at)
    for word, places in last.items():
        if len(places) == 1 and word not in names and word not in _NO_FEATURES:
            names[word] = [((word,), places[0])]
    for entries in names.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return names


@lru_cache(maxsize=2048)
def _called(name: str) -> tuple[str, ...]:
    """Return the words of a name, without text in brackets."""
    return tuple(_stem(word) for word in _WORD.findall(name[:200].partition("(")[0].lower()) if word[0].isalpha())


def _stem(word: str) -> str:
    plain = word.replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")
    return plain[:-1] if len(plain) > 3 and plain[-1] == "s" and plain[-2] != "s" else plain


def mentions_in(sentence: str, names: Names, features: Sequence[MentionableFeature]) -> list[Mention]:
    """Return the mentions in a lower-case sentence, in order."""
    words = _WORD.findall(sentence)
    items: list[Mention] = []
    number, joint, total, loose, shared = 0, "", 0, False, False
    at = 0
    while at < len(words):
        word = words[at]
        here = _named(words, at, names)
        if here is not None:
            length, who = here
            after = _times(words, at + length)
            count = after or number
            if not count and joint == "or" and items:
                while len(items) > 1 and items[-1].joiner == "," and not items[-1].has_own_count:
                    items[-2].candidates += items.pop().candidates
                items[-1].candidates.append(who)
            else:
                items.append(Mention(count or 1, [who], joint, has_own_count=bool(count), shares_count=loose))
                shared = shared or not count
            number, joint, loose = 0, "", False
            at += length
            continue
        if word in _GENERIC or word in ("attack", "attacks"):
            kind = word if word in _GENERIC else ""
            loose = number > 0
            step = at + 1 if kind else at
            ends = _ends(words[step + 1 : step + 3])
            if number and words[step : step + 1] in (["attacks"], ["attack"]) and ends and words[at - 1] in NUMBERS:
                candidates = candidates_for(kind, features)
                if candidates:
                    items.append(Mention(number, candidates, joint, has_own_count=True))
                    number, joint = 0, ""
                    at = step + 1
                    continue
        if word in NUMBERS or word.isdecimal():
            number = NUMBERS.get(word) or min(int(word[:4]), 100)
            total = total or number
        elif word == "or":
            joint = "or"
        elif word in ("and", "then", "plus"):
            joint = "and" if joint != "or" else joint
        elif word in _JOINTS or word.isspace():
            joint = joint or ","
        at += 1
    if not items and total > 0 and words[-1] not in _JOINTS and "attacks" in words:
        candidates = candidates_for("", features)
        return [Mention(total, candidates, "", has_own_count=True)] if candidates else []
    if "combination" in words and items and total:
        candidates = list(dict.fromkeys(at for item in items for at in item.candidates))
        return [Mention(total, candidates, "", has_own_count=True)]
    return _shared(items, total) if shared else items


def names_others(sentence: str, names: Names) -> bool:
    """Whether a lower-case sentence mentions something that belongs to the creature but isn't one of its features."""
    words = _WORD.findall(sentence)
    return any(
        word in _WHOSE and words[at + 1] not in _NO_FEATURES and _named(words, at + 1, names) is None
        for at, word in enumerate(words[:-1])
    )


def _ends(words: Sequence[str]) -> bool:
    """Whether `two attacks` isn't followed by a feature, but by nothing, `or one …` or `, and …`."""
    if not words or words[0] in ("or", "and", "then"):
        return True
    if words[0] not in _JOINTS and not words[0].isspace():
        return False
    return len(words) == 1 or words[1] in NUMBERS or words[1] in ("or", "and", "then", "uses")


def _shared(items: list[Mention], total: int) -> list[Mention]:
    """Share a total between mentions: `two attacks with its bite and claws` means one of each."""
    first, *others = items
    if (
        first.has_own_count
        and first.shares_count
        and first.count == total == len(items)
        and not any(item.has_own_count or len(item.candidates) > 1 for item in others)
    ):
        for item in items:
            item.count = 1
    return items


def _named(words: Sequence[str], at: int, names: Names) -> tuple[int, int] | None:
    """Return the length in words of the feature name at a position, and the feature's index, or None."""
    for phrase, who in names.get(_stem(words[at]), ()):
        if len(phrase) == 1 or tuple(_stem(word) for word in words[at : at + len(phrase)]) == phrase:
            return len(phrase), who
    return None


def _times(words: Sequence[str], at: int) -> int:
    """Return the number after a name, such as `twice` or `three times`, or 0."""
    word = words[at] if at < len(words) else ""
    if word in ("once", "twice", "thrice"):
        return NUMBERS[word]
    return NUMBERS.get(word, 0) if at + 1 < len(words) and words[at + 1] == "times" else 0


def candidates_for(kind: str, features: Sequence[MentionableFeature]) -> list[int]:
    """Return the indexes of the attacks that match `melee`, `ranged`, `spell` or another word."""
    return [
        at
        for at, feature in enumerate(features)
        if feature.has_attack
        and feature.cost == "action"
        and "pellcasting" not in feature.name
        and {
            "melee": feature.is_melee,
            "ranged": feature.is_ranged,
            "spell": feature.is_spell,
            "weapon": not feature.is_spell,
        }.get(kind, True)
    ]
