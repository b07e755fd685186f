"""Data of ids and settings: abilities, skills, actions, attacks, movement, and the presentation of creatures.

Types of fields that contain ids of a game's data are annotated with the kind of id.
"""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter import prepared, running
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.field_specs import (
    AbilityId,
    ActionId,
    CheckId,
    ConditionId,
    ConditionIds,
    DamageTypeId,
    DiceText,
    FieldSpec,
    Natural,
    Positive,
    ResourceId,
    SpellLevel,
    TableRuleId,
    TrackName,
)
from turnwright.rules.system_data.statements import ALWAYS, Statement


class NamedId(msgspec.Struct, frozen=True, omit_defaults=True):
    """An id with its name."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Strength`."""
    short: str = ""
    """The abbreviation, if there is one. Example: `STR`."""


class AbilityScale(msgspec.Struct, frozen=True, omit_defaults=True):
    """The scale of ability scores: the modifier is the score minus `less`, divided by `over` and rounded down."""

    default: int = 10
    """The score of a creature whose stat block lists none."""
    less: int = 10
    """The number subtracted from a score."""
    over: Positive = 2
    """The divisor after the subtraction. With `less = 0` and `over = 1`, stat blocks list the modifiers themselves."""
    least: int = 0
    """The lowest score that forms offer."""
    most: int = 30
    """The highest score that forms offer."""

    def modifier(self, score: int) -> int:
        """Return the modifier for a score."""
        return (score - self.less) // self.over

    @property
    def is_modifier(self) -> bool:
        """Return whether stat blocks give the modifier itself."""
        return (self.less, self.over) == (0, 1)


class Skill(msgspec.Struct, frozen=True, omit_defaults=True):
    """A skill or tool with its default ability."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Stealth`."""
    ability: AbilityId
    """The ability that is usually added to its checks. Example: `dex`."""
    of_subjects: bool = False
    """Whether there is a skill for each subject, such as `lore-mining` for the skill `lore`."""


IconName = Annotated[str, FieldSpec(ids=("icon",))]


class DamageType(msgspec.Struct, frozen=True, omit_defaults=True):
    """A damage type."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Fire`."""
    icon: IconName = ""
    """The name of its icon in the Material Design Icons. Example: `mdi6.fire`."""
    group: str = ""
    """A group of types that a creature may resist all at once. Example: `physical`."""


_Pairs = tuple[tuple[str, str], ...]

AbilityIds = Annotated[tuple[str, ...], FieldSpec(ids=("ability",))]
ActionIds = Annotated[tuple[str, ...], FieldSpec(ids=("action",))]
AskedParameter = Literal["choice", "cost", "item", "note", "remember", "spell"]
BonusType = Annotated[str, FieldSpec(ids=("type of bonus",))]
CheckTag = Annotated[str, FieldSpec(ids=("tag of a roll",))]
CheckTags = Annotated[tuple[str, ...], FieldSpec(ids=("tag of a roll",))]
ChoiceId = Annotated[str, FieldSpec(ids=("choice",))]
Cost = Annotated[str, FieldSpec(ids=("cost",))]
Costs = Annotated[tuple[str, ...], FieldSpec(ids=("cost",))]
CreatureFields = Annotated[tuple[str, ...], FieldSpec(ids=("field of a creature",))]
Degree = Literal["", "critical-failure", "failure", "success", "critical-success"]
DamageTypeIds = Annotated[tuple[str, ...], FieldSpec(ids=("damage type",))]
DamageSteps = Annotated[tuple[str, ...], FieldSpec(ids=("damage step",))]
EnvironmentEntryId = Annotated[str, FieldSpec(ids=("entry of an environment",))]
ModeNumbers = Annotated[prepared.NamedNumbers, FieldSpec(ids=("mode",))]
EffectName = Annotated[str, FieldSpec(ids=("condition or mark",))]
EffectNames = Annotated[tuple[str, ...], FieldSpec(ids=("condition or mark",))]
Modes = Annotated[tuple[str, ...], FieldSpec(ids=("mode",))]
OpposedNumber = Annotated[str, FieldSpec(ids=("opposed number",))]
Orders = Annotated[tuple[str, ...], FieldSpec(ids=("order",))]
OutcomeId = Annotated[str, FieldSpec(ids=("outcome",))]
Properties = Annotated[tuple[str, ...], FieldSpec(ids=("property",))]
ResourceIds = Annotated[tuple[str, ...], FieldSpec(ids=("resource",))]
ResourceNumbers = Annotated[prepared.NamedNumbers, FieldSpec(ids=("resource",))]
RollName = Annotated[str, FieldSpec(ids=("roll",))]
RollNames = Annotated[tuple[str, ...], FieldSpec(ids=("roll",))]
RuleId = Annotated[str, FieldSpec(ids=("rule",))]
RuleIds = Annotated[tuple[str, ...], FieldSpec(ids=("rule",))]
RulesByTopic = Annotated[_Pairs, FieldSpec(ids=("topic of an action", "rule"))]
SkillIds = Annotated[tuple[str, ...], FieldSpec(ids=("skill",))]
TurnPhases = Annotated[tuple[str, ...], FieldSpec(ids=("phase of a turn",))]
WordKey = Annotated[str, FieldSpec(ids=("word",))]


class GroupFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for groups that act as one."""

    within: int = 0
    """The maximum distance in feet between a member and the nearest other member."""
    dc_base: int = 0
    """The number to which the best attack bonus is added for the DC of a save that replaces the group's attack."""
    save: AbilityId = ""
    """The ability of that save. Example: `dex`."""
    per_member: int = 0
    """The bonus to DC and damage for each member beyond the first."""
    check_ability: AbilityId = ""
    """The ability whose checks get a bonus for more members. Example: `str`."""
    check_per_member: int = 0
    """The bonus to these checks for each member beyond the first."""
    command_cost: ResourceId = ""
    """The resource that a controller spends to command a group. Example: `bonus`."""


class CheckFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for checks, saves and attacks."""

    die: DiceText = "1d20"
    """The die to roll. If it is empty, the rules don't set one, and you enter the result, unless a house rule chooses a
    die.
    """
    die_options: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("table rule", "dice"))] = ()
    """Pairs of a house rule and the die that it chooses. Example: `[["check-d20", "1d20"]]`."""
    counted: bool = False
    """Whether advantages and disadvantages stack."""
    types: tuple[str, ...] = ()
    """The types of bonuses and penalties, of which only the best bonus and the worst penalty count. Example:
    `["status", "circumstance"]`.
    """
    degrees: int = 0
    """The margin by which a total must beat or miss a DC for a critical result. 0 in games without degrees of success.
    """
    raises: int = 0
    """The face of the die that makes the result one degree better. 0 if there is none."""
    lowers: int = 0
    """The face of the die that makes the result one degree worse. 0 if there is none."""
    spares_stronger: Annotated[str, FieldSpec(ids=("property",))] = ""
    """The property of features against which creatures of a higher level than the owner save one degree better.
    Example: `incapacitation`.
    """
    dc_base: int = 10
    """The number to which a combatant's bonus is added for its own DC."""
    escape: OpposedNumber = ""
    """The holder's number that is the DC of an escape, if the effect has none. Example: `maneuver-dc`."""

    @property
    def typed(self) -> bool:
        """Return whether bonuses and penalties have types."""
        return bool(self.types)


class AttackFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for attacks."""

    natural_hit: int = 0
    """The face of a d20 that always hits. 0 if there is none."""
    natural_miss: int = 0
    """The face of a d20 that always misses. 0 if there is none."""
    critical_times: int = 1
    """The factor for the dice or damage of a critical hit."""
    critical_twice: bool = False
    """Whether a critical hit only rolls its dice twice, instead of doubling all damage."""
    reach: int = 0
    """The usual reach in feet. 0 if the game has none."""
    asks_range: bool = False
    """Whether the card asks for the normal range of a ranged attack that has none."""
    bare_hands: bool = False
    """Whether armed combatants may also attack unarmed."""
    off_hand: int = 0
    """The number of attacks that a bonus action allows with a second weapon."""
    off_hand_extra: int = 0
    """The number of these attacks for a creature with Extra Attack."""
    off_hand_light: bool = False
    """Whether the first attack, too, must be with a weapon for two-weapon fighting."""
    nick: Annotated[str, FieldSpec(ids=("property",))] = ""
    """The property of a weapon whose attack as the second one costs nothing. Example: `nick`."""
    slots_a_turn: int = 0
    """The number of spell slots that a caster may spend in a turn. 0 means no limit."""
    block_shield: bool = False
    """Whether a target may give up its shield to turn a critical hit into a regular hit."""
    block_fatigue: int = 0
    """The number of levels of fatigue that a target may take for the same purpose. 0 if it can't."""
    priced: bool = False
    """Whether each attack is paid for separately at its feature's price, instead of being part of an action."""
    asks_outcome: bool = False
    """Whether attacks aren't rolled. You then enter whether they hit."""
    tally: ConditionId = ""
    """The condition that counts a combatant's attacks this turn."""
    increments: int = 0
    """The number of range increments of a ranged weapon. 0 in games without increments."""
    increment_penalty: int = 0
    """The modifier of the attack roll for each increment beyond the first. Example: `-2`."""
    guessed: bool = True
    """Whether attackers have to guess where a hidden target is."""
    action: ActionId = ""
    """The action of an attack, in games where each attack is an action. Example: `strike`."""
    least: int = 0
    """The least damage of a roll, and of half of it."""
    critical_immunity: Annotated[str, FieldSpec(ids=("resistance",))] = ""
    """The immunity that prevents the doubled damage of critical hits. Example: `critical-hits`."""
    single_immunity: str = ""
    """The immunity to some effects on single targets, or the feature that gives it. Example: `swarm-mind`."""
    single_effects: Properties = ()
    """The damage types, properties and spells that `single_immunity` keeps out. Example: `["mental", "charm"]`."""
    tag_immunities: Annotated[_Pairs, FieldSpec(ids=("text", "text"))] = ()
    """Pairs of a creature's trait, or a condition on it, and the immunity that it gives. Example: `[["mindless", "mental"]]`."""
    adds_die: Properties = ()
    """The beginnings of weapon properties that add their die on a critical hit. Example: `["fatal", "deadly"]`."""
    grows_die: Properties = ()
    """The beginnings of weapon properties that enlarge all dice on a critical hit. Example: `["fatal"]`."""
    words: tuple[str, ...] = ()
    """Ids and properties of weapons that rules refer to with `with:…`. Example: `["dagger", "net"]`."""
    magical: Properties = ("magical",)
    """The properties that make a feature magical."""
    stowed: str = ""
    """The property of a weapon that is stowed and can't be used to attack."""
    melee_ability: AbilityId = "str"
    """The usual ability of melee weapons."""
    ranged_ability: AbilityId = "dex"
    """The usual ability of ranged weapons."""
    casters: AbilityIds = ("int", "wis", "cha")
    """The abilities of which a caster without a spellcasting ability uses the best."""
    counteract_dc: int = 0
    """The base of the DC of a check that ends a spell, to which the level of that spell is added."""
    counteract_ranks: tuple[int, ...] = ()
    """By how much the rank of a spell may exceed that of the spell which ends it, for a critical success, a success and a
    failure. Without them, a success ends any spell. Example: `[3, 1, -1]`.
    """
    one_spell: bool = False
    """Whether a creature that casts a spell as a bonus action can otherwise only cast cantrips of one action on its
    turn.
    """
    spell_dc: int = 0
    """The base of the DC of spells, to which the caster's proficiency and ability are added. 0: stat blocks list it."""


class MovementFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for movement. Fields that end in `_over` are the divisor of a share of the Speed."""

    extra: ModeNumbers = ()
    """The extra cost per foot, by mode of movement. Example: `{ climb = 1, drag = 2 }`."""
    on_base: Modes = ()
    """The modes that can use the walking speed at that extra cost. Example: `["climb", "swim"]`."""
    in_air: Modes = ()
    """The modes that leave the ground. Example: `["fly"]`."""
    unprovoking: ConditionIds = ()
    """The conditions with which a combatant leaves a reach without provoking. Example: `["disengaging"]`."""
    usual_modes: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("suspension", "mode"))] = ()
    """Pairs of a medium in which everyone floats and the mode of movement that replaces walking. Example: `[["water",
    "swim"]]`.
    """
    squeeze_lasts: bool = False
    """Whether squeezing costs extra for each foot. Otherwise its condition slows the creature."""
    stand_over: Positive = 1
    """Standing up costs the Speed divided by this number."""
    stand_extra: int = 0
    """Additional feet that standing up costs."""
    mount_over: int = 0
    """Mounting costs the Speed divided by this number. 0 means that it costs no movement."""
    mount_price: ResourceId = ""
    """The resource that mounting costs. Example: `action`."""
    descend_over: Positive = 1
    """The divisor of the cost of descending in open sky. With `2`, each foot costs half a foot."""
    mount_sizes: int = 0
    """The number of sizes by which a mount must be larger than its rider."""
    mount_within: int = 5
    """The distance in feet from which a creature can mount."""
    seat_ability: AbilityId = ""
    """The ability of the save to stay in the saddle. Example: `dex`."""
    seat_dc: int = 0
    """The DC of that save."""
    mount_prone_saves: bool = False
    """Whether a rider makes that save if its mount is knocked prone, instead of a reaction to land on its feet."""
    thrown_within: int = 5
    """The distance in feet from the mount at which a thrown rider lands."""
    free_orders: Orders = ()
    """The actions that a rider can command a mount to take for free. Example: `["dash", "dodge"]`."""
    paid_orders: Orders = ()
    """The actions that a rider can command a mount to take for `order_cost`. Example: `["attack"]`."""
    order_cost: ResourceId = ""
    """The resource that pays for these commands. Example: `bonus`."""
    mount_asks: Literal["weight", "willing"] = "weight"
    """The requirement for a mount: it can carry the rider's `weight`, or is `willing`."""
    mount_actions: ActionIds = ()
    """The actions of a controlled mount, which then has its own turn just before its rider's. Without any, the mount
    moves with its rider.
    """
    mount_independent: tuple[str, ...] = ()
    """Tags, gear or creature types that make a mount independent. Example: `["intelligent"]`."""
    mount_untrained: tuple[str, ...] = ()
    """Tags, gear or creature types of animals that aren't trained as mounts. They act independently."""
    drag_within: int = 5
    """The distance in feet from which a creature can be dragged."""
    drag_hold: ConditionId = ""
    """The condition with which a creature must hold another to drag it. Example: `grappled`."""
    drag_times: int = 1
    """The factor for the cost of movement while dragging."""
    drag_free_sizes: int = 0
    """The number of sizes by which a dragged creature must be smaller to cost nothing extra."""
    drag_free: Annotated[tuple[str, ...], FieldSpec(ids=("size",))] = ()
    """The sizes of creatures that can be dragged at no extra cost. Example: `["tiny"]`."""
    drag_cost: ResourceId = ""
    """The resource that a creature spends to start dragging another. Example: `reaction`."""
    drop_needs_speed: bool = False
    """Whether a creature with Speed 0 can't drop prone."""
    drop_cost: ResourceId = ""
    """The price of dropping prone out of turn. If it is empty, a creature can't."""
    thought_base: int = 0
    """The base in feet of the speed of movement by thought."""
    thought_step: int = 0
    """The feet added to that speed for each point of the ability modifier."""
    thought_ability: AbilityId = ""
    """The ability for movement by thought. Example: `int`."""
    fall_die: DiceText = ""
    """The damage for each step of a fall. Example: `1d6`."""
    fall_kind: DamageTypeId = ""
    """The damage type of a fall. Example: `bludgeoning`."""
    fall_step: Positive = 10
    """The feet of a fall for each die."""
    fall_most: int = 0
    """The maximum number of dice. 0 means no limit."""
    forward_after: EffectNames = ()
    """The conditions with which a creature may move forward in a scene with rolling movement. Example: `["dashing"]`.
    """
    hastened_by: ConditionId = ""
    """The condition of a hurrying creature, which multiplies its Speed. Example: `dashing`."""
    opportunity: bool = True
    """Whether leaving a creature's reach provokes an opportunity attack."""
    bought: ActionId = ""
    """The action that buys movement up to the Speed, in games where movement costs actions. Example: `stride`."""
    bought_by: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("mode", "action"))] = ()
    """Pairs of a mode of movement and another action that buys it. Example: `[["crawl", "crawl"]]`."""
    hard_price: int = 0
    """The extra price of a stride that starts on or enters difficult terrain."""
    leaps: AbilityIds = ()
    """The abilities of which the best determines the length of a jump. Example: `["str"]`."""
    leap_over: Positive = 1
    """The divisor of that ability score for the length in feet."""
    leap_height_over: Positive = 1
    """The divisor of the length for the height of a jump."""
    held_by: ConditionId = ""
    """The condition with which a creature moves only after winning a contest against its creator."""
    held_roll: RollName = ""
    """The roll of that contest. Example: `check.str`."""
    stand_by: ActionId = ""
    """The action for standing up, in games where it takes an action. Example: `stand`."""
    drop_by: ActionId = ""
    """The action for dropping prone, in games where it takes an action. Example: `drop-prone`."""


class ReactionFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for reactions."""

    stack: bool = False
    """Whether actions are declared first, and reactions to them resolve before them."""
    on_call: TableRuleId = ""
    """The house rule under which Turnwright doesn't ask for reactions; you enter them in advance."""
    once: bool = False
    """Whether a combatant reacts only once per turn."""
    catch: int = 0
    """The price of catching a thrown item."""


TOP = ("ac", "hp", "speeds", "initiative")
ROWS = (
    "saves", "skills", "vulnerabilities", "resistances", "immunities", "mundane_immunity", "condition_immunities", "senses",
    "passives", "languages", "gear", "specialties", "rating", "level", "hit_dice", "proficiency", "maneuver_dc", "attacks",
    "extra_attack", "spellcasting", "slots", "legendary",
)  # fmt: skip
RATINGS = ("0", "1/8", "1/4", "1/2", *(str(rating) for rating in range(1, 31)))


class Presentation(msgspec.Struct, frozen=True, omit_defaults=True):
    """The fields of a creature in the game's stat blocks and forms."""

    top: CreatureFields = TOP
    """The fields above the abilities, in order. A single skill is written as `skill.perception`."""
    rows: CreatureFields = ROWS
    """The fields below the abilities, in order."""
    saves: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("ability",))] = ()
    """The saves with their names, by ability, if not all abilities have saves. Example: `{ con = "Fort" }`."""
    pools: ResourceIds = ()
    """The resources for which a creature may have its own maximum. Example: `["action"]`."""
    signs: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("resource",))] = ()
    """The symbol or word of a resource in prices. A symbol is repeated, a word follows the number. Example: `{ action =
    "AP" }`.
    """
    figured: bool = False
    """Whether resistances and vulnerabilities have amounts."""
    leveled: bool = False
    """Whether the rating is the level."""
    ratings: tuple[str, ...] = ()
    """The ratings to choose from, if they differ from challenge ratings 0 to 30."""
    moments: bool = False
    """Whether features can have a trigger at a moment of their owner's turn."""
    style: Literal["classic", "traits", "points"] = "classic"
    """The layout: `classic` has a banner and a grid of abilities, `traits` has the level on the right and traits in
    small boxes, and `points` has numbers and points to cross off in front.
    """
    joined: CreatureFields = ()
    """Fields that continue the line of the field before them."""
    bloodied: bool = False
    """Whether half of the hit points is shown next to them."""
    conditions: ConditionIds = ()
    """The conditions that forms offer first."""
    evident: ConditionIds = ()
    """The conditions that onlookers can see."""
    headings: tuple[str, ...] = ()
    """The words that begin a part of a feature's text, and are set in bold. Example: `["Trigger", "Effect"]`."""

    def has(self, name: str) -> bool:
        """Return whether a creature's field is shown in this game."""
        return name in self.top or name in self.rows

    def price(self, cost: str, price: int) -> str:
        """Return a price as text, with `X` if the game master enters it. Empty if the game doesn't show this cost."""
        sign = dict(self.signs).get(cost, "")
        if not sign:
            return ""
        if len(sign) > 1:
            return f"{price or 'X'} {sign}"
        return sign * price if price else f"X {sign}"


