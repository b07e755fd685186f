"""Declared actions, which ask for open parameters and wait until reactions to them are resolved or a hit disrupts them.

Each system's data says whether it has such reactions. A `Declaration` records the waiting procedure and reserves the
action's cost. The reaction stack resumes the procedure, or a reaction cancels it. The cost is spent either way. No rule
system here sets the DC of the check against a disruption, so the user enters the result.
"""

import msgspec

from turnwright.encounter.field_specs import CombatantId, WordKey
from turnwright.encounter.prepared import NamedNumbers
from turnwright.encounter.procedure_state import Declaration, Procedure, actions, kinds
from turnwright.encounter.procedure_state.actions import REACTION_STACK, ActionInProgress, ReactionStack
from turnwright.encounter.procedure_state.asks import DISRUPT, FAILED, MADE, Ask, DisruptionCheck, Option, choice_ask
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.procedure_state.movement import DECLARED_MOVE, MoveInProgress
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, close_prompt, data_of, goto
from turnwright.play.kernel.transaction import Transaction, require
from turnwright.play.state.action_economy import deduct, mark_reaction, require_no_own_declaration
from turnwright.rules.parts.actions import action_options
from turnwright.rules.parts.checks.ability_checks import check_options
from turnwright.rules.parts.combatants.facts import DISABLE, cannot_act, cannot_act_vetoes, disable_action
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.economy.limited_uses import (
    can_be_reacted_to,
    cost_key,
    known_cost,
    newest_declaration,
    pending_declarations,
    reactors,
)
from turnwright.rules.parts.positions.geometry import are_hostile
from turnwright.rules.system import HookContext, Veto, label_of
from turnwright.rules.system_data.numbers import ActionOption

PAID_WHEN_RESOLVED = (actions.ACTION.name, DECLARED_MOVE.name)  # procedures that pay their cost when they resolve
REACTED_ALREADY = "refused.reacted_already"
KEEPS = "keeps"


@journal("journal.action_announced", when={"of": "journal.announced_answer"})
class ActionDeclared(CombatantEvent, frozen=True):
    """A combatant declared an action, perhaps as a reaction to the declared action of another combatant (`of`)."""

    action: str
    answers: str = ""
    of: CombatantId = ""

    @property
    def is_bookkeeping(self) -> bool:
        """Whether this is the first declaration. Its result and each reaction have separate journal lines."""
        return self.bookkeeping or not self.of


@journal("journal.undone", why="reason")
class ActionCancelled(CombatantEvent, frozen=True):
    """A declared action was cancelled and its cost spent. `reason` is a word key."""

    action: str
    reason: WordKey
    params: tuple[tuple[str, str | int], ...] = ()


@journal("journal.kept")
class ActionKept(CombatantEvent, frozen=True):
    """A combatant kept the declared action that a feature disrupted."""

    action: str
    source: str


@journal("journal.disrupted")
class ActionDisrupted(CombatantEvent, frozen=True):
    """An action was lost because an enemy's reaction disrupted it or felled its actor. Its cost is spent."""

    action: str


def is_disrupted(tx: Transaction, who: str, action: str, answered: kinds.Answered) -> bool:
    """Return whether enemies' reactions to an action have disrupted it or felled its actor, and report it if so.

    In games without a rule for this, reactions come after the action. A countered spell has been reported before.
    """
    if answered == "countered":
        return True
    rule = tx.rule_id("reaction.interrupted")
    if rule and (answered == "disrupted" or (answered and cannot_act(tx, who))):
        tx.emit(ActionDisrupted(who=who, action=action, rule=rule))
        return True
    return False


def needs_declaration(tx: Transaction, procedure: Procedure) -> bool:
    """Return whether a procedure must be declared first, because other combatants can react to it."""
    if not can_be_reacted_to(tx, tx.rules):
        return False
    parent = tx.get(Procedure, procedure.parent) if procedure.parent else None
    if procedure.parent:
        return parent is not None and parent.kind == REACTION_STACK.name
    actor = _actor(procedure)
    return open_stack(tx) is not None or any(reactor != actor for reactor in reactors(tx, tx.rules))


