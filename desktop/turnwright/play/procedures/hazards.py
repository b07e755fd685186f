"""One row of an environment doing what its figures say: on whom, what spares them, the save, the damage, what stays.

World actions and features go through the same stages; only a world action is spent and rolls to recharge.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from turnwright.dice.roll import RollSpec
from turnwright.encounter.pending import MADE, Answered, Ask, Hazard, Option, Procedure
from turnwright.encounter.prepared import Entry, Environment
from turnwright.encounter.running import Clock, Combatant, Effect, Ends
from turnwright.play.events import (
    Disturbed,
    EntryFailed,
    EntryUsed,
    Pushed,
    RechargeRolled,
    Rolled,
    Skipped,
    Teleported,
    Unaffected,
)
from turnwright.play.harm import deal, is_active, row_name
from turnwright.play.procedures.arrivals import bring_in
from turnwright.play.procedures.hurled import hurl, leave_open_where
from turnwright.play.procedures.lacks import damage_of, leave_conditions, save_ask
from turnwright.play.procedures.loop import Answers, Stage, ask, at, open_asks, prompt_of
from turnwright.play.procedures.offers import is_offer, with_offers
from turnwright.play.procedures.trials import hazard_of, row_of, take_result
from turnwright.play.procedures.withdrawals import BROKEN, withdraw_broken, withdraw_offers
from turnwright.play.resources import spend
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.statements import holds
from turnwright.rules.parts.surroundings import eligible, ledger_for, spared_by, state_of
from turnwright.rules.parts.table_rules import change_of
from turnwright.rules.system import RuleSystem

WHOLE, REDUCED = "whole", "reduced"
USE, LEAVE = "use", "leave"


def targets(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask on whom, unless somebody has said so; a row that strikes nobody is only offered when the world acts."""
    data = hazard_of(procedure)
    found = row_of(tx, rules, data)
    if found is None:
        return None
    environment, row = found
    asks = _asks_whom(tx, rules, environment, data)
    if data.agreed and not asks:
        return at(procedure, "use", _with_actor(row, data))
    if row.affects == "actor" and data.actor and not asks:
        return at(procedure, "use", msgspec.structs.replace(data, targets=(data.actor,)))
    if row.affects == "nobody" and not data.world:
        return at(procedure, "use")
    ask(
        tx,
        procedure,
        "prompt.world_action",
        [_targets_ask(tx, rules, environment, row, data.only)],
        subject=row.name,
        rule=ledger_for(row),
    )
    return at(procedure, "agreed")


def _asks_whom(tx: Transaction, rules: RuleSystem, environment: Environment, data: Hazard) -> bool:
    """Return whether this table wants to be asked whom a row strikes that would strike somebody on another's turn."""
    change = change_of(tx, rules, environment, data.entry)
    touched = data.actor or next(iter(data.targets), "")
    return change is not None and change.asks and bool(touched) and not is_active(tx, touched)


def _targets_ask(tx: Transaction, rules: RuleSystem, environment: Environment, row: Entry, only: str = "") -> Ask:
    if row.affects == "nobody":
        return Ask(
            id="who",
            kind="choice",
            label="ask.use",
            detail=row.text,
            options=(Option(USE, "option.use"), Option(LEAVE, "option.leave")),
            suggested=(USE,),
            rule=ledger_for(row),
        )
    reached = (one for one in eligible(tx, environment, row, rules) if only in ("", one.id))
    options = tuple(Option(one.id, one.label) for one in reached)
    return Ask(
        id="who",
        kind="targets",
        label=f"ask.targets_{row.affects}",
        detail=row.within,
        options=options,
        suggested=tuple(option.id for option in options) if row.affects == "each" else (),
        most=1 if row.affects == "one" or (row.affects == "actor" and row.check) else 0,
        rule=rules.cite("world.range"),
    )


def _with_actor(row: Entry, data: Hazard) -> Hazard:
    """Return the same with the one named as a target trying the row's check, where it is for them to try."""
    if row.affects == "actor" and row.check is not None and not data.actor and len(data.targets) == 1:
        return msgspec.structs.replace(data, actor=data.targets[0])
    return data


