"""Escaping an effect, by paying its cost or by a check against its DC that the game master chooses."""

from __future__ import annotations

from turnwright.encounter.field_specs import EffectId
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ESCAPE, EscapeAttempt
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.asking.checks import result_of
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.scheduler import Answers, ask, begin, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import spend
from turnwright.play.state.effect_records import end_effect
from turnwright.play.state.events import ActionTaken
from turnwright.rules.parts.checks.ability_checks import check_roll
from turnwright.rules.parts.checks.action_checks import known_number
from turnwright.rules.parts.economy.resources import counted_price
from turnwright.rules.parts.environment.table_rules import conditions_ended_with, enabled_options
from turnwright.rules.system import RuleSystem, label_of

ENDS, STAYS = "ends", "stays"
ESCAPE_DC = "maneuver-dc"  # the grappler's DC, used if the effect has none


def can_be_escaped(rules: RuleSystem, effect: Effect) -> bool:
    """Return whether a check against a DC can end an effect."""
    return effect.name in dict(rules.data.escapes)


def begin_escape(tx: Transaction, effect: Effect) -> None:
    """Begin an attempt to escape an effect."""
    begin(tx, ESCAPE.ask_check, EscapeAttempt(effect.id))


def ask_check(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask the game master which check to make against the effect's DC, and for the DC if it is unknown."""
    effect = _effect(tx, procedure)
    if effect is None:
        return None
    if not effect.value and tx.get(Combatant, effect.by) is not None:
        effect = tx.update(effect, value=known_number(tx, rules, effect.by, ESCAPE_DC) or 0)
    rule = _rule(rules, effect)
    usual = dict(rules.data.escapes)[effect.name]
    every = (*usual, *(f"{skill.ability}:{skill.id}" for skill in rules.data.skills))
    checks = dict.fromkeys((*every, *(ability.id for ability in rules.data.abilities)))
    options = tuple(Option(check, f"<check.{check}>") for check in checks)
    question = Ask(
        "check", "choice", "ask.which_check", dc=effect.value, options=options, suggested=usual[:1], rule=rule
    )
    asks = [question] if effect.value else [Ask("dc", "number", "ask.dc", rule=rule), question]
    return ask(tx, goto(procedure, ESCAPE.ask_roll), "prompt.escape", asks, subject=label_of(tx, effect.target))


def ask_roll(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for the roll of the chosen check."""
    effect = _effect(tx, procedure)
    answer, dc = answers.get("check"), answers.get("dc")
    if effect is not None and dc is not None and dc.number:
        effect = tx.update(effect, value=dc.number)
    if effect is None or answer is None or not answer.chosen or not effect.value:
        return None
    rule = _rule(rules, effect)
    check = answer.chosen[0]
    spec = check_roll(tx, rules, effect.target, check)
    question = Ask("roll", "roll", "ask.check", effect.target, f"<check.{check}>", spec, effect.value, rule=rule)
    ask(tx, procedure, "prompt.escape", [question], subject=label_of(tx, effect.target))
    return goto(procedure, ESCAPE.after_roll, data_of(procedure, EscapeAttempt), check=check)


def after_roll(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """End the effect after a successful check. Ask about linked effects if the rules leave them open."""
    effect = _effect(tx, procedure)
    answer = answers.get("roll")
    if effect is None or answer is None:
        return None
    detail = f"<check.{data_of(procedure, EscapeAttempt).check}>"
    if result_of(tx, rules, answer, "ask.check", effect.target, detail, effect.value, _rule(rules, effect)):
        end_effect(tx, rules, effect)
        return _ask_what_ends_too(tx, rules, procedure, effect)
    return None


def _ask_what_ends_too(tx: Transaction, rules: RuleSystem, procedure: Procedure, ended: Effect) -> Procedure | None:
    linked_conditions = conditions_ended_with(tx, rules, ended.name)
    like = (ended.target, ended.source)
    linked_effects = [
        effect
        for effect in tx.all(Effect)
        if (effect.target, effect.source) == like and effect.name in linked_conditions
    ]
    if not linked_effects:
        return None
    rule = next((option.ledger[0] for option in enabled_options(tx, rules) if option.may_end and option.ledger), "")
    options = (Option(ENDS, "option.ends"), Option(STAYS, "option.stays"))
    asks = [
        Ask(
            linked_effect.id,
            "choice",
            "ask.ends_too",
            ended.target,
            f"<condition.{linked_effect.name}>",
            options=options,
            rule=rule,
        )
        for linked_effect in linked_effects
    ]
    ask(tx, procedure, "prompt.escape", asks, subject=label_of(tx, ended.target))
    return goto(procedure, ESCAPE.end_linked_effects)


def end_linked_effects(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """End the linked effects that the game master chose."""
    for id, answer in answers.items():
        effect = tx.get(Effect, id)
        if effect is not None and ENDS in answer.chosen:
            end_effect(tx, rules, effect)


def _effect(lookup: Lookup, procedure: Procedure) -> Effect | None:
    return lookup.get(Effect, data_of(procedure, EscapeAttempt).effect)


def _rule(rules: RuleSystem, effect: Effect) -> str:
    condition = rules.conditions.get(effect.name)
    return condition.ledger[0] if condition is not None and condition.ledger else ""


@command(script="break free {effect}")
class BreakFree(Command, frozen=True):
    """Pay the cost to end an effect."""

    effect: EffectId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Pay the cost that ends an effect, and end it."""
        effect = tx.need(Effect, self.effect)
        if not effect.break_free and can_be_escaped(rules, effect):
            begin_escape(tx, effect)
            return
        if not effect.break_free:
            raise Refused("refused.no_way_free", params={"what": f"<condition.{effect.name}>"})
        spend(tx, rules, effect.target, effect.break_free)
        price = counted_price(rules, effect.break_free, 1)
        tx.emit(ActionTaken(who=effect.target, action="<action.break_free>", cost=effect.break_free, price=price))
        end_effect(tx, rules, effect)


STAGES = stages_in(globals(), ESCAPE)
