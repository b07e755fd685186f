"""The rule system of a game: its data with lookups by id, and its hooks. No caller checks which system it has.

Hooks are the moments at which data and parts contribute modifiers, offers and vetoes. A hook function never changes the
state and never asks a question. It returns a `HookResult`, and the stage that called it decides.
`docs/order-of-play.md` shows every hook in the course of a turn; a test keeps the two in sync. Numbers keep their
parts, so that every calculated total can be explained.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from turnwright.dice.expression import DeclinableModifier, Edge, ExtraDice, Modifier, RollPart, RollSpec
from turnwright.encounter.data_rules import DataRule, DataRuleKind
from turnwright.encounter.prepared import Creature, Environment, Point, Scene
from turnwright.encounter.running import Combatant, Effect, GuestCreature
from turnwright.encounter.state import Lookup, grouped, scene_of
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.system_data.numbers import ActionOption, Resource
from turnwright.rules.system_data.roles import CONDITION_ROLES, OPTION_ROLES, RoleName
from turnwright.rules.system_data.rounds import TableRule

if TYPE_CHECKING:
    from turnwright.encounter.procedure_state import ProcedureData
    from turnwright.encounter.procedure_state.kinds import ProcedureKind

_WORD_KEY = re.compile(r"[\w-]+(?:\.[\w-]+)+")


class Hook(Enum):
    """The hooks, in the order in which a round reaches them."""

    ROUND_STARTED = "round_started"
    COUNTDOWN_ROLLED = "countdown_rolled"
    TURN_STARTED = "turn_started"
    ACTION_DECLARED = "action_declared"
    FOE_ACTED = "foe_acted"
    MOVED = "moved"
    CAME_NEAR = "came_near"
    CHECK_MADE = "check_made"
    ATTACK_ROLLED = "attack_rolled"
    ATTACK_SETTLED = "attack_settled"
    DAMAGE_ROLLED = "damage_rolled"
    DAMAGE_INCOMING = "damage_incoming"
    DAMAGE_TAKEN = "damage_taken"
    DROPPING = "dropping"
    DIED = "died"
    HEALED = "healed"
    EFFECT_GAINED = "effect_gained"
    EFFECT_ENDED = "effect_ended"
    TURN_ENDING = "turn_ending"


class HookContext(msgspec.Struct, frozen=True):
    """The arguments of a hook call.

    `who` is the combatant concerned. `subject` is the resource, roll (`save.dex`, `check.dex:stealth`, `attack`,
    `attack-against`, `check-against`), effect or environment concerned. `other` is the combatant on the other side: the
    target of an attack or check or, if `subject` ends in `-against`, the combatant that makes it.

    `tags` are known facts about the roll: `melee`, `ranged`, `weapon`, `spell`, `thrown`, `opportunity`, `hide`, …
    `initiative`: the roll determines a place in the turn order. `part` is the damage to adjust, at DAMAGE_INCOMING.
    `effect` is the effect whose rules are being evaluated. `amount` is the damage taken, or the distance to `other` in
    feet before a step. `hp_before` is the number of hit points before the damage. `origin` is the square from which an
    area spreads, if that isn't the space of `other`.
    """

    who: str = ""
    subject: str = ""
    part: RollPart | None = None
    initiative: bool = False
    other: str = ""
    tags: tuple[str, ...] = ()
    effect: Effect | None = None
    amount: int = 0
    hp_before: int = 0
    origin: Point | None = None

    @property
    def attacker(self) -> str:
        """Return the id of the combatant that makes the attack or check."""
        return self.other if self.subject.endswith("-against") else self.who

    @property
    def target(self) -> str:
        """Return the id of the target of the attack or check, or an empty string if it has none."""
        return self.who if self.subject.endswith("-against") else self.other


class Veto(msgspec.Struct, frozen=True):
    """A reason why something isn't allowed: a word key with its parameters, and the ledger rule."""

    reason: str
    rule: str
    params: tuple[tuple[str, str | int], ...] = ()


class RollGrant(msgspec.Struct, frozen=True):
    """A special contribution of a source to a roll.

    `kind` is one of these: `expertise` (`steps` is the number of steps of the extra die; 0 cancels expertise from any
    source), `critical` (a hit is a critical hit), `fail` (the roll fails), `ask` (the game master has to decide;
    `reason` is the question), `flat` (a flat check with DC `steps` comes first), `reroll` (a d20 that shows `steps` or
    less is rolled again). For `critical`, `steps` is the lowest face for which it holds.
    """

    kind: str
    reason: str
    rule: str
    steps: int = 1


class OpenModifier(msgspec.Struct, frozen=True):
    """A part of a roll that depends on an unknown fact (`depends_on`). The game master may accept it.

    `uses` is the id of the effect that then loses a use.
    """

    share: Edge | Modifier | ExtraDice
    depends_on: str
    uses: str = ""


class EntryOffer(msgspec.Struct, frozen=True):
    """An environment entry that now affects a combatant."""

    environment: str
    entry: str
    who: str


class StartProcedure(msgspec.Struct, frozen=True):
    """A procedure that a hook starts at its first stage: its kind and its data."""

    kind: ProcedureKind
    data: ProcedureData


