"""An attack as commanded: target, weapon, and whether the attack is allowed."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.dice.errors import DiceError
from turnwright.dice.manual_rolls import typed_bonus
from turnwright.dice.roll import ExtraDice, Modifier
from turnwright.encounter.field_specs import CombatantId, DiceText, Facts, FeatureId
from turnwright.encounter.prepared import Feature, OtherDamage, Point
from turnwright.encounter.procedure_state.attacks import ATTACK, AttackInProgress
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.attacks.attack_cost import cost_vetoes
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import require_no_open_action, require_running
from turnwright.rules.hooks import HookContext, Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.action_options import switched_off_vetoes
from turnwright.rules.parts.attacks.attack_rolls import attack_tags
from turnwright.rules.parts.attacks.attack_targeting import (
    obstacle_on,
    occupies_square,
    targeted_object,
    targeting_vetoes,
)
from turnwright.rules.parts.attacks.weapon_kind import MELEE, attack_kind, is_attack, is_stowed
from turnwright.rules.parts.conditions.predicates import is_there, is_true_of
from turnwright.rules.parts.movement.opportunity_attacks import melee_attacks, unarmed_strike
from turnwright.rules.system import RuleSystem, creature_of

USUAL_DAMAGE = "usual"  # the weapon's usual damage, even if the condition of an alternative is met
GUESSED_RIGHT, GUESSED_WRONG = "guess:right", "guess:wrong"
AttackPurpose = Literal["", "off-hand", "opportunity", "readied", "commanded", "legendary", "free"]


def attack_features(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    """Return the attacks of a combatant's stat block."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return tuple(feature for feature in creature.features if is_attack(feature))


def _stowed(rules: RuleSystem, means: Feature) -> tuple[Veto, ...]:
    if not is_stowed(rules.data, means):
        return ()
    params = (("what", means.name), ("property", rules.data.attack.stowed))
    return (Veto("refused.stowed", rules.rule_id("attack.stowed"), params),)


def weapon_for(
    lookup: Lookup, rules: RuleSystem, who: str, weapon_id: str = "", given: Feature | None = None, purpose: str = ""
) -> Feature:
    """Return an attack's weapon. If none is named, return the first that suits the purpose, or else an unarmed strike.

    Raise Refused if the named weapon doesn't exist.
    """
    if given is not None:
        return given
    creature = creature_of(lookup, lookup.need(Combatant, who))
    if weapon_id:
        bare: tuple[Feature, ...] = (unarmed_strike(lookup, who),) if rules.data.attack.bare_hands else ()
        weapons = (*creature.features, *melee_attacks(lookup, rules, who), *bare)
        weapon = next((feature for feature in weapons if feature.id == weapon_id), None)
        if weapon is None:
            raise Refused("refused.unknown", params={"what": weapon_id})
        return weapon
    listed = (
        attack_feature
        for attack_feature in attack_features(lookup, who)
        if is_there(lookup, rules, who, attack_feature)
    )
    in_hand = (attack for attack in listed if not is_stowed(rules.data, attack))
    suitable = (attack for attack in in_hand if purpose != "opportunity" or attack_kind(attack) == MELEE)
    return next(suitable, melee_attacks(lookup, rules, who)[0])


class AttackChoices(msgspec.Struct, frozen=True):
    """The options of an attack: the choices of the command `Attack`, except attacker, target and weapon."""

    purpose: str = ""
    at: Point | None = None
    thrown: bool = False
    facts: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    bonus: str = ""
    other_damage: str = ""


USUAL_CHOICES = AttackChoices()


def attack_on(
    lookup: Lookup, rules: RuleSystem, who: str, target: str, weapon: Feature, choices: AttackChoices = USUAL_CHOICES
) -> AttackInProgress:
    """Return an attack with everything known before the roll. Raise Refused if its target or damage doesn't exist.

    An attack on a square targets the creature that occupies it. If the target is hidden, `at` is a guess at its square,
    right or wrong; without `at`, the guess is asked for later.
    """
    tags, at, facts = ("thrown",) if choices.thrown else (), choices.at, choices.facts
    if not target and at is not None:
        obstacle = obstacle_on(lookup, at)
        target = _whoever_stands_on(lookup, rules, at) or (obstacle.id if obstacle else "")
    is_object = lookup.get(Combatant, target) is None and bool(target)
    if is_object and targeted_object(lookup, target) is None:
        raise Refused("refused.unknown", params={"what": target})
    if not target and at is None:
        raise Refused("refused.no_target")
    if at is not None and not is_object and (not target or must_guess_square(lookup, rules, who, target)):
        facts = (*facts, GUESSED_RIGHT if target and occupies_square(lookup, rules, target, at) else GUESSED_WRONG)
    entered = _entered_bonus(choices.bonus) if choices.bonus else ()
    attack = AttackInProgress(
        who,
        weapon,
        target,
        is_object=is_object,
        square=at,
        purpose=choices.purpose,
        tags=tags,
        facts=facts,
        modifiers=(*choices.modifiers, *(bonus_part for bonus_part in entered if isinstance(bonus_part, Modifier))),
        extra=tuple(bonus_part for bonus_part in entered if isinstance(bonus_part, ExtraDice)),
    )
    chosen_damage = _other_damage(lookup, rules, attack, choices.other_damage)
    if chosen_damage is None:
        return attack
    return msgspec.structs.replace(attack, weapon=msgspec.structs.replace(weapon, damage=chosen_damage.damage))