def _actor(procedure: Procedure) -> str:
    data = procedure.data
    if isinstance(data, AttackInProgress):
        return data.attacker
    return data.who if isinstance(data, ActionInProgress | MoveInProgress) else ""


def declare_action(tx: Transaction, procedure: Procedure, own: Declaration) -> Procedure:
    """Declare a procedure's action, and return the waiting procedure. Others are then asked for reactions.

    The declaration gets its id, and the declaration that it responds to, here.
    """
    before, stack = pending_declarations(tx), open_stack(tx)
    answered = ""
    require_no_own_declaration(tx, own.who)
    if stack is None:
        begin(tx, REACTION_STACK.open_window, ReactionStack())
    else:
        data = data_of(stack, ReactionStack)
        trigger = tx.get(Declaration, data.trigger) if data.trigger else None
        answered = trigger.id if trigger is not None else before[-1].id if before else ""
        close_prompt(tx, stack.id)
        tx.put(goto(stack, REACTION_STACK.open_window, ReactionStack(answered=bool(before))))
    tx.put(msgspec.structs.replace(own, id=tx.next_id("announcement"), responds_to=answered))
    mark_reaction(tx, own.who)
    trigger = tx.get(Declaration, answered) if answered else None
    answers, of = (trigger.name, trigger.who) if trigger is not None else ("", "")
    rule = tx.rule_id("reaction.trigger" if trigger is not None else "turn.announced")
    tx.emit(ActionDeclared(who=own.who, action=own.name, answers=answers, of=of, rule=rule))
    return msgspec.structs.replace(procedure, parent="")


def open_stack(lookup: Lookup) -> Procedure | None:
    """Return the reaction stack, or None if nothing is declared."""
    return next((procedure for procedure in lookup.all(Procedure) if procedure.kind == REACTION_STACK.name), None)


def has_reactions(lookup: Lookup) -> bool:
    """Return whether a combatant has reacted to the declared action."""
    stack = open_stack(lookup)
    return stack is not None and data_of(stack, ReactionStack).answered


def reserved_for(tx: Transaction, who: str, resource: str, amount: int) -> NamedNumbers:
    """Return the points to reserve for a declared action's cost in a resource."""
    if not amount or not limited_uses.is_limited(tx.rules, resource):
        return ()
    return ((limited_uses.paying_resource(tx, tx.rules, who, resource), amount),)


def reserved_points(lookup: Lookup, who: str, cost_key: str, spends: NamedNumbers) -> NamedNumbers:
    """Return the points to reserve in further pools."""
    prices = ((pool, limited_uses.known_cost(lookup, who, cost_key, price, pool) or 0) for pool, price in spends)
    return tuple((pool, price) for pool, price in prices if price)


def resolve_declared(tx: Transaction, stack: Procedure, declared: Declaration) -> None:
    """Resume a declared procedure unless it has become impossible. Its cost is spent in any case."""
    waiting = tx.get(Procedure, declared.procedure)
    tx.remove(declared)
    if waiting is None or tx.get(Combatant, declared.who) is None:
        tx.discard(Procedure, declared.procedure)
        return
    vetoes = () if declared.rules_overridden or tx.strictness == "off" else _new_vetoes(tx, declared, waiting)
    if vetoes:
        _cancel_waiting(tx, declared, waiting, vetoes[0])
        return
    if waiting.kind not in PAID_WHEN_RESOLVED:
        _pay(tx, declared)
    tx.update(waiting, parent=stack.id)


def cancel_declared(tx: Transaction, declared: Declaration, reason: str, rule: str) -> None:
    """Cancel a declared action. Its cost is still spent."""
    waiting = tx.get(Procedure, declared.procedure)
    tx.remove(declared)
    if waiting is not None:
        _cancel_waiting(tx, declared, waiting, Veto(reason, rule, (("who", label_of(tx, declared.who)),)))


