"""Checks that somebody makes on a row of an environment: against its DC, or against whoever casts at them."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Roll, RollSpec
from turnwright.encounter.pending import FAILED, FAILURE, MADE, Answered, Ask, Degree, Hazard, Option, Procedure
from turnwright.encounter.prepared import Check, Entry, Environment
from turnwright.play.events import EntryFailed, Found, Reflected, Rolled, Skipped
from turnwright.play.procedures.loop import Answers, Stage, ask, at
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.degrees import is_good, said_degree, stronger
from turnwright.rules.parts.surroundings import eligible, entry_in, ledger_for
from turnwright.rules.parts.table_rules import as_played
from turnwright.rules.parts.translation import lacks_check
from turnwright.rules.system import RuleSystem

UNKNOWN = Roll(origin="typed")


def check(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask the check of whoever uses the row, then see whether it works."""
    data = hazard_of(procedure)
    found = row_of(tx, rules, data)
    if found is None or found[1].check is None:
        return None
    environment, row = found
    wanted = found[1].check
    name = f"{wanted.ability}:{wanted.skill}" if wanted.skill else wanted.ability
    answer = answers.get("check")
    if answer is None:
        asked = _check_ask(tx, rules, wanted, name, data.actor, ledger_for(row))
        ask(tx, procedure, "prompt.check", [asked], subject=row.name, rule=ledger_for(row))
        return at(procedure, "check")
    passed = take_result(tx, rules, answer, "ask.check", data.actor, f"<check.{name}>", wanted.dc, ledger_for(row))
    if not passed:
        reason = "why.check_failed"
        tx.emit(
            EntryFailed(environment=environment.id, entry=row.id, actor=data.actor, reason=reason, rule=ledger_for(row))
        )
        return None
    if row.trigger == "rolled":
        return (
            at(procedure, "targets", msgspec.structs.replace(data, actor=""))
            if not data.targets
            else at(procedure, "strike")
        )
    tx.emit(Found(environment=environment.id, entry=row.id, who=data.actor, rule=ledger_for(row)))
    return None


def _check_ask(tx: Transaction, rules: RuleSystem, wanted: Check, name: str, who: str, rule: str) -> Ask:
    """Return the check that whoever uses a row makes; how one that the game lacks went, a person says."""
    if lacks_check(rules, wanted):
        options = outcomes()
        return Ask("check", "choice", "ask.check", who, f"<check.{name}>", options=options, dc=wanted.dc, rule=rule)
    spec = rules.checks.check(tx, rules, who, name)
    return Ask("check", "roll", "ask.check", who, f"<check.{name}>", spec, wanted.dc, rule=rule)


def outcomes() -> tuple[Option, ...]:
    """Return what a person may say of a roll that the game has no figures for."""
    return (Option(MADE, "option.made"), Option(FAILED, "option.failed"))


def contest(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Set the user's check against the caster's, who wins a tie. What breaks either way has broken already."""
    data = hazard_of(procedure)
    found = row_of(tx, rules, data)
    caster = next((who for who in data.targets if who != data.actor), "")
    if found is None or found[1].check is None or not caster:
        return None
    environment, row = found
    if not answers:
        wanted = found[1].check
        unknown = lacks_check(rules, wanted)
        own = RollSpec("") if unknown else rules.checks.check(tx, rules, data.actor, wanted.ability)
        asks = (
            Ask("own", "roll", "ask.check", data.actor, f"<check.{found[1].check.ability}>", own, rule=ledger_for(row)),
            Ask(
                "theirs",
                "roll",
                "ask.spellcasting",
                caster,
                "",
                rules.checks.contested(tx, rules, caster),
                rule=ledger_for(row),
            ),
        )
        ask(tx, procedure, "prompt.contest", asks, subject=row.name, rule=ledger_for(row))
        return at(procedure, "contest")
    totals = {}
    for side, who in (("own", data.actor), ("theirs", caster)):
        answer = answers.get(side)
        totals[side] = answer.roll.total if answer and answer.roll and answer.roll.total is not None else 0
        if answer and answer.roll:
            tx.emit(
                Rolled(who=who, purpose="ask.check", roll=answer.roll, detail="<ask.a_check>", rule=ledger_for(row))
            )
    back = totals["own"] > totals["theirs"]
    tx.emit(
        Reflected(
            environment=environment.id,
            entry=row.id,
            who=data.actor,
            caster=caster,
            back=back,
            rule=ledger_for(row, rules.cite("env.rule.mirror-breaks")),
        )
    )
    return None


def caster(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask whose spell it is that a row is held against."""
    data = hazard_of(procedure)
    found = row_of(tx, rules, data)
    answer = answers.get("who")
    if found is None or (answer is not None and not answer.chosen):
        return None
    environment, row = found
    if answer is None:
        options = tuple(
            Option(one.id, one.label) for one in eligible(tx, environment, row, rules) if one.id != data.actor
        )
        asked = Ask("who", "targets", "ask.targets_one", options=options, most=1, rule=ledger_for(row))
        ask(tx, procedure, "prompt.contest", [asked], subject=row.name, rule=ledger_for(row))
        return at(procedure, "caster")
    return at(procedure, "use", msgspec.structs.replace(data, targets=answer.chosen))


def take_result(
    tx: Transaction, rules: RuleSystem, answer: Answered, purpose: str, who: str, detail: str, dc: int, rule: str
) -> bool:
    """Hold an answer against a DC, say what was rolled, and return whether it was made."""
    return is_good(take_degree(tx, rules, answer, purpose, who, detail, dc, rule) or FAILURE)


def take_degree(
    tx: Transaction, rules: RuleSystem, answer: Answered, purpose: str, who: str, detail: str, dc: int, rule: str
) -> Degree | None:
    """Hold an answer against a DC, say what was rolled and return how it went, None where it was passed over.

    Where dice are unknown, a person said how it went.
    """
    if not answer.chosen and answer.roll is None:
        tx.emit(Skipped(purpose=purpose, who=who, detail=detail))
        return None
    if answer.chosen or answer.roll is None:
        degree, thrown = said_degree(answer.chosen), answer.roll or UNKNOWN
    else:
        degree, thrown = rules.checks.degree(rules, answer.roll, dc) or FAILURE, answer.roll
    told = stronger(rules, degree)
    passed = is_good(degree)
    tx.emit(Rolled(who=who, purpose=purpose, roll=thrown, detail=detail, dc=dc, passed=passed, degree=told, rule=rule))
    return degree


def row_of(tx: Transaction, rules: RuleSystem, data: Hazard) -> tuple[Environment, Entry] | None:
    """Return the environment and the row that a hazard is about, as the table plays it; None where they have gone."""
    environment = tx.get(Environment, data.environment)
    row = entry_in(environment, data.entry) if environment else None
    return (environment, as_played(tx, rules, environment, row)) if environment and row else None


def hazard_of(procedure: Procedure) -> Hazard:
    """Return what a hazard's procedure is about."""
    assert isinstance(procedure.data, Hazard)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("hazard", "check"): check,
    ("hazard", "caster"): caster,
    ("hazard", "contest"): contest,
}
