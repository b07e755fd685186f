"""Numbers of a game that stand alone: of groups, checks, attacks, movement and reactions."""

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
    """Numbers of groups that act as one.

    `within` is how near (feet) each member must be to another; `dc_base` joins the best attack bonus to the DC of the
    save (on `save`) that stands for an attack; `per_member` is added to DC and damage for each member beyond the first,
    and `check_per_member` to checks with `check_ability`.
    """

    within: int = 0
    dc_base: int = 0
    save: AbilityId = ""
    per_member: int = 0
    check_ability: AbilityId = ""
    check_per_member: int = 0
    command_cost: ResourceId = ""


class CheckFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of checks, saves and attacks.

    `die` is the die rolled, empty where the game's own text names none: then a person enters the result, unless an
    option chooses one (`die_options` pairs a table rule with its die). `counted`: advantages and disadvantages add up.
    Bonuses of one of the
    `types` don't add up, nor do penalties. `degrees` is by how much a total must beat or miss a
    DC to do so critically, 0 in games without degrees; `raises` and `lowers` are then the faces that make it a degree
    better or worse. `dc_base` is added to a combatant's own bonus for its DC.
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
    """Numbers of attacks.

    `natural_hit` and `natural_miss` are the faces of a d20 that hit and miss whatever the total, 0 for none;
    `critical_times` is what a critical hit multiplies damage by; `critical_twice`: its dice alone are rolled twice.
    `reach` in feet is the default reach; `off_hand` attacks come with the bonus action that pays for them,
    `off_hand_extra` with Extra Attack, 0 where there are none. `asks_range`: the normal range of a shot is asked where
    none is given. `bare_hands`: armed combatants may attack unarmed. Turning a critical hit into a regular one takes a
    shield given up, if `block_shield`, or so many levels of fatigue as `block_fatigue`. `priced`: each attack is paid
    for by itself, with as many of its cost as its feature gives, instead of coming with an action that gives some.
    `melee_ability` and `ranged_ability` are the default abilities of weapons, `casters` the abilities of which a caster
    without a named one uses the best. `tally` is the condition that counts a combatant's attacks of this turn. `said`:
    no roll decides, a person enters whether it hits. Where there are range `increments`, a weapon's range is one of so
    many, and each beyond the first takes `increment_penalty` from the roll. `action` is the action of an attack, where
    it is one by itself. `guessed`: attackers have to guess the place of a hidden target. A hit deals at least `least`.
    On a critical hit, a property that begins with one of `adds_die` adds its die, and one that begins with one of
    `grows_die` (`deadly-d10`) enlarges all dice. A weapon with the property `stowed` is put away and can't attack.
    `words` are the ids and properties of weapons that rules ask for (`with:dagger`), `magical` the properties by which a
    feature is magical.
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
    """Numbers of movement, in feet unless a name says otherwise; `_over` names the divisor of a share.

    `extra` is how many feet each foot costs more, by reason; `on_base` are the modes that the walking speed serves at
    that surcharge; that of squeezing is paid by those who begin to, or (`squeeze_lasts`) for as long as it lasts; `in_air` those that leave the ground, and combatants that are `unprovoking` by an effect leave a
    reach freely. `usual_modes` pairs what all float in with the mode that walking becomes there. A rider keeps its seat
    by a save; its mount obeys `free_orders` at no cost and `paid_orders` for `order_cost`. `thought_*` is the speed of
    movement by thought; a fall does `fall_die` for each `fall_step`, so many at most. `drop_cost` is what dropping
    prone out of turn takes, empty where that is impossible; `stand_extra` is added to the cost of standing up. Leaving a reach gives an `opportunity`, or (switched off)
    none. `bought` is the action that buys one allowance, where movement is bought in strides instead of coming with the
    turn; `bought_by` pairs modes with other actions that buy theirs, and `hard_price` is what a stride of `bought`
    costs more that starts on difficult ground or enters it. A jump goes as far as the best of the abilities `leaps` by
    its divisor, and so much of that up. A combatant with the condition `held_by` moves only after winning a contest of
    `held_roll` against its creator. `stand_by` and `drop_by` are the actions of standing up and dropping prone, where
    those take actions and no movement. Mounting costs the resource `mount_price` and a share of the Speed, neither
    where a game names none. `mount_asks` whether a mount can carry the `weight`, or whether it is `willing`.
    Where `mount_actions` are named, a controlled mount takes turns of its own, just before its rider's, and does
    nothing but those; else it moves with its rider. Creatures with one of the words `mount_independent` or
    `mount_untrained` are never controlled. A combatant held by `drag_hold` can be dragged by the holder alone; each
    foot costs `drag_times` as much then, unless the dragged one is `drag_free_sizes` smaller.
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
    """Numbers of reactions. `stack`: actions are declared first, and reactions to them resolve before them.

    `on_call` is the table rule under which no reaction is asked for: it is entered beforehand. `once`: a combatant
    reacts only once in one turn. `catch` is the price of catching a thrown item.
    """

    stack: bool = False
    on_call: TableRuleId = ""
    once: bool = False
    catch: int = 0
