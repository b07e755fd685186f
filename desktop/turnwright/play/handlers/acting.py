"""Commands of a turn: actions and what they cost, movement, and plans for the next turn."""

from __future__ import annotations

from turnwright.encounter.pending import Deed
from turnwright.encounter.running import Combatant, Effect, Track, track_id
from turnwright.play.commands import BreakFree, Regain, SetPlan, SetTrack, Spend, TakeAction
from turnwright.play.events import Acted, Planned, Regained, TrackSet
from turnwright.play.harm import end_effect, is_active
from turnwright.play.levels import COUNTED, set_level
from turnwright.play.procedures.dying import judge
from turnwright.play.procedures.escapes import begin_escape, can_be_escaped
from turnwright.play.procedures.questions import begin_deed
from turnwright.play.refusals import Refused
from turnwright.play.resources import MOVED, need_finished, spend
from turnwright.play.supplies import full, set_supply
from turnwright.play.transaction import Transaction
from turnwright.rules.parts import economy
from turnwright.rules.parts.dying import FAILURES, SUCCESSES
from turnwright.rules.system import RuleSystem, label_of


def take_action(command: TakeAction, tx: Transaction, rules: RuleSystem) -> None:
    """Do one of the system's actions, a feature of one's own, or anything else that costs an action."""
    for who in (command.who, *command.targets, *((command.about,) if command.about else ())):
        tx.need(Combatant, who)
    need_finished(tx, rules, command.who)
    deed = Deed(
        who=command.who,
        action=command.action,
        targets=tuple(dict.fromkeys(command.targets)),
        cost=command.cost,
        choice=command.choice,
        about=command.about,
        note=command.note,
        points=command.points,
    )
    begin_deed(tx, rules, deed)


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


def set_plan(command: SetPlan, tx: Transaction, rules: RuleSystem) -> None:
    """Note a plan; it costs nothing and binds nobody."""
    tx.update(tx.need(Combatant, command.who), plan=command.text)
    tx.emit(Planned(who=command.who, text=command.text, rule=rules.cite("offturn.plan")))


def break_free(command: BreakFree, tx: Transaction, rules: RuleSystem) -> None:
    """Spend what an effect asks to be rid of it."""
    effect = tx.need(Effect, command.effect)
    if not effect.break_free and can_be_escaped(rules, effect):
        begin_escape(tx, effect)
        return
    if not effect.break_free:
        raise Refused("refused.no_way_free", params={"what": f"<condition.{effect.name}>"})
    spend(tx, rules, effect.target, effect.break_free)
    tx.emit(Acted(who=effect.target, action="<action.break_free>", cost=effect.break_free))
    end_effect(tx, rules, effect)


def set_track(command: SetTrack, tx: Transaction, rules: RuleSystem) -> None:
    """Set a track by hand: what the system counts, death saves, or a supply of that creature's own.

    More of a resource than there is of it takes somebody who insists, and lasts until it is next given back.
    """
    tx.need(Combatant, command.who)
    if command.value < 0:
        raise Refused("refused.negative")
    if full(tx, command.who, command.track):
        set_supply(tx, rules, command.who, command.track, command.value)
        return
    if command.track not in (MOVED, SUCCESSES, FAILURES, *rules.resources, *rules.conditions):
        raise Refused("refused.unknown", params={"what": command.track})
    if command.track in COUNTED:
        set_level(tx, rules, command.who, command.track, command.value)
        return
    id = track_id(command.who, command.track)
    track = tx.get(Track, id) or Track(id, command.who, command.track)
    resource = rules.resources.get(command.track)
    counted = resource is not None and economy.is_counted(resource)
    most = economy.most(tx, command.who, resource) if resource is not None and counted else 0
    if resource is not None and counted and command.value > max(track.value, most):
        rule = resource.ledger[0] if resource.ledger else ""
        tx.forbid("refused.more_than_all", rule, who=label_of(tx, command.who), most=most)
    tx.update(track, value=command.value, maximum=max(most, command.value) if counted else track.maximum)
    tx.emit(TrackSet(who=command.who, track=command.track, before=track.value, after=command.value))
    if command.track in (SUCCESSES, FAILURES):
        judge(tx, rules, command.who)
