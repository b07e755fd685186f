"""Sustaining an effect with an action: it lasts until the end of its caster's next turn."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ACTION, ActionInProgress
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.running import Effect
from turnwright.play.effects.durations import extend_sustained, sustained_effects
from turnwright.play.kernel.scheduler import Answers, ask, choices_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem, label_of
from turnwright.rules.system_data.actions import ActionOption


def sustain(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> Procedure | None:
    """Extend a sustained effect to the end of its caster's next turn. If there are several, ask which."""
    effects = sustained_effects(tx, data.who)
    if not effects:
        tx.forbid("refused.nothing_sustained", option.rule(), who=label_of(tx, data.who))
        return None
    if len(effects) == 1:
        extend_sustained(tx, effects[0])
        return None
    options = tuple(Option(effect.id, effect.source or f"<condition.{effect.name}>") for effect in effects)
    question = Ask("which", "choice", "ask.sustained", data.who, options=options, rule=option.rule())
    return ask(tx, goto(procedure, ACTION.sustain_chosen, data), "prompt.action", [question], subject=option.name)


def sustain_chosen(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Extend the chosen effect."""
    for id in choices_of(answers, "which"):
        effect = tx.get(Effect, id)
        if effect is not None:
            extend_sustained(tx, effect)


STAGES = stages_in(globals(), ACTION)
