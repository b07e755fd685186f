"""What those an action is done to may answer it with at once, and falling back before a presser who may follow."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask, Deed, Journey, Option, Procedure
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant, Effect, Ends
from turnwright.encounter.state import Lookup
from turnwright.play.events import Acted, FellBack, Followed
from turnwright.play.harm import put_effect
from turnwright.play.procedures.journeys import set_out
from turnwright.play.procedures.loop import Answers, ask, at
from turnwright.play.procedures.reactions import PASS, reaction_ask, taken
from turnwright.play.resources import take
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.parts.actions import refusals
from turnwright.rules.parts.opportunity import may_react
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.parts.stepping import STEP, is_placed, step_from, step_towards
from turnwright.rules.system import RuleSystem, label_of

PRESSED, FELL_BACK = "pressed", "fell-back"
GIVING_WAY = "fall-back"
FOLLOW, STAY = "follow", "stay"


def offer(tx: Transaction, rules: RuleSystem, procedure: Procedure, option: ActionOption) -> Procedure | None:
    """Ask the targets of an action how they respond, those who can; where nobody can, the action is over."""
    data = _data(procedure)
    asks = []
    for target in data.targets:
        found = _reactions(tx, rules, target, option)
        if found:
            options = [Option(one.id, one.name) for one in found]
            asks.append(reaction_ask(target, options, rule=found[0].rule(), detail=label_of(tx, data.who)))
    if not asks:
        return None
    ask(tx, procedure, "prompt.reaction", asks, subject=option.name, rule=asks[0].rule)
    return at(procedure, "respond", data)


def _reactions(tx: Transaction, rules: RuleSystem, who: str, option: ActionOption) -> list[ActionOption]:
    """Return the reactions to an action that somebody could take now."""
    if tx.get(Combatant, who) is None or not may_react(tx, rules, who):
        return []
    known = [rules.actions[id] for id in option.offers if id in rules.actions]
    return [one for one in known if not refusals(tx, rules, who, one) and has_room(tx, rules, who, one)]


def has_room(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> bool:
    """Return whether there is a square to give way to, where that is what a reaction is and there are squares."""
    presser = presser_of(lookup, who)
    if option.done != GIVING_WAY or not presser or not is_placed(lookup, rules, who, presser):
        return True
    return step_from(lookup, rules, who, presser) is not None


def presser_of(lookup: Lookup, who: str) -> str:
    """Return who presses somebody, empty where nobody does."""
    return next((one.by for one in effects_on(lookup, who) if one.name == PRESSED), "")


def responded(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Carry out the reactions taken, each for its cost."""
    data = _data(procedure)
    back = []
    for who, action in taken(answers):
        option = rules.actions.get(action)
        if option is None or action == PASS or tx.get(Combatant, who) is None:
            continue
        take(tx, rules, who, option.cost)
        tx.emit(Acted(who=who, action=option.name, cost=option.cost, rule=option.rule()))
        if option.done == GIVING_WAY:
            give_way(tx, rules, procedure, who, option)
            back.append(who)
    if not back:
        return None
    return at(procedure, "follow", msgspec.structs.replace(data, failed=tuple(back)))


def fall_back(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Deed, option: ActionOption) -> Procedure:
    """Fall back by one's own command: the presser may follow as well."""
    presser = presser_of(tx, data.who)
    give_way(tx, rules, procedure, data.who, option)
    return at(procedure, "follow", msgspec.structs.replace(data, who=presser or data.who, failed=(data.who,)))


def give_way(tx: Transaction, rules: RuleSystem, procedure: Procedure, who: str, option: ActionOption) -> None:
    """Move somebody straight away from their presser, provoking nobody; off the grid it is only said."""
    presser = presser_of(tx, who)
    to = step_from(tx, rules, who, presser) if presser and is_placed(tx, rules, who, presser) else None
    effect = Effect(
        tx.next_id("effect"), who, FELL_BACK, source=option.name, ends=Ends("turn-start", presser or who), by=presser
    )
    put_effect(tx, rules, effect)
    tx.emit(FellBack(who=who, presser=presser, feet=STEP, rule=option.rule("move")))
    if to is not None:
        _go(tx, rules, who, to, procedure.id)


def _go(tx: Transaction, rules: RuleSystem, who: str, to: Point, parent: str) -> None:
    """Put somebody on a square at no cost and without giving anybody the chance of a blow."""
    elevation = tx.need(Combatant, who).elevation
    set_out(tx, rules, Journey(who, path=(to,), heights=(elevation,), free=True), parent)


def follow(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask the presser whether to follow those who fell back, where there is room."""
    data = _data(procedure)
    back = [one for one in data.failed if tx.get(Combatant, one) is not None]
    if tx.get(Combatant, data.who) is None or not back or back[0] == data.who:
        return None
    placed = is_placed(tx, rules, data.who, back[0])
    if placed and step_towards(tx, rules, data.who, back[0]) is None:
        return None
    rule = _fall_back_option(rules).rule("follow")
    options = (Option(FOLLOW, "option.follow"), Option(STAY, "option.stay"))
    asked = Ask(
        "follow", "choice", "ask.follow", data.who, label_of(tx, back[0]), options=options, suggested=(STAY,), rule=rule
    )
    ask(tx, procedure, "prompt.follow", [asked], subject=label_of(tx, back[0]), rule=rule)
    return at(procedure, "followed", data)


def followed(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Let the presser follow: its own movement is not spent, and nobody strikes at it."""
    data = _data(procedure)
    answer = answers.get("follow")
    after = next((one for one in data.failed if tx.get(Combatant, one) is not None), "")
    if answer is None or FOLLOW not in answer.chosen or not after or tx.get(Combatant, data.who) is None:
        return
    to = step_towards(tx, rules, data.who, after) if is_placed(tx, rules, data.who, after) else None
    rule = _fall_back_option(rules).rule("follow")
    tx.emit(Followed(who=data.who, after=after, feet=STEP, rule=rule))
    if to is not None:
        _go(tx, rules, data.who, to, procedure.id)


def _fall_back_option(rules: RuleSystem) -> ActionOption:
    return next((one for one in rules.catalogue.actions if one.done == GIVING_WAY), ActionOption("", ""))


def _data(procedure: Procedure) -> Deed:
    assert isinstance(procedure.data, Deed)
    return procedure.data
