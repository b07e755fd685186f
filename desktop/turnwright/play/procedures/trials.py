"""Checks that somebody makes on a row of an environment: against its DC, or against whoever casts at them."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Roll
from turnwright.encounter.pending import MADE, Answered, Ask, Hazard, Option, Procedure
from turnwright.encounter.prepared import Entry, Environment
from turnwright.play.events import EntryFailed, Found, Reflected, Rolled, Skipped
from turnwright.play.procedures.loop import Answers, Stage, ask, at
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.surroundings import eligible, entry_in, ledger_for, state_of
from turnwright.rules.parts.table_rules import as_played
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
        spec = rules.checks.check(tx, rules, data.actor, name)
        asked = Ask("check", "roll", "ask.check", data.actor, f"<check.{name}>", spec, wanted.dc, rule=ledger_for(row))
        ask(tx, procedure, "prompt.check", [asked], subject=row.name, rule=ledger_for(row))
        return at(procedure, "check")
    passed = take_result(tx, answer, "ask.check", data.actor, f"<check.{name}>", wanted.dc, ledger_for(row))
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


def contest(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Set the user's check against the caster's; the caster wins a tie, and the thing breaks either way."""
    data = hazard_of(procedure)
    found = row_of(tx, rules, data)
    caster = next((who for who in data.targets if who != data.actor), "")
    if found is None or found[1].check is None or not caster:
        return None
    environment, row = found
    if not answers:
        own = rules.checks.check(tx, rules, data.actor, found[1].check.ability)
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
    tx.update(state_of(tx, environment.id, row.id), broken=row.breaks)
    back = totals["own"] > totals["theirs"]
    tx.emit(
        Reflected(
            environment=environment.id,
            entry=row.id,
            who=data.actor,
            caster=caster,
            back=back,
            rule=ledger_for(row, "mirror-breaks"),
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


def take_result(tx: Transaction, answer: Answered, purpose: str, who: str, detail: str, dc: int, rule: str) -> bool:
    """Hold an answer against a DC and say what was rolled; where dice are unknown, a person said how it went."""
    if answer.chosen:
        passed = MADE in answer.chosen
        tx.emit(Rolled(who=who, purpose=purpose, roll=UNKNOWN, detail=detail, dc=dc, passed=passed, rule=rule))
        return passed
    if answer.roll is None:
        tx.emit(Skipped(purpose=purpose, who=who, detail=detail))
        return False
    passed = answer.roll.total is not None and answer.roll.total >= dc
    tx.emit(Rolled(who=who, purpose=purpose, roll=answer.roll, detail=detail, dc=dc, passed=passed, rule=rule))
    return passed


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
