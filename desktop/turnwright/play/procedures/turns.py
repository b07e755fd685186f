"""A turn's beginning and its end: what comes back, what ends, what the surroundings ask, and who is next."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Hazard, Procedure, RoundStart, TurnEnd
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.play.events import RoundEnded, TurnEnded, TurnStarted
from turnwright.play.harm import end_effects_at
from turnwright.play.procedures.loop import Answers, Stage, at, begin
from turnwright.play.procedures.order import turn_order
from turnwright.play.resources import refill
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.system import RuleSystem


def begin_first_turn(tx: Transaction, rules: RuleSystem) -> None:
    """Begin the turn of whoever is first in the order and still there."""
    _begin_next(tx, rules, turn_order(tx, rules))


def begin_turn(tx: Transaction, rules: RuleSystem, slot: Slot) -> None:
    """Give a slot the turn: resources come back, and what lasted until the start of this turn ends."""
    tx.update(tx.need(Clock, "clock"), active=slot.id)
    end_effects_at(tx, rules, "turn")
    tx.emit(TurnStarted(who=slot.members, rule=rules.cite("round.on-turn")))
    for who in slot.members:
        refill(tx, rules, who, "turn-start")
        end_effects_at(tx, rules, "turn-start", who)
        contributions(tx, rules, Hook.TURN_STARTED, Moment(who))


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
    return at(procedure, "saves", msgspec.structs.replace(data, rows=tuple(rows)))


def saves(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Let each row concern whoever ends a turn in it, one after another."""
    data = _data(procedure)
    if not data.rows:
        return at(procedure, "close")
    environment, entry, who = data.rows[0]
    begin(tx, "hazard", "targets", Hazard(environment, entry, targets=(who,), agreed=True), procedure.id)
    return at(procedure, "saves", msgspec.structs.replace(data, rows=data.rows[1:]))


def close(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Close the turn and go on to the next, or to the round's end."""
    slot = tx.need(Slot, _data(procedure).slot)
    order = turn_order(tx, rules)
    after = order[[each.id for each in order].index(slot.id) + 1 :]
    following = [each for each in after if not each.acted]  # a corrected total gives nobody a second turn
    tx.emit(TurnEnded(who=slot.members, rule=rules.cite("turn.nothing")))
    here = [combatant for who in slot.members if (combatant := tx.get(Combatant, who)) is not None]
    for combatant in here:
        tx.update(combatant, turns=combatant.turns + 1)
    if here:
        tx.update(slot, acted=True)
    else:
        tx.remove(slot)
    _begin_next(tx, rules, following)


def _begin_next(tx: Transaction, rules: RuleSystem, following: list[Slot]) -> None:
    for slot in following:
        if _present(tx, slot):
            begin_turn(tx, rules, slot)
            return
        for who in slot.members:  # nobody is there to take the turn that something may hang on
            end_effects_at(tx, rules, "turn-start", who)
            end_effects_at(tx, rules, "turn-end", who)
    clock = tx.need(Clock, "clock")
    scene = tx.get(Scene, "scene") or Scene()
    elapsed = clock.elapsed + scene.round_seconds
    tx.update(clock, active="", elapsed=elapsed)
    tx.emit(RoundEnded(round=clock.round, elapsed=elapsed, rule=rules.cite("round.simultaneous")))
    begin_round(tx, rules)


def begin_round(tx: Transaction, rules: RuleSystem) -> bool:
    """Begin the next round if anybody is there to act in it, and return whether."""
    here = any(_present(tx, slot) for slot in tx.all(Slot))
    if here:
        begin(tx, "round", rules.rounds.top[0], RoundStart())
    return here


def _present(tx: Transaction, slot: Slot) -> bool:
    return not all(is_out(tx, who) for who in slot.members)


def _data(procedure: Procedure) -> TurnEnd:
    assert isinstance(procedure.data, TurnEnd)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("turn-end", "endings"): endings,
    ("turn-end", "saves"): saves,
    ("turn-end", "close"): close,
}
