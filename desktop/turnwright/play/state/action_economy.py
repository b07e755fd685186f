"""The action economy of a turn: resources stored as tracks, refilled and spent by the rules, and limited uses."""

from collections.abc import Iterable
from typing import Final

import msgspec

from turnwright.encounter.field_specs import ResourceId
from turnwright.encounter.prepared import ALL_FEATURES, Creature, Feature, NamedNumbers, UsesPeriod
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress, FeatureSteps
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.procedure_state.attacks import AttackInProgress, SaveEffect
from turnwright.encounter.procedure_state.movement import MOVE, MoveInProgress
from turnwright.encounter.procedure_state.turns import FEATURE_REST, FeatureRest
from turnwright.encounter.running import USES, Combatant, Duration, Effect, GuestCreature, Track, track_id
from turnwright.encounter.state import Lookup, effects_named, find_effect
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, begin, withdraw_asks
from turnwright.play.kernel.transaction import CombatantCommand, Refused, Transaction, command
from turnwright.play.state.effect_records import end_effect, set_value
from turnwright.play.state.events import ActionTaken, FeatureReady, ResourceRestored, TrackSet, UsesSpent
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.actions.spell_features import BONUS_SPELL, CANTRIP, kind_of_cast
from turnwright.rules.parts.attacks.attack_targeting import is_spell
from turnwright.rules.parts.combatants.facts import ATTACKED_WITH, JUST_HIT, WALK
from turnwright.rules.parts.conditions.condition_rules import data_rules
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.economy.limited_uses import (
    LEGENDARY,
    counted_price,
    is_on_turn,
    maximum_uses,
    refill_modifier,
    remaining_uses,
    use_key,
    use_track,
    uses_per_use,
)
from turnwright.rules.parts.movement import move_legs
from turnwright.rules.system import RuleSystem, Veto, creature_of, label_of
from turnwright.rules.system_data.numbers import Resource
from turnwright.rules.system_data.statements import readable_statement

MOVED = "moved"
PER_TURN_TRACKS = ("attacks", "off-hand")  # counted from the Attack action, removed at the start of the next turn
ATTACK_TRAIT = "attack-trait"
PASS = "pass"
SLOT_SPENT = "slot-spent"  # mark: a spell slot was spent this turn


def refill(tx: Transaction, who: str, moment: str) -> None:
    """Refill the resources due at `turn-start` or `round-start`. The start of a turn also resets movement."""
    for resource in tx.rules.data.resources:
        if limited_uses.is_finite(resource) and _refilled_at(tx, resource) == moment:
            id = track_id(who, resource.id)
            track = tx.get(Track, id)
            current = track.value if track and resource.carry else 0
            most = limited_uses.maximum(tx, who, resource)
            change = refill_modifier(tx, tx.rules, who, resource)
            refilled = 0 if change.withheld else limited_uses.refill_amount(tx, tx.rules, who, resource)
            after = tx.put(Track(id, who, resource.id, current + refilled, max(most, refilled)))
            if change.bonus or change.penalty or change.withheld:
                rule = tx.rule_id("turn.not-regained" if change.withheld else "turn.regain-changed")
                before = track.value if track is not None else 0
                lost = change.withheld and not after.value  # the condition's journal line reports it
                tx.emit(
                    TrackSet(
                        who=who,
                        track=resource.id,
                        before=before,
                        after=after.value,
                        how="refilled",
                        rule=rule,
                        bookkeeping=bool(lost),
                    )
                )
            expire_withholding_effects(tx, change.wearing_off, most + change.bonus)
            if resource.off_turn and track is not None and track.value < after.value:
                rule = tx.rule_id("turn.reaction-refresh") or next(reversed(resource.ledger), "")
                tx.emit(ResourceRestored(who=who, resource=resource.id, rule=rule, bookkeeping=True))
    if moment == "turn-start":
        tx.put(Track(track_id(who, MOVED), who, MOVED))
        for name in PER_TURN_TRACKS:
            tx.discard(Track, track_id(who, name))


