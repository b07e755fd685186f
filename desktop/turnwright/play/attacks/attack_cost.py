"""Costs of attacks: attacks of an Attack action, the off hand's bonus action, reactions.

The first attack spends the Attack action. The tracks `attacks` and `off-hand` count the remaining attacks. The weapons
used are stored for the turn, because off-hand attacks depend on them.
"""

from __future__ import annotations

import msgspec

from turnwright.encounter.lookups import track_value
from turnwright.encounter.prepared import Feature, NamedNumbers
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Combatant, Duration, Effect, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.asking.action_parameters import cost_asks
from turnwright.play.asking.declaration import reserved_for, reserved_points
from turnwright.play.effects.ready_action import is_holding_spell, release_held_spell, release_vetoes
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import deduct, deduct_pools, spend
from turnwright.play.state.limited_uses import spend_use, use_vetoes
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.actions.followers import uncommanded_vetoes
from turnwright.rules.parts.attacks.attack_price import (
    COMMANDED_BY_RIDER,
    FREE,
    attack_resource,
    attacks_per_action,
)
from turnwright.rules.parts.attacks.weapon_kind import MELEE, attack_kind
from turnwright.rules.parts.combatants.incapacitation import cannot_act_vetoes
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.economy.limited_uses import LEGENDARY, remaining_uses, use_key
from turnwright.rules.parts.movement.riding import reins_vetoes
from turnwright.rules.system import RuleSystem, creature_of

ATTACKS, OFF_HAND = "attacks", "off-hand"
USED_IN_ONE_HAND, USED_IN_BOTH_HANDS = "struck-with", "struck-with-both-hands"


def attacks_left(lookup: Lookup, who: str, name: str = ATTACKS) -> int:
    """Return the number of attacks left in the current Attack action (or for the off hand)."""
    return track_value(lookup, who, name) if resources.is_on_turn(lookup, who) else 0


