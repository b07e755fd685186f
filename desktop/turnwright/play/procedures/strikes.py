"""What a hit does: its damage, doubled where it is critical, and what it leaves on whom it struck."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Roll
from turnwright.encounter.pending import FAILED, MADE, Answered, Ask, Assault, Option, Procedure
from turnwright.encounter.prepared import Environment, Obstacle
from turnwright.encounter.running import Combatant, ThingState
from turnwright.play.assaults import name_of
from turnwright.play.commands import UseEntry
from turnwright.play.events import Pushed, Rolled, Skipped, ThingBroken, ThingDamaged
from turnwright.play.harm import deal, ends_for, put_condition
from turnwright.play.procedures.attacks import assault_of
from turnwright.play.procedures.criticals import PASS, block
from turnwright.play.procedures.loop import Answers, Stage, ask, at
from turnwright.play.procedures.ongoing import put_ongoing
from turnwright.play.procedures.trials import take_result
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.aim import thing_of
from turnwright.rules.parts.attacks import MELEE, tags_of
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.means import is_nonmagical
from turnwright.rules.system import RuleSystem


def row(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Bring down the thing of an environment that was hit: its own row says what follows."""
    from turnwright.play.handlers.world import use_entry

    data = assault_of(procedure)
    place, _, entry = data.target.partition(".")
    thing = thing_of(tx, data.target)
    if tx.get(Environment, place) is None or thing is None:
        return
    total = data.roll.total if data.roll is not None and data.roll.total is not None else thing.ac
    use_entry(UseEntry(place, entry, actor=data.attacker, attack=max(total, thing.ac)), tx, rules)