def expire_withholding_effects(tx: Transaction, withheld: tuple[tuple[str, int], ...], limit: int) -> None:
    """Reduce effects that withhold resources by `limit` points in total. End those that reach 0."""
    for id, amount in withheld:
        effect = tx.get(Effect, id)
        reduction = min(amount, limit)
        limit -= reduction
        if effect is not None and effect.value <= reduction:
            end_effect(tx, effect)
        elif effect is not None:
            set_value(tx, effect, effect.value - reduction)


def lose_unspent(tx: Transaction, who: Iterable[str]) -> None:
    """Remove each combatant's unspent resources that lapse at the end of the turn."""
    for combatant_id in who:
        for resource in tx.rules.data.resources:
            track = tx.get(Track, track_id(combatant_id, resource.id))
            if resource.lapses and track is not None and track.value:
                tx.update(track, value=0)
                tx.emit(
                    TrackSet(
                        who=combatant_id,
                        track=resource.id,
                        before=track.value,
                        after=0,
                        how="lapsed",
                        rule=tx.rule_id("turn.lapsed"),
                        bookkeeping=True,
                    )
                )


def require_no_open_action(tx: Transaction, who: str, *, moves: bool = False, reacts: bool = False) -> None:
    """Refuse an action if the combatant's move is unfinished, or its previous action if actions can't overlap.

    `moves`: it is a move, which may be the present step of a feature. `reacts`: it is a reaction, which may be taken
    during a move.
    """
    body = move_legs.moving_body(tx, who)
    if not reacts and any(_is_walk_of(tx, procedure, body) for procedure in tx.all(Procedure)):
        tx.forbid("refused.still_moving", tx.rule_id("turn.unfinished"), who=tx.need(Combatant, who).label)
    if not moves:
        require_no_own_declaration(tx, who)
    rule = tx.rule_id("turn.unfinished")
    if rule and any(_is_doing(procedure, who, moves=moves) for procedure in tx.all(Procedure)):
        tx.forbid("refused.unfinished", rule, who=tx.need(Combatant, who).label)


def require_no_own_declaration(tx: Transaction, who: str) -> None:
    """Refuse an action on the combatant's own turn while declared actions wait for reactions."""
    if is_on_turn(tx, who) and limited_uses.pending_declarations(tx):
        tx.forbid("refused.unfinished", tx.rule_id("reaction.own-turn"), who=tx.need(Combatant, who).label)


def _is_walk_of(tx: Transaction, procedure: Procedure, body: str) -> bool:
    """Return whether a procedure is a combatant's own move, or its rider's, and not a forced one."""
    data = procedure.data
    if procedure.kind != MOVE.name or not isinstance(data, MoveInProgress) or data.free:
        return False
    return move_legs.moving_body(tx, data.who) == body


def _is_doing(procedure: Procedure, who: str, *, moves: bool) -> bool:
    """Return whether a procedure is an unfinished action of a combatant."""
    data = procedure.data
    if isinstance(data, ActionInProgress | MoveInProgress):
        return data.who == who
    if isinstance(data, AttackInProgress):
        return data.attacker == who
    if isinstance(data, FeatureSteps):
        return data.who == who and not (moves and data.leave)
    return isinstance(data, SaveEffect) and who in data.members


def _refilled_at(tx: Transaction, resource: Resource) -> str:
    """Return the moment at which a resource refills. A house rule can move it to the start of each round."""
    moved = resource.round_option and tx.rules.has_option(tx, resource.round_option)
    return "round-start" if moved else resource.refill


