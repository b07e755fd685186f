"""Reads statements of movement: by feet, by squares, into the saddle and down to the ground.

Squares are written `column,row`, with `@feet` behind them where the elevation isn't the ground's.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from turnwright.cli.script.lexer import ScriptError, WordReader
from turnwright.cli.script.resolve import NameResolver
from turnwright.cli.script.statements import Statement
from turnwright.encounter.prepared import Map, Point
from turnwright.play.attacks.commands.command_mount import CommandMount
from turnwright.play.movement.commands.drop_prone import DropProne
from turnwright.play.movement.commands.force_move import ForceMove
from turnwright.play.movement.commands.mount_or_dismount import MountOrDismount
from turnwright.play.movement.commands.move_feet import MoveFeet
from turnwright.play.movement.commands.move_path import MovePath
from turnwright.play.movement.commands.stand_up import StandUp
from turnwright.play.setup.commands.edit import Edit

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


def move(read: WordReader, names: NameResolver) -> Statement:
    """Read `move grak 30 climb through frigid turned leaves mira drags tam up 10`."""
    who = names.combatant(read.expect("a combatant"))
    feet = read.expect_number("the feet to move")
    plain = read.at_end or read.next_is(*_AFTER_FEET)
    mode = "walk" if plain else names.speed(read.expect("a mode of movement"))
    through, turned, squeezing, up, drags = "", False, False, 0, ""
    leaves: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    heading: Literal["", "forward", "sideways", "back"] = ""
    while not read.at_end:
        if read.accept("through"):
            through = names.environment(read.expect("an environment"))
        elif read.accept("turned"):
            turned = True
        elif read.accept("squeezing"):
            squeezing = True
        elif read.accept("up"):
            up = read.expect_number("feet")
        elif read.accept("down"):
            up = -read.expect_number("feet")
        elif read.accept("leaves"):
            leaves = names.combatants(read.until(*_AFTER_FEET))
        elif read.accept("keeps"):
            keeps = names.combatants(read.until(*_AFTER_FEET))
        elif read.accept("drags"):
            drags = names.combatant(read.expect("an ally"))
        elif read.accept("forward"):
            heading = "forward"
        elif read.accept("sideways"):
            heading = "sideways"
        elif read.accept("back"):
            heading = "back"
        else:
            break
    return MoveFeet(who, feet, mode, through, turned, up, leaves, drags, squeezing, heading, keeps)


def travel(read: WordReader, names: NameResolver) -> Statement:
    """Read `travel grak 3,4 4,5@10 by fly drags tam`."""
    who = names.combatant(read.expect("a combatant"))
    squares = [_square(text) for text in read.until("by", "drags")]
    mode = names.speed(read.expect("a mode of movement")) if read.accept("by") else "walk"
    drags = names.combatant(read.expect("an ally")) if read.accept("drags") else ""
    heights = [height for _, height in squares if height is not None]
    if not squares or len(heights) not in (0, len(squares)):
        raise ScriptError("say which squares, each as column,row, and an elevation for all of them or for none")
    return MovePath(who, tuple(square for square, _ in squares), mode, tuple(heights), drags)


def shift(read: WordReader, names: NameResolver) -> Statement:
    """Read `shift grak 3,4 teleport`."""
    who = names.combatant(read.expect("a combatant"))
    square, height = _square(read.expect("a square"))
    found: Literal["forced", "teleport", "provoking"] = "forced"
    if read.accept("teleport"):
        found = "teleport"
    elif read.accept("provoking"):
        found = "provoking"
    else:
        read.accept("forced")
    return ForceMove(who, square, found, height)


def wall(read: WordReader, names: NameResolver) -> Statement:
    """Read `wall 2,0 2,6` and `wall 2,0 2,6 gone`: from one corner of the squares to another."""
    here, there = _corner(read), _corner(read)
    field = names.encounter.get(Map, "map")
    if field is None:
        raise ScriptError("there is no map to draw a wall on")
    line = (*here, *there)
    kept = tuple(one for one in field.walls if one != line)
    if not read.accept("gone"):
        return Edit(msgspec.structs.replace(field, walls=(*kept, line)))
    if kept == field.walls:
        raise ScriptError("no such wall is drawn")
    return Edit(msgspec.structs.replace(field, walls=kept))


def _corner(read: WordReader) -> Point:
    point, height = _square(read.expect("a corner, column,row"))
    if height is not None:
        raise ScriptError("a wall stands from the ground up: a corner is column,row")
    return point


def ride(read: WordReader, names: NameResolver) -> Statement:
    """Read `ride mira horse uncontrolled`."""
    who, mount = names.combatant(read.expect("a combatant")), names.combatant(read.expect("a mount"))
    return MountOrDismount(who, mount, not read.accept("uncontrolled"))


def dismount(read: WordReader, names: NameResolver) -> Statement:
    """Read `dismount mira 3,4`."""
    who = names.combatant(read.expect("a combatant"))
    return MountOrDismount(who, to=None if read.at_end else _square(read.expect("a square"))[0])


def mount(read: WordReader, names: NameResolver) -> Statement:
    """Read `mount mira dash`, `mount mira attack raider-1 with hooves` and `mount mira check athletics`."""
    who, action = names.combatant(read.expect("the rider")), names.action(read.expect("what the mount does"))
    if action == "attack":
        target = names.combatant(read.expect("a target"))
        return CommandMount(who, action, target, read.expect("an attack") if read.accept("with") else "")
    if action == "check":
        return CommandMount(who, action, check=names.check(read.expect("a check")))
    return CommandMount(who, action)


def stand(read: WordReader, names: NameResolver) -> Statement:
    """Read `stand mira`."""
    return StandUp(names.combatant(read.expect("a combatant")))


def drop(read: WordReader, names: NameResolver) -> Statement:
    """Read `drop prone mira` and `drop prone mira reaction`."""
    read.accept("prone")
    return DropProne(names.combatant(read.expect("a combatant")), read.accept("reaction"))


def _square(text: str) -> tuple[Point, int | None]:
    found = _SQUARE.fullmatch(text)
    if found is None:
        raise ScriptError(f"a square is written column,row; found {text}")
    column, row, height = found.groups()
    return (int(column), int(row)), None if height is None else int(height)
