"""Reads the statements of attacks. ScriptError for words that are not understood."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from turnwright.cli.script.lexer import ScriptError, WordReader
from turnwright.cli.script.resolve import NameResolver, resolve_name
from turnwright.cli.script.statements import Statement
from turnwright.encounter.prepared import Map, Point
from turnwright.encounter.running import Combatant
from turnwright.play.attacks.commands.attack import Attack
from turnwright.rules.system import creature_of

AttackPurposeWord = Literal["off-hand", "opportunity", "readied", "commanded", "legendary", "free"]
ATTACK_KEYWORDS = ("with", "thrown", "as", "at", "if")


def attack(read: WordReader, names: NameResolver) -> Statement:
    """Read `attack raider-2 mira with axe thrown as off-hand at 4 7 if flanks cover:half`."""
    who = names.combatant(read.expect("a combatant"))
    target = (
        "" if read.at_end or read.next_is("with", "at") else _target(read.expect("whom or what is attacked"), names)
    )
    used, thrown, purpose, at = "", False, "", None
    facts: tuple[str, ...] = ()
    while not read.at_end:
        if read.accept("with"):
            used = feature_id(read.expect("what is attacked with"), who, names)
        elif read.accept("thrown"):
            thrown = True
        elif read.accept("as"):
            purpose = _purpose(read.expect("what pays for it"))
        elif read.accept("at"):
            at = _square(read)
        elif read.accept("if"):
            facts = tuple(read.until(*ATTACK_KEYWORDS))
        else:
            break
    return Attack(
        who,
        target,
        used,
        purpose=msgspec.convert(purpose, Literal[AttackPurposeWord, ""]),
        at=at,
        thrown=thrown,
        facts=facts,
    )


def _target(text: str, names: NameResolver) -> str:
    """Return the id of a combatant, of an obstacle of the map, or of an environment's entry."""
    field = names.encounter.get(Map, "map")
    things = [(one.id, one.name) for one in (field.obstacles if field else ())]
    people = [(one.id, one.label) for one in names.encounter.all(Combatant)]
    if "." in text:
        return ".".join(names.entry(text))
    return resolve_name(text, [*people, *things], "combatant or thing")


def feature_id(text: str, who: str, names: NameResolver) -> str:
    """Return the id of a feature in a combatant's stat block."""
    creature = creature_of(names.encounter, names.encounter.need(Combatant, who))
    return resolve_name(text, ((one.id, one.name) for one in creature.features), "feature")


def _purpose(text: str) -> str:
    if text not in get_args(AttackPurposeWord):
        raise ScriptError(f"as: expected one of {', '.join(get_args(AttackPurposeWord))}, found {text}")
    return text


def _square(read: WordReader) -> Point:
    return read.expect_number("a column"), read.expect_number("a row")
