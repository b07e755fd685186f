"""The action economy of a turn: resources stored as tracks, refilled and spent as the rule system says, and reactions."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from turnwright.encounter.field_specs import CombatantId, ResourceId
from turnwright.encounter.lookups import find_effect
from turnwright.encounter.prepared import NamedNumbers
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.procedure_state.attacks import AttackInProgress, SaveEffect
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.encounter.running import Clock, Combatant, Duration, Effect, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.scheduler import Answers
from turnwright.play.kernel.transaction import Refused, Transaction, require
from turnwright.play.state.effect_records import end_effect
from turnwright.play.state.events import ActionTaken, ResourceRestored, TrackSet
from turnwright.rules.parts.combatants.facts import WALK
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.economy.resources import counted_price, is_on_turn, refill_modifier
from turnwright.rules.parts.movement.move_legs import (
    STRIDE,
    StepCost,
    Stride,
    costs_more_on_difficult,
    current_stride,
    remaining_movement,
    stride_action_for,
    stride_cost,
    stride_id,
)
from turnwright.rules.parts.movement.riding import movement_payer
from turnwright.rules.system import RuleSystem, label_of
from turnwright.rules.system_data.actions import Resource

MOVED = "moved"
PER_TURN_TRACKS = ("attacks", "off-hand")  # counted from the Attack action, removed at the start of the next turn
ATTACK_TRAIT = "attack-trait"
PASS = "pass"


def refill(tx: Transaction, who: str, moment: str) -> None:
    """Refill the resources due at `turn-start` or `round-start`. The start of a turn also resets movement."""
    for resource in tx.rules.data.resources:
        if resources.is_finite(resource) and _refilled_at(tx, resource) == moment:
            id = track_id(who, resource.id)
            track = tx.get(Track, id)
            current = track.value if track and resource.carry else 0
            most = resources.maximum(tx, who, resource)
            change = refill_modifier(tx, tx.rules, who, resource)
            refilled = 0 if change.withheld else resources.refill_amount(tx, tx.rules, who, resource)
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
            tx.update(effect, value=effect.value - reduction)


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


def require_no_open_action(tx: Transaction, who: str) -> None:
    """Refuse an action if the combatant's previous action is unfinished, in games in which actions can't overlap."""
    rule = tx.rule_id("turn.unfinished")
    if rule and any(_is_doing(procedure, who) for procedure in tx.all(Procedure)):
        tx.forbid("refused.unfinished", rule, who=tx.need(Combatant, who).label)


def _is_doing(procedure: Procedure, who: str) -> bool:
    """Return whether a procedure is an unfinished action of a combatant."""
    data = procedure.data
    if isinstance(data, ActionInProgress | MoveInProgress):
        return data.who == who
    if isinstance(data, AttackInProgress):
        return data.attacker == who
    return isinstance(data, SaveEffect) and who in data.members


def _refilled_at(tx: Transaction, resource: Resource) -> str:
    """Return the moment at which a resource refills. A house rule can move it to the start of each round."""
    moved = resource.round_option and tx.rules.has_option(tx, resource.round_option)
    return "round-start" if moved else resource.refill


def grant_initial(tx: Transaction, who: str) -> None:
    """Give a combatant its resources at the start of a fight. Most are full, some half full or empty."""
    refill(tx, who, "turn-start")
    for resource in tx.rules.data.resources:
        most = resources.maximum(tx, who, resource)
        if resources.is_finite(resource) and (resource.start != "full" or resource.refill == "never"):
            have = {"full": most, "half": tx.rules.half(tx, most), "none": 0}[resource.start]
            have = min(have, resources.refill_amount(tx, tx.rules, who, resource))
            tx.put(Track(track_id(who, resource.id), who, resource.id, have, most))


def cap_to_refill(tx: Transaction, who: str) -> None:
    """Limit a combatant's resources to the amounts that a newly gained condition allows."""
    for resource in tx.rules.data.resources:
        track = tx.get(Track, track_id(who, resource.id))
        limit = resources.amount_left_by_condition(tx, tx.rules, who, resource)
        if track is not None and limit is not None and track.value > limit:
            tx.update(track, value=limit)


def spend(tx: Transaction, who: str, resource: str, amount: int = 1) -> None:
    """Spend an amount of a resource. Refuse it out of turn, if a rule forbids it, or if too little is left."""
    tx.forbid_by(resources.spending_vetoes(tx, tx.rules, who, resource, amount))
    deduct(tx, who, resource, amount)


