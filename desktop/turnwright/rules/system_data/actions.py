"""Data of actions: the resources that pay for them, their requirements, checks and effects."""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.field_specs import (
    AbilityId,
    DamageTypeId,
    DiceText,
    FieldSpec,
    ResourceId,
    SpellLevel,
    TableRuleId,
    TrackName,
)
from turnwright.encounter.prepared import InflictedCondition, NamedNumbers
from turnwright.rules.system_data.field_types import (
    ActionIds,
    AskedParameter,
    CheckTags,
    ChoiceId,
    Cost,
    Costs,
    Degree,
    EffectName,
    OpposedNumber,
    OutcomeId,
    ResourceNumbers,
    RollNames,
    RuleId,
    RuleIds,
    RulesByTopic,
    WordKey,
)
from turnwright.rules.system_data.statements import ALWAYS, Statement

SpellDetail = Literal["level", "range", "casting time", "save", "targets", "bonus", "duration", "attack", "damage"]


class Resource(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named resource of a turn: its amount, when it is refilled, and whether unspent amounts carry over.

    `round_option` is the house rule under which it is refilled at the start of each round instead. `start` is the
    amount at the start of a fight. Outside the combatant's turn, `instead` pays for it. `own`: the stat block gives the
    amount, which is 0 by default. `off_turn`: it can be used at any time. `lapses`: the rest is lost at the end of the
    turn. `withheld`: a combatant that can't use it at its refill gets none. `ends_turn`: the turn is over when all of
    it is spent, unless the game master decides otherwise.
    """

    id: str
    name: str
    amount: int = 1
    refill: Literal["turn-start", "round-start", "never"] = "turn-start"
    carry: bool = False
    off_turn: bool = False
    round_option: TableRuleId = ""
    start: Literal["full", "half", "none"] = "full"
    instead: ResourceId = ""
    own: bool = False
    lapses: bool = False
    withheld: bool = False
    ends_turn: bool = False
    ledger: RuleIds = ()


class Requirement(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fact that must be true, or at least not known to be false, for an action to be taken.

    `when` is a statement about the actor, as in a data rule. `of` is the other combatant in the statement: none, each
    target, or the combatant that the action is `about`. `only`: this is checked for one choice only. `reason` is the
    word key of the refusal.
    """

    when: Statement
    reason: WordKey
    of: Literal["", "target", "about"] = ""
    only: ChoiceId = ""
    ledger: RuleId = ""


class ActionCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """The check of an action. If there are several `rolls`, the game master chooses one.

    Its DC is `dc`, or a number of each opposed combatant: `passive.perception`, `maneuver-dc`, or `hidden` (the totals
    of hidden combatants). With `theirs`, it is a contest: the opposed combatant makes one of these rolls. An equal
    total succeeds in a contest unless it `yields`, and against a DC unless the house rule `ties` is on.

    `rules` change only this roll. `waived` is the statement under which it succeeds without a roll. `lets`: an opposed
    combatant may let it succeed. Both have their rules in `ledgers`. `holder` is the effect that the check breaks,
    whose creator is opposed. `reveals`: secrets of the place may be revealed, by the rule with that name in `ledgers`.
    """

    rolls: RollNames
    dc: int = 0
    against: OpposedNumber = ""
    tags: CheckTags = ()
    rules: tuple[DataRule, ...] = ()
    waived: Statement = ALWAYS
    lets: bool = False
    ties: TableRuleId = ""
    theirs: RollNames = ()
    holder: EffectName = ""
    yields: bool = False
    reveals: bool = False
    ledger: RuleId = ""
    ledgers: RulesByTopic = ()


class LeftEffect(msgspec.Struct, frozen=True, omit_defaults=True):
    """An effect that an action leaves on its actor or on each target, until a moment of the actor's turn.

    `keeps` is the detail it records: the check's `total` as its value, or the `note` as its end. `only` limits it to
    one choice. If the action has a check, the effect follows a success or the given `degree`. `value` is the value of
    the condition.
    """

    effect: EffectName
    on: Literal["self", "target"] = "self"
    by: Literal["", "self", "target", "about"] = ""
    ends: Literal["turn-start", "turn-end", "turn", "never"] = "turn-start"
    uses: int = 0
    keeps: Literal["", "total", "note", "choice"] = ""
    only: ChoiceId = ""
    shown: bool = True
    degree: Degree = ""
    value: int = 0


class ActionChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A variant of an action. `outcome` is its most frequent outcome, `value` the value of its effect.

    With an `ability`, the value is the actor's modifier divided by `over`. If any of the statements in `known` is true,
    this variant is used.
    """

    id: str
    name: str
    outcome: OutcomeId = ""
    value: int = 0
    ability: AbilityId = ""
    over: int = 1
    known: tuple[Statement, ...] = ()


class ExertionFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for exertion: free turns up to the modifier of the ability `free`, then a check each turn.

    Each check in the last `window` seconds adds `step` to the DC. A failure adds a level to the track `tires`. After
    `window` seconds without exertion, the free turns return and the level is removed. `ledgers` names the rules for
    this.
    """

    free: AbilityId
    step: int
    window: int
    tires: TrackName
    ledgers: RulesByTopic = ()


class ActionOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action of a combatant: its cost, targets, requirements, and the effects it leaves.

    `price` is the number of units of its cost. 0 means that the game master enters a number, or chooses one of
    `prices`. `costs` are alternative costs: resources, `attack` (one attack of the Attack action), `none`, or a name in
    `takes` (with its seconds; such a cost uses the action of a turn at least that long). `spends` is the additional
    cost in pools (0: entered). `gives` is the resource into which the spent points are converted.

    `group` is the list that shows the option: listed by the game, reactions, free actions, or others. `asks` names
    parameters that are asked for if the command omits them (`cost`, `choice`, which it may `remember`) and descriptions
    (`note`). Targets are always asked for, unless a note describes them. `about` is the choice that involves another
    combatant. `offers` are reactions that the target may take.

    `done` is an additional effect in `play.actions.action_effects`. `feet` is the maximum length of a stride that the
    action buys (0: the full Speed). `provokes`: enemies that can react to actions in their reach may react to it, or to
    the movement that it buys. `ledgers` pairs further topics of engines with their rules.
    """

    id: str
    name: str
    cost: Cost = "action"
    price: int = 1
    effect: EffectName = ""
    ends: Literal["turn-start", "turn-end", "turn"] = "turn-start"
    free: bool = False
    text: str = ""
    ledger: RuleIds = ()
    costs: Costs = ()
    takes: NamedNumbers = ()
    group: Literal["listed", "reaction", "free", "other"] = "listed"
    targets: Literal["", "one", "observers"] = ""
    about: ChoiceId = ""
    asks: tuple[AskedParameter, ...] = ()
    choices: tuple[ActionChoice, ...] = ()
    requires: tuple[Requirement, ...] = ()
    trial: ActionCheck | None = None
    leaves: tuple[LeftEffect, ...] = ()
    exertion: ExertionFigures | None = None
    offers: ActionIds = ()
    gives: ResourceId = ""
    spends: ResourceNumbers = ()
    done: Annotated[str, FieldSpec(ids=("effect of an action",))] = ""
    feet: int = 0
    provokes: bool = False
    prices: tuple[int, ...] = ()
    ledgers: RulesByTopic = ()

    @property
    def payable(self) -> tuple[str, ...]:
        """Return the costs that can pay for the action, the default first."""
        return self.costs or (self.cost,)

    def rule(self, topic: str = "") -> str:
        """Return the action's ledger id for a topic, or else its first, or an empty string if it has none."""
        return dict(self.ledgers).get(topic) or (self.ledger[0] if self.ledger else "")


class Spell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A spell in the form of a feature, as described by its source. `missing` lists the details that the source omits.

    `level` is 0 for a cantrip, `price` is the number of units of its `cost`. `grows`: its dice increase with the
    caster's level. `attack` is the type of its attack roll, `rays` the number of attacks. `heals` is the amount that
    its targets regain; with `adds_modifier`, the caster's modifier is added. `higher` is the additional damage or
    healing for each level (or each `every` levels) of the slot above the spell's own. `turns_hit` is the caster's bonus
    to AC against an attack that would hit. `long`: it takes longer than a turn. `revised`: newer rules of the game give
    it other numbers.

    Its area may consist of `cubes` cubes of `cube` feet, each touching another. `ignites`: flammable objects that
    aren't held or worn catch fire. `spares_plants`: its caster may exclude plants. `ledgers` has the rules for `cubes`,
    `ignites` and the `missing` details.
    """

    id: str
    name: str
    text: str = ""
    damage: DiceText = ""
    kind: DamageTypeId = ""
    cubes: int = 0
    cube: int = 0
    ignites: bool = False
    spares_plants: bool = False
    missing: tuple[SpellDetail, ...] = ()
    level: SpellLevel | None = None
    cost: Literal["action", "bonus", "reaction"] = "action"
    price: int = 1
    attack: Literal["", "melee", "ranged"] = ""
    save: AbilityId = ""
    half: bool = False
    heals: DiceText = ""
    adds_modifier: bool = False
    rays: int = 1
    higher: DiceText = ""
    every: int = 1
    grows: bool = False
    area: str = ""
    range: str = ""
    push: int = 0
    concentration: bool = False
    long: bool = False
    revised: bool = False
    afflictions: tuple[InflictedCondition, ...] = ()
    turns_hit: int = 0
    ledger: RuleIds = ()
    ledgers: RulesByTopic = ()

    def rule(self, topic: str = "") -> str:
        """Return the spell's ledger id for a topic, or else its first, or an empty string if it has none."""
        return dict(self.ledgers).get(topic) or (self.ledger[0] if self.ledger else "")
