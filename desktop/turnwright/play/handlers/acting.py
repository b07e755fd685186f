"""Commands of a turn: actions and what they cost, movement, and plans for the next turn."""

from __future__ import annotations

from turnwright.encounter.pending import Hazard
from turnwright.encounter.prepared import Environment
from turnwright.encounter.running import Combatant, Effect, Ends, Track
from turnwright.play.commands import BreakFree, Move, Regain, SetPlan, SetTrack, Spend, TakeAction
from turnwright.play.events import Acted, Moved, Planned, Regained, TrackSet
from turnwright.play.harm import end_effect, is_active, put_effect, track_id
from turnwright.play.procedures.loop import begin
from turnwright.play.refusals import Refused
from turnwright.play.resources import MOVED, label, need_turn, spend
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue import ActionOption
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.parts.surroundings import entry_in
from turnwright.rules.system import RuleSystem


def take_action(command: TakeAction, tx: Transaction, rules: RuleSystem) -> None:
    """Do one of the system's actions, or something of one's own that costs an action."""
    tx.need(Combatant, command.who)
    action = rules.actions.get(command.action)
    option = action or ActionOption(id=command.action, name=command.action)
    cost = "" if option.free else option.cost
    if option.free:
        need_turn(tx, rules, command.who)
        rule = rules.cite("turn.free-actions")
    else:
        spend(tx, rules, command.who, cost)
        rule = option.ledger[0] if option.ledger else ""
    tx.emit(Acted(who=command.who, action=option.name, cost=cost, note=command.note, rule=rule))
    if option.effect:
        ends = Ends("turn") if option.ends == "turn" else Ends(option.ends, command.who)
        put_effect(tx, rules, Effect(tx.next_id("effect"), command.who, option.effect, source=option.name, ends=ends))


def spend_resource(command: Spend, tx: Transaction, rules: RuleSystem) -> None:
    """Spend a resource on something that the table knows of."""
    tx.need(Combatant, command.who)
    resource = rules.resources.get(command.resource)
    if resource is None:
        raise Refused("refused.unknown", params={"what": command.resource})
    spend(tx, rules, command.who, command.resource)
    off_turn = resource.off_turn and not is_active(tx, command.who)
    rule = rules.cite("round.off-turn" if off_turn else "turn.any-order")
    tx.emit(Acted(who=command.who, action="", cost=command.resource, note=command.note, rule=rule))


def regain(command: Regain, tx: Transaction, rules: RuleSystem) -> None:
    """Give a spent resource back by hand."""
    track = tx.get(Track, track_id(command.who, command.resource))
    if track is None or track.value >= track.maximum:
        raise Refused("refused.nothing_spent", params={"resource": f"<resource.{command.resource}>"})
    tx.update(track, value=track.value + 1)
    tx.emit(Regained(who=command.who, resource=command.resource))


def move(command: Move, tx: Transaction, rules: RuleSystem) -> None:
    """Move, paying what the ground asks; more than one's Speed allows is refused with what is left."""
    who = command.who
    tx.need(Combatant, who)
    if command.feet < 0:
        raise Refused("refused.feet")
    need_turn(tx, rules, who)
    allowance = rules.movement.allowance(tx, rules, who, command.mode)
    if allowance is None:
        raise Refused("refused.no_such_speed", params={"mode": f"<speed.{command.mode}>", "who": label(tx, who)})
    price = rules.movement.cost(tx, rules, who, command.feet, command.mode, command.through, command.turned)
    moved = tx.get(Track, track_id(who, MOVED)) or Track(track_id(who, MOVED), who, MOVED)
    left = max(0, allowance.total - moved.value)
    if price.total > left:
        rule = next((part.rule for part in reversed(allowance.parts) if part.rule), rules.cite("turn.speed"))
        tx.forbid("refused.too_far", rule, left=left, cost=price.total, who=label(tx, who))
    tx.update(moved, value=moved.value + price.total)
    rule = price.parts[-1].rule or rules.cite("turn.speed")
    tx.emit(Moved(who=who, feet=command.feet, cost=price.total, mode=command.mode, why=price.parts, rule=rule))
    for offer in contributions(tx, rules, Hook.MOVED, Moment(who, command.through)).offers:
        ground = tx.need(Environment, offer.environment)
        if entry_in(ground, offer.entry) is not None:
            begin(tx, "hazard", "targets", Hazard(offer.environment, offer.entry, targets=(who,), agreed=True))


def set_plan(command: SetPlan, tx: Transaction, rules: RuleSystem) -> None:
    """Note a plan; it costs nothing and binds nobody."""
    tx.update(tx.need(Combatant, command.who), plan=command.text)
    tx.emit(Planned(who=command.who, text=command.text, rule=rules.cite("offturn.plan")))


def break_free(command: BreakFree, tx: Transaction, rules: RuleSystem) -> None:
    """Spend what an effect asks to be rid of it."""
    effect = tx.need(Effect, command.effect)
    if not effect.break_free:
        raise Refused("refused.no_way_free", params={"what": f"<condition.{effect.name}>"})
    spend(tx, rules, effect.target, effect.break_free)
    tx.emit(Acted(who=effect.target, action="<action.break_free>", cost=effect.break_free))
    end_effect(tx, rules, effect)


def set_track(command: SetTrack, tx: Transaction, rules: RuleSystem) -> None:
    """Set a track by hand."""
    tx.need(Combatant, command.who)
    if command.track not in (MOVED, *rules.resources, *rules.conditions):
        raise Refused("refused.unknown", params={"what": command.track})
    id = track_id(command.who, command.track)
    track = tx.get(Track, id) or Track(id, command.who, command.track)
    tx.update(track, value=max(0, command.value))
    tx.emit(TrackSet(who=command.who, track=command.track, before=track.value, after=max(0, command.value)))
