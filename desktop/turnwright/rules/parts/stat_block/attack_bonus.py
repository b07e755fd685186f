"""Attack bonuses that a stat block doesn't state, calculated from ability, proficiency and magic."""

from __future__ import annotations

import msgspec

from turnwright.dice.ast import FlatTerm, format_terms
from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.encounter.prepared import Creature, Feature
from turnwright.rules.parts.attacks.weapon_kind import attack_ability, attack_kind, is_attack, is_spell
from turnwright.rules.system_data import SystemData


class BonusPart(msgspec.Struct, frozen=True):
    """A part of a bonus: its reason as a word key, and the ledger topic of its rule."""

    value: int
    reason: str
    topic: str


class AttackBonus(msgspec.Struct, frozen=True):
    """A bonus to hit with its parts, and the ability modifier to damage (`damage_modifier`)."""

    parts: tuple[BonusPart, ...]
    damage_modifier: int

    @property
    def total(self) -> int:
        """Return the bonus to hit."""
        return sum(part.value for part in self.parts)


def calculated_bonus(data: SystemData, creature: Creature, feature: Feature) -> AttackBonus | None:
    """Return the bonus to hit of an attack that doesn't state one, or None for other attacks and features."""
    if feature.attack is not None or not is_attack(feature):
        return None
    ability, topic = attack_ability(data, creature, feature, attack_kind(feature))
    modifier, spell = data.modifier_of(creature, ability), is_spell(feature)
    parts = [BonusPart(modifier, f"<ability.{ability}>", topic)]
    if feature.proficient or spell:
        parts.append(BonusPart(creature.proficiency, "why.proficiency", "attack.modifier.proficient"))
    if feature.magic:
        parts.append(BonusPart(feature.magic, "why.magic", "attack.modifier.magic-weapon"))
    return AttackBonus(tuple(parts), 0 if spell else modifier)


def damage_with(text: str, bonus: int) -> str:
    """Add a bonus to the first part of a dice expression. An unreadable expression doesn't change."""
    try:
        expression = parse(text)
    except DiceError:
        return text
    if not bonus or not expression.parts:
        return text
    first, *rest = expression.parts
    flat = FlatTerm(first.flat + bonus, first.kind)
    dice = [term for term in first.terms if not isinstance(term, FlatTerm)]
    return format_terms(
        [*dice, *([flat] if flat.value or not dice else []), *(term for part in rest for term in part.terms)]
    )
