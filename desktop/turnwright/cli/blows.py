"""Attacks, as a script says them. ScriptError where they are not understood."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from turnwright.cli.lines import Reader, ScriptError
from turnwright.cli.names import Names, choose
from turnwright.cli.orders import Order
from turnwright.encounter.prepared import Map, Point
from turnwright.encounter.running import Combatant
from turnwright.play import commands
from turnwright.rules.system import creature_of

Purpose = Literal["off-hand", "opportunity", "readied", "commanded", "legendary", "free"]
AFTER_TARGET = ("with", "thrown", "as", "at", "if")


def attack(read: Reader, names: Names) -> Order:
    """Read `attack raider-2 mira with axe thrown as off-hand at 4 7 if flanks cover:half`."""
    who = names.who(read.next("a combatant"))
    target = "" if read.done or read.sees("with", "at") else _target(read.next("whom or what is attacked"), names)
    used, thrown, purpose, at = "", False, "", None
    facts: tuple[str, ...] = ()
    while not read.done:
        if read.takes("with"):
            used = means(read.next("what is attacked with"), who, names)
        elif read.takes("thrown"):
            thrown = True
        elif read.takes("as"):
            purpose = _purpose(read.next("what pays for it"))
        elif read.takes("at"):
            at = _square(read)
        elif read.takes("if"):
            facts = tuple(read.until(*AFTER_TARGET))
        else:
            break
    return commands.Attack(
        who, target, used, purpose=msgspec.convert(purpose, Literal[Purpose, ""]), at=at, thrown=thrown, facts=facts
    )


def _target(text: str, names: Names) -> str:
    """Return the id of a combatant, of an obstacle of the map, or of an environment's row."""
    field = names.encounter.get(Map, "map")
    things = [(one.id, one.name) for one in (field.obstacles if field else ())]
    people = [(one.id, one.label) for one in names.encounter.all(Combatant)]
    if "." in text:
        return ".".join(names.row(text))
    return choose(text, [*people, *things], "combatant or thing")


def means(text: str, who: str, names: Names) -> str:
    """Return the id of a feature of somebody's stat block."""
    creature = creature_of(names.encounter, names.encounter.need(Combatant, who))
    return choose(text, ((one.id, one.name) for one in creature.features), "feature")


def _purpose(text: str) -> str:
    if text not in get_args(Purpose):
        raise ScriptError(f"as: expected one of {', '.join(get_args(Purpose))}, found {text}")
    return text


def _square(read: Reader) -> Point:
    return read.number("a column"), read.number("a row")
