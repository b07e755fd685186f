"""Removes numbers from an action if its prose says that they apply later, or only after a hit.

Some stat block formats list an action's damage and save without their timing: `Swallow` deals damage at the start of
later turns, and the save of a kick follows a hit. If the prose mentions one of the creature's attacks, the action gets
the attack's numbers, and the save follows its hit. Conditions that depend on another save, or on another option of an
action, aren't applied to targets that fail the first save.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.importers.vocabulary import Patterns, terms

_COSTS: Final = frozenset({"action", "bonus", "free", "legendary"})
_MAX_LENGTH: Final = 4_000
_ABILITIES: Final[Mapping[str, str]] = terms("prose_timely_figures", "abilities")
_RE: Final = Patterns("prose_timely_figures", abilities="|".join(_ABILITIES))
_SAVE: Final = ("save", "dc", "half", "afflictions", "push", "save_damage", "damage", "ongoing")
_ATTACK: Final = ("attack", "reach", "range", "damage", "ability", "proficient", "magic", "other_damage")
_PLAIN: Final = Feature("a", "a")


def with_timely_figures(features: tuple[Feature, ...]) -> tuple[Feature, ...]:
    """Return a stat block's features without the numbers that apply after an action's use."""
    return tuple(_timely(feature, features) if _is_read(feature) else feature for feature in features)


def _is_read(feature: Feature) -> bool:
    has_figures = feature.attack is None and bool(feature.damage or feature.save or feature.ongoing)
    is_spell = feature.level is not None or "spell" in feature.properties
    is_own = feature.cost in _COSTS and not feature.trigger
    return has_figures and is_own and not is_spell and len(feature.text) <= _MAX_LENGTH


def _timely(feature: Feature, features: Sequence[Feature]) -> Feature:
    swallows = _RE.makes.search(feature.text) if feature.ongoing_while else None
    if swallows and _RE.on_hit.search(feature.text, swallows.end()):
        return _with_attack(_without(feature, ("save", "dc", "half", "save_damage", "damage")), features, swallows)
    sentences = _RE.sentences.split(feature.text)
    lasting = _RE.dice.search(feature.ongoing) if not feature.save and _RE.makes.search(feature.text) else None
    if lasting and all(_RE.hits.search(sentence) for sentence in sentences if lasting[0] in sentence.replace(" ", "")):
        feature = _without(feature, ("ongoing",))
    dice = _RE.dice.search(feature.damage)
    dealing = [sentence for sentence in sentences if dice and dice[0] in sentence.replace(" ", "")]
    if _comes_later(dealing) or (dice and _is_of_a_second(feature.text, dice[0])):
        feature = _without(feature, ("damage", "half"))
    if feature.save and feature.dc:
        save_pattern = re.compile(rf"\bDC\s?{feature.dc}\b")
        if _comes_later([sentence for sentence in sentences if save_pattern.search(sentence)]):
            return _without(feature, _SAVE)
    attack = _on_hit(feature) if feature.save else None
    if attack is not None:
        return _with_attack(feature, features, attack)
    if "afflictions" in feature.read:
        afflictions = tuple(one for one in feature.afflictions if _is_of_its_save(feature, one.condition))
        feature = msgspec.structs.replace(feature, afflictions=afflictions)
    if feature.push and not _is_of_its_save(feature, "push"):
        feature = _without(feature, ("push",))
    return feature


def _is_of_its_save(feature: Feature, condition: str) -> bool:
    """Whether a condition depends on the feature's save, and not on another save or one of several options."""
    text = feature.text.lower()
    dice = _RE.dice.search(feature.damage)
    if dice and _RE.ways.search(text):
        ways = [part for part in _RE.way.split(text) if dice[0] in part]
        if ways and not any(condition in way for way in ways):
            return False
    at = text.find(condition)
    abilities = [_ABILITIES[match[1]] for match in _RE.asked.finditer(text, 0, max(at, 0))]
    return not abilities or feature.save not in abilities or abilities[-1] == feature.save


def _is_of_a_second(text: str, dice: str) -> bool:
    """Whether the dice belong to the second part of a text with headings such as `First Roar. ... Second Roar.`."""
    first = _RE.first.search(text)
    second = text.find(f"Second {first[1]}", first.end()) if first else -1
    return 0 <= second < text.find(dice)


def _comes_later(sentences: Sequence[str]) -> bool:
    return bool(sentences) and all(_RE.later.search(sentence) for sentence in sentences)


def _on_hit(feature: Feature) -> re.Match[str] | None:
    """Return the match of an attack in the prose if the save follows its hit, or None."""
    attack = _RE.makes.search(feature.text)
    save = re.search(rf"\bDC\s?{feature.dc}\b", feature.text)
    if attack is None or save is None or attack.start() > save.start():
        return None
    return attack if _RE.on_hit.search(feature.text, attack.end(), save.start()) else None


def _with_attack(feature: Feature, features: Sequence[Feature], match: re.Match[str]) -> Feature:
    """Convert a feature to the attack mentioned in its prose, with the save after a hit, or without a save."""
    named = (match["means"] or match["with"] or match["name"] or "").strip().lower()
    attacks = ((one, one.name.partition("(")[0].strip().lower()) for one in features if one.attack is not None)
    own = next((one for one, name in attacks if name.removesuffix("s") in (named, named.removesuffix("s"))), None)
    hit = _RE.on_hit.search(feature.text, match.end())
    if own is None or hit is None or hit["critical"] or _RE.several.search(feature.text):
        return _without(feature, _SAVE)
    changes = {name: getattr(own, name) for name in _ATTACK}
    if far := _RE.reaches.search(feature.text):
        changes["reach"] = int(far[1])
    changed = (name for name, value in changes.items() if value != getattr(_PLAIN, name))
    read = tuple(dict.fromkeys((*feature.read, *changed)))
    return msgspec.structs.replace(feature, **changes, half=False, read=read)


def _without(feature: Feature, fields: Sequence[str]) -> Feature:
    changes: dict[str, Any] = {name: getattr(_PLAIN, name) for name in fields}
    read = tuple(name for name in feature.read if name not in changes)
    return msgspec.structs.replace(feature, **changes, read=read)
