"""Mechanics of an environment entry that the system doesn't have: the user enters the outcome or a substitute.

An environment may have been written for another system. The user reports an unknown save or check as a success or a
failure, and replaces an unknown damage type or condition, keeps it as a note, or leaves it out.
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.encounter.prepared import Environment, EnvironmentEntry, SavingThrow
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask, roll_ask
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, EnvironmentEffect
from turnwright.play.asking.check_result import pass_or_fail_options
from turnwright.play.environment.environment_check import entry_of, source_name
from turnwright.play.kernel.scheduler import Answers, ask, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import EndedBy, duration_of, put_condition
from turnwright.play.state.fatigue import add_levels
from turnwright.rules.parts.attacks.save_tags import entry_save_tags
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.damage.dying import FATIGUE
from turnwright.rules.parts.environment.entries import entry_rule
from turnwright.rules.parts.environment.translation import (
    is_unknown_save,
    replace_damage_types,
    unknown_conditions,
    unknown_damage_types,
)
from turnwright.rules.system import RuleSystem

DAMAGE_PREFIX, CONDITION_PREFIX = "damage:", "condition:"
NOTE_PREFIX, LEAVE, UNTYPED = "note:", "leave", "untyped"


def save_ask(
    tx: Transaction, rules: RuleSystem, entry: EnvironmentEntry, save: SavingThrow, who: str, rule: str
) -> Ask:
    """Return the ask for a combatant's save against an entry."""
    detail = f"<save.{save.ability}>"
    if is_unknown_save(rules, save):
        return Ask(who, "choice", "ask.save", who, detail, options=pass_or_fail_options(), dc=save.dc, rule=rule)
    spec = save_roll(tx, rules, who, save.ability, tags=entry_save_tags(entry, rules.role("fatigue")))
    return roll_ask(who, "ask.save", detail, spec, save.dc, rule=rule)


def ask_substitutes(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for substitutes for an entry's damage types and conditions that the system doesn't have."""
    data = data_of(procedure, EnvironmentEffect)
    _, row = entry_of(tx, rules, data)
    if answers:
        pairs = tuple((id, _meaning(id, answer.chosen)) for id, answer in answers.items())
        return goto(procedure, ENVIRONMENT_EFFECT.ask_damage, substitutes=pairs)
    asks = (*_damage_asks(rules, row), *_condition_asks(rules, row)) if data.failed else ()
    if not asks:
        return goto(procedure, ENVIRONMENT_EFFECT.ask_damage)
    return ask(tx, goto(procedure, ENVIRONMENT_EFFECT.ask_substitutes), "prompt.lacking", asks, subject=row.name)


def substituted_damage(entry: EnvironmentEntry, substitutes: Mapping[str, str], *, reduced: bool = False) -> str:
    """Return an entry's damage with its damage types replaced by types of this system."""
    kinds = {id.removeprefix(DAMAGE_PREFIX): kind for id, kind in substitutes.items() if id.startswith(DAMAGE_PREFIX)}
    return replace_damage_types(entry.reduced_damage if reduced else entry.damage, kinds)


def apply_conditions(
    tx: Transaction,
    rules: RuleSystem,
    environment: Environment,
    entry: EnvironmentEntry,
    who: str,
    substitutes: Mapping[str, str],
) -> None:
    """Apply an entry's conditions and levels of fatigue to a combatant."""
    rule, source = entry_rule(entry), source_name(environment, entry)
    for affliction in entry.afflictions:
        name = substitutes.get(f"{CONDITION_PREFIX}{affliction.condition}", affliction.condition)
        if name:
            put_condition(
                tx,
                rules,
                who,
                name,
                value=affliction.escape_dc or entry.hearing,
                ends=duration_of(tx, affliction, who, environment.id),
                source=source,
                rule=rule,
                ended_by=EndedBy(affliction.break_free),
            )
    stands_for = substitutes.get(f"{CONDITION_PREFIX}{rules.role('fatigue')}")
    if stands_for is None:
        add_levels(tx, rules, who, FATIGUE, entry.fatigue, rule)
    elif stands_for:
        put_condition(tx, rules, who, stands_for, value=entry.fatigue, source=source, rule=rule)


def _damage_asks(rules: RuleSystem, row: EnvironmentEntry) -> tuple[Ask, ...]:
    own = tuple(Option(damage_type.id, f"<damage.{damage_type.id}>") for damage_type in rules.data.damage_types)
    options, rule = (Option(UNTYPED, "option.untyped"), *own), entry_rule(row)
    return tuple(
        choice_ask(f"{DAMAGE_PREFIX}{kind}", "ask.lacking_damage", options, detail=kind, rule=rule)
        for kind in unknown_damage_types(rules, row)
    )


def _condition_asks(rules: RuleSystem, row: EnvironmentEntry) -> tuple[Ask, ...]:
    asks = []
    for name in unknown_conditions(rules, row):
        nearest = dict(rules.data.elsewhere.conditions).get(name, "")
        near = (Option(nearest, f"<condition.{nearest}>"),) if nearest in rules.conditions else ()
        options = (*near, Option(f"{NOTE_PREFIX}{name}", "option.keep_note"), Option(LEAVE, "option.leave_out"))
        id = f"{CONDITION_PREFIX}{name}"
        asks.append(choice_ask(id, "ask.lacking_condition", options, detail=name, rule=entry_rule(row)))
    return tuple(asks)


def _meaning(ask_id: str, chosen: tuple[str, ...]) -> str:
    """Return the substitute chosen for a term, or the term itself if the choice was skipped."""
    if not chosen:
        return ask_id.partition(":")[2]
    return "" if chosen[0] in (LEAVE, UNTYPED) else chosen[0].removeprefix(NOTE_PREFIX)


STAGES = stages_in(globals(), ENVIRONMENT_EFFECT)
