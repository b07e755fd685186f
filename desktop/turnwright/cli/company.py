"""Features, groups and what the table says of those who fight, as a script says it. ScriptError where it isn't understood."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from turnwright.cli.blows import means
from turnwright.cli.lines import Reader, ScriptError
from turnwright.cli.names import Names
from turnwright.cli.orders import Order
from turnwright.encounter.prepared import Grade
from turnwright.play import commands

Purpose = Literal["readied", "commanded", "legendary", "free"]
_IN_FEET = ("distance", "height")
_SAID = {
    "sees": ("seen", True),
    "unseen": ("seen", False),
    "flanks": ("flanked", True),
    "unflanked": ("flanked", False),
    "reached": ("reached", True),
    "unreached": ("reached", False),
}


def feature(read: Reader, names: Names) -> Order:
    """Read `feature velu "Forked bolt" on raider-1 raider-2 as readied level 3`."""
    who = names.who(read.next("a combatant"))
    used = means(read.next("a feature"), who, names)
    targets: tuple[str, ...] = ()
    purpose, level = "", None
    while not read.done:
        if read.takes("on"):
            targets = names.all(read.until("as", "level"))
        elif read.takes("as"):
            purpose = _one_of(read.next("what pays for it"), get_args(Purpose), "as")
        elif read.takes("level"):
            level = read.number("the slot's level")
        else:
            break
    return commands.UseFeature(
        who, used, targets=targets, level=level, purpose=msgspec.convert(purpose, Literal[Purpose, ""])
    )


def group(read: Reader, names: Names) -> Order:
    """Read `group attack wolves on mira with bite`, `group check wolves athletics against 12`."""
    if read.takes("attack"):
        who = names.all(read.until("on"))
        read.takes("on")
        target = names.who(read.next("a target"))
        used = means(read.next("what is attacked with"), who[0], names) if read.takes("with") else ""
        return commands.GroupAttack(who, target, used)
    if read.takes("check"):
        *whom, check = read.until("against") or [""]
        dc = read.number("the DC") if read.takes("against") else 0
        return commands.GroupCheck(names.all(whom), names.check(check), dc)
    raise ScriptError("say group attack or group check")


def direct(read: Reader, names: Names) -> Order:
    """Read `direct mira wolves to attack against raider-1`."""
    who = names.who(read.next("a combatant"))
    creatures = names.all(read.until("to"))
    read.takes("to")
    action = names.action(read.next("an action"))
    return commands.Direct(who, creatures, action, names.who(read.next("a target")) if read.takes("against") else "")


def relate(read: Reader, names: Names) -> Order:
    """Read `relate mira raider-1 distance 10 height 5 cover half unseen flanks`, `relate mira raider-1 forget`."""
    one, other = names.who(read.next("a combatant")), names.who(read.next("another"))
    said: dict[str, object] = {}
    while not read.done:
        if read.sees(*_SAID):
            fact, holds = _SAID[read.next("a fact")]
            said[fact] = holds
        elif read.takes("cover"):
            said["cover"] = _one_of(read.next("a grade of cover"), [each for each in get_args(Grade) if each], "cover")
        elif read.sees(*_IN_FEET):
            fact = read.next("a fact")
            said[fact] = read.number("feet")
        elif read.takes("forget"):
            said["forget"] = True
        else:
            break
    return msgspec.convert({"one": one, "other": other, **said}, commands.Relate)


def supply(read: Reader, names: Names) -> Order:
    """Read `supply raider-1 maneuver-dc 12`."""
    who = names.who(read.next("a combatant"))
    return commands.Supply(who, read.next("a figure"), read.number("its value"))


def ongoing(read: Reader, names: Names) -> Order:
    """Read `ongoing mira 1d6 fire until "somebody douses it" from "Oil"`."""
    who = names.who(read.next("a combatant"))
    damage = " ".join(read.until("until", "from"))
    if not damage:
        raise ScriptError("say how much, such as 1d6 fire")
    until = read.next("what ends it") if read.takes("until") else ""
    return commands.ApplyOngoing((who,), damage, until, read.next("where it comes from") if read.takes("from") else "")


def concentrate(read: Reader, names: Names) -> Order:
    """Read `concentrate velu "a wall of wind"`."""
    return commands.Concentrate(names.who(read.next("a combatant")), read.rest())


def hours(read: Reader, names: Names) -> Order:
    """Read `hours 3`."""
    return commands.PassTime(read.number("how many hours"))


def _one_of(text: str, allowed: list[str] | tuple[str, ...], where: str) -> str:
    if text not in allowed:
        raise ScriptError(f"{where}: expected one of {', '.join(allowed)}, found {text}")
    return text
