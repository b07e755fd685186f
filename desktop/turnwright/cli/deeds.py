"""What combatants do and suffer, as a script says it: each function reads the words after its verb.

ScriptError where they are not understood.
"""

from __future__ import annotations

import re
from typing import get_args

import msgspec

from turnwright.cli.lines import Reader, ScriptError
from turnwright.cli.names import Names
from turnwright.cli.orders import Order, Parser
from turnwright.encounter.running import Combatant, EndMoment, Ends
from turnwright.play import commands

_DICE = re.compile(r"\d|\(|d\d")
_OF_ACTS = ("on", "about", "cost", "how", "points", "note")
_SHARES = ("half", "double", "full")
_AFTER_DAMAGE = ("from", "mundane", *_SHARES)


# Turns -----------------------------------------------------------------------------------------------------------


def act(read: Reader, names: Names) -> Order:
    """Read `act grak dash`, `act osk help on mira about "Raider 2" note "a feint"`, `act bob convert points 2`."""
    who = names.who(read.next("a combatant"))
    action = names.action(read.next("an action"), who)
    targets: tuple[str, ...] = ()
    about, cost, choice, note = "", "", "", ""
    points: int | None = None
    while not read.done and not note:
        if read.takes("on"):
            targets = names.all(read.until(*_OF_ACTS))
        elif read.takes("about"):
            about = names.who(read.next("the foe it is about"))
        elif read.takes("cost"):
            cost = read.next("a cost")
        elif read.takes("how"):
            choice = read.next("how it is done")
        elif read.takes("points"):
            points = read.number("how many points")
        else:
            read.takes("note")
            note = read.rest()
    return commands.TakeAction(who, action, note, targets, cost, choice, about, points)


def spend(read: Reader, names: Names) -> Order:
    """Read `spend grak reaction "a shove"`."""
    who = names.who(read.next("a combatant"))
    return commands.Spend(who, names.resource(read.next("a resource")), read.rest())


def regain(read: Reader, names: Names) -> Order:
    """Read `regain grak reaction`."""
    who = names.who(read.next("a combatant"))
    return commands.Regain(who, names.resource(read.next("a resource")))


def break_free(read: Reader, names: Names) -> Order:
    """Read `break free prone on mira`."""
    read.takes("free")
    return commands.BreakFree(effect(read, names))


def plan(read: Reader, names: Names) -> Order:
    """Read `plan grak "hold the door"`."""
    return commands.SetPlan(names.who(read.next("a combatant")), read.rest())


# Harm and help -----------------------------------------------------------------------------------------------------


def damage(read: Reader, names: Names) -> Order:
    """Read `damage mira tam 2d6+3 fire from "Flame Burst" half`."""
    targets = _targets(read, names)
    expression = " ".join(read.until(*_AFTER_DAMAGE))
    if not expression:
        raise ScriptError("say how much damage, such as 7 or 2d6+3 fire")
    source, mundane, share = "", False, "full"
    while not read.done:
        if read.takes("from"):
            source = read.next("where it comes from")
        elif read.takes("mundane"):
            mundane = True
        elif read.sees(*_SHARES):
            share = read.next("a share")
        else:
            break
    return commands.ApplyDamage(targets, expression, source, mundane, msgspec.convert(share, commands.Share))


def _targets(read: Reader, names: Names) -> tuple[str, ...]:
    """Read names up to what begins like dice or a number."""
    texts = []
    while not read.done and (read.peek().quoted or not _DICE.match(read.peek().text)):
        texts.append(read.next("a combatant"))
    return names.all(texts)


def heal(read: Reader, names: Names) -> Order:
    """Read `heal mira 8 from "a spell"`."""
    return commands.Heal(_targets(read, names), read.number("hit points"), _source(read))


def temp(read: Reader, names: Names) -> Order:
    """Read `temp mira 5`."""
    return commands.GrantTemporary(_targets(read, names), read.number("temporary hit points"), _source(read))


