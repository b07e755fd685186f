"""What attacks cost: the attacks of one Attack action, the off hand's for the bonus action, and reactions.

The Attack action is spent with its first attack; the others are counted on the track `attacks`, those of the off hand
on `off-hand`. What was struck with is kept for the turn, since the off hand follows it.
"""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask, Assault
from turnwright.encounter.prepared import Creature, Feature, Figures
from turnwright.encounter.running import Combatant, Effect, Ends, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.procedures.announcing import reserved_for, reserved_pools
from turnwright.play.procedures.questions import price_asks
from turnwright.play.procedures.readied import holds_spell, release_vetoes, released_spell
from turnwright.play.resources import spend, take, take_pools
from turnwright.play.supplies import LEGENDARY, have, lacks, spend_supply, supply_of
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import economy
from turnwright.rules.parts.actions import own_rule
from turnwright.rules.parts.control import COMMANDED, uncommanded
from turnwright.rules.parts.fitness import unable
from turnwright.rules.parts.means import MELEE, is_spell, kind_of
from turnwright.rules.parts.riding import led_vetoes
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem, creature_of

ATTACKS, OFF_HAND = "attacks", "off-hand"
STRUCK_WITH, BOTH_HANDS = "struck-with", "struck-with-both-hands"
FREE, ORDERED = "free", "ordered"  # the tag of what a rider has paid for already
BY_REACTION = ("opportunity", "readied")


def attacks_of_action(creature: Creature) -> int:
    """Return how many attacks one Attack action gives: the creature's own figure, or that of a multiattack."""
    return max([creature.attacks, *(feature.attacks for feature in creature.features)])


def attacks_left(lookup: Lookup, who: str, name: str = ATTACKS) -> int:
    """Return how many attacks of an Attack action under way (or of the off hand's) are left."""
    track = lookup.get(Track, track_id(who, name))
    return track.value if track is not None and economy.on_turn(lookup, who) else 0


