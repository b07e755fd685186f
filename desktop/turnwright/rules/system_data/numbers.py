"""Settings of a game for groups, checks, attacks, movement and reactions.

Presentation of creatures in a game: the fields of its stat blocks, their order, and the format of prices.
"""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import (
    AbilityId,
    ActionId,
    ConditionId,
    ConditionIds,
    DamageTypeId,
    DiceText,
    FieldSpec,
    Positive,
    ResourceId,
    TableRuleId,
)
from turnwright.rules.system_data.names import (
    AbilityIds,
    ActionIds,
    CreatureFields,
    EffectNames,
    ModeNumbers,
    Modes,
    Orders,
    Properties,
    ResourceIds,
    RollName,
)


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
    dc_base: int = 10
    """The number to which a combatant's bonus is added for its own DC."""

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
    block_shield: bool = False
    """Whether a target may give up its shield to turn a critical hit into a regular hit."""
    block_fatigue: int = 0
    """The levels of fatigue that a target may take for the same purpose. 0 if it can't."""
    priced: bool = False
    """Whether each attack is paid for separately at its feature's price, instead of being part of an action."""
    said: bool = False
    """Whether attacks aren't rolled. You then enter whether they hit."""
    tally: ConditionId = ""
    """The condition that counts a combatant's attacks this turn."""
    increments: int = 0
    """The number of range increments of a ranged weapon. 0 in games without increments."""
    increment_penalty: int = 0
    """The modifier of the attack roll for each increment beyond the first. Example: `-2`."""
    guessed: bool = True
    """Whether attackers have to guess the place of a hidden target."""
    action: ActionId = ""
    """The action of an attack, in games where each attack is an action. Example: `strike`."""
    least: int = 0
    """The least damage of a hit."""
    adds_die: Properties = ()
    """The beginnings of weapon properties that add their die on a critical hit. Example: `["fatal", "deadly"]`."""
    grows_die: Properties = ()
    """The beginnings of weapon properties that enlarge all dice on a critical hit. Example: `["fatal"]`."""
    words: tuple[str, ...] = ()
    """Ids and properties of weapons that rules refer to with `with:…`. Example: `["dagger", "net"]`."""
    magical: Properties = ("magical",)
    """The properties that make a feature magical."""
    stowed: str = ""
    """The property of a weapon that is put away and can't attack."""
    melee_ability: AbilityId = "str"
    """The usual ability of melee weapons."""
    ranged_ability: AbilityId = "dex"
    """The usual ability of ranged weapons."""
    casters: AbilityIds = ("int", "wis", "cha")
    """The abilities of which a caster without a spellcasting ability uses the best."""


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
    """Pairs of a medium in which everyone floats and the mode that replaces walking there. Example: `[["water",
    "swim"]]`.
    """
    squeeze_lasts: bool = False
    """Whether squeezing costs extra for each foot, not only when it begins."""
    stand_over: Positive = 1
    """The share of the Speed that standing up costs: the Speed divided by this number."""
    stand_extra: int = 0
    """Additional feet that standing up costs."""
    mount_over: int = 0
    """The share of the Speed that mounting costs. 0 means no share."""
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
    thrown_within: int = 5
    """The distance in feet from the mount at which a thrown rider lands."""
    free_orders: Orders = ()
    """The actions that a mount takes on order at no cost. Example: `["dash", "dodge"]`."""
    paid_orders: Orders = ()
    """The actions that a mount takes on order for `order_cost`. Example: `["attack"]`."""
    order_cost: ResourceId = ""
    """The resource that pays for these orders. Example: `bonus`."""
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
    drag_cost: ResourceId = ""
    """The resource that a creature spends to start dragging another. Example: `reaction`."""
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
