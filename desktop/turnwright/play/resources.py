"""The economy of a turn: resources as tracks, refilled and spent by the system's table."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.encounter.pending import Assault, Deed, Journey, Onslaught, Procedure
from turnwright.encounter.prepared import Figures
from turnwright.encounter.running import Clock, Combatant, Effect, Ends, Track, track_id
from turnwright.play.events import Regained, TrackSet
from turnwright.play.harm import end_effect
from turnwright.play.refusals import Refused
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import Resource
from turnwright.rules.parts import economy
from turnwright.rules.parts.pieces import piece_id
from turnwright.rules.parts.regaining import regained
from turnwright.rules.system import RuleSystem

MOVED = "moved"
OF_A_TURN = ("attacks", "off-hand")  # counted from the Attack action on, and gone with the turn


def refill(tx: Transaction, rules: RuleSystem, who: str, moment: str) -> None:
    """Give back what a moment gives back (`turn-start`, `round-start`), and begin movement anew at a turn's start."""
    for resource in rules.catalogue.resources:
        if economy.is_counted(resource) and _refilled_at(tx, rules, resource) == moment:
            id = track_id(who, resource.id)
            track = tx.get(Track, id)
            have = track.value if track and resource.carry else 0
            most = economy.most(tx, who, resource)
            change = regained(tx, rules, who, resource)
            given = 0 if change.withheld else economy.comes_back(tx, rules, who, resource)
            after = tx.put(Track(id, who, resource.id, have + given, max(most, given)))
            if change.more or change.fewer or change.withheld:
                rule = rules.cite("turn.not-regained" if change.withheld else "turn.regain-changed")
                before = track.value if track is not None else 0
                tx.emit(TrackSet(who=who, track=resource.id, before=before, after=have + given, rule=rule))
            wear_off(tx, rules, change.wearing, most + change.more)
            if resource.off_turn and track is not None and track.value < after.value:
                rule = rules.cite("turn.reaction-refresh") or next(reversed(resource.ledger), "")
                tx.emit(Regained(who=who, resource=resource.id, rule=rule))
    if moment == "turn-start":
        tx.put(Track(track_id(who, MOVED), who, MOVED))
        for name in OF_A_TURN:
            counted = tx.get(Track, track_id(who, name))
            if counted is not None:
                tx.remove(counted)


def wear_off(tx: Transaction, rules: RuleSystem, wearing: tuple[tuple[str, int], ...], most: int) -> None:
    """Let effects that wear off by what they keep back have kept back so many, `most` at most in all."""
    for id, taken in wearing:
        effect = tx.get(Effect, id)
        kept = min(taken, most)
        most -= kept
        if effect is not None and effect.value <= kept:
            end_effect(tx, rules, effect)
        elif effect is not None:
            tx.update(effect, value=effect.value - kept)


def lapse(tx: Transaction, rules: RuleSystem, who: Iterable[str]) -> None:
    """Take from each what is lost with the turn."""
    for one in who:
        for resource in rules.catalogue.resources:
            track = tx.get(Track, track_id(one, resource.id))
            if resource.lapses and track is not None and track.value:
                tx.update(track, value=0)
                rule = rules.cite("turn.lapsed")
                tx.emit(TrackSet(who=one, track=resource.id, before=track.value, after=0, rule=rule))


