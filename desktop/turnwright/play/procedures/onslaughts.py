"""A feature used on some who save against it: a breath, a spell, a group's attack. One damage roll serves for all.

What a source leaves out (which save, its DC, the dice) is asked of the table; nothing is made up.
"""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Modifier, RollSpec
from turnwright.encounter.pending import (
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    FAILURE,
    SUCCESS,
    Ask,
    Onslaught,
    Option,
    Procedure,
)
from turnwright.encounter.running import Combatant, ThingState
from turnwright.play.events import CaughtFire, FeatureUsed, Rolled, Skipped, Unaffected
from turnwright.play.harm import deal
from turnwright.play.procedures.afflicting import afflict, save_ask
from turnwright.play.procedures.loop import Answers, Stage, ask, at
from turnwright.play.procedures.trials import take_degree
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import Spell
from turnwright.rules.parts.action_rolls import set_dc
from turnwright.rules.parts.actions import own_rule
from turnwright.rules.parts.areas import map_of
from turnwright.rules.parts.conditions import is_out, on_figure
from turnwright.rules.parts.degrees import is_good
from turnwright.rules.parts.means import MELEE, is_attack, is_nonmagical, is_spell, kind_of
from turnwright.rules.system import RuleSystem, creature_of

NO_SAVE = "none"
PLANTS = "plant"  # a type of creature, and in `spared` all of that type


