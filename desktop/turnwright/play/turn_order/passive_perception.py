"""Surprise by passive scores: those who sneak roll, and whoever's score that exceeds notices nothing."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.procedure_state.turn_order import SURPRISE, SurpriseChecks
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import Answers, ask, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Rolled, Skipped
from turnwright.rules.parts.checks.action_checks import known_number
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.system import RuleSystem

SCORE_PREFIX = "score."


def ask_stealth_against_scores(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> Procedure:
    """Ask the check of those who sneak, and the scores of the others that nobody has given."""
    data = procedure.data
    assert isinstance(data, SurpriseChecks)
    figures, rule = rules.data.surprise, rules.rule_id("surprise.checks")
    label = f"ask.figure_{figures.against.partition('.')[0]}"
    asks = [
        Ask(
            who,
            "roll",
            "ask.check",
            who,
            f"<check.{figures.check}>",
            rules.checks.check(tx, rules, who, figures.check),
            rule=rule,
        )
        for who in data.sneaking
        if not is_out_of_play(tx, who)
    ]
    asks += [
        Ask(f"{SCORE_PREFIX}{who}", "number", label, who, rule=rules.rule_id("passive.scores"))
        for who in data.others
        if not is_out_of_play(tx, who) and known_number(tx, rules, who, figures.against) is None
    ]
    ask(tx, procedure, "prompt.surprise", asks, rule=rule)
    return goto(procedure, SURPRISE.ask_surprised)


def surprised_by_stealth(
    tx: Transaction, rules: RuleSystem, data: SurpriseChecks, answers: Answers
) -> tuple[dict[str, int], list[str]]:
    """Return the totals of those who sneak, and who notices none of them; no total stands as initiative."""
    figures, rule = rules.data.surprise, rules.rule_id("surprise.checks")
    totals: dict[str, int] = {}
    for id, answer in answers.items():
        one = tx.get(Combatant, id.removeprefix(SCORE_PREFIX))
        if one is None:
            continue
        if id.startswith(SCORE_PREFIX):
            if answer.number is not None:
                tx.update(one, supplied_numbers=(*one.supplied_numbers, (figures.against, answer.number)))
        elif answer.roll is not None and answer.roll.total is not None:
            totals[id] = answer.roll.total
            detail = f"<check.{figures.check}>"
            tx.emit(Rolled(who=id, purpose="ask.check", roll=answer.roll, detail=detail, rule=rule))
        else:
            tx.emit(Skipped(who=id, purpose="ask.check"))
    return totals, [who for who in data.others if totals and _exceeds(tx, rules, who, min(totals.values()))]


def _exceeds(lookup: Lookup, rules: RuleSystem, who: str, total: int) -> bool:
    """Return whether a total is more than somebody's score; not where nobody knows that."""
    score = known_number(lookup, rules, who, rules.data.surprise.against) if lookup.get(Combatant, who) else None
    return score is not None and total > score
