"""Reads statements about the actions and states of combatants: each function reads the words after its verb.

ScriptError for words that are not understood.
"""

from __future__ import annotations

import re
from typing import get_args

import msgspec

from turnwright.cli.script.lexer import ScriptError, WordReader
from turnwright.cli.script.resolve import NameResolver
from turnwright.cli.script.statements import Statement, StatementParser
from turnwright.encounter.running import Combatant, Duration, EndMoment
from turnwright.play.actions.commands.break_free import BreakFree
from turnwright.play.actions.commands.take_action import TakeAction
from turnwright.play.damage.commands.apply_damage import ApplyDamage, DamageShare
from turnwright.play.damage.commands.grant_temp_hp import GrantTempHp
from turnwright.play.damage.commands.heal import Heal
from turnwright.play.damage.commands.set_dead import SetDead
from turnwright.play.damage.commands.set_hit_points import SetHitPoints
from turnwright.play.damage.commands.set_track import SetTrack
from turnwright.play.effects.commands.apply_condition import ApplyCondition
from turnwright.play.spawning.commands.add_combatants import AddCombatants
from turnwright.play.state.commands.restore_resource import RestoreResource
from turnwright.play.state.commands.set_position import SetPosition
from turnwright.play.state.commands.spend_resource import SpendResource
from turnwright.play.table.commands.rename import Rename
from turnwright.play.table.commands.set_hidden import SetHidden
from turnwright.play.table.commands.set_plan import SetPlan
from turnwright.play.turns.commands.join_turn import JoinTurn
from turnwright.play.turns.commands.remove_combatant import RemoveCombatant

_DICE = re.compile(r"\d|\(|d\d")
_OF_ACTS = ("on", "about", "cost", "how", "points", "note")
_SHARES = ("half", "double", "full")
_AFTER_DAMAGE = ("from", "mundane", *_SHARES)


# Turns -----------------------------------------------------------------------------------------------------------


def act(read: WordReader, names: NameResolver) -> Statement:
    """Read `act grak dash`, `act osk help on mira about "Raider 2" note "a feint"`, `act bob convert points 2`."""
    who = names.combatant(read.expect("a combatant"))
    action = names.action(read.expect("an action"), who)
    targets: tuple[str, ...] = ()
    about, cost, choice, note = "", "", "", ""
    points: int | None = None
    while not read.at_end and not note:
        if read.accept("on"):
            targets = names.combatants(read.until(*_OF_ACTS))
        elif read.accept("about"):
            about = names.combatant(read.expect("the foe it is about"))
        elif read.accept("cost"):
            cost = read.expect("a cost")
        elif read.accept("how"):
            choice = read.expect("how it is done")
        elif read.accept("points"):
            points = read.expect_number("how many points")
        else:
            read.accept("note")
            note = read.rest()
    return TakeAction(who, action, note, targets, cost, choice, about, points)


def spend(read: WordReader, names: NameResolver) -> Statement:
    """Read `spend grak reaction "a shove"`."""
    who = names.combatant(read.expect("a combatant"))
    return SpendResource(who, names.resource(read.expect("a resource")), read.rest())


def regain(read: WordReader, names: NameResolver) -> Statement:
    """Read `regain grak reaction`."""
    who = names.combatant(read.expect("a combatant"))
    return RestoreResource(who, names.resource(read.expect("a resource")))


def break_free(read: WordReader, names: NameResolver) -> Statement:
    """Read `break free prone on mira`."""
    read.accept("free")
    return BreakFree(effect(read, names))


def plan(read: WordReader, names: NameResolver) -> Statement:
    """Read `plan grak "hold the door"`."""
    return SetPlan(names.combatant(read.expect("a combatant")), read.rest())


# Harm and help -----------------------------------------------------------------------------------------------------


def damage(read: WordReader, names: NameResolver) -> Statement:
    """Read `damage mira tam 2d6+3 fire from "Flame Burst" half`."""
    targets = _targets(read, names)
    expression = " ".join(read.until(*_AFTER_DAMAGE))
    if not expression:
        raise ScriptError("say how much damage, such as 7 or 2d6+3 fire")
    source, mundane, share = "", False, "full"
    while not read.at_end:
        if read.accept("from"):
            source = read.expect("where it comes from")
        elif read.accept("mundane"):
            mundane = True
        elif read.next_is(*_SHARES):
            share = read.expect("a share")
        else:
            break
    return ApplyDamage(targets, expression, source, mundane, msgspec.convert(share, DamageShare))


def _targets(read: WordReader, names: NameResolver) -> tuple[str, ...]:
    """Read names up to a word that begins like dice or a number."""
    texts = []
    while not read.at_end and (read.peek().quoted or not _DICE.match(read.peek().text)):
        texts.append(read.expect("a combatant"))
    return names.combatants(texts)