def grant_initial(tx: Transaction, who: str) -> None:
    """Give a combatant its resources at the start of a fight. Most are full, some half full or empty."""
    refill(tx, who, "turn-start")
    for resource in tx.rules.data.resources:
        most = limited_uses.maximum(tx, who, resource)
        if resource.characters is not None:
            if most:
                tx.put(Track(track_id(who, resource.id), who, resource.id, 0, most))
        elif limited_uses.is_finite(resource) and (resource.start != "full" or resource.refill == "never"):
            start = "full" if {*resource.ready} & {*creature_of(tx, tx.need(Combatant, who)).tags} else resource.start
            have = {"full": most, "half": tx.rules.half(tx, most), "none": 0}[start]
            have = min(have, limited_uses.refill_amount(tx, tx.rules, who, resource))
            tx.put(Track(track_id(who, resource.id), who, resource.id, have, most))


def cap_to_refill(tx: Transaction, who: str) -> None:
    """Limit a combatant's resources to the amounts that a newly gained condition allows."""
    for resource in tx.rules.data.resources:
        track = tx.get(Track, track_id(who, resource.id))
        limit = limited_uses.refill_number(tx, tx.rules, who, resource)
        if track is not None and limit.replaced and track.value > limit.total:
            tx.update(track, value=limit.total)


def spend(tx: Transaction, who: str, resource: str, amount: int = 1) -> None:
    """Spend an amount of a resource. Refuse it out of turn, if a rule forbids it, or if too little is left."""
    tx.forbid_by(limited_uses.spending_vetoes(tx, tx.rules, who, resource, amount))
    deduct(tx, who, resource, amount)


def deduct(tx: Transaction, who: str, resource: str, amount: int = 1, *, is_action: bool = True) -> None:
    """Deduct an amount of a resource without checks. Unlimited and unknown resources don't change.

    If `is_action` is true, end effects that last only until the combatant acts.
    """
    if not limited_uses.is_limited(tx.rules, resource):
        return
    name = limited_uses.paying_resource(tx, tx.rules, who, resource)
    track = tx.get(Track, track_id(who, name)) or Track(track_id(who, name), who, name)
    tx.update(track, value=max(0, track.value - amount))
    if name != resource:
        mark_reaction(tx, who)
    if is_action:
        end_action_limited_effects(tx, who)


def mark_reaction(tx: Transaction, who: str) -> None:
    """Record that a combatant has reacted in the current turn, in games that allow one reaction per turn."""
    if tx.rules.data.reactions.once and not limited_uses.is_on_turn(tx, who):
        tx.put(
            Effect(limited_uses.reaction_mark_id(who), who, limited_uses.REACTED, ends=Duration("turn"), shown=False)
        )


def deduct_pools(tx: Transaction, who: str, cost_key: str, spends: NamedNumbers) -> None:
    """Deduct what a combatant's feature costs from additional pools."""
    for pool, price in spends:
        deduct(tx, who, pool, limited_uses.known_cost(tx, who, cost_key, price, pool) or 0)


def convert_points(tx: Transaction, who: str, resource: str, amount: int, rule: str) -> None:
    """Add points to a resource by a conversion rule. The caller must check the maximum."""
    most = limited_uses.maximum(tx, who, tx.rules.resources[resource])
    track = tx.get(Track, track_id(who, resource)) or Track(track_id(who, resource), who, resource, 0, most)
    before, after = track.value, track.value + amount
    tx.update(track, value=after, maximum=max(track.maximum, after))
    tx.emit(ResourceRestored(who=who, resource=resource, before=before, after=after, rule=rule))


def end_action_limited_effects(tx: Transaction, who: str) -> None:
    """End effects that last until a combatant acts, on itself or on others, and the rest of its paid stride."""
    for effect in list(tx.all(Effect)):
        condition = tx.rules.conditions.get(effect.name)
        until = condition.until if condition is not None else ""
        ended = (until == "acts" and effect.target == who) or (until == "source-acts" and effect.by == who)
        if condition is not None and ended:
            end_effect(tx, effect, tx.rule_id(f"acting.{condition.id}"))
        elif (effect.name, effect.by) == (JUST_HIT, who):
            tx.remove(effect)
    tx.discard(Effect, move_legs.stride_id(who))


