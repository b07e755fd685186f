"""Damage whose dice are still to be rolled, and the choice between old and new temporary hit points."""

from __future__ import annotations

from turnwright.dice.roll import RollSpec
from turnwright.encounter.pending import Ask, Harm, KeepTemporary, Option, Procedure
from turnwright.encounter.running import Combatant
from turnwright.play.events import Rolled, Skipped, TemporaryGained
from turnwright.play.harm import deal
from turnwright.play.procedures.loop import Answers, Stage, ask, at
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem

NEW, OLD = "new", "old"


def roll(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask the damage, once for everyone it strikes."""
    data = _harm(procedure)
    rule = rules.cite("damage.multi-target" if len(data.targets) > 1 else "damage.form")
    spec = RollSpec(data.damage, data.modifiers)
    asked = Ask("damage", "roll", "ask.damage", detail=data.source, spec=spec, rule=rule)
    ask(tx, procedure, "prompt.damage", [asked], subject=data.source, rule=rule)
    return at(procedure, "apply")


def apply(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Deal what was rolled to each."""
    data = _harm(procedure)
    answer = answers.get("damage")
    if answer is None or answer.skipped or answer.roll is None or answer.roll.total is None:
        tx.emit(Skipped(purpose="ask.damage", detail=data.source))
        return
    if answer.roll.origin != "fixed":
        tx.emit(Rolled(purpose="ask.damage", roll=answer.roll, detail=data.source, rule=rules.cite("damage.form")))
    for who in data.targets:
        if tx.get(Combatant, who) is not None:
            deal(
                tx,
                rules,
                who,
                answer.roll.parts,
                source=data.source,
                mundane=data.mundane,
                share=data.share,
                roll=answer.roll,
                by=data.by,
                melee=data.attack == "melee",
                cause="attack" if data.attack else "other",
                critical=data.critical,
                parent=procedure.id,
            )


def choose(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask which set to keep; they don't add up."""
    data = _temporary(procedure)
    combatant = tx.need(Combatant, data.target)
    better = NEW if data.amount > combatant.temp_hp else OLD
    options = (Option(NEW, f"{data.amount}", "option.new"), Option(OLD, f"{combatant.temp_hp}", "option.old"))
    rule = rules.cite("temp.no-stack")
    asked = Ask("keep", "choice", "ask.temporary", data.target, options=options, suggested=(better,), rule=rule)
    ask(tx, procedure, "prompt.temporary", [asked], subject=combatant.label, rule=rule)
    return at(procedure, "keep")


def keep(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Keep the set that was chosen; the old one where nobody chose."""
    data = _temporary(procedure)
    combatant = tx.get(Combatant, data.target)
    answer = answers.get("keep")
    if combatant is not None:
        taken = answer is not None and NEW in answer.chosen
        give_temporary(tx, rules, combatant, data.amount, data.source, taken=taken)


def give_temporary(
    tx: Transaction, rules: RuleSystem, combatant: Combatant, amount: int, source: str, *, taken: bool
) -> None:
    """Set temporary hit points to a new amount, or (not `taken`) leave them; at some tables they add up, to a limit."""
    health = rules.catalogue.health
    after = amount if taken else combatant.temp_hp
    if health.temporary_adds:
        after += combatant.temp_hp
    most = health.most_temporary(combatant.hp_max)
    after = after if most is None else min(after, most)
    tx.update(combatant, temp_hp=after)
    rule = rules.cite("temp.no-stack" if combatant.temp_hp else "temp.separate")
    tx.emit(
        TemporaryGained(
            target=combatant.id, offered=amount, before=combatant.temp_hp, after=after, source=source, rule=rule
        )
    )


def _harm(procedure: Procedure) -> Harm:
    assert isinstance(procedure.data, Harm)
    return procedure.data


def _temporary(procedure: Procedure) -> KeepTemporary:
    assert isinstance(procedure.data, KeepTemporary)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("harm", "roll"): roll,
    ("harm", "apply"): apply,
    ("temporary", "choose"): choose,
    ("temporary", "keep"): keep,
}
