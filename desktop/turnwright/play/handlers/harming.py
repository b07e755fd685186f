"""Commands of harm and help: damage, healing, temporary hit points, conditions, death, and corrections by hand."""

from __future__ import annotations

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.encounter.pending import Harm, KeepTemporary
from turnwright.encounter.running import Clock, Combatant, Effect
from turnwright.play.commands import (
    Annotate,
    ApplyCondition,
    ApplyDamage,
    ApplyOngoing,
    Concentrate,
    EndEffect,
    GrantTemporary,
    Heal,
    SetDead,
    SetHitPoints,
)
from turnwright.play.events import HitPointsSet, RestoredToLife
from turnwright.play.harm import INCAPACITATED, end_effect, put_condition
from turnwright.play.procedures.concentration import concentrate
from turnwright.play.procedures.dying import die, regain, wake
from turnwright.play.procedures.hurts import give_temporary
from turnwright.play.procedures.loop import begin
from turnwright.play.procedures.ongoing import put_ongoing
from turnwright.play.procedures.order import level_slots, seek_places
from turnwright.play.procedures.remedies import offer_remedy
from turnwright.play.refusals import Refused
from turnwright.play.resources import label
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.statements import condition_names
from turnwright.rules.system import RuleSystem


def apply_damage(command: ApplyDamage, tx: Transaction, rules: RuleSystem) -> None:
    """Roll damage once and deal it to every target; a plain number needs no roll."""
    targets = _need_targets(command.targets, tx)
    _need_dice(command.damage)
    if command.by:
        tx.need(Combatant, command.by)
    harm = Harm(
        targets,
        command.damage,
        command.source,
        command.mundane,
        command.share,
        command.modifiers,
        command.by,
        command.attack,
        command.critical,
    )
    begin(tx, "harm", "roll", harm)


def heal(command: Heal, tx: Transaction, rules: RuleSystem) -> None:
    """Restore hit points, up to the maximum; the dead stay as they are."""
    targets = _need_targets(command.targets, tx)
    _need_amount(command.amount)
    for who in targets:
        combatant = tx.need(Combatant, who)
        if combatant.dead:
            tx.forbid("refused.dead", rules.cite("heal.dead"), who=label(tx, who))
            _come_back(tx, rules, combatant, 0)  # somebody insists
        topic = "heal.excess" if combatant.hp + command.amount > combatant.hp_max else "hp.heal"
        regain(tx, rules, who, command.amount, source=command.source, rule=rules.cite(topic))
        offer_remedy(tx, rules, who, command.source)


def grant_temporary(command: GrantTemporary, tx: Transaction, rules: RuleSystem) -> None:
    """Grant temporary hit points; who has some already is asked which to keep."""
    targets = _need_targets(command.targets, tx)
    _need_amount(command.amount)
    for who in targets:
        combatant = tx.need(Combatant, who)
        if combatant.temp_hp:
            begin(tx, "temporary", "choose", KeepTemporary(who, command.amount, command.source))
        else:
            give_temporary(tx, rules, combatant, command.amount, command.source, taken=True)


def set_hit_points(command: SetHitPoints, tx: Transaction, rules: RuleSystem) -> None:
    """Correct hit points by hand, within 0 and the maximum; the dead get none."""
    combatant = tx.need(Combatant, command.who)
    if combatant.dead and ((command.hp or 0) > 0 or (command.temp_hp or 0) > 0):
        tx.forbid("refused.dead", rules.cite("heal.dead"), who=label(tx, command.who))
        _come_back(tx, rules, combatant, 0)
        combatant = tx.need(Combatant, command.who)
    most = combatant.hp_max if command.hp_max is None else command.hp_max
    hp = combatant.hp if command.hp is None else command.hp
    temp = combatant.temp_hp if command.temp_hp is None else command.temp_hp
    if most < 1 or temp < 0:
        raise Refused("refused.hp", params={"what": combatant.label})
    hp = max(0, min(hp, most))
    after = tx.update(combatant, hp=hp, hp_max=most, temp_hp=temp)
    if after != combatant:
        tx.emit(HitPointsSet(who=command.who, hp=hp, temp_hp=temp, hp_max=most, rule=rules.cite("hp.range")))
    if combatant.hp == 0 and hp > 0:
        wake(tx, rules, command.who)


