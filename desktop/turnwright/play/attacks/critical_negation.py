"""Turning a critical hit into a normal hit, by sacrificing a shield, or by a reaction and a level of fatigue."""

from __future__ import annotations

from turnwright.encounter.lookups import effects_named, track_value
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.attacks.events import CriticalNegated
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import spend
from turnwright.play.state.effect_records import put_effect
from turnwright.play.state.fatigue import add_levels
from turnwright.rules.hooks import Hook, HookContext, run_hooks
from turnwright.rules.parts.combatants.facts import condition_names, gear_of
from turnwright.rules.parts.damage.dying import FATIGUE
from turnwright.rules.system import RuleSystem

SHIELD, PASS = "shield", "pass"
NEGATED = "blocked-critical"


def negation_ask(lookup: Lookup, rules: RuleSystem, target: str) -> Ask | None:
    """Ask whether the target turns a critical hit into a normal hit. Return the ask, or None if the target can't.

    Sacrificing a shield takes no reaction. A target that can't react may do it, unless it is incapacitated.
    """
    combatant = lookup.get(Combatant, target)
    if combatant is None or combatant.dead or combatant.hp <= 0:
        return None
    if rules.role("incapacitated") in condition_names(lookup, rules, target):
        return None
    numbers = rules.data.attack
    options = []
    if numbers.block_shield and has_shield(lookup, rules, target):
        options.append(Option(SHIELD, "option.block_shield", "option.block_shield_why"))
    if numbers.block_fatigue and can_take_fatigue(lookup, rules, target):
        options.append(Option(FATIGUE, "option.block_fatigue", "option.block_fatigue_why"))
    if not options:
        return None
    rule = rules.rule_id("critical.downgrade-shield" if options[0].id == SHIELD else "critical.downgrade-fatigue")
    choices = (*options, Option(PASS, "option.pass"))
    return Ask("block", "choice", "ask.block", target, options=choices, suggested=(PASS,), rule=rule)


def has_shield(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant has a shield that it hasn't sacrificed in this fight."""
    return SHIELD in gear_of(lookup, who) and not effects_named(lookup, who, rules.role("shield-lost"))


def can_take_fatigue(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant has a reaction and hasn't negated a critical hit by fatigue since its last rest."""
    if track_value(lookup, who, "reaction") < 1 or effects_named(lookup, who, NEGATED):
        return False
    return not run_hooks(lookup, rules, Hook.ACTION_DECLARED, HookContext(who, "reaction")).vetoes


def negate_critical(tx: Transaction, rules: RuleSystem, target: str, method: str) -> None:
    """Turn a critical hit into a normal hit, at the cost of a shield or a level of fatigue."""
    if method == SHIELD:
        rule = rules.rule_id("critical.shield")
        put_effect(tx, rules, Effect(tx.next_id("effect"), target, rules.role("shield-lost")))
        tx.emit(CriticalNegated(who=target, by=method, rule=rule))
        return
    spend(tx, rules, target, "reaction")
    tx.emit(CriticalNegated(who=target, by=method, rule=rules.rule_id("critical.block-reaction")))
    add_levels(tx, rules, target, FATIGUE, rules.data.attack.block_fatigue, rules.rule_id("critical.downgrade-fatigue"))
    put_effect(tx, rules, Effect(tx.next_id("effect"), target, NEGATED, shown=False))
