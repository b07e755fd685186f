"""Announcing: in a game where what is done can be answered, it is reserved for and waits until what answers it is done.

Which games those are stands in their data. What waits is a procedure with an `Announcement`; the stack of `stack` lets it
go on, or a reaction cancels it. Either way its cost is gone.
"""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Announcement, Assault, Deed, Journey, Procedure, Watch
from turnwright.encounter.prepared import Figures
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.events import ActionAnnounced, Undone
from turnwright.play.procedures.loop import at, begin, prompt_of
from turnwright.play.resources import mark_reaction, take
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import economy
from turnwright.rules.parts.actions import option_of, refusals
from turnwright.rules.parts.announced import is_asked, pending, reactors
from turnwright.rules.parts.fitness import unable
from turnwright.rules.system import RuleSystem, label_of

STACK, WINDOW = "stack", "window"
PAYING = ("deed", "announced-move")  # what takes its own cost as it goes on
REACTED_ALREADY = "refused.reacted_already"


def is_announced(lookup: Lookup, rules: RuleSystem, procedure: Procedure) -> bool:
    """Return whether what a procedure is about to do is announced first: what a person orders, or reacts with.

    Where nobody could answer it, it is done at once.
    """
    if not is_asked(lookup, rules):
        return False
    parent = lookup.get(Procedure, procedure.parent) if procedure.parent else None
    if procedure.parent:
        return parent is not None and parent.kind == STACK
    doer = _doer(procedure)
    return stack_of(lookup) is not None or any(one != doer for one in reactors(lookup, rules))


def _doer(procedure: Procedure) -> str:
    data = procedure.data
    if isinstance(data, Assault):
        return data.attacker
    return data.who if isinstance(data, Deed | Journey) else ""


def announce(
    tx: Transaction,
    rules: RuleSystem,
    procedure: Procedure,
    who: str,
    name: str,
    reserved: Figures,
    *,
    targets: tuple[str, ...] = (),
    moves: bool = False,
    insisted: bool = False,
) -> Procedure:
    """Announce what a procedure is about to do, and return it as it waits. Others are then asked who answers it."""
    before, stack = pending(tx), stack_of(tx)
    answered = ""
    if stack is None:
        begin(tx, STACK, WINDOW, Watch(who))
    else:
        data = watch_in(stack)
        named = tx.get(Announcement, data.what) if data.what else None
        answered = named.id if named is not None else before[-1].id if before else ""
        prompt = prompt_of(tx, stack.id)
        if prompt is not None:
            tx.remove(prompt)
        tx.put(at(stack, WINDOW, Watch(data.who, value=int(bool(before)))))
    one = Announcement(
        tx.next_id("announcement"), who, procedure.id, name, answered, reserved, targets, moves, insisted
    )
    tx.put(one)
    mark_reaction(tx, rules, who)
    to = tx.get(Announcement, answered) if answered else None
    rule = rules.cite("reaction.trigger" if to else "turn.announced")
    tx.emit(ActionAnnounced(who=who, action=name, answers=to.name if to else "", of=to.who if to else "", rule=rule))
    return msgspec.structs.replace(procedure, parent="")


def stack_of(lookup: Lookup) -> Procedure | None:
    """Return the stack under way, None where nothing has been announced."""
    return next((one for one in lookup.all(Procedure) if one.kind == STACK), None)


def is_answered(lookup: Lookup) -> bool:
    """Return whether anybody has answered what was announced."""
    stack = stack_of(lookup)
    return stack is not None and bool(watch_in(stack).value)


def watch_in(stack: Procedure) -> Watch:
    """Return what a stack notes: `by` who reacts, `what` they answer; a `value` once anything has been answered."""
    assert isinstance(stack.data, Watch)
    return stack.data


def reserved_for(lookup: Lookup, rules: RuleSystem, who: str, resource: str, amount: int) -> Figures:
    """Return what has to be kept for something that takes so many of a resource."""
    if not amount or not economy.is_limited(rules, resource):
        return ()
    return ((economy.payer(lookup, rules, who, resource), amount),)


def reserved_pools(lookup: Lookup, who: str, what: str, spends: Figures) -> Figures:
    """Return what has to be kept of further pools."""
    prices = ((pool, economy.said_price(lookup, who, what, price, pool) or 0) for pool, price in spends)
    return tuple((pool, price) for pool, price in prices if price)


def release(tx: Transaction, rules: RuleSystem, stack: Procedure, one: Announcement) -> None:
    """Let what was announced be done, unless it has become impossible; its cost is taken in any case."""
    waiting = tx.get(Procedure, one.procedure)
    tx.remove(one)
    if waiting is None or tx.get(Combatant, one.who) is None:
        if waiting is not None:
            tx.remove(waiting)
        return
    barred = () if one.insisted or tx.strictness == "off" else _barred(tx, rules, one, waiting)
    if barred:
        _lose(tx, rules, one, waiting, barred[0].reason, barred[0].rule)
        return
    if waiting.kind not in PAYING:
        _pay(tx, rules, one)
    tx.update(waiting, parent=stack.id)


def cancel(tx: Transaction, rules: RuleSystem, one: Announcement, why: str, rule: str) -> None:
    """Cancel what was announced: it isn't done, and what it was to cost is gone."""
    waiting = tx.get(Procedure, one.procedure)
    tx.remove(one)
    if waiting is not None:
        _lose(tx, rules, one, waiting, why, rule)


def _lose(tx: Transaction, rules: RuleSystem, one: Announcement, waiting: Procedure, why: str, rule: str) -> None:
    _pay(tx, rules, one)
    tx.remove(waiting)
    tx.emit(Undone(who=one.who, action=one.name, reason=why, params=(("who", label_of(tx, one.who)),), rule=rule))


def _pay(tx: Transaction, rules: RuleSystem, one: Announcement) -> None:
    for resource, amount in one.reserved:
        take(tx, rules, one.who, resource, amount)


def _barred(tx: Transaction, rules: RuleSystem, one: Announcement, waiting: Procedure) -> tuple[Veto, ...]:
    """Return what has come to forbid it since it was announced."""
    data = waiting.data
    if not isinstance(data, Deed):
        return unable(tx, rules, one.who)
    option = option_of(tx, rules, data.who, data.action)
    found = refusals(tx, rules, data.who, option, data.targets, about=data.about, cost=data.cost, choice=data.choice)
    return tuple(veto for veto in found if veto.reason != REACTED_ALREADY)


__all__ = [
    "STACK",
    "WINDOW",
    "announce",
    "cancel",
    "is_announced",
    "release",
    "reserved_for",
    "reserved_pools",
    "stack_of",
]
