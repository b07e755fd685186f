"""Lifting doom: only magic that the system names can do it, and only if the user confirms it."""

from __future__ import annotations

from turnwright.encounter.lookups import find_effect
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.effects import LIFT_DOOM, DoomRemedy
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_effect
from turnwright.rules.system import RuleSystem

LIFT, LEAVE_DOOMED = "lift", "leave-doomed"


def begin_lift_doom(tx: Transaction, rules: RuleSystem, who: str, source: str) -> None:
    """Ask whether to lift a combatant's doom, if `source` names magic that can."""
    mighty = any(name in source.casefold() for name in rules.data.dying.remedies)
    if mighty and _doom_of(tx, rules, who) is not None:
        begin(tx, LIFT_DOOM.ask_lift, DoomRemedy(who, source))


def ask_lift(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask whether to lift the doom."""
    data = data_of(procedure, DoomRemedy)
    rule = rules.rule_id("doomed.remedy")
    options = (Option(LIFT, "option.lift_doom"), Option(LEAVE_DOOMED, "option.leave_doomed"))
    question = choice_ask("remedy", "ask.lift_doom", options, detail=data.source, rule=rule)
    ask(tx, procedure, "prompt.remedy", [question], subject=tx.need(Combatant, data.who).label)
    return goto(procedure, LIFT_DOOM.lift_doomed)


def lift_doomed(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Lift the doom, if the user chose to."""
    effect = _doom_of(tx, rules, data_of(procedure, DoomRemedy).who)
    if effect is not None and LIFT in choices_of(answers, "remedy"):
        end_effect(tx, rules, effect, rules.rule_id("doomed.remedy"))


def _doom_of(tx: Transaction, rules: RuleSystem, who: str) -> Effect | None:
    return find_effect(tx, who, rules.role("doomed"))


STAGES = stages_in(globals(), LIFT_DOOM)
