"""How people move, as a script says it: by feet, by squares, into the saddle and down to the ground.

Squares are written `column,row`, with `@feet` behind them where the elevation isn't the ground's.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from turnwright.cli.lines import Reader, ScriptError
from turnwright.cli.names import Names
from turnwright.cli.orders import Order
from turnwright.encounter.prepared import Map, Point
from turnwright.play import commands

_SQUARE = re.compile(r"(-?\d+),(-?\d+)(?:@(-?\d+))?")
_AFTER_FEET = (
    "through",
    "turned",
    "up",
    "down",
    "leaves",
    "keeps",
    "drags",
    "squeezing",
    "forward",
    "sideways",
    "back",
)


def move(read: Reader, names: Names) -> Order:
    """Read `move grak 30 climb through frigid turned leaves mira drags tam up 10`."""
    who = names.who(read.next("a combatant"))
    feet = read.number("the feet to move")
    plain = read.done or read.sees(*_AFTER_FEET)
    mode = "walk" if plain else names.speed(read.next("a mode of movement"))
    through, turned, squeezing, up, drags = "", False, False, 0, ""
    leaves: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    heading: Literal["", "forward", "sideways", "back"] = ""
    while not read.done:
        if read.takes("through"):
            through = names.environment(read.next("an environment"))
        elif read.takes("turned"):
            turned = True
        elif read.takes("squeezing"):
            squeezing = True
        elif read.takes("up"):
            up = read.number("feet")
        elif read.takes("down"):
            up = -read.number("feet")
        elif read.takes("leaves"):
            leaves = names.all(read.until(*_AFTER_FEET))
        elif read.takes("keeps"):
            keeps = names.all(read.until(*_AFTER_FEET))
        elif read.takes("drags"):
            drags = names.who(read.next("an ally"))
        elif read.takes("forward"):
            heading = "forward"
        elif read.takes("sideways"):
            heading = "sideways"
        elif read.takes("back"):
            heading = "back"
        else:
            break
    return commands.Move(who, feet, mode, through, turned, up, leaves, drags, squeezing, heading, keeps)


def travel(read: Reader, names: Names) -> Order:
    """Read `travel grak 3,4 4,5@10 by fly drags tam`."""
    who = names.who(read.next("a combatant"))
    squares = [_square(text) for text in read.until("by", "drags")]
    mode = names.speed(read.next("a mode of movement")) if read.takes("by") else "walk"
    drags = names.who(read.next("an ally")) if read.takes("drags") else ""
    heights = [height for _, height in squares if height is not None]
    if not squares or len(heights) not in (0, len(squares)):
        raise ScriptError("say which squares, each as column,row, and an elevation for all of them or for none")
    return commands.Travel(who, tuple(square for square, _ in squares), mode, tuple(heights), drags)


def shift(read: Reader, names: Names) -> Order:
    """Read `shift grak 3,4 teleport`."""
    who = names.who(read.next("a combatant"))
    square, height = _square(read.next("a square"))
    found: Literal["forced", "teleport", "provoking"] = "forced"
    if read.takes("teleport"):
        found = "teleport"
    elif read.takes("provoking"):
        found = "provoking"
    else:
        read.takes("forced")
    return commands.Shift(who, square, found, height)


def wall(read: Reader, names: Names) -> Order:
    """Read `wall 2,0 2,6` and `wall 2,0 2,6 gone`: from one corner of the squares to another."""
    here, there = _corner(read), _corner(read)
    field = names.encounter.get(Map, "map")
    if field is None:
        raise ScriptError("there is no map to draw a wall on")
    line = (*here, *there)
    kept = tuple(one for one in field.walls if one != line)
    if not read.takes("gone"):
        return commands.Edit(msgspec.structs.replace(field, walls=(*kept, line)))
    if kept == field.walls:
        raise ScriptError("no such wall is drawn")
    return commands.Edit(msgspec.structs.replace(field, walls=kept))


def _corner(read: Reader) -> Point:
    point, height = _square(read.next("a corner, column,row"))
    if height is not None:
        raise ScriptError("a wall stands from the ground up: a corner is column,row")
    return point


def ride(read: Reader, names: Names) -> Order:
    """Read `ride mira horse uncontrolled`."""
    who, mount = names.who(read.next("a combatant")), names.who(read.next("a mount"))
    return commands.Ride(who, mount, not read.takes("uncontrolled"))


def dismount(read: Reader, names: Names) -> Order:
    """Read `dismount mira 3,4`."""
    who = names.who(read.next("a combatant"))
    return commands.Ride(who, to=None if read.done else _square(read.next("a square"))[0])


def mount(read: Reader, names: Names) -> Order:
    """Read `mount mira dash`, `mount mira attack raider-1 with hooves` and `mount mira check athletics`."""
    who, action = names.who(read.next("the rider")), names.action(read.next("what the mount does"))
    if action == "attack":
        target = names.who(read.next("a target"))
        return commands.CommandMount(who, action, target, read.next("an attack") if read.takes("with") else "")
    if action == "check":
        return commands.CommandMount(who, action, check=names.check(read.next("a check")))
    return commands.CommandMount(who, action)


def stand(read: Reader, names: Names) -> Order:
    """Read `stand mira`."""
    return commands.Stand(names.who(read.next("a combatant")))


def drop(read: Reader, names: Names) -> Order:
    """Read `drop prone mira` and `drop prone mira reaction`."""
    read.takes("prone")
    return commands.DropProne(names.who(read.next("a combatant")), read.takes("reaction"))


def _square(text: str) -> tuple[Point, int | None]:
    found = _SQUARE.fullmatch(text)
    if found is None:
        raise ScriptError(f"a square is written column,row; found {text}")
    column, row, height = found.groups()
    return (int(column), int(row)), None if height is None else int(height)
