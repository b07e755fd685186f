"""The action economy of a turn: resources stored as tracks, refilled and spent according to the rule system's data."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.encounter.prepared import NamedNumbers
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.procedure_state.attacks import AttackInProgress, SaveEffect
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.encounter.running import Clock, Combatant, Duration, Effect, Track, track_id
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_effect
from turnwright.play.state.events import ResourceRestored, TrackSet
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.economy.refill_modifiers import refill_modifier
from turnwright.rules.parts.movement.strides import stride_id
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import Resource

MOVED = "moved"
PER_TURN_TRACKS = ("attacks", "off-hand")  # counted from the Attack action, removed at the start of the next turn


def refill(tx: Transaction, rules: RuleSystem, who: str, moment: str) -> None:
    """Refill the resources due at `turn-start` or `round-start`. The start of a turn also resets movement."""
    for resource in rules.data.resources:
        if resources.is_finite(resource) and _refilled_at(tx, rules, resource) == moment:
            id = track_id(who, resource.id)
            track = tx.get(Track, id)
            current = track.value if track and resource.carry else 0
            most = resources.maximum(tx, who, resource)
            change = refill_modifier(tx, rules, who, resource)
            refilled = 0 if change.withheld else resources.refill_amount(tx, rules, who, resource)
            after = tx.put(Track(id, who, resource.id, current + refilled, max(most, refilled)))
            if change.bonus or change.penalty or change.withheld:
                rule = rules.rule_id("turn.not-regained" if change.withheld else "turn.regain-changed")
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
            expire_withholding_effects(tx, rules, change.wearing_off, most + change.bonus)
            if resource.off_turn and track is not None and track.value < after.value:
                rule = rules.rule_id("turn.reaction-refresh") or next(reversed(resource.ledger), "")
                tx.emit(ResourceRestored(who=who, resource=resource.id, rule=rule, bookkeeping=True))
    if moment == "turn-start":
        tx.put(Track(track_id(who, MOVED), who, MOVED))
        for name in PER_TURN_TRACKS:
            tx.discard(Track, track_id(who, name))


def expire_withholding_effects(
    tx: Transaction, rules: RuleSystem, withheld: tuple[tuple[str, int], ...], limit: int
) -> None:
    """Reduce effects that withhold resources by `limit` points in total. End those that reach 0."""
    for id, amount in withheld:
        effect = tx.get(Effect, id)
        reduction = min(amount, limit)
        limit -= reduction
        if effect is not None and effect.value <= reduction:
            end_effect(tx, rules, effect)
        elif effect is not None:
            tx.update(effect, value=effect.value - reduction)


def lose_unspent(tx: Transaction, rules: RuleSystem, who: Iterable[str]) -> None:
    """Remove each combatant's unspent resources that lapse at the end of the turn."""
    for combatant_id in who:
        for resource in rules.data.resources:
            track = tx.get(Track, track_id(combatant_id, resource.id))
            if resource.lapses and track is not None and track.value:
                tx.update(track, value=0)
                rule = rules.rule_id("turn.lapsed")
                tx.emit(
                    TrackSet(
                        who=combatant_id,
                        track=resource.id,
                        before=track.value,
                        after=0,
                        how="lapsed",
                        rule=rule,
                        bookkeeping=True,
                    )
                )


