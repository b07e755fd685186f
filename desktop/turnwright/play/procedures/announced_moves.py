"""A move that has been announced: its way is settled only when it is its turn, since what answered it may have changed it."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask, Journey, Option, Procedure, Prompt
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.events import Acted
from turnwright.play.movement_inquiries import travel_vetoes
from turnwright.play.procedures.announcing import REACTED_ALREADY, announce, is_announced, is_answered, reserved_for
from turnwright.play.procedures.journeys import set_out
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, prompt_of
from turnwright.play.resources import take
from turnwright.play.spending import keep_piece
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import economy
from turnwright.rules.parts.going import vetoes_on
from turnwright.rules.parts.pieces import Piece, Step, buyer_for, points_for
from turnwright.rules.parts.riding import payer_of
from turnwright.rules.parts.surroundings import ground_cost
from turnwright.rules.parts.ways import plan_of
from turnwright.rules.system import Going, RuleSystem, label_of

KIND, FREELY = "announced-move", "gone"
AS_ANNOUNCED, NO_FARTHER, FEET = "as-announced", "no-farther", "feet"


def may_set_out(tx: Transaction, rules: RuleSystem, journey: Journey, steps: tuple[Step, ...]) -> bool:
    """Announce a move that takes points, or go on with one whose turn it is; return whether it is under way so."""
    points = points_for(tx, rules, journey.who, journey.mode, steps)
    now = under_way(tx, journey.who)
    if now is not None:
        _go_on(tx, rules, now, journey, points)
        return True
    option = buyer_for(tx, rules, journey.who, journey.mode)
    if not points or option is None or not is_announced(tx, rules, Procedure("", KIND, "go", journey)):
        return False
    waiting = begin(tx, KIND, "go", msgspec.structs.replace(journey, spent=points))
    reserved = reserved_for(tx, rules, payer_of(tx, journey.who), option.cost, points)
    payer = payer_of(tx, journey.who)
    tx.put(announce(tx, rules, waiting, payer, option.name, reserved, moves=True, insisted=journey.insisted))
    return True


def under_way(lookup: Lookup, who: str) -> Procedure | None:
    """Return somebody's announced move whose turn it is now, while they may still say where to."""
    asked = {prompt.procedure for prompt in lookup.all(Prompt)}
    found = (one for one in lookup.all(Procedure) if one.kind == KIND and one.id in asked)
    return next((one for one in found if isinstance(one.data, Journey) and one.data.who == who), None)


def _go_on(tx: Transaction, rules: RuleSystem, now: Procedure, journey: Journey, points: int) -> None:
    """Let somebody go another way than they had announced, as far as what they announced reaches."""
    announced = _data(now)
    if points > announced.spent:
        _forbid_farther(tx, rules, announced, points)
    prompt = prompt_of(tx, now.id)
    if prompt is not None:
        tx.remove(prompt)
    tx.put(at(now, FREELY, msgspec.structs.replace(announced, path=(), heights=(), feet=0)))
    set_out(tx, rules, journey, now.id)


def _forbid_farther(tx: Transaction, rules: RuleSystem, announced: Journey, need: int) -> None:
    who, rule = label_of(tx, announced.who), rules.cite("move.replanned")
    tx.forbid("refused.farther_than_announced", rule, who=who, n=announced.spent, need=need)


def go(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Take the points of one piece of movement, and ask where to if anybody has answered it."""
    data = _data(procedure)
    option, payer = buyer_for(tx, rules, data.who, data.mode), payer_of(tx, data.who)
    most = rules.movement.allowance(tx, rules, data.who, data.mode)
    if option is None or most is None:
        return None
    take(tx, rules, payer, option.cost, option.price)
    resource = economy.payer(tx, rules, payer, option.cost)
    tx.emit(Acted(who=payer, action=option.name, cost=resource, rule=option.rule()))
    keep_piece(tx, payer, option.id, Piece(most.total), most.total)
    if not is_answered(tx):
        set_out(tx, rules, msgspec.structs.replace(data, spent=0), procedure.id)
        return at(procedure, FREELY)
    rest = msgspec.structs.replace(data, spent=max(0, data.spent - option.price))
    return where_to(tx, rules, at(procedure, "ask", rest), answers)


def where_to(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask where to: as announced, where that can still be done, or no farther. Any other way is ordered meanwhile."""
    data = _data(procedure)
    rule, label = rules.cite("move.replanned"), label_of(tx, data.who)
    if tx.need(Combatant, data.who).position is None:
        asked = Ask(FEET, "number", "ask.announced_feet", data.who, str(data.feet), rule=rule)
    else:
        ways = [Option(AS_ANNOUNCED, "option.as_announced")] if data.path and not barred(tx, rules, data) else []
        options = (*ways, Option(NO_FARTHER, "option.done_moving"))
        suggested = (options[0].id,)
        asked = Ask(
            "way", "choice", "ask.announced_way", data.who, label, options=options, suggested=suggested, rule=rule
        )
    ask(tx, procedure, "prompt.announced_way", [asked], subject=label, rule=rule)
    return at(procedure, FREELY, data)


def barred(tx: Transaction, rules: RuleSystem, data: Journey) -> bool:
    """Return whether the way that was announced can't be gone any more."""
    return not data.insisted and bool(in_time(travel_vetoes(tx, rules, data, plan_of(tx, rules, data))))


def in_time(vetoes: tuple[Veto, ...]) -> tuple[Veto, ...]:
    """Return vetoes on a move whose turn it is: that its mover has reacted is what made it one."""
    return tuple(veto for veto in vetoes if veto.reason != REACTED_ALREADY)


def gone(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Go as was said."""
    data = _data(procedure)
    if FEET in answers:
        feet = answers[FEET].number or 0
        if feet:
            going = Going(feet, data.mode, data.through, up=min(data.up, feet))
            price = rules.movement.cost(tx, rules, data.who, going)
            tx.forbid_by(in_time(vetoes_on(tx, rules, data.who, going, price)))
            hard = ground_cost(tx, data.through, turned=False) is not None
            points = points_for(tx, rules, data.who, data.mode, ((price.total, hard),))
            if points > data.spent:
                _forbid_farther(tx, rules, data, points)
            journey = msgspec.structs.replace(data, feet=feet, up=going.up, cost=price.total, why=price.parts, spent=0)
            set_out(tx, rules, journey, procedure.id)
    elif "way" in answers and AS_ANNOUNCED in answers["way"].chosen:
        set_out(tx, rules, msgspec.structs.replace(data, spent=0), procedure.id)


def opened(tx: Transaction, rules: RuleSystem, who: str, mode: str, parent: str) -> None:
    """Ask where to, of somebody whose piece of movement has just been paid for, who can't simply go now."""
    if is_answered(tx) or not economy.on_turn(tx, who):
        begin(tx, KIND, "ask", Journey(who, mode=mode), parent)


def _data(procedure: Procedure) -> Journey:
    assert isinstance(procedure.data, Journey)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    (KIND, "go"): go,
    (KIND, "ask"): where_to,
    (KIND, FREELY): gone,
}
