"""An attack as commanded: target, weapon, and whether the attack is allowed.

Events of attacks and used features, which several modules emit or read.

Costs of attacks: attacks of an Attack action, the off hand's bonus action, reactions.

The first attack spends the Attack action. The tracks `attacks` and `off-hand` count the remaining attacks. The weapons
used are stored for the turn, because off-hand attacks depend on them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.dice.manual_rolls import typed_bonus
from turnwright.dice.roll import ExtraDice, Modifier, Roll
from turnwright.encounter.field_specs import CombatantId, CombatantIds, DiceText, Facts, FeatureId, WordKey
from turnwright.encounter.lookups import track_value
from turnwright.encounter.prepared import Feature, NamedNumbers, OtherDamage, Point
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.procedure_state.attacks import ATTACK, AttackInProgress
from turnwright.encounter.running import Combatant, Duration, Effect, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.asking.action_parameters import cost_asks
from turnwright.play.asking.declaration import reserved_for, reserved_points
from turnwright.play.effects.ready_action import is_holding_spell, release_held_spell, release_vetoes
from turnwright.play.kernel.commands import Command, command, copy_fields, require_dice
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import deduct, deduct_pools, require_no_open_action, require_running, spend
from turnwright.play.state.limited_uses import spend_use, use_vetoes
from turnwright.rules.hooks import HookContext, Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.action_options import feature_rule, switched_off_vetoes, uncommanded_vetoes
from turnwright.rules.parts.attacks.attack_rolls import attack_tags
from turnwright.rules.parts.attacks.attack_targeting import (
    COMMANDED_BY_RIDER,
    FREE,
    attack_resource,
    attacks_per_action,
    obstacle_on,
    occupies_square,
    targeted_object,
    targeting_vetoes,
)
from turnwright.rules.parts.attacks.weapon_kind import MELEE, attack_kind, is_attack, is_stowed
from turnwright.rules.parts.combatants.facts import cannot_act_vetoes
from turnwright.rules.parts.conditions.predicates import is_there, is_true_of
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.economy.limited_uses import LEGENDARY, remaining_uses, use_key
from turnwright.rules.parts.movement.opportunity_attacks import melee_attacks, unarmed_strike
from turnwright.rules.parts.movement.riding import reins_vetoes
from turnwright.rules.system import RuleSystem, creature_of

ATTACKS, OFF_HAND = "attacks", "off-hand"
USED_IN_ONE_HAND, USED_IN_BOTH_HANDS = "struck-with", "struck-with-both-hands"


def attacks_left(lookup: Lookup, who: str, name: str = ATTACKS) -> int:
    """Return the number of attacks left in the current Attack action (or for the off hand)."""
    return track_value(lookup, who, name) if resources.is_on_turn(lookup, who) else 0


def spend_attack(tx: Transaction, who: str) -> None:
    """Spend one attack of the Attack action on something else, such as a grapple. Take the action first if necessary.

    Raise Refused if a rule forbids it.
    """
    if attacks_left(tx, who):
        tx.forbid_by(resources.denial_vetoes(tx, tx.rules, who, "action"))
    else:
        spend(tx, who, "action")
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


def pay_attack(tx: Transaction, attack: AttackInProgress) -> None:
    """Pay for an attack, and store the weapon used."""
    price, who = attack_resource(tx.rules, attack), attack.attacker
    holds_spell = attack.purpose == "readied" and release_held_spell(tx, who)
    if price == "attack":
        remaining = attacks_left(tx, who)
        if not remaining:
            deduct(tx, who, "action")
            remaining = attacks_per_action(creature_of(tx, tx.need(Combatant, who)))
        set_attacks_left(tx, who, remaining - 1)
        _keep(tx, attack)
    elif price == OFF_HAND:
        _pay_off_hand(tx, who)
    elif price == LEGENDARY:
        spend_use(tx, who, LEGENDARY, attack.weapon.name, attack.weapon.price)
    elif price:
        deduct(tx, who, price, _amount_of(tx.rules, attack))
    deduct_pools(tx, who, attack.weapon.id, attack.weapon.spends)
    if not holds_spell:  # a readied spell has already been paid for
        spend_use(tx, who, use_key(attack.weapon), attack.weapon.name)


def reserved_for_attack(tx: Transaction, attack: AttackInProgress) -> NamedNumbers:
    """Spend a limited use of a declared attack, and return the resources to reserve for it."""
    means, who = attack.weapon, attack.attacker
    spend_use(tx, who, use_key(means), means.name)
    reserved = reserved_for(tx, who, attack_resource(tx.rules, attack), _amount_of(tx.rules, attack))
    return (*reserved, *reserved_points(tx, who, means.id, means.spends))


def _pay_off_hand(tx: Transaction, who: str) -> None:
    remaining = attacks_left(tx, who, OFF_HAND)
    if not remaining:
        deduct(tx, who, "bonus")
        numbers = tx.rules.data.attack
        extra = creature_of(tx, tx.need(Combatant, who)).extra_attack
        remaining = numbers.off_hand_extra if extra else numbers.off_hand
    set_attacks_left(tx, who, remaining - 1, OFF_HAND)


def _keep(tx: Transaction, attack: AttackInProgress) -> None:
    """Store the weapon used. A light weapon used in one hand allows an off-hand attack later."""
    one_handed = not {"heavy", "two-handed", "spell"} & {*attack.weapon.properties}
    name = USED_IN_ONE_HAND if one_handed else USED_IN_BOTH_HANDS
    id, source, ends = tx.next_id("effect"), attack.weapon.id, Duration("turn")
    tx.put(Effect(id, attack.attacker, name, source, ends=ends, shown=False))


# Costs entered by a person ---------------------------------------------------------------------------------------


def is_cost_unknown(tx: Transaction, attack: AttackInProgress) -> bool:
    """Return whether the game master has to enter part of an attack's cost."""
    prices = (attack.weapon.price, *(price for _, price in attack.weapon.spends))
    return tx.rules.data.attack.priced and bool(attack_resource(tx.rules, attack)) and 0 in prices


