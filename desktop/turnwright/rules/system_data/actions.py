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
    """A named resource of a turn: its amount, when it is refilled, whether a rest carries over.

    `round_option` is the table rule under which it is refilled as each round begins instead. `start` is how much of it
    there is as a fight begins; off turn `instead` pays in its stead. `own`: its amount is the stat block's, and none
    where that gives none. `off_turn`: it serves at any time. What is left of one that `lapses` is lost as the turn
    ends; `withheld`: a combatant that can't use it at its refill gets none; `ends_turn`: once all of it is spent, the
    turn is over unless a person decides otherwise.
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

    `when` is as in a data rule, about the actor; `of` chooses its other side: none, each target, or the combatant that
    the action is `about`. `only`: checked for this choice alone. `reason` is the word key of the refusal.
    """

    when: Statement
    reason: WordKey
    of: Literal["", "target", "about"] = ""
    only: ChoiceId = ""
    ledger: RuleId = ""


class ActionCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """The check of an action. Of several `rolls` the game master chooses one.

    Its DC is `dc`, or a number of each opposed combatant: `passive.perception`, `maneuver-dc`, or `hidden`, the totals
    that hiders left. `rules` change this roll alone. `waived` is when it succeeds without one; `lets`: an opposed
    combatant may let it succeed. Both name their rules in `ledgers`. `ties` is the table rule under which an equal
    total is not enough. `theirs` makes it a contest: rolls of which the opposed combatant makes one; an equal total is
    enough unless it `yields`. `holder` is the effect that it breaks: its creator is opposed. `reveals`: secrets of the
    place may be revealed, by the rule of that name in `ledgers`.
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

    `keeps` chooses what it records: the check's `total` as its value, or the `note` as its end. `only`: for this
    choice alone. Where the action has a check it comes of success, or of the `degree` named. `value` is that of the
    condition left.
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

    Where it names an `ability`, the value is the actor's modifier of it divided by `over`. `known` are statements
    of which any one settles that this variant is used.
    """

    id: str
    name: str
    outcome: OutcomeId = ""
    value: int = 0
    ability: AbilityId = ""
    over: int = 1
    known: tuple[Statement, ...] = ()


class ExertionFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of exertion: as many free turns as the modifier of `free`, then a check each turn.

    Each check of the last `window` seconds adds `step` to the DC. A failure adds a level to the track `tires`, which
    goes, as free turns come back, after `window` seconds without. `ledgers` names the rules of each.
    """

    free: AbilityId
    step: int
    window: int
    tires: TrackName
    ledgers: RulesByTopic = ()


class ActionOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action of a combatant: its cost, targets, requirements, and the effects it leaves.

    `price` is how many of its cost it takes, 0 where a person enters it: any number, or one of `prices`. `costs` are
    the costs to choose from, where there are several: resources, `attack` (one of the Attack action's), `none`, or a
    name in `takes` (seconds; as a cost, an action of a turn at least that long). `group` is the kind of option: listed
    by the game, a reaction, a free one, or another. `asks` names what a person is asked for when the command leaves it
    open (`cost`, `choice`, which it may `remember`), or what has to be described (`note`); targets always are, unless a
    note describes them. `about` is the choice that concerns another combatant too. `offers` are reactions that its
    target may take; `gives` is the resource that the points spent become, `spends` what it takes of further pools, 0 of
    one where a person enters it. `done` names a further effect in `play.actions.action_effects`. A stride that it buys
    goes no farther than `feet`, 0 for the full Speed. `provokes`: those who may react to what a foe does in their reach
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
        """Return the costs that the action may be paid with, the default first."""
        return self.costs or (self.cost,)

    def rule(self, topic: str = "") -> str:
        """Return the ledger id for a topic of the action's own, or its first; empty where there is none."""
        return dict(self.ledgers).get(topic) or (self.ledger[0] if self.ledger else "")


class Spell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A spell as far as its source gives it, in the shape of a feature. `missing` names what the source leaves out.

    `level` is 0 for a cantrip, `price` how many of its `cost` it takes; `grows`: its dice multiply with the caster's
    level. `attack` is the kind of its attack roll, `rays` how many of them it makes. `heals` is what its targets regain;
    the caster's modifier is added where it `adds_modifier`. `higher` is more of damage or healing for each level (or each so
    many, `every`) of a slot above its own. `turns_hit` is how much more AC its caster has against an attack that would
    hit. `long`: it takes longer than a turn. `revised`: newer rules of the field give it other figures.

    `cubes` is how many cubes of `cube` feet its area is made of, each touching another; `ignites`: flammable objects
    that are not held or worn catch fire; `spares_plants`: its caster may leave plants out. `ledgers` names the rules
    of `cubes` and `ignites`, and of what is `missing`.
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
        """Return the ledger id for a topic of the spell's own, or its first; empty where there is none."""
        return dict(self.ledgers).get(topic) or (self.ledger[0] if self.ledger else "")
