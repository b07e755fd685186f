"""An attack as commanded: its target and weapon, whether it is allowed, its cost, and its roll before it is made.

The first attack spends the Attack action. The tracks `attacks` and `off-hand` count the remaining attacks. The weapons
used are stored for the turn, because off-hand attacks depend on them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import shorten
from typing import Literal

import msgspec

from turnwright.dice import distributions, manual_rolls
from turnwright.dice.expression import DeclinableModifier, ExtraDice, Modifier, Roll, RollSpec, parse
from turnwright.encounter.field_specs import CombatantId, CombatantIds, DiceText, Facts, FeatureId, WordKey
from turnwright.encounter.prepared import Creature, Feature, NamedNumbers, OtherDamage, Point
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.procedure_state.attacks import ATTACK, CRITICAL, HIT, AttackInProgress
from turnwright.encounter.running import Combatant, Duration, Effect, Track, track_id
from turnwright.encounter.state import Change, Encounter, Lookup, find_effect, track_value
from turnwright.play.asking.declaration import cost_asks, reserved_for, reserved_points
from turnwright.play.effects.ready_action import is_holding_spell, readied_effect, release_held_spell, release_vetoes
from turnwright.play.kernel import transaction
from turnwright.play.kernel.events import CombatantEvent, Event, Phrase, journal, phrase
from turnwright.play.kernel.scheduler import begin
from turnwright.play.state import action_economy
from turnwright.rules.parts.actions import action_options, triggered_features
from turnwright.rules.parts.attacks.attack_rolls import (
    OpenFact,
    attack_roll,
    attack_tags,
    damage_context,
    damage_roll,
    open_facts,
    outcome_of,
    rules_applied,
    unknown_facts,
    with_assumptions,
)
from turnwright.rules.parts.attacks.attack_targeting import (
    COMMANDED_BY_RIDER,
    FREE,
    MELEE,
    RANGED,
    attack_kind,
    attack_resource,
    attacks_per_action,
    id_in_multiattack,
    is_attack,
    is_stowed,
    multiattack_ways,
    obstacle_on,
    occupies_square,
    target_armor_class,
    targeted_object,
    targeting_vetoes,
)
from turnwright.rules.parts.combatants.facts import USED, cannot_act_vetoes
from turnwright.rules.parts.conditions.assumptions import settled as is_settled
from turnwright.rules.parts.conditions.condition_rules import RuleInForce
from turnwright.rules.parts.conditions.predicates import evaluate, is_there
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.economy.limited_uses import LEGENDARY, remaining_uses, use_key
from turnwright.rules.parts.movement.move_legs import is_controlled_mount, melee_attacks, reins_vetoes, unarmed_strike
from turnwright.rules.parts.positions import sight
from turnwright.rules.system import ExplainedNumber, HookContext, RuleSystem, Veto, creature_of, label_of
from turnwright.rules.system_data.statements import StatementError

ATTACKS, OFF_HAND = "attacks", "off-hand"
USED_IN_ONE_HAND, USED_IN_BOTH_HANDS = USED
USED_IN_MULTIATTACK = "multiattack-with"


def attacks_left(lookup: Lookup, who: str, name: str = ATTACKS) -> int:
    """Return the number of attacks left in the current Attack action (or for the off hand)."""
    return track_value(lookup, who, name) if limited_uses.is_on_turn(lookup, who) else 0


def spend_attack(tx: transaction.Transaction, who: str) -> None:
    """Spend one attack of the Attack action on something else, such as a grapple. Take the action first if necessary.

    Raise Refused if a rule forbids it.
    """
    if attacks_left(tx, who):
        tx.forbid_by(limited_uses.denial_vetoes(tx, tx.rules, who, "action"))
    else:
        action_economy.spend(tx, who, "action")
        start_attack_action(tx, who)
    set_attacks_left(tx, who, max(0, attacks_left(tx, who) - 1))


def start_attack_action(tx: transaction.Transaction, who: str) -> None:
    """Start counting the attacks of an Attack action that is already spent."""
    set_attacks_left(tx, who, attacks_per_action(creature_of(tx, tx.need(Combatant, who))))


def set_attacks_left(tx: transaction.Transaction, who: str, count: int, name: str = ATTACKS) -> None:
    """Set the number of attacks that a combatant (or its off hand) has paid for and not yet made."""
    tx.put(Track(track_id(who, name), who, name, count))


# The cost of an attack -------------------------------------------------------------------------------------------


def _amount_of(rules: RuleSystem, attack: AttackInProgress) -> int:
    """Return the amount of its resource that an attack costs."""
    return attack.weapon.price if rules.data.attack.priced else 1


def pay_attack(tx: transaction.Transaction, attack: AttackInProgress) -> None:
    """Pay for an attack, and store the weapon used."""
    price, who = attack_resource(tx, tx.rules, attack), attack.attacker
    holds_spell = attack.purpose == "readied" and release_held_spell(tx, who)
    if price == "attack":
        remaining = attacks_left(tx, who)
        if not remaining:
            action_economy.deduct(tx, who, "action")
            remaining = attacks_per_action(creature_of(tx, tx.need(Combatant, who)))
        set_attacks_left(tx, who, remaining - 1)
        _keep(tx, attack, remaining)
    elif price == OFF_HAND:
        _pay_off_hand(tx, who, attack.weapon)
    elif price == LEGENDARY:
        action_economy.spend_use(tx, who, LEGENDARY, attack.weapon.name, attack.weapon.price)
    elif price:
        action_economy.deduct(tx, who, price, _amount_of(tx.rules, attack))
    action_economy.deduct_pools(tx, who, attack.weapon.id, attack.weapon.spends)
    if not holds_spell:  # a readied spell has already been paid for
        action_economy.spend_use(tx, who, use_key(attack.weapon), attack.weapon.name)
        action_economy.mark_cast(tx, who, attack.weapon)


def reserved_for_attack(tx: transaction.Transaction, attack: AttackInProgress) -> NamedNumbers:
    """Spend a limited use of a declared attack, and return the resources to reserve for it."""
    means, who = attack.weapon, attack.attacker
    action_economy.spend_use(tx, who, use_key(means), means.name)
    reserved = reserved_for(tx, who, attack_resource(tx, tx.rules, attack), _amount_of(tx.rules, attack))
    return (*reserved, *reserved_points(tx, who, means.id, means.spends))


def _pay_off_hand(tx: transaction.Transaction, who: str, means: Feature) -> None:
    remaining = attacks_left(tx, who, OFF_HAND)
    if not remaining:
        numbers = tx.rules.data.attack
        if numbers.nick not in means.properties:
            action_economy.deduct(tx, who, "bonus")
        extra = creature_of(tx, tx.need(Combatant, who)).extra_attack
        remaining = numbers.off_hand_extra if extra else numbers.off_hand
    set_attacks_left(tx, who, remaining - 1, OFF_HAND)


def _keep(tx: transaction.Transaction, attack: AttackInProgress, remaining: int) -> None:
    """Store the weapon used, with the attacks that remained before it.

    A light weapon used in one hand allows an off-hand attack later.
    """
    one_handed = not {"heavy", "two-handed", "spell"} & {*attack.weapon.properties}
    name = USED_IN_ONE_HAND if one_handed else USED_IN_BOTH_HANDS
    id, source, ends = tx.next_id("effect"), attack.weapon.id, Duration("turn")
    tx.put(Effect(id, attack.attacker, name, source, ends=ends, shown=False, value=remaining))


# Multiattacks ----------------------------------------------------------------------------------------------------


def _open_ways(lookup: Lookup, who: str, means: Feature, *, used: Counter[str]) -> list[Counter[str]]:
    """Return the rest of each variant of a multiattack that has a further feature left."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    named = Counter(name for id in used.elements() if (name := id_in_multiattack(creature, id)))
    further = named + Counter((id_in_multiattack(creature, means.id),))
    return [Counter(way) - named for way in multiattack_ways(creature) if further <= Counter(way)]