class HookResult(msgspec.Struct, frozen=True):
    """The contributions of a single hook function, or of several combined.

    `consumed_effects` are the ids of contributing effects with limited uses: making the roll spends one use of each.
    `open_modifiers` depend on an unknown fact.
    """

    modifiers: tuple[Modifier, ...] = ()
    edges: tuple[Edge, ...] = ()
    offers: tuple[EntryOffer, ...] = ()
    vetoes: tuple[Veto, ...] = ()
    grants: tuple[RollGrant, ...] = ()
    consumed_effects: tuple[str, ...] = ()
    procedures: tuple[StartProcedure, ...] = ()
    open_modifiers: tuple[OpenModifier, ...] = ()
    dice: tuple[ExtraDice, ...] = ()


class HasHooks(Protocol):
    """A rule system, which contains the functions of each hook. They take the system as their second argument."""

    @property
    def hooks(self) -> Mapping[Hook, tuple[Callable[[Lookup, Any, HookContext], HookResult], ...]]:
        """Return the functions of each hook, in order."""


NO_RESULT = HookResult()


def run_hooks(lookup: Lookup, rules: HasHooks, hook: Hook, context: HookContext) -> HookResult:
    """Run all functions of a hook in their fixed order, and combine their results."""
    results = (function(lookup, rules, context) for function in rules.hooks.get(hook, ()))
    contributions = [result for result in results if result is not NO_RESULT]
    if len(contributions) < 2:
        return contributions[0] if contributions else NO_RESULT
    joined = {
        name: tuple(item for result in contributions for item in getattr(result, name))
        for name in HookResult.__struct_fields__
    }
    return HookResult(**joined)


class ExplainedNumber(msgspec.Struct, frozen=True):
    """A total with its parts. `replaced` is True if one part overrides the rest (`set to 0`)."""

    total: int
    parts: tuple[Modifier, ...] = ()
    replaced: bool = False


def apply_stacking(parts: Iterable[Modifier]) -> tuple[Modifier, ...]:
    """Set all but the highest bonus and the worst penalty of each type to 0."""
    modifiers = tuple(parts)
    strongest: dict[tuple[str, bool], int] = {}
    for at, part in enumerate(modifiers):
        side = (part.kind, part.value > 0)
        best = strongest.get(side)
        if part.kind and (best is None or abs(modifiers[best].value) < abs(part.value)):
            strongest[side] = at
    return tuple(
        part if not part.kind or strongest[part.kind, part.value > 0] == at else msgspec.structs.replace(part, value=0)
        for at, part in enumerate(modifiers)
    )


def explained_sum(*parts: Modifier) -> ExplainedNumber:
    """Add up modifiers. The result lists the first one, and all others that aren't 0."""
    shown_parts = tuple(part for index, part in enumerate(parts) if part.value or index == 0)
    return ExplainedNumber(sum(part.value for part in parts), shown_parts)


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
    returns the subjects of a combatant's feature rules of one kind that are in force. `reach` returns a reach in feet
    as effects change it.
    """

    data: SystemData
    hooks: Mapping[Hook, tuple[HookFunction, ...]]
    allowance: Callable[[Lookup, RuleSystem, str, str], ExplainedNumber | None]
    feature_subjects: Callable[[Lookup, RuleSystem, str, DataRuleKind, Collection[str]], frozenset[str]]
    reach: Callable[[Lookup, RuleSystem, str, int], int]

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
        rules = [(condition, rule) for condition in self.data.standing for rule in condition.rules]
        return {"": rules, **grouped((rule.kind, (condition, rule)) for condition, rule in rules)}

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
        usual = self.options[id].default if id in self.options else False
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
        reasons = [*dict.fromkeys(grant.reason for grant in sources)]
        reason = reasons[0] if len(reasons) == 1 else " + ".join(map(word_key, reasons))
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
        grants: Iterable[RollGrant] = (),
    ) -> RollSpec:
        """Return a roll with this game's die (or other `dice`) and its rules for advantage and stacking.

        Of the `grants`, only those that roll a die again count.
        """
        settings = self.data.checks
        stacked = apply_stacking(modifiers) if settings.typed else tuple(modifiers)
        rolled_dice = self.check_die(lookup) if dice is None else dice
        again = max((grant.steps for grant in grants if grant.kind == "reroll"), default=0, key=abs)
        edges, extra = tuple(edges), tuple(extra)
        return RollSpec(rolled_dice, stacked, edges, extra, fails, settings.counted, offered=offered, again=again)

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
        return next((length.seconds for length in lengths if length.default_for == purpose), Scene().round_seconds)


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


def word_key(text: str) -> str:
    """Return a word key in angle brackets, which mark it for look-up. Other texts, such as names, are unchanged."""
    return f"<{text}>" if _WORD_KEY.fullmatch(text) else text


def and_list(texts: Iterable[str]) -> str:
    """Join texts to a list in a sentence: `Ann`, `Ann and Bob`, `Ann, Bob and Cass`."""
    *others, last = tuple(texts) or ("",)
    return f"{', '.join(others)} and {last}" if others else last
