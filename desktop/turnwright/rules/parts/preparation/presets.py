"""Usual numbers of characters, from class and level: abilities, saves, Armor Class, and attacks with weapons and spells."""

import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature, Feature, OtherDamage
from turnwright.encounter.state import creature_id
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.rules.parts.stat_block.features import damage_with
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.numbers import Spell
from turnwright.rules.system_data.presets import PresetClass, PresetFigures, PresetWeapon, reached

PERCEPTION: Final = "perception"
_DICE = re.compile(r"^\d+")
_NUMBERS: Final = ("attack", "damage", "dc", "heals", "temp", "uses", "attacks", "reduces", "rules", "effect", "does")


class CharacterPreset:
    """The usual numbers of a character of one class at a level."""

    def __init__(self, data: SystemData, preset: PresetClass, level: int) -> None:
        self.data, self.preset, self.level = data, preset, level
        self.figures: PresetFigures = data.presets

    def abilities(self) -> tuple[tuple[str, int], ...]:
        """Return the ability scores."""
        own, figures = {id: reached(steps, self.level) for id, steps in self.figures.others}, self.figures
        for ability, steps in ((self.preset.second, figures.second), (self.preset.main, figures.main)):
            own[ability] = max(own.get(ability, 0), reached(steps, self.level))
        usual = self.data.ability_scale.default
        return tuple((ability.id, own.get(ability.id, usual)) for ability in self.data.abilities)

    def ac(self) -> int:
        """Return the Armor Class."""
        return (
            self.preset.ac + self._level + self._reached(self.preset.armour) + self._reached(self.figures.armour_bonus)
        )

    def saves(self, creature: Creature) -> tuple[tuple[str, int], ...]:
        """Return the bonuses to saves that differ from the ability modifier."""
        ranks = dict(self.preset.save_ranks) or dict.fromkeys(self.preset.saves, self.figures.proficiency)
        more = self._level + self._reached(self.figures.save_bonus)
        modifier = self.data.modifier_of
        return tuple((each, modifier(creature, each) + self._reached(steps) + more) for each, steps in ranks.items())

    def perception(self, creature: Creature) -> int:
        """Return the bonus to Perception, as a character that is proficient with it."""
        bonus = self._level + self._reached(self.preset.perception or self.figures.proficiency)
        ability = next((skill.ability for skill in self.data.skills if skill.id == PERCEPTION), "wis")
        return self.data.modifier_of(creature, ability) + bonus

    def weapon(self, creature: Creature, weapon: PresetWeapon) -> Feature:
        """Return an attack with a weapon."""
        figures, level = self.figures, self.level
        strength, dexterity = (self.data.modifier_of(creature, ability) for ability in ("str", "dex"))
        is_shot = not weapon.reach and "thrown" not in weapon.properties
        ability = "dex" if is_shot or ("finesse" in weapon.properties and dexterity > strength) else "str"
        modifier = dexterity if ability == "dex" else strength
        hard = modifier if not figures.strength_damage else 0 if is_shot else strength
        magic = reached(figures.weapon_bonus, level)
        hard += reached(self.preset.damage, level) + (0 if figures.weapon_dice else magic)
        dice = str(reached(figures.weapon_dice, level) or 1)

        def damage(text: str) -> str:
            return damage_with(_DICE.sub(dice, text) if figures.weapon_dice else text, hard)

        more = (OtherDamage("with two hands", damage(weapon.two_hands)),) if weapon.two_hands else ()
        proficiency = self._reached(self.preset.attack or figures.proficiency)
        return assumed(
            Feature(
                weapon.id,
                weapon.name,
                "action",
                attack=self._level + proficiency + modifier + magic,
                reach=weapon.reach,
                range=weapon.range,
                ability=ability,
                damage=damage(weapon.damage),
                other_damage=more,
                properties=("weapon", *(("magical",) if magic else ()), *weapon.properties),
            )
        )

    def spell(self, creature: Creature, spell: Spell) -> Feature:
        """Return a spell with the character's DC and attack bonus."""
        modifier = self.data.modifier_of(creature, creature.spellcasting or self.preset.main)
        bonus = self._level + self._reached(self.preset.spells or self.figures.proficiency) + modifier
        is_cantrip = spell.id in self.figures.cantrips
        level = (self.level + 1) // 2 if is_cantrip else spell.level or 0
        caster = Caster(self.figures.dc + bonus, bonus, self.level, modifier)
        feature = spell_feature(spell, caster, level=level)
        return assumed(msgspec.structs.replace(feature, level=0 if is_cantrip else spell.level))

    def usual(self, creature: Creature) -> tuple[str, ...]:
        """Return the names of the usual weapons and of the usual spells that the character has slots for."""
        spells = {spell.name.casefold(): spell for spell in self.data.spells}
        most = max((int(level) for level, count in creature.slots if count), default=0)

        def is_known(name: str) -> bool:
            spell = spells.get(name)
            return spell is None or spell.id in self.figures.cantrips or (spell.level or 0) <= most

        return tuple(filter(is_known, self.preset.usual))

    @property
    def _level(self) -> int:
        return self.level if self.figures.adds_level else 0

    def _reached(self, steps: Any) -> int:
        return int(reached(steps, self.level))


def preset_of(data: SystemData, classes: Iterable[str], level: int) -> CharacterPreset | None:
    """Return the usual numbers for the first of the classes that has any, or None."""
    known = {each.id: each for each in data.presets.classes}
    found = next((known[name] for name in classes if name in known), None)
    return CharacterPreset(data, found, level) if found is not None else None


def known_attack(data: SystemData, name: str) -> PresetWeapon | Spell | None:
    """Return the weapon or spell of the game with a name, or None."""
    plain = name.casefold().strip()
    weapon = next((each for each in data.presets.weapons if plain in (each.name.casefold(), each.id)), None)
    return weapon or next((each for each in data.spells if plain == each.name.casefold()), None)


def assumed(feature: Feature) -> Feature:
    """Return a feature whose numbers are all marked as assumed."""
    bare = Feature("", "")
    names = tuple(name for name in _NUMBERS if getattr(feature, name) != getattr(bare, name))
    return msgspec.structs.replace(feature, assumed=names)


def typed_feature(name: str) -> Feature:
    """Return a feature of which only the name is known."""
    return Feature(creature_id(name), name[:1].upper() + name[1:], "action")
