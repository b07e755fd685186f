"""Rolls that a turn's end asks for: the flat check that ends ongoing damage, and saves against afflictions."""

from __future__ import annotations

from turnwright.dice.roll import RollSpec
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import FAILURE, Ask, Option, choice_ask
from turnwright.encounter.procedure_state.turns import AFFLICTION, FLAT_CHECK, AfflictionSaves, FlatChecks
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Lookup
from turnwright.play.asking.check_result import degree_of, result_of
from turnwright.play.attacks.affliction_stages import after_save, staged_feature
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
    """Return the ongoing damage on these that a flat check may end."""
    return [one for one in effects_in_play(lookup, who) if one.damage] if rules.data.turns.flat_dc else []


def affliction_effects(lookup: Lookup, who: Members) -> list[Effect]:
    """Return the afflictions that combatants save against as their turn ends."""
    return [one for one in effects_in_play(lookup, who) if one.save]


def begin_flat_checks(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """Begin the flat checks that end persistent damage."""
    effects = tuple(one.id for one in flat_check_effects(tx, rules, who))
    if effects:
        begin(tx, FLAT_CHECK.ask_flat_checks, FlatChecks(effects), parent)


def begin_saves(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """Begin the saves against afflictions."""
    effects = tuple(one.id for one in affliction_effects(tx, who))
    if effects:
        begin(tx, AFFLICTION.ask_saves, AfflictionSaves(effects), parent)


def ask_flat_checks(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask the flat check of each."""
    figures, rule = rules.data.turns, rules.rule_id("ongoing.flat-check")
    asks = [
        Ask(one.id, "roll", FLAT, one.target, one.damage, RollSpec(figures.flat_die), figures.flat_dc, rule=rule)
        for one in _effects(tx, procedure)
    ]
    ask(tx, procedure, "prompt.flat_check", asks, subject=_names(tx, procedure))
    return goto(procedure, FLAT_CHECK.apply_flat_checks)


def apply_flat_checks(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """End the effects whose flat check succeeded."""
    rule = rules.rule_id("ongoing.flat-check")
    for one in _effects(tx, procedure):
        answer, detail = answers.get(one.id), f"<condition.{one.name}> {one.damage},"
        if answer is None or answer.skipped:
            tx.emit(Skipped(purpose=FLAT, who=one.target, detail=detail))
        elif result_of(tx, rules, answer, FLAT, one.target, detail, rules.data.turns.flat_dc, rule):
            end_effect(tx, rules, one, rule)


def ask_saves(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask the save of each."""
    rule = rules.rule_id("affliction.save")
    effects = _effects(tx, procedure)
    specs = {
        one.id: save_roll(tx, rules, one.target, one.save, one.by, effect_save_tags(tx, rules, one)) for one in effects
    }
    asks = [Ask(one.id, "roll", SAVE, one.target, _name(one), specs[one.id], one.dc, rule=rule) for one in effects]
    return ask(tx, goto(procedure, AFFLICTION.after_saves), "prompt.affliction", asks, subject=_names(tx, procedure))


def after_saves(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Report each save. It moves an affliction to another of its stages, where they are known, and ends it elsewhere.

    Whether it does is asked in a game with degrees of success.
    """
    rule = rules.rule_id("affliction.save")
    met = []
    for one in _effects(tx, procedure):
        answer = answers.get(one.id)
        if answer is None or answer.skipped:
            tx.emit(Skipped(purpose=SAVE, who=one.target, detail=_name(one)))
            continue
        degree = degree_of(tx, rules, answer, SAVE, one.target, _name(one), one.dc, rule) or FAILURE
        staged = staged_feature(tx, one)
        if staged is not None:
            after_save(tx, rules, one, staged, degree, procedure.id)
        elif rules.data.checks.degrees:
            met.append(one)
        elif is_success(degree):
            end_effect(tx, rules, one, rule)
    options = (Option(GOES_ON, "option.goes_on"), Option(OVER, "option.ended"))
    asks = [choice_ask(one.id, "ask.affliction_over", options, one.target, _name(one), rule=rule) for one in met]
    ask(tx, procedure, "prompt.affliction", asks, subject=_names(tx, procedure))
    rest = tuple(one.id for one in met)
    return goto(procedure, AFFLICTION.end_afflictions, data_of(procedure, AfflictionSaves), effects=rest)


def end_afflictions(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """End the afflictions chosen as over."""
    for one in _effects(tx, procedure):
        if OVER in choices_of(answers, one.id):
            end_effect(tx, rules, one, rules.rule_id("affliction.save"))


def _effects(tx: Transaction, procedure: Procedure) -> list[Effect]:
    assert isinstance(procedure.data, FlatChecks | AfflictionSaves)
    found = (tx.get(Effect, id) for id in procedure.data.effects)
    return [one for one in found if one is not None and not is_out_of_play(tx, one.target)]


def _name(effect: Effect) -> str:
    return effect.source or f"<condition.{effect.name}>"


def _names(tx: Transaction, procedure: Procedure) -> str:
    return labels_of(tx, (one.target for one in _effects(tx, procedure)))


STAGES = stages_in(globals(), FLAT_CHECK, AFFLICTION)
