"""Costs and declaration of a feature, with or without saves.

The feature is declared if the system lets others react to it.
"""

from __future__ import annotations

from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.procedure_state.attacks import SAVE_EFFECT, SaveEffect
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.asking.action_parameters import cost_asks, is_cancelled, store_costs
from turnwright.play.asking.declaration import declare_action, reserved_for, reserved_points
from turnwright.play.effects.concentration import concentrate
from turnwright.play.kernel.scheduler import Answers, ask, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import deduct_pools, require_turn, spend
from turnwright.play.state.events import Skipped
from turnwright.play.state.limited_uses import spend_use, use_vetoes
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.actions.action_options import FREE, feature_rule
from turnwright.rules.parts.combatants.incapacitation import cannot_act_vetoes
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.economy.limited_uses import use_key
from turnwright.rules.system import RuleSystem


def declare_feature(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for a feature's unknown costs, then declare it. Refuse it if it can't be paid for."""
    data = data_of(procedure, SaveEffect)
    who, means = next(iter(data.members)), data.feature
    if _is_dropped(tx, rules, data, answers):
        return None
    if _asks_price(tx, rules, procedure):
        return goto(procedure, SAVE_EFFECT.declare_feature)
    price = resources.known_cost(tx, who, means.id, means.price)
    vetoes = _vetoes(tx, rules, data, price or 0)
    tx.forbid_by(vetoes)
    spend_use(tx, who, use_key(means, data.level), means.name)
    reserved = reserved_for(tx, rules, who, means.cost, price or 0)
    pools = reserved_points(tx, who, means.id, means.spends)
    return declare_action(
        tx,
        rules,
        goto(procedure, SAVE_EFFECT.resolve_declared_feature),
        who,
        means.name,
        (*reserved, *pools),
        targets=data.targets,
        insisted=bool(vetoes),
    )


def pay_cost(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for a feature's unknown costs, then pay. Refuse the feature if it can't be paid for."""
    data = data_of(procedure, SaveEffect)
    who, means = next(iter(data.members)), data.feature
    if _is_dropped(tx, rules, data, answers):
        return None
    price = resources.known_cost(tx, who, means.id, means.price) or 0
    tx.forbid_by(_vetoes(tx, rules, data, price))
    if means.cost == FREE:
        require_turn(tx, rules, who)
    if _asks_price(tx, rules, procedure):
        return goto(procedure, SAVE_EFFECT.pay_cost)
    spend(tx, rules, who, means.cost, price)
    deduct_pools(tx, rules, who, means.id, means.spends)
    spend_use(tx, who, use_key(means, data.level), means.name)
    return resolve_declared_feature(tx, rules, procedure, answers)


def unknown_feature_costs(tx: Transaction, rules: RuleSystem, who: str, feature: Feature) -> list[Ask]:
    """Return the asks for a feature's unknown costs. A resource without a limit costs nothing."""
    is_known = resources.known_cost(tx, who, feature.id, feature.price) is not None
    is_open = resources.is_limited(rules, feature.cost) and not is_known
    rule = feature_rule(tx, rules, who, feature)
    return cost_asks(tx, rules, who, feature.id, feature.name, feature.spends, is_unknown=is_open, rule=rule)


def _asks_price(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> bool:
    data = data_of(procedure, SaveEffect)
    who = next(iter(data.members))
    asks, rule = unknown_feature_costs(tx, rules, who, data.feature), feature_rule(tx, rules, who, data.feature)
    ask(tx, procedure, "prompt.action", asks, subject=data.feature.name, rule=rule)
    return bool(asks)


def _is_dropped(tx: Transaction, rules: RuleSystem, data: SaveEffect, answers: Answers) -> bool:
    """Store the costs entered, and return whether the feature was cancelled."""
    who, means = next(iter(data.members)), data.feature
    if tx.get(Combatant, who) is None or is_cancelled(answers):
        tx.emit(Skipped(purpose="ask.action", who=who, detail=means.name))
        return True
    store_costs(tx, rules, who, means.id, answers)
    return False


def _vetoes(lookup: Lookup, rules: RuleSystem, data: SaveEffect, price: int) -> tuple[Veto, ...]:
    who, means = next(iter(data.members)), data.feature
    return (
        *cannot_act_vetoes(lookup, rules, who),
        *use_vetoes(lookup, rules, who, means, data.level),
        *resources.spending_vetoes(lookup, rules, who, means.cost, price),
        *resources.pool_vetoes(lookup, rules, who, means.id, means.spends),
    )


def resolve_declared_feature(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Use the declared feature, after the reactions to it."""
    data = data_of(procedure, SaveEffect)
    if data.feature.concentration:
        concentrate(tx, rules, next(iter(data.members)), data.feature.name)
    return goto(procedure, SAVE_EFFECT.ask_missing)


STAGES = stages_in(globals(), SAVE_EFFECT)