def _other_damage(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress, name: str) -> OtherDamage | None:
    """Return the alternative damage with this name, or the first whose condition is met. None means the usual damage.

    Raise Refused if no alternative has this name.
    """
    listed = attack.weapon.other_damage
    if name and name != USUAL_DAMAGE:
        named_damage = next((damage for damage in listed if damage.name.lower() == name.lower()), None)
        if named_damage is None:
            raise Refused("refused.unknown", params={"what": name})
        return named_damage
    if name or not any(damage.when for damage in listed):
        return None
    target = "" if attack.is_object else attack.target
    context = HookContext(attack.attacker, "damage", other=target, tags=attack_tags(lookup, rules, attack))
    return next(
        (
            damage
            for damage in listed
            if damage.when and is_true_of(lookup, rules, attack.attacker, damage.when, context)
        ),
        None,
    )


def _entered_bonus(bonus: str) -> tuple[Modifier | ExtraDice]:
    try:
        return (typed_bonus(bonus),)
    except DiceError as error:
        raise Refused("refused.dice_expression", params={"what": bonus, "why": str(error)}) from error


def must_guess_square(lookup: Lookup, rules: RuleSystem, who: str, target: str) -> bool:
    """Return whether an attacker has to guess the target's square, because it neither sees nor detects the target."""
    return positions.is_unnoticed(lookup, rules, target, who)


def _whoever_stands_on(lookup: Lookup, rules: RuleSystem, at: Point) -> str:
    return next(
        (combatant.id for combatant in lookup.all(Combatant) if occupies_square(lookup, rules, combatant.id, at)), ""
    )


def target_name(lookup: Lookup, attack: AttackInProgress) -> str:
    """Return the name of an attack's target, or an empty string for a square without a known creature."""
    combatant = lookup.get(Combatant, attack.target)
    if combatant is not None:
        return combatant.label
    target_object = targeted_object(lookup, attack.target) if attack.is_object else None
    return (target_object.name or attack.target) if target_object is not None else ""


def attack_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return all reasons that forbid an attack: its cost and its target."""
    switched_off = switched_off_vetoes(lookup, rules, attack.attacker, rules.data.attack.action)
    away = _stowed(rules, attack.weapon)
    return (*switched_off, *away, *cost_vetoes(lookup, rules, attack), *target_vetoes(lookup, rules, attack))


def target_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return all reasons that forbid an attack's target."""
    target = lookup.get(Combatant, attack.target) if attack.target and not attack.is_object else None
    dead = (Veto("refused.target_dead", "", (("who", target.label),)),) if target is not None and target.dead else ()
    return (*dead, *targeting_vetoes(lookup, rules, attack))


@command(
    script="attack {who} [{target:target}] [with {weapon}] [thrown] [as {purpose}] [at {at}] "
    "[bonus {bonus}] [dealing {other_damage}] [if {facts}]"
)
class Attack(Command, frozen=True):
    """Attack a combatant, an obstacle on the map or a square with a feature from the stat block.

    `weapon` is the id of the feature; `given` describes an attack that isn't in the stat block. `purpose` decides the
    cost: empty for the Attack action, or `off-hand`, `opportunity`, `readied`, `commanded`, `legendary` or `free`. `at`
    is the square to attack if the target's square has to be guessed. `thrown`: a melee weapon is thrown. `facts` are
    statements about this attack that you enter (`advantage`, `cover:half`, `not target.sees`, `flanks`). `modifiers`
    are bonuses with a reason, and `bonus` is a bonus by ruling, a number or dice (`2`, `1d4`, `-1`). `other_damage`
    names an alternative damage of the weapon (`with two hands`), or is `usual` to prevent an alternative that would
    apply automatically.
    """

    who: CombatantId
    target: str = ""
    weapon: FeatureId = ""
    given: Feature | None = None
    purpose: AttackPurpose = ""
    at: Point | None = None
    thrown: bool = False
    facts: Facts = ()
    modifiers: tuple[Modifier, ...] = ()
    bonus: DiceText = ""
    other_damage: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Begin an attack on a combatant, an object or a square."""
        require_running(tx)
        require_no_open_action(tx, rules, self.who)
        attack = attack_on(
            tx,
            rules,
            self.who,
            self.target,
            weapon_for(tx, rules, self.who, self.weapon, self.given, self.purpose),
            AttackChoices(
                self.purpose, self.at, self.thrown, self.facts, self.modifiers, self.bonus, self.other_damage
            ),
        )
        begin(tx, ATTACK.declare, attack)
