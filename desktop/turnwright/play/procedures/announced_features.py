"""A feature that some save against, or that simply happens: what it takes where nobody knows, and its announcement.

It is announced in a game where others may answer it.
"""

from __future__ import annotations

from turnwright.encounter.pending import Ask, Onslaught, Procedure
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.events import Skipped
from turnwright.play.procedures.announcing import announce, reserved_for, reserved_pools
from turnwright.play.procedures.concentration import concentrate
from turnwright.play.procedures.loop import Answers, Stage, ask, at
from turnwright.play.procedures.onslaughts import onslaught_of
from turnwright.play.procedures.questions import is_given_up, price_asks, remember_prices
from turnwright.play.resources import need_turn, spend, take_pools
from turnwright.play.supplies import lacks, spend_supply, supply_of
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import economy
from turnwright.rules.parts.actions import FREE, own_rule
from turnwright.rules.parts.fitness import unable
from turnwright.rules.system import RuleSystem


def announce_feature(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask what a feature takes where nobody knows, then announce it; refused where it can't be paid for."""
    data = onslaught_of(procedure)
    who, means = next(iter(data.members)), data.means
    if _is_dropped(tx, rules, data, answers):
        return None
    if _asks_price(tx, rules, procedure):
        return at(procedure, "announce")
    price = economy.said_price(tx, who, means.id, means.price)
    vetoes = _vetoes(tx, rules, data, price or 0)
    tx.forbid_by(vetoes)
    if supply_of(means, data.level):
        spend_supply(tx, who, supply_of(means, data.level), means.name)
    reserved = reserved_for(tx, rules, who, means.cost, price or 0)
    pools = reserved_pools(tx, who, means.id, means.spends)
    return announce(
        tx,
        rules,
        at(procedure, "announced"),
        who,
        means.name,
        (*reserved, *pools),
        targets=data.targets,
        insisted=bool(vetoes),
    )


def price_feature(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask what a feature takes where nobody knows, then pay for it; refused where it can't be paid for."""
    data = onslaught_of(procedure)
    who, means = next(iter(data.members)), data.means
    if _is_dropped(tx, rules, data, answers):
        return None
    price = economy.said_price(tx, who, means.id, means.price) or 0
    tx.forbid_by(_vetoes(tx, rules, data, price))
    if means.cost == FREE:
        need_turn(tx, rules, who)
    if _asks_price(tx, rules, procedure):
        return at(procedure, "price")
    spend(tx, rules, who, means.cost, price)
    take_pools(tx, rules, who, means.id, means.spends)
    if supply_of(means, data.level):
        spend_supply(tx, who, supply_of(means, data.level), means.name)
    return use_announced(tx, rules, procedure, answers)


def open_prices(tx: Transaction, rules: RuleSystem, who: str, means: Feature) -> list[Ask]:
    """Return the asks for what a feature takes and nobody has said; what isn't counted takes nothing."""
    is_open = economy.said_price(tx, who, means.id, means.price) is None and economy.is_limited(rules, means.cost)
    rule = own_rule(tx, rules, who, means)
    return price_asks(tx, rules, who, means.id, means.name, means.spends, is_open=is_open, rule=rule)


def _asks_price(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> bool:
    data = onslaught_of(procedure)
    who = next(iter(data.members))
    asks = open_prices(tx, rules, who, data.means)
    ask(tx, procedure, "prompt.action", asks, subject=data.means.name, rule=own_rule(tx, rules, who, data.means))
    return bool(asks)


def _is_dropped(tx: Transaction, rules: RuleSystem, data: Onslaught, answers: Answers) -> bool:
    """Take the prices that were said; return whether the feature isn't used after all."""
    who, means = next(iter(data.members)), data.means
    if tx.get(Combatant, who) is None or is_given_up(answers):
        tx.emit(Skipped(purpose="ask.action", who=who, detail=means.name))
        return True
    remember_prices(tx, rules, who, means.id, answers)
    return False


def _vetoes(lookup: Lookup, rules: RuleSystem, data: Onslaught, price: int) -> tuple[Veto, ...]:
    who, means = next(iter(data.members)), data.means
    return (
        *unable(lookup, rules, who),
        *lacks(lookup, rules, who, means, data.level),
        *economy.vetoes(lookup, rules, who, means.cost, price),
        *economy.vetoes_on_pools(lookup, rules, who, means.id, means.spends),
    )


def use_announced(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Use it, now that it is its turn."""
    data = onslaught_of(procedure)
    if data.means.concentration:
        concentrate(tx, rules, next(iter(data.members)), data.means.name)
    return at(procedure, "gaps")


STAGES: dict[tuple[str, str], Stage] = {
    ("onslaught", "announce"): announce_feature,
    ("onslaught", "price"): price_feature,
    ("onslaught", "announced"): use_announced,
}
