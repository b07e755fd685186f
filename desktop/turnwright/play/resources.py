"""The economy of a turn: resources as tracks, refilled and spent by the system's table."""

from __future__ import annotations

from turnwright.encounter.running import Clock, Combatant, Slot, Track
from turnwright.play.events import Regained
from turnwright.play.harm import is_active, track_id
from turnwright.play.refusals import Refused
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue import Resource
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.system import RuleSystem

MOVED = "moved"
OF_A_TURN = ("attacks", "off-hand")  # counted from the Attack action on, and gone with the turn


def refill(tx: Transaction, rules: RuleSystem, who: str, moment: str) -> None:
    """Give back what a moment gives back (`turn-start`, `round-start`), and begin movement anew at a turn's start."""
    for resource in rules.catalogue.resources:
        if resource.amount and _refilled_at(tx, rules, resource) == moment:
            id = track_id(who, resource.id)
            track = tx.get(Track, id)
            have = track.value if track and resource.carry else 0
            after = tx.put(Track(id, who, resource.id, have + resource.amount, resource.amount))
            if resource.off_turn and track is not None and track.value < after.value:
                tx.emit(Regained(who=who, resource=resource.id, rule=resource.ledger[-1] if resource.ledger else ""))
    if moment == "turn-start":
        tx.put(Track(track_id(who, MOVED), who, MOVED))
        for name in OF_A_TURN:
            counted = tx.get(Track, track_id(who, name))
            if counted is not None:
                tx.remove(counted)


def _refilled_at(tx: Transaction, rules: RuleSystem, resource: Resource) -> str:
    """Return the moment that gives a resource back, which a table rule may move to the start of each round."""
    moved = resource.round_option and rules.option(tx, resource.round_option)
    return "round-start" if moved else resource.refill


def left(tx: Transaction, rules: RuleSystem, who: str, resource: str) -> int:
    """Return how many of a resource somebody has, ignoring what forbids their use."""
    track = tx.get(Track, track_id(who, resource))
    return track.value if track else 0


def spend(tx: Transaction, rules: RuleSystem, who: str, resource: str) -> None:
    """Spend one of a resource; refused out of turn, where it is forbidden, and where none is left."""
    definition = rules.resources.get(resource)
    if definition is None or not definition.amount:
        return
    if not definition.off_turn:
        need_turn(tx, rules, who)
    said = contributions(tx, rules, Hook.ACTION_DECLARED, Moment(who, resource))
    tx.forbid_by(said.vetoes)
    if left(tx, rules, who, resource) < 1:
        rule = definition.ledger[0] if definition.ledger else ""
        tx.forbid("refused.none_left", rule, resource=f"<resource.{resource}>", who=label(tx, who))
    take(tx, rules, who, resource)


def take(tx: Transaction, rules: RuleSystem, who: str, resource: str) -> None:
    """Take one of a resource, asking nothing; one that has no limit, or is none, is left as it is."""
    definition = rules.resources.get(resource)
    if definition is None or not definition.amount:
        return
    track = tx.get(Track, track_id(who, resource)) or Track(track_id(who, resource), who, resource)
    tx.update(track, value=max(0, track.value - 1))


def need_running(tx: Transaction) -> None:
    """Refuse what has no sense before a fight has been set up."""
    if tx.get(Clock, "clock") is None:
        raise Refused("refused.not_running")


def need_turn(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Refuse what only the active combatant may do."""
    if not is_active(tx, who):
        tx.forbid("refused.not_your_turn", rules.cite("round.on-turn"), who=label(tx, who))


def label(tx: Transaction, who: str) -> str:
    """Return somebody's name for a sentence."""
    combatant = tx.get(Combatant, who)
    return combatant.label if combatant else who


def active_members(tx: Transaction) -> tuple[str, ...]:
    """Return who is in the slot whose turn it is."""
    clock = tx.get(Clock, "clock")
    slot = tx.get(Slot, clock.active) if clock and clock.active else None
    return slot.members if slot else ()
