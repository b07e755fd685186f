"""Concentration: one thing at a time, shaken by damage, and gone with whoever held it.

In a game whose spells are kept up by an action, several may be held, each for as long as it is.
"""

from __future__ import annotations

from turnwright.encounter.prepared import Scene
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.procedure_state.effects import CONCENTRATION, ConcentrationCheck
from turnwright.encounter.procedure_state.kinds import Stage
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.asking.check_result import result_of
from turnwright.play.effects.durations import ends_unless_sustained
from turnwright.play.kernel.scheduler import Answers, StageFunction, ask, data_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import (
    concentration_of,
    lose_concentration,
    put_condition,
    put_effect,
)
from turnwright.play.state.events import EffectGained, Skipped
from turnwright.rules.parts.combatants.facts import effects_on
from turnwright.rules.system import RuleSystem

SUSTAIN = "sustain"  # what an action has to do for things to be kept up
SAVE, KEEP, LOSE = "save", "keep", "lose"
SAVE_LABEL = "ask.concentration_save"


def concentrate(tx: Transaction, rules: RuleSystem, who: str, spell_name: str = "") -> bool:
    """Let somebody concentrate on something, in place of what they held before; return whether they do."""
    if any(one.done == SUSTAIN for one in rules.data.actions):
        _keep_up(tx, rules, who, spell_name)
        return True
    return put_condition(
        tx, rules, who, rules.role("concentrating"), source=spell_name, rule=rules.rule_id("external.concentration")
    )


def _keep_up(tx: Transaction, rules: RuleSystem, who: str, on: str) -> None:
    """Begin something that lasts to the end of somebody's next turn, and on while they keep it up; anew, it is the same."""
    before = next(
        (one.id for one in effects_on(tx, who) if (one.name, one.source) == (rules.role("concentrating"), on)), ""
    )
    ends = ends_unless_sustained(tx, who)
    put_effect(
        tx,
        rules,
        Effect(before or tx.next_id("effect"), who, rules.role("concentrating"), on, ends=ends, sustained=True),
    )
    rule = rules.rule_id("effect.sustained")
    tx.emit(EffectGained(target=who, name=rules.role("concentrating"), ends=ends.moment, source=on, rule=rule))


def ask_concentration(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Remind that concentration may be lost: the Narrator decides, or (played by the letter) a save does."""
    who = data_of(procedure, ConcentrationCheck).who
    effect = concentration_of(tx, rules, who)
    combatant = tx.get(Combatant, who)
    if effect is None or combatant is None:
        return None
    if (tx.get(Scene, "scene") or Scene()).strictness == "enforce":
        return _ask_save(tx, rules, procedure)
    rule = rules.rule_id("external.concentration")
    dc = concentration_dc(tx, rules, data_of(procedure, ConcentrationCheck).damage)
    options = (
        Option(SAVE, "option.concentration_save", f"{dc}"),
        Option(KEEP, "option.keep_concentrating"),
        Option(LOSE, "option.lose_concentration"),
    )
    asked = Ask("outcome", "choice", "ask.concentration", detail=effect.source, options=options, suggested=(SAVE,))
    ask(tx, procedure, "prompt.concentration", [asked], subject=combatant.label, rule=rule)
    return goto(procedure, CONCENTRATION.after_choice)


def after_choice(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Do as the Narrator says; nothing where nobody says anything."""
    answer = answers.get("outcome")
    if concentration_of(tx, rules, data_of(procedure, ConcentrationCheck).who) is None or answer is None:
        return None
    if SAVE in answer.chosen:
        return _ask_save(tx, rules, procedure)
    if LOSE in answer.chosen:
        lose_concentration(tx, rules, data_of(procedure, ConcentrationCheck).who)
    return None


def _ask_save(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> Procedure:
    data = data_of(procedure, ConcentrationCheck)
    rule = rules.rule_id("external.concentration")
    spec = rules.checks.save(tx, rules, data.who, rules.data.dying.concentration.ability)
    dc = concentration_dc(tx, rules, data.damage)
    asked = Ask("save", "roll", SAVE_LABEL, data.who, spec=spec, dc=dc, rule=rule)
    ask(tx, procedure, "prompt.concentration", [asked], subject=tx.need(Combatant, data.who).label, rule=rule)
    return goto(procedure, CONCENTRATION.after_save)


def after_save(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """End the concentration of whoever failed to keep it."""
    data = data_of(procedure, ConcentrationCheck)
    answer = answers.get("save")
    if concentration_of(tx, rules, data.who) is None or answer is None:
        return
    rule = rules.rule_id("external.concentration")
    if answer.skipped:
        tx.emit(Skipped(purpose=SAVE_LABEL, who=data.who))
    elif not result_of(tx, rules, answer, SAVE_LABEL, data.who, "", concentration_dc(tx, rules, data.damage), rule):
        lose_concentration(tx, rules, data.who)


def concentration_dc(tx: Transaction, rules: RuleSystem, damage: int) -> int:
    """Return the DC to go on concentrating after so much damage."""
    return max(rules.data.dying.concentration.least, rules.half(tx, damage))


STAGES: dict[Stage, StageFunction] = {
    CONCENTRATION.ask_concentration: ask_concentration,
    CONCENTRATION.after_choice: after_choice,
    CONCENTRATION.after_save: after_save,
}