def _used_in_action(lookup: Lookup, who: str) -> Counter[str]:
    """Return the features used in the current Attack action, which are those used since fewer attacks remained."""
    used: Counter[str] = Counter()
    remaining = attacks_left(lookup, who)
    kinds = (USED_IN_ONE_HAND, USED_IN_BOTH_HANDS, USED_IN_MULTIATTACK)
    for effect in reversed([effect for effect in lookup.of(Effect, who) if effect.name in kinds]):
        if effect.value < remaining:
            break
        used[effect.source], remaining = used[effect.source] + 1, effect.value
    return used


def is_paid_by_multiattack(lookup: Lookup, rules: RuleSystem, who: str, means: Feature) -> bool:
    """Return whether a feature is part of the current multiattack, which has already paid for it."""
    used = _used_in_action(lookup, who) if limited_uses.is_on_turn(lookup, who) else None
    if means.cost != "action" or rules.data.attack.priced or not (used or attacks_left(lookup, who)):
        return False
    return bool(_open_ways(lookup, who, means, used=used or Counter()))


def count_in_multiattack(tx: transaction.Transaction, who: str, means: Feature) -> None:
    """Count a feature without an attack that a multiattack names, and the attacks that remain with it."""
    if means.cost != "action" or tx.rules.data.attack.priced or not limited_uses.is_on_turn(tx, who):
        return
    ways = _open_ways(tx, who, means, used=_used_in_action(tx, who))
    if not ways:
        return
    attacks = {feature.id for feature in attack_features(tx, who)}
    most = max(sum(count for id, count in way.items() if id in attacks) for way in ways)
    left = min(attacks_left(tx, who) or most, most)
    set_attacks_left(tx, who, left)
    id, ends = tx.next_id("effect"), Duration("turn")
    tx.put(Effect(id, who, USED_IN_MULTIATTACK, means.id, ends=ends, shown=False, value=max(left, 1)))


