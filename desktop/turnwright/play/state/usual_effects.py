"""The usual effects of conditions whose sources only name them. The game master can apply them automatically."""

from __future__ import annotations

import msgspec

from turnwright.encounter.field_specs import ConditionId
from turnwright.encounter.procedure_state.asks import Ask, AskResult
from turnwright.encounter.running import Duration, Effect
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.optional_modifiers import (
    ALWAYS_PREFIX,
    HELD_EFFECTS,
    always_holds,
    condition_named,
    held_effects_id,
)
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.rules.system import RuleSystem


@journal("journal.effects_held", when={"asked": "journal.effects_asked"}, kind="warn")
class UsualEffectsHeld(Event, frozen=True):
    """The usual effects of a condition apply automatically until the encounter ends, or will be `asked` about again."""

    condition: ConditionId
    asked: bool = False


def hold_effects(tx: Transaction, rules: RuleSystem, condition: str) -> None:
    """Apply the usual effects of a condition automatically for the rest of the encounter."""
    if not always_holds(tx, f"<condition.{condition}>"):
        id, ends = held_effects_id(condition), Duration("encounter")
        tx.put(Effect(id, "", HELD_EFFECTS, condition, ends=ends, shown=False))
        tx.emit(UsualEffectsHeld(condition=condition, rule=_rule(rules, condition)))


def ask_effects(tx: Transaction, rules: RuleSystem, condition: str) -> None:
    """Ask about the usual effects of a condition again."""
    if (mark := tx.get(Effect, held_effects_id(condition))) is not None:
        tx.remove(mark)
        tx.emit(UsualEffectsHeld(condition=condition, asked=True, rule=_rule(rules, condition)))


def take_always(tx: Transaction, rules: RuleSystem, ask: Ask, answer: AskResult) -> AskResult:
    """Return an answer without the mark `always`. If it was set, apply the condition's effects automatically."""
    choices = tuple(id.removeprefix(ALWAYS_PREFIX) for id in answer.chosen)
    if choices == answer.chosen:
        return answer
    hold_effects(tx, rules, condition_named(ask.detail))
    return msgspec.structs.replace(answer, chosen=choices)


def _rule(rules: RuleSystem, condition: str) -> str:
    return next(iter(rules.conditions[condition].ledger), "")


@command(script="usual {condition} [always | asked {held=false}]")
class HoldEffects(Command, frozen=True):
    """Apply the usual effects of a condition automatically for the whole encounter, or ask about them again."""

    condition: ConditionId
    held: bool = True

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set the effects to automatic, or to be asked about. Refuse a condition that the rules define."""
        condition = rules.conditions.get(self.condition)
        if condition is None or not condition.external:
            raise Refused("refused.not_asked_about", params={"what": f"<condition.{self.condition}>"})
        (hold_effects if self.held else ask_effects)(tx, rules, self.condition)