def require_turn(tx: Transaction, who: str) -> None:
    """Refuse a command if it isn't the combatant's turn."""
    tx.forbid_by(limited_uses.out_of_turn_vetoes(tx, tx.rules, who))


@command(script="spend {who} {resource} [{note}]")
class SpendResource(CombatantCommand, frozen=True):
    """Spend a resource, such as `action`, `bonus` or `reaction`. `note` describes its use."""

    resource: ResourceId
    note: str = ""

    def handle(self, tx: Transaction) -> None:
        """Spend a resource on an activity that the rules don't cover."""
        resource = tx.rules.resources.get(self.resource)
        if resource is None:
            raise Refused("refused.unknown", params={"what": self.resource})
        spend(tx, self.who, self.resource)
        off_turn = resource.off_turn and not is_on_turn(tx, self.who)
        rule = tx.rule_id("round.off-turn" if off_turn else "turn.any-order")
        price = counted_price(tx.rules, self.resource, 1)
        tx.emit(ActionTaken(who=self.who, action="", cost=self.resource, note=self.note, price=price, rule=rule))


@command(script="regain {who} {resource}")
class RestoreResource(CombatantCommand, frozen=True):
    """Restore one point of a spent resource by hand."""

    resource: ResourceId

    def handle(self, tx: Transaction) -> None:
        """Restore one point of a spent resource; refuse it if none is spent."""
        track = tx.get(Track, track_id(self.who, self.resource))
        if track is None or track.value >= track.maximum:
            raise Refused("refused.nothing_spent", params={"resource": f"<resource.{self.resource}>"})
        tx.update(track, value=track.value + 1)
        tx.emit(ResourceRestored(who=self.who, resource=self.resource))


def spend_movement(tx: Transaction, who: str, feet: int, refusal: str, rule: str) -> None:
    """Spend feet of movement on another activity. Refuse it if too few are left."""
    remaining = move_legs.remaining_movement(tx, tx.rules, who, WALK) or 0
    if remaining < feet or not feet:
        tx.forbid(refusal, rule, who=label_of(tx, who), cost=feet, left=remaining)
    deduct_movement(tx, who, feet)


def deduct_movement(tx: Transaction, who: str, feet: int) -> None:
    """Deduct feet of movement without checks."""
    payer = move_legs.movement_payer(tx, who)
    track = tx.get(Track, track_id(payer, MOVED)) or Track(track_id(payer, MOVED), payer, MOVED)
    tx.update(track, value=track.value + feet)


def pay_for_step(tx: Transaction, who: str, mode: str, step: move_legs.StepCost) -> None:
    """Deduct a step from the current stride. Buy as many strides as needed."""
    option = move_legs.stride_action_for(tx, tx.rules, who, mode)
    most = tx.rules.allowance(tx, tx.rules, who, mode)
    if option is None or most is None:
        return
    payer = move_legs.movement_payer(tx, who)
    points, piece = move_legs.stride_cost(
        tx.rules, option, move_legs.current_stride(tx, tx.rules, who, mode), most.total, step
    )
    if points:
        deduct(tx, payer, option.cost, points)
        resource = limited_uses.paying_resource(tx, tx.rules, payer, option.cost)
        is_hard = step[1] and move_legs.costs_more_on_difficult(tx.rules, option)
        rule = tx.rule_id("move.hard-price") if is_hard else option.rule()
        price = limited_uses.counted_price(tx.rules, resource, points)
        tx.emit(ActionTaken(who=payer, action=option.name, cost=resource, price=price, rule=rule))
    mark = tx.get(Effect, move_legs.stride_id(payer))
    remember_stride(tx, payer, option.id, piece, most.total, mark.note if mark is not None and not points else "")


