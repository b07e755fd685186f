"""What a hit does: its damage, doubled where it is critical, and what it leaves on whom it struck."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Roll, RollSpec
from turnwright.encounter.pending import CRITICAL_SUCCESS, SUCCESS, Answered, Ask, Assault, Degree, Procedure
from turnwright.encounter.prepared import Environment, Obstacle
from turnwright.encounter.running import Combatant, ThingState
from turnwright.play.assaults import name_of
from turnwright.play.commands import UseEntry
from turnwright.play.events import Rolled, Skipped, ThingBroken, ThingDamaged
from turnwright.play.harm import deal
from turnwright.play.procedures.afflicting import afflict, save_ask
from turnwright.play.procedures.attacks import assault_of
from turnwright.play.procedures.criticals import PASS, block
from turnwright.play.procedures.loop import Answers, Stage, ask, at
from turnwright.play.procedures.setting_off import set_off
from turnwright.play.procedures.trials import take_degree
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.action_rolls import set_dc
from turnwright.rules.parts.aim import thing_of
from turnwright.rules.parts.attacks import MELEE, tags_of
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.critical_dice import added
from turnwright.rules.parts.degrees import NO_SHARE, is_good, share_for
from turnwright.rules.parts.means import is_nonmagical
from turnwright.rules.system import RuleSystem


def row(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Bring down the thing of an environment that was hit: its own row says what follows."""
    data = assault_of(procedure)
    place, _, entry = data.target.partition(".")
    thing = thing_of(tx, data.target)
    if tx.get(Environment, place) is None or thing is None:
        return
    total = data.roll.total if data.roll is not None and data.roll.total is not None else thing.ac
    set_off(tx, rules, UseEntry(place, entry, actor=data.attacker, attack=max(total, thing.ac)))


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
    rule = rules.cite("critical.dice") if spec.doubled else rule
    asks = [Ask("damage", "roll", "ask.damage", data.attacker, data.means.name, spec, rule=rule)]
    besides = added(rules, data)
    if besides:
        cited = rules.cite("critical.double")
        asks.append(
            Ask("besides", "roll", "ask.critical_dice", data.attacker, data.means.name, RollSpec(besides), rule=cited)
        )
    if _halved_by_save(data):
        asks += _save_asks(tx, rules, data)
    ask(tx, procedure, "prompt.damage", asks, subject=name_of(tx, data), rule=rule)
    return at(procedure, "strike", data)


