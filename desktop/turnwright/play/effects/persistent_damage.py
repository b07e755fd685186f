"""Ongoing damage: suffered at the end of each of one's own turns, until what ends it has come about."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from turnwright.dice.expression import parse
from turnwright.dice.roll import RollSpec
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.procedure_state.effects import PERSISTENT_DAMAGE, PersistentDamage
from turnwright.encounter.procedure_state.kinds import Stage
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.kernel.scheduler import Answers, StageFunction, ask, begin, data_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_effect, put_effect
from turnwright.play.state.events import EffectGained, Skipped, Unaffected
from turnwright.play.state.hit_points import deal_damage
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.system import RuleSystem

CONTINUES, ENDED = "suffered", "ended"


def put_persistent_damage(
    tx: Transaction,
    rules: RuleSystem,
    target: str,
    damage: str,
    *,
    until: str = "",
    source: str = "",
    by: str = "",
    held_by: str = "",
) -> Effect:
    """Let ongoing damage begin, and return what goes on then.

    Each source of it goes on by itself, unless in this game only the worst of each type does.
    """
    held = _of_like_kind(tx, rules, target, damage)
    if held is not None and parse(held.damage).mean >= parse(damage).mean:
        rule, what = rules.rule_id("ongoing.worst"), f"<condition.{rules.role('ongoing')}>"
        tx.emit(Unaffected(who=target, what=what, reason="why.greater_value", rule=rule))
        return held
    if held is not None:
        end_effect(tx, rules, held, rules.rule_id("ongoing.worst"))
    effect = Effect(
        tx.next_id("effect"),
        target,
        rules.role("ongoing"),
        source,
        by=by,
        concentrator=held_by,
        damage=damage,
        end_condition=until,
    )
    put_effect(tx, rules, effect)
    tx.emit(EffectGained(target=target, name=rules.role("ongoing"), source=source, rule=rules.rule_id("ongoing.end")))
    return effect


def _of_like_kind(tx: Transaction, rules: RuleSystem, target: str, damage: str) -> Effect | None:
    """Return what goes on hurting somebody by the same types of damage, where there can be only one such."""
    kinds = _kinds(damage)
    if not rules.data.turns.ongoing_worst or not all(kinds):
        return None
    found = (one for one in tx.all(Effect) if one.target == target and one.damage)
    return next((one for one in found if _kinds(one.damage) == kinds), None)


def _kinds(damage: str) -> tuple[str, ...]:
    return tuple(sorted(part.kind for part in parse(damage).parts))


def begin_persistent_damage(tx: Transaction, who: Iterable[str], parent: str) -> None:
    """Let those whose turn ends suffer what goes on hurting them."""
    suffering = [each for each in who if not is_out_of_play(tx, each)]
    effects = tuple(one.id for each in suffering for one in tx.all(Effect) if one.target == each and one.damage)
    if effects:
        begin(tx, PERSISTENT_DAMAGE.ask_ended, PersistentDamage(effects), parent)


def ask_ended(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Show what would end each effect, and ask whether it has."""
    rule = rules.rule_id("ongoing.end")
    options = (Option(CONTINUES, "option.suffered"), Option(ENDED, "option.ended"))
    asks = [
        Ask(
            effect.id,
            "choice",
            "ask.ongoing_ended",
            effect.target,
            f"{effect.damage}: {effect.end_condition}",
            options=options,
            suggested=(CONTINUES,),
            rule=rule,
        )
        for effect in _effects(tx, procedure)
        if effect.end_condition
    ]
    ask(tx, procedure, "prompt.ongoing", asks, subject=_names(tx, procedure), rule=rules.rule_id("ongoing.timing"))
    return goto(procedure, PERSISTENT_DAMAGE.ask_damage)


def ask_damage(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """End what has ended, and ask the damage of the rest."""
    for effect in _effects(tx, procedure):
        if effect.id in answers and ENDED in answers[effect.id].chosen:
            end_effect(tx, rules, effect, rules.rule_id("ongoing.end"))
    effects = _effects(tx, procedure)
    rule = rules.rule_id("ongoing.timing")
    asks = [
        Ask(one.id, "roll", "ask.damage", one.target, one.source, RollSpec(one.damage), rule=rule) for one in effects
    ]
    ask(tx, procedure, "prompt.ongoing", asks, subject=_names(tx, procedure), rule=rule)
    watch = msgspec.structs.replace(data_of(procedure, PersistentDamage), effects=tuple(one.id for one in effects))
    return goto(procedure, PERSISTENT_DAMAGE.apply_damage, watch)


def apply_damage(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Deal what each effect rolled. Without a type nothing resists it and nothing makes it worse."""
    for effect in _effects(tx, procedure):
        answer = answers.get(effect.id)
        if answer is None or answer.skipped or answer.roll is None or answer.roll.total is None:
            tx.emit(Skipped(purpose="ask.damage", who=effect.target, detail=effect.source))
            continue
        typed = any(part.kind for part in answer.roll.parts)
        rule = rules.rule_id("ongoing.typed" if typed else "ongoing.untyped")
        source = effect.source or f"<condition.{rules.role('ongoing')}>"
        deal_damage(
            tx, rules, effect.target, answer.roll.parts, source=source, roll=answer.roll, parent=procedure.id, rule=rule
        )


def _effects(tx: Transaction, procedure: Procedure) -> list[Effect]:
    """Return what still goes on of the effects on the card, on those who are still alive."""
    found = (tx.get(Effect, id) for id in data_of(procedure, PersistentDamage).effects)
    return [one for one in found if one is not None and not is_out_of_play(tx, one.target)]


def _names(tx: Transaction, procedure: Procedure) -> str:
    who = dict.fromkeys(one.target for one in _effects(tx, procedure))
    return ", ".join(tx.need(Combatant, each).label for each in who)


STAGES: dict[Stage, StageFunction] = {
    PERSISTENT_DAMAGE.ask_ended: ask_ended,
    PERSISTENT_DAMAGE.ask_damage: ask_damage,
    PERSISTENT_DAMAGE.apply_damage: apply_damage,
}
