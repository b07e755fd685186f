"""Data of actions: the resources that pay for them, their requirements, checks and effects."""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.field_specs import (
    AbilityId,
    DamageTypeId,
    DiceText,
    FieldSpec,
    Positive,
    ResourceId,
    SpellLevel,
    TableRuleId,
    TrackName,
)
from turnwright.encounter.prepared import InflictedCondition, NamedNumbers
from turnwright.rules.system_data.names import (
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
    """A resource of a turn, such as an action, a reaction or points."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Bonus action`."""
    amount: int = 1
    """The amount after a refill."""
    refill: Literal["turn-start", "round-start", "never"] = "turn-start"
    """The moment at which it is refilled."""
    carry: bool = False
    """Whether unspent amounts are kept at the refill."""
    off_turn: bool = False
    """Whether it can be used on other creatures' turns."""
    round_option: TableRuleId = ""
    """The house rule under which it is refilled at the start of each round instead."""
    start: Literal["full", "half", "none"] = "full"
    """The amount at the start of a fight."""
    instead: ResourceId = ""
    """The resource that pays for it outside the combatant's turn."""
    own: bool = False
    """Whether the stat block gives the amount (in `pools`), which is 0 by default."""
    lapses: bool = False
    """Whether the rest is lost at the end of the turn."""
    withheld: bool = False
    """Whether a combatant that can't use it at the refill gets none."""
    ends_turn: bool = False
    """Whether the turn ends when all of it is spent, unless the game master decides otherwise."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""


class Requirement(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fact that must be true, or at least not known to be false, for an action to be taken."""

    when: Statement
    """The statement about the actor. Example: `not speed-zero`."""
    reason: WordKey
    """The text key of the refusal. Example: `refused.speed_zero`."""
    of: Literal["", "target", "about"] = ""
    """The other combatant in the statement: none, each `target`, or the combatant that the action is `about`."""
    only: ChoiceId = ""
    """The choice to which the requirement is limited. Empty means all."""
    ledger: RuleId = ""
    """The id of the ledger rule behind it."""


class ActionCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """The check of an action, and its opposition."""

    rolls: RollNames
    """The checks to choose from. Example: `["check.dex:stealth"]`."""
    dc: int = 0
    """A fixed DC. 0 if `against` or `theirs` replaces it."""
    against: OpposedNumber = ""
    """A number of each opposed combatant that is the DC, or `hidden` for the totals of hidden combatants. Example:
    `passive.perception` or `maneuver-dc`.
    """
    tags: CheckTags = ()
    """Tags of the roll, which statements can use. Example: `["hide"]`."""
    rules: tuple[DataRule, ...] = ()
    """Data rules that change only this roll."""
    waived: Statement = ALWAYS
    """The statement under which the check succeeds without a roll. Example: `larger:2`."""
    lets: bool = False
    """Whether an opposed combatant may let it succeed."""
    ties: TableRuleId = ""
    """The house rule under which an equal total fails against a DC."""
    theirs: RollNames = ()
    """In a contest, the checks of the opposed combatant to choose from. Example: `["check.str:athletics"]`."""
    holder: EffectName = ""
    """The effect that the check breaks. Its creator is the opponent. Example: `grappled`."""
    yields: bool = False
    """Whether an equal total fails in a contest."""
    reveals: bool = False
    """Whether secrets of the place may be revealed."""
    ledger: RuleId = ""
    """The id of the ledger rule behind the check."""
    ledgers: RulesByTopic = ()
    """The ledger rules of its parts, by topic: `waived`, `lets`, `reveals` and so on."""


class LeftEffect(msgspec.Struct, frozen=True, omit_defaults=True):
    """An effect that an action leaves on its actor or on each target."""

    effect: EffectName
    """The id of the condition or mark. Example: `dodging`."""
    on: Literal["self", "target"] = "self"
    """The creature that gets the effect."""
    by: Literal["", "self", "target", "about"] = ""
    """The creature that counts as its creator, if it isn't the actor."""
    ends: Literal["turn-start", "turn-end", "turn", "never"] = "turn-start"
    """The moment of the actor's turn at which the effect ends. `turn` means the end of the current turn."""
    uses: int = 0
    """The number of rolls after which it ends. 0 means no limit."""
    keeps: Literal["", "total", "note", "choice"] = ""
    """The detail that it records: the `total` of the check as its value, the `note`, or the `choice`."""
    only: ChoiceId = ""
    """The choice to which the effect is limited. Empty means all."""
    shown: bool = True
    """Whether players and the game master see it."""
    degree: Degree = ""
    """The degree of success that it requires. Empty means any success, if the action has a check."""
    value: int = 0
    """The value of the condition."""


class ActionChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A variant of an action."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name on the card. Example: `Shove prone`."""
    outcome: OutcomeId = ""
    """Its usual outcome: a condition, or a word such as `pushed` or `disarmed`."""
    value: int = 0
    """The value of its effect."""
    ability: AbilityId = ""
    """The ability whose modifier, divided by `over`, is the value."""
    over: Positive = 1
    """The divisor for the ability modifier."""
    known: tuple[Statement, ...] = ()
    """Statements of which one being true selects this variant automatically."""


class ExertionFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for exertion: turns that are free at first, and require a check later."""

    free: AbilityId
    """The ability whose modifier is the number of free turns. Example: `con`."""
    step: int
    """The amount that each earlier check adds to the DC."""
    window: int
    """The number of seconds for which checks count. After that time without exertion, the free turns return."""
    tires: TrackName
    """The track that a failed check raises by one. Example: `fatigue-sprint`."""
    ledgers: RulesByTopic = ()
    """The ledger rules of its parts, by topic."""


class ActionOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action of a combatant: its cost, targets, requirements, and the effects it leaves."""

    id: str
    """The id. In a file, it is the key of its table, as in `[actions.dash]`."""
    name: str
    """The name. Example: `Dash`."""
    cost: Cost = "action"
    """The resource that pays for it. Example: `action`."""
    price: int = 1
    """The number of units of its cost. 0 means that you enter a number, or choose one of `prices`."""
    effect: EffectName = ""
    """The condition or mark that its actor gets. Example: `dashing`."""
    ends: Literal["turn-start", "turn-end", "turn"] = "turn-start"
    """The moment of the actor's turn at which `effect` ends. `turn` means the end of the current turn."""
    free: bool = False
    """Whether it costs nothing."""
    text: str = ""
    """The effects in one or two sentences, for the card."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""
    costs: Costs = ()
    """Alternative costs: resources, `attack` (one attack of the Attack action), `none`, or a name in `takes`. Example:
    `["action", "bonus"]`.
    """
    takes: NamedNumbers = ()
    """Costs that are times, in seconds. They use the action of a turn at least that long. Example: `{ minute = 60 }`.
    """
    group: Literal["listed", "reaction", "free", "other"] = "listed"
    """The list on the card that shows it: the main list (`listed`), reactions, free actions, or `other`."""
    targets: Literal["", "one", "observers"] = ""
    """The targets to choose: none, `one` creature, or any number of `observers`."""
    about: ChoiceId = ""
    """The choice of this action that involves another combatant."""
    asks: tuple[AskedParameter, ...] = ()
    """Details that the card asks for: the `choice` (which it may `remember`), the `cost`, an `item`, a `spell` or a
    `note`.
    """
    choices: tuple[ActionChoice, ...] = ()
    """The variants of the action, keyed by id."""
    requires: tuple[Requirement, ...] = ()
    """Facts that must be true, or at least not known to be false."""
    trial: ActionCheck | None = None
    """The check of the action."""
    leaves: tuple[LeftEffect, ...] = ()
    """Effects that the action leaves on its actor or targets."""
    exertion: ExertionFigures | None = None
    """Settings for an action that tires its actor."""
    offers: ActionIds = ()
    """Reactions that the target may take. Example: `["fall-back"]`."""
    gives: ResourceId = ""
    """The resource into which the spent points are converted."""
    spends: ResourceNumbers = ()
    """The additional costs by resource. 0 means that you enter the number."""
    done: Annotated[str, FieldSpec(ids=("effect of an action",))] = ""
    """An additional effect in Turnwright's code. Example: `attack`, `delay` or `ready`."""
    feet: int = 0
    """The most feet that a stride bought by the action may have. 0 means the full Speed."""
    provokes: bool = False
    """Whether enemies may react to it, or to the movement that it buys."""
    prices: tuple[int, ...] = ()
    """The prices to choose from. Example: `[1, 2, 3]`."""
    ledgers: RulesByTopic = ()
    """The ledger rules of its parts, by topic. Example: `{ times = "a5e.action.cast.times" }`."""

    @property
    def payable(self) -> tuple[str, ...]:
        """Return the costs that can pay for the action, the default first."""
        return self.costs or (self.cost,)

    def rule(self, topic: str = "") -> str:
        """Return the action's ledger id for a topic, or else its first, or an empty string if it has none."""
        return dict(self.ledgers).get(topic) or (self.ledger[0] if self.ledger else "")


class Spell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A spell that Turnwright can resolve, as described by its source."""

    id: str
    """The id. In a file, it is the key of its table, as in `[spells.fireball]`."""
    name: str
    """The name. Example: `Fireball`."""
    text: str = ""
    """The effects in one or two sentences."""
    damage: DiceText = ""
    """The damage as dice, with or without types. Example: `8d6`."""
    kind: DamageTypeId = ""
    """The damage type, if `damage` names none. Example: `fire`."""
    cubes: int = 0
    """The number of cubes in its area, each touching another."""
    cube: int = 0
    """The side of each of the `cubes` in feet."""
    ignites: bool = False
    """Whether flammable objects that aren't held or worn catch fire."""
    spares_plants: bool = False
    """Whether its caster may exclude plants."""
    missing: tuple[SpellDetail, ...] = ()
    """Details that the source omits, and that the card asks for. Example: `["range", "save"]`."""
    level: SpellLevel | None = None
    """The level of the spell, with 0 for a cantrip."""
    cost: Literal["action", "bonus", "reaction"] = "action"
    """The resource that pays for casting it."""
    price: int = 1
    """The number of units of its cost. Example: `2` for two actions."""
    attack: Literal["", "melee", "ranged"] = ""
    """The type of its attack roll, if any."""
    save: AbilityId = ""
    """The ability of the save against it. Example: `dex`."""
    half: bool = False
    """Whether a successful save halves the damage."""
    heals: DiceText = ""
    """The hit points that its targets regain, as dice. Example: `1d8`."""
    adds_modifier: bool = False
    """Whether the caster's modifier is added to `heals`."""
    rays: int = 1
    """The number of attacks."""
    higher: DiceText = ""
    """The additional damage or healing for each level of the slot above its own. Example: `1d6`."""
    every: Positive = 1
    """The number of slot levels for each addition of `higher`."""
    grows: bool = False
    """Whether its dice increase with the caster's level, as those of cantrips do."""
    area: str = ""
    """The area as a size and a shape. Example: `20-foot burst`."""
    range: str = ""
    """The range in feet. Example: `150`."""
    push: int = 0
    """The distance in feet by which targets that fail the save are pushed."""
    concentration: bool = False
    """Whether it requires concentration."""
    long: bool = False
    """Whether casting it takes longer than a turn."""
    revised: bool = False
    """Whether newer rules of the game give it other numbers."""
    afflictions: tuple[InflictedCondition, ...] = ()
    """The conditions that it inflicts. Example: `[{ condition = "frightened" }]`."""
    turns_hit: int = 0
    """The caster's bonus to AC against an attack that would hit."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""
    ledgers: RulesByTopic = ()
    """The ledger rules for `cubes`, `ignites` and the `missing` details, by topic."""

    def rule(self, topic: str = "") -> str:
        """Return the spell's ledger id for a topic, or else its first, or an empty string if it has none."""
        return dict(self.ledgers).get(topic) or (self.ledger[0] if self.ledger else "")