def lose_turn(tx: Transaction, who: str) -> None:
    """Take away what a combatant has just regained for its turn, which it has to skip."""
    for resource in tx.rules.data.resources:
        track = tx.get(Track, track_id(who, resource.id))
        is_regained = resource.refill == "turn-start" and not (resource.carry or resource.off_turn)
        if track is not None and track.value and is_regained:
            tx.update(track, value=0)


def lose_stride(tx: Transaction, who: str, mode: str) -> None:
    """Use up the current stride for nothing, in games where movement is bought. Buy one if there is none."""
    option, most = move_legs.stride_action_for(tx, tx.rules, who, mode), tx.rules.allowance(tx, tx.rules, who, mode)
    if option is None or most is None:
        return
    if move_legs.current_stride(tx, tx.rules, who, mode).remaining <= 0:
        pay_for_step(tx, who, mode, (1, move_legs.is_on_difficult_ground(tx, tx.rules, who)))
    remember_stride(tx, move_legs.movement_payer(tx, who), option.id, move_legs.Stride(), most.total)


def remember_stride(
    tx: Transaction, who: str, action: str, stride: move_legs.Stride, stride_feet: int, bought_as: str = ""
) -> None:
    """Record the current stride: the feet used, and whether its difficult terrain has been paid for.

    `bought_as` is the action that bought it, if it isn't the usual action.
    """
    mark = Effect(
        move_legs.stride_id(who),
        who,
        move_legs.STRIDE,
        source=action,
        value=int(stride.difficult_paid),
        ends=Duration("turn"),
        shown=False,
        note=bought_as,
    )
    tx.put(mark)
    tx.put(Track(track_id(who, MOVED), who, MOVED, max(0, stride_feet - stride.remaining)))


def attacks_made(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the number of attacks a combatant has made this turn, or 0 in games that don't count them."""
    name = rules.data.attack.tally
    tally = find_effect(lookup, who, name) if name else None
    return tally.value if tally is not None else 0


def count_attack(tx: Transaction, who: str, weapon: str = "", target: str = "", *, hit: bool = False) -> None:
    """Count an attack on the combatant's own turn, until the turn ends. Attacks on other turns don't count."""
    name = tx.rules.data.attack.tally
    if not name or not is_on_turn(tx, who):
        return
    ends, mark = Duration("turn"), tx.next_id("effect")
    tx.put(Effect(mark, who, ATTACKED_WITH, weapon, value=int(hit), ends=ends, by=target, shown=False))
    tally = find_effect(tx, who, name)
    if tally is None:
        tx.put(Effect(tx.next_id("effect"), who, name, value=1, ends=Duration("turn")))
    else:
        tx.put(msgspec.structs.replace(tally, value=tally.value + 1))


def reaction_ask(who: str, options: Iterable[Option], *, rule: str = "", detail: str = "") -> Ask:
    """Return the ask whether and how a combatant reacts. Its id is the combatant's id."""
    choices = (*options, Option(PASS, "option.pass"))
    return Ask(who, "choice", "ask.reaction", who=who, detail=detail, options=choices, suggested=(PASS,), rule=rule)


def accepted_reactions(answers: Answers) -> list[tuple[str, str]]:
    """Return pairs of each combatant who reacts and the chosen reaction."""
    return [
        (who, answer.chosen[0])
        for who, answer in answers.items()
        if not answer.skipped and answer.chosen and answer.chosen[0] != PASS
    ]


NOT_THERE = "refused.not_there"


@journal("journal.supply_set", kind="warn", level="level")
class UsesSet(CombatantEvent, frozen=True):
    """The remaining uses were set by hand. `what` is the feature's name, or empty for slots and legendary actions."""

    use_key: str
    what: str
    before: int
    left: int

    @property
    def journal_key(self) -> str:
        """Return the journal key for spell slots, legendary actions or other uses."""
        keys = {"slots": "journal.slots_set", "legendary": "journal.legendary_set"}
        return keys.get(self.use_key.partition(".")[0], "journal.supply_set")

    @property
    def level(self) -> str:
        """The level of a spell slot."""
        return self.use_key.partition(".")[2]


def use_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, level: int | None = None
) -> tuple[Veto, ...]:
    """Return the reasons why a feature can't be used: it isn't available, or no slot, use or recharge is left."""
    if not is_there(lookup, rules, who, feature):
        params = (("what", feature.name), ("when", readable_statement(feature.only, "<ui.automation.or>")))
        return (Veto(NOT_THERE, feature_rule(lookup, rules, who, feature), params),)
    if is_spell(feature) or "concentrate" in feature.properties:
        denials = data_rules(lookup, rules, who, ("casting",), kind="deny")
        if (denial := next(denials, None)) is not None:
            params = (("who", label_of(lookup, who)), ("why", denial.source_name))
            return (Veto("refused.no_casting", denial.rule.ledger, params),)
    name = use_key(feature, level)
    is_slot = name.startswith("slots.") and bool(maximum_uses(lookup, who, name))
    spent = sum(effect.value for effect in effects_named(lookup, who, SLOT_SPENT)) if is_slot else 0
    if rules.data.attack.slots_a_turn and spent >= rules.data.attack.slots_a_turn:
        return (Veto("refused.slot_spent", rules.rule_id("spell.slot-a-turn"), (("what", feature.name),)),)
    if not name or remaining_uses(lookup, who, name) >= max(1, uses_per_use(feature)):
        return ()
    word = name.partition(".")[0]
    owned = creature_of(lookup, lookup.need(Combatant, who)).features
    gained = feature.shares and any(step.recharges == feature.shares for each in owned for step in each.does)
    if (word == "slots" or feature.shares) and not (gained or maximum_uses(lookup, who, name)):
        return ()  # if the stat block lists no slots or no pool, and it gains no points, the player counts them
    return (Veto(f"refused.no_{word}", feature_rule(lookup, rules, who, feature), (("what", feature.name),)),)


