"""Features, groups and what the table says of those who fight, as a script says it. ScriptError where it isn't understood."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from turnwright.cli.blows import means
from turnwright.cli.lines import Reader, ScriptError
from turnwright.cli.names import Names, choose
from turnwright.cli.orders import Order
from turnwright.encounter.prepared import Grade, Map
from turnwright.play import commands
from turnwright.play.cubes import cubes_of
from turnwright.play.procedures.onslaughts import PLANTS

Purpose = Literal["readied", "commanded", "legendary", "free"]
_OF_A_FEATURE = ("on", "as", "level", "sparing", "burning", "cubes")
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
    """Read `feature velu "Forked bolt" on raider-1 raider-2 as readied level 3`, or a listed spell and its area."""
    who = names.who(read.next("a combatant"))
    used, spell = _means_or_spell(read.next("a feature"), who, names)
    targets: tuple[str, ...] = ()
    purpose, level = "", None
    area: dict[str, tuple[object, ...]] = {}
    while not read.done:
        if read.takes("on"):
            targets = names.all(read.until(*_OF_A_FEATURE))
        elif read.takes("sparing"):
            plants, people = _parted(read.until(*_OF_A_FEATURE), PLANTS)
            area["spared"] = (*plants, *(names.all(people) if people else ()))
        elif read.takes("burning"):
            area["things"] = tuple(_thing(one, names) for one in read.until(*_OF_A_FEATURE))
        elif read.takes("cubes"):
            area["cubes"] = _cubes(" ".join(read.until(*_OF_A_FEATURE)))
        elif read.takes("as"):
            purpose = _one_of(read.next("what pays for it"), get_args(Purpose), "as")
        elif read.takes("level"):
            level = read.number("the slot's level")
        else:
            break
    paid = msgspec.convert(purpose, Literal[Purpose, ""])
    return commands.UseFeature(who, used, spell=spell, targets=targets, level=level, purpose=paid, **area)  # type: ignore[arg-type] # by keyword


def _means_or_spell(text: str, who: str, names: Names) -> tuple[str, str]:
    """Return the id of a feature of somebody's stat block, or else that of a listed spell."""
    try:
        return means(text, who, names), ""
    except ScriptError as no_feature:
        try:
            return "", choose(text, ((one.id, one.name) for one in names.rules.catalogue.spells), "spell")
        except ScriptError:
            raise no_feature from None


def _parted(words: list[str], word: str) -> tuple[list[str], list[str]]:
    """Return the words that are this one (or its plural), and the others."""
    same = [word for one in words if one in (word, f"{word}s")]
    return same, [one for one in words if one not in (word, f"{word}s")]


def _thing(text: str, names: Names) -> str:
    field = names.encounter.get(Map, "map")
    return choose(text, ((one.id, one.name) for one in (field.obstacles if field else ())), "thing")


def _cubes(text: str) -> tuple[object, ...]:
    try:
        return cubes_of(text)
    except ValueError:
        raise ScriptError("cubes: write each as three numbers, as in 0,0,0 1,0,0") from None


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
