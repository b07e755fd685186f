"""An action being done: what is still to be said of it, what it costs, its trial, and what it leaves.

Everything an action does stands in its data; what takes more than an effect is in `outcomes`, what those it is done to
may answer in `responses`.
"""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Deed, Procedure
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Effect, Ends
from turnwright.encounter.state import Lookup
from turnwright.play.events import Acted, RuledOut, Skipped
from turnwright.play.harm import id_for, put_condition, put_effect
from turnwright.play.procedures.announcing import announce, is_announced, reserved_for, reserved_pools
from turnwright.play.procedures.attack_costs import attacks_left, spend_attack
from turnwright.play.procedures.attempts import attempted, begin_attempt, figures_asked, settle_attempt
from turnwright.play.procedures.concentration import concentrate
from turnwright.play.procedures.handling import in_hand, item_asked
from turnwright.play.procedures.loop import Answers, Stage, ask, at
from turnwright.play.procedures.outcomes import DONE, STRIDE, count_attacks, maneuver_settled
from turnwright.play.procedures.questions import IGNORED, REFUSED, filled, is_given_up, open_questions
from turnwright.play.procedures.readied import let_go_by
from turnwright.play.procedures.responses import follow, followed, offer, responded
from turnwright.play.procedures.uncovering import UNCOVER, may_find, uncover
from turnwright.play.resources import give_points, take, take_pools
from turnwright.play.supplies import lacks, spend_supply, supply_of
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import ActionOption, Choice, Leaving
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.actions import ATTACK, cost_for, feature_of, option_of, price_of, refusals, resource_for
from turnwright.rules.parts.devices import at_thing
from turnwright.rules.parts.economy import on_turn, payer
from turnwright.rules.system import RuleSystem