def need_finished(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Refuse somebody another action while one of theirs is under way, in a game that has one completed before the next."""
    rule = rules.cite("turn.unfinished")
    if rule and any(_is_doing(procedure, who) for procedure in tx.all(Procedure)):
        label = tx.need(Combatant, who).label
        tx.forbid("refused.unfinished", rule, who=label)


def _is_doing(procedure: Procedure, who: str) -> bool:
    """Return whether something under way is an action of somebody's."""
    data = procedure.data
    if isinstance(data, Deed | Journey):
        return data.who == who
    if isinstance(data, Assault):
        return data.attacker == who
    return isinstance(data, Onslaught) and who in data.members


def _refilled_at(tx: Transaction, rules: RuleSystem, resource: Resource) -> str:
    """Return the moment that gives a resource back, which a table rule may move to the start of each round."""
    moved = resource.round_option and rules.option(tx, resource.round_option)
    return "round-start" if moved else resource.refill


def begin_with(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Give somebody what they begin a fight with: all of most things, half or nothing of some."""
    refill(tx, rules, who, "turn-start")
    for resource in rules.catalogue.resources:
        most = economy.most(tx, who, resource)
        if economy.is_counted(resource) and (resource.start != "full" or resource.refill == "never"):
            have = {"full": most, "half": rules.half(tx, most), "none": 0}[resource.start]
            have = min(have, economy.comes_back(tx, rules, who, resource))
            tx.put(Track(track_id(who, resource.id), who, resource.id, have, most))


def limit_to_what_comes_back(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Take from somebody at once what a condition that sets a resource leaves them no longer."""
    for resource in rules.catalogue.resources:
        track = tx.get(Track, track_id(who, resource.id))
        limit = economy.set_to(tx, rules, who, resource)
        if track is not None and limit is not None and track.value > limit:
            tx.update(track, value=limit)


def spend(tx: Transaction, rules: RuleSystem, who: str, resource: str, amount: int = 1) -> None:
    """Spend so many of a resource; refused out of turn, where it is forbidden, and where too few are left."""
    tx.forbid_by(economy.vetoes(tx, rules, who, resource, amount))
    take(tx, rules, who, resource, amount)


def take(tx: Transaction, rules: RuleSystem, who: str, resource: str, amount: int = 1, *, acts: bool = True) -> None:
    """Take so many of a resource, asking nothing; one that has no limit, or is none, is left as it is.

    What acting ends is over, unless it is taken for nothing that `acts`.
    """
    if not economy.is_limited(rules, resource):
        return
    name = economy.payer(tx, rules, who, resource)
    track = tx.get(Track, track_id(who, name)) or Track(track_id(who, name), who, name)
    tx.update(track, value=max(0, track.value - amount))
    if name != resource:
        mark_reaction(tx, rules, who)
    if acts:
        end_what_acting_ends(tx, rules, who)


def mark_reaction(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Note that somebody has reacted in the turn under way, in a game where that is done once."""
    if rules.catalogue.reactions.once and not economy.on_turn(tx, who):
        id = economy.reacted_id(who)
        tx.put(Effect(id, who, economy.REACTED, ends=Ends("turn"), shown=False))


def take_pools(tx: Transaction, rules: RuleSystem, who: str, what: str, spends: Figures) -> None:
    """Take what something of somebody's own costs of further pools."""
    for pool, price in spends:
        take(tx, rules, who, pool, economy.said_price(tx, who, what, price, pool) or 0)


def give_points(tx: Transaction, rules: RuleSystem, who: str, resource: str, amount: int, rule: str) -> None:
    """Give so many more of a resource by a rule; how many there can be has been looked at."""
    most = economy.most(tx, who, rules.resources[resource])
    track = tx.get(Track, track_id(who, resource)) or Track(track_id(who, resource), who, resource, 0, most)
    before, after = track.value, track.value + amount
    tx.update(track, value=after, maximum=max(track.maximum, after))
    tx.emit(Regained(who=who, resource=resource, before=before, after=after, rule=rule))


def end_what_acting_ends(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """End what lasts only until somebody acts: on them, on others by them, and what is left of movement they bought."""
    for effect in list(tx.all(Effect)):
        condition = rules.conditions.get(effect.name)
        until = condition.until if condition is not None else ""
        ended = (until == "acts" and effect.target == who) or (until == "source-acts" and effect.by == who)
        if condition is not None and ended:
            end_effect(tx, rules, effect, rules.cite(f"acting.{condition.id}"))
    bought = tx.get(Effect, piece_id(who))
    if bought is not None:
        tx.remove(bought)


def need_running(tx: Transaction) -> None:
    """Refuse what has no sense before a fight has been set up."""
    if tx.get(Clock, "clock") is None:
        raise Refused("refused.not_running")


def need_turn(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Refuse what only the active combatant may do."""
    tx.forbid_by(economy.out_of_turn(tx, rules, who))
