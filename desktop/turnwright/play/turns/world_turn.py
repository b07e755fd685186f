"""The environment's turn before each participant's turn, in encounters with rolling movement."""

from __future__ import annotations

from turnwright.encounter.lookups import find_entry
from turnwright.encounter.prepared import Environment
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, EnvironmentEffect
from turnwright.encounter.procedure_state.turns import WORLD_TURN, WorldTurn
from turnwright.play.kernel.scheduler import Answers, begin, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turns.events import WorldTurnStarted
from turnwright.play.turns.round_start import offered_entries, world_actions
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.environment.entries import eligible_targets
from turnwright.rules.system import RuleSystem


def next_combatant(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """List the environment entries for the next combatant whose turn begins, which are then offered one by one."""
    data = data_of(procedure, WorldTurn)
    if not data.remaining:
        return None
    data = WorldTurn(data.remaining[0], remaining=data.remaining[1:])
    offers = () if is_out_of_play(tx, data.who) else _for_one(tx, rules, data.who)
    if any(world_actions(tx)) or offers:
        tx.emit(WorldTurnStarted(offers=offers, rule=rules.rule_id("rolling.world")))
    return goto(procedure, WORLD_TURN.offer_next, data, offers=offers)


def _for_one(tx: Transaction, rules: RuleSystem, who: str) -> tuple[tuple[str, str], ...]:
    """Return the environment entries that can be used on one participant."""
    return tuple((place, row) for place, row in offered_entries(tx) if _reaches(tx, rules, place, row, who))


def _reaches(tx: Transaction, rules: RuleSystem, place: str, entry: str, who: str) -> bool:
    environment = tx.need(Environment, place)
    row = find_entry(environment, entry)
    if row is None or row.affects == "nobody":
        return row is not None
    return any(eligible_target.id == who for eligible_target in eligible_targets(tx, environment, row, rules))


def offer_next(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Offer the next entry that can still be used on the combatant whose turn begins."""
    data = data_of(procedure, WorldTurn)
    if not data.offers:
        return goto(procedure, WORLD_TURN.next_combatant)
    environment, entry = data.offers[0]
    if (environment, entry) in offered_entries(tx):
        effect = EnvironmentEffect(environment, entry, by_world=True, only_target=data.who)
        begin(tx, ENVIRONMENT_EFFECT.ask_targets, effect, procedure.id)
    return goto(procedure, WORLD_TURN.offer_next, offers=data.offers[1:])


STAGES = stages_in(globals(), WORLD_TURN)