def require_no_open_action(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Refuse an action if the combatant's previous action is unfinished, in games in which actions can't overlap."""
    rule = rules.rule_id("turn.unfinished")
    if rule and any(_is_doing(procedure, who) for procedure in tx.all(Procedure)):
        label = tx.need(Combatant, who).label
        tx.forbid("refused.unfinished", rule, who=label)


def _is_doing(procedure: Procedure, who: str) -> bool:
    """Return whether a procedure is an unfinished action of a combatant."""
    data = procedure.data
    if isinstance(data, ActionInProgress | MoveInProgress):
        return data.who == who
    if isinstance(data, AttackInProgress):
        return data.attacker == who
    return isinstance(data, SaveEffect) and who in data.members


def _refilled_at(tx: Transaction, rules: RuleSystem, resource: Resource) -> str:
    """Return the moment at which a resource refills. A house rule can move it to the start of each round."""
    moved = resource.round_option and rules.has_option(tx, resource.round_option)
    return "round-start" if moved else resource.refill


def grant_initial(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Give a combatant its resources at the start of a fight. Most are full, some half full or empty."""
    refill(tx, rules, who, "turn-start")
    for resource in rules.data.resources:
        most = resources.maximum(tx, who, resource)
        if resources.is_finite(resource) and (resource.start != "full" or resource.refill == "never"):
            have = {"full": most, "half": rules.half(tx, most), "none": 0}[resource.start]
            have = min(have, resources.refill_amount(tx, rules, who, resource))
            tx.put(Track(track_id(who, resource.id), who, resource.id, have, most))


def cap_to_refill(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Limit a combatant's resources to the amounts that a newly gained condition allows."""
    for resource in rules.data.resources:
        track = tx.get(Track, track_id(who, resource.id))
        limit = resources.amount_left_by_condition(tx, rules, who, resource)
        if track is not None and limit is not None and track.value > limit:
            tx.update(track, value=limit)


def spend(tx: Transaction, rules: RuleSystem, who: str, resource: str, amount: int = 1) -> None:
    """Spend an amount of a resource. Refuse it out of turn, if a rule forbids it, or if too little is left."""
    tx.forbid_by(resources.spending_vetoes(tx, rules, who, resource, amount))
    deduct(tx, rules, who, resource, amount)


def deduct(
    tx: Transaction, rules: RuleSystem, who: str, resource: str, amount: int = 1, *, is_action: bool = True
) -> None:
    """Deduct an amount of a resource without checks. Unlimited and unknown resources don't change.

    If `is_action` is true, end effects that last only until the combatant acts.
    """
    if not resources.is_limited(rules, resource):
        return
    name = resources.paying_resource(tx, rules, who, resource)
    track = tx.get(Track, track_id(who, name)) or Track(track_id(who, name), who, name)
    tx.update(track, value=max(0, track.value - amount))
    if name != resource:
        mark_reaction(tx, rules, who)
    if is_action:
        end_action_limited_effects(tx, rules, who)


def mark_reaction(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Record that a combatant has reacted in the current turn, in games that allow one reaction per turn."""
    if rules.data.reactions.once and not resources.is_on_turn(tx, who):
        id = resources.reaction_mark_id(who)
        tx.put(Effect(id, who, resources.REACTED, ends=Duration("turn"), shown=False))


def deduct_pools(tx: Transaction, rules: RuleSystem, who: str, cost_key: str, spends: NamedNumbers) -> None:
    """Deduct what a combatant's feature costs from additional pools."""
    for pool, price in spends:
        deduct(tx, rules, who, pool, resources.known_cost(tx, who, cost_key, price, pool) or 0)


def convert_points(tx: Transaction, rules: RuleSystem, who: str, resource: str, amount: int, rule: str) -> None:
    """Add points to a resource by a conversion rule. The caller must check the maximum."""
    most = resources.maximum(tx, who, rules.resources[resource])
    track = tx.get(Track, track_id(who, resource)) or Track(track_id(who, resource), who, resource, 0, most)
    before, after = track.value, track.value + amount
    tx.update(track, value=after, maximum=max(track.maximum, after))
    tx.emit(ResourceRestored(who=who, resource=resource, before=before, after=after, rule=rule))


def end_action_limited_effects(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """End effects that last until a combatant acts, on itself or on others, and the rest of its paid stride."""
    for effect in list(tx.all(Effect)):
        condition = rules.conditions.get(effect.name)
        until = condition.until if condition is not None else ""
        ended = (until == "acts" and effect.target == who) or (until == "source-acts" and effect.by == who)
        if condition is not None and ended:
            end_effect(tx, rules, effect, rules.rule_id(f"acting.{condition.id}"))
    tx.discard(Effect, stride_id(who))


def require_running(tx: Transaction) -> None:
    """Refuse a command that needs a running encounter."""
    if tx.get(Clock, "clock") is None:
        raise Refused("refused.not_running")


def require_turn(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Refuse a command if it isn't the combatant's turn."""
    tx.forbid_by(resources.out_of_turn_vetoes(tx, rules, who))
