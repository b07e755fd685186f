"""Commands of harm and help: damage, healing, temporary hit points, conditions, death, and corrections by hand."""

from __future__ import annotations

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.encounter.pending import Aftermath, Harm, KeepTemporary
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
from turnwright.play.events import EffectGained, HitPointsSet, RestoredToLife
from turnwright.play.harm import INCAPACITATED, end_effect, put_condition, regain, wake
from turnwright.play.procedures.concentration import concentrate
from turnwright.play.procedures.dying import die
from turnwright.play.procedures.hurts import give_temporary
from turnwright.play.procedures.lasting import impose
from turnwright.play.procedures.loop import begin
from turnwright.play.procedures.ongoing import put_ongoing
from turnwright.play.procedures.order import seek_places
from turnwright.play.procedures.remedies import offer_remedy
from turnwright.play.procedures.ties import level_groups
from turnwright.play.refusals import Refused
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.conditions import is_immune_to
from turnwright.rules.parts.statements import condition_names
from turnwright.rules.system import RuleSystem, label_of


def apply_damage(command: ApplyDamage, tx: Transaction, rules: RuleSystem) -> None:
    """Roll damage once and deal it to every target; a plain number needs no roll."""
    targets = _need_targets(command.targets, tx)
    _need_dice(command.damage)
    if rules.catalogue.health.typed and any(not kind for kind in kinds_of(command.damage)):
        tx.forbid("refused.untyped", rules.cite("damage.form"))
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


def kinds_of(damage: str) -> tuple[str, ...]:
    """Return the types of damage in an expression, an empty one for what has none."""
    return tuple(dict.fromkeys(term.kind for term in parse(damage).terms))


def heal(command: Heal, tx: Transaction, rules: RuleSystem) -> None:
    """Restore hit points, up to the maximum; the dead stay as they are."""
    targets = _need_targets(command.targets, tx)
    _need_amount(command.amount)
    for who in targets:
        combatant = tx.need(Combatant, who)
        if combatant.dead:
            tx.forbid("refused.dead", rules.cite("heal.dead"), who=label_of(tx, who))
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
        if combatant.temp_hp and not rules.catalogue.health.temporary_adds:
            begin(tx, "temporary", "choose", KeepTemporary(who, command.amount, command.source))
        else:
            give_temporary(tx, rules, combatant, command.amount, command.source, taken=True)


def set_hit_points(command: SetHitPoints, tx: Transaction, rules: RuleSystem) -> None:
    """Correct hit points by hand, within 0 and the maximum; the dead get none. Whoever comes to 0 lies dying, or dies."""
    combatant = tx.need(Combatant, command.who)
    if combatant.dead and ((command.hp or 0) > 0 or (command.temp_hp or 0) > 0):
        tx.forbid("refused.dead", rules.cite("heal.dead"), who=label_of(tx, command.who))
        _come_back(tx, rules, combatant, 0)
        combatant = tx.need(Combatant, command.who)
    most = combatant.hp_max if command.hp_max is None else command.hp_max
    hp = combatant.hp if command.hp is None else command.hp
    temp = combatant.temp_hp if command.temp_hp is None else command.temp_hp
    if most < 1 or temp < 0:
        raise Refused("refused.hp", params={"what": combatant.label})
    hp = max(rules.catalogue.health.lowest(most), min(hp, most))
    after = tx.update(combatant, hp=hp, hp_max=most, temp_hp=temp)
    if after != combatant:
        tx.emit(HitPointsSet(who=command.who, hp=hp, temp_hp=temp, hp_max=most, rule=rules.cite("hp.range")))
    if combatant.hp <= 0 < hp:
        wake(tx, rules, command.who)
    elif hp <= 0 < combatant.hp:
        _lies_at_zero(tx, command.who, combatant.hp)


def _lies_at_zero(tx: Transaction, who: str, before: int = 0) -> None:
    """Let 0 hit points bring somebody what they bring, though nothing has hurt them."""
    begin(tx, "aftermath", "fall", Aftermath(who, 0, 0, before))


def set_dead(command: SetDead, tx: Transaction, rules: RuleSystem) -> None:
    """Note a death, or that somebody was restored to life; with no hit points they lie dying, whoever they are."""
    combatant = tx.need(Combatant, command.who)
    if combatant.dead == command.dead:
        return
    if command.dead:
        die(tx, rules, command.who, "")
        return
    dies_at_zero = not rules.dying.makes_saves(tx, rules, command.who)
    if command.hp < 1 and dies_at_zero:
        combatant = tx.update(combatant, dying="saves")
    topic = "npc.dying-rules" if command.hp < 1 and dies_at_zero else "heal.dead"
    _come_back(tx, rules, combatant, command.hp, rules.cite(topic))
    if command.hp < 1:
        _lies_at_zero(tx, command.who)
    offer_remedy(tx, rules, command.who, command.source)


def _come_back(tx: Transaction, rules: RuleSystem, combatant: Combatant, hp: int, rule: str = "") -> None:
    """Restore somebody to life with so many hit points."""
    tx.update(combatant, dead=False, hp=max(0, min(hp, combatant.hp_max)))
    tx.emit(RestoredToLife(who=combatant.id, rule=rule or rules.cite("heal.dead")))
    _find_place_again(tx, combatant)


def _find_place_again(tx: Transaction, combatant: Combatant) -> None:
    """Ask of somebody who is back what the dead are not asked: a total, or the roll that parts a tie."""
    clock = tx.get(Clock, "clock")
    level = any(combatant.id in slot.members for slots in level_groups(tx) for slot in slots)
    if clock is not None and clock.phase == "rounds" and (level or combatant.initiative is None):
        seek_places(tx, (combatant.id,))


def apply_condition(command: ApplyCondition, tx: Transaction, rules: RuleSystem) -> None:
    """Put a condition on each."""
    for who in _need_targets(command.targets, tx):
        condition = rules.conditions.get(command.condition)
        rule = condition.ledger[0] if condition and condition.ledger else ""
        if command.rounds or command.sustained or command.save or command.due:
            _impose(command, tx, rules, who, rule)
            continue
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


def _impose(command: ApplyCondition, tx: Transaction, rules: RuleSystem, who: str, rule: str) -> None:
    """Put something on somebody that lasts for a while, unless they are immune to it."""
    if command.rounds < 0 or command.dc < 0:
        raise Refused("refused.negative")
    if is_immune_to(tx, who, command.condition):
        put_condition(tx, rules, who, command.condition)  # which says so
        return
    found = rules.conditions.get(command.condition)
    effect = Effect(
        "",
        who,
        command.condition,
        command.source,
        command.value or int(found is not None and found.valued),
        command.ends,
        by=command.by,
        rounds=command.rounds,
        counted=command.counted,
        sustained=command.sustained,
        save=command.save,
        dc=command.dc,
        due=command.due,
        note=command.note.strip(),
    )
    new = impose(tx, rules, effect)
    ends = new.ends.moment
    tx.emit(EffectGained(target=who, name=new.name, value=new.value, ends=ends, source=new.source, rule=rule))


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