def set_dead(command: SetDead, tx: Transaction, rules: RuleSystem) -> None:
    """Note a death, or that somebody was restored to life."""
    combatant = tx.need(Combatant, command.who)
    if combatant.dead == command.dead:
        return
    if command.dead:
        die(tx, rules, command.who, "")
        return
    _come_back(tx, rules, combatant, command.hp)
    offer_remedy(tx, rules, command.who, command.source)


def _come_back(tx: Transaction, rules: RuleSystem, combatant: Combatant, hp: int) -> None:
    """Restore somebody to life with so many hit points."""
    tx.update(combatant, dead=False, hp=max(0, min(hp, combatant.hp_max)))
    tx.emit(RestoredToLife(who=combatant.id, rule=rules.cite("heal.dead")))
    _find_place_again(tx, combatant)


def _find_place_again(tx: Transaction, combatant: Combatant) -> None:
    """Ask of somebody who is back what the dead are not asked: a total, or the roll that parts a tie."""
    clock = tx.get(Clock, "clock")
    level = any(combatant.id in slot.members for slot in level_slots(tx))
    if clock is not None and clock.phase == "rounds" and (level or combatant.initiative is None):
        seek_places(tx, (combatant.id,))


def apply_condition(command: ApplyCondition, tx: Transaction, rules: RuleSystem) -> None:
    """Put a condition on each."""
    for who in _need_targets(command.targets, tx):
        condition = rules.conditions.get(command.condition)
        rule = condition.ledger[0] if condition and condition.ledger else ""
        put_condition(
            tx,
            rules,
            who,
            command.condition,
            value=command.value,
            ends=command.ends,
            source=command.source,
            rule=rule,
        )


def apply_ongoing(command: ApplyOngoing, tx: Transaction, rules: RuleSystem) -> None:
    """Put ongoing damage on each."""
    targets = _need_targets(command.targets, tx)
    _need_dice(command.damage)
    for who in targets:
        put_ongoing(tx, rules, who, command.damage, until=command.until, source=command.source)


def concentrate_command(command: Concentrate, tx: Transaction, rules: RuleSystem) -> None:
    """Let somebody concentrate on something. Who is incapacitated can't."""
    tx.need(Combatant, command.who)
    if INCAPACITATED in condition_names(tx, rules, command.who):
        rule = rules.cite("external.concentration")
        tx.forbid("refused.condition", rule, condition=f"<condition.{INCAPACITATED}>")
    concentrate(tx, rules, command.who, command.on)


def annotate(command: Annotate, tx: Transaction, rules: RuleSystem) -> None:
    """Write a reminder of one's own for an effect."""
    tx.update(tx.need(Effect, command.effect), note=command.text.strip())


def end_effect_command(command: EndEffect, tx: Transaction, rules: RuleSystem) -> None:
    """End an effect by hand."""
    end_effect(tx, rules, tx.need(Effect, command.effect))


def _need_targets(targets: tuple[str, ...], tx: Transaction) -> tuple[str, ...]:
    """Return the targets, each once: one act strikes nobody twice."""
    if not targets:
        raise Refused("refused.no_target")
    for who in targets:
        tx.need(Combatant, who)
    return tuple(dict.fromkeys(targets))


def _need_dice(expression: str) -> None:
    try:
        parse(expression)
    except DiceError as error:
        raise Refused("refused.dice_expression", params={"what": expression, "why": str(error)}) from error


def _need_amount(amount: int) -> None:
    if amount < 0:
        raise Refused("refused.negative")
