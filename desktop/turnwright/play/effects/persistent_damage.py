"""Persistent damage at the end of each of the target's turns until its end condition."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from turnwright.dice.expression import parse
from turnwright.dice.roll import RollSpec
from turnwright.encounter.field_specs import CombatantIds, DiceText
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask
from turnwright.encounter.procedure_state.effects import PERSISTENT_DAMAGE, PersistentDamage
from turnwright.encounter.running import Effect
from turnwright.play.kernel.commands import Command, command, require_dice_expression, require_targets
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_effect, put_effect
from turnwright.play.state.events import EffectGained, Skipped, Unaffected
from turnwright.play.state.hit_points import Damage, deal_damage
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.system import labels_of

CONTINUES, ENDED = "suffered", "ended"


def put_persistent_damage(
    tx: Transaction, target: str, damage: str, *, until: str = "", source: str = "", by: str = "", held_by: str = ""
) -> Effect:
    """Apply persistent damage to a target, and return the resulting effect.

    Damage from several sources adds up, unless the system keeps only the worst of each type.
    """
    current = _same_types(tx, target, damage)
    if current is not None and parse(current.damage).mean >= parse(damage).mean:
        rule, what = tx.rule_id("ongoing.worst"), f"<condition.{tx.role('ongoing')}>"
        tx.emit(Unaffected(who=target, what=what, reason="why.greater_value", rule=rule))
        return current
    if current is not None:
        end_effect(tx, current, tx.rule_id("ongoing.worst"))
    id, name = tx.next_id("effect"), tx.role("ongoing")
    effect = Effect(id, target, name, source, by=by, concentrator=held_by, damage=damage, end_condition=until)
    put_effect(tx, effect)
    tx.emit(EffectGained(target=target, name=name, source=source, damage=damage, rule=tx.rule_id("ongoing.end")))
    return effect


def _same_types(tx: Transaction, target: str, damage: str) -> Effect | None:
    """Return the target's persistent damage of the same types, if the system allows only one of each type."""
    kinds = _kinds(damage)
    if not tx.rules.data.turns.ongoing_worst or not all(kinds):
        return None
    effects = (effect for effect in tx.of(Effect, target) if effect.damage)
    return next((effect for effect in effects if _kinds(effect.damage) == kinds), None)


def _kinds(damage: str) -> tuple[str, ...]:
    return tuple(sorted(part.kind for part in parse(damage).parts))


def begin_persistent_damage(tx: Transaction, who: Iterable[str], parent: str) -> None:
    """Begin the persistent damage of combatants whose turn ends."""
    targets = [target for target in who if not is_out_of_play(tx, target)]
    effects = tuple(effect.id for target in targets for effect in tx.of(Effect, target) if effect.damage)
    if effects:
        begin(tx, PERSISTENT_DAMAGE.ask_ended, PersistentDamage(effects), parent)


def ask_ended(tx: Transaction, procedure: Procedure, data: PersistentDamage, answers: Answers) -> Procedure:
    """Ask whether the end condition of each effect is met."""
    rule = tx.rule_id("ongoing.end")
    options = (Option(CONTINUES, "option.suffered"), Option(ENDED, "option.ended"))
    asks = [
        choice_ask(
            effect.id,
            "ask.ongoing_ended",
            options,
            effect.target,
            f"{effect.damage}: {effect.end_condition}",
            rule=rule,
        )
        for effect in _effects(tx, data)
        if effect.end_condition
    ]
    ask(tx, procedure, "prompt.ongoing", asks, subject=_names(tx, data), rule=tx.rule_id("ongoing.timing"))
    return goto(procedure, PERSISTENT_DAMAGE.ask_damage)


def ask_damage(tx: Transaction, procedure: Procedure, data: PersistentDamage, answers: Answers) -> Procedure:
    """End the effects whose end condition was met, and ask for the damage of the others."""
    for effect in _effects(tx, data):
        if ENDED in choices_of(answers, effect.id):
            end_effect(tx, effect, tx.rule_id("ongoing.end"))
    effects = _effects(tx, data)
    rule = tx.rule_id("ongoing.timing")
    asks = [
        Ask(ongoing.id, "roll", "ask.damage", ongoing.target, ongoing.source, RollSpec(ongoing.damage), rule=rule)
        for ongoing in effects
    ]
    ask(tx, procedure, "prompt.ongoing", asks, subject=_names(tx, data))
    data = msgspec.structs.replace(data, effects=tuple(ongoing.id for ongoing in effects))
    return goto(procedure, PERSISTENT_DAMAGE.apply_damage, data)


def apply_damage(tx: Transaction, procedure: Procedure, data: PersistentDamage, answers: Answers) -> None:
    """Deal the damage of each effect. Untyped damage ignores resistances and vulnerabilities."""
    for effect in _effects(tx, data):
        answer = answers.get(effect.id)
        if answer is None or answer.skipped or answer.roll is None or answer.roll.total is None:
            tx.emit(Skipped(purpose="ask.damage", who=effect.target, detail=effect.source))
            continue
        typed = any(part.kind for part in answer.roll.parts)
        rule = tx.rule_id("ongoing.typed" if typed else "ongoing.untyped")
        source = effect.source or f"<condition.{tx.role('ongoing')}>"
        damage = Damage(answer.roll.parts, source=source, roll=answer.roll, rule=rule)
        deal_damage(tx, effect.target, damage, procedure.id)


def _effects(tx: Transaction, data: PersistentDamage) -> list[Effect]:
    """Return the effects in the prompt that still exist and whose targets are in play."""
    effects = (tx.get(Effect, id) for id in data.effects)
    return [effect for effect in effects if effect is not None and not is_out_of_play(tx, effect.target)]


def _names(tx: Transaction, data: PersistentDamage) -> str:
    return labels_of(tx, (effect.target for effect in _effects(tx, data)))


@command(script="ongoing {targets} {damage} [until {until}] [from {source}]", manual="ongoing")
class ApplyPersistentDamage(Command, frozen=True):
    """Apply persistent damage, dealt at the end of each of a combatant's turns. `until` describes when it ends."""

    targets: CombatantIds
    damage: DiceText
    until: str = ""
    source: str = ""

    def handle(self, tx: Transaction) -> None:
        """Apply the persistent damage to each target."""
        targets = require_targets(self.targets)
        require_dice_expression(self.damage)
        for who in targets:
            put_persistent_damage(tx, who, self.damage, until=self.until, source=self.source)


STAGES = stages_in(globals(), PERSISTENT_DAMAGE)
