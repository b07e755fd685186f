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
    """A named resource of a turn: its amount, when it is refilled, and whether unspent ones carry over.

    `round_option` is the house rule under which it is refilled at the start of each round instead. `start` is the
    amount at the start of a fight. Off turn, `instead` pays for it. `own`: the stat block gives the amount; without one
    there is none. `off_turn`: it can be used at any time. `lapses`: what is left is lost at the end of the turn.
    `withheld`: a combatant that can't use it at its refill gets none. `ends_turn`: the turn is over when all of it is
    spent, unless the game master decides otherwise.
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

    `when` is a statement about the actor, as in a data rule. `of` is its other side: none, each target, or the
    combatant that the action is `about`. `only`: checked for this choice only. `reason` is the word key of the refusal.
    """

    when: Statement
    reason: WordKey
    of: Literal["", "target", "about"] = ""
    only: ChoiceId = ""
    ledger: RuleId = ""


class ActionCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """The check of an action. If there are several `rolls`, the game master chooses one.

    Its DC is `dc`, or a number of each opposed combatant: `passive.perception`, `maneuver-dc`, or `hidden` (the totals
    of hidden combatants). `rules` change this roll only. `waived` is when it succeeds without a roll; `lets`: an
    opposed combatant may let it succeed. Both have their rules in `ledgers`. `ties` is the house rule under which an
    equal total isn't enough. `theirs` makes it a contest: the opposed combatant makes one of these rolls; an equal
    total is enough unless it `yields`. `holder` is the effect that it breaks: its creator is opposed. `reveals`:
    secrets of the place may be revealed, by the rule with that name in `ledgers`.
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

    `keeps` is what it records: the check's `total` as its value, or the `note` as its end. `only`: for this choice
    only. If the action has a check, the effect follows a success or the given `degree`. `value` is the value of the
    condition.
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
    """Numbers for exertion: as many free turns as the modifier of `free`, then a check each turn.

    Each check in the last `window` seconds adds `step` to the DC. A failure adds a level to the track `tires`. Free
    turns return and the level goes after `window` seconds without exertion. `ledgers` names the rules for these.
    """

    free: AbilityId
    step: int
    window: int
    tires: TrackName
    ledgers: RulesByTopic = ()


class ActionOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action of a combatant: its cost, targets, requirements, and the effects it leaves.

    `price` is how many of its cost it takes; 0 means that the game master enters any number, or chooses one of
    `prices`. `costs` are several costs to choose from: resources, `attack` (one attack of the Attack action), `none`,
    or a name in `takes` (its seconds; as a cost, an action of a turn at least that long). `group` is the kind of
    option: listed by the game, a reaction, a free one, or another. `asks` names the parameters that are asked for when
    the command omits them (`cost`, `choice`, which it may `remember`) and descriptions (`note`). Targets are always
    asked for, unless a note describes them. `about` is the choice that involves another combatant. `offers` are
    reactions that its target may take; `gives` is the resource that the points spent become; `spends` is the cost in
    additional pools (0: entered). `done` is an additional effect in `play.actions.action_effects`. A stride that it
    buys is at most `feet` long, or the full Speed if 0. `provokes`: enemies that can react to actions in their reach
    may react to it, or to the movement that it buys. `ledgers` pairs further topics of engines with their rules.
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
    """A spell as far as its source describes it, in the form of a feature. `missing` lists the details it lacks.

    `level` is 0 for a cantrip, `price` is how many of its `cost` it takes. `grows`: its dice increase with the caster's
    level. `attack` is the kind of its attack roll, `rays` the number of attacks. `heals` is the amount that its targets
    regain; with `adds_modifier`, the caster's modifier is added. `higher` is the additional damage or healing for each
    level (or each `every` levels) of the slot above the spell's own. `turns_hit` is the caster's bonus to AC against an
    attack that would hit. `long`: it takes longer than a turn. `revised`: newer rules of the game give it other
    numbers.

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