CAST: Final = "cast"  # mark: it cast the spell in its source on this turn


def second_spell_vetoes(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature) -> tuple[Veto, ...]:
    """Return the veto on a second spell in a turn, if one of them takes a bonus action.

    Only cantrips that take an action can be cast with such a spell.
    """
    kind = kind_of_cast(rules, feature)
    most = max((mark.value for mark in effects_named(lookup, who, CAST)), default=CANTRIP)
    if kind == CANTRIP or max(kind, most) < BONUS_SPELL or most == CANTRIP:
        return ()
    return (Veto("refused.second_spell", feature_rule(lookup, rules, who, feature), (("what", feature.name),)),)


def mark_cast(tx: Transaction, who: str, feature: Feature) -> None:
    """Store that a combatant has cast a spell on its turn, in a game where this limits further spells.

    Conditions that last until it casts a spell end.
    """
    for effect in list(tx.of(Effect, who)) if is_spell(feature) else ():
        condition = tx.rules.conditions.get(effect.name)
        if condition is not None and condition.until == "casts":
            end_effect(tx, effect, next(iter(condition.ledger), ""))
    if tx.rules.data.attack.one_spell and is_spell(feature) and is_on_turn(tx, who):
        value, ends = kind_of_cast(tx.rules, feature), Duration("turn")
        tx.put(Effect(tx.next_id("effect"), who, CAST, feature.name, value, ends, shown=False))


def spend_use(tx: Transaction, who: str, name: str, what: str, count: int = 1) -> None:
    """Spend uses from a track, at most those left, and report it. Do nothing if the uses aren't limited."""
    most = maximum_uses(tx, who, name)
    remaining = max(0, remaining_uses(tx, who, name) - count)
    if not name or not most or not count:
        return
    tx.put(use_track(tx, who, name, remaining))
    tx.emit(UsesSpent(who=who, use_key=name, what=what, left=remaining, maximum=most))
    if tx.rules.data.attack.slots_a_turn and name.startswith("slots."):
        tx.put(Effect(tx.next_id("effect"), who, SLOT_SPENT, ends=Duration("turn"), shown=False, value=1))
    withdraw_asks(tx, lambda ask: name == LEGENDARY and (ask.who, ask.label) == (who, "ask.legendary"))  # one at a time
    features = creature_of(tx, tx.need(Combatant, who)).features
    for feature in features if name.startswith("recharge.") else ():
        if feature.rests and f"recharge.{feature.id}" == name:
            begin(tx, FEATURE_REST.ask_rounds, FeatureRest(who, feature.id))


