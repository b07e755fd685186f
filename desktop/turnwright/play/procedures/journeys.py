"""A move from its first step to its last: who may strike at whoever leaves their reach, what it costs, what it stirs up.

On a grid it goes square by square, so that a move that is stopped has cost what was moved and no more.
"""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask, Assault, Hazard, Journey, Option, Procedure
from turnwright.encounter.prepared import Environment
from turnwright.encounter.running import Combatant, Effect, Ends, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.events import Dragged, Halted, Moved, Rolled
from turnwright.play.harm import end_effect, put_condition, put_effect
from turnwright.play.placing import end_what_moving_ends, forget_where, tell_parted
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin
from turnwright.play.procedures.passing import being_passed, end_passages
from turnwright.play.procedures.reactions import may_react, reaction_ask, taken
from turnwright.play.resources import MOVED, spend
from turnwright.play.spending import pay_for_step
from turnwright.play.transaction import Transaction
from turnwright.rules.figures import Figure
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.parts.action_rolls import trial_roll
from turnwright.rules.parts.areas import map_of
from turnwright.rules.parts.falling import FALLING, flies, floor_under
from turnwright.rules.parts.going import DRAGGED, DRAGGING, has_hold, holds
from turnwright.rules.parts.movement import PRONE, SQUEEZING
from turnwright.rules.parts.opportunity import Opening, melee_means, openings
from turnwright.rules.parts.pieces import stands_on_hard
from turnwright.rules.parts.riding import body_of, carried_by, payer_of
from turnwright.rules.parts.speeds import CRAWL
from turnwright.rules.parts.statements import condition_names, effects_on
from turnwright.rules.parts.surroundings import entry_in
from turnwright.rules.parts.treading import SLIDING, Leg, leg_at, stands_after, together
from turnwright.rules.parts.ways import has_room
from turnwright.rules.system import RuleSystem, label_of

REACTION = "reaction"
GRIP_OPTION = "adjacent-allies"
HELD_TAGS = ("grapple",)
YES, NO = "yes", "no"


def set_out(tx: Transaction, rules: RuleSystem, journey: Journey, parent: str = "") -> Procedure:
    """Begin a move that has been found possible; whoever is pulled along is taken hold of."""
    if not journey.free and holder_of(tx, rules, journey.who):
        return begin(tx, "journey", "held", journey, parent)
    fresh = bool(journey.drags) and not has_hold(tx, journey.who, journey.drags)
    if fresh and rules.option(tx, GRIP_OPTION):
        return begin(tx, "journey", "grip", journey, parent)
    _take_hold(tx, rules, journey)
    return begin(tx, "journey", "go", journey, parent)


def holder_of(lookup: Lookup, rules: RuleSystem, who: str) -> str:
    """Return whoever holds somebody so that moving takes a contest, empty where nobody does."""
    name = rules.catalogue.movement.held_by
    found = (one.by for one in effects_on(lookup, who) if name and one.name == name)
    return next((by for by in found if lookup.get(Combatant, by) is not None), "")