def spend_attack(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Spend one attack of the Attack action on something else, such as a grapple. Take the action first if necessary.

    Raise Refused if a rule forbids it.
    """
    if attacks_left(tx, who):
        tx.forbid_by(resources.denial_vetoes(tx, rules, who, "action"))
    else:
        spend(tx, rules, who, "action")
        start_attack_action(tx, who)
    set_attacks_left(tx, who, max(0, attacks_left(tx, who) - 1))


def start_attack_action(tx: Transaction, who: str) -> None:
    """Start counting the attacks of an Attack action that is already spent."""
    set_attacks_left(tx, who, attacks_per_action(creature_of(tx, tx.need(Combatant, who))))


def set_attacks_left(tx: Transaction, who: str, count: int, name: str = ATTACKS) -> None:
    """Set the number of attacks that a combatant (or its off hand) has paid for and not yet made."""
    tx.put(Track(track_id(who, name), who, name, count))


# The cost of an attack -------------------------------------------------------------------------------------------


def _amount_of(rules: RuleSystem, attack: AttackInProgress) -> int:
    """Return the amount of its resource that an attack costs."""
    return attack.weapon.price if rules.data.attack.priced else 1


def pay_attack(tx: Transaction, rules: RuleSystem, attack: AttackInProgress) -> None:
    """Pay for an attack, and store the weapon used."""
    price, who = attack_resource(rules, attack), attack.attacker
    holds_spell = attack.purpose == "readied" and release_held_spell(tx, rules, who)
    if price == "attack":
        remaining = attacks_left(tx, who)
        if not remaining:
            deduct(tx, rules, who, "action")
            remaining = attacks_per_action(creature_of(tx, tx.need(Combatant, who)))
        set_attacks_left(tx, who, remaining - 1)
        _keep(tx, attack)
    elif price == OFF_HAND:
        _pay_off_hand(tx, rules, who)
    elif price == LEGENDARY:
        spend_use(tx, who, LEGENDARY, attack.weapon.name, attack.weapon.price)
    elif price:
        deduct(tx, rules, who, price, _amount_of(rules, attack))
    deduct_pools(tx, rules, who, attack.weapon.id, attack.weapon.spends)
    if not holds_spell:  # a readied spell has already been paid for
        spend_use(tx, who, use_key(attack.weapon), attack.weapon.name)


def reserved_for_attack(tx: Transaction, rules: RuleSystem, attack: AttackInProgress) -> NamedNumbers:
    """Spend a limited use of a declared attack, and return the resources to reserve for it."""
    means, who = attack.weapon, attack.attacker
    spend_use(tx, who, use_key(means), means.name)
    reserved = reserved_for(tx, rules, who, attack_resource(rules, attack), _amount_of(rules, attack))
    return (*reserved, *reserved_points(tx, who, means.id, means.spends))


def _pay_off_hand(tx: Transaction, rules: RuleSystem, who: str) -> None:
    remaining = attacks_left(tx, who, OFF_HAND)
    if not remaining:
        deduct(tx, rules, who, "bonus")
        numbers = rules.data.attack
        extra = creature_of(tx, tx.need(Combatant, who)).extra_attack
        remaining = numbers.off_hand_extra if extra else numbers.off_hand
    set_attacks_left(tx, who, remaining - 1, OFF_HAND)


def _keep(tx: Transaction, attack: AttackInProgress) -> None:
    """Store the weapon used. A light weapon used in one hand allows an off-hand attack later."""
    one_handed = not {"heavy", "two-handed", "spell"} & {*attack.weapon.properties}
    name = USED_IN_ONE_HAND if one_handed else USED_IN_BOTH_HANDS
    mark = Effect(
        tx.next_id("effect"), attack.attacker, name, source=attack.weapon.id, ends=Duration("turn"), shown=False
    )
    tx.put(mark)


# Costs entered by a person ---------------------------------------------------------------------------------------


def is_cost_unknown(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> bool:
    """Return whether the game master has to enter part of an attack's cost."""
    prices = (attack.weapon.price, *(price for _, price in attack.weapon.spends))
    return rules.data.attack.priced and bool(attack_resource(rules, attack)) and 0 in prices


def unknown_attack_costs(tx: Transaction, rules: RuleSystem, attack: AttackInProgress) -> list[Ask]:
    """Return the asks for an attack's unknown costs."""
    means, who = attack.weapon, attack.attacker
    is_open = resources.known_cost(tx, who, means.id, means.price) is None
    rule = rules.rule_id("price.attack")
    return cost_asks(tx, rules, who, means.id, means.name, means.spends, is_unknown=is_open, rule=rule)


def with_cost(lookup: Lookup, attack: AttackInProgress) -> AttackInProgress:
    """Return an attack at the cost entered for it."""
    price = resources.known_cost(lookup, attack.attacker, attack.weapon.id, attack.weapon.price)
    return msgspec.structs.replace(attack, weapon=msgspec.structs.replace(attack.weapon, price=price or 0))


# Vetoes ----------------------------------------------------------------------------------------------------------


def cost_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return the vetoes against an attack because its attacker can't act or can't pay."""
    who = lookup.need(Combatant, attack.attacker)
    barred = cannot_act_vetoes(lookup, rules, who.id) or _uncalled_for(lookup, rules, attack)
    if barred:
        return barred
    price = attack_resource(rules, attack)
    if price == "attack":
        ask = resources.denial_vetoes if attacks_left(lookup, who.id) else resources.spending_vetoes
        vetoes = [*ask(lookup, rules, who.id, "action")]
    elif price == OFF_HAND:
        vetoes = _off_hand(lookup, rules, who, attack.weapon)
    elif price == LEGENDARY:
        enough = remaining_uses(lookup, who.id, LEGENDARY) >= attack.weapon.price
        rule = feature_rule(lookup, rules, who.id)
        vetoes = [] if enough else [Veto("refused.no_uses", rule, (("what", attack.weapon.name),))]
    else:
        vetoes = [*resources.spending_vetoes(lookup, rules, who.id, price, _amount_of(rules, attack))]
    vetoes += resources.pool_vetoes(lookup, rules, who.id, attack.weapon.id, attack.weapon.spends)
    holds_spell = attack.purpose == "readied" and is_holding_spell(lookup, rules, who.id)
    return (*vetoes, *(() if holds_spell else use_vetoes(lookup, rules, who.id, attack.weapon)))


def _uncalled_for(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return the vetoes against an attack that is readied, commanded, out of turn or made by a mount."""
    who = attack.attacker
    mount_vetoes = reins_vetoes(lookup, rules, who, "attack", cost=attack_resource(rules, attack))
    if mount_vetoes:
        return mount_vetoes
    if attack.purpose == "readied":
        return release_vetoes(lookup, rules, who, attack.weapon, attack=True)
    if attack.purpose == FREE:
        return resources.out_of_turn_vetoes(lookup, rules, who)
    if attack.purpose == "commanded" and COMMANDED_BY_RIDER not in attack.tags:
        return uncommanded_vetoes(lookup, rules, who)
    return ()


def _off_hand(lookup: Lookup, rules: RuleSystem, who: Combatant, means: Feature) -> list[Veto]:
    """Return the vetoes against an off-hand attack because of its weapon, or the weapon used before."""
    what = (("what", means.name),)
    if not rules.data.attack.off_hand:
        return [Veto("refused.no_off_hand", rules.rule_id("attack.multiple"), what)]
    if "dual-wielding" not in means.properties or attack_kind(means) != MELEE:
        return [Veto("refused.not_dual", rules.rule_id("twf.offhand-property"), what)]
    used = [effect for effect in lookup.of(Effect, who.id) if effect.name in (USED_IN_ONE_HAND, USED_IN_BOTH_HANDS)]
    if not used:
        return [Veto("refused.off_hand_first", rules.rule_id("twf.trigger"), what)]
    with_one_hand = [effect.source for effect in used if effect.name == USED_IN_ONE_HAND]
    if not with_one_hand:
        return [Veto("refused.off_hand_heavy", rules.rule_id("twf.heavy"), what)]
    if means.id in with_one_hand and len(set(with_one_hand)) == 1:
        return [Veto("refused.not_dual", rules.rule_id("twf.offhand-property"), what)]
    if attacks_left(lookup, who.id, OFF_HAND):
        return []
    vetoes = [*resources.spending_vetoes(lookup, rules, who.id, "bonus")]
    extra = lookup.get(Track, track_id(who.id, OFF_HAND)) is not None
    return [Veto(veto.reason, rules.rule_id("twf.extra-attack"), veto.params) for veto in vetoes] if extra else vetoes