def grant_attacks(tx: transaction.Transaction, who: str, means: Feature) -> None:
    """Add the attacks that a feature such as a multiattack grants, if attacks have no price in this system."""
    if means.attacks and not tx.rules.data.attack.priced:
        set_attacks_left(tx, who, attacks_left(tx, who) + means.attacks)


def _multiattack_vetoes(lookup: Lookup, rules: RuleSystem, who: Combatant, means: Feature) -> tuple[Veto, ...]:
    """Return the veto against an attack that isn't in any variant of the current multiattack."""
    creature = creature_of(lookup, who)
    used = _used_in_action(lookup, who.id) if attacks_left(lookup, who.id) else None
    if not used or creature.attacks > 1 or not multiattack_ways(creature):
        return ()
    if _open_ways(lookup, who.id, means, used=used) or _is_only_in_text(creature, means):
        return ()
    return (Veto("refused.not_in_multiattack", rules.rule_id("attack.multiple"), (("what", means.name),)),)


def _is_only_in_text(creature: Creature, means: Feature) -> bool:
    """Return whether an attack is in the text of a multiattack, for example with a condition, but not in its variants."""
    if id_in_multiattack(creature, means.id):
        return False
    return any(means.name.lower() in feature.text.lower() for feature in creature.features if feature.multiattack)


# Costs entered by a person ---------------------------------------------------------------------------------------


def is_cost_unknown(tx: transaction.Transaction, attack: AttackInProgress) -> bool:
    """Return whether the game master has to enter part of an attack's cost."""
    prices = (attack.weapon.price, *(price for _, price in attack.weapon.spends))
    return tx.rules.data.attack.priced and bool(attack_resource(tx, tx.rules, attack)) and 0 in prices


def unknown_attack_costs(tx: transaction.Transaction, attack: AttackInProgress) -> list[Ask]:
    """Return the asks for an attack's unknown costs."""
    means, who = attack.weapon, attack.attacker
    is_open = limited_uses.known_cost(tx, who, means.id, means.price) is None
    return cost_asks(tx, who, means.id, means.name, means.spends, is_unknown=is_open, rule=tx.rule_id("price.attack"))


def with_cost(lookup: Lookup, attack: AttackInProgress) -> AttackInProgress:
    """Return an attack at the cost entered for it."""
    price = limited_uses.known_cost(lookup, attack.attacker, attack.weapon.id, attack.weapon.price)
    return msgspec.structs.replace(attack, weapon=msgspec.structs.replace(attack.weapon, price=price or 0))


# Vetoes ----------------------------------------------------------------------------------------------------------