def declare(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask what the command leaves open: whom, how, at which cost. What is refused anyway is refused before that."""
    data = deed_of(procedure)
    option = option_for(tx, rules, data)
    if tx.get(Combatant, data.who) is None or is_given_up(answers):
        tx.emit(Skipped(purpose="ask.action", who=data.who, detail=option.name))
        return None
    data = in_hand(tx, rules, filled(tx, rules, data, answers), option)
    option = option_for(tx, rules, data)
    choice = choice_of(option, data.choice)
    if choice is not None and choice.outcome == REFUSED:
        tx.emit(RuledOut(who=data.who, what=data.note or option.name, rule=option.rule()))
        return None
    if choice is not None and choice.outcome == IGNORED:
        let_go_by(tx, rules, data.who, option)
        return None
    asks = item_asked(tx, rules, data, option) or open_questions(tx, rules, data, option)
    if asks:
        ask(tx, procedure, "prompt.action", asks, subject=option.name, rule=option.rule())
        return at(procedure, "declare", _insisting(tx, rules, data, option))
    return _announced(tx, rules, at(procedure, "pay", data), option)


def _announced(tx: Transaction, rules: RuleSystem, procedure: Procedure, option: ActionOption) -> Procedure:
    """Announce an action about which all is said, in a game where others may answer it."""
    if not is_announced(tx, rules, procedure):
        return procedure
    data = _insisting(tx, rules, deed_of(procedure), option)
    cost = cost_for(tx, rules, data.who, option, data.cost)
    resource = resource_for(tx, data.who, option, cost)
    reserved = reserved_for(tx, rules, data.who, resource, price_of(option, cost))
    waiting = at(procedure, "pay", msgspec.structs.replace(data, insisted=True))
    return announce(
        tx,
        rules,
        waiting,
        data.who,
        data.note or option.name,
        (*reserved, *reserved_pools(tx, data.who, option.id, option.spends)),
        targets=data.targets,
        moves=option.done == STRIDE,
        insisted=data.insisted,
    )


def _insisting(tx: Transaction, rules: RuleSystem, data: Deed, option: ActionOption) -> Deed:
    """Refuse now what can be refused already, and note where somebody does it anyway."""
    if data.insisted:
        return data
    vetoes = refusals(tx, rules, data.who, option, data.targets, about=data.about, cost=data.cost, choice=data.choice)
    if "note" in option.asks and not data.note:
        vetoes = (*vetoes, Veto("refused.no_trigger", option.rule()))
    if option.prices and data.points is not None and data.points not in option.prices:
        vetoes = (*vetoes, Veto("refused.no_such_price", option.rule(), (("what", option.name), ("n", data.points))))
    feature = _feature(tx, rules, data)
    if feature is not None:
        vetoes = (*vetoes, *lacks(tx, rules, data.who, feature))
    tx.forbid_by(vetoes)
    return msgspec.structs.replace(data, insisted=bool(vetoes))


def _feature(lookup: Lookup, rules: RuleSystem, data: Deed) -> Feature | None:
    """Return the feature of a stat block that a deed is, None for what everybody can do."""
    return feature_of(lookup, data.who, data.action) if data.action not in rules.actions else None


def pay(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Spend what it costs and say so; refused where a rule forbids it."""
    data = deed_of(procedure)
    option = option_for(tx, rules, data)
    data = _insisting(tx, rules, data, option)
    cost = cost_for(tx, rules, data.who, option, data.cost)
    resource = resource_for(tx, data.who, option, cost)
    if cost == ATTACK:
        spend_attack(tx, rules, data.who)
    else:
        acts = not option.gives or on_turn(tx, data.who)
        take(tx, rules, data.who, resource, price_of(option, cost), acts=acts)
    take_pools(tx, rules, data.who, option.id, option.spends)
    if option.gives:
        give_points(tx, rules, data.who, option.gives, option.price, option.rule("cap"))
    _draw_on(tx, rules, data)
    tx.emit(
        Acted(
            who=data.who,
            action=option.name,
            cost=payer(tx, rules, data.who, resource),
            note=data.note,
            targets=() if option.targets == "observers" else data.targets,
            about=data.about,
            rule=_rule(tx, rules, data, option, resource),
        )
    )
    data = msgspec.structs.replace(data, cost=cost)
    if option.exertion is not None:
        leave_behind(tx, rules, data, option, data.targets)
    return at(procedure, "figures", data)


def option_for(tx: Transaction, rules: RuleSystem, data: Deed) -> ActionOption:
    """Return the action that a deed is, at the price that a person has said for it."""
    option = option_of(tx, rules, data.who, data.action)
    option = at_thing(tx, rules, option, data.targets, data.check, data.dc)
    return option if data.points is None or option.price else msgspec.structs.replace(option, price=data.points)


def _draw_on(tx: Transaction, rules: RuleSystem, data: Deed) -> None:
    """Take what a feature of the stat block draws on: a use, its recharge, and whoever uses it concentrating on it.

    The attacks that it gives are paid for with it, where a game's attacks have no prices of their own.
    """
    feature = _feature(tx, rules, data)
    if feature is not None:
        if supply_of(feature):
            spend_supply(tx, data.who, supply_of(feature), feature.name)
        if feature.concentration:
            concentrate(tx, rules, data.who, feature.name)
        if feature.attacks and not rules.catalogue.attack.priced:
            count_attacks(tx, data.who, attacks_left(tx, data.who) + feature.attacks)


def _rule(tx: Transaction, rules: RuleSystem, data: Deed, option: ActionOption, resource: str) -> str:
    if option.free:
        return option.rule() if option.leaves else rules.cite("turn.free-actions")
    if resource == "reaction" and not on_turn(tx, data.who) and not option.ledger:
        return rules.cite("round.off-turn")
    return option.rule()


def figures(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for the figures that the trial is held against and nobody has given, and whether somebody lets it succeed."""
    data = deed_of(procedure)
    option = option_for(tx, rules, data)
    if tx.get(Combatant, data.who) is None:
        tx.emit(Skipped(purpose="ask.action", who=data.who, detail=option.name))
        return None
    data, waiting = figures_asked(tx, rules, procedure, data, option, answers)
    return at(procedure, "figures" if waiting else "trial", data)


def trial(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask the roll, where there is one to make."""
    data = deed_of(procedure)
    option = option_for(tx, rules, data)
    return at(procedure, "settle", begin_attempt(tx, rules, procedure, data, option))


def settle(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """See how the trial went, leave what the action leaves, and let those it is done to respond."""
    data = deed_of(procedure)
    option = option_for(tx, rules, data)
    data = settle_attempt(tx, rules, data, option, answers)
    if attempted(option, data):
        against = option.trial is not None and bool(option.trial.against)
        if option.exertion is None:
            leave_behind(tx, rules, data, option, data.made if against else data.targets)
        if option.done:
            after = DONE[option.done](tx, rules, procedure, data, option)
            if after is not None:
                return after
    elif data.degree:
        told = tuple(one for one in option.leaves if one.degree)
        leave_behind(tx, rules, data, msgspec.structs.replace(option, effect="", leaves=told), data.failed)
    return may_find(tx, rules, procedure, data, option, answers) or offer(
        tx, rules, at(procedure, "respond", data), option
    )


def uncovered(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Show what a search has found, and let those it is done to respond."""
    data = deed_of(procedure)
    option = option_for(tx, rules, data)
    uncover(tx, procedure, option, answers)
    return offer(tx, rules, at(procedure, "respond", data), option)


def leave_behind(
    tx: Transaction, rules: RuleSystem, data: Deed, option: ActionOption, targets: tuple[str, ...]
) -> None:
    """Put the effects of an action on whom they belong."""
    if option.effect:
        ends = Ends("turn") if option.ends == "turn" else Ends(option.ends, data.who)
        id = id_for(tx, data.who, option.effect)
        put_effect(tx, rules, Effect(id, data.who, option.effect, source=option.name, ends=ends))
    for leaving in option.leaves:
        if (leaving.only and leaving.only != data.choice) or (leaving.degree and leaving.degree != data.degree):
            continue
        one_each = leaving.on == "target" or leaving.by == "target"
        for target in targets if one_each else ("",):
            if not target or tx.get(Combatant, target) is not None:
                _leave(tx, rules, data, option, leaving, target)


def _leave(tx: Transaction, rules: RuleSystem, data: Deed, option: ActionOption, leaving: Leaving, target: str) -> None:
    on = target if leaving.on == "target" else data.who
    by = {"": "", "self": data.who, "target": target, "about": data.about}[leaving.by]
    ends = (
        Ends("turn") if leaving.ends == "turn" else Ends() if leaving.ends == "never" else Ends(leaving.ends, data.who)
    )
    if leaving.value:
        put_condition(
            tx, rules, on, leaving.effect, value=leaving.value, ends=ends, source=option.name, by=by, rule=option.rule()
        )
        return
    choice = choice_of(option, data.choice)
    put_effect(
        tx,
        rules,
        Effect(
            id_for(tx, on, leaving.effect, by),
            on,
            leaving.effect,
            source=option.name,
            value={"total": data.total, "choice": choice.value if choice else 0}.get(leaving.keeps, 0),
            ends=ends,
            shown=leaving.shown,
            by=by,
            uses=leaving.uses,
            until=data.note if leaving.keeps == "note" else "",
        ),
    )


def choice_of(option: ActionOption, id: str) -> Choice | None:
    """Return a way of doing an action by its id."""
    return next((one for one in option.choices if one.id == id), None)


def deed_of(procedure: Procedure) -> Deed:
    """Return what a deed's procedure is about."""
    assert isinstance(procedure.data, Deed)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("deed", "declare"): declare,
    ("deed", "pay"): pay,
    ("deed", "figures"): figures,
    ("deed", "trial"): trial,
    ("deed", "settle"): settle,
    ("deed", UNCOVER): uncovered,
    ("deed", "outcome"): maneuver_settled,
    ("deed", "respond"): responded,
    ("deed", "follow"): follow,
    ("deed", "followed"): followed,
}
