"""Settings of a game for groups, checks, attacks, movement and reactions."""

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
    ResourceId,
    TableRuleId,
)
from turnwright.rules.system_data.field_types import (
    AbilityIds,
    ActionIds,
    EffectNames,
    ModeNumbers,
    Modes,
    Orders,
    Properties,
    RollName,
)


class GroupFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for groups that act as one.

    `within` is the maximum distance in feet between a member and the nearest other member. A group's attack may be
    replaced by a save (on `save`) with a DC of `dc_base` plus the best attack bonus. For each member beyond the first,
    `per_member` is added to DC and damage, and `check_per_member` to checks with `check_ability`.
    """

    within: int = 0
    dc_base: int = 0
    save: AbilityId = ""
    per_member: int = 0
    check_ability: AbilityId = ""
    check_per_member: int = 0
    command_cost: ResourceId = ""


class CheckFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for checks, saves and attacks.

    `die` is the die rolled. If it is empty, the rules don't set one: the game master enters the result, unless a house
    rule chooses a die (`die_options` pairs a house rule with its die). `counted`: advantages and disadvantages stack.
    Bonuses of the same type (`types`) don't stack, and the same is true of penalties. `dc_base` is added to a
    combatant's own bonus for its DC.

    `degrees` is the margin by which a total must beat or miss a DC for a critical result, or 0 in games without
    degrees. `raises` and `lowers` are the die faces that make the result a degree better or worse.
    """

    die: DiceText = "1d20"
    die_options: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("table rule", "dice"))] = ()
    counted: bool = False
    types: tuple[str, ...] = ()
    degrees: int = 0
    raises: int = 0
    lowers: int = 0
    dc_base: int = 10

    @property
    def typed(self) -> bool:
        """Return whether bonuses and penalties have types."""
        return bool(self.types)


class AttackFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for attacks.

    `natural_hit` and `natural_miss` are the faces of a d20 that always hit or miss, or 0 if there are none.
    `critical_times` is the damage multiplier of a critical hit. `critical_twice`: only its dice are rolled twice. To
    turn a critical hit into a regular one, the target gives up its shield if `block_shield`, or takes `block_fatigue`
    levels of fatigue. A hit deals at least `least` damage. On a critical hit, a property that begins with one of
    `adds_die` adds its die, and a property that begins with one of `grows_die` (`deadly-d10`) enlarges all dice.

    `reach` is the default reach in feet. `asks_range`: a missing normal range of a ranged attack is asked for. If
    `increments` is set, a weapon's range is one of that many increments, and each increment beyond the first subtracts
    `increment_penalty` from the roll. `guessed`: attackers have to guess the place of a hidden target. `said`: attacks
    aren't rolled; the game master enters whether they hit.

    `off_hand` is the number of attacks for a bonus action, `off_hand_extra` the number with Extra Attack, or 0.
    `priced`: each attack is paid for separately, at its feature's price, instead of being part of an action. `action`
    is the action of an attack, in games where each attack is an action. `tally` is the condition that counts a
    combatant's attacks this turn.

    `melee_ability` and `ranged_ability` are the default abilities of weapons. A caster without a spellcasting ability
    uses its best one of `casters`. `bare_hands`: armed combatants may attack unarmed. A weapon with the property
    `stowed` is put away and can't attack. `words` are the ids and properties of weapons to which rules refer
    (`with:dagger`), `magical` the properties that make a feature magical.
    """

    natural_hit: int = 0
    natural_miss: int = 0
    critical_times: int = 1
    critical_twice: bool = False
    reach: int = 0
    asks_range: bool = False
    bare_hands: bool = False
    off_hand: int = 0
    off_hand_extra: int = 0
    block_shield: bool = False
    block_fatigue: int = 0
    priced: bool = False
    said: bool = False
    tally: ConditionId = ""
    increments: int = 0
    increment_penalty: int = 0
    guessed: bool = True
    action: ActionId = ""
    least: int = 0
    adds_die: Properties = ()
    grows_die: Properties = ()
    words: tuple[str, ...] = ()
    magical: Properties = ("magical",)
    stowed: str = ""
    melee_ability: AbilityId = "str"
    ranged_ability: AbilityId = "dex"
    casters: AbilityIds = ("int", "wis", "cha")


class MovementFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for movement, in feet unless a name says otherwise. `…_over` is the divisor of a share.

    `extra` pairs a reason with its surcharge per foot. `on_base` are the modes that can use the walking speed at that
    surcharge. The surcharge for squeezing is paid at its start or, with `squeeze_lasts`, while it lasts. `in_air` are
    the modes that leave the ground. Combatants with an effect in `unprovoking` leave a reach without provoking.
    `usual_modes` pairs a medium in which everyone floats with the mode that replaces walking there.

    A rider keeps its seat with a save. Its mount obeys `free_orders` at no cost and `paid_orders` for `order_cost`.
    Mounting costs the resource `mount_price` and a share of the Speed, if the game sets them. `mount_asks` is the
    requirement for a mount: it must be able to carry the `weight`, or must be `willing`. With `mount_actions`, a
    controlled mount has its own turns just before its rider's and can take only those actions. Otherwise it moves with
    its rider. Creatures with a word in `mount_independent` or `mount_untrained` are never controlled.

    `thought_*` is the speed of movement by thought. A fall deals `fall_die` for each `fall_step`, at most `fall_most`
    dice. `drop_cost` is the price of dropping prone out of turn, or empty if that is impossible. `stand_extra` is added
    to the cost of standing up. `stand_by` and `drop_by` are the actions for standing up and dropping prone, in games
    where these take actions. `opportunity`: leaving a reach provokes. The length of a jump is the best ability of
    `leaps` divided by `leap_over`. Its height is the length divided by `leap_height_over`.

    A combatant with the condition `held_by` moves only after winning a contest of `held_roll` against its creator. A
    combatant with `drag_hold` can be dragged only by its holder. Each foot then costs `drag_times` as much, unless the
    dragged combatant is `drag_free_sizes` smaller.

    `bought` is the action that buys one allowance, in games where movement is bought in strides. `bought_by` pairs
    modes with other actions that buy them. `hard_price` is the surcharge for a stride of `bought` that starts on or
    enters difficult terrain.
    """

    extra: ModeNumbers = ()
    on_base: Modes = ()
    in_air: Modes = ()
    unprovoking: ConditionIds = ()
    usual_modes: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("suspension", "mode"))] = ()
    squeeze_lasts: bool = False
    stand_over: int = 1
    stand_extra: int = 0
    mount_over: int = 0
    mount_price: ResourceId = ""
    descend_over: int = 1
    mount_sizes: int = 0
    mount_within: int = 5
    seat_ability: AbilityId = ""
    seat_dc: int = 0
    thrown_within: int = 5
    free_orders: Orders = ()
    paid_orders: Orders = ()
    order_cost: ResourceId = ""
    mount_asks: Literal["weight", "willing"] = "weight"
    mount_actions: ActionIds = ()
    mount_independent: tuple[str, ...] = ()
    mount_untrained: tuple[str, ...] = ()
    drag_within: int = 5
    drag_hold: ConditionId = ""
    drag_times: int = 1
    drag_free_sizes: int = 0
    drag_cost: ResourceId = ""
    drop_cost: ResourceId = ""
    thought_base: int = 0
    thought_step: int = 0
    thought_ability: AbilityId = ""
    fall_die: DiceText = ""
    fall_kind: DamageTypeId = ""
    fall_step: int = 10
    fall_most: int = 0
    forward_after: EffectNames = ()
    hastened_by: ConditionId = ""
    opportunity: bool = True
    bought: ActionId = ""
    bought_by: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("mode", "action"))] = ()
    hard_price: int = 0
    leaps: AbilityIds = ()
    leap_over: int = 1
    leap_height_over: int = 1
    held_by: ConditionId = ""
    held_roll: RollName = ""
    stand_by: ActionId = ""
    drop_by: ActionId = ""


class ReactionFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for reactions. `stack`: actions are declared first, and reactions to them resolve before them.

    `on_call` is the house rule under which reactions aren't asked for but entered in advance. `once`: a combatant
    reacts only once per turn. `catch` is the price of catching a thrown item.
    """

    stack: bool = False
    on_call: TableRuleId = ""
    once: bool = False
    catch: int = 0
