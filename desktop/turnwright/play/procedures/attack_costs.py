"""What attacks cost: the attacks of one Attack action, the off hand's for the bonus action, and reactions.

The Attack action is spent with its first attack; the others are counted on the track `attacks`, those of the off hand
on `off-hand`. What was struck with is kept for the turn, since the off hand follows it.
"""

from __future__ import annotations

from turnwright.encounter.pending import Assault
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.running import Clock, Combatant, Effect, Ends, Slot, Track
from turnwright.encounter.state import Lookup
from turnwright.play.harm import track_id
from turnwright.play.procedures.readied import holds_spell, release_vetoes, released_spell
from turnwright.play.resources import spend, take
from turnwright.play.supplies import LEGENDARY, have, lacks, spend_supply, supply_of
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Hook, Moment, Veto, contributions
from turnwright.rules.parts.means import MELEE, is_spell, kind_of
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem, creature_of

ATTACKS, OFF_HAND = "attacks", "off-hand"
STRUCK_WITH, BOTH_HANDS = "struck-with", "struck-with-both-hands"
UNPAID = ("commanded", "free")
BY_REACTION = ("opportunity", "readied")


def attacks_of_action(creature: Creature) -> int:
    """Return how many attacks one Attack action gives: the creature's own figure, or that of a multiattack."""
    return max([creature.attacks, *(feature.attacks for feature in creature.features)])


def attacks_left(lookup: Lookup, who: str, name: str = ATTACKS) -> int:
    """Return how many attacks of an Attack action under way (or of the off hand's) are left."""
    track = lookup.get(Track, track_id(who, name))
    return track.value if track is not None and _is_active(lookup, who) else 0


def _is_active(lookup: Lookup, who: str) -> bool:
    clock = lookup.get(Clock, "clock")
    slot = lookup.get(Slot, clock.active) if clock and clock.active else None
    return slot is not None and who in slot.members


def begin_attack_action(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Spend the action on attacks: as many as it gives are there from now on. Refused where the action can't be spent."""
    spend(tx, rules, who, "action")
    _set(tx, who, ATTACKS, attacks_of_action(creature_of(tx, tx.need(Combatant, who))))


def spend_attack(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Give up one attack of the Attack action for something else, such as a grapple; none left begins one. Refused."""
    if attacks_left(tx, who):
        tx.forbid_by(_denied(tx, rules, who, "action"))
    else:
        begin_attack_action(tx, rules, who)
    _set(tx, who, ATTACKS, max(0, attacks_left(tx, who) - 1))


def _set(tx: Transaction, who: str, name: str, value: int) -> None:
    tx.put(Track(track_id(who, name), who, name, value))


# What an attack costs --------------------------------------------------------------------------------------------


def price_of(assault: Assault) -> str:
    """Return what an attack is paid with: `attack`, `off-hand`, a resource, `legendary`, or nothing."""
    if assault.purpose in BY_REACTION:
        return "reaction"
    if assault.purpose in UNPAID:
        return ""
    if assault.purpose:
        return assault.purpose
    cost = assault.means.cost
    if cost in ("bonus", "reaction", "legendary"):
        return cost
    return "action" if is_spell(assault.means) else "attack"


def pay(tx: Transaction, rules: RuleSystem, assault: Assault) -> None:
    """Pay for an attack, and keep what was struck with."""
    price, who = price_of(assault), assault.attacker
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
        take(tx, rules, who, price)
    supply = supply_of(assault.means)
    if supply and not held:  # a readied spell has been cast and paid for before
        spend_supply(tx, who, supply, assault.means.name)


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


# What forbids it ---------------------------------------------------------------------------------------------------


def cost_vetoes(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[Veto, ...]:
    """Return why an attack can't be paid for, or its maker can't make it."""
    who = lookup.need(Combatant, assault.attacker)
    if who.dead or who.hp == 0:
        return (Veto("refused.down", rules.cite("attack.down"), (("who", who.label),)),)
    price = price_of(assault)
    if assault.purpose == "readied" and release_vetoes(lookup, rules, who.id):
        return release_vetoes(lookup, rules, who.id)
    if price == "attack":
        found = [] if attacks_left(lookup, who.id) else _lacks(lookup, rules, who, "action")
        found += _denied(lookup, rules, who.id, "action") if not found else []
    elif price == OFF_HAND:
        found = _off_hand(lookup, rules, who, assault.means)
    elif price == LEGENDARY:
        enough = have(lookup, who.id, LEGENDARY) >= assault.means.price
        found = [] if enough else [Veto("refused.no_uses", rules.cite("feature.use"), (("what", assault.means.name),))]
    else:
        found = _lacks(lookup, rules, who, price) if price else []
    held = assault.purpose == "readied" and holds_spell(lookup, who.id)
    return (*found, *(() if held else lacks(lookup, rules, who.id, assault.means)))


def _lacks(lookup: Lookup, rules: RuleSystem, who: Combatant, resource: str) -> list[Veto]:
    """Return why a resource can't be spent: out of turn, forbidden, or none left."""
    definition = rules.resources.get(resource)
    if definition is None or not definition.amount:
        return []
    if not definition.off_turn and not _is_active(lookup, who.id):
        return [Veto("refused.not_your_turn", rules.cite("round.on-turn"), (("who", who.label),))]
    found = _denied(lookup, rules, who.id, resource)
    track = lookup.get(Track, track_id(who.id, resource))
    if track is None or track.value < 1:
        rule = definition.ledger[0] if definition.ledger else ""
        params = (("resource", f"<resource.{resource}>"), ("who", who.label))
        found.append(Veto("refused.none_left", rule, params))
    return found


def _denied(lookup: Lookup, rules: RuleSystem, who: str, resource: str) -> list[Veto]:
    return [*contributions(lookup, rules, Hook.ACTION_DECLARED, Moment(who, resource)).vetoes]


def _off_hand(lookup: Lookup, rules: RuleSystem, who: Combatant, means: Feature) -> list[Veto]:
    """Return what keeps the off hand from striking: the weapon in it, or what was struck with before."""
    what = (("what", means.name),)
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
    found = _lacks(lookup, rules, who, "bonus")
    extra = lookup.get(Track, track_id(who.id, OFF_HAND)) is not None
    return [Veto(one.reason, rules.cite("twf.extra-attack"), one.params) for one in found] if extra else found