def _cancel_waiting(tx: Transaction, declared: Declaration, waiting: Procedure, why: Veto) -> None:
    _pay(tx, declared)
    tx.remove(waiting)
    tx.emit(
        ActionCancelled(who=declared.who, action=declared.name, reason=why.reason, params=why.params, rule=why.rule)
    )


def _pay(tx: Transaction, declared: Declaration) -> None:
    for resource, amount in declared.reserved:
        deduct(tx, declared.who, resource, amount)


def _new_vetoes(tx: Transaction, declared: Declaration, waiting: Procedure) -> tuple[Veto, ...]:
    """Return the vetoes that have arisen since the declaration."""
    data = waiting.data
    if not isinstance(data, ActionInProgress):
        return cannot_act_vetoes(tx, tx.rules, declared.who)
    option = action_options.action_option(tx, tx.rules, data.who, data.action)
    vetoes = action_options.action_vetoes(tx, tx.rules, data.who, option, data)
    return tuple(veto for veto in vetoes if veto.reason != REACTED_ALREADY)


def begin_disrupt_check(tx: Transaction, data: AttackInProgress, parent: str) -> None:
    """Begin the check after a disrupting hit, if the target has declared an action."""
    if data.weapon.interrupts and newest_declaration(tx, data.target) is not None:
        begin(tx, DISRUPT.ask_check, DisruptionCheck(data.target, data.weapon.interrupts, data.weapon.name), parent)


def ask_check(tx: Transaction, procedure: Procedure, data: DisruptionCheck, answers: Answers) -> Procedure:
    """Ask for the result of the check."""
    rule = tx.rule_id("reaction.check")
    options = (Option(MADE, "option.made"), Option(FAILED, "option.failed"))
    who, detail = data.who, f"<check.{data.ability}>"
    question = Ask(KEEPS, "choice", "ask.keeps_announced", who, detail, options=options, rule=rule)
    return ask(tx, goto(procedure, DISRUPT.after_check), "prompt.interrupted", [question], subject=label_of(tx, who))


def after_check(tx: Transaction, procedure: Procedure, data: DisruptionCheck, answers: Answers) -> None:
    """Cancel the declared action if the check failed."""
    declaration = newest_declaration(tx, data.who)
    if declaration is None:
        return
    if FAILED in choices_of(answers, KEEPS):
        cancel_declared(tx, declaration, "refused.cancelled", tx.rule_id("reaction.interrupted"))
    else:
        rule = tx.rule_id("reaction.check")
        tx.emit(ActionKept(who=data.who, action=declaration.name, source=data.source, rule=rule))


TARGETS, ABOUT, COST, CHOICE, CHECK, DC = "targets", "about", "cost", "choice", "check", "dc"
POINTS, POOL_PREFIX = "points", "pool."
REFUSED, IGNORED, ROLLED = "refused", "ignored", "rolled"  # possible outcomes of a choice
REQUIRED_ASKS = (TARGETS, ABOUT, COST, CHOICE, CHECK, POINTS)  # skipping one of these cancels the action


def with_defaults(tx: Transaction, data: ActionInProgress, answers: Answers) -> ActionInProgress:
    """Return an action with its answered and known parameters filled in, and with default targets if it has none."""
    values: dict[str, object] = {}
    for id in (TARGETS, ABOUT, COST, CHOICE, CHECK, DC):
        answer = answers.get(id)
        if answer is not None and not answer.skipped:
            value = next(iter(answer.chosen), "")
            values[id] = answer.chosen if id == TARGETS else (answer.number or 0) if id == DC else value
    points = answers.get(POINTS)
    if points is not None and not points.skipped:
        values[POINTS] = int(points.chosen[0]) if points.chosen else points.number or 0
    data = msgspec.structs.replace(data, **values)
    store_costs(tx, data.who, data.action, answers)
    option = tx.rules.actions.get(data.action)
    if option is None:
        return data
    if CHOICE in values and "remember" in option.asks:
        _remember(tx, data, option)
    if option.targets == "observers" and not data.targets:
        data = msgspec.structs.replace(data, targets=observers_of(tx, data.who))
    if option.about and data.about and not data.choice:
        data = msgspec.structs.replace(data, choice=option.about)
    return msgspec.structs.replace(
        data,
        choice=data.choice or _known_choice(tx, data, option),
        check=data.check or _check(data, disable_action(tx, tx.rules, option, data.targets, "", 0)),
    )