SpellDetail = Literal["level", "range", "casting time", "save", "targets", "bonus", "duration", "attack", "damage"]


class CharacterPoints(msgspec.Struct, frozen=True, omit_defaults=True):
    """A resource that only player characters have, for rolls that failed: Hero Points or inspiration."""

    most: int
    """The most that a character can have."""
    session: int = 0
    """The amount at the start of a session, when those left over are lost. 0 if sessions don't matter."""
    rerolls: Literal["second", "better"] = "second"
    """The roll that counts after a point was spent: the `second`, or the `better` of the two (advantage)."""
    recovers: bool = False
    """Whether spending all of them, at least one, saves a dying character."""


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
    ready: tuple[str, ...] = ()
    """The words in a stat block that mark creatures which start a fight with the full amount. For example, `["hazard"]`."""
    off_turn_resource: ResourceId = ""
    """The resource that pays for it outside the combatant's turn."""
    own: bool = False
    """Whether the stat block gives the amount (in `pools`), which is 0 by default."""
    lapses: bool = False
    """Whether the rest is lost at the end of the turn."""
    withheld: bool = False
    """Whether a combatant that can't use it at the refill gets none."""
    ends_turn: bool = False
    """Whether the turn ends when all of it is spent, unless the game master decides otherwise."""
    characters: CharacterPoints | None = None
    """Its amounts and uses, if only player characters have it. `amount` is then 0."""
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
    """A number of each opposed combatant that serves as the DC, or `hidden` for the totals of hidden combatants.
    Example: `passive.perception` or `maneuver-dc`.
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
    takes: prepared.NamedNumbers = ()
    """Costs in seconds, by name. They use the action of a turn at least that long. Example: `{ minute = 60 }`."""
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
    provokes: Literal["", "move", "posture", "manipulate"] = ""
    """Whether enemies may react to it: as it begins or moves (`move`), once it is over, because no space is left
    (`posture`), or before it takes effect (`manipulate`), so that a critical hit disrupts it.
    """
    prices: tuple[int, ...] = ()
    """The prices to choose from. Example: `[1, 2, 3]`."""
    properties: Properties = ()
    """The traits of its effects. Creatures that are immune to one of them get no effect. Example: `["fear", "mental"]`."""
    ledgers: RulesByTopic = ()
    """The ledger rules of its parts, by topic. Example: `{ times = "a5e.action.cast.times" }`."""

    @property
    def payable(self) -> tuple[str, ...]:
        """Return the costs that can pay for the action, the default first."""
        return self.costs or (self.cost,)

    def rule(self, topic: str = "") -> str:
        """Return the action's ledger id for a topic, or else its first, or an empty string if it has none."""
        return dict(self.ledgers).get(topic) or (self.ledger[0] if self.ledger else "")


class SpellOdds(msgspec.Struct, frozen=True, omit_defaults=True):
    """A result of the d100 that decides what a spell does."""

    upto: int
    """The highest roll with this result. Example: `5`."""
    result: str
    """The result in words. Example: `off target`."""
    damage: DiceText = ""
    """The damage to the caster and its targets, after which the d100 is rolled again, or with a single result, the spell fails. Example: `3d10 force`."""


class SpellGround(msgspec.Struct, frozen=True, omit_defaults=True):
    """The changes of a spell to the squares of its area on the map."""

    difficult: bool = False
    """Whether the area is difficult terrain."""
    obscured: running.Obscurity = ""
    """Whether the area is lightly or heavily obscured."""
    light: running.AreaLight = ""
    """The light in the area: `dim`, `bright` or `dark`."""
    dispels: Natural = 0
    """The highest level of spells whose light ends where it overlaps with a dark area, or whose darkness with a lit one."""
    carried: bool = False
    """Whether the area moves with the caster."""
    lasts: Annotated[str, FieldSpec(ids=("length of time",))] = ""
    """The time for which the area lasts, if it isn't that of the spell. Example: `1 round`."""
    inside: bool = False
    """Whether the spell's `effect` is on all creatures in the area, until they leave it."""
    wall: prepared.Obstacle | None = None
    """A section of ten feet of a wall: its cover, AC and hit points. If it blocks movement, creatures in it move aside."""
    beside: int = 0
    """The distance in feet from a wall's far side, or inside a ring, within which creatures are affected at the end of
    their turns. With a minus sign, it is on the near side, or outside.
    """
    radius: Natural = 0
    """The radius in feet of an area around the caster, if it isn't the spell's own."""
    drifts: Natural = 0
    """The distance in feet by which it moves away from the caster at the start of each of the caster's turns."""
    grows: Natural = 0
    """The distance in feet by which the area, around the caster, grows with each action on the spell on later turns."""


class SpellChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A variant of a spell, chosen when it is cast: what it leaves instead of the spell's own."""

    name: str
    """The name on the card. Example: `fire`."""
    damage: DiceText = ""
    """The damage instead of the spell's. Example: `5d8 fire`."""
    higher: DiceText = ""
    """What each higher level adds to `damage` instead of the spell's. Example: `2d8`."""
    ongoing: DiceText = ""
    """The persistent damage instead of the spell's. Example: `1d4 electricity`."""
    area: str = ""
    """The area instead of the spell's. With `ring`, it is only the edge of the shape. Example: `50-foot line`."""
    save: AbilityId = ""
    """The ability of the save instead of the spell's. Example: `con`."""
    half: bool = False
    """Whether a successful `save` halves the damage."""
    attack: bool = True
    """Whether it has the attack roll of the spell, if that has one."""
    effect: tuple[DataRule, ...] = ()
    """The data rules of its effect."""
    afflictions: tuple[prepared.InflictedCondition, ...] = ()
    """The conditions that it inflicts."""
    push: int = 0
    """The distance in feet by which targets are pushed."""
    properties: Properties = ()
    """Further properties of the spell. Example: `["against-con"]`."""
    temp: DiceText = ""
    """The temporary hit points that it gives."""
    leaves: prepared.LeftFeature | None = None
    """The feature that its targets have while it lasts."""
    saving: tuple[DataRule, ...] = ()
    """The data rules of the saves against it, in addition to the spell's, and of its attack rolls."""
    ends: ConditionIds = ()
    """The conditions of which it ends one, or all if the spell does."""
    odds: tuple[SpellOdds, ...] = ()
    """The results of a d100, in order. Example: `[{ upto = 5, result = "mishap" }, { upto = 100, result = "on target" }]`."""
    ground: SpellGround | None = None
    """The changes to the squares of its area instead of the spell's."""


DamageShare = Literal["", "none", "half", "full", "double"]


