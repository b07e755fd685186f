"""What undoes a doom: nothing but the mighty magic that the system names, and then only if somebody says so."""

from __future__ import annotations

from turnwright.encounter.pending import Ask, Option, Procedure, Watch
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.harm import end_effect
from turnwright.play.levels import DOOMED
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, watch_of
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem

LIFT, LEAVE = "lift", "leave-doomed"


def offer_remedy(tx: Transaction, rules: RuleSystem, who: str, source: str, parent: str = "") -> None:
    """Offer to lift somebody's doom if what `source` names is mighty enough."""
    mighty = any(name in source.casefold() for name in rules.catalogue.dying.remedies)
    if mighty and _doom_of(tx, who) is not None:
        begin(tx, "remedy", "ask", Watch(who, source=source), parent)


def offer(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask whether the doom is lifted."""
    data = watch_of(procedure)
    rule = rules.cite("doomed.remedy")
    options = (Option(LIFT, "option.lift_doom"), Option(LEAVE, "option.leave_doomed"))
    asked = Ask("remedy", "choice", "ask.lift_doom", detail=data.source, options=options, suggested=(LIFT,), rule=rule)
    ask(tx, procedure, "prompt.remedy", [asked], subject=tx.need(Combatant, data.who).label, rule=rule)
    return at(procedure, "take")


def take(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Lift the doom, if that is the answer."""
    effect = _doom_of(tx, watch_of(procedure).who)
    answer = answers.get("remedy")
    if effect is not None and answer is not None and LIFT in answer.chosen:
        end_effect(tx, rules, effect, rules.cite("doomed.remedy"))


def _doom_of(tx: Transaction, who: str) -> Effect | None:
    return next((one for one in tx.all(Effect) if one.target == who and one.name == DOOMED), None)


STAGES: dict[tuple[str, str], Stage] = {
    ("remedy", "ask"): offer,
    ("remedy", "take"): take,
}
