"""Conversion of spells to features of their casters."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import msgspec

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature
from turnwright.rules.parts.attacks.attack_targeting import SURE_HIT
from turnwright.rules.system_data.numbers import Spell

_TOUCH: Final = 5
_GROWS_AT: Final = (5, 11, 17)  # caster levels at which a cantrip gets another die
_DICE = re.compile(r"(?P<count>[0-9]{1,3})d(?P<sides>[0-9]{1,4})(?:\+(?P<more>[0-9]{1,3}))?")
_NUMBER = re.compile(r"[0-9]{1,4}(?![0-9d])")


class Caster(NamedTuple):
    """The numbers of a caster on which its spells depend. Unknown ones are 0 or None."""

    dc: int = 0
    attack: int | None = None
    level: int = 0
    modifier: int | None = None


def caster_of(creature: Creature) -> Caster:
    """Return the spellcasting numbers of a stat block."""
    casting = [each for each in creature.features if "pellcasting" in each.name or "spell" in each.properties]
    dc = next((feature.dc for feature in casting if feature.dc), 0)
    attack = next((feature.attack for feature in casting if feature.attack is not None), None)
    return Caster(dc, attack, modifier=modifier_of(creature, creature.spellcasting))


def modifier_of(creature: Creature, ability: str) -> int | None:
    """Return a creature's ability modifier, or None if the stat block doesn't give the score."""
    score = dict(creature.abilities).get(ability)
    return None if score is None else (score - 10) // 2


def spell_feature(spell: Spell, caster: Caster, *, level: int = 0, newer: bool = False) -> Feature:
    """Convert a spell to a feature of its caster, cast at `level` (0: the spell's own level).

    Numbers that depend on unknown numbers of the caster are omitted. With `newer`, spells that newer rules have revised
    have no numbers at all.
    """
    feature = Feature(
        spell.id,
        spell.name,
        spell.cost,
        price=spell.price,
        text=spell.text,
        properties=("spell",),
        concentration=spell.concentration,
    )
    if newer and spell.revised:
        return feature
    feature = msgspec.structs.replace(feature, range=spell.range, area=spell.area)
    if spell.turns_hit:
        guard = DataRule("modifier", "ac", add=spell.turns_hit)
        when = f"misses-with-ac:{spell.turns_hit}"
        return msgspec.structs.replace(feature, trigger="attacked", when=when, rules=(guard,))
    if spell.heals:
        more = caster.modifier if spell.adds_modifier else 0
        healed = _at_level(spell.heals, spell, level)
        healed += f"{more:+}" if more else ""
        return feature if more is None else msgspec.structs.replace(feature, heals=healed)
    damage = _damage(spell, caster, level)
    harmful = msgspec.structs.replace(feature, damage=damage, afflictions=spell.afflictions, push=spell.push)
    if spell.attack and caster.attack is not None and (damage or not spell.damage):
        return msgspec.structs.replace(harmful, attack=caster.attack, reach=_TOUCH if spell.attack == "melee" else 0)
    if spell.save and caster.dc and (damage or not spell.damage):
        return msgspec.structs.replace(harmful, save=spell.save, dc=caster.dc, half=spell.half)
    if damage and not spell.attack and not spell.save and not spell.missing:
        return msgspec.structs.replace(feature, damage=damage, properties=("spell", SURE_HIT))
    return feature


def _damage(spell: Spell, caster: Caster, level: int) -> str:
    """Return a spell's damage at the caster's level or the slot's. Empty if it depends on an unknown level."""
    if spell.grows:
        if not caster.level:
            return ""
        return _more_dice(spell.damage, factor=1 + sum(caster.level >= least for least in _GROWS_AT))
    return _at_level(spell.damage, spell, level)


def raised(feature: Feature, spell: Spell, level: int) -> Feature:
    """Return a stat block's spell as cast with a higher-level slot."""
    above = level - (feature.level or 0)
    if above <= 0 or not spell.higher:
        return feature
    times = above // spell.every
    heals, damage = (text and _more(text, spell.higher, times) for text in (feature.heals, feature.damage))
    return msgspec.structs.replace(feature, heals=heals, damage=damage)


def _at_level(text: str, spell: Spell, level: int) -> str:
    """Return a spell's damage or healing as cast with a slot of `level` (0: the spell's own level)."""
    above = level - (spell.level or 0) if level else 0
    return _more(text, spell.higher, above // spell.every) if above > 0 and spell.higher else text


def _more(text: str, higher: str, times: int) -> str:
    """Add `higher` to an amount `times` times: to its first dice, or to its number if it has no dice."""
    number = _NUMBER.match(text)
    if number and higher.isdigit():
        return f"{int(number[0]) + int(higher) * times}{text[number.end() :]}"
    return _more_dice(text, higher, times)


def _more_dice(damage: str, higher: str = "", times: int = 0, *, factor: int = 1) -> str:
    """Multiply the first dice of damage by `factor`, and add `higher` to them `times` times.

    Empty if `higher` has dice of another size.
    """
    dice = _DICE.match(damage)
    if dice is None:
        return damage
    more = _DICE.fullmatch(higher) if higher else None
    if higher and (more is None or more["sides"] != dice["sides"]):
        return ""
    count = int(dice["count"]) * factor + (int(more["count"]) * times if more else 0)
    bonus = int(dice["more"] or 0) + (int(more["more"] or 0) * times if more else 0)
    return f"{count}d{dice['sides']}{f'+{bonus}' if bonus else ''}{damage[dice.end() :]}"