def strike(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Deal what was rolled."""
    data = assault_of(procedure)
    answer = answers.get("damage", Answered("damage", skipped=True))
    if not name_of(tx, data):
        return None
    degree = _degree(tx, rules, data, answers) if _halved_by_save(data) else None
    made = None if degree is None else is_good(degree)
    if answer.roll is None or answer.roll.total is None:
        tx.emit(Skipped(purpose="ask.damage", who=data.attacker, detail=data.means.name))
    else:
        besides = _besides(tx, rules, data, answers)
        _deal(tx, rules, procedure, data, answer.roll, share=share_for(rules, degree), besides=besides)
        data = msgspec.structs.replace(data, damage=answer.roll)
    if data.thing:
        return None
    if made is None:
        return at(procedure, "effects", data)
    _leave(tx, rules, procedure, data, degree or "", warded=made)
    return None


def _halved_by_save(data: Assault) -> bool:
    """Return whether a save against the hit halves the very damage that it deals."""
    return data.means.half and not data.thing and not data.means.save_damage


def _besides(tx: Transaction, rules: RuleSystem, data: Assault, answers: Answers) -> int:
    """Return what a critical hit's further dice came to."""
    answer = answers.get("besides")
    if answer is None or answer.roll is None or answer.roll.total is None:
        return 0
    rule = rules.cite("critical.double")
    rolled = Rolled(who=data.attacker, purpose="ask.critical_dice", roll=answer.roll, detail=data.means.name, rule=rule)
    tx.emit(rolled)
    return answer.roll.total


def _deal(
    tx: Transaction,
    rules: RuleSystem,
    procedure: Procedure,
    data: Assault,
    roll: Roll,
    *,
    share: str,
    besides: int = 0,
) -> None:
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
        _break(tx, rules, data, max(rules.catalogue.attack.least, (roll.total or 0) * times + besides))
        return
    deal(
        tx,
        rules,
        data.target,
        roll.parts,
        source=data.means.name,
        mundane=is_nonmagical(data.means),
        share=share,
        roll=roll,
        by=data.attacker,
        melee=MELEE in tags_of(tx, rules, data),
        cause="attack",
        critical=data.critical,
        parent=procedure.id,
        times=times,
        besides=besides,
        least=rules.catalogue.attack.least,
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
        _leave(tx, rules, procedure, data, CRITICAL_SUCCESS if data.critical else SUCCESS)
        return None
    ask(tx, procedure, "prompt.save", asks, subject=data.means.name, rule=asks[0].rule)
    return at(procedure, "saved")


def saved(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Leave the rest of the hit on whoever failed the save, and ask what it deals besides."""
    data = assault_of(procedure)
    degree = _degree(tx, rules, data, answers) if tx.get(Combatant, data.target) is not None else None
    if degree is None:
        return None
    _leave(tx, rules, procedure, data, degree, warded=is_good(degree))
    means, rule = data.means, rules.cite("attack.resolve")
    share = share_for(rules, degree) if means.half else NO_SHARE if is_good(degree) else "full"
    if not means.save_damage or share == NO_SHARE:
        return None
    asked = Ask("damage", "roll", "ask.damage", data.attacker, means.name, RollSpec(means.save_damage), rule=rule)
    ask(tx, procedure, "prompt.damage", [asked], subject=means.name, rule=rule)
    return at(procedure, "further", msgspec.structs.replace(data, share=share))


def further(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Deal what a hit does besides to whoever saved so; its dice are not those of the hit, so nothing doubles them."""
    data = assault_of(procedure)
    answer = answers.get("damage")
    if tx.get(Combatant, data.target) is None:
        return
    if answer is None or answer.roll is None or answer.roll.total is None:
        tx.emit(Skipped(purpose="ask.damage", who=data.attacker, detail=data.means.name))
        return
    bare = msgspec.structs.replace(data, critical=False)
    _deal(tx, rules, procedure, bare, answer.roll, share=data.share)


def _save_asks(tx: Transaction, rules: RuleSystem, data: Assault) -> list[Ask]:
    """Return the save that the hit calls for, if any."""
    rule = rules.cite("attack.resolve")
    means = data.means
    dc = _dc(tx, rules, data)
    return [save_ask(tx, rules, means.save, dc, data.target, data.attacker, rule)] if means.save else []


def _dc(tx: Transaction, rules: RuleSystem, data: Assault) -> int:
    """Return the DC of the save that the hit calls for, with what is the matter with whoever sets it."""
    return set_dc(tx, rules, data.attacker, data.means.dc, tags_of(tx, rules, data))


def _degree(tx: Transaction, rules: RuleSystem, data: Assault, answers: Answers) -> Degree | None:
    """Return how the save went, None where nobody made one."""
    answer = answers.get("save")
    if answer is None:
        return None
    detail = f"<save.{data.means.save}>"
    if answer.skipped:
        tx.emit(Skipped(purpose="ask.save", who=data.target, detail=detail))
        return None
    return take_degree(
        tx, rules, answer, "ask.save", data.target, detail, _dc(tx, rules, data), rules.cite("attack.resolve")
    )


def _leave(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Assault, degree: str, *, warded: bool = False
) -> None:
    """Leave on whoever was hit what the attack leaves, by how well they saved or, without a save, how well it hit."""
    rule = rules.cite("attack.resolve")
    afflict(tx, rules, data.means, (data.target,), data.attacker, rule, procedure.id, degree=degree, warded=warded)


STAGES: dict[tuple[str, str], Stage] = {
    ("attack", "row"): row,
    ("attack", "damage"): damage,
    ("attack", "strike"): strike,
    ("attack", "effects"): effects,
    ("attack", "saved"): saved,
    ("attack", "further"): further,
}
