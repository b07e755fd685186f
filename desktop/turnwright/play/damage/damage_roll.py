"""Damage whose dice aren't rolled yet, and the choice between old and new temporary hit points."""

from __future__ import annotations

from turnwright.dice.roll import RollSpec
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.procedure_state.damage import DAMAGE_ROLL, TEMP_HP, DamageRoll, TempHpChoice
from turnwright.encounter.running import Combatant
from turnwright.play.damage.events import TempHpGained
from turnwright.play.kernel.scheduler import Answers, ask, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Rolled, Skipped
from turnwright.play.state.hit_points import Damage, deal_damage
from turnwright.rules.system import RuleSystem

NEW, OLD = "new", "old"


def ask_damage(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for one damage roll for all targets."""
    data = data_of(procedure, DamageRoll)
    rule = rules.rule_id("damage.multi-target" if len(data.targets) > 1 else "damage.form")
    spec = RollSpec(data.damage, data.modifiers)
    question = Ask("damage", "roll", "ask.damage", detail=data.source, spec=spec, rule=rule)
    return ask(tx, goto(procedure, DAMAGE_ROLL.apply_damage), "prompt.damage", [question], subject=data.source)


def apply_damage(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Deal the rolled damage to each target."""
    data = data_of(procedure, DamageRoll)
    answer = answers.get("damage")
    if answer is None or answer.skipped or answer.roll is None or answer.roll.total is None:
        tx.emit(Skipped(purpose="ask.damage", detail=data.source))
        return
    if answer.roll.origin != "fixed":
        tx.emit(Rolled(purpose="ask.damage", roll=answer.roll, detail=data.source, rule=rules.rule_id("damage.form")))
    for who in data.targets:
        if tx.get(Combatant, who) is not None:
            damage = Damage(
                answer.roll.parts,
                source=data.source,
                nonmagical=data.mundane,
                share=data.share,
                roll=answer.roll,
                by=data.by,
                melee=data.attack == "melee",
                cause="attack" if data.attack else "other",
                critical=data.critical,
            )
            deal_damage(tx, rules, who, damage, procedure.id)


def ask_temp_hp(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask which temporary hit points to keep, because they don't stack."""
    data = data_of(procedure, TempHpChoice)
    combatant = tx.need(Combatant, data.target)
    better = NEW if data.amount > combatant.temp_hp else OLD
    options = (Option(NEW, f"{data.amount}", "option.new"), Option(OLD, f"{combatant.temp_hp}", "option.old"))
    rule = rules.rule_id("temp.no-stack")
    question = Ask("keep", "choice", "ask.temporary", data.target, options=options, suggested=(better,), rule=rule)
    return ask(tx, goto(procedure, TEMP_HP.take_temp_hp), "prompt.temporary", [question], subject=combatant.label)


def take_temp_hp(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Keep the chosen temporary hit points. Keep the old ones if none were chosen."""
    data = data_of(procedure, TempHpChoice)
    combatant = tx.get(Combatant, data.target)
    if combatant is not None:
        taken = NEW in choices_of(answers, "keep")
        set_temp_hp(tx, rules, combatant, data.amount, data.source, is_taken=taken)


def set_temp_hp(
    tx: Transaction, rules: RuleSystem, combatant: Combatant, amount: int, source: str, *, is_taken: bool
) -> None:
    """Set temporary hit points to a new amount, or keep the old ones (not `is_taken`). In some systems they stack."""
    health = rules.data.health
    after = amount if is_taken else combatant.temp_hp
    if health.temporary_adds:
        after += combatant.temp_hp
    most = health.most_temporary(combatant.hp_max)
    after = after if most is None else min(after, most)
    tx.update(combatant, temp_hp=after)
    who, before = combatant.id, combatant.temp_hp
    rule = rules.rule_id("temp.no-stack" if before else "temp.separate")
    tx.emit(TempHpGained(target=who, offered=amount, before=before, after=after, source=source, rule=rule))


STAGES = stages_in(globals(), DAMAGE_ROLL, TEMP_HP)
