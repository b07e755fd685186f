"""Surprise by passive scores: those who sneak roll, and whoever's score that exceeds notices nothing."""

from __future__ import annotations

from turnwright.encounter.pending import Ask, Procedure, Surprise
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.events import Rolled, Skipped
from turnwright.play.procedures.loop import Answers, ask, at
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.action_rolls import known_figure
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.system import RuleSystem

SCORE = "score."


def sneak_past(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> Procedure:
    """Ask the check of those who sneak, and the scores of the others that nobody has given."""
    data = procedure.data
    assert isinstance(data, Surprise)
    figures, rule = rules.catalogue.surprise, rules.cite("surprise.checks")
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
        if not is_out(tx, who)
    ]
    asks += [
        Ask(f"{SCORE}{who}", "number", label, who, rule=rules.cite("passive.scores"))
        for who in data.others
        if not is_out(tx, who) and known_figure(tx, rules, who, figures.against) is None
    ]
    ask(tx, procedure, "prompt.surprise", asks, rule=rule)
    return at(procedure, "confirm")


def unnoticed(tx: Transaction, rules: RuleSystem, data: Surprise, answers: Answers) -> tuple[dict[str, int], list[str]]:
    """Return the totals of those who sneak, and who notices none of them; no total stands as initiative."""
    figures, rule = rules.catalogue.surprise, rules.cite("surprise.checks")
    totals: dict[str, int] = {}
    for id, answer in answers.items():
        one = tx.get(Combatant, id.removeprefix(SCORE))
        if one is None:
            continue
        if id.startswith(SCORE):
            if answer.number is not None:
                tx.update(one, given=(*one.given, (figures.against, answer.number)))
        elif answer.roll is not None and answer.roll.total is not None:
            totals[id] = answer.roll.total
            detail = f"<check.{figures.check}>"
            tx.emit(Rolled(who=id, purpose="ask.check", roll=answer.roll, detail=detail, rule=rule))
        else:
            tx.emit(Skipped(who=id, purpose="ask.check"))
    return totals, [who for who in data.others if totals and _exceeds(tx, rules, who, min(totals.values()))]


def _exceeds(lookup: Lookup, rules: RuleSystem, who: str, total: int) -> bool:
    """Return whether a total is more than somebody's score; not where nobody knows that."""
    score = known_figure(lookup, rules, who, rules.catalogue.surprise.against) if lookup.get(Combatant, who) else None
    return score is not None and total > score
