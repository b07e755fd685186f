"""Declared actions, which wait until reactions to them are resolved, and their disruption by a hit.

Each system's data says whether it has such reactions. A `Declaration` records the waiting procedure and reserves the
action's cost. The reaction stack resumes the procedure, or a reaction cancels it. The cost is spent either way. No rule
system here sets the DC of the check against a disruption, so the user enters the result.
"""

from __future__ import annotations

import msgspec

from turnwright.encounter.field_specs import CombatantId, WordKey
from turnwright.encounter.prepared import NamedNumbers
from turnwright.encounter.procedure_state import Declaration, Procedure
from turnwright.encounter.procedure_state.actions import ACTION, REACTION_STACK, ActionInProgress, ReactionStack
from turnwright.encounter.procedure_state.asks import DISRUPT, FAILED, MADE, Ask, DisruptionCheck, Option
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.procedure_state.movement import DECLARED_MOVE, MoveInProgress
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, close_prompt, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import deduct, mark_reaction
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.actions.action_options import action_option, action_vetoes
from turnwright.rules.parts.combatants.facts import cannot_act_vetoes
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.economy.limited_uses import (
    can_be_reacted_to,
    newest_declaration,
    pending_declarations,
    reactors,
)
from turnwright.rules.system import label_of

PAID_WHEN_RESOLVED = (ACTION.name, DECLARED_MOVE.name)  # procedures that pay their cost when they resolve
REACTED_ALREADY = "refused.reacted_already"
KEEPS = "keeps"


@journal("journal.action_announced", when={"of": "journal.announced_answer"})
class ActionDeclared(Event, frozen=True):
    """A combatant declared an action, perhaps as a reaction to the declared action of another combatant (`of`)."""

    who: CombatantId
    action: str
    answers: str = ""
    of: CombatantId = ""

    @property
    def is_bookkeeping(self) -> bool:
        """Whether this is the first declaration. Its result and each reaction have separate journal lines."""
        return self.bookkeeping or not self.of


@journal("journal.undone", why="reason")
class ActionCancelled(Event, frozen=True):
    """A declared action was cancelled and its cost spent. `reason` is a word key."""

    who: CombatantId
    action: str
    reason: WordKey
    params: tuple[tuple[str, str | int], ...] = ()


@journal("journal.kept")
class ActionKept(Event, frozen=True):
    """A combatant kept the declared action that a feature disrupted."""

    who: CombatantId
    action: str
    source: str


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


def declare_action(
    tx: Transaction,
    procedure: Procedure,
    who: str,
    name: str,
    reserved: NamedNumbers,
    *,
    targets: tuple[str, ...] = (),
    is_move: bool = False,
    insisted: bool = False,
) -> Procedure:
    """Declare a procedure's action, and return the waiting procedure. Others are then asked for reactions."""
    before, stack = pending_declarations(tx), open_stack(tx)
    answered = ""
    if stack is None:
        begin(tx, REACTION_STACK.open_window, ReactionStack())
    else:
        data = data_of(stack, ReactionStack)
        trigger = tx.get(Declaration, data.trigger) if data.trigger else None
        answered = trigger.id if trigger is not None else before[-1].id if before else ""
        close_prompt(tx, stack.id)
        tx.put(goto(stack, REACTION_STACK.open_window, ReactionStack(answered=bool(before))))
    declaration = Declaration(
        tx.next_id("announcement"), who, procedure.id, name, answered, reserved, targets, is_move, insisted
    )
    tx.put(declaration)
    mark_reaction(tx, who)
    trigger = tx.get(Declaration, answered) if answered else None
    answers, of = (trigger.name, trigger.who) if trigger is not None else ("", "")
    rule = tx.rule_id("reaction.trigger" if trigger is not None else "turn.announced")
    tx.emit(ActionDeclared(who=who, action=name, answers=answers, of=of, rule=rule))
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
    if not amount or not resources.is_limited(tx.rules, resource):
        return ()
    return ((resources.paying_resource(tx, tx.rules, who, resource), amount),)


def reserved_points(lookup: Lookup, who: str, cost_key: str, spends: NamedNumbers) -> NamedNumbers:
    """Return the points to reserve in further pools."""
    prices = ((pool, resources.known_cost(lookup, who, cost_key, price, pool) or 0) for pool, price in spends)
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
    option = action_option(tx, tx.rules, data.who, data.action)
    vetoes = action_vetoes(
        tx, tx.rules, data.who, option, data.targets, about=data.about, cost=data.cost, choice=data.choice
    )
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


STAGES = stages_in(globals(), DISRUPT)
