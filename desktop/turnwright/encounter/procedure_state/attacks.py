"""What is under way and waits for a decision: procedures with their stage and data, and prompts with their asks."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from turnwright.dice.roll import Modifier, Roll
from turnwright.encounter.prepared import Feature, Point

AttackOutcome = Literal["", "miss", "fumble", "hit", "critical"]


HIT: Final = "hit"  # those of an attack whose dice nobody knows


CRITICAL: Final = "critical"


MISS: Final = "miss"


FUMBLE: Final = "fumble"


class AttackInProgress(msgspec.Struct, frozen=True, omit_defaults=True, tag="assault"):
    """One attack from its declaration to its end. `means` is the feature as it was when declared.

    `target` is a combatant, an obstacle's id with `thing`, or empty for a square (`at`). `tags` say what kind of attack it
    is, `facts` what a person said holds for it. `roll`, `ask_damage`: what was rolled. `critical`: the hit still counts as
    one. `share` is how much of the damage besides it falls on whoever saved against that.
    """

    attacker: str
    weapon: Feature
    target: str = ""
    is_object: bool = False
    square: Point | None = None
    purpose: str = ""
    tags: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    roll: Roll | None = None
    damage: Roll | None = None
    outcome: AttackOutcome = ""
    critical: bool = False
    extra_damage_share: str = ""


class SaveEffect(msgspec.Struct, frozen=True, omit_defaults=True, tag="onslaught"):
    """A feature used on some who save against it, by one or by a group acting as one.

    `save` and `dc` are what they save with, `half` whether a save made still halves the damage, `extra` what numbers add
    to the damage; `spell` is the shipped spell it is, `after_spare_choice` those whom its user leaves out (`plant`: all plants),
    `things` the map's obstacles that it reaches. `worst` are those who failed critically, `best` those who saved so, in
    a game where that is more.
    """

    members: tuple[str, ...]
    feature: Feature
    targets: tuple[str, ...] = ()
    save: str = ""
    dc: int = 0
    half_on_save: bool = False
    extra_damage: int = 0
    level: int | None = None
    spell: str = ""
    excluded: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    critically_failed: tuple[str, ...] = ()
    critically_saved: tuple[str, ...] = ()


class MountCommand(msgspec.Struct, frozen=True, omit_defaults=True, tag="order"):
    """What a rider tells its mount to do: a check, or one attack on somebody with one of its means."""

    rider: str
    mount: str
    action: str
    target: str = ""
    weapon: str = ""
    check: str = ""