def set_uses(tx: Transaction, who: str, name: str, left: int, *, is_gain: bool = False) -> None:
    """Set the remaining uses of a track and report it. Exceeding the maximum by hand requires an override."""
    before = remaining_uses(tx, who, name)
    if left == before:
        return
    combatant, most = tx.need(Combatant, who), maximum_uses(tx, who, name)
    if left > max(before, most) and not is_gain:
        tx.forbid("refused.more_than_all", feature_rule(tx, tx.rules, who), who=combatant.label, most=most)
    features = creature_of(tx, combatant).features
    pool = name.removeprefix(USES).capitalize() if is_gain else ""
    feature_name = next((feature.name for feature in features if feature.id == name.partition(".")[2]), pool)
    tx.put(use_track(tx, who, name, left))
    tx.emit(UsesSet(who=who, use_key=name, what=feature_name, before=before, left=left))


def restore_uses(tx: Transaction, who: str, *words: str) -> None:
    """Restore uses of the given kinds (`slots`, `uses`, `recharge`, `legendary`) to their maximum."""
    for track in tx.of(Track, who):
        if track.name.partition(".")[0] in words:
            tx.put(use_track(tx, who, track.name, maximum_uses(tx, who, track.name)))


def reset_uses(tx: Transaction, who: str, *spans: UsesPeriod) -> None:
    """Restore the uses of a combatant's features whose period, such as `round`, begins again."""
    for track in [each for each in tx.of(Track, who) if each.name.startswith(USES)]:
        features = creature_of(tx, tx.need(Combatant, who)).features
        feature = next((each for each in features if f"{USES}{each.id}" == track.name), None)
        if (feature.per if feature is not None else "long-rest") in spans:
            tx.remove(track)  # points of a pool that the stat block doesn't list are gone
        elif feature is not None and "rest" in spans and "one-a-rest" in feature.properties:
            set_uses(tx, who, track.name, min(track.value + 1, feature.uses))


def reset_all_uses(tx: Transaction, *spans: UsesPeriod) -> None:
    """Restore the uses of all combatants' features whose period begins again."""
    blocks = (block for kind in (Creature, GuestCreature) for block in tx.all(kind))
    listed = any(feature.uses and feature.per in spans for block in blocks for feature in block.features)
    if not listed and not any(effect.leaves for effect in tx.all(Effect)):
        return
    for who in dict.fromkeys(track.owner for track in tx.all(Track) if track.name.startswith(USES)):
        reset_uses(tx, who, *spans)


def recharge_features(tx: Transaction, who: str, id: str, apart_from: str = "", count: int = 0) -> None:
    """Recharge a feature, or all features (`*`) except `apart_from`. With a count, add uses to a pool, even beyond its maximum."""
    if count:
        set_uses(tx, who, f"{USES}{id}", remaining_uses(tx, who, f"{USES}{id}") + count, is_gain=True)
        return
    for feature in creature_of(tx, tx.need(Combatant, who)).features:
        name = use_key(feature)
        is_own = name.partition(".")[2] == feature.id
        is_selected = id == feature.id or (id == ALL_FEATURES and feature.id != apart_from)
        if is_selected and is_own and remaining_uses(tx, who, name) < maximum_uses(tx, who, name):
            tx.put(use_track(tx, who, name, maximum_uses(tx, who, name)))
            tx.emit(FeatureReady(who=who, feature=feature.name))
