"""Spells cast by name: of the caster's stat block, of the rule system, or described in the command."""

import msgspec

from turnwright.encounter import field_specs, prepared, running, state
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.effects.conditions import rules_from_words
from turnwright.play.kernel.transaction import CombatantCommand, Refused, Transaction, command
from turnwright.rules.parts.actions.spell_features import has_prices, has_variants, listed_spell, with_changes
from turnwright.rules.parts.attacks import attack_rolls, attack_targeting
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.numbers import ActionOption
from turnwright.rules.system_data.rounds import length_of_time


@command(
    script="cast {who} {feature,spell,name:spell-or-name} [level {level}] [save {save} {dc}] [half] [attack {attack}] "
    "[damage {damage}] [heals {heals}] [rules {rules}] [for {rounds}] [cost {cost}] [points {points}] "
    "[on {targets}] [from {origin}] [held]"
)
class CastSpell(CombatantCommand, frozen=True):
    """Cast a spell: from the stat block, of the rule system, or any other with its numbers.

    A name in quotes can be any spell, with its save and DC or attack bonus, its damage and healing. `level` is the level
    of the slot. `half`: a successful save halves the damage. `rules` are the changes by the effect that it leaves on its
    targets, in words (`+1d4 attack, saves`), and `rounds` limits the effect. `points` is the price in actions or points.
    `origin` is the square from which its area spreads. `held`: the caster concentrates on it.
    """

    feature: field_specs.FeatureId = ""
    spell: field_specs.SpellId = ""
    name: str = ""
    targets: field_specs.CombatantIds = ()
    level: field_specs.SpellLevel | None = None
    save: field_specs.AbilityId = ""
    dc: field_specs.Dc = 0
    half: bool = False
    attack: field_specs.Bonus | None = None
    damage: field_specs.DiceText = ""
    heals: field_specs.DiceText = ""
    rules: field_specs.Prose = ""
    rounds: field_specs.PositiveOrNone = 0
    cost: field_specs.ResourceId = ""
    points: field_specs.PositiveOrNone = 0
    held: bool = False
    origin: prepared.Point | None = None

    def handle(self, tx: Transaction) -> None:
        """Cast the spell as a feature, or attack with it."""
        features = creature_of(tx, tx.need(running.Combatant, self.who)).features
        own = next((each for each in features if each.id == self.feature), None)
        listed = next((spell for spell in tx.rules.data.spells if spell.id == self.spell), None)
        if own is not None and self.points not in (0, own.price) and has_prices(same := listed_spell(tx.rules, own)):
            msgspec.structs.replace(self, feature="", spell=same.id if same else "").handle(tx)
            return
        if own is None and listed is None and not self.name.strip():
            raise Refused("refused.unknown", params={"what": self.feature or self.spell or "?"})
        is_known = (own is not None or listed is not None) and not self._has_details()
        given = None if is_known else self._described(tx.rules, state.scene_of(tx).round_seconds)
        if own is not None and given is not None:
            changed = with_changes(own, given)
            given = own = msgspec.structs.replace(
                changed, cost=self.cost or own.cost, price=self.points or own.price, level=self.level or own.level
            )
        means = own or given
        varies = is_known and means is not None and has_variants(tx.rules, means)
        if listed is None and means is not None and attack_targeting.is_attack(means) and not varies:
            if len(self.targets) > 1:
                raise Refused("refused.too_many_rays", params={"what": means.name, "count": 1})
            Attack(self.who, next(iter(self.targets), ""), means.id, given).handle(tx)
            return
        UseFeature(self.who, self.feature, given, self.spell, self.targets, self.level, origin=self.origin).handle(tx)

    def _has_details(self) -> bool:
        """Return whether the command describes the spell itself."""
        numbers = (self.save, self.damage, self.heals, self.rules, self.cost, self.points, self.held)
        return any(numbers) or self.attack is not None

    def _described(self, rules: RuleSystem, round_seconds: int) -> prepared.Feature:
        """Return the spell that the command describes."""
        option, listed = cast_option(rules), next((each for each in rules.data.spells if each.id == self.spell), None)
        usual_cost = listed.cost if listed is not None else option.payable[0] if option is not None else "action"
        usual_price = listed.price if listed is not None else option.price if option is not None else 1
        return prepared.Feature(
            self.spell or f"spell.{'-'.join(self.name.lower().split())}",
            listed.name if listed is not None else self.name.strip(),
            self.cost or usual_cost,  # type: ignore[arg-type]
            attack=self.attack,
            save=self.save,
            dc=self.dc,
            half=self.half,
            damage=self.damage,
            heals=self.heals,
            effect=rules_from_words(self.rules, rules),
            lasts=_length_of(self.rounds, round_seconds) if self.rounds else "",
            level=self.level,
            price=self.points or usual_price,
            concentration=self.held,
            properties=(attack_rolls.SPELL,),
        )


def _length_of(rounds: int, round_seconds: int) -> str:
    """Return a number of rounds as a length of time, in whole minutes if there are many."""
    minutes = rounds * round_seconds // 60
    return length_of_time(str(rounds), "round") or length_of_time(str(min(100, max(1, minutes))), "minute")


def cast_option(rules: RuleSystem) -> ActionOption | None:
    """Return the rule system's action for casting a spell, or None if it has none."""
    return next((option for option in rules.data.actions if attack_rolls.SPELL in option.asks), None)
