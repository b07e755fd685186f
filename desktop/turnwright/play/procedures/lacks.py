"""What a row of the surroundings speaks of and the game does not have: a person says how it went, or what stands for it.

A place may have been written for another game. A save or check that this one lacks is asked as made or failed, a damage
type or condition it lacks is given one of its own, kept as a note, or left out.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from turnwright.encounter.pending import Ask, Option, Procedure
from turnwright.encounter.prepared import Entry, Environment, Save
from turnwright.play.harm import ends_for, put_condition, row_name
from turnwright.play.levels import gain
from turnwright.play.procedures.loop import Answers, Stage, ask, at
from turnwright.play.procedures.trials import hazard_of, outcomes, row_of
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.surroundings import ledger_for
from turnwright.rules.parts.translation import (
    FATIGUE,
    lacking_conditions,
    lacking_damage,
    lacks_save,
    with_kinds,
)
from turnwright.rules.system import RuleSystem

DAMAGE, CONDITION = "damage:", "condition:"
NOTE, LEAVE, UNTYPED = "note:", "leave", "untyped"


def save_ask(tx: Transaction, rules: RuleSystem, save: Save, who: str, rule: str) -> Ask:
    """Return somebody's save against a row."""
    detail = f"<save.{save.ability}>"
    if lacks_save(rules, save):
        return Ask(who, "choice", "ask.save", who, detail, options=outcomes(), dc=save.dc, rule=rule)
    spec = rules.checks.save(tx, rules, who, save.ability)
    return Ask(who, "roll", "ask.save", who, detail, spec, save.dc, rule=rule)


def lacking(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask what stands for the damage types and conditions of a row that the game lacks, where it does anything."""
    data = hazard_of(procedure)
    found = row_of(tx, rules, data)
    if found is None:
        return None
    row = found[1]
    if answers:
        pairs = tuple((id, _meaning(id, answer.chosen)) for id, answer in answers.items())
        return at(procedure, "harm", msgspec.structs.replace(data, said=pairs))
    asks = (*_damage_asks(rules, row), *_condition_asks(rules, row)) if data.failed else ()
    if not asks:
        return at(procedure, "harm")
    ask(tx, procedure, "prompt.lacking", asks, subject=row.name, rule=ledger_for(row))
    return at(procedure, "lacking")


def damage_of(row: Entry, said: Mapping[str, str], *, reduced: bool = False) -> str:
    """Return the damage of a row in the types of this game, as a person has named them."""
    kinds = {id.removeprefix(DAMAGE): kind for id, kind in said.items() if id.startswith(DAMAGE)}
    return with_kinds(row.reduced_damage if reduced else row.damage, kinds)


def leave_conditions(
    tx: Transaction, rules: RuleSystem, environment: Environment, row: Entry, who: str, said: Mapping[str, str]
) -> None:
    """Put on somebody what a row leaves on those whom it catches: conditions, and levels of fatigue."""
    rule, source = ledger_for(row), row_name(environment, row)
    for affliction in row.afflictions:
        name = said.get(f"{CONDITION}{affliction.condition}", affliction.condition)
        if name:
            put_condition(
                tx,
                rules,
                who,
                name,
                value=affliction.escape_dc or row.hearing,
                ends=ends_for(tx, affliction, who, environment.id),
                source=source,
                break_free=affliction.break_free,
                rule=rule,
            )
    stands_for = said.get(f"{CONDITION}{FATIGUE}")
    if stands_for is None:
        gain(tx, rules, who, FATIGUE, row.fatigue, rule)
    elif stands_for:
        put_condition(tx, rules, who, stands_for, value=row.fatigue, source=source, rule=rule)


def _damage_asks(rules: RuleSystem, row: Entry) -> tuple[Ask, ...]:
    own = tuple(Option(each.id, f"<damage.{each.id}>") for each in rules.catalogue.damage_types)
    return tuple(
        Ask(
            f"{DAMAGE}{kind}",
            "choice",
            "ask.lacking_damage",
            detail=kind,
            options=(Option(UNTYPED, "option.untyped"), *own),
            suggested=(UNTYPED,),
            rule=ledger_for(row),
        )
        for kind in lacking_damage(rules, row)
    )


def _condition_asks(rules: RuleSystem, row: Entry) -> tuple[Ask, ...]:
    asks = []
    for name in lacking_conditions(rules, row):
        nearest = dict(rules.catalogue.elsewhere.conditions).get(name, "")
        near = (Option(nearest, f"<condition.{nearest}>"),) if nearest in rules.conditions else ()
        options = (*near, Option(f"{NOTE}{name}", "option.keep_note"), Option(LEAVE, "option.leave_out"))
        asks.append(
            Ask(
                f"{CONDITION}{name}",
                "choice",
                "ask.lacking_condition",
                detail=name,
                options=options,
                suggested=(options[0].id,),
                rule=ledger_for(row),
            )
        )
    return tuple(asks)


def _meaning(asked: str, chosen: tuple[str, ...]) -> str:
    """Return what a choice puts in the place of something; passing it over leaves the word as it is."""
    if not chosen:
        return asked.partition(":")[2]
    return "" if chosen[0] in (LEAVE, UNTYPED) else chosen[0].removeprefix(NOTE)


STAGES: dict[tuple[str, str], Stage] = {("hazard", "lacking"): lacking}