class SpellDegree(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a spell differs at a degree of success of the save or the attack."""

    degree: Degree
    """The degree of success. Example: `success`."""
    damage: DamageShare = ""
    """The share of its damage, if it isn't that of a basic save. Example: `full`."""
    ongoing: DamageShare = ""
    """The share of its persistent damage: by default none after a successful save, and double on a critical hit and
    after a critical failure of a basic save.
    """
    effect: tuple[DataRule, ...] = ()
    """The data rules of its effect."""
    lasts: Annotated[str, FieldSpec(ids=("length of time",))] = ""
    """The longest time for which its effect lasts. Example: `1 round`."""
    until: prepared.InflictedConditionEnds = "never"
    """When else the effect ends, with the words of `ends` for conditions. Example: `owner-start`."""
    push: int = 0
    """The distance in feet by which targets are pushed."""
    higher: Annotated[str, FieldSpec(ids=("dice",))] = ""
    """The additional damage of `then` for each level of the slot above its own. Example: `3d6`."""
    then: prepared.LeftFeature | None = None
    """A second save that follows at once, with its own effects. Its `trigger` is empty."""


class SpellReversal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A spell against creatures that it damages instead of healing them, or the reverse, with the same dice."""

    when: Annotated[str, FieldSpec(ids=("statement",))]
    """The statement that is true for such creatures. It counts if it is true for all targets. Example: `type:undead`."""
    kind: DamageTypeId = ""
    """The type of the damage. Without it, the dice heal. Example: `vitality`."""
    save: AbilityId = ""
    """The ability of the basic save against the damage. Example: `con`."""
    dice: DiceText = ""
    """The dice of the damage each time that the spell's hit points count, if these are a fixed number. Example: `1d6`."""
    harmless: bool = False
    """Whether such creatures take no damage, and the dice don't heal either."""
    more: Natural = 0
    """The additional healing for each die, at the spell's usual price. Example: `8`."""


class SpellVersion(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a spell differs from a rank on, or for a price. Fields that are left out stay as they are."""

    rank: Natural = 0
    """The level of the slot, or for a cantrip in D&D that of its caster, from which it applies. Example: `5`."""
    price: Natural = 0
    """The number of units of the spell's cost for which it applies. Range and area are then always its own. Example: `3`.
    """
    range: str = ""
    """The range in feet. Example: `30`."""
    area: str = ""
    """The area as a size and a shape. Example: `30-foot emanation`."""
    damage: DiceText = ""
    """The damage. Example: `2d4+2 force`."""
    heals: DiceText = ""
    """The hit points that its targets regain. Example: `1d8`."""
    higher: DiceText = ""
    """The additional damage or healing for each level of the slot above the spell's own. Example: `1d8`."""
    lasts: Annotated[str, FieldSpec(ids=("length of time",))] = ""
    """The longest time for which its effect lasts. Example: `8 hours`."""
    targets: Natural = 0
    """The largest number of targets. Example: `6`."""
    effect: tuple[DataRule, ...] = ()
    """The data rules of its effect."""
    afflictions: tuple[prepared.InflictedCondition, ...] = ()
    """The conditions that it inflicts."""
    ends: ConditionIds = ()
    """The conditions of which it ends one."""
    leaves: prepared.LeftFeature | None = None
    """The feature that its targets have while it lasts."""
    choices: tuple[SpellChoice, ...] = ()
    """The variants of the spell."""
    ground: SpellGround | None = None
    """What it does to its area on the map."""
    when: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement that must be true of its targets. Example: `target.rating-below:18`."""
    teleport: Natural = 0
    """The distance in feet up to which its caster teleports."""
    does: tuple[prepared.FeatureStep, ...] = ()
    """The other steps that its caster takes as part of casting it."""
    lasting: bool = False
    """Whether it needs no concentration."""


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
    excludes_plants: bool = False
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
    """Whether the caster's modifier is added to its healing or damage, or to the hit points that it leaves."""
    rays: int = 1
    """The number of attacks. 0 means one against each target."""
    rays_grow: bool = False
    """Whether the number of attacks, instead of the dice, increases with the caster's level."""
    higher_rays: int = 0
    """The additional attacks for each level of the slot above its own."""
    regains: Annotated[str, FieldSpec(ids=("damage, half of it or its type",))] = ""
    """The damage of its attack that heals the caster: a damage type, `damage` for all types, `half` for half of all, or
    `half-temporary` or `temporary` for half or all of it as temporary hit points.
    """
    half_on_miss: bool = False
    """Whether its attack deals half of its damage on a miss, and nothing else."""
    darts: bool = False
    """Whether its targets share its dice of damage: one for each target, and the others as its caster likes."""
    higher: DiceText = ""
    """The additional damage or healing for each level of the slot above its own. Example: `1d6`."""
    every: Positive = 1
    """The number of slot levels for each addition of `higher`."""
    ongoing: DiceText = ""
    """The persistent damage of targets that it hits or that fail the save. Example: `1d6 acid`."""
    ongoing_at: Literal["", "failed-save"] = ""
    """When the persistent damage is dealt, if not at the end of the target's turn: with each failed save."""
    ongoing_while: ConditionId = ""
    """The condition of the spell with which the persistent damage ends. Example: `frightened`."""
    higher_ongoing: DiceText = ""
    """The additional persistent damage for each addition of `higher`. Example: `1d6`."""
    reversed: SpellReversal | None = None
    """The creatures that it damages instead of healing them, or the reverse. Example: `{ when = "type:undead", kind =
    "vitality", save = "con" }`.
    """
    degrees: tuple[SpellDegree, ...] = ()
    """How it differs at single degrees of success. Example: `[{ degree = "success", damage =
    "full" }]`.
    """
    grows: bool = False
    """Whether its dice increase with the caster's level, as those of cantrips do."""
    area: str = ""
    """The area as a size and a shape. Example: `20-foot burst`."""
    range: str = ""
    """The range in feet. With `self`, its only target is its caster, and with `touch`, those in reach. Example: `150`."""
    ground: SpellGround | None = None
    """What it does to its area on the map. There, its `effect` isn't left on its targets, since they can walk out of it.
    Example: `{ difficult = true }`.
    """
    push: int = 0
    """The distance in feet by which targets that fail the save are pushed."""
    shifts: Natural = 0
    """The distance in feet up to which its caster moves such targets in any direction. Example: `30`."""
    escape: CheckId = ""
    """The check against the caster's DC that ends its effect, for an action, or a save such as `save.wis`. Example:
    `int:investigation`.
    """
    concentration: bool = False
    """Whether it requires concentration."""
    casting_time: str = ""
    """The time that casting it takes, if longer than a turn. Example: `10 minutes`."""
    revised: bool = False
    """Whether newer rules of the game give it other numbers."""
    afflictions: tuple[prepared.InflictedCondition, ...] = ()
    """The conditions that it inflicts. Example: `[{ condition = "frightened" }]`."""
    stages: tuple[prepared.AfflictionStage, ...] = ()
    """The stages of an affliction, as in [features](rule-language.md#stages-of-an-affliction)."""
    stage_rounds: Natural = 0
    """The most rounds that the stages last. 0 means no limit."""
    counteracts: Literal["", "effects", "casting"] = ""
    """The spells that it ends: those in force on its targets (`effects`), or a spell that is being cast (`casting`)."""
    counteracts_lower: bool = False
    """Whether it ends only spells of lower levels than its own without a check, or with `ends`, no effects of spells of
    higher levels than its slot.
    """
    suppresses: bool = False
    """Whether a check that would end an effect 2 levels lower suppresses it until the start of the caster's next turn."""
    spares_slot: bool = False
    """Whether a spell that it counters costs no slot."""
    turns_hit: int = 0
    """The caster's bonus to AC against an attack that would hit."""
    effect: tuple[DataRule, ...] = ()
    """The data rules of the effect that it leaves on its targets, unless their save succeeds. The effect is named after it.
    `per_value` counts once for each addition of `higher`. Example: `[{ kind = "modifier", what = "ac", add = 2 }]`.
    """
    lasts: Annotated[str, FieldSpec(ids=("length of time",))] = ""
    """The longest time for which the effect lasts, in rounds, minutes, hours or days. Example: `1 minute`."""
    until: prepared.InflictedConditionEnds = "never"
    """When else the effect ends, with the words of `ends` for conditions. Example: `owner-end`."""
    effect_uses: Natural = 0
    """The number of rolls after which the effect ends. 0 means no limit."""
    temp: DiceText = ""
    """The temporary hit points that its targets gain, as dice. Example: `1d4+4`."""
    targets: Natural = 0
    """The largest number of targets. 0 means no limit."""
    higher_targets: Natural = 0
    """The additional targets for each level of the slot above its own."""
    ends: ConditionIds = ()
    """The conditions of which it ends one on each of its targets. Example: `["blinded", "poisoned"]`."""
    ends_all: bool = False
    """Whether it ends all conditions in `ends` instead of one."""
    after: ConditionId = ""
    """The condition that follows the end of the effect, until the end of the target's next turn. If the spell counters
    others, it is the condition of the other caster after a check.
    """
    leaves: prepared.LeftFeature | None = None
    """A feature that its targets have while the effect lasts, such as damage to those that hit them. At the moments
    `other-starts` and `other-ends`, it is the caster's, and does to creatures in the spell's area what the spell does.
    """
    when: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement that must be true of its targets. Example: `target.type:humanoid`."""
    saving: tuple[DataRule, ...] = ()
    """The data rules of the saves against it: advantage, disadvantage or failure of its targets. Example: `[{ kind =
    "disadvantage", what = "save", when = "type:plant" }]`.
    """
    teleport: Natural = 0
    """The distance in feet up to which its caster teleports. Example: `30`."""
    counts_as: ConditionId = ""
    """The condition that its effect counts as: whatever ends the condition ends the effect. Example: `cursed`."""
    action: ActionId = ""
    """The action that its caster takes as part of casting it, and `again` on later turns. Example: `dash`."""
    does: tuple[prepared.FeatureStep, ...] = ()
    """The other steps that its caster takes as part of casting it. Example: `[{ use = "any-melee" }]`."""
    most: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement about targets to which it deals the most damage possible. Example: `type:plant`."""
    worse_for: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement about targets whose saves are one degree worse. Example: `type:plant`."""
    better_for: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement about targets whose saves are one degree better. Example: `immune:fire`."""
    asks: Annotated[_Pairs, FieldSpec(ids=("condition or mark",))] = ()
    """The marks about which you are asked, with the question's end. Targets keep them for the rest of the encounter. Example:
    `{ unbreathing = "don't breathe" }`.
    """
    properties: Properties = ()
    """Further properties of the spell, to which creatures can be immune, and `undispelled` if dispelling
    its area doesn't end it. Example: `["mental"]`."""
    kills: bool = False
    """Whether its targets die if they fail the save, or if there is none."""
    ignores_cover: bool = False
    """Whether cover doesn't help its targets with their saves."""
    waits: bool = False
    """Whether nothing happens to creatures in its area when it appears, but only later, as `leaves` says."""
    willing: bool = False
    """Whether only unwilling targets make the save. Its caster is willing, and you are asked about allies."""
    immune_after: Literal["", "success", "save", "critical-success"] = ""
    """Which targets are immune to it for the rest of the encounter, as in features: after any save (`save`), for example."""
    apart: Natural = 0
    """The largest distance in feet between two of its targets. 0 means no limit."""
    slows_falls: bool = False
    """Whether it is a reaction to a fall, with which the falling creature lands unharmed."""
    shakes: bool = False
    """Whether its targets that concentrate also make a save against its DC to keep their concentration."""
    reacts: prepared.TriggerMoment = ""
    """The moment at which it is offered as a reaction. `when` is then the statement that must be true. Example: `hurt`."""
    keeps: Natural = 0
    """The hit points that its damage leaves its targets at least. Example: `1`."""
    kills_when: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement about targets that die, after its damage. A save counts only if it leaves no damage. Example: `down`.
    """
    revives: Natural = 0
    """The hit points with which targets that are dead return to life."""
    divides: bool = False
    """Whether its targets share the hit points that it heals, as its caster likes."""
    contest: AbilityId = ""
    """The ability of its targets' checks, which a spellcasting check of the caster must beat. If it is also its
    `save`, the check is against the caster's DC. Example: `str`."""
    tally: Natural = 0
    """The number of successes, not necessarily in a row, with which later saves end it. As many failures end the saves.
    In games with degrees of success, each success takes a round off instead, and a critical success ends it.
    """
    becomes: ConditionId = ""
    """The condition that follows this number of failed saves. Example: `petrified`."""
    saves_later: bool = False
    """Whether the save isn't against the spell itself, but ends at a later turn's end what it leaves (with `saved`)."""
    choices: tuple[SpellChoice, ...] = ()
    """The variants of the spell, of which its card asks for one."""
    versions: tuple[SpellVersion, ...] = ()
    """How it differs at higher levels, and for other prices, in order. Example: `[{ rank = 7, targets = 6 }]`."""
    total: Natural = 0
    """The damage after which it ends, if it lasts and deals damage to creatures in its area. Example: `60`."""
    pool: DiceText = ""
    """The hit points of creatures that it affects in all, as dice. Those with the fewest come first. Example: `5d8`."""
    spent: bool = False
    """Whether using it `again` ends it."""
    again: Annotated[Literal["", "action", "bonus", "free"], FieldSpec(ids=("resource",))] = ""
    """The cost of attacking with it again on later turns, or of moving its area, while it lasts."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""
    ledgers: RulesByTopic = ()
    """The ledger rules for `cubes`, `ignites` and the `missing` details, by topic."""

    def rule(self, topic: str = "") -> str:
        """Return the spell's ledger id for a topic, or else its first, or an empty string if it has none."""
        return dict(self.ledgers).get(topic) or (self.ledger[0] if self.ledger else "")
