"""Rolls that a turn's end asks for: the flat check that ends ongoing damage, and saves against afflictions."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import RollSpec
from turnwright.encounter.pending import Ask, Option, Procedure, Watch
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Lookup
from turnwright.play.events import Skipped
from turnwright.play.harm import end_effect
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, watch_of
from turnwright.play.procedures.trials import take_result
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem, label_of

FLAT, SAVE = "ask.flat_check", "ask.affliction_save"
GOES_ON, OVER = "goes-on", "over"
Members = tuple[str, ...]


def hurting(lookup: Lookup, rules: RuleSystem, who: Members) -> list[Effect]:
    """Return the ongoing damage on these that a flat check may end."""
    return [one for one in _on(lookup, who) if one.damage] if rules.catalogue.turns.flat_dc else []


def afflicting(lookup: Lookup, who: Members) -> list[Effect]:
    """Return what these save against as their turn ends."""
    return [one for one in _on(lookup, who) if one.save]


def _on(lookup: Lookup, who: Members) -> list[Effect]:
    return [effect for one in who if not is_out(lookup, one) for effect in effects_on(lookup, one)]


def begin_flat_checks(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """Let each try to be rid of what goes on hurting them."""
    _begin(tx, "flat-check", hurting(tx, rules, who), parent)


def begin_saves(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """Let each save against what afflicts them."""
    _begin(tx, "affliction", afflicting(tx, who), parent)


def _begin(tx: Transaction, kind: str, effects: list[Effect], parent: str) -> None:
    if effects:
        begin(tx, kind, "roll", Watch(effects[0].target, rest=tuple(one.id for one in effects)), parent)


def flat_roll(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask the flat check of each."""
    figures, rule = rules.catalogue.turns, rules.cite("ongoing.flat-check")
    asks = [
        Ask(one.id, "roll", FLAT, one.target, one.damage, RollSpec(figures.flat_die), figures.flat_dc, rule=rule)
        for one in _effects(tx, procedure)
    ]
    ask(tx, procedure, "prompt.flat_check", asks, subject=_names(tx, procedure), rule=rule)
    return at(procedure, "settle")


def flat_settle(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """End what was shaken off."""
    rule = rules.cite("ongoing.flat-check")
    for one in _effects(tx, procedure):
        answer = answers.get(one.id)
        if answer is None or answer.skipped:
            tx.emit(Skipped(purpose=FLAT, who=one.target, detail=one.damage))
        elif take_result(tx, rules, answer, FLAT, one.target, one.damage, rules.catalogue.turns.flat_dc, rule):
            end_effect(tx, rules, one, rule)


def save_roll(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask the save of each."""
    rule = rules.cite("affliction.save")
    asks = [
        Ask(
            one.id,
            "roll",
            SAVE,
            one.target,
            _name(one),
            rules.checks.save(tx, rules, one.target, one.save, one.by),
            one.dc,
            rule=rule,
        )
        for one in _effects(tx, procedure)
    ]
    ask(tx, procedure, "prompt.affliction", asks, subject=_names(tx, procedure), rule=rule)
    return at(procedure, "saved")


def saved(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Say how each save went, and ask what that means: stages of an affliction are its own."""
    rule = rules.cite("affliction.save")
    met = []
    for one in _effects(tx, procedure):
        answer = answers.get(one.id)
        if answer is None or answer.skipped:
            tx.emit(Skipped(purpose=SAVE, who=one.target, detail=_name(one)))
            continue
        take_result(tx, rules, answer, SAVE, one.target, _name(one), one.dc, rule)
        met.append(one)
    options = (Option(GOES_ON, "option.goes_on"), Option(OVER, "option.ended"))
    asks = [
        Ask(one.id, "choice", "ask.affliction_over", one.target, _name(one), None, 0, options, (GOES_ON,), rule=rule)
        for one in met
    ]
    ask(tx, procedure, "prompt.affliction", asks, subject=_names(tx, procedure), rule=rule)
    rest = tuple(one.id for one in met)
    return at(procedure, "settle", msgspec.structs.replace(watch_of(procedure), rest=rest))


def save_settle(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """End what is over."""
    for one in _effects(tx, procedure):
        if one.id in answers and OVER in answers[one.id].chosen:
            end_effect(tx, rules, one, rules.cite("affliction.save"))


def _effects(tx: Transaction, procedure: Procedure) -> list[Effect]:
    found = (tx.get(Effect, id) for id in watch_of(procedure).rest)
    return [one for one in found if one is not None and not is_out(tx, one.target)]


def _name(effect: Effect) -> str:
    return effect.source or f"<condition.{effect.name}>"


def _names(tx: Transaction, procedure: Procedure) -> str:
    return ", ".join(dict.fromkeys(label_of(tx, one.target) for one in _effects(tx, procedure)))


STAGES: dict[tuple[str, str], Stage] = {
    ("flat-check", "roll"): flat_roll,
    ("flat-check", "settle"): flat_settle,
    ("affliction", "roll"): save_roll,
    ("affliction", "saved"): saved,
    ("affliction", "settle"): save_settle,
}