def cost_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return the vetoes against an attack because its attacker can't act or can't pay."""
    who = lookup.need(Combatant, attack.attacker)
    barred = cannot_act_vetoes(lookup, rules, who.id) or _uncalled_for(lookup, rules, attack)
    if barred:
        return barred
    price = attack_resource(lookup, rules, attack)
    if price == "attack":
        ask = limited_uses.denial_vetoes if attacks_left(lookup, who.id) else limited_uses.spending_vetoes
        vetoes = [*ask(lookup, rules, who.id, "action"), *_multiattack_vetoes(lookup, rules, who, attack.weapon)]
    elif price == OFF_HAND:
        vetoes = _off_hand(lookup, rules, who, attack.weapon)
    elif price == LEGENDARY:
        enough = remaining_uses(lookup, who.id, LEGENDARY) >= attack.weapon.price
        rule = action_options.feature_rule(lookup, rules, who.id)
        vetoes = [] if enough else [Veto("refused.no_uses", rule, (("what", attack.weapon.name),))]
    else:
        vetoes = [*limited_uses.spending_vetoes(lookup, rules, who.id, price, _amount_of(rules, attack))]
    vetoes += limited_uses.pool_vetoes(lookup, rules, who.id, attack.weapon.id, attack.weapon.spends)
    holds_spell = attack.purpose == "readied" and is_holding_spell(lookup, rules, who.id)
    if not holds_spell:
        vetoes += action_economy.use_vetoes(lookup, rules, who.id, attack.weapon)
        vetoes += action_economy.second_spell_vetoes(lookup, rules, who.id, attack.weapon)
    return tuple(vetoes)


def _uncalled_for(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return the vetoes against an attack that is readied, commanded, out of turn or made by a mount."""
    who = attack.attacker
    mount_vetoes = reins_vetoes(lookup, rules, who, "attack", cost=attack_resource(lookup, rules, attack))
    if mount_vetoes:
        return mount_vetoes
    if attack.purpose == "readied":
        return release_vetoes(lookup, rules, who, attack.weapon, attack=True)
    if attack.purpose == FREE:
        return limited_uses.out_of_turn_vetoes(lookup, rules, who)
    if attack.purpose == "commanded" and COMMANDED_BY_RIDER not in attack.tags:
        return action_options.uncommanded_vetoes(lookup, rules, who)
    return ()


def _off_hand(lookup: Lookup, rules: RuleSystem, who: Combatant, means: Feature) -> list[Veto]:
    """Return the vetoes against an off-hand attack because of its weapon, or the weapon used before."""
    what = (("what", means.name),)
    if not rules.data.attack.off_hand:
        return [Veto("refused.no_off_hand", rules.rule_id("attack.multiple"), what)]
    if "dual-wielding" not in means.properties or attack_kind(means) != MELEE:
        return [Veto("refused.not_dual", rules.rule_id("twf.offhand-property"), what)]
    used = [effect for effect in lookup.of(Effect, who.id) if effect.name in (USED_IN_ONE_HAND, USED_IN_BOTH_HANDS)]
    if rules.data.attack.off_hand_light:
        light = {each.id for each in creature_of(lookup, who).features if "dual-wielding" in each.properties}
        used = [effect for effect in used if effect.source in light]
    if not used:
        return [Veto("refused.off_hand_first", rules.rule_id("twf.trigger"), what)]
    with_one_hand = [effect.source for effect in used if effect.name == USED_IN_ONE_HAND]
    if not with_one_hand:
        return [Veto("refused.off_hand_heavy", rules.rule_id("twf.heavy"), what)]
    if means.id in with_one_hand and len(set(with_one_hand)) == 1:
        return [Veto("refused.not_dual", rules.rule_id("twf.offhand-property"), what)]
    if attacks_left(lookup, who.id, OFF_HAND):
        return []
    vetoes = [*limited_uses.spending_vetoes(lookup, rules, who.id, "bonus")]
    extra = lookup.get(Track, track_id(who.id, OFF_HAND)) is not None
    if rules.data.attack.nick in means.properties:
        vetoes = [Veto("refused.off_hand_once", rules.rule_id("twf.trigger"), what)] if extra else []
    return [Veto(veto.reason, rules.rule_id("twf.extra-attack"), veto.params) for veto in vetoes] if extra else vetoes


USUAL_DAMAGE = "usual"  # the weapon's usual damage, even if the condition of an alternative is met
GUESSED_RIGHT, GUESSED_WRONG = "guess:right", "guess:wrong"
AttackPurpose = Literal["", "off-hand", "opportunity", "readied", "commanded", "legendary", "free"]