def gaps(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for what the source of a spell leaves out: the save and its DC."""
    data = onslaught_of(procedure)
    spell = spell_of(rules, data)
    if spell is None or data.save or not data.targets or "save" not in spell.missing:
        return at(procedure, "saves")
    rule = spell.rule("missing")
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
            tx.emit(Unaffected(who=who, what=data.means.name, reason="why.left_out", rule=_rule(tx, rules, data)))
    tags = ("spell",) if data.spell or is_spell(data.means) else ()
    dc = set_dc(tx, rules, next(iter(data.members), ""), data.dc, tags)
    data = msgspec.structs.replace(data, targets=struck, dc=dc)
    tx.emit(
        FeatureUsed(
            who=data.members,
            feature=data.means.name,
            targets=struck,
            save=data.save,
            dc=data.dc,
            numbers=data.extra,
            rule=_rule(tx, rules, data),
        )
    )
    if not data.save:
        return at(procedure, "damage", msgspec.structs.replace(data, failed=struck))
    by, rule = next(iter(data.members), ""), _rule(tx, rules, data)
    asks = [save_ask(tx, rules, data.save, data.dc, who, by, rule, id=who) for who in struck]
    ask(tx, procedure, "prompt.save", asks, subject=data.means.name, rule=rule)
    return at(procedure, "saved", data)


def saved(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Sort out who failed and who made it; who was passed over is left alone."""
    data = onslaught_of(procedure)
    found: dict[str, str] = {}
    for who in data.targets:
        answer = answers.get(who)
        if answer is None or answer.skipped:
            tx.emit(Skipped(purpose="ask.save", who=who, detail=data.means.name))
            continue
        detail = f"<save.{data.save}>"
        found[who] = take_degree(tx, rules, answer, "ask.save", who, detail, data.dc, _rule(tx, rules, data)) or FAILURE
    critical = bool(rules.catalogue.checks.degrees)
    data = msgspec.structs.replace(
        data,
        failed=tuple(who for who, degree in found.items() if not is_good(degree)),
        saved=tuple(who for who, degree in found.items() if is_good(degree)),
        worst=tuple(who for who, degree in found.items() if critical and degree == CRITICAL_FAILURE),
        best=tuple(who for who, degree in found.items() if critical and degree == CRITICAL_SUCCESS),
    )
    return at(procedure, "damage", data)


def _shares(data: Onslaught) -> list[tuple[str, str]]:
    """Return whom the damage strikes, each with their share of it: of a basic save's, by how well they made it."""
    shares = [(who, "double" if data.half and who in data.worst else "full") for who in data.failed]
    return shares + [(who, "half") for who in data.saved if data.half and who not in data.best]


def damage(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask the damage, once for everybody it strikes."""
    data = onslaught_of(procedure)
    struck = _shares(data)
    if struck and data.means.damage:
        extra = (Modifier(data.extra, "why.numbers", rules.cite("control.attack.numbers")),) if data.extra else ()
        rule = rules.cite("damage.multi-target" if len(struck) > 1 else "damage.form")
        by = next(iter(data.members), "")
        moved = on_figure(tx, rules, by, "damage") if tx.get(Combatant, by) is not None else ()
        spec = RollSpec(data.means.damage, (*extra, *moved))
        asked = Ask("damage", "roll", "ask.damage", detail=data.means.name, spec=spec, rule=rule)
        ask(tx, procedure, "prompt.damage", [asked], subject=data.means.name, rule=rule)
    return at(procedure, "settle", data)


def settle(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Deal what was rolled, whole or half, and leave the rest of it on those who failed."""
    data = onslaught_of(procedure)
    by = data.members[0] if data.members else ""
    attack = _is_attack(data)
    answer = answers.get("damage")
    if answer is not None and answer.roll is not None and answer.roll.total is not None:
        rolled = Rolled(purpose="ask.damage", roll=answer.roll, detail=data.means.name, rule=rules.cite("damage.form"))
        tx.emit(rolled)
        for who, share in _shares(data):
            if tx.get(Combatant, who) is not None:
                deal(
                    tx,
                    rules,
                    who,
                    answer.roll.parts,
                    source=data.means.name,
                    mundane=attack and is_nonmagical(data.means),
                    share=share,
                    roll=answer.roll,
                    by=by,
                    melee=attack and kind_of(data.means) == MELEE,
                    cause="attack" if attack else "other",
                    parent=procedure.parent,
                )
    elif answer is not None:
        tx.emit(Skipped(purpose="ask.damage", detail=data.means.name))
    for degree, whom in _by_degree(data):
        warded = degree in (SUCCESS, CRITICAL_SUCCESS)
        rule = _rule(tx, rules, data)
        afflict(tx, rules, data.means, whom, by, rule, procedure.id, degree=degree, warded=warded)
    _ignite(tx, rules, data)


def _by_degree(data: Onslaught) -> list[tuple[str, tuple[str, ...]]]:
    """Return who saved how well."""
    sorted_out = (
        (CRITICAL_FAILURE, data.worst),
        (FAILURE, tuple(who for who in data.failed if who not in data.worst)),
        (SUCCESS, tuple(who for who in data.saved if who not in data.best)),
        (CRITICAL_SUCCESS, data.best),
    )
    return [(degree, whom) for degree, whom in sorted_out if whom]


def _is_attack(data: Onslaught) -> bool:
    """Return whether it is an attack whose roll a save stands for: what a group does with a weapon."""
    return bool(data.save) and not data.spell and is_attack(data.means)


def _is_spared(tx: Transaction, rules: RuleSystem, data: Onslaught, who: str) -> bool:
    if who in data.spared:
        return True
    spell = spell_of(rules, data)
    allowed = spell is not None and spell.spares_plants
    return allowed and PLANTS in data.spared and creature_of(tx, tx.need(Combatant, who)).type == PLANTS


def _ignite(tx: Transaction, rules: RuleSystem, data: Onslaught) -> None:
    """Set alight what may burn and nobody holds, of the things that the spell reaches."""
    spell = spell_of(rules, data)
    field = map_of(tx)
    if spell is None or not spell.ignites or field is None:
        return
    rule = spell.rule("ignites")
    for thing in field.obstacles:
        state = tx.get(ThingState, thing.id) or ThingState(thing.id)
        if thing.id in data.things and thing.flammable and not thing.attended and not state.burning:
            tx.put(msgspec.structs.replace(state, burning=True))
            tx.emit(CaughtFire(thing=thing.name or thing.id, rule=rule))


def _rule(tx: Transaction, rules: RuleSystem, data: Onslaught) -> str:
    spell = spell_of(rules, data)
    if spell is not None:
        return spell.rule()
    if len(data.members) < 2:
        return own_rule(tx, rules, data.members[0], data.means)
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