def held(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask the contest that somebody who is held has to win before moving."""
    data = _data(procedure)
    holder, what = holder_of(tx, rules, data.who), rules.catalogue.movement.held_roll
    if not holder:
        return at(procedure, "go")
    rule = rules.cite("move.held")
    sides = ((data.who, holder), (holder, data.who))
    asks = [
        Ask(
            one,
            "roll",
            "ask.check",
            one,
            f"<{what}>",
            trial_roll(tx, rules, one, what, other, HELD_TAGS).spec,
            rule=rule,
        )
        for one, other in sides
    ]
    ask(tx, procedure, "prompt.held", asks, subject=label_of(tx, data.who), rule=rule)
    return at(procedure, "wrested")


def wrested(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Go, where the contest was won. Equal totals leave things as they are."""
    data = _data(procedure)
    holder, what = holder_of(tx, rules, data.who), rules.catalogue.movement.held_roll
    rolls = {who: answer.roll for who, answer in answers.items() if answer.roll is not None}
    own, theirs = (rolls[who].total if who in rolls else None for who in (data.who, holder))
    won = own is not None and theirs is not None and own > theirs
    for who, roll in rolls.items():
        rule, passed = rules.cite("move.held"), won if who == data.who else None
        against = (theirs or 0) if who == data.who else 0
        tx.emit(
            Rolled(who=who, purpose="ask.check", roll=roll, detail=f"<{what}>", dc=against, passed=passed, rule=rule)
        )
    if won:
        return at(procedure, "go")
    tx.emit(Halted(who=data.who, rule=rules.cite("move.held")))
    return None


def _take_hold(tx: Transaction, rules: RuleSystem, journey: Journey) -> None:
    """Take hold of an ally for the turn, for a reaction; until the move is over the ally can't react."""
    if not journey.drags:
        return
    if holds(tx, rules, journey.who, journey.drags):
        return
    if not has_hold(tx, journey.who, journey.drags):
        spend(tx, rules, journey.who, rules.catalogue.movement.drag_cost)
        hold = Effect(tx.next_id("effect"), journey.who, DRAGGING, ends=Ends("turn"), shown=False, by=journey.drags)
        put_effect(tx, rules, hold)
        tx.emit(Dragged(who=journey.who, ally=journey.drags, rule=rules.cite("drag.start")))
    held = Effect(tx.next_id("effect"), journey.drags, DRAGGED, ends=Ends("turn"), shown=False, by=journey.who)
    put_effect(tx, rules, held)


def grip(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask whether the ally stands right beside and has a hand to be taken by, where the table wants to know."""
    data = _data(procedure)
    rule = rules.cite("drag.grip")
    options = (Option(YES, "option.yes"), Option(NO, "option.no"))
    asked = Ask(
        "grip", "choice", "ask.grip", detail=label_of(tx, data.drags), options=options, suggested=(YES,), rule=rule
    )
    ask(tx, procedure, "prompt.grip", [asked], subject=label_of(tx, data.who), rule=rule)
    return at(procedure, "gripped")


def gripped(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Go on with the ally in hand; where it can't be held, nobody moves and nothing is spent."""
    answer = answers.get("grip")
    data = _data(procedure)
    if answer is None or YES not in answer.chosen or tx.get(Combatant, data.drags) is None:
        return None
    _take_hold(tx, rules, data)
    return at(procedure, "go")


def go(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Strike what is to be struck, then go on until somebody else may strike, something is stirred up, or one is there."""
    data = _data(procedure)
    if data.blows:
        _strike(tx, rules, procedure, data.blows[0])
        return at(procedure, "go", msgspec.structs.replace(data, blows=data.blows[1:]))
    while not _is_over(data):
        if _is_stopped(tx, rules, data):
            _tell(tx, rules, data)
            tx.emit(Halted(who=data.who))
            _end(tx, rules, data)
            return None
        leg = leg_at(tx, rules, data)
        if _offer(tx, rules, procedure, data, leg):
            return at(procedure, "answered", _told(tx, rules, data))
        data = _go_one(tx, rules, data, leg)
        if _stir_up(tx, rules, data, leg, procedure.id):
            return at(procedure, "go", _told(tx, rules, data))
    _tell(tx, rules, data)
    _end(tx, rules, data)
    return None


def answered(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Note who strikes, at whom and with what."""
    data = _data(procedure)
    blows = tuple((who, *how.split(" ", 1)) for who, how in taken(answers))
    offered = (*data.offered, *answers)
    return at(procedure, "go", msgspec.structs.replace(data, blows=blows, offered=offered))


def _offer(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Journey, leg: Leg) -> bool:
    """Ask those whose reach the next step leaves, who have not been asked about it yet; return whether there is any."""
    if data.free and not data.leaves and not data.insisted:
        return False
    after = stands_after(tx, data, leg)
    if after is None and not data.leaves:
        return False
    rule = rules.cite("opportunity.trigger")
    found = openings(tx, rules, data.who, after, data.drags)
    asks = [
        reaction_ask(one.by, _options(tx, one), rule=rule, detail=label_of(tx, data.who))
        for one in found
        if one.by not in data.offered and (after is not None or one.by in data.leaves)
    ]
    ask(tx, procedure, "prompt.reaction", asks, subject=label_of(tx, data.who), rule=rule)
    return bool(asks)


def _options(tx: Transaction, opening: Opening) -> list[Option]:
    """Return each attack on each of those who leave together."""
    several = len(opening.blows) > 1
    return [
        Option(f"{target} {means.id}", means.name or "option.unarmed", label_of(tx, target) if several else "")
        for target, reaching in opening.blows
        for means in reaching
    ]


def _strike(tx: Transaction, rules: RuleSystem, procedure: Procedure, blow: tuple[str, str, str]) -> None:
    """Let one of those asked spend a reaction on its one blow, unless that has become pointless."""
    by, target, means_id = blow
    victim = tx.get(Combatant, target)
    means = next((one for one in melee_means(tx, by) if one.id == means_id), None) if tx.get(Combatant, by) else None
    if victim is None or victim.dead or means is None or not may_react(tx, rules, by):
        return
    spend(tx, rules, by, REACTION)
    assault = Assault(by, means, target, purpose="opportunity", tags=("opportunity",))
    begin(tx, "attack", "declare", assault, procedure.id)


def _is_over(data: Journey) -> bool:
    return data.done >= (len(data.path) or 1)


def _is_stopped(tx: Transaction, rules: RuleSystem, data: Journey) -> bool:
    """Return whether what has happened on the way keeps somebody from going on as they meant to."""
    body = tx.get(Combatant, body_of(tx, data.who))
    mover = tx.get(Combatant, data.who)
    if body is None or mover is None or body.dead or mover.dead:
        return True
    if data.free:
        return False
    if body.hp <= 0 or mover.hp <= 0:
        return not data.insisted
    if data.mode != CRAWL and PRONE in condition_names(tx, rules, body.id):
        return not data.insisted
    most = rules.movement.allowance(tx, rules, data.who, data.mode)
    return (most is None or most.total <= 0) and not data.insisted


def _go_one(tx: Transaction, rules: RuleSystem, data: Journey, leg: Leg) -> Journey:
    """Go one leg: pay for it, and change place with all who are carried or pulled along."""
    if not data.free:
        if rules.catalogue.movement.bought:
            hard = leg.hard or (bool(data.path) and stands_on_hard(tx, rules, data.who))
            pay_for_step(tx, rules, data.who, data.mode, (leg.price.total, hard))
        else:
            _pay(tx, data.who, leg.price.total)
    parted = _change_place(tx, rules, data, leg)
    return msgspec.structs.replace(
        data,
        parted=(*data.parted, *parted),
        done=data.done + 1,
        offered=(),
        feet=data.feet + leg.feet if data.path else data.feet,
        spent=data.spent + leg.price.total,
        why=together((Figure(0, data.why), leg.price)).parts if data.path else data.why,
    )


def _pay(tx: Transaction, who: str, feet: int) -> None:
    payer = payer_of(tx, who)
    track = tx.get(Track, track_id(payer, MOVED)) or Track(track_id(payer, MOVED), payer, MOVED)
    tx.update(track, value=track.value + feet)


def _change_place(tx: Transaction, rules: RuleSystem, data: Journey, leg: Leg) -> tuple[str, ...]:
    """Put those who move where the leg takes them, and return to whom it is open now how they stand."""
    passed = being_passed(tx, rules, data.who)
    climbs = any(tx.need(Combatant, one.id).elevation != one.elevation for one in leg.moved)
    for one in leg.moved:
        tx.update(tx.need(Combatant, one.id), position=one.position, elevation=one.elevation)
    end_passages(tx, rules, data.who, passed)
    if leg.way:
        body = body_of(tx, data.who)
        ends = Ends("turn-start", body)
        put_effect(tx, rules, Effect(tx.next_id("effect"), body, SLIDING, ends=ends, shown=False, until=leg.way))
    movers = [one.id for one in leg.moved] or [*carried_by(tx, data.who), *((data.drags,) if data.drags else ())]
    end_what_moving_ends(tx, rules, movers)
    if not (data.path or leg.feet):
        return ()
    return forget_where(tx, movers, keeps=data.keeps, climbs=climbs, on_map=bool(data.path) and map_of(tx) is not None)


def _stir_up(tx: Transaction, rules: RuleSystem, data: Journey, leg: Leg, parent: str) -> bool:
    """Begin what the ground just entered does to those who cross it, and return whether there is anything."""
    begun = False
    for ground in leg.grounds or (("",) if not data.path else ()):
        for offer in contributions(tx, rules, Hook.MOVED, Moment(data.who, ground)).offers:
            if entry_in(tx.need(Environment, offer.environment), offer.entry) is not None:
                hazard = Hazard(offer.environment, offer.entry, targets=(data.who,), agreed=True)
                begin(tx, "hazard", "targets", hazard, parent)
                begun = True
    return begun


def _told(tx: Transaction, rules: RuleSystem, data: Journey) -> Journey:
    """Say how far somebody has come, and return the journey with nothing left to tell."""
    if data.done and data.feet:
        _tell(tx, rules, data)
        return msgspec.structs.replace(data, feet=0, spent=0, why=(), parted=())
    return data


def _tell(tx: Transaction, rules: RuleSystem, data: Journey) -> None:
    if not data.free and data.done and (data.feet or data.spent):
        rule = next((part.rule for part in reversed(data.why) if part.rule), rules.cite("turn.speed"))
        tx.emit(Moved(who=data.who, feet=data.feet, cost=data.spent, mode=data.mode, why=data.why, rule=rule))
    tell_parted(tx, rules, data.who, data.parted)


def _end(tx: Transaction, rules: RuleSystem, data: Journey) -> None:
    """Let go of whoever was pulled along, see whether the place is narrow, and let fall who has nothing underfoot."""
    for effect in list(effects_on(tx, data.drags)) if data.drags else ():
        if effect.name == DRAGGED:
            end_effect(tx, rules, effect)
    body = tx.get(Combatant, body_of(tx, data.who))
    if body is None or body.dead or not data.done or not data.path:
        return
    _fit(tx, rules, body.id)
    drop = body.elevation - floor_under(tx, rules, body.id)
    if data.free and drop >= rules.catalogue.movement.fall_step and not flies(tx, rules, body.id):
        put_condition(tx, rules, body.id, FALLING, value=drop, rule=rules.cite("falling.figures"))


def _fit(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Let somebody who stands where only a smaller one would fit squeeze, and no longer where there is room."""
    held = [effect for effect in effects_on(tx, who) if effect.name == SQUEEZING]
    if has_room(tx, rules, who):
        for effect in held:
            end_effect(tx, rules, effect)
    elif not held:
        put_condition(tx, rules, who, SQUEEZING, rule=rules.cite("squeeze.speed"))


def _data(procedure: Procedure) -> Journey:
    assert isinstance(procedure.data, Journey)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("journey", "held"): held,
    ("journey", "wrested"): wrested,
    ("journey", "grip"): grip,
    ("journey", "gripped"): gripped,
    ("journey", "go"): go,
    ("journey", "answered"): answered,
}
