"""A turn's beginning and its end, step by step as the system lists them, and who is next."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask, Option, Procedure, Prompt, RoundStart, TurnEnd, TurnStart, Watch
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.play.events import OrderSettled, RoundEnded, TurnEnded, TurnStarted
from turnwright.play.harm import end_effects_at
from turnwright.play.joining import all_in_turn, joined_to
from turnwright.play.procedures.besides import LAIR, begin_lairs
from turnwright.play.procedures.lasting import count_down, expire
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, watch_of
from turnwright.play.procedures.order import is_anybody_there, still_to_act, turn_order
from turnwright.play.procedures.ties import due_ask, level_with, take_order
from turnwright.play.procedures.turn_steps import END, START, bound, due, in_order, living
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.system import RuleSystem, label_of

TURN_OVER, LINGER = "turn-over", "linger"


# Whose turn it is ------------------------------------------------------------------------------------------------


def begin_next_turn(tx: Transaction, rules: RuleSystem) -> None:
    """Begin the turn of the first in the order who has had none in this round; where there is nobody, end the round."""
    if begin_lairs(tx, rules):
        return
    for slot in still_to_act(tx, rules):
        if level_with(tx, rules, slot):
            begin(tx, "due", "ask", Watch(slot.id))
            return
        if is_anybody_there(tx, slot):
            begin_turn(tx, rules, slot)
            return
        _pass_by(tx, rules, slot)
    clock = tx.need(Clock, "clock")
    scene = tx.get(Scene, "scene") or Scene()
    elapsed = clock.elapsed + scene.round_seconds
    tx.update(clock, active="", elapsed=elapsed)
    tx.emit(RoundEnded(round=clock.round, elapsed=elapsed, rule=rules.cite("round.simultaneous")))
    begin_round(tx, rules)


def over(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Go on with the next in the order, once the lair actions of this count are done."""
    begin_next_turn(tx, rules)


def _pass_by(tx: Transaction, rules: RuleSystem, slot: Slot) -> None:
    """Pass over a turn that nobody is there to take, and that something may hang on."""
    for who in slot.members:
        end_effects_at(tx, rules, "turn-start", who)
        count_down(tx, rules, (who,), "creator")
        expire(tx, rules, (who,), "turn-end")
    tx.update(slot, acted=True)  # whoever comes back to life has missed it


