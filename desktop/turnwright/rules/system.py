"""A rule system is this record: parts that answer one question each, hooks, and data.

A part is a pure function or a small frozen record. Nothing outside `rules.systems` asks which system it has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from turnwright.dice.roll import Part, RollSpec
from turnwright.encounter.prepared import Creature, Environment, Scene
from turnwright.encounter.running import Combatant, Slot, Visitor
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue import ActionOption, Catalogue, Condition, Resource
from turnwright.rules.figures import Figure
from turnwright.rules.hooks import Hook, HookFunction


@dataclass(frozen=True)
class Adjusted:
    """Damage of one type after one adjustment: the reason is a word key, the rule a ledger id."""

    reason: str
    before: int
    after: int
    rule: str


@dataclass(frozen=True)
class Checks:
    """What is rolled for ability checks and saves. A check reads `dex` or `dex:stealth`."""

    check: Callable[[Lookup, RuleSystem, str, str], RollSpec]
    save: Callable[[Lookup, RuleSystem, str, str], RollSpec]
    contested: Callable[[Lookup, RuleSystem, str], RollSpec]


@dataclass(frozen=True)
class InitiativeRules:
    """What is rolled for a place in the order, what breaks a tie, and how slots compare (smaller is earlier)."""

    roll: Callable[[Lookup, RuleSystem, str], RollSpec]
    tie: RollSpec
    place: Callable[[Slot], tuple[int, ...]]
    usual_check: str


@dataclass(frozen=True)
class Movement:
    """How far somebody may go by a mode (None: not at all), and what so many feet cost there."""

    allowance: Callable[[Lookup, RuleSystem, str, str], Figure | None]
    cost: Callable[[Lookup, RuleSystem, str, int, str, str, bool], Figure]


@dataclass(frozen=True)
class DamageRules:
    """What becomes of one typed part of damage on its way to a target, step by step, and how temporary points add.

    `steps` are applied in order; each returns the adjusted figure with its reason, or None for no change.
    """

    steps: tuple[Callable[[Lookup, RuleSystem, str, Part, bool], Adjusted | None], ...]
    floor: int = 0


@dataclass(frozen=True)
class Rounds:
    """The stages of a round's top, in order, by the names that `play.procedures.rounds` knows."""

    top: tuple[str, ...]


@dataclass(frozen=True)
class World:
    """How the world's own actions come back, and how long a countdown's dice stay."""

    recharge_die: str = "1d6"
    countdown_die: int = 6


@dataclass(frozen=True)
class RuleSystem:
    """One game: its data and its parts. `cite` finds the ledger id that governs an engine's topic."""

    catalogue: Catalogue
    checks: Checks
    initiative: InitiativeRules
    movement: Movement
    damage: DamageRules
    armor_class: Callable[[Lookup, RuleSystem, str], Figure]
    rounds: Rounds
    world: World
    hooks: Mapping[Hook, tuple[HookFunction, ...]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The system's id, as files name it."""
        return self.catalogue.id

    @cached_property
    def _cites(self) -> Mapping[str, str]:
        return dict(self.catalogue.cites)

    @cached_property
    def _terms(self) -> Mapping[str, str]:
        return dict(self.catalogue.terms)

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """Conditions by id."""
        return {condition.id: condition for condition in self.catalogue.conditions}

    @cached_property
    def actions(self) -> Mapping[str, ActionOption]:
        """Actions by id."""
        return {action.id: action for action in self.catalogue.actions}

    @cached_property
    def resources(self) -> Mapping[str, Resource]:
        """Resources by id."""
        return {resource.id: resource for resource in self.catalogue.resources}

    @cached_property
    def spawns(self) -> Mapping[str, Creature]:
        """Creatures that environments bring in, by id."""
        return {creature.id: creature for creature in self.catalogue.spawns}

    @cached_property
    def environments(self) -> Mapping[str, Environment]:
        """Shipped environments by id."""
        return {environment.id: environment for environment in self.catalogue.environments}

    @cached_property
    def countdown_faces(self) -> Mapping[str, int]:
        """The lowest face that removes a die, by speed."""
        return dict(self.catalogue.countdown_faces)

    def cite(self, topic: str) -> str:
        """Return the ledger id for a topic, empty where this system has none."""
        return self._cites.get(topic, "")

    def term(self, key: str) -> str:
        """Return this game's word for something, the key itself where it has none."""
        return self._terms.get(key, key)

    def usual_round(self, purpose: str) -> int:
        """Return the length in seconds of a round in an encounter of this purpose, unless somebody says otherwise."""
        lengths = self.catalogue.round_lengths
        return next((length.seconds for length in lengths if length.usual == purpose), Scene().round_seconds)


def creature_of(lookup: Lookup, combatant: Combatant) -> Creature:
    """Return the stat block of a combatant; one that the encounter lost stands in as a bare one."""
    return (
        lookup.get(Creature, combatant.creature)
        or lookup.get(Visitor, combatant.creature)
        or Creature(id=combatant.creature, name=combatant.label)
    )
