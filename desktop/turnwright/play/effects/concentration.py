"""Concentration: a combatant concentrates on one effect at a time, and damage can end the concentration.

In a system where spells are sustained by an action, a combatant can sustain several.
"""

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask
from turnwright.encounter.procedure_state.effects import CONCENTRATION, ConcentrationCheck
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import effects_named, scene_of
from turnwright.play.asking.checks import result_of
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, goto
from turnwright.play.kernel.transaction import CombatantCommand, Transaction, command
from turnwright.play.state.effect_records import (
    begin_effect,
    concentration_of,
    ends_unless_sustained,
    lose_concentration,
    put_condition,
)
from turnwright.play.state.events import Skipped
from turnwright.rules.parts.actions.action_options import sustaining_action
from turnwright.rules.parts.attacks.attack_targeting import CONCENTRATION_TAGS
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.conditions.condition_rules import condition_veto

SAVE, KEEP, LOSE = "save", "keep", "lose"
SAVE_LABEL = "ask.concentration_save"


def concentrate(tx: Transaction, who: str, spell_name: str = "") -> bool:
    """Begin a combatant's concentration, and end the previous one. Return whether the concentration began."""
    if sustaining_action(tx.rules) is not None:
        _begin_sustained(tx, who, spell_name)
        return True
    rule = tx.rule_id("external.concentration")
    return put_condition(tx, who, tx.role("concentrating"), source=spell_name, rule=rule)


def _begin_sustained(tx: Transaction, who: str, spell_name: str) -> None:
    """Begin or renew a sustained spell. Unless sustained, it ends with the combatant's next turn."""
    name, rule, ends = tx.role("concentrating"), tx.rule_id("effect.sustained"), ends_unless_sustained(tx, who)
    id = next((effect.id for effect in effects_named(tx, who, name) if effect.source == spell_name), "")
    id = id or tx.next_id("effect")
    begin_effect(tx, Effect(id, who, name, spell_name, ends=ends, sustained=True), rule)


def shake(tx: Transaction, who: str, dc: int, parent: str) -> None:
    """Ask for a save of a combatant that concentrates, against a DC."""
    begin(tx, CONCENTRATION.ask_concentration, ConcentrationCheck(who, 2 * dc), parent)  # half of the damage is the DC


def ask_concentration(tx: Transaction, procedure: Procedure, data: ConcentrationCheck, answers: Answers) -> Next:
    """Ask the game master whether concentration is lost. With strict rules, ask for the save instead."""
    effect, combatant = concentration_of(tx, tx.rules, data.who), tx.get(Combatant, data.who)
    if effect is None or combatant is None:
        return None
    if scene_of(tx).strictness == "enforce":
        return _ask_save(tx, procedure, data)
    rule = tx.rule_id("external.concentration")
    dc = concentration_dc(tx, data.damage)
    options = (
        Option(SAVE, "option.concentration_save", f"{dc}"),
        Option(KEEP, "option.keep_concentrating"),
        Option(LOSE, "option.lose_concentration"),
    )
    question = choice_ask("outcome", "ask.concentration", options, detail=effect.source)
    ask(tx, procedure, "prompt.concentration", [question], subject=combatant.label, rule=rule)
    return goto(procedure, CONCENTRATION.after_choice)


def after_choice(tx: Transaction, procedure: Procedure, data: ConcentrationCheck, answers: Answers) -> Next:
    """Apply the game master's choice: a save, the loss of concentration, or nothing."""
    answer = answers.get("outcome")
    if concentration_of(tx, tx.rules, data.who) is None or answer is None:
        return None
    if SAVE in answer.chosen:
        return _ask_save(tx, procedure, data)
    if LOSE in answer.chosen:
        lose_concentration(tx, data.who)
    return None


def _ask_save(tx: Transaction, procedure: Procedure, data: ConcentrationCheck) -> Procedure:
    rule = tx.rule_id("external.concentration")
    spec = save_roll(tx, tx.rules, data.who, tx.rules.data.dying.concentration.ability, tags=CONCENTRATION_TAGS)
    question = Ask("save", "roll", SAVE_LABEL, data.who, spec=spec, dc=concentration_dc(tx, data.damage), rule=rule)
    ask(tx, procedure, "prompt.concentration", [question], subject=tx.need(Combatant, data.who).label)
    return goto(procedure, CONCENTRATION.after_save)


def after_save(tx: Transaction, procedure: Procedure, data: ConcentrationCheck, answers: Answers) -> None:
    """End the concentration of a combatant that failed the save."""
    answer = answers.get("save")
    if concentration_of(tx, tx.rules, data.who) is None or answer is None:
        return
    rule = tx.rule_id("external.concentration")
    if answer.skipped:
        tx.emit(Skipped(purpose=SAVE_LABEL, who=data.who))
    elif not result_of(tx, answer, SAVE_LABEL, data.who, "", concentration_dc(tx, data.damage), rule):
        lose_concentration(tx, data.who)


def concentration_dc(tx: Transaction, damage: int) -> int:
    """Return the DC of the concentration save after damage."""
    settings = tx.rules.data.dying.concentration
    dc = max(settings.least, tx.rules.half(tx, damage))
    return min(dc, settings.most) if settings.most else dc


@command(script="concentrate {who} [{on:rest}]", manual="concentrate")
class Concentrate(CombatantCommand, frozen=True):
    """Start to concentrate, and end the combatant's earlier concentration."""

    on: str = ""

    def handle(self, tx: Transaction) -> None:
        """Begin a combatant's concentration. Refuse an incapacitated combatant."""
        if tx.role("incapacitated") in condition_names(tx, tx.rules, self.who):
            rule = tx.rule_id("external.concentration")
            tx.forbid_by((condition_veto(tx, self.who, f"<condition.{tx.role('incapacitated')}>", rule),))
        concentrate(tx, self.who, self.on)