def deduct(tx: Transaction, who: str, resource: str, amount: int = 1, *, is_action: bool = True) -> None:
    """Deduct an amount of a resource without checks. Unlimited and unknown resources don't change.

    If `is_action` is true, end effects that last only until the combatant acts.
    """
    if not resources.is_limited(tx.rules, resource):
        return
    name = resources.paying_resource(tx, tx.rules, who, resource)
    track = tx.get(Track, track_id(who, name)) or Track(track_id(who, name), who, name)
    tx.update(track, value=max(0, track.value - amount))
    if name != resource:
        mark_reaction(tx, who)
    if is_action:
        end_action_limited_effects(tx, who)


def mark_reaction(tx: Transaction, who: str) -> None:
    """Record that a combatant has reacted in the current turn, in games that allow one reaction per turn."""
    if tx.rules.data.reactions.once and not resources.is_on_turn(tx, who):
        tx.put(Effect(resources.reaction_mark_id(who), who, resources.REACTED, ends=Duration("turn"), shown=False))


def deduct_pools(tx: Transaction, who: str, cost_key: str, spends: NamedNumbers) -> None:
    """Deduct what a combatant's feature costs from additional pools."""
    for pool, price in spends:
        deduct(tx, who, pool, resources.known_cost(tx, who, cost_key, price, pool) or 0)


def convert_points(tx: Transaction, who: str, resource: str, amount: int, rule: str) -> None:
    """Add points to a resource by a conversion rule. The caller must check the maximum."""
    most = resources.maximum(tx, who, tx.rules.resources[resource])
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
    tx.discard(Effect, stride_id(who))


def require_running(tx: Transaction) -> None:
    """Refuse a command that needs a running encounter."""
    require(tx.get(Clock, "clock") is not None, "refused.not_running")


def require_turn(tx: Transaction, who: str) -> None:
    """Refuse a command if it isn't the combatant's turn."""
    tx.forbid_by(resources.out_of_turn_vetoes(tx, tx.rules, who))


@command(script="spend {who} {resource} [{note}]")
class SpendResource(Command, frozen=True):
    """Spend a resource, such as `action`, `bonus` or `reaction`. `note` describes its use."""

    who: CombatantId
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
class RestoreResource(Command, frozen=True):
    """Restore one point of a spent resource by hand."""

    who: CombatantId
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
    remaining = remaining_movement(tx, tx.rules, who, WALK) or 0
    if remaining < feet or not feet:
        tx.forbid(refusal, rule, who=label_of(tx, who), cost=feet, left=remaining)
    deduct_movement(tx, who, feet)


def deduct_movement(tx: Transaction, who: str, feet: int) -> None:
    """Deduct feet of movement without checks."""
    payer = movement_payer(tx, who)
    track = tx.get(Track, track_id(payer, MOVED)) or Track(track_id(payer, MOVED), payer, MOVED)
    tx.update(track, value=track.value + feet)


def pay_for_step(tx: Transaction, who: str, mode: str, step: StepCost) -> None:
    """Deduct a step from the current stride. Buy as many strides as needed."""
    option = stride_action_for(tx, tx.rules, who, mode)
    most = tx.rules.allowance(tx, tx.rules, who, mode)
    if option is None or most is None:
        return
    payer = movement_payer(tx, who)
    points, piece = stride_cost(tx.rules, option, current_stride(tx, tx.rules, who, mode), most.total, step)
    if points:
        deduct(tx, payer, option.cost, points)
        resource = resources.paying_resource(tx, tx.rules, payer, option.cost)
        rule = tx.rule_id("move.hard-price") if step[1] and costs_more_on_difficult(tx.rules, option) else option.rule()
        price = resources.counted_price(tx.rules, resource, points)
        tx.emit(ActionTaken(who=payer, action=option.name, cost=resource, price=price, rule=rule))
    mark = tx.get(Effect, stride_id(payer))
    remember_stride(tx, payer, option.id, piece, most.total, mark.note if mark is not None and not points else "")


def remember_stride(
    tx: Transaction, who: str, action: str, stride: Stride, stride_feet: int, bought_as: str = ""
) -> None:
    """Record the current stride: the feet used, and whether its difficult terrain has been paid for.

    `bought_as` is the action that bought it, if it isn't the usual action.
    """
    mark = Effect(
        stride_id(who),
        who,
        STRIDE,
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


def count_attack(tx: Transaction, who: str) -> None:
    """Count an attack on the combatant's own turn, until the turn ends. Attacks on other turns don't count."""
    name = tx.rules.data.attack.tally
    if not name or not is_on_turn(tx, who):
        return
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