def heal(read: WordReader, names: NameResolver) -> Statement:
    """Read `heal mira 8 from "a spell"`."""
    return Heal(_targets(read, names), read.expect_number("hit points"), _source(read))


def temp_hp(read: WordReader, names: NameResolver) -> Statement:
    """Read `temp mira 5`."""
    return GrantTempHp(_targets(read, names), read.expect_number("temporary hit points"), _source(read))


def _source(read: WordReader) -> str:
    return read.expect("where it comes from") if read.accept("from") else ""


def hit_points(read: WordReader, names: NameResolver) -> Statement:
    """Read `hp mira 12 of 40 temp 3`."""
    who = names.combatant(read.expect("a combatant"))
    hp = None if read.next_is("of", "temp") else read.expect_number("hit points")
    most = read.expect_number("the maximum") if read.accept("of") else None
    return SetHitPoints(who, hp, read.expect_number("temporary hit points") if read.accept("temp") else None, most)


def condition(read: WordReader, names: NameResolver) -> Statement:
    """Read `condition mira prone until turn-start`."""
    *whom, what = read.until("value", "until", "from") or [""]
    targets, condition = names.combatants(whom), names.condition(what)
    value = read.expect_number("a value") if read.accept("value") else 0
    ends = _ends(read, names, targets) if read.accept("until") else Duration()
    return ApplyCondition(targets, condition, value, ends, _source(read))


def _ends(read: WordReader, names: NameResolver, targets: tuple[str, ...]) -> Duration:
    moment = read.expect("when it ends")
    if moment not in get_args(EndMoment):
        raise ScriptError(f"until: expected one of {', '.join(get_args(EndMoment))}, found {moment}")
    who = ""
    if read.accept("of"):
        text = read.expect("whose turn")
        who = names.environment(text) if moment == "world" else names.combatant(text)
    elif moment in ("turn-start", "turn-end"):
        if len(targets) > 1:
            raise ScriptError(f"say whose turn: until {moment} of somebody")
        who = targets[0]
    skip = read.expect_number("how many such moments pass first") if read.accept("skipping") else 0
    return Duration(msgspec.convert(moment, EndMoment), who, skip)


def set_dead(dead: bool) -> StatementParser:
    """Read `kill x` and `revive x`."""
    return lambda read, names: SetDead(names.combatant(read.expect("a combatant")), dead)


def track(read: WordReader, names: NameResolver) -> Statement:
    """Read `track mira fatigue 2`."""
    return SetTrack(names.combatant(read.expect("a combatant")), read.expect("a track"), read.expect_number("a value"))


# Who is there --------------------------------------------------------------------------------------------------------


def join(read: WordReader, names: NameResolver) -> Statement:
    """Read `join second-boat 20`, and `join turn emily` for combatants who share the turn under way."""
    if read.accept("turn"):
        return JoinTurn("" if read.at_end else names.slot(read.expect("a combatant")))
    roster = names.roster(read.expect("a roster entry"))
    return AddCombatants(roster, None if read.at_end else read.expect_number("an initiative"))


def remove(read: WordReader, names: NameResolver) -> Statement:
    """Read `remove raider-1`."""
    return RemoveCombatant(names.combatant(read.expect("a combatant")))


def place(read: WordReader, names: NameResolver) -> Statement:
    """Read `place mira "on the bridge"`."""
    return SetPosition(names.combatant(read.expect("a combatant")), place=read.rest())


def set_inside_area(inside: bool) -> StatementParser:
    """Read `enter x swampy` and `leave x swampy`."""

    def parsed(read: WordReader, names: NameResolver) -> Statement:
        who = names.combatant(read.expect("a combatant"))
        where = names.environment(read.expect("an environment"))
        others = tuple(id for id in names.encounter.need(Combatant, who).outside if id != where)
        return SetPosition(who, outside=others if inside else (*others, where))

    return parsed


def rename(read: WordReader, names: NameResolver) -> Statement:
    """Read `rename raider-1 "Scar"`."""
    return Rename(names.combatant(read.expect("a combatant")), read.rest())


def set_hidden(hidden: bool) -> StatementParser:
    """Read `hide x` and `reveal x`."""
    return lambda read, names: SetHidden(names.combatant(read.expect("a combatant")), hidden)


def effect(read: WordReader, names: NameResolver) -> str:
    """Read `effect-3` or `prone on mira`, and return the effect's id."""
    what = read.expect("an effect")
    return names.effect(what, names.combatant(read.expect("whose it is")) if read.accept("on") else "")
