"""Figures of a game that stand alone: of groups, of attacks and of movement."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.prepared import NamedNumbers


class GroupFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """What numbers count for where several act as one.

    `affordable_feet` is how near (feet) each must be to another; `dc_base` joins the best attack bonus to the DC of the
    save (on `save`) that stands for an attack; `per_member` is added to DC and damage for each beyond the first, and
    `check_per_member` to checks with `check_ability`.
    """

    within: int = 0
    dc_base: int = 0
    save: str = ""
    per_member: int = 0
    check_ability: str = ""
    check_per_member: int = 0
    command_cost: str = ""


class CheckFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """How checks, saves and attacks are rolled.

    `die` is what is thrown, empty where the game's own text names none: then a person says what came of it, unless the
    table has chosen one (`die_options` pairs a table rule with its die). `counted`: advantages and disadvantages add
    up. `damage_type_id`: bonuses of one kind don't add up, nor do penalties. `degrees` is by how much a total must beat
    or miss a DC to do so critically, 0 where that means nothing; `raises` and `lowers` are then the faces that make it
    a degree better or worse. `dc_base` is what joins somebody's own bonus to a DC.
    """

    die: str = "1d20"
    die_options: tuple[tuple[str, str], ...] = ()
    counted: bool = False
    typed: bool = False
    degrees: int = 0
    raises: int = 0
    lowers: int = 0
    dc_base: int = 10


class AttackFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures of attacks.

    `natural_hit` and `natural_miss` are the faces of a d20 that hit and miss whatever the total, 0 for none;
    `critical_times` is what a critical hit multiplies damage by; `critical_twice`: its dice alone are thrown twice.
    `reach` in feet is that of who has no other; `off_hand` attacks come with the bonus action that pays for them,
    `off_hand_extra` with Extra Attack, 0 where there are none. `asks_range`: the normal range of a shot that has none
    is asked. `unarmed_strike`: those who have something to strike with may strike without. Turning a critical hit into
    a regular one takes a shield given up, if `block_shield`, or so many levels of fatigue as `block_fatigue`. `priced`:
    each attack is paid for by itself, with as many of its cost as its means says, instead of coming with an action that
    gives some. `melee_ability` and `ranged_ability` are what weapons usually go by, `casters` the abilities of which a
    caster whose own nobody named uses the best. `tally` is the condition that counts the attacks somebody has made this
    turn. `said`: no roll decides, a person says whether it hits. Where there are range `increments`, a weapon's range
    is one of so many, and each beyond the first takes `increment_penalty` from the roll. `action` is the one that an
    attack is, where it is one by itself. `guessed`: where somebody hidden is, whoever attacks them has to guess. A hit
    deals the `least` at least. Of the properties of a means of attack, a critical hit throws the die of one that begins
    with one of `adds_die` besides, and has all dice as large as that of one that begins with one of `grows_die`
    (`deadly-d10`). What has the property `stowed` is put away, and nobody strikes with it.
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
    tally: str = ""
    increments: int = 0
    increment_penalty: int = 0
    guessed: bool = True
    action: str = ""
    least: int = 0
    adds_die: tuple[str, ...] = ()
    grows_die: tuple[str, ...] = ()
    stowed: str = ""
    melee_ability: str = "str"
    ranged_ability: str = "dex"
    casters: tuple[str, ...] = ("int", "wis", "cha")


class MovementFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """What movement costs and asks for, in feet unless a name says otherwise; `_over` names the divisor of a share.

    `extra` is how many feet each foot costs more, by reason; `on_base` are the modes that the walking speed serves at
    that surcharge, `in_air` those that leave the ground, and those who are `unprovoking` by an effect leave a reach
    freely. `usual_modes` pairs what everybody floats in with the mode that walking becomes there. A rider keeps its
    seat by a save; its mount obeys `free_orders` at no cost and `paid_orders` for `order_cost`. `thought_*` is the
    speed that comes of thinking; a fall does `fall_die` for each `fall_step`, so many at most. `drop_cost` is what
    dropping prone out of turn takes, empty where nobody may.

    Leaving a reach gives an `opportunity`, or (switched off) none. `bought` is the action that buys one allowance,
    where movement is bought piece by piece instead of coming with the turn; `bought_by` pairs modes with other actions
    that buy theirs, and `hard_price` is what a piece of `bought` costs more that starts on difficult ground or comes
    onto it. A jump goes as far as the best of the abilities `leaps` by its divisor, and so much of that up. Whoever is
    `grapple_effects` a condition moves only after winning a contest of `held_roll` against whoever it comes from.
    `stand_by` and `drop_by` are the actions by which one gets up and goes down, where that takes those and no movement.

    Of a mount is asked whether it can carry the `weight`, or whether it is `willing`. Where `mount_actions` are named,
    one that is controlled takes turns of its own, just before its rider's, and does nothing but those; else it moves
    with its rider. Creatures with one of the words `mount_independent` or `mount_untrained` are never controlled.
    Whoever is held by `drag_hold` can be pulled along by the holder and nobody else; each foot costs `drag_times` as
    much then, unless the one pulled is `drag_free_sizes` smaller.
    """

    extra: NamedNumbers = ()
    on_base: tuple[str, ...] = ()
    in_air: tuple[str, ...] = ()
    unprovoking: tuple[str, ...] = ()
    usual_modes: tuple[tuple[str, str], ...] = ()
    stand_over: int = 1
    mount_over: int = 1
    descend_over: int = 1
    mount_sizes: int = 0
    mount_within: int = 5
    seat_ability: str = ""
    seat_dc: int = 0
    thrown_within: int = 5
    free_orders: tuple[str, ...] = ()
    paid_orders: tuple[str, ...] = ()
    order_cost: str = ""
    mount_asks: Literal["weight", "willing"] = "weight"
    mount_actions: tuple[str, ...] = ()
    mount_independent: tuple[str, ...] = ()
    mount_untrained: tuple[str, ...] = ()
    drag_within: int = 5
    drag_hold: str = ""
    drag_times: int = 1
    drag_free_sizes: int = 0
    drag_cost: str = ""
    drop_cost: str = ""
    thought_base: int = 0
    thought_step: int = 0
    thought_ability: str = ""
    fall_die: str = ""
    fall_kind: str = ""
    fall_step: int = 10
    fall_most: int = 0
    chase_speed: int = 0
    forward_after: tuple[str, ...] = ()
    hastened_by: str = ""
    opportunity: bool = True
    bought: str = ""
    bought_by: tuple[tuple[str, str], ...] = ()
    hard_price: int = 0
    leaps: tuple[str, ...] = ()
    leap_over: int = 1
    leap_height_over: int = 1
    held_by: str = ""
    held_roll: str = ""
    stand_by: str = ""
    drop_by: str = ""


class ReactionFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """How what is done can be answered. `stack`: it is announced first, and what answers it is done before it.

    `on_call` is the table rule under which nobody is asked who answers: whoever does says so before. `once`: nobody
    reacts twice in one turn. `catch` is the price of catching what is thrown to one.
    """

    stack: bool = False
    on_call: str = ""
    once: bool = False
    catch: int = 0
