"""Checks on an environment entry, against its DC or against the caster of a spell."""

from __future__ import annotations

from turnwright.dice.roll import RollSpec
from turnwright.encounter.lookups import find_entry
from turnwright.encounter.prepared import Check, Environment, EnvironmentEntry
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, EnvironmentEffect
from turnwright.play.asking.check_result import pass_or_fail_options, result_of
from turnwright.play.asking.events import EntryFailed, EnvironmentCheckPassed, SpellReflected
from turnwright.play.kernel.scheduler import Answers, SubjectGone, ask, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Rolled
from turnwright.rules.parts.checks.ability_checks import check_roll, spellcasting_roll
from turnwright.rules.parts.environment.entries import eligible_targets, entry_rule
from turnwright.rules.parts.environment.table_rules import with_options
from turnwright.rules.parts.environment.translation import is_unknown_check
from turnwright.rules.system import RuleSystem


def ask_check(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for the check of the entry's user. After the answer, decide whether the entry works."""
    data = data_of(procedure, EnvironmentEffect)
    environment, row = entry_of(tx, rules, data)
    check = row.check
    if check is None:
        return None
    name = f"{check.ability}:{check.skill}" if check.skill else check.ability
    answer = answers.get("check")
    if answer is None:
        question = _check_ask(tx, rules, check, name, data.actor, entry_rule(row))
        return ask(tx, goto(procedure, ENVIRONMENT_EFFECT.ask_check), "prompt.check", [question], subject=row.name)
    passed = result_of(tx, rules, answer, "ask.check", data.actor, f"<check.{name}>", check.dc, entry_rule(row))
    if not passed:
        report_failed(tx, environment, row, "why.check_failed", entry_rule(row), data.actor)
        return None
    if row.trigger == "rolled":
        if data.targets:
            return goto(procedure, ENVIRONMENT_EFFECT.ask_saves)
        return goto(procedure, ENVIRONMENT_EFFECT.ask_targets, actor="")
    tx.emit(EnvironmentCheckPassed(environment=environment.id, entry=row.id, who=data.actor, rule=entry_rule(row)))
    return None


def _check_ask(tx: Transaction, rules: RuleSystem, check: Check, name: str, who: str, rule: str) -> Ask:
    """Return the ask for the check on an entry. If the system doesn't have the check, ask for the outcome instead."""
    if is_unknown_check(rules, check):
        options = pass_or_fail_options()
        return Ask("check", "choice", "ask.check", who, f"<check.{name}>", options=options, dc=check.dc, rule=rule)
    spec = check_roll(tx, rules, who, name)
    return Ask("check", "roll", "ask.check", who, f"<check.{name}>", spec, check.dc, rule=rule)


def ask_contest(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Compare the user's check with the caster's. The caster wins a tie."""
    data = data_of(procedure, EnvironmentEffect)
    environment, row = entry_of(tx, rules, data)
    check = row.check
    caster = next((who for who in data.targets if who != data.actor), "")
    if check is None or not caster:
        return None
    if not answers:
        unknown = is_unknown_check(rules, check)
        own = RollSpec("") if unknown else check_roll(tx, rules, data.actor, check.ability)
        theirs, rule = spellcasting_roll(tx, rules, caster), entry_rule(row)
        asks = (
            Ask("own", "roll", "ask.check", data.actor, f"<check.{check.ability}>", own, rule=rule),
            Ask("theirs", "roll", "ask.spellcasting", caster, "", theirs, rule=rule),
        )
        return ask(tx, goto(procedure, ENVIRONMENT_EFFECT.ask_contest), "prompt.contest", asks, subject=row.name)
    totals = {}
    for side, who in (("own", data.actor), ("theirs", caster)):
        answer = answers.get(side)
        totals[side] = answer.roll.total if answer and answer.roll and answer.roll.total is not None else 0
        if answer and answer.roll:
            rule = entry_rule(row)
            tx.emit(Rolled(who=who, purpose="ask.check", roll=answer.roll, detail="<ask.a_check>", rule=rule))
    place, user, to_caster = environment.id, data.actor, totals["own"] > totals["theirs"]
    rule = entry_rule(row, rules.rule_id("env.rule.mirror-breaks"))
    tx.emit(SpellReflected(environment=place, entry=row.id, who=user, caster=caster, to_caster=to_caster, rule=rule))
    return None


def ask_caster(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask which combatant cast the spell that an entry is used against."""
    data = data_of(procedure, EnvironmentEffect)
    environment, row = entry_of(tx, rules, data)
    answer = answers.get("who")
    if answer is not None and not answer.chosen:
        return None
    if answer is None:
        options = tuple(
            Option(eligible_target.id, eligible_target.label)
            for eligible_target in eligible_targets(tx, environment, row, rules)
            if eligible_target.id != data.actor
        )
        question = Ask("who", "targets", "ask.targets_one", options=options, max_choices=1, rule=entry_rule(row))
        return ask(tx, goto(procedure, ENVIRONMENT_EFFECT.ask_caster), "prompt.contest", [question], subject=row.name)
    return goto(procedure, ENVIRONMENT_EFFECT.use, targets=answer.chosen)


def report_failed(
    tx: Transaction, environment: Environment, entry: EnvironmentEntry, reason: str, rule: str, actor: str = ""
) -> None:
    """Report why an entry failed. `actor` is the combatant that tried it."""
    tx.emit(EntryFailed(environment=environment.id, entry=entry.id, actor=actor, reason=reason, rule=rule))


def entry_of(tx: Transaction, rules: RuleSystem, data: EnvironmentEffect) -> tuple[Environment, EnvironmentEntry]:
    """Return an effect's environment and entry, with house rules applied. Raise SubjectGone if either is gone."""
    environment = tx.get(Environment, data.environment)
    row = find_entry(environment, data.entry) if environment else None
    if environment is None or row is None:
        raise SubjectGone
    return environment, with_options(tx, rules, environment, row)


STAGES = stages_in(globals(), ENVIRONMENT_EFFECT)


def source_name(environment: Environment, entry: EnvironmentEntry) -> str:
    """Return the name of an entry as a source of effects."""
    return f"{environment.name}: {entry.name}"