def begin_attack_action(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Spend the action on attacks: as many as it gives are there from now on. Refused where the action can't be spent."""
    spend(tx, rules, who, "action")
    _set(tx, who, ATTACKS, attacks_of_action(creature_of(tx, tx.need(Combatant, who))))


def spend_attack(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Give up one attack of the Attack action for something else, such as a grapple; none left begins one. Refused."""
    if attacks_left(tx, who):
        tx.forbid_by(economy.denied(tx, rules, who, "action"))
    else:
        begin_attack_action(tx, rules, who)
    _set(tx, who, ATTACKS, max(0, attacks_left(tx, who) - 1))


def _set(tx: Transaction, who: str, name: str, value: int) -> None:
    tx.put(Track(track_id(who, name), who, name, value))


# What an attack costs --------------------------------------------------------------------------------------------


def cost_of(rules: RuleSystem, assault: Assault) -> str:
    """Return what an attack is paid with: `attack`, `off-hand`, a resource, `legendary`, or nothing."""
    if assault.purpose in BY_REACTION:
        return "reaction"
    if assault.purpose == FREE or ORDERED in assault.tags:
        return ""
    if assault.purpose and assault.purpose != COMMANDED:
        return assault.purpose
    cost = assault.means.cost
    if cost in ("bonus", "reaction", "legendary"):
        return cost
    if cost == "lair":
        return ""
    by_itself = is_spell(assault.means) or rules.catalogue.attack.priced
    return "action" if by_itself else "attack"


def _amount_of(rules: RuleSystem, assault: Assault) -> int:
    """Return how many of its cost an attack takes."""
    return assault.means.price if rules.catalogue.attack.priced else 1


def pay(tx: Transaction, rules: RuleSystem, assault: Assault) -> None:
    """Pay for an attack, and keep what was struck with."""
    price, who = cost_of(rules, assault), assault.attacker
    held = assault.purpose == "readied" and released_spell(tx, rules, who)
    if price == "attack":
        left = attacks_left(tx, who)
        if not left:
            take(tx, rules, who, "action")
            left = attacks_of_action(creature_of(tx, tx.need(Combatant, who)))
        _set(tx, who, ATTACKS, left - 1)
        _keep(tx, assault)
    elif price == OFF_HAND:
        _pay_off_hand(tx, rules, who)
    elif price == LEGENDARY:
        spend_supply(tx, who, LEGENDARY, assault.means.name, assault.means.price)
    elif price:
        take(tx, rules, who, price, _amount_of(rules, assault))
    take_pools(tx, rules, who, assault.means.id, assault.means.spends)
    supply = supply_of(assault.means)
    if supply and not held:  # a readied spell has been cast and paid for before
        spend_supply(tx, who, supply, assault.means.name)


def attack_reserves(tx: Transaction, rules: RuleSystem, assault: Assault) -> Figures:
    """Return what has to be kept for an attack that is announced; a use that it draws on is gone at once."""
    means, who = assault.means, assault.attacker
    if supply_of(means):
        spend_supply(tx, who, supply_of(means), means.name)
    reserved = reserved_for(tx, rules, who, cost_of(rules, assault), _amount_of(rules, assault))
    return (*reserved, *reserved_pools(tx, who, means.id, means.spends))


def _pay_off_hand(tx: Transaction, rules: RuleSystem, who: str) -> None:
    left = attacks_left(tx, who, OFF_HAND)
    if not left:
        take(tx, rules, who, "bonus")
        figures = rules.catalogue.attack
        extra = creature_of(tx, tx.need(Combatant, who)).extra_attack
        left = figures.off_hand_extra if extra else figures.off_hand
    _set(tx, who, OFF_HAND, left - 1)


def _keep(tx: Transaction, assault: Assault) -> None:
    """Keep what was struck with: the off hand may follow a weapon held in one hand that isn't heavy."""
    one_handed = not {"heavy", "two-handed", "spell"} & {*assault.means.properties}
    name = STRUCK_WITH if one_handed else BOTH_HANDS
    mark = Effect(tx.next_id("effect"), assault.attacker, name, source=assault.means.id, ends=Ends("turn"), shown=False)
    tx.put(mark)


# A price that a person says ---------------------------------------------------------------------------------------


def is_price_open(lookup: Lookup, rules: RuleSystem, assault: Assault) -> bool:
    """Return whether what an attack takes leaves something for a person to say."""
    prices = (assault.means.price, *(price for _, price in assault.means.spends))
    return rules.catalogue.attack.priced and bool(cost_of(rules, assault)) and 0 in prices


def open_prices(tx: Transaction, rules: RuleSystem, assault: Assault) -> list[Ask]:
    """Return the asks for what an attack takes and nobody has said."""
    means, who = assault.means, assault.attacker
    is_open = economy.said_price(tx, who, means.id, means.price) is None
    rule = rules.cite("price.attack")
    return price_asks(tx, rules, who, means.id, means.name, means.spends, is_open=is_open, rule=rule)


def at_its_price(lookup: Lookup, assault: Assault) -> Assault:
    """Return an attack at the price that a person has said for it."""
    price = economy.said_price(lookup, assault.attacker, assault.means.id, assault.means.price)
    return msgspec.structs.replace(assault, means=msgspec.structs.replace(assault.means, price=price or 0))


# What forbids it ---------------------------------------------------------------------------------------------------


def cost_vetoes(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[Veto, ...]:
    """Return why an attack can't be paid for, or its maker can't make it."""
    who = lookup.need(Combatant, assault.attacker)
    barred = unable(lookup, rules, who.id) or _uncalled_for(lookup, rules, assault)
    if barred:
        return barred
    price = cost_of(rules, assault)
    if price == "attack":
        ask = economy.denied if attacks_left(lookup, who.id) else economy.vetoes
        found = [*ask(lookup, rules, who.id, "action")]
    elif price == OFF_HAND:
        found = _off_hand(lookup, rules, who, assault.means)
    elif price == LEGENDARY:
        enough = have(lookup, who.id, LEGENDARY) >= assault.means.price
        rule = own_rule(lookup, rules, who.id)
        found = [] if enough else [Veto("refused.no_uses", rule, (("what", assault.means.name),))]
    else:
        found = [*economy.vetoes(lookup, rules, who.id, price, _amount_of(rules, assault))]
    found += economy.vetoes_on_pools(lookup, rules, who.id, assault.means.id, assault.means.spends)
    held = assault.purpose == "readied" and holds_spell(lookup, who.id)
    return (*found, *(() if held else lacks(lookup, rules, who.id, assault.means)))


def _uncalled_for(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[Veto, ...]:
    """Return why an attack can't be made for the purpose given: it wasn't readied or commanded, or it isn't the turn."""
    who = assault.attacker
    led = led_vetoes(lookup, rules, who, "attack", cost=cost_of(rules, assault))
    if led:
        return led
    if assault.purpose == "readied":
        return release_vetoes(lookup, rules, who, assault.means, attack=True)
    if assault.purpose == FREE:
        return economy.out_of_turn(lookup, rules, who)
    if assault.purpose == COMMANDED and ORDERED not in assault.tags:
        return uncommanded(lookup, rules, who)
    return ()


def _off_hand(lookup: Lookup, rules: RuleSystem, who: Combatant, means: Feature) -> list[Veto]:
    """Return what keeps the off hand from striking: the weapon in it, or what was struck with before."""
    what = (("what", means.name),)
    if not rules.catalogue.attack.off_hand:
        return [Veto("refused.no_off_hand", rules.cite("attack.multiple"), what)]
    if "dual-wielding" not in means.properties or kind_of(means) != MELEE:
        return [Veto("refused.not_dual", rules.cite("twf.offhand-property"), what)]
    struck = [effect for effect in effects_on(lookup, who.id) if effect.name in (STRUCK_WITH, BOTH_HANDS)]
    if not struck:
        return [Veto("refused.off_hand_first", rules.cite("twf.trigger"), what)]
    with_one_hand = [effect.source for effect in struck if effect.name == STRUCK_WITH]
    if not with_one_hand:
        return [Veto("refused.off_hand_heavy", rules.cite("twf.heavy"), what)]
    if means.id in with_one_hand and len(set(with_one_hand)) == 1:
        return [Veto("refused.not_dual", rules.cite("twf.offhand-property"), what)]
    if attacks_left(lookup, who.id, OFF_HAND):
        return []
    found = [*economy.vetoes(lookup, rules, who.id, "bonus")]
    extra = lookup.get(Track, track_id(who.id, OFF_HAND)) is not None
    return [Veto(one.reason, rules.cite("twf.extra-attack"), one.params) for one in found] if extra else found
