"""Writes features of the 5e family as stat block text with all their numbers, for other programs and for readers.

If a feature's text already states all its numbers, it is kept. Otherwise the numbers are added before it, as in printed
stat blocks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.importers.statblock_text.feature_text import read_prose

STATED_FIELDS: Final = (
    "attack", "reach", "range", "damage", "save", "dc", "half", "save_damage", "ongoing", "area", "afflictions", "push",
    "other_damage",
)  # fmt: skip
ABILITIES: Final[Mapping[str, str]] = MappingProxyType({
    "str": "Strength", "dex": "Dexterity", "con": "Constitution",
    "int": "Intelligence", "wis": "Wisdom", "cha": "Charisma",
})  # fmt: skip
_ENDS: Final[Mapping[str, str]] = MappingProxyType({
    "turn-start": " until the start of its next turn",
    "turn-end": " until the end of its next turn",
    "owner-start": " until the start of the source's next turn",
    "owner-end": " until the end of the source's next turn",
})  # fmt: skip
_PART = re.compile(r"(?P<dice>[^ ]+)(?: (?P<kind>.+))?")
_SIGN = re.compile(r"[+-]")
_COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six")


def feature_text(feature: Feature, creature: Creature) -> str:
    """Return a feature's text with each of its numbers stated once."""
    own = feature.text.strip()
    numbers = _multiattack(feature, creature) if feature.multiattack else _figures(feature)
    if not numbers or not missing_in(own, feature):
        return own
    return f"{numbers} {own}".strip()


def missing_in(text: str, feature: Feature) -> tuple[str, ...]:
    """Return the names of the feature fields that the text doesn't state, or states differently."""
    if feature.multiattack:
        return () if text else ("multiattack",)
    numbers = read_prose(text).numbers if text else {}
    usual = Feature("", "")
    return tuple(
        name
        for name in STATED_FIELDS
        if _unspaced(numbers.get(name, getattr(usual, name))) != _unspaced(getattr(feature, name))
    )


def _unspaced(value: Any) -> Any:
    return value.replace(" ", "") if isinstance(value, str) else value


def _figures(feature: Feature) -> str:
    """Return the sentences for a feature's attack and saving throw."""
    if feature.attack is not None:
        return _attack(feature, feature.attack)
    if feature.save and feature.dc:
        return _save(feature)
    if feature.damage:
        return f"The target takes {damage_words(feature.damage)} damage."
    return ""


def _attack(feature: Feature, bonus: int) -> str:
    ways = [way for way, distance in (("Melee", feature.reach), ("Ranged", feature.range)) if distance] or ["Melee"]
    kind = "Spell" if "spell" in feature.properties else "Weapon"
    far = [f"reach {feature.reach} ft."] if feature.reach else []
    far += [f"range {feature.range} ft."] if feature.range else []
    head = f"{' or '.join(ways)} {kind} Attack: {bonus:+d} to hit, {' or '.join([*far, ''])[:-4] or 'reach 5 ft.'}, one target."
    befalls = _afflictions(feature.afflictions)
    hit = f"{damage_words(feature.damage)} damage" if feature.damage else ""
    hit += "".join(f", or {damage_words(other.damage)} damage {other.name}" for other in feature.other_damage)
    if feature.save and feature.dc:
        harm = feature.save_damage and f"take {damage_words(feature.save_damage)} damage"
        worse = " and ".join(each for each in (harm, befalls and f"be {befalls}") if each)
        throw = f"the target must succeed on a DC {feature.dc} {_ability(feature.save)} saving throw or {worse or 'be affected'}"
        hit = f"{hit}, and {throw}" if hit else throw
    elif befalls:
        hit = f"{hit}, and the target is {befalls}" if hit else f"the target is {befalls}"
    return f"{head} Hit: {hit}." if hit else head


def _save(feature: Feature) -> str:
    who = f"Each creature in a {feature.area}" if feature.area else "The target"
    throw = f"{who} must make a DC {feature.dc} {_ability(feature.save)} saving throw"
    befalls = _afflictions(feature.afflictions)
    if not feature.damage:
        return f"{throw.replace('must make a', 'must succeed on a')} or be {befalls}." if befalls else f"{throw}."
    words = f"{throw}, taking {damage_words(feature.damage)} damage on a failed save"
    words += ", or half as much damage on a successful one." if feature.half else "."
    return f"{words} On a failed save, the target is also {befalls}." if befalls else words


def _ability(id: str) -> str:
    return ABILITIES.get(id, id.title())


def _afflictions(afflictions: tuple[InflictedCondition, ...]) -> str:
    return " and ".join(
        affliction.condition
        + _ENDS.get(affliction.ends, "")
        + (f" (escape DC {affliction.escape_dc})" if affliction.escape_dc else "")
        for affliction in afflictions
    )


def damage_words(damage: str) -> str:
    """Return damage as worded in stat blocks: `7 (1d8 + 3) slashing plus 3 (1d6) fire`."""
    words = []
    for part in re.split(r" \+ (?=\d)", damage):
        match = _PART.fullmatch(part)
        dice, kind = (match["dice"], match["kind"] or "") if match else (part, "")
        words.append(f"{_average(dice)} {kind}".strip())
    return " plus ".join(words)


def _average(dice: str) -> str:
    """Return the average of dice, followed by the dice in brackets. A plain number stays unchanged."""
    if dice.isdecimal():
        return dice
    try:
        mean = int(parse(dice).mean)
    except DiceError:
        return dice
    spaced = _SIGN.sub(r" \g<0> ", dice)
    return f"{mean} ({spaced})"


def _multiattack(feature: Feature, creature: Creature) -> str:
    """Return a sentence that lists all options of a multiattack."""
    names = {each.id: each.name for each in creature.features}
    ways = []
    for way in feature.multiattack:
        parts = [f"{_count(n)} with its {names.get(id, id).lower()}" for id, n in way]
        total = sum(n for _, n in way)
        ways.append(f"makes {_count(total)} attack{'s' if total != 1 else ''}: {' and '.join(parts)}")
    return f"The {creature.name.lower()} {', or it '.join(ways)}." if ways else ""


def _count(number: int) -> str:
    return _COUNTS[number] if 0 <= number < len(_COUNTS) else str(number)