def unknown_attack_costs(tx: Transaction, attack: AttackInProgress) -> list[Ask]:
    """Return the asks for an attack's unknown costs."""
    means, who = attack.weapon, attack.attacker
    is_open = resources.known_cost(tx, who, means.id, means.price) is None
    return cost_asks(tx, who, means.id, means.name, means.spends, is_unknown=is_open, rule=tx.rule_id("price.attack"))


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
            raise Refused("refused.unknown", params={"what": weapon_id})
        return weapon
    listed = (attack for attack in attack_features(lookup, who) if is_there(lookup, rules, who, attack))
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
    with require_dice(choices.bonus):
        entered = (typed_bonus(choices.bonus),) if choices.bonus else ()
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
    conditional = (damage for damage in listed if damage.when)
    return next((one for one in conditional if is_true_of(lookup, rules, attack.attacker, one.when, context)), None)


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

    def handle(self, tx: Transaction) -> None:
        """Begin an attack on a combatant, an object or a square."""
        require_running(tx)
        require_no_open_action(tx, self.who)
        weapon = weapon_for(tx, tx.rules, self.who, self.weapon, self.given, self.purpose)
        attack = attack_on(tx, tx.rules, self.who, self.target, weapon, copy_fields(AttackChoices, self))
        begin(tx, ATTACK.declare, attack)


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
class Attacked(Event, frozen=True):
    """An attack was rolled against the target `name` and its `ac`; both are empty if unknown.

    `defence` lists the parts of that AC. `outcome` is `miss`, `fumble`, `hit` or `critical`. `guessed`: the attacker
    guessed a hidden target's square.
    """

    who: CombatantId
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
class AttackFailed(Event, frozen=True):
    """An attack could not be made, for a reason (a word key with its parameters)."""

    who: CombatantId
    weapon: str
    reason: WordKey
    params: tuple[tuple[str, str | int], ...] = ()
