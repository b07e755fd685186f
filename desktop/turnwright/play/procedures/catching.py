"""Catching: an ally to whom something is thrown may catch it, for what the game takes for that."""

from __future__ import annotations

from turnwright.encounter.pending import Deed, Option, Procedure
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.events import Acted
from turnwright.play.procedures.loop import Answers, Stage, ask, at
from turnwright.play.procedures.reactions import reaction_ask, taken
from turnwright.play.resources import take
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.parts import economy
from turnwright.rules.parts.actions import option_of
from turnwright.rules.parts.announced import may_answer
from turnwright.rules.parts.positions import hostile
from turnwright.rules.system import RuleSystem, label_of

CATCH = "catch"


def thrown(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Deed, option: ActionOption
) -> Procedure | None:
    """Ask an ally to whom something is thrown whether to catch it, if that can be done."""
    rule = rules.cite("throw.catch")
    label = label_of(tx, data.who)
    asks = [
        reaction_ask(one, [Option(CATCH, "option.catch")], rule=rule, detail=label)
        for one in data.targets
        if may_catch(tx, rules, data.who, one, option)
    ]
    if not asks:
        return None
    ask(tx, procedure, "prompt.thrown", asks, subject=label_of(tx, asks[0].id), rule=rule)
    return at(procedure, "caught", data)


def may_catch(lookup: Lookup, rules: RuleSystem, who: str, ally: str, option: ActionOption) -> bool:
    """Return whether somebody may catch what another throws to them."""
    price = rules.catalogue.reactions.catch
    if not price or lookup.get(Combatant, ally) is None or hostile(lookup, who, ally):
        return False
    return may_answer(lookup, rules, ally) and not economy.vetoes(lookup, rules, ally, option.cost, price)


def caught(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Let whoever catches it pay for that."""
    data = procedure.data
    assert isinstance(data, Deed)
    option = option_of(tx, rules, data.who, data.action)
    for who, _ in taken(answers):
        if tx.get(Combatant, who) is not None:
            resource = economy.payer(tx, rules, who, option.cost)
            take(tx, rules, who, option.cost, rules.catalogue.reactions.catch)
            tx.emit(
                Acted(who=who, action="<action.catch>", cost=resource, note=data.note, rule=rules.cite("throw.catch"))
            )


STAGES: dict[tuple[str, str], Stage] = {("deed", "caught"): caught}
