"""A turn's beginning and its end: what comes back, what ends, what the surroundings ask, and who is next."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Hazard, Procedure, RoundStart, TurnEnd, WorldTurn
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.play.events import RoundEnded, TurnEnded, TurnStarted
from turnwright.play.harm import end_effects_at
from turnwright.play.procedures.dying import begin_death_saves
from turnwright.play.procedures.exertion import recover_all
from turnwright.play.procedures.loop import Answers, Stage, at, begin
from turnwright.play.procedures.ongoing import begin_ongoing
from turnwright.play.procedures.order import is_anybody_there, still_to_act
from turnwright.play.procedures.recharges import begin_legendary, begin_recharges
from turnwright.play.resources import refill
from turnwright.play.supplies import LEGENDARY, restore
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.system import RuleSystem


def begin_next_turn(tx: Transaction, rules: RuleSystem) -> None:
    """Begin the turn of the first in the order who has had none in this round; where there is nobody, end the round."""
    for slot in still_to_act(tx, rules):
        if is_anybody_there(tx, slot):
            begin_turn(tx, rules, slot)
            return
        for who in slot.members:  # nobody is there to take the turn that something may hang on
            end_effects_at(tx, rules, "turn-start", who)
            end_effects_at(tx, rules, "turn-end", who)
        tx.update(slot, acted=True)  # whoever comes back to life has missed it
    clock = tx.need(Clock, "clock")
    scene = tx.get(Scene, "scene") or Scene()
    elapsed = clock.elapsed + scene.round_seconds
    tx.update(clock, active="", elapsed=elapsed)
    tx.emit(RoundEnded(round=clock.round, elapsed=elapsed, rule=rules.cite("round.simultaneous")))
    begin_round(tx, rules)


def begin_round(tx: Transaction, rules: RuleSystem) -> bool:
    """Begin the next round if anybody is there to act in it, and return whether."""
    here = any(is_anybody_there(tx, slot) for slot in tx.all(Slot))
    if here:
        begin(tx, "round", rules.rounds.top[0], RoundStart())
    return here


def begin_turn(tx: Transaction, rules: RuleSystem, slot: Slot) -> None:
    """Give a slot the turn: what lasted until now ends, and for each member who is alive resources come back."""
    tx.update(tx.need(Clock, "clock"), active=slot.id)
    end_effects_at(tx, rules, "turn")
    living = tuple(who for who in slot.members if not is_out(tx, who))
    tx.emit(TurnStarted(who=living, rule=rules.cite("round.on-turn")))
    for who in slot.members:
        if who in living:
            refill(tx, rules, who, "turn-start")
        end_effects_at(tx, rules, "turn-start", who)
        if who in living:
            contributions(tx, rules, Hook.TURN_STARTED, Moment(who))
            restore(tx, who, LEGENDARY)
            begin_recharges(tx, who)
            recover_all(tx, rules, who)
    rolling = (tx.get(Scene, "scene") or Scene()).rolling
    world = begin(tx, "world-turn", "begin", WorldTurn(rest=living)) if rolling else None
    begin_death_saves(tx, living, world.id if world else "")


def leave_turn_for(tx: Transaction, leaving: Slot, to: Slot) -> None:
    """Begin to end a slot's turn, and to begin that of another out of order."""
    going = begin(tx, "turn-end", "go", TurnEnd(to.id))
    begin(tx, "turn-end", "endings", TurnEnd(leaving.id), going.id)


def end_turn(tx: Transaction, slot: Slot) -> None:
    """Begin to end a slot's turn."""
    begin(tx, "turn-end", "endings", TurnEnd(slot.id))


def endings(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """End what lasts until now, then see which surroundings have something to say."""
    data = _data(procedure)
    slot = tx.need(Slot, data.slot)
    rows: list[tuple[str, str, str]] = []
    for who in slot.members:
        end_effects_at(tx, rules, "turn-end", who)
        if not is_out(tx, who):
            said = contributions(tx, rules, Hook.TURN_ENDING, Moment(who))
            rows += [(offer.environment, offer.entry, offer.who) for offer in said.offers]
    begin_ongoing(tx, slot.members, procedure.id)
    return at(procedure, "saves", msgspec.structs.replace(data, rows=tuple(rows)))


def saves(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Let each row concern whoever ends a turn in it, one after another."""
    data = _data(procedure)
    if not data.rows:
        slot = tx.get(Slot, data.slot)
        begin_legendary(tx, slot.members if slot else (), procedure.id)
        return at(procedure, "close")
    environment, entry, who = data.rows[0]
    begin(tx, "hazard", "targets", Hazard(environment, entry, targets=(who,), agreed=True), procedure.id)
    return at(procedure, "saves", msgspec.structs.replace(data, rows=data.rows[1:]))


def close(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Close the turn and, unless somebody goes to another by hand, go on to the next, or to the round's end."""
    slot = tx.need(Slot, _data(procedure).slot)
    tx.emit(TurnEnded(who=slot.members, rule=rules.cite("turn.nothing")))
    here = [combatant for who in slot.members if (combatant := tx.get(Combatant, who)) is not None]
    for combatant in here:
        tx.update(combatant, turns=combatant.turns + 1)
    if here:
        tx.update(slot, acted=True)
    else:
        tx.remove(slot)
    if not procedure.parent:
        begin_next_turn(tx, rules)


def go(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Begin the turn gone to by hand; where nobody is there to take it any more, the next in the order."""
    slot = tx.get(Slot, _data(procedure).slot)
    if slot is not None and is_anybody_there(tx, slot):
        begin_turn(tx, rules, slot)
    else:
        begin_next_turn(tx, rules)


def _data(procedure: Procedure) -> TurnEnd:
    assert isinstance(procedure.data, TurnEnd)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("turn-end", "endings"): endings,
    ("turn-end", "saves"): saves,
    ("turn-end", "close"): close,
    ("turn-end", "go"): go,
}
