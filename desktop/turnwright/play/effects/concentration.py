"""Concentration: a combatant concentrates on one effect at a time, and damage can end the concentration.

In a system where spells are sustained by an action, a combatant can sustain several.
"""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask
from turnwright.encounter.procedure_state.effects import CONCENTRATION, ConcentrationCheck
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.asking.checks import result_of
from turnwright.play.effects.conditions import ends_unless_sustained
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.scheduler import Answers, ask, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import concentration_of, lose_concentration, put_condition, put_effect
from turnwright.play.state.events import EffectGained, Skipped
from turnwright.rules.parts.attacks.weapon_kind import CONCENTRATION_TAGS
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.conditions.condition_rules import condition_veto
from turnwright.rules.system import RuleSystem

SUSTAIN = "sustain"  # the effect of the action that sustains spells
SAVE, KEEP, LOSE = "save", "keep", "lose"
SAVE_LABEL = "ask.concentration_save"


def concentrate(tx: Transaction, rules: RuleSystem, who: str, spell_name: str = "") -> bool:
    """Begin a combatant's concentration, and end the previous one. Return whether the concentration began."""
    if any(action.done == SUSTAIN for action in rules.data.actions):
        _begin_sustained(tx, rules, who, spell_name)
        return True
    return put_condition(
        tx, rules, who, rules.role("concentrating"), source=spell_name, rule=rules.rule_id("external.concentration")
    )


def _begin_sustained(tx: Transaction, rules: RuleSystem, who: str, spell_name: str) -> None:
    """Begin or renew a sustained spell. Unless sustained, it ends with the combatant's next turn."""
    before = next(
        (
            effect.id
            for effect in tx.of(Effect, who)
            if (effect.name, effect.source) == (rules.role("concentrating"), spell_name)
        ),
        "",
    )
    ends = ends_unless_sustained(tx, who)
    id, name, rule = before or tx.next_id("effect"), rules.role("concentrating"), rules.rule_id("effect.sustained")
    put_effect(tx, rules, Effect(id, who, name, spell_name, ends=ends, sustained=True))
    tx.emit(
        EffectGained(
            target=who,
            name=name,
            ends=ends.moment,
            skip=ends.skip,
            source=spell_name,
            on=spell_name,
            whose=ends.who,
            rule=rule,
        )
    )


def ask_concentration(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask the game master whether concentration is lost. With strict rules, ask for the save instead."""
    who = data_of(procedure, ConcentrationCheck).who
    effect = concentration_of(tx, rules, who)
    combatant = tx.get(Combatant, who)
    if effect is None or combatant is None:
        return None
    if scene_of(tx).strictness == "enforce":
        return _ask_save(tx, rules, procedure)
    rule = rules.rule_id("external.concentration")
    dc = concentration_dc(tx, rules, data_of(procedure, ConcentrationCheck).damage)
    options = (
        Option(SAVE, "option.concentration_save", f"{dc}"),
        Option(KEEP, "option.keep_concentrating"),
        Option(LOSE, "option.lose_concentration"),
    )
    question = choice_ask("outcome", "ask.concentration", options, detail=effect.source)
    ask(tx, procedure, "prompt.concentration", [question], subject=combatant.label, rule=rule)
    return goto(procedure, CONCENTRATION.after_choice)


def after_choice(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Apply the game master's choice: a save, the loss of concentration, or nothing."""
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
    spec = save_roll(tx, rules, data.who, rules.data.dying.concentration.ability, tags=CONCENTRATION_TAGS)
    dc = concentration_dc(tx, rules, data.damage)
    question = Ask("save", "roll", SAVE_LABEL, data.who, spec=spec, dc=dc, rule=rule)
    ask(tx, procedure, "prompt.concentration", [question], subject=tx.need(Combatant, data.who).label)
    return goto(procedure, CONCENTRATION.after_save)


def after_save(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """End the concentration of a combatant that failed the save."""
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
    """Return the DC of the concentration save after damage."""
    return max(rules.data.dying.concentration.least, rules.half(tx, damage))


@command(script="concentrate {who} [{on:rest}]", manual="concentrate")
class Concentrate(Command, frozen=True):
    """Start to concentrate, and end the combatant's earlier concentration."""

    who: CombatantId
    on: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Begin a combatant's concentration. Refuse an incapacitated combatant."""
        if rules.role("incapacitated") in condition_names(tx, rules, self.who):
            rule = rules.rule_id("external.concentration")
            tx.forbid_by((condition_veto(tx, self.who, f"<condition.{rules.role('incapacitated')}>", rule),))
        concentrate(tx, rules, self.who, self.on)


STAGES = stages_in(globals(), CONCENTRATION)
