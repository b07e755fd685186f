"""Rolls at the end of a turn: flat checks that end persistent damage, and saves against afflictions."""

from __future__ import annotations

from turnwright.dice.roll import RollSpec
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import FAILURE, Ask, Option, choice_ask
from turnwright.encounter.procedure_state.turns import AFFLICTION, FLAT_CHECK, AfflictionSaves, FlatChecks
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Lookup
from turnwright.play.asking.checks import degree_of, result_of
from turnwright.play.attacks.inflict_conditions import after_save, staged_feature
from turnwright.play.effects.durations import effects_in_play
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_effect
from turnwright.play.state.events import Skipped
from turnwright.rules.parts.attacks.save_tags import effect_save_tags
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.checks.degrees import is_success
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.system import RuleSystem, labels_of

FLAT, SAVE = "ask.flat_check", "ask.affliction_save"
GOES_ON, OVER = "goes-on", "over"
Members = tuple[str, ...]


def flat_check_effects(lookup: Lookup, rules: RuleSystem, who: Members) -> list[Effect]:
    """Return the persistent damage on combatants that a flat check may end."""
    return [effect for effect in effects_in_play(lookup, who) if effect.damage] if rules.data.turns.flat_dc else []


def affliction_effects(lookup: Lookup, who: Members) -> list[Effect]:
    """Return the afflictions that combatants save against at the end of their turns."""
    return [effect for effect in effects_in_play(lookup, who) if effect.save]


def begin_flat_checks(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """Begin the flat checks to end persistent damage."""
    effects = tuple(effect.id for effect in flat_check_effects(tx, rules, who))
    if effects:
        begin(tx, FLAT_CHECK.ask_flat_checks, FlatChecks(effects), parent)


def begin_saves(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """Begin the saves against afflictions."""
    effects = tuple(affliction_effect.id for affliction_effect in affliction_effects(tx, who))
    if effects:
        begin(tx, AFFLICTION.ask_saves, AfflictionSaves(effects), parent)


def ask_flat_checks(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for a flat check for each effect."""
    settings, rule = rules.data.turns, rules.rule_id("ongoing.flat-check")
    asks = [
        Ask(
            effect.id,
            "roll",
            FLAT,
            effect.target,
            effect.damage,
            RollSpec(settings.flat_die),
            settings.flat_dc,
            rule=rule,
        )
        for effect in _effects(tx, procedure)
    ]
    ask(tx, procedure, "prompt.flat_check", asks, subject=_names(tx, procedure))
    return goto(procedure, FLAT_CHECK.apply_flat_checks)


def apply_flat_checks(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """End the effects whose flat checks succeeded."""
    rule = rules.rule_id("ongoing.flat-check")
    for effect in _effects(tx, procedure):
        answer, detail = answers.get(effect.id), f"<condition.{effect.name}> {effect.damage},"
        if answer is None or answer.skipped:
            tx.emit(Skipped(purpose=FLAT, who=effect.target, detail=detail))
        elif result_of(tx, rules, answer, FLAT, effect.target, detail, rules.data.turns.flat_dc, rule):
            end_effect(tx, rules, effect, rule)


def ask_saves(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for the save against each affliction."""
    rule = rules.rule_id("affliction.save")
    effects = _effects(tx, procedure)
    specs = {
        effect.id: save_roll(tx, rules, effect.target, effect.save, effect.by, effect_save_tags(tx, rules, effect))
        for effect in effects
    }
    asks = [
        Ask(effect.id, "roll", SAVE, effect.target, _name(effect), specs[effect.id], effect.dc, rule=rule)
        for effect in effects
    ]
    return ask(tx, goto(procedure, AFFLICTION.after_saves), "prompt.affliction", asks, subject=_names(tx, procedure))


def after_saves(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Report each save. Move an affliction with known stages to another stage, or end any other on a success.

    In games with degrees of success, the user is asked whether an affliction without stages ends.
    """
    rule = rules.rule_id("affliction.save")
    undecided = []
    for effect in _effects(tx, procedure):
        answer = answers.get(effect.id)
        if answer is None or answer.skipped:
            tx.emit(Skipped(purpose=SAVE, who=effect.target, detail=_name(effect)))
            continue
        degree = degree_of(tx, rules, answer, SAVE, effect.target, _name(effect), effect.dc, rule) or FAILURE
        staged = staged_feature(tx, effect)
        if staged is not None:
            after_save(tx, rules, effect, staged, degree, procedure.id)
        elif rules.data.checks.degrees:
            undecided.append(effect)
        elif is_success(degree):
            end_effect(tx, rules, effect, rule)
    options = (Option(GOES_ON, "option.goes_on"), Option(OVER, "option.ended"))
    asks = [
        choice_ask(affliction.id, "ask.affliction_over", options, affliction.target, _name(affliction), rule=rule)
        for affliction in undecided
    ]
    ask(tx, procedure, "prompt.affliction", asks, subject=_names(tx, procedure))
    effect_ids = tuple(affliction.id for affliction in undecided)
    return goto(procedure, AFFLICTION.end_afflictions, data_of(procedure, AfflictionSaves), effects=effect_ids)


def end_afflictions(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """End the afflictions that the user marked as over."""
    for effect in _effects(tx, procedure):
        if OVER in choices_of(answers, effect.id):
            end_effect(tx, rules, effect, rules.rule_id("affliction.save"))


def _effects(tx: Transaction, procedure: Procedure) -> list[Effect]:
    assert isinstance(procedure.data, FlatChecks | AfflictionSaves)
    effects = (tx.get(Effect, id) for id in procedure.data.effects)
    return [effect for effect in effects if effect is not None and not is_out_of_play(tx, effect.target)]


def _name(effect: Effect) -> str:
    return effect.source or f"<condition.{effect.name}>"


def _names(tx: Transaction, procedure: Procedure) -> str:
    return labels_of(tx, (effect.target for effect in _effects(tx, procedure)))


STAGES = stages_in(globals(), FLAT_CHECK, AFFLICTION)