def damage(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Take what the target did about a critical hit, then ask the damage; a save that halves it is made with it."""
    data = assault_of(procedure)
    if tx.get(Combatant, data.attacker) is None or not name_of(tx, data):  # gone while the target was asked
        return None
    said = answers.get("block")
    if said is not None and said.chosen and PASS not in said.chosen:
        block(tx, rules, data.target, said.chosen[0])
        data = msgspec.structs.replace(data, critical=False)
    thing = thing_of(tx, data.target) if data.thing else None
    if isinstance(thing, Obstacle) and not thing.hp:
        return None
    spec = rules.attack.damage(tx, rules, data)
    if spec is None:
        return at(procedure, "effects", data)
    rule = next((one.rule for one in spec.modifiers if one.rule), rules.cite("damage.form"))
    asks = [Ask("damage", "roll", "ask.damage", data.attacker, data.means.name, spec, rule=rule)]
    if data.means.half and not data.thing:
        asks += _save_asks(tx, rules, data)
    ask(tx, procedure, "prompt.damage", asks, subject=name_of(tx, data), rule=rule)
    return at(procedure, "strike", data)


def strike(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Deal what was rolled."""
    data = assault_of(procedure)
    answer = answers.get("damage", Answered("damage", skipped=True))
    if not name_of(tx, data):
        return None
    made = _made(tx, rules, data, answers) if data.means.half else None
    if answer.roll is None or answer.roll.total is None:
        tx.emit(Skipped(purpose="ask.damage", who=data.attacker, detail=data.means.name))
    else:
        _deal(tx, rules, procedure, data, answer.roll, halved=bool(made))
        data = msgspec.structs.replace(data, damage=answer.roll)
    if data.thing:
        return None
    if made is None:
        return at(procedure, "effects", data)
    if not made:
        _leave(tx, rules, data)
    return None


def _deal(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Assault, roll: Roll, *, halved: bool) -> None:
    if roll.origin != "fixed":
        tx.emit(
            Rolled(
                who=data.attacker,
                purpose="ask.damage",
                roll=roll,
                detail=data.means.name,
                rule=rules.cite("damage.form"),
            )
        )
    times = rules.catalogue.attack.critical_times if data.critical else 1
    if data.thing:
        _break(tx, rules, data, max(0, (roll.total or 0) * times))
        return
    deal(
        tx,
        rules,
        data.target,
        roll.parts,
        source=data.means.name,
        mundane=is_nonmagical(data.means),
        share="half" if halved else "full",
        roll=roll,
        by=data.attacker,
        melee=MELEE in tags_of(tx, rules, data),
        cause="attack",
        critical=data.critical,
        parent=procedure.id,
        times=times,
    )


def _break(tx: Transaction, rules: RuleSystem, data: Assault, amount: int) -> None:
    """Take hit points from a thing of the map; with none left it is gone."""
    thing = thing_of(tx, data.target)
    if not isinstance(thing, Obstacle):
        return
    left, rule = max(0, thing.hp - amount), rules.cite("attack.ac-source")
    state = tx.get(ThingState, thing.id) or ThingState(thing.id)
    tx.put(msgspec.structs.replace(state, hp=left, broken=not left))
    name = thing.name or thing.id
    if left:
        tx.emit(ThingDamaged(thing=name, amount=amount, left=left, rule=rule))
    else:
        tx.emit(ThingBroken(thing=name, amount=amount, rule=rule))


def effects(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Let whoever was hit save against the rest of it, where there is a save."""
    data = assault_of(procedure)
    if data.thing or is_out(tx, data.target):
        return None
    asks = _save_asks(tx, rules, data)
    if not asks:
        _leave(tx, rules, data)
        return None
    ask(tx, procedure, "prompt.save", asks, subject=data.means.name, rule=asks[0].rule)
    return at(procedure, "saved")


def saved(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Leave the rest of the hit on whoever failed the save."""
    data = assault_of(procedure)
    if tx.get(Combatant, data.target) is not None and _made(tx, rules, data, answers) is False:
        _leave(tx, rules, data)


def _save_asks(tx: Transaction, rules: RuleSystem, data: Assault) -> list[Ask]:
    """Return the save that the hit calls for; where nobody knows its DC a person says how it went."""
    means, rule = data.means, rules.cite("attack.resolve")
    if not means.save:
        return []
    detail = f"<save.{means.save}>"
    if not means.dc:
        options = (Option(MADE, "option.made"), Option(FAILED, "option.failed"))
        return [Ask("save", "choice", "ask.save", data.target, detail, options=options, rule=rule)]
    attacker = data.attacker if tx.get(Combatant, data.attacker) is not None else ""
    spec = rules.checks.save(tx, rules, data.target, means.save, attacker)
    return [Ask("save", "roll", "ask.save", data.target, detail, spec, means.dc, rule=rule)]


def _made(tx: Transaction, rules: RuleSystem, data: Assault, answers: Answers) -> bool | None:
    """Return whether the save was made, None where nobody made one."""
    answer = answers.get("save")
    if answer is None:
        return None
    detail = f"<save.{data.means.save}>"
    if answer.skipped:
        tx.emit(Skipped(purpose="ask.save", who=data.target, detail=detail))
        return None
    return take_result(tx, answer, "ask.save", data.target, detail, data.means.dc, rules.cite("attack.resolve"))


def _leave(tx: Transaction, rules: RuleSystem, data: Assault) -> None:
    """Leave on whoever was hit what the attack leaves: conditions, ongoing damage, a push."""
    means, rule, target = data.means, rules.cite("attack.resolve"), data.target
    for one in means.afflictions:
        put_condition(
            tx,
            rules,
            target,
            one.condition,
            value=one.escape_dc,
            ends=ends_for(tx, one, target, ""),
            source=means.name,
            break_free=one.break_free,
            rule=rule,
        )
    if means.ongoing:
        put_ongoing(tx, rules, target, means.ongoing, source=means.name, by=data.attacker)
    if means.push:
        tx.emit(Pushed(who=target, feet=means.push, rule=rule))


STAGES: dict[tuple[str, str], Stage] = {
    ("attack", "row"): row,
    ("attack", "damage"): damage,
    ("attack", "strike"): strike,
    ("attack", "effects"): effects,
    ("attack", "saved"): saved,
}