def store_costs(tx: Transaction, who: str, source: str, answers: Answers) -> None:
    """Store the point costs that the user entered: the price of a stat block's feature, and costs in further pools."""
    for id, answer in answers.items():
        if id.startswith(POOL_PREFIX):
            store_number(tx, who, cost_key(source, id.removeprefix(POOL_PREFIX)), answer.number or 0)
        elif id == POINTS and answer.number is not None and source not in tx.rules.actions:
            store_number(tx, who, cost_key(source), answer.number)


def cost_asks(
    tx: Transaction, who: str, cost_key: str, name: str, spends: NamedNumbers, *, is_unknown: bool, rule: str
) -> list[Ask]:
    """Return the asks for the unknown point costs of an action or feature."""
    asks = [Ask(POINTS, "number", "ask.points", detail=name, rule=rule)] if is_unknown else []
    for pool, price in spends:
        if pool in tx.rules.resources and known_cost(tx, who, cost_key, price, pool) is None:
            rule, detail = tx.rules.resources[pool].ledger[0], f"<resource.{pool}>"
            asks.append(Ask(f"{POOL_PREFIX}{pool}", "number", "ask.points_of", detail=detail, rule=rule))
    return asks


def observers_of(lookup: Lookup, who: str) -> tuple[str, ...]:
    """Return the hostile combatants that aren't dead and have hit points left."""
    return tuple(
        each.id for each in lookup.all(Combatant) if are_hostile(lookup, who, each.id) and not each.dead and each.hp > 0
    )


def _check(data: ActionInProgress, option: ActionOption) -> str:
    """Return the check that matches the choice (by full id or ending), or the only check. Empty if there is none."""
    rolls = option.trial.rolls if option.trial else ()
    if len(rolls) == 1:
        return rolls[0]
    return next((roll for roll in rolls if data.choice and roll.endswith(data.choice)), "")


def _known_choice(tx: Transaction, data: ActionInProgress, option: ActionOption) -> str:
    """Return the choice that the combatant's equipment or an earlier answer decides, or an empty string."""
    for choice in option.choices:
        if any(evaluate(tx, tx.rules, data.who, statement, HookContext(data.who)) for statement in choice.known):
            return choice.id
    before = dict(tx.need(Combatant, data.who).supplied_numbers).get(f"choice.{option.id}")
    return option.choices[before].id if before is not None and before < len(option.choices) else ""


def _remember(tx: Transaction, data: ActionInProgress, option: ActionOption) -> None:
    place = next((at for at, choice in enumerate(option.choices) if choice.id == data.choice), None)
    if place is not None:
        store_number(tx, data.who, f"choice.{option.id}", place)


def store_number(tx: Transaction, who: str, key: str, value: int) -> None:
    """Store a number that the user entered, for the rest of the fight."""
    combatant = tx.need(Combatant, who)
    others = tuple(pair for pair in combatant.supplied_numbers if pair[0] != key)
    tx.update(combatant, supplied_numbers=(*others, (key, value)))


def is_cancelled(answers: Answers) -> bool:
    """Return whether the user skipped a parameter that the action needs."""
    no_targets = TARGETS in answers and not answers[TARGETS].chosen
    return no_targets or any(answers[id].skipped for id in REQUIRED_ASKS if id in answers)


