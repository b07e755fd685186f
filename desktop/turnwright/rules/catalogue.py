"""The data a rule system is made of, as records: what `resources/systems/<system>/*.toml` holds once it is read.

Entries carry the ids of the ledger rules they implement, so that the engines that read them name none.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.prepared import Creature, Environment, Figures

RuleKind = Literal["compute", "track", "data", "narrator"]
DataRuleKind = Literal[
    "modifier",
    "advantage",
    "disadvantage",
    "resource",
    "speed",
    "deny",
    "damage",
    "duration",
    "grant",
    "note",
    "prompt",
]


class LedgerRule(msgspec.Struct, frozen=True):
    """One rule of the ledger: our words, and the example that its test shows."""

    id: str
    title: str
    source: tuple[str, ...]
    kind: RuleKind
    statement: str
    check: str


class DataRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that a condition or an action does to whoever has it.

    `what` names the figure or roll (`save.dex`, `attack`, `attack-against`, `check`, `speed`, `action`);
    `set` and `add` and `times` are its figure, one of them; `when` is a statement that must hold.
    """

    kind: DataRuleKind
    what: str
    set: int | None = None
    add: int = 0
    times: int = 1
    when: str = ""
    text: str = ""


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition with its effects. `external`: the sources only name it; the figures are the field's public ones."""

    id: str
    name: str
    text: str = ""
    icon: str = ""
    rules: tuple[DataRule, ...] = ()
    implies: tuple[str, ...] = ()
    external: bool = False
    ledger: tuple[str, ...] = ()


class Resource(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named resource of a turn: how many, when it is refilled, whether what is left carries over."""

    id: str
    name: str
    amount: int = 1
    refill: Literal["turn-start", "round-start", "never"] = "turn-start"
    carry: bool = False
    off_turn: bool = False
    ledger: tuple[str, ...] = ()


class ActionOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something a combatant may do: what it costs and which effect it leaves until when."""

    id: str
    name: str
    cost: str = "action"
    effect: str = ""
    ends: Literal["turn-start", "turn-end", "turn"] = "turn-start"
    free: bool = False
    text: str = ""
    ledger: tuple[str, ...] = ()


class InitiativeCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of the table of checks that may stand for initiative."""

    id: str
    ability: str
    skill: str
    suits: str
    ledger: tuple[str, ...] = ()


class RoundLength(msgspec.Struct, frozen=True, omit_defaults=True):
    """A length of round on offer. `usual`: the one an encounter of that purpose starts with."""

    id: str
    name: str
    seconds: int
    usual: str = ""
    ledger: tuple[str, ...] = ()


class DamageType(msgspec.Struct, frozen=True, omit_defaults=True):
    """A damage type."""

    id: str
    name: str
    icon: str = ""


class Size(msgspec.Struct, frozen=True, omit_defaults=True):
    """A creature size: the side of its space in feet."""

    id: str
    name: str
    space: float = 5.0


class Skill(msgspec.Struct, frozen=True, omit_defaults=True):
    """A skill or tool with its usual ability."""

    id: str
    name: str
    ability: str


class Named(msgspec.Struct, frozen=True, omit_defaults=True):
    """An id with the name the table uses for it."""

    id: str
    name: str
    short: str = ""


class CountdownRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of the table of expected rolls: so many dice last about so many rolls at each speed."""

    dice: int
    slow: int
    medium: int
    fast: int
    ledger: tuple[str, ...] = ()


class Catalogue(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything a system ships as data. Lookups by id are functions below, so that this stays a plain record.

    `cites` pairs an engine's topic (`hp.damage`) with the ledger id that governs it in this system;
    `countdown_faces` pairs a speed with the lowest face that removes a die.
    """

    id: str
    name: str
    abilities: tuple[Named, ...] = ()
    skills: tuple[Skill, ...] = ()
    sizes: tuple[Size, ...] = ()
    damage_types: tuple[DamageType, ...] = ()
    conditions: tuple[Condition, ...] = ()
    resources: tuple[Resource, ...] = ()
    actions: tuple[ActionOption, ...] = ()
    initiative_checks: tuple[InitiativeCheck, ...] = ()
    round_lengths: tuple[RoundLength, ...] = ()
    speeds: tuple[Named, ...] = ()
    countdown_faces: Figures = ()
    countdown_table: tuple[CountdownRow, ...] = ()
    environments: tuple[Environment, ...] = ()
    spawns: tuple[Creature, ...] = ()
    cites: tuple[tuple[str, str], ...] = ()
    terms: tuple[tuple[str, str], ...] = ()
    ledger: tuple[LedgerRule, ...] = ()