def attack_features(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    """Return the attacks of a combatant's stat block."""
    return tuple(feature for feature in creature_of(lookup, lookup.need(Combatant, who)).features if is_attack(feature))


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
            raise transaction.Refused("refused.unknown", params={"what": weapon_id})
        return weapon
    listed = (attack for attack in attack_features(lookup, who) if is_there(lookup, rules, who, attack))
    in_hand = (attack for attack in listed if not is_stowed(rules.data, attack))
    suitable = (attack for attack in in_hand if purpose != "opportunity" or attack_kind(attack) == MELEE)
    return next(suitable, melee_attacks(lookup, rules, who)[0])


def begin_attacks(tx: transaction.Transaction, usual: AttackInProgress, targets: Sequence[str], parent: str) -> None:
    """Begin paid attacks like a usual one, one after the other in the order of their targets."""
    for target in reversed(targets):
        parent = begin(tx, ATTACK.declare, msgspec.structs.replace(usual, target=target), parent).id


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
        raise transaction.Refused("refused.unknown", params={"what": target})
    if not target and at is None:
        raise transaction.Refused("refused.no_target")
    if at is not None and not is_object and (not target or must_guess_square(lookup, rules, who, target)):
        facts = (*facts, GUESSED_RIGHT if target and occupies_square(lookup, rules, target, at) else GUESSED_WRONG)
    with transaction.require_dice(choices.bonus):
        entered = (manual_rolls.typed_bonus(choices.bonus),) if choices.bonus else ()
    attack = AttackInProgress(
        who,
        weapon,
        target,
        is_object=is_object,
        square=at,
        purpose=choices.purpose,
        tags=tags,
        facts=facts,
        modifiers=(*choices.modifiers, *(part for part in entered if isinstance(part, Modifier))),
        extra=tuple(part for part in entered if isinstance(part, ExtraDice)),
    )
    if choices.purpose == "readied":
        attack = msgspec.structs.replace(attack, modifiers=(*attack.modifiers, *_when_readied(lookup, rules, attack)))
    chosen_damage = _other_damage(lookup, rules, attack, choices.other_damage)
    if chosen_damage is None:
        return attack
    chosen = msgspec.structs.replace(weapon, damage=chosen_damage.damage)
    return msgspec.structs.replace(
        attack, weapon=chosen, tags=(*attack.tags, f"with:{chosen_damage.name}".replace(" ", "-"))
    )


def _when_readied(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> Iterator[Modifier]:
    """Yield the penalties for the attacks of the turn in which an attack was readied, in games that count them."""
    who, tally = attack.attacker, rules.conditions.get(rules.data.attack.tally)
    before = readied_effect(lookup, rules, who)
    if tally is None or before is None or not before.level:
        return
    made = Effect("", who, tally.id, value=before.level)
    about = HookContext(who, "attack", other=attack.target, tags=attack_tags(lookup, rules, attack), effect=made)
    for rule in tally.rules:
        if rule.what == "attack" and evaluate(lookup, rules, who, rule.when, about):
            yield RuleInForce(tally, rule, about).modifier


def _other_damage(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress, name: str) -> OtherDamage | None:
    """Return the alternative damage with this name, or the first whose condition is met. None means the usual damage.

    Raise Refused if no alternative has this name.
    """
    listed = attack.weapon.other_damage
    if name and name != USUAL_DAMAGE:
        named_damage = next((damage for damage in listed if damage.name.lower() == name.lower()), None)
        if named_damage is None:
            raise transaction.Refused("refused.unknown", params={"what": name})
        return named_damage
    if name or not any(damage.when for damage in listed):
        return None
    context = damage_context(lookup, rules, attack)
    conditional = (damage for damage in listed if damage.when)
    try:
        return next((one for one in conditional if is_settled(lookup, rules, attack.attacker, one.when, context)), None)
    except StatementError:
        return None


def must_guess_square(lookup: Lookup, rules: RuleSystem, who: str, target: str) -> bool:
    """Return whether an attacker has to guess the target's square, because it neither sees nor detects the target."""
    return sight.is_unnoticed(lookup, rules, target, who)


def _whoever_stands_on(lookup: Lookup, rules: RuleSystem, at: Point) -> str:
    return next((one.id for one in lookup.all(Combatant) if occupies_square(lookup, rules, one.id, at)), "")


def target_name(lookup: Lookup, attack: AttackInProgress) -> str:
    """Return the name of an attack's target, or an empty string for a square without a known creature."""
    combatant = lookup.get(Combatant, attack.target)
    if combatant is not None:
        return combatant.label
    target_object = targeted_object(lookup, attack.target) if attack.is_object else None
    return (target_object.name or attack.target) if target_object is not None else ""


def attack_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return all reasons that forbid an attack: its cost and its target."""
    switched_off = action_options.switched_off_vetoes(lookup, rules, attack.attacker, rules.data.attack.action)
    away = _stowed(rules, attack.weapon)
    return (*switched_off, *away, *cost_vetoes(lookup, rules, attack), *target_vetoes(lookup, rules, attack))


def target_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return all reasons that forbid an attack's target."""
    target = lookup.get(Combatant, attack.target) if attack.target and not attack.is_object else None
    dead = (Veto("refused.target_dead", "", (("who", target.label),)),) if target is not None and target.dead else ()
    follows = target is not None and not attack.purpose
    late = follow_up_vetoes(lookup, rules, attack.attacker, attack.weapon, attack.target) if follows else ()
    return (*dead, *late, *targeting_vetoes(lookup, rules, attack))


def follow_up_vetoes(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, target: str) -> tuple[Veto, ...]:
    """Refuse a feature that must directly follow a hit on the target, if there was none."""
    if not triggered_features.follows_hits(feature) or triggered_features.may_follow_up(
        lookup, rules, who, feature, target
    ):
        return ()
    params = (("what", feature.name), ("who", label_of(lookup, who)), ("target", label_of(lookup, target)))
    return (Veto("refused.no_hit_before", "", params),)


@transaction.command(
    script="attack {who} [{target:target}] [with {weapon}] [thrown] [as {purpose}] [at {at}] "
    "[bonus {bonus}] [dealing {other_damage}] [if {facts}]"
)
class Attack(transaction.Command, frozen=True):
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

    def handle(self, tx: transaction.Transaction) -> None:
        """Begin an attack on a combatant, an object or a square."""
        transaction.require_running(tx)
        weapon = weapon_for(tx, tx.rules, self.who, self.weapon, self.given, self.purpose)
        transaction.require(is_attack(weapon) or not weapon.save, "refused.no_attack_roll", what=weapon.name)
        reacts = self.purpose in ("opportunity", "readied") or weapon.cost == "reaction"
        action_economy.require_no_open_action(tx, self.who, reacts=reacts)
        attack = attack_on(tx, tx.rules, self.who, self.target, weapon, transaction.copy_fields(AttackChoices, self))
        begin(tx, ATTACK.declare, attack)


@journal("journal.feature_reminded", kind="warn")
class FeatureReminded(CombatantEvent, frozen=True):
    """A feature that only the user can apply has been triggered or used; `text` is the beginning of its text."""

    feature: str
    text: str = ""

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on whether there is a text."""
        return "journal.feature_reminded" if self.text else "journal.feature_reminded_bare"


def shortened(text: str, longest: int) -> str:
    """Shorten a text to a maximum length. To save time, only the beginning of a long text is processed."""
    return shorten(text[: 4 * longest], longest, placeholder=" …")


@journal("journal.feature_used", what="feature", save="save_word", n="count")
class FeatureUsed(Event, frozen=True):
    """A combatant or a group used a feature on its targets. `dc` is the DC of the save, if there is one."""

    who: CombatantIds
    feature: str
    targets: CombatantIds = ()
    save: str = ""
    dc: int = 0
    numbers: int = 0

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on whether there are targets and a save."""
        if not self.targets:
            return "journal.feature_used"
        return "journal.feature_used_on" + (("_save" if self.dc else "_open_save") if self.save else "")

    @property
    def count(self) -> int:
        """The number of users."""
        return len(self.who)

    @property
    def save_word(self) -> str:
        """The word key of the save."""
        return f"<save.{self.save}>"


@journal("journal.attack_{outcome}", means="weapon", place="target", target="name", total="roll")
class Attacked(CombatantEvent, frozen=True):
    """An attack was rolled against the target `name` and its `ac`; both are empty if unknown.

    `defence` lists the parts of that AC. `outcome` is `miss`, `fumble`, `hit` or `critical`. `guessed`: the attacker
    guessed a hidden target's square.
    """

    weapon: str
    outcome: str
    target: str = ""
    name: str = ""
    roll: Roll | None = None
    ac: int | None = None
    defence: tuple[Modifier, ...] = ()
    guessed: bool = False

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on the outcome and on whether the target and the numbers are known."""
        if not self.name or (self.guessed and self.outcome == "miss"):
            return "journal.attack_missed_place"
        suffix = "_unsaid" if self.roll is None else "_rolled" if self.ac is None else ""
        return f"journal.attack_{self.outcome}{suffix}"

    @property
    def journal_kind(self) -> str:
        """Return the journal kind `harm` if the attack hit, otherwise `plain`."""
        return "harm" if self.outcome in ("hit", "critical") else "plain"


@journal("journal.attack_failed", attacker="who", means="weapon")
class AttackFailed(CombatantEvent, frozen=True):
    """An attack could not be made, for a reason (a word key with its parameters)."""

    weapon: str
    reason: WordKey
    params: tuple[tuple[str, str | int], ...] = ()


D20 = "1d20"


class UnknownFact(msgspec.Struct, frozen=True):
    """An unknown fact that would change an attack's roll, and the label of the question about it."""

    fact: str
    label: Phrase


class DecidingFact(msgspec.Struct, frozen=True):
    """An unknown fact about an attack. `applied` are the applicable rules among those that depend on it."""

    fact: OpenFact
    applied: tuple[RuleInForce, ...] = ()


class AttackOffer(msgspec.Struct, frozen=True):
    """An attack from a stat block, made in melee or at range (`thrown`). `vetoes` are the reasons against it now."""

    weapon: Feature
    kind: str
    thrown: bool = False
    purpose: str = ""
    vetoes: tuple[Veto, ...] = ()


class AttackPreview(msgspec.Struct, frozen=True):
    """An attack before it is made: its roll, and the AC against it (None: to be asked for), with reasons.

    `damage` is None for an attack that deals none. `open_questions` are questions that a rule leaves to the user.
    `suggested` are modifiers in the roll that the system's sources mention but don't make a rule.
    `must_guess_square`: the attacker has to guess the target's square. `deciding` are the facts that are unknown
    unless they were entered for this attack.
    """

    attack: AttackInProgress
    kind: str
    name: str
    roll: RollSpec
    defence: ExplainedNumber | None
    damage: RollSpec | None
    vetoes: tuple[Veto, ...] = ()
    unknown_facts: tuple[UnknownFact, ...] = ()
    open_questions: tuple[str, ...] = ()
    suggested: tuple[DeclinableModifier, ...] = ()
    must_guess_square: bool = False
    deciding: tuple[DecidingFact, ...] = ()


def preview_attack(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    target: str,
    weapon: str | Feature = "",
    choices: AttackChoices = USUAL_CHOICES,
) -> AttackPreview:
    """Return the preview of an attack. Raise Refused if the target or weapon doesn't exist."""
    weapon_id, given = (weapon, None) if isinstance(weapon, str) else ("", weapon)
    using = weapon_for(lookup, rules, who, weapon_id, given, choices.purpose)
    attack = attack_on(lookup, rules, who, target, using, choices)
    rolling = attack_roll(lookup, rules, attack)
    is_creature = lookup.get(Combatant, attack.target) is not None
    settled = with_assumptions(lookup, rules, attack)
    deciding = open_facts(lookup, rules, attack, with_entered=True)
    return AttackPreview(
        attack,
        RANGED if RANGED in attack_tags(lookup, rules, attack) else MELEE,
        target_name(lookup, attack),
        rolling.spec,
        target_armor_class(lookup, rules, settled),
        damage_roll(lookup, rules, settled),
        attack_vetoes(lookup, rules, attack),
        tuple(UnknownFact(fact, fact_phrase(lookup, attack, fact)) for fact in unknown_facts(lookup, rules, attack)),
        tuple(question.reason for question in rolling.questions),
        rolling.suggested,
        must_guess_square=is_creature and choices.at is None and must_guess_square(lookup, rules, who, attack.target),
        deciding=tuple(DecidingFact(fact, rules_applied(lookup, rules, settled, fact)) for fact in deciding),
    )


def fact_phrase(lookup: Lookup, attack: AttackInProgress, fact: str) -> Phrase:
    """Return a phrase for a fact of an attack. For a feature that the user may apply, the phrase names the feature."""
    word, _, argument = fact.partition(":")
    if word.endswith("chosen"):
        feature = action_options.feature_of(
            lookup, attack.target if word.startswith("target.") else attack.attacker, argument
        )
        return phrase("fact.chosen", detail=feature.name if feature is not None else argument.replace("-", " ").title())
    return phrase(f"fact.{word.replace('.', '-')}", detail=argument)


def assumed_phrase(fact: str) -> Phrase:
    """Return a short phrase for a fact that was assumed: `within:5`, `not target.reaches`."""
    word, _, argument = fact.removeprefix("not ").partition(":")
    answer = "no" if fact.startswith("not ") else "yes"
    return phrase(f"assumed.{word.replace('.', '-')}-{answer}", n=argument)


def bonuses_in_turn(encounter: Encounter, rules: RuleSystem, who: str, weapon: Feature) -> tuple[int, ...]:
    """Return the bonuses to hit of a combatant's successive attacks in a turn, until the bonus stops falling."""
    name = rules.data.attack.tally
    attack = AttackInProgress(who, weapon)
    tally = find_effect(encounter, who, name) if name else None
    supposed = encounter
    if tally is not None:
        supposed = encounter.with_changes((Change((Effect.table, tally.id), tally, None),))
    bonuses: list[int] = []
    while True:
        bonus = sum(modifier.value for modifier in attack_roll(supposed, rules, attack).spec.modifiers)
        if bonuses and bonus >= bonuses[-1]:
            return tuple(bonuses)
        bonuses.append(bonus)
        if not name:
            return tuple(bonuses)
        counted = Effect(name, who, name, value=len(bonuses))
        supposed = supposed.with_changes((Change((Effect.table, name), supposed.get(Effect, name), counted),))


class HitOdds(msgspec.Struct, frozen=True):
    """The chance that an attack hits, and the lowest face of its die that hits (None if no face hits)."""

    chance: float
    least: int | None


def hit_odds(rules: RuleSystem, spec: RollSpec, armor_class: int) -> HitOdds | None:
    """Return the odds of an attack roll against an AC, or None if it isn't one d20 or the system has no AC."""
    if spec.dice != D20 or spec.counted or rules.data.attack.asks_outcome:
        return None
    further = distributions.Distribution(0, (1.0,))
    for extra_dice in spec.extra:
        further = distributions.convolve(further, distributions.of_expression(parse(extra_dice.dice)))
    bonus = sum(modifier.value for modifier in spec.modifiers)
    kinds = {edge.kind for edge in spec.edges}
    edge = kinds.pop() if len(kinds) == 1 else ""
    chance, least = 0.0, None
    for face in range(1, 21):
        face_chance = {"": 1 / 20, "advantage": (2 * face - 1) / 400, "disadvantage": (41 - 2 * face) / 400}[edge]
        for more, chance_of_more in enumerate(further.chances, further.low):
            if outcome_of(rules, Roll(total=face + bonus + more, natural=face), armor_class, False) in (HIT, CRITICAL):
                chance += face_chance * chance_of_more
                least = face if least is None and not spec.extra else least
    return HitOdds(chance, least)


def available_attacks(lookup: Lookup, rules: RuleSystem, who: str, target: str = "") -> list[AttackOffer]:
    """Return all melee and thrown attacks of a combatant, each with the vetoes against it (at `target`, if given).

    Off-hand attacks come last.
    """
    in_hand = tuple(feature for feature in attack_features(lookup, who) if not is_stowed(rules.data, feature))
    listed = in_hand or melee_attacks(lookup, rules, who)
    bare = unarmed_strike(lookup, who)
    is_listed = bare.id in [attack.id for attack in listed]
    if rules.data.attack.bare_hands and not is_listed and not is_controlled_mount(lookup, rules, who):
        listed = (*listed, bare)
    offers = []
    for means in listed:
        offers.append(_offer(lookup, rules, who, means, target))
        if means.reach and means.range:
            offers.append(_offer(lookup, rules, who, means, target, thrown=True))
    for means in listed:
        if rules.data.attack.off_hand and "dual-wielding" in means.properties:
            offers.append(_offer(lookup, rules, who, means, target, purpose=OFF_HAND))
            if "thrown" in means.properties and means.range:
                offers.append(_offer(lookup, rules, who, means, target, thrown=True, purpose=OFF_HAND))
    return offers


def _offer(
    lookup: Lookup, rules: RuleSystem, who: str, means: Feature, target: str, *, thrown: bool = False, purpose: str = ""
) -> AttackOffer:
    if target:
        attack = attack_on(lookup, rules, who, target, means, AttackChoices(purpose, thrown=thrown))
        vetoes = attack_vetoes(lookup, rules, attack)
    else:
        tags = ("thrown",) if thrown else ()
        vetoes = cost_vetoes(lookup, rules, AttackInProgress(who, means, purpose=purpose, tags=tags))
    return AttackOffer(means, attack_kind(means, thrown=thrown), thrown, purpose, vetoes)