def agreed(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Take the answer; a row that nobody is to suffer is not used and stays ready."""
    data = hazard_of(procedure)
    found = row_of(tx, rules, data)
    answer = answers.get("who", Answered("who", skipped=True))
    if found is None:
        return None
    had = state_of(tx, data.environment, data.entry).targeted if found[1].once == "encounter" else ()
    struck = tuple(who for who in answer.chosen if who not in (USE, LEAVE, *had))
    if answer.skipped or not (struck or USE in answer.chosen):
        _lapse(tx, *found)
        tx.emit(Skipped(purpose="ask.use", detail=row_name(*found)))
        return None
    return at(procedure, "use", _with_actor(found[1], msgspec.structs.replace(data, targets=struck, agreed=True)))


def _lapse(tx: Transaction, environment: Environment, row: Entry) -> None:
    """Let what was disturbed hold after all, once its last round has come and nobody has brought it down."""
    state = state_of(tx, environment.id, row.id)
    if state.due and tx.need(Clock, "clock").round >= state.due:
        tx.update(state, due=0)


def use(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Set the row off: note whom it has struck, spend it, and let whoever uses it try their check first."""
    data = hazard_of(procedure)
    found = row_of(tx, rules, data)
    if found is None:
        return None
    environment, row = found
    if _broken_meanwhile(tx, rules, environment, row, data):
        return None
    if data.actor and row.check and row.check.against and set(data.targets) <= {data.actor}:
        return at(procedure, "caster")
    state = state_of(tx, environment.id, row.id)
    tx.emit(
        EntryUsed(
            environment=environment.id, entry=row.id, targets=data.targets, actor=data.actor, rule=ledger_for(row)
        )
    )
    if row.once == "encounter":
        state = msgspec.structs.replace(state, targeted=(*state.targeted, *data.targets))
    if row.recharge:
        if state.ready:
            withdraw_offers(tx, rules, environment, row, procedure.id)
        state = msgspec.structs.replace(state, ready=False, rolled=tx.need(Clock, "clock").round)
    if state != state_of(tx, environment.id, row.id):
        tx.put(state)
    cost = row.check.cost if row.check else row.cost
    free = row.check is not None and bool(row.check.free_by) and rules.option(tx, row.check.free_by)
    if data.actor and cost and not free:
        spend(tx, rules, data.actor, cost)
    if data.actor and row.check is not None and not row.check.against:
        return at(procedure, "check")
    if data.actor and row.check is not None:
        _break(tx, rules, environment, row, procedure)
        return at(procedure, "contest")
    return at(procedure, "strike")


def _broken_meanwhile(tx: Transaction, rules: RuleSystem, environment: Environment, row: Entry, data: Hazard) -> bool:
    """Return whether a row has broken since this use of it began, saying so: it goes off once."""
    broken = state_of(tx, environment.id, row.id).broken and not data.insisted
    if broken:
        rule = ledger_for(row, rules.cite("env.rule.mirror-breaks"))
        tx.emit(
            EntryFailed(environment=environment.id, entry=row.id, actor=data.actor, reason=BROKEN, rule=rule),
        )
    return broken


def _break(tx: Transaction, rules: RuleSystem, environment: Environment, row: Entry, procedure: Procedure) -> None:
    """Break what breaks as it is used, and withdraw every other card that offers it."""
    if row.breaks:
        tx.update(state_of(tx, environment.id, row.id), broken=True)
        withdraw_broken(tx, rules, environment, row, procedure.id)


def strike(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Leave out those whom something spares, and ask the others for their save, if there is one."""
    data = hazard_of(procedure)
    found = row_of(tx, rules, data)
    if found is None:
        return None
    environment, row = found
    if _broken_meanwhile(tx, rules, environment, row, data):
        return None
    _break(tx, rules, environment, row, procedure)
    struck = tuple(who for who in data.targets if _reaches(tx, rules, environment, row, who))
    data = msgspec.structs.replace(data, targets=struck)
    if row.save is None:
        return at(procedure, "lacking", msgspec.structs.replace(data, failed=struck))
    rule = ledger_for(row, rules.cite("env.rule.end-of-turn-saves")) if row.trigger == "turn-end" else ledger_for(row)
    asks = (save_ask(tx, rules, row.save, who, rule) for who in struck)
    ask(tx, procedure, "prompt.save", asks, subject=row.name, rule=rule)
    return at(procedure, "saved", data)


def _reaches(tx: Transaction, rules: RuleSystem, environment: Environment, row: Entry, who: str) -> bool:
    """Return whether a row does anything to somebody now, and mark a thing that happens once a turn."""
    combatant = tx.get(Combatant, who)
    if combatant is None or combatant.dead:
        return False
    spared = spared_by(tx, rules, who, row)
    if spared:
        rule = ledger_for(row, rules.cite("env.rule.frost-exempt"))
        tx.emit(Unaffected(who=who, what=row.name, reason=f"<statement.{spared}>", rule=rule))
        return False
    if row.once == "turn":
        mark = f"once:{environment.id}.{row.id}"
        if any(effect.target == who and effect.name == mark for effect in tx.all(Effect)):
            rule = ledger_for(row, rules.cite("env.rule.first-touch"))
            tx.emit(Unaffected(who=who, what=row.name, reason="why.once_a_turn", rule=rule))
            return False
        tx.put(Effect(tx.next_id("effect"), who, mark, ends=Ends("turn"), shown=False))
    return True


def saved(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Sort out who failed."""
    data = hazard_of(procedure)
    found = row_of(tx, rules, data)
    if found is None or found[1].save is None:
        return None
    save = found[1].save
    rule = ledger_for(found[1])
    failed = tuple(
        who
        for who in data.targets
        if who in answers
        and not answers[who].skipped
        and not take_result(tx, rules, answers[who], "ask.save", who, f"<save.{save.ability}>", save.dc, rule)
    )
    for who in data.targets:
        if who not in answers or answers[who].skipped:
            tx.emit(Skipped(purpose="ask.save", who=who, detail=found[1].name))
    return at(procedure, "lacking", msgspec.structs.replace(data, failed=failed))


def harm(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask the damage, once for all whom it strikes alike."""
    data = hazard_of(procedure)
    found = row_of(tx, rules, data)
    if found is None:
        return None
    row, said = found[1], dict(data.said)
    if row.damage and data.failed:
        rule = rules.cite("damage.multi-target") if len(data.failed) > 1 else ledger_for(row)
        asks = [
            Ask(id=group, kind="roll", label="ask.damage", detail=row.name, spec=RollSpec(dice), rule=rule)
            for group, dice in ((WHOLE, damage_of(row, said)), (REDUCED, damage_of(row, said, reduced=True)))
            if any(_group(tx, rules, row, who) == group for who in data.failed)
        ]
        ask(tx, procedure, "prompt.damage", asks, subject=row.name, rule=rule)
    return at(procedure, "settle")


def _group(tx: Transaction, rules: RuleSystem, row: Entry, who: str) -> str:

    return REDUCED if row.reduced and holds(tx, rules, who, row.reduced) else WHOLE


def settle(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Deal the damage and leave behind what the row leaves behind."""
    data = hazard_of(procedure)
    found = row_of(tx, rules, data)
    if found is None:
        return None
    environment, row = found
    source = row_name(environment, row)
    for group, answer in answers.items():
        if answer.skipped or answer.roll is None or answer.roll.total is None:
            tx.emit(Skipped(purpose="ask.damage", detail=source))
        else:
            tx.emit(Rolled(purpose="ask.damage", roll=answer.roll, detail=source, rule=ledger_for(row)))
            for who in data.failed:
                if _group(tx, rules, row, who) == group:
                    deal(tx, rules, who, answer.roll.parts, source=source, roll=answer.roll, parent=procedure.id)
    goes_on = row.recharge and not row.breaks and any(each.id == row.id for each in environment.actions)
    for who in data.failed:
        _leave_behind(tx, rules, environment, row, who, dict(data.said))
    hurl(tx, rules, data.failed, row, procedure.id if goes_on else procedure.parent)
    if row.spawn is not None:
        bring_in(tx, rules, environment, row, procedure.id)
    state = state_of(tx, environment.id, row.id)
    if state.due:
        tx.update(state, due=0)
    if not goes_on:
        return None
    rule = rules.cite("world.recharge.after-use")
    ask(tx, procedure, "prompt.recharge", [recharge_ask(rules, environment, row, rule)], rule=rule)
    return at(procedure, "recharge")


def _leave_behind(
    tx: Transaction, rules: RuleSystem, environment: Environment, row: Entry, who: str, said: Mapping[str, str]
) -> None:
    rule = ledger_for(row)
    leave_conditions(tx, rules, environment, row, who, said)
    if row.push:
        tx.emit(Pushed(who=who, feet=row.push, rule=rule))
    if row.teleport:
        tx.emit(Teleported(who=who, feet=row.teleport, rule=rule))
    if row.push or row.teleport:
        leave_open_where(tx, rules, who)


def recharge(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """See whether the world action is back at once."""
    found = row_of(tx, rules, hazard_of(procedure))
    if found is not None:
        environment, row = found
        answer = answers.get(f"{environment.id}.{row.id}", Answered("", skipped=True))
        take_recharge(tx, environment, row, answer, rules.cite("world.recharge.after-use"))


def recharge_ask(rules: RuleSystem, environment: Environment, row: Entry, rule: str) -> Ask:
    """Return the ask of a recharge roll for one world action."""
    return Ask(
        id=f"{environment.id}.{row.id}",
        kind="roll",
        label="ask.recharge",
        detail=row.name,
        spec=RollSpec(rules.world.recharge_die),
        dc=row.recharge,
        rule=rule,
    )


def take_recharge(tx: Transaction, environment: Environment, row: Entry, answer: Answered, rule: str) -> None:
    """Take a recharge roll: at or above its figure the world action is back."""
    state = state_of(tx, environment.id, row.id)
    face = answer.roll.total if answer.roll is not None else None
    if not answer.chosen and face is None:
        tx.emit(Skipped(purpose="ask.recharge", detail=row.name))
        return
    ready = MADE in answer.chosen or (face or 0) >= row.recharge
    tx.update(state, ready=ready, rolled=tx.need(Clock, "clock").round)
    tx.emit(
        RechargeRolled(
            environment=environment.id,
            entry=row.id,
            face=face or 0,
            needed=row.recharge,
            ready=ready,
            rule=rule,
        )
    )


def renew(tx: Transaction, rules: RuleSystem, procedure: Procedure, row: Entry) -> None:
    """Let the open card of an edited row ask by its figures as they now stand."""
    prompt = prompt_of(tx, procedure.id)
    if prompt is not None:
        waiting = open_asks(prompt)
        asks = with_offers(
            tx,
            (
                _renewed(tx, rules, procedure, row, each) if each in waiting else each
                for each in prompt.asks
                if not is_offer(each.id)
            ),
        )
        if asks != prompt.asks:
            tx.update(prompt, asks=asks)


def _renewed(tx: Transaction, rules: RuleSystem, procedure: Procedure, row: Entry, asked: Ask) -> Ask:
    stage = procedure.stage
    if stage == "saved" and row.save is not None:
        return save_ask(tx, rules, row.save, asked.who, asked.rule)
    said = dict(hazard_of(procedure).said)
    dice = damage_of(row, said, reduced=asked.id == REDUCED)
    if stage == "settle" and dice:
        return msgspec.structs.replace(asked, spec=RollSpec(dice))
    return msgspec.structs.replace(asked, dc=row.recharge) if stage == "recharge" else asked


def disturb(tx: Transaction, environment: Environment, row: Entry) -> None:
    """Note that something was disturbed and by which round it may come down."""
    due = tx.need(Clock, "clock").round + row.delay
    tx.update(state_of(tx, environment.id, row.id), due=due)
    tx.emit(Disturbed(environment=environment.id, entry=row.id, due=due, rule=ledger_for(row)))


STAGES: dict[tuple[str, str], Stage] = {
    ("hazard", "targets"): targets,
    ("hazard", "agreed"): agreed,
    ("hazard", "use"): use,
    ("hazard", "strike"): strike,
    ("hazard", "saved"): saved,
    ("hazard", "harm"): harm,
    ("hazard", "settle"): settle,
    ("hazard", "recharge"): recharge,
}
