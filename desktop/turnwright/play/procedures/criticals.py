"""Turning a critical hit into a regular one: a shield given up, or a level of fatigue and the reaction."""

from __future__ import annotations

from turnwright.encounter.pending import Ask, Option
from turnwright.encounter.running import Combatant, Effect, Track
from turnwright.encounter.state import Lookup
from turnwright.play.events import CriticalBlocked
from turnwright.play.harm import INCAPACITATED, put_effect
from turnwright.play.levels import gain
from turnwright.play.resources import spend
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.parts.dying import FATIGUE
from turnwright.rules.parts.statements import condition_names, effects_on, holds
from turnwright.rules.system import RuleSystem

SHIELD, PASS = "shield", "pass"
SHIELD_LOST, BLOCKED = "shield-lost", "blocked-critical"


def block_ask(lookup: Lookup, rules: RuleSystem, target: str) -> Ask | None:
    """Return the question whether somebody turns a critical hit into a regular one, None where they can't.

    Giving up a shield takes no reaction, so who can't react may do that, unless they can do nothing at all.
    """
    combatant = lookup.get(Combatant, target)
    if combatant is None or combatant.dead or combatant.hp <= 0:
        return None
    if INCAPACITATED in condition_names(lookup, rules, target):
        return None
    figures = rules.catalogue.attack
    options = []
    if figures.block_shield and has_shield(lookup, rules, target):
        options.append(Option(SHIELD, "option.block_shield", "option.block_shield_why"))
    if figures.block_fatigue and may_tire(lookup, rules, target):
        options.append(Option(FATIGUE, "option.block_fatigue", "option.block_fatigue_why"))
    if not options:
        return None
    rule = rules.cite("critical.downgrade-shield" if options[0].id == SHIELD else "critical.downgrade-fatigue")
    asked = (*options, Option(PASS, "option.pass"))
    return Ask("block", "choice", "ask.block", target, options=asked, suggested=(PASS,), rule=rule)


def has_shield(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether somebody has a shield that hasn't been given up in this fight."""
    return holds(lookup, rules, who, SHIELD) and not any(one.name == SHIELD_LOST for one in effects_on(lookup, who))


def may_tire(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether somebody has a reaction to take, and hasn't blocked a critical hit like that since a rest."""
    track = lookup.get(Track, f"{who}.reaction")
    blocked = any(one.name == BLOCKED for one in effects_on(lookup, who))
    if track is None or track.value < 1 or blocked:
        return False
    return not contributions(lookup, rules, Hook.ACTION_DECLARED, Moment(who, "reaction")).vetoes


def block(tx: Transaction, rules: RuleSystem, target: str, how: str) -> None:
    """Turn a critical hit on somebody into a regular one, for a shield or for fatigue."""
    if how == SHIELD:
        rule = rules.cite("critical.shield")
        put_effect(tx, rules, Effect(tx.next_id("effect"), target, SHIELD_LOST))
        tx.emit(CriticalBlocked(who=target, by=how, rule=rule))
        return
    spend(tx, rules, target, "reaction")
    tx.emit(CriticalBlocked(who=target, by=how, rule=rules.cite("critical.block-reaction")))
    gain(tx, rules, target, FATIGUE, rules.catalogue.attack.block_fatigue, rules.cite("critical.downgrade-fatigue"))
    put_effect(tx, rules, Effect(tx.next_id("effect"), target, BLOCKED, shown=False))
