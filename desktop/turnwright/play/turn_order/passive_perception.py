"""Surprise based on passive scores: sneaking combatants roll, and combatants with lower scores are surprised."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, roll_ask
from turnwright.encounter.procedure_state.turn_order import SURPRISE, SurpriseChecks
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import Answers, ask, data_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Rolled, Skipped
from turnwright.rules.parts.checks.ability_checks import check_roll
from turnwright.rules.parts.checks.action_checks import known_number
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.system import RuleSystem

SCORE_PREFIX = "score."


def check_ask(tx: Transaction, rules: RuleSystem, who: str, check: str, rule: str) -> Ask:
    """Return the ask for an ability check."""
    spec = check_roll(tx, rules, who, check)
    return roll_ask(who, "ask.check", f"<check.{check}>", spec, rule=rule)


def ask_stealth_against_scores(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> Procedure:
    """Ask for the Stealth checks of sneaking combatants, and for unknown passive scores of the others."""
    data = data_of(procedure, SurpriseChecks)
    settings, rule = rules.data.surprise, rules.rule_id("surprise.checks")
    label = f"ask.figure_{settings.against.partition('.')[0]}"
    asks = [check_ask(tx, rules, who, settings.check, rule) for who in data.sneaking if not is_out_of_play(tx, who)]
    asks += [
        Ask(f"{SCORE_PREFIX}{who}", "number", label, who, rule=rules.rule_id("passive.scores"))
        for who in data.others
        if not is_out_of_play(tx, who) and known_number(tx, rules, who, settings.against) is None
    ]
    return ask(tx, goto(procedure, SURPRISE.ask_surprised), "prompt.surprise", asks, rule=rule)


def surprised_by_stealth(
    tx: Transaction, rules: RuleSystem, data: SurpriseChecks, answers: Answers
) -> tuple[dict[str, int], list[str]]:
    """Return the Stealth totals, and the combatants who don't notice any sneaking combatant.

    The totals aren't used as initiative.
    """
    settings, rule = rules.data.surprise, rules.rule_id("surprise.checks")
    totals: dict[str, int] = {}
    for id, answer in answers.items():
        combatant = tx.get(Combatant, id.removeprefix(SCORE_PREFIX))
        if combatant is None:
            continue
        if id.startswith(SCORE_PREFIX):
            if answer.number is not None:
                tx.update(combatant, supplied_numbers=(*combatant.supplied_numbers, (settings.against, answer.number)))
        elif answer.roll is not None and answer.roll.total is not None:
            totals[id] = answer.roll.total
            detail = f"<check.{settings.check}>"
            tx.emit(Rolled(who=id, purpose="ask.check", roll=answer.roll, detail=detail, rule=rule))
        else:
            tx.emit(Skipped(who=id, purpose="ask.check"))
    return totals, [who for who in data.others if totals and _exceeds(tx, rules, who, min(totals.values()))]


def _exceeds(lookup: Lookup, rules: RuleSystem, who: str, total: int) -> bool:
    """Return whether a total exceeds a combatant's score; False if the score is unknown."""
    score = known_number(lookup, rules, who, rules.data.surprise.against) if lookup.get(Combatant, who) else None
    return score is not None and total > score
