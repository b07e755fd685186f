"""A feature used on some who save against it: a breath, a spell, a group's attack. One damage roll serves for all.

What a source leaves out (which save, its DC, the dice) is asked of the table; nothing is made up.
"""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Modifier, RollSpec
from turnwright.encounter.pending import Ask, Onslaught, Option, Procedure
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, ThingState
from turnwright.play.events import CaughtFire, FeatureUsed, Pushed, Rolled, Skipped, Unaffected
from turnwright.play.harm import deal, ends_for, put_condition
from turnwright.play.procedures.loop import Answers, Stage, ask, at
from turnwright.play.procedures.trials import take_result
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue import Spell
from turnwright.rules.parts.areas import map_of
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.system import RuleSystem, creature_of

NO_SAVE = "none"
UNHURT = "plant"


def gaps(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for what the source of a spell leaves out: the save and its DC."""
    data = onslaught_of(procedure)
    spell = spell_of(rules, data)
    if spell is None or data.save or not data.targets or "save" not in spell.missing:
        return at(procedure, "saves")
    rule = spell.ledger[-1] if spell.ledger else ""
    abilities = tuple(Option(one.id, one.name) for one in rules.catalogue.abilities)
    options = (*abilities, Option(NO_SAVE, "option.no_save"))
    asks = (
        Ask("save", "choice", "ask.which_save", detail=spell.name, options=options, rule=rule),
        Ask("dc", "number", "ask.dc", detail=spell.name, rule=rule),
        Ask(
            "half",
            "choice",
            "ask.half",
            detail=spell.name,
            options=(Option("half", "option.half"), Option("none", "option.none")),
            rule=rule,
        ),
    )
    ask(tx, procedure, "prompt.missing", asks, subject=spell.name, rule=rule)
    return at(procedure, "filled")


def filled(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Take what the table said of a spell's save."""
    data = onslaught_of(procedure)
    save = next(iter(answers["save"].chosen), NO_SAVE) if "save" in answers else NO_SAVE
    dc = answers["dc"].number if "dc" in answers else None
    half = "half" in answers and "half" in answers["half"].chosen
    if save != NO_SAVE and dc is not None:
        data = msgspec.structs.replace(data, save=save, dc=dc, half=half)
    return at(procedure, "saves", data)


def saves(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Say what is used on whom, and ask their saves; where there is none all are struck."""
    data = onslaught_of(procedure)
    struck = tuple(who for who in data.targets if not is_out(tx, who) and not _is_spared(tx, rules, data, who))
    for who in data.targets:
        if who not in struck and not is_out(tx, who):
            tx.emit(Unaffected(who=who, what=data.means.name, reason="why.left_out", rule=_rule(rules, data)))
    data = msgspec.structs.replace(data, targets=struck)
    tx.emit(
        FeatureUsed(
            who=data.members,
            feature=data.means.name,
            targets=struck,
            save=data.save,
            dc=data.dc,
            numbers=data.extra,
            rule=_rule(rules, data),
        )
    )
    if not data.save:
        return at(procedure, "damage", msgspec.structs.replace(data, failed=struck))
    asks = (
        Ask(
            id=who,
            kind="roll",
            label="ask.save",
            who=who,
            detail=f"<save.{data.save}>",
            spec=rules.checks.save(tx, rules, who, data.save, next(iter(data.members), "")),
            dc=data.dc,
            rule=_rule(rules, data),
        )
        for who in struck
    )
    ask(tx, procedure, "prompt.save", asks, subject=data.means.name, rule=_rule(rules, data))
    return at(procedure, "saved", data)


def saved(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Sort out who failed and who made it; who was passed over is left alone."""
    data = onslaught_of(procedure)
    failed: list[str] = []
    made: list[str] = []
    for who in data.targets:
        answer = answers.get(who)
        if answer is None or answer.skipped:
            tx.emit(Skipped(purpose="ask.save", who=who, detail=data.means.name))
            continue
        detail = f"<save.{data.save}>"
        passed = take_result(tx, answer, "ask.save", who, detail, data.dc, _rule(rules, data))
        (made if passed else failed).append(who)
    return at(procedure, "damage", msgspec.structs.replace(data, failed=tuple(failed), saved=tuple(made)))


def damage(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask the damage, once for everybody it strikes."""
    data = onslaught_of(procedure)
    struck = (*data.failed, *(data.saved if data.half else ()))
    if struck and data.means.damage:
        extra = (Modifier(data.extra, "why.numbers", rules.cite("control.attack.numbers")),) if data.extra else ()
        rule = rules.cite("damage.multi-target" if len(struck) > 1 else "damage.form")
        spec = RollSpec(data.means.damage, extra)
        asked = Ask("damage", "roll", "ask.damage", detail=data.means.name, spec=spec, rule=rule)
        ask(tx, procedure, "prompt.damage", [asked], subject=data.means.name, rule=rule)
    return at(procedure, "settle", data)


def settle(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Deal what was rolled, whole or half, and leave the rest of it on those who failed."""
    data = onslaught_of(procedure)
    by = data.members[0] if data.members else ""
    answer = answers.get("damage")
    if answer is not None and answer.roll is not None and answer.roll.total is not None:
        rolled = Rolled(purpose="ask.damage", roll=answer.roll, detail=data.means.name, rule=rules.cite("damage.form"))
        tx.emit(rolled)
        for group, share in ((data.failed, "full"), (data.saved if data.half else (), "half")):
            for who in group:
                if tx.get(Combatant, who) is not None:
                    deal(
                        tx,
                        rules,
                        who,
                        answer.roll.parts,
                        source=data.means.name,
                        share=share,
                        roll=answer.roll,
                        by=by,
                        parent=procedure.parent,
                    )
    elif answer is not None:
        tx.emit(Skipped(purpose="ask.damage", detail=data.means.name))
    for who in data.failed:
        if tx.get(Combatant, who) is not None:
            leave_behind(tx, rules, data.means, who, by, _rule(rules, data))
    _ignite(tx, rules, data)


def leave_behind(tx: Transaction, rules: RuleSystem, means: Feature, who: str, by: str, rule: str) -> None:
    """Put what a feature does besides damage on somebody it has caught."""
    for affliction in means.afflictions:
        put_condition(
            tx,
            rules,
            who,
            affliction.condition,
            value=affliction.escape_dc,
            ends=ends_for(tx, affliction, who, by),
            source=means.name,
            break_free=affliction.break_free,
            rule=rule,
        )
    if means.push:
        tx.emit(Pushed(who=who, feet=means.push, rule=rule))


def _is_spared(tx: Transaction, rules: RuleSystem, data: Onslaught, who: str) -> bool:
    if who in data.spared:
        return True
    spell = spell_of(rules, data)
    allowed = spell is not None and spell.spares_plants
    return allowed and UNHURT in data.spared and creature_of(tx, tx.need(Combatant, who)).type == UNHURT


def _ignite(tx: Transaction, rules: RuleSystem, data: Onslaught) -> None:
    """Set alight what may burn and nobody holds, of the things that the spell reaches."""
    spell = spell_of(rules, data)
    field = map_of(tx)
    if spell is None or not spell.ignites or field is None:
        return
    rule = next((id for id in spell.ledger if id.endswith("ignite")), "")
    for thing in field.obstacles:
        state = tx.get(ThingState, thing.id) or ThingState(thing.id)
        if thing.id in data.things and thing.flammable and not thing.attended and not state.burning:
            tx.put(msgspec.structs.replace(state, burning=True))
            tx.emit(CaughtFire(thing=thing.name or thing.id, rule=rule))


def _rule(rules: RuleSystem, data: Onslaught) -> str:
    spell = spell_of(rules, data)
    if spell is not None:
        return spell.ledger[0] if spell.ledger else ""
    if len(data.members) < 2:
        return rules.cite("feature.use")
    return rules.cite("control.attack.already-save" if data.means.save else "control.attack.save")


def spell_of(rules: RuleSystem, data: Onslaught) -> Spell | None:
    """Return the shipped spell that an onslaught is, None where it is none."""
    return next((one for one in rules.catalogue.spells if data.spell and one.id == data.spell), None)


def onslaught_of(procedure: Procedure) -> Onslaught:
    """Return what an onslaught's procedure is about."""
    assert isinstance(procedure.data, Onslaught)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("onslaught", "gaps"): gaps,
    ("onslaught", "filled"): filled,
    ("onslaught", "saves"): saves,
    ("onslaught", "saved"): saved,
    ("onslaught", "damage"): damage,
    ("onslaught", "settle"): settle,
}