def _source(read: Reader) -> str:
    return read.next("where it comes from") if read.takes("from") else ""


def hit_points(read: Reader, names: Names) -> Order:
    """Read `hp mira 12 of 40 temp 3`."""
    who = names.who(read.next("a combatant"))
    hp = None if read.sees("of", "temp") else read.number("hit points")
    most = read.number("the maximum") if read.takes("of") else None
    return commands.SetHitPoints(who, hp, read.number("temporary hit points") if read.takes("temp") else None, most)


def condition(read: Reader, names: Names) -> Order:
    """Read `condition mira prone until turn-start`."""
    *whom, what = read.until("value", "until", "from") or [""]
    targets, condition = names.all(whom), names.condition(what)
    value = read.number("a value") if read.takes("value") else 0
    ends = _ends(read, names, targets) if read.takes("until") else Ends()
    return commands.ApplyCondition(targets, condition, value, ends, _source(read))


def _ends(read: Reader, names: Names, targets: tuple[str, ...]) -> Ends:
    moment = read.next("when it ends")
    if moment not in get_args(EndMoment):
        raise ScriptError(f"until: expected one of {', '.join(get_args(EndMoment))}, found {moment}")
    who = ""
    if read.takes("of"):
        text = read.next("whose turn")
        who = names.environment(text) if moment == "world" else names.who(text)
    elif moment in ("turn-start", "turn-end"):
        if len(targets) > 1:
            raise ScriptError(f"say whose turn: until {moment} of somebody")
        who = targets[0]
    skip = read.number("how many such moments pass first") if read.takes("skipping") else 0
    return Ends(msgspec.convert(moment, EndMoment), who, skip)


def dead(dead: bool) -> Parser:
    """Read `kill x` and `revive x`."""
    return lambda read, names: commands.SetDead(names.who(read.next("a combatant")), dead)


def track(read: Reader, names: Names) -> Order:
    """Read `track mira fatigue 2`."""
    return commands.SetTrack(names.who(read.next("a combatant")), read.next("a track"), read.number("a value"))


# Who is there --------------------------------------------------------------------------------------------------------


def join(read: Reader, names: Names) -> Order:
    """Read `join second-boat 20`, and `join turn emily` for those who take theirs along with the one under way."""
    if read.takes("turn"):
        return commands.JoinTurn("" if read.done else names.slot(read.next("a combatant")))
    roster = names.roster(read.next("a roster entry"))
    return commands.Join(roster, None if read.done else read.number("an initiative"))


def remove(read: Reader, names: Names) -> Order:
    """Read `remove raider-1`."""
    return commands.RemoveCombatant(names.who(read.next("a combatant")))


def place(read: Reader, names: Names) -> Order:
    """Read `place mira "on the bridge"`."""
    return commands.Place(names.who(read.next("a combatant")), place=read.rest())


def area(inside: bool) -> Parser:
    """Read `enter x swampy` and `leave x swampy`."""

    def parsed(read: Reader, names: Names) -> Order:
        who = names.who(read.next("a combatant"))
        where = names.environment(read.next("an environment"))
        others = tuple(id for id in names.encounter.need(Combatant, who).outside if id != where)
        return commands.Place(who, outside=others if inside else (*others, where))

    return parsed


def rename(read: Reader, names: Names) -> Order:
    """Read `rename raider-1 "Scar"`."""
    return commands.Rename(names.who(read.next("a combatant")), read.rest())


def reveal(hidden: bool) -> Parser:
    """Read `hide x` and `reveal x`."""
    return lambda read, names: commands.Reveal(names.who(read.next("a combatant")), hidden)


def effect(read: Reader, names: Names) -> str:
    """Read `effect-3` or `prone on mira`, and return the effect's id."""
    what = read.next("an effect")
    return names.effect(what, names.who(read.next("whose it is")) if read.takes("on") else "")