def due_places(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask in which order those act whose place has come up, and who are level."""
    slot = tx.get(Slot, watch_of(procedure).who)
    slots = level_with(tx, rules, slot) if slot is not None else []
    if slots:
        asked = due_ask(tx, rules, slots)
        ask(tx, procedure, "prompt.tie", [asked], rule=asked.rule)
    return at(procedure, "settle")


def due_settled(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Give them their places for good, and go on."""
    slot = tx.get(Slot, watch_of(procedure).who)
    slots = level_with(tx, rules, slot) if slot is not None else []
    if slots:
        chosen = next((answer.chosen for answer in answers.values()), ())
        rule = due_ask(tx, rules, slots).rule
        take_order(tx, rules, slots, chosen)
        order = tuple(who for one in turn_order(tx, rules) for who in one.members if not is_out(tx, who))
        tx.emit(OrderSettled(who=order, rule=rule))
    begin_next_turn(tx, rules)


def begin_round(tx: Transaction, rules: RuleSystem) -> bool:
    """Begin the next round if anybody is there to act in it, and return whether."""
    here = any(is_anybody_there(tx, slot) for slot in tx.all(Slot))
    if here:
        begin(tx, "round", rules.rounds.top[0], RoundStart())
    return here


# The start -------------------------------------------------------------------------------------------------------


def begin_turn(tx: Transaction, rules: RuleSystem, slot: Slot) -> None:
    """Give a slot the turn, and take its members through the steps of its start."""
    tx.update(tx.need(Clock, "clock"), active=slot.id, lingers=False)
    end_effects_at(tx, rules, "turn")
    tx.emit(TurnStarted(who=living(tx, slot.members), rule=rules.cite("round.on-turn")))
    if rules.rounds.chosen:
        begin(tx, "turn-start", "order", TurnStart(slot.id, rules.rounds.turn_start))
        return
    for name in rules.rounds.turn_start:
        START[name].do(tx, rules, slot.members, "")


def begin_along(tx: Transaction, rules: RuleSystem, slot: Slot, active: str) -> None:
    """Let a slot take its turn within the one under way: its members go through the steps of a start as well."""
    tx.update(slot, joined=active, acted=True)
    tx.emit(TurnStarted(who=living(tx, slot.members), rule=rules.cite("turn.joined")))
    for name in rules.rounds.turn_start:
        START[name].do(tx, rules, slot.members, "")


def start_joint(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Begin the turn of a slot that has joined the one under way."""
    slot = tx.get(Slot, _start(procedure).slot)
    if slot is not None:
        begin_along(tx, rules, slot, slot.joined)


def start_order(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask in which order the steps come that have something to do, where there are several."""
    data = _start(procedure)
    slot = tx.get(Slot, data.slot)
    steps = due(tx, rules, START, data.steps, slot.members) if slot is not None else ()
    _ask_order(tx, rules, procedure, steps, "start")
    return at(procedure, "step")


def start_step(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Do the next step."""
    data = _start(procedure)
    slot = tx.get(Slot, data.slot)
    steps = _as_answered(data.steps, answers)
    if not steps or slot is None:
        return None
    START[steps[0]].do(tx, rules, slot.members, procedure.id)
    return at(procedure, "step", msgspec.structs.replace(data, steps=steps[1:]))


def _ask_order(tx: Transaction, rules: RuleSystem, procedure: Procedure, steps: tuple[str, ...], moment: str) -> None:
    if not steps:
        return
    rule = rules.cite(f"turn.{moment}-order")
    options = tuple(Option(name, f"option.step.{moment}.{name}") for name in steps)
    asked = Ask("order", "order", "ask.turn_steps", options=options, rule=rule, after=bound(rules, steps))
    ask(tx, procedure, f"prompt.turn_{moment}", [asked], subject=_active(tx), rule=rule)


def _active(tx: Transaction) -> str:
    slot = tx.get(Slot, tx.need(Clock, "clock").active)
    return ", ".join(label_of(tx, who) for who in slot.members) if slot is not None else ""


def _as_answered(steps: tuple[str, ...], answers: Answers) -> tuple[str, ...]:
    return in_order(steps, answers["order"].chosen) if "order" in answers else steps


# The end ---------------------------------------------------------------------------------------------------------


def end_turn(tx: Transaction, slot: Slot, then: str = "") -> None:
    """Begin to end a slot's turn; `then` is the slot whose turn begins after it out of order, if one does."""
    for offered in [one for one in tx.all(Procedure) if one.kind == TURN_OVER]:
        for prompt in [one for one in tx.all(Prompt) if one.procedure == offered.id]:
            tx.remove(prompt)
        tx.remove(offered)
    begin(tx, "turn-end", "endings", TurnEnd(slot.id, then=then))


def endings(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """List the steps, and ask in which order those come that have something to do, where it is for somebody to say."""
    data = msgspec.structs.replace(_data(procedure), steps=rules.rounds.turn_end)
    _ask_order(tx, rules, procedure, due(tx, rules, END, data.steps, all_in_turn(tx, tx.need(Slot, data.slot))), "end")
    return at(procedure, "step", data)


def end_step(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Do the next step."""
    data = _data(procedure)
    slot = tx.get(Slot, data.slot)
    steps = _as_answered(data.steps, answers)
    if not steps or slot is None:
        return at(procedure, "close")
    here = tx.update(procedure, stage="step", data=msgspec.structs.replace(data, steps=steps[1:]))
    END[steps[0]].do(tx, rules, all_in_turn(tx, slot), here.id)
    after = tx.need(Procedure, here.id)
    return after if _data(after).steps else at(after, "close")


def close(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Close the turn and begin that gone to by hand; where there is none, go on to the next, or to the round's end."""
    data = _data(procedure)
    slot = tx.need(Slot, data.slot)
    tx.emit(TurnEnded(who=all_in_turn(tx, slot), rule=rules.cite("turn.nothing")))
    for each in (slot, *joined_to(tx, slot.id)):
        here = [combatant for who in each.members if (combatant := tx.get(Combatant, who)) is not None]
        for combatant in here:
            tx.update(combatant, turns=combatant.turns + 1)
        if here:
            tx.update(each, acted=True, joined="")
        else:
            tx.remove(each)
    clock = tx.need(Clock, "clock")
    if tx.get(Slot, clock.active) is None:  # who had the turn is gone, and the next may have yet to be settled
        tx.update(clock, active="")
    following = tx.get(Slot, data.then) if data.then else None
    if following is not None and is_anybody_there(tx, following):
        begin_turn(tx, rules, following)
    else:
        begin_next_turn(tx, rules)


# When nothing is left to spend --------------------------------------------------------------------------------------


def turn_over(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask whether the turn ends now. Nothing waits for it."""
    rule = rules.cite("turn.spent")
    options = (Option(TURN_OVER, "option.turn_over"), Option(LINGER, "option.linger"))
    asked = Ask("over", "choice", "ask.turn_over", options=options, suggested=(TURN_OVER,), rule=rule)
    ask(tx, procedure, "prompt.turn_over", [asked], subject=_active(tx), rule=rule, blocks=False)
    return at(procedure, "settle")


def turn_over_settled(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """End the turn, or let it go on until somebody ends it."""
    clock = tx.need(Clock, "clock")
    slot = tx.get(Slot, clock.active) if clock.active else None
    if slot is not None and "over" in answers and TURN_OVER in answers["over"].chosen:
        end_turn(tx, slot)
    else:
        tx.update(clock, lingers=True)


def _start(procedure: Procedure) -> TurnStart:
    assert isinstance(procedure.data, TurnStart)
    return procedure.data


def _data(procedure: Procedure) -> TurnEnd:
    assert isinstance(procedure.data, TurnEnd)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    (LAIR, "over"): over,
    ("due", "ask"): due_places,
    ("due", "settle"): due_settled,
    ("turn-start", "joint"): start_joint,
    ("turn-start", "order"): start_order,
    ("turn-start", "step"): start_step,
    ("turn-end", "endings"): endings,
    ("turn-end", "step"): end_step,
    ("turn-end", "close"): close,
    (TURN_OVER, "ask"): turn_over,
    (TURN_OVER, "settle"): turn_over_settled,
}
