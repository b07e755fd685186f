"""The rule system of a game: its data with lookups by id, and its hooks. No caller checks which system it has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from turnwright.dice.roll import DeclinableModifier, Edge, ExtraDice, Modifier, RollSpec
from turnwright.encounter.data_rules import DataRule, DataRuleKind
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Creature, Environment, Scene
from turnwright.encounter.running import Combatant, GuestCreature
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber, apply_stacking, explained_sum
from turnwright.rules.hooks import Hook, HookContext, HookResult, RollGrant
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.actions import ActionOption, Resource
from turnwright.rules.system_data.conditions import Condition
from turnwright.rules.system_data.roles import CONDITION_ROLES, OPTION_ROLES, RoleName
from turnwright.rules.system_data.rounds import TableRule


class MoveLeg(msgspec.Struct, frozen=True):
    """A leg of a move, with everything that affects its cost.

    `environment` is the environment whose ground the combatant crosses. `turns_aside`: the leg leaves the direction of
    the first leg on that ground. `map_ground` is the map's surcharge per foot. `feet_up` is the climb in feet
    (negative: a descent). `terrain` is the mode of movement that a square requires. `heading` is the direction in a
    chase.
    """

    feet: int
    mode: str = "walk"
    environment: str = ""
    turns_aside: bool = False
    map_ground: Modifier | None = None
    terrain: str = ""
    feet_up: int = 0
    dragged: str = ""
    squeezing: bool = False
    heading: str = ""


HookFunction = Callable[[Lookup, "RuleSystem", HookContext], HookResult]


@dataclass(frozen=True)
class RuleSystem:
    """A rule system: its data, and functions that can't be imported directly because of circular imports.

    `hooks` contains the functions of each hook, in order. `allowance` returns a combatant's movement in a mode, or None
    if it can't use that mode. It reads rules in force whose statements may in turn ask for it. `feature_subjects`
    returns the subjects of a combatant's feature rules of one kind that are in force.
    """

    data: SystemData
    hooks: Mapping[Hook, tuple[HookFunction, ...]]
    allowance: Callable[[Lookup, RuleSystem, str, str], ExplainedNumber | None]
    feature_subjects: Callable[[Lookup, RuleSystem, str, DataRuleKind, Collection[str]], frozenset[str]]

    @property
    def id(self) -> str:
        """Return the system's id, as used in files."""
        return self.data.id

    @cached_property
    def _cites(self) -> Mapping[str, str]:
        return dict(self.data.cites)

    @cached_property
    def _roles(self) -> Mapping[str, str]:
        unplayed: dict[str, str] = {role: role for role in CONDITION_ROLES}
        return {**unplayed, **dict.fromkeys(OPTION_ROLES, ""), **dict(self.data.roles)}

    @cached_property
    def _terms(self) -> Mapping[str, str]:
        return dict(self.data.terms)

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """Return the conditions, keyed by id."""
        return {condition.id: condition for condition in self.data.conditions}

    @cached_property
    def standing_rules(self) -> Mapping[str, Sequence[tuple[Condition, DataRule]]]:
        """Return the data rules that apply to every combatant, keyed by kind. The key `""` contains all of them."""
        by_kind: dict[str, list[tuple[Condition, DataRule]]] = {"": []}
        for condition in self.data.standing:
            for rule in condition.rules:
                by_kind[""].append((condition, rule))
                by_kind.setdefault(rule.kind, []).append((condition, rule))
        return by_kind

    @cached_property
    def external_rules(self) -> frozenset[str]:
        """Return the ledger ids of conditions that the sources only name. Their effects are suggestions."""
        return frozenset(id for condition in self.data.conditions if condition.external for id in condition.ledger)

    @cached_property
    def actions(self) -> Mapping[str, ActionOption]:
        """Return the actions, keyed by id."""
        return {action.id: action for action in self.data.actions}

    @cached_property
    def resources(self) -> Mapping[str, Resource]:
        """Return the resources, keyed by id."""
        return {resource.id: resource for resource in self.data.resources}

    @cached_property
    def spawns(self) -> Mapping[str, Creature]:
        """Return the creatures that environments spawn, keyed by id."""
        return {creature.id: creature for creature in self.data.spawns}

    @cached_property
    def environments(self) -> Mapping[str, Environment]:
        """Return the shipped environments, keyed by id."""
        return {environment.id: environment for environment in self.data.environments}

    @cached_property
    def countdown_faces(self) -> Mapping[str, int]:
        """Return the lowest face that removes a die, keyed by speed."""
        return dict(self.data.countdown_faces)

    @cached_property
    def options(self) -> Mapping[str, TableRule]:
        """Return the house rules, keyed by id."""
        return {option.id: option for option in self.data.options}

    def role(self, name: RoleName) -> str:
        """Return the id of the condition or house rule that plays a role in this game.

        If no condition plays the role, return the role's name, which serves as a mark without rules. If no house rule
        plays it, return an empty string.
        """
        return self._roles[name]

    @cached_property
    def has_surprise(self) -> bool:
        """Whether this game has rules for surprise, that is, a condition for the role."""
        return self.role("surprised") in self.conditions

    def has_option(self, lookup: Lookup, id: str) -> bool:
        """Return whether a house rule is on in this encounter."""
        options = scene_of(lookup).options
        usual = self.options[id].usual if id in self.options else False
        return id in options or (usual and f"not {id}" not in options)

    def expertise_dice(self, grants: Iterable[RollGrant]) -> tuple[ExtraDice, ...]:
        """Return the extra die for all sources of expertise combined. Each further source makes it bigger.

        A source with 0 steps cancels the die.
        """
        sources = [grant for grant in grants if grant.kind == "expertise"]
        sizes = self.data.expertise
        if not sources or not sizes or any(grant.steps == 0 for grant in sources):
            return ()
        steps = sum(grant.steps for grant in sources)
        reason = " + ".join(dict.fromkeys(grant.reason for grant in sources))
        return (ExtraDice(sizes[min(steps, len(sizes)) - 1], reason, sources[-1].rule),)

    def new_creature(self, id: str, name: str) -> Creature:
        """Return a stat block with only a name, and the default speed and reach in this game's unit."""
        usual = self.data.grid
        return Creature(id, name, speeds=(("walk", usual.speed),), reach=usual.reach)

    def modifier_of(self, creature: Creature, ability: str) -> int:
        """Return a creature's ability modifier."""
        return self.data.modifier_of(creature, ability)

    def check_die(self, lookup: Lookup) -> str:
        """Return the die for checks, or an empty string if the rules and house rules don't set one."""
        settings = self.data.checks
        return next((dice for option, dice in settings.die_options if self.has_option(lookup, option)), settings.die)

    def roll_spec(
        self,
        lookup: Lookup,
        modifiers: Iterable[Modifier],
        edges: Iterable[Edge] = (),
        extra: Iterable[ExtraDice] = (),
        *,
        dice: str | None = None,
        fails: str = "",
        offered: tuple[DeclinableModifier, ...] = (),
    ) -> RollSpec:
        """Return a roll with this game's die (or other `dice`) and its rules for advantage and stacking."""
        settings = self.data.checks
        stacked = apply_stacking(modifiers) if settings.typed else tuple(modifiers)
        rolled_dice = self.check_die(lookup) if dice is None else dice
        return RollSpec(rolled_dice, stacked, tuple(edges), tuple(extra), fails, settings.counted, offered=offered)

    def explained_sum(self, *parts: Modifier) -> ExplainedNumber:
        """Return the sum of the parts by this game's stacking rules."""
        return explained_sum(*(apply_stacking(parts) if self.data.checks.typed else parts))

    def half(self, lookup: Lookup, value: int) -> int:
        """Return half of a value, rounded down unless a house rule rounds up."""
        return (value + 1) // 2 if self.has_option(lookup, self.role("rounds-halves-up")) else value // 2

    def rule_id(self, topic: str) -> str:
        """Return the ledger id for a topic, or an empty string if this system has none."""
        return self._cites.get(topic, "")

    def word(self, key: str) -> str:
        """Return this game's term for a key, or the key itself if it has none."""
        return self._terms.get(key, key)

    def default_round_seconds(self, purpose: str) -> int:
        """Return the default length in seconds of a round in an encounter of this purpose."""
        lengths = self.data.round_lengths
        return next((length.seconds for length in lengths if length.usual == purpose), Scene().round_seconds)


def creature_of(lookup: Lookup, combatant: Combatant) -> Creature:
    """Return a combatant's stat block, or an empty one if the encounter no longer contains it."""
    return (
        lookup.get(Creature, combatant.creature)
        or lookup.get(GuestCreature, combatant.creature)
        or Creature(id=combatant.creature, name=combatant.label)
    )


def label_of(lookup: Lookup, who: str) -> str:
    """Return a combatant's label, or its id if it no longer exists."""
    combatant = lookup.get(Combatant, who)
    return combatant.label if combatant else who


def labels_of(lookup: Lookup, who: Iterable[str]) -> str:
    """Return the labels of several combatants as a list in text, without duplicates."""
    return and_list(label_of(lookup, each) for each in dict.fromkeys(who))


def and_list(texts: Iterable[str]) -> str:
    """Join texts to a list in a sentence: `Ann`, `Ann and Bob`, `Ann, Bob and Cass`."""
    *others, last = tuple(texts) or ("",)
    return f"{', '.join(others)} and {last}" if others else last