def missing_parameters(tx: Transaction, data: ActionInProgress, option: ActionOption) -> list[Ask]:
    """Return the asks for an action's missing parameters. An action with a note needs no target."""
    asks: list[Ask] = []
    rule = option.rule()
    rolls = option.trial.rolls if option.trial else ()
    if "choice" in option.asks and not data.choice and option.choices and not (data.note and option.targets):
        options = tuple(Option(choice.id, choice.name) for choice in option.choices)
        who = data.who if "remember" in option.asks else ""
        asks.append(choice_ask(CHOICE, f"ask.how_{option.id}", options, who, rule=rule))
    if len(rolls) > 1 and not data.check:
        ledger = dict(option.trial.ledgers).get("choice", rule) if option.trial else rule
        options = tuple(Option(roll, f"<{roll}>") for roll in rolls)
        asks.append(Ask(CHECK, "choice", "ask.a_check", options=options, suggested=(rolls[0],), rule=ledger))
    if _takes_a_roll(data, option) and not data.check:
        options = check_options(tx.rules)
        asks.append(Ask(CHECK, "choice", "ask.a_check", options=options, suggested=(options[0].id,), rule=rule))
        asks.append(Ask(DC, "number", "ask.dc", rule=rule))
    own = action_options.feature_of(tx, data.who, data.action)
    is_known = own is not None and known_cost(tx, data.who, own.id, own.price) is not None
    is_open = data.points is None and not is_known and action_options.is_price_unknown(tx.rules, option)
    if is_open and option.prices:
        asks.append(_prices_ask(tx, data, option))
        is_open = False
    asks += cost_asks(tx, data.who, data.action, option.name, option.spends, is_unknown=is_open, rule=rule)
    if option.targets == "one" and not data.targets and not data.note:
        asks.append(_targets_ask(tx, data, option))
    if option.about and data.choice == option.about and not data.about and not data.note:
        targets = action_options.possible_others(tx, tx.rules, data.who, option, "about", data.choice)
        enemies = _options(tx, option, [target for target in targets if are_hostile(tx, data.who, target)])
        asks.append(Ask(ABOUT, "choice", "ask.about", data.who, options=enemies, rule=rule))
    if "cost" in option.asks and not data.cost:
        costs = [one for one in option.payable if not action_options.cost_vetoes(tx, tx.rules, data.who, option, one)]
        if len(costs) > 1:
            names = {cost: f"<resource.{cost}>" for cost in tx.rules.resources}
            options = tuple(Option(cost, names.get(cost, f"option.cost_{cost}")) for cost in costs)
            asks.append(Ask(COST, "choice", "ask.cost", data.who, options=options, suggested=(costs[0],), rule=rule))
    return asks


def _prices_ask(tx: Transaction, data: ActionInProgress, option: ActionOption) -> Ask:
    """Return the ask for an action's price. It lists the prices that can be paid now, or all if none can."""
    priced = {price: msgspec.structs.replace(option, price=price) for price in option.prices}
    paid = [
        amount
        for amount in priced
        if not action_options.all_cost_vetoes(tx, tx.rules, data.who, priced[amount], data.cost)
    ]
    sign = tx.rules.data.presentation
    prices = ((amount, sign.price(option.cost, amount)) for amount in paid or priced)
    options = tuple(Option(str(amount), f"{amount} {text}".strip()) for amount, text in prices)
    return Ask(POINTS, "choice", "ask.price", detail=option.name, options=options, rule=option.rule())


def _takes_a_roll(data: ActionInProgress, option: ActionOption) -> bool:
    rolls_unknown = option.done == DISABLE and option.trial is not None and not option.trial.rolls
    return rolls_unknown or any(choice.id == data.choice and choice.outcome == ROLLED for choice in option.choices)


def _targets_ask(tx: Transaction, data: ActionInProgress, option: ActionOption) -> Ask:
    options = _options(
        tx, option, action_options.possible_others(tx, tx.rules, data.who, option, "target", data.choice)
    )
    return Ask(TARGETS, "targets", "ask.whom", data.who, options=options, max_choices=1, rule=option.rule())


def _options(tx: Transaction, option: ActionOption, targets: list[str]) -> tuple[Option, ...]:
    """Return combatants as options. Raise Refused if there are none."""
    require(targets, "refused.nobody_for_it", what=option.name)
    return tuple(Option(target, tx.need(Combatant, target).label) for target in targets)


def begin_action(tx: Transaction, data: ActionInProgress, parent: str = "") -> None:
    """Begin an action of the rule system."""
    begin(tx, actions.ACTION.declare, with_defaults(tx, data, {}), parent)
