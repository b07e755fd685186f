"""Commands of harm and help: damage, healing, temporary hit points, conditions, death, and corrections by hand."""

from __future__ import annotations

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.encounter.pending import Harm, KeepTemporary
from turnwright.encounter.running import Clock, Combatant, Effect
from turnwright.play.commands import (
    ApplyCondition,
    ApplyDamage,
    EndEffect,
    GrantTemporary,
    Heal,
    SetDead,
    SetHitPoints,
)
from turnwright.play.events import Died, Healed, HitPointsSet, RestoredToLife
from turnwright.play.harm import end_effect, put_condition
from turnwright.play.procedures.hurts import give_temporary
from turnwright.play.procedures.loop import begin
from turnwright.play.procedures.order import level_slots, seek_places
from turnwright.play.refusals import Refused
from turnwright.play.resources import label
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.system import RuleSystem


def apply_damage(command: ApplyDamage, tx: Transaction, rules: RuleSystem) -> None:
    """Roll damage once and deal it to every target; a plain number needs no roll."""
    targets = _need_targets(command.targets, tx)
    try:
        parse(command.damage)
    except DiceError as error:
        raise Refused("refused.dice_expression", params={"what": command.damage, "why": str(error)}) from error
    harm = Harm(targets, command.damage, command.source, command.mundane, command.share, command.modifiers)
    begin(tx, "harm", "roll", harm)


def heal(command: Heal, tx: Transaction, rules: RuleSystem) -> None:
    """Restore hit points, up to the maximum; the dead stay as they are."""
    targets = _need_targets(command.targets, tx)
    _need_amount(command.amount)
    for who in targets:
        combatant = tx.need(Combatant, who)
        if combatant.dead:
            tx.forbid("refused.dead", rules.cite("heal.dead"), who=label(tx, who))
        healed = min(combatant.hp_max, combatant.hp + command.amount)
        hp = max(combatant.hp, healed)
        tx.update(combatant, hp=hp)
        topic = "heal.excess" if combatant.hp + command.amount > combatant.hp_max else "hp.heal"
        tx.emit(
            Healed(
                target=who,
                amount=command.amount,
                hp_before=combatant.hp,
                hp_after=hp,
                source=command.source,
                rule=rules.cite(topic),
            )
        )
        contributions(tx, rules, Hook.HEALED, Moment(who, command.source))


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
    """Correct hit points by hand, within 0 and the maximum."""
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


def set_dead(command: SetDead, tx: Transaction, rules: RuleSystem) -> None:
    """Note a death, or that somebody was restored to life."""
    combatant = tx.need(Combatant, command.who)
    if combatant.dead == command.dead:
        return
    if command.dead:
        tx.update(combatant, dead=True, hp=0)
        tx.emit(Died(who=command.who))
    else:
        tx.update(combatant, dead=False)
        tx.emit(RestoredToLife(who=command.who, rule=rules.cite("heal.dead")))
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


def _need_amount(amount: int) -> None:
    if amount < 0:
        raise Refused("refused.negative")
