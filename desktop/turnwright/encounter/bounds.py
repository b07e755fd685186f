"""Bounds beyond the types: the least and the most that a record's numbers, texts and lists may hold.

They keep a damaged file, or a slip of the finger, from bringing in something unplayable.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.encounter.countdown_outcomes import DealDamage
from turnwright.encounter.prepared import (
    Check,
    Countdown,
    Creature,
    EnvironmentEntry,
    Feature,
    Map,
    Obstacle,
    RosterEntry,
    SavingThrow,
    Scene,
    Wave,
)
from turnwright.encounter.procedure_state.damage import DamageRoll
from turnwright.encounter.running import (
    Clock,
    Combatant,
    CountdownPool,
    Effect,
    IdCounter,
    ObstacleState,
    Relation,
    Slot,
    Track,
)

MAX_BYTES = 8_000_000
MAX_TEXT = 200_000
MAX_ITEMS = 10_000
INT64_MIN = -(2**63)
UINT64_MAX = 2**64 - 1
MAX_NUMBER = 1_000_000

RecordType = type[msgspec.Struct]


class Bounds(msgspec.Struct, frozen=True):
    """The least and the most a whole number may be; `allows_zero` allows 0 as well."""

    minimum: int = INT64_MIN
    maximum: int = UINT64_MAX
    allows_zero: bool = False

    def problem(self, value: int) -> str:
        """Return what is wrong with a value, empty if nothing is."""
        if self.minimum <= value <= self.maximum or (self.allows_zero and value == 0):
            return ""
        if self.maximum in (UINT64_MAX, MAX_NUMBER) and value < self.minimum:
            return f"must be at least {self.minimum}; it is {value}"
        allowed = f"from {self.minimum} to {self.maximum}"
        return f"must be {'0 or ' if self.allows_zero else ''}{allowed}; it is {value}"


ANY = Bounds()
NOT_NEGATIVE = Bounds(0, MAX_NUMBER)
AT_LEAST_ONE = Bounds(1, MAX_NUMBER)
RECHARGE = Bounds(2, 6, allows_zero=True)

BOUNDS: Mapping[tuple[RecordType, str], Bounds] = MappingProxyType({
    (Scene, "round_seconds"): AT_LEAST_ONE,
    (Creature, "hp"): NOT_NEGATIVE,
    (Creature, "ac"): NOT_NEGATIVE,
    (Creature, "initiative"): Bounds(-1000, 1000),
    (Feature, "reach"): NOT_NEGATIVE,
    (Feature, "dc"): NOT_NEGATIVE,
    (Feature, "recharge"): RECHARGE,
    (Feature, "uses"): NOT_NEGATIVE,
    (Feature, "level"): Bounds(0, 20),
    (Feature, "attacks"): Bounds(0, 100),
    (Feature, "push"): NOT_NEGATIVE,
    (Feature, "price"): Bounds(0, 100),
    (Creature, "xp"): NOT_NEGATIVE,
    (Creature, "level"): Bounds(-1, 100),
    (Creature, "proficiency"): Bounds(0, 100),
    (Creature, "maneuver_dc"): NOT_NEGATIVE,
    (Creature, "space"): Bounds(0, 1000),
    (Creature, "reach"): NOT_NEGATIVE,
    (Creature, "attacks"): Bounds(1, 100),
    (Creature, "legendary"): Bounds(0, 100),
    (Map, "columns"): Bounds(0, 500),
    (Map, "rows"): Bounds(0, 500),
    (Map, "cell"): Bounds(1, 1000),
    (Obstacle, "ac"): NOT_NEGATIVE,
    (Obstacle, "hp"): NOT_NEGATIVE,
    (Obstacle, "height"): NOT_NEGATIVE,
    (Relation, "distance"): NOT_NEGATIVE,
    (ObstacleState, "hp"): NOT_NEGATIVE,
    (Relation, "height"): Bounds(-MAX_NUMBER, MAX_NUMBER),
    (Combatant, "elevation"): Bounds(-MAX_NUMBER, MAX_NUMBER),
    (RosterEntry, "elevation"): Bounds(-MAX_NUMBER, MAX_NUMBER),
    (Effect, "uses"): NOT_NEGATIVE,
    (Effect, "rounds"): NOT_NEGATIVE,
    (Effect, "dc"): NOT_NEGATIVE,
    (RosterEntry, "count"): Bounds(1, 500),
    (RosterEntry, "level"): NOT_NEGATIVE,
    (RosterEntry, "ac"): NOT_NEGATIVE,
    (RosterEntry, "hp"): AT_LEAST_ONE,
    (SavingThrow, "dc"): NOT_NEGATIVE,
    (Check, "dc"): NOT_NEGATIVE,
    (EnvironmentEntry, "ac"): NOT_NEGATIVE,
    (EnvironmentEntry, "fatigue"): NOT_NEGATIVE,
    (EnvironmentEntry, "recharge"): RECHARGE,
    (EnvironmentEntry, "delay"): NOT_NEGATIVE,
    (EnvironmentEntry, "hearing"): NOT_NEGATIVE,
    (Countdown, "dice"): Bounds(1, 100),
    (Countdown, "starts"): NOT_NEGATIVE,
    (Wave, "round"): NOT_NEGATIVE,
    (Combatant, "hp"): Bounds(-MAX_NUMBER, UINT64_MAX),
    (Combatant, "hp_max"): NOT_NEGATIVE,
    (Combatant, "initiative"): Bounds(-MAX_NUMBER, MAX_NUMBER),
    (Combatant, "temp_hp"): NOT_NEGATIVE,
    (Clock, "round"): NOT_NEGATIVE,
    (IdCounter, "next"): AT_LEAST_ONE,
    (CountdownPool, "dice"): Bounds(0, 100),
    (Track, "value"): NOT_NEGATIVE,
    (Effect, "value"): Bounds(-MAX_NUMBER, MAX_NUMBER),
    (Slot, "count"): Bounds(-MAX_NUMBER, MAX_NUMBER),
})  # fmt: skip

DICE: frozenset[tuple[RecordType, str]] = frozenset({
    (Feature, "damage"),
    (Feature, "save_damage"),
    (Feature, "ongoing"),
    (Effect, "damage"),
    (EnvironmentEntry, "damage"),
    (EnvironmentEntry, "reduced_damage"),
    (DealDamage, "damage"),
    (DamageRoll, "damage"),
})  # fmt: skip


def problem_in(record: msgspec.Struct) -> tuple[str, str]:
    """Return the name of the first field out of bounds in a record, nested records included, and its problem."""
    for name in record.__struct_fields__:
        value = getattr(record, name)
        found = (name, "")
        if isinstance(value, int):
            found = (name, BOUNDS.get((type(record), name), ANY).problem(value))
        elif isinstance(value, str):
            found = (name, f"is longer than {MAX_TEXT} characters" if len(value) > MAX_TEXT else "")
            if value and (type(record), name) in DICE:
                found = (name, dice_problem(value))
        elif value is not None:
            found = _problem_inside(name, value)
        if found[1]:
            return found
    return "", ""


def _problem_inside(name: str, value: object) -> tuple[str, str]:
    if isinstance(value, msgspec.Struct):
        return problem_in(value)
    if isinstance(value, tuple) and len(value) > MAX_ITEMS:
        return name, f"holds more than {MAX_ITEMS} entries"
    for item in value if isinstance(value, tuple) else ():
        found = _problem_inside(name, item)
        if found[1]:
            return found
    if isinstance(value, int):
        return name, ANY.problem(value)
    return name, ""


def dice_problem(text: str) -> str:
    """Return what is wrong with a dice expression, empty if nothing is."""
    try:
        parse(text)
    except DiceError as error:
        return f"is no dice expression such as 2d6+3 fire: {error}"
    return ""
