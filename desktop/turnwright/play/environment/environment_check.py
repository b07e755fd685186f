"""Checks on an environment entry: the check of its user, and the contest with the caster of a reflected spell."""

from turnwright.dice.expression import RollSpec
from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.prepared import Check
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, EnvironmentEffect
from turnwright.play.asking.checks import pass_or_fail_options, result_of
from turnwright.play.environment import entry_readiness
from turnwright.play.environment.environment_effect import entry_of
from turnwright.play.kernel.events import EntryEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Rolled
from turnwright.rules.parts.checks.ability_checks import check_roll, spellcasting_roll
from turnwright.rules.parts.environment import entries


@journal("journal.found", kind="world", when={"secret": "journal.found_secret"}, what="entry")
class EnvironmentCheckPassed(EntryEvent, frozen=True):
    """A check on an environment entry succeeded. `secret`: the entry was hidden until now."""

    who: CombatantId
    secret: bool = False


@journal("journal.reflected_astray", kind="world", when={"to_caster": "journal.reflected"}, what="entry")
class SpellReflected(EntryEvent, frozen=True):
    """A mirror reflected a spell at its caster or, if not `to_caster`, into an empty square. The mirror broke."""

    who: CombatantId
    caster: CombatantId
    to_caster: bool


def ask_check(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Ask for the check of the entry's user. After the answer, decide whether the entry works."""
    environment, row = entry_of(tx, data)
    check = row.check
    if check is None:
        return None
    name = f"{check.ability}:{check.skill}" if check.skill else check.ability
    answer = answers.get("check")
    if answer is None:
        question = _check_ask(tx, check, name, data.actor, entries.entry_rule(row))
        return ask(tx, goto(procedure, ENVIRONMENT_EFFECT.ask_check), "prompt.check", [question], subject=row.name)
    if not result_of(tx, answer, "ask.check", data.actor, f"<check.{name}>", check.dc, entries.entry_rule(row)):
        entry_readiness.report_failed(tx, environment, row, "why.check_failed", entries.entry_rule(row), data.actor)
        return None
    if row.trigger == "rolled":
        if data.targets:
            return goto(procedure, ENVIRONMENT_EFFECT.ask_saves)
        return goto(procedure, ENVIRONMENT_EFFECT.ask_targets, actor="")
    tx.emit(
        EnvironmentCheckPassed(environment=environment.id, entry=row.id, who=data.actor, rule=entries.entry_rule(row))
    )
    return None


def _check_ask(tx: Transaction, check: Check, name: str, who: str, rule: str) -> Ask:
    """Return the ask for the check on an entry. If the system doesn't have the check, ask for the outcome instead."""
    if entries.is_unknown_check(tx.rules, check):
        options = pass_or_fail_options()
        return Ask("check", "choice", "ask.check", who, f"<check.{name}>", options=options, dc=check.dc, rule=rule)
    spec = check_roll(tx, tx.rules, who, name)
    return Ask("check", "roll", "ask.check", who, f"<check.{name}>", spec, check.dc, rule=rule)


def ask_contest(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Compare the user's check with the caster's. The caster wins a tie."""
    environment, row = entry_of(tx, data)
    check = row.check
    caster = next((who for who in data.targets if who != data.actor), "")
    if check is None or not caster:
        return None
    if not answers:
        is_unknown = entries.is_unknown_check(tx.rules, check)
        own = RollSpec("") if is_unknown else check_roll(tx, tx.rules, data.actor, check.ability)
        theirs, rule = spellcasting_roll(tx, tx.rules, caster), entries.entry_rule(row)
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
            rule = entries.entry_rule(row)
            tx.emit(Rolled(who=who, purpose="ask.check", roll=answer.roll, detail="<ask.a_check>", rule=rule))
    place, user, to_caster = environment.id, data.actor, totals["own"] > totals["theirs"]
    rule = entries.entry_rule(row, tx.rule_id("env.rule.mirror-breaks"))
    tx.emit(SpellReflected(environment=place, entry=row.id, who=user, caster=caster, to_caster=to_caster, rule=rule))
    return None


def ask_caster(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Ask which combatant cast the spell that an entry is used against."""
    environment, row = entry_of(tx, data)
    answer = answers.get("who")
    if answer is not None and not answer.chosen:
        return None
    if answer is None:
        options = tuple(
            Option(target.id, target.label)
            for target in entries.eligible_targets(tx, environment, row, tx.rules)
            if target.id != data.actor
        )
        question = Ask(
            "who", "targets", "ask.targets_one", options=options, max_choices=1, rule=entries.entry_rule(row)
        )
        return ask(tx, goto(procedure, ENVIRONMENT_EFFECT.ask_caster), "prompt.contest", [question], subject=row.name)
    return goto(procedure, ENVIRONMENT_EFFECT.use, targets=answer.chosen)
