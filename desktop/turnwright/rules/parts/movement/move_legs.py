"""Movement in feet or strides: the cost of each leg, mounts and riders, and provoked opportunity attacks.

A stride is an allowance for one mode of movement. It is paid for as the action that the game's data names. The rest of
a stride can be used for the next move in a mode that the same action buys. It is lost when anything else is paid for.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import msgspec

from turnwright.battlemap.paths import stands
from turnwright.battlemap.spaces import footprint, squares_across
from turnwright.dice.expression import Modifier
from turnwright.encounter.prepared import OBJECT, Environment, Feature, Map, Point
from turnwright.encounter.procedure_state.movement import STAY_SEATED, THROWN_RIDER, ForcedDismount, MoveInProgress
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup, Owned, effects_named, scene_of, track_value
from turnwright.rules.parts.attacks.attack_targeting import MELEE, attack_kind, attack_reach, is_attack, save_against
from turnwright.rules.parts.combatants.facts import CRAWL, WALK, cannot_act, condition_names, is_follower, speeds_of
from turnwright.rules.parts.conditions.condition_rules import data_rules, unmet_requirements
from turnwright.rules.parts.conditions.numbers import SPEED, changed_number
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.environment.entries import current_map, extra_points, ground_cost, is_on_area, words_in
from turnwright.rules.parts.positions import geometry, sight, squares
from turnwright.rules.system import (
    NO_RESULT,
    ExplainedNumber,
    Hook,
    HookContext,
    HookResult,
    MoveLeg,
    RuleSystem,
    StartProcedure,
    Veto,
    creature_of,
    explained_sum,
    label_of,
    run_hooks,
)
from turnwright.rules.system_data.numbers import ActionOption

JUST_MOUNTED, ORDERED, HURRIED = "just-mounted", "mount-commanded", "mount-hurried"


def mount_of(lookup: Lookup, who: str) -> Combatant | None:
    """Return a combatant's mount, or None if it isn't riding."""
    combatant = lookup.get(Combatant, who)
    return lookup.get(Combatant, combatant.rides) if combatant is not None and combatant.rides else None


def riders_of(lookup: Lookup, mount: str) -> tuple[Combatant, ...]:
    """Return the riders of a combatant."""
    return tuple(combatant for combatant in lookup.all(Combatant) if combatant.rides == mount and mount)


def is_carried_by(lookup: Lookup, who: str, other: str) -> bool:
    """Return whether a combatant rides another, directly or through further mounts."""
    seen, mount = {who}, mount_of(lookup, who)
    while mount is not None and mount.id not in seen:
        if mount.id == other:
            return True
        seen.add(mount.id)
        mount = mount_of(lookup, mount.id)
    return False


def controls_mount(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant rides a mount that obeys it."""
    combatant = lookup.get(Combatant, who)
    mount = mount_of(lookup, who)
    return combatant is not None and combatant.controlled and mount is not None and not mount.dead


def moving_body(lookup: Lookup, who: str) -> str:
    """Return the id of the combatant that moves `who`: a mount that obeys, or else itself."""
    mount = mount_of(lookup, who)
    return mount.id if mount is not None and controls_mount(lookup, who) else who


def movement_payer(lookup: Lookup, who: str) -> str:
    """Return the id of the combatant that pays for a move. A mount that obeys shares its rider's movement."""
    return next((rider.id for rider in riders_of(lookup, who) if controls_mount(lookup, rider.id)), who)


def moving_with(lookup: Lookup, who: str, rules: RuleSystem | None = None) -> tuple[str, ...]:
    """Return the ids of the combatants that move together with one: the moving body first, then its riders.

    With `rules`, these also are the combatants that it has swallowed, and those that cling to it.
    """
    body = moving_body(lookup, who)
    held = squares.held_along(lookup, rules, body) if rules is not None else ()
    return (body, *(other.id for other in (*riders_of(lookup, body), *held)))


def carried_by(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Combatant, ...]:
    """Return the combatants that move along when this one is repositioned: its riders, and everyone on or in it."""
    carried: dict[str, Combatant] = {}
    carriers = [who]
    for carrier in carriers:  # this includes the riders of riders, and crates in the same boat
        for combatant in (*riders_of(lookup, carrier), *_aboard(lookup, rules, carrier)):
            if combatant.id != who and combatant.id not in carried:
                carried[combatant.id] = combatant
                carriers.append(combatant.id)
    return tuple(carried.values())


def _aboard(lookup: Lookup, rules: RuleSystem, vehicle: str) -> Iterator[Combatant]:
    """Yield the combatants held along, and inside an object all smaller ones in its space up to its top."""
    yield from squares.held_along(lookup, rules, vehicle)
    field, box = current_map(lookup), geometry.space(lookup, rules, vehicle)
    if field is None or box is None or creature_of(lookup, lookup.need(Combatant, vehicle)).type != OBJECT:
        return
    inside, size = set(footprint(box, field.cell)), geometry.size_index(lookup, rules, vehicle)
    for other in lookup.all(Combatant):
        there = geometry.space(lookup, rules, other.id)
        if there is None or not box.elevation <= there.elevation <= box.top:
            continue
        if geometry.size_index(lookup, rules, other.id) < size and inside.issuperset(footprint(there, field.cell)):
            yield other


def mounting_vetoes(lookup: Lookup, rules: RuleSystem, rider: str, mount: str) -> tuple[Veto, ...]:
    """Return the vetoes on mounting another combatant."""
    if rules.data.movement.mount_asks == "willing" and geometry.are_hostile(lookup, rider, mount):
        return (Veto("refused.mount_unwilling", rules.rule_id("mount.willing"), (("what", label_of(lookup, mount)),)),)
    steps = rules.data.movement.mount_sizes
    if geometry.size_index(lookup, rules, mount) - geometry.size_index(lookup, rules, rider) < steps:
        params = (("what", label_of(lookup, mount)), ("who", label_of(lookup, rider)), ("n", steps))
        return (Veto("refused.mount_size", rules.rule_id("mount.size"), params),)
    return ()


def once_per_turn_vetoes(lookup: Lookup, rules: RuleSystem, rider: str) -> tuple[Veto, ...]:
    """Return the veto on mounting or dismounting twice in a turn."""
    if effects_named(lookup, rider, JUST_MOUNTED):
        return (Veto("refused.mounted_once", rules.rule_id("mount.once"), (("who", label_of(lookup, rider)),)),)
    return ()


def is_controlled_mount(lookup: Lookup, rules: RuleSystem, mount: str) -> bool:
    """Return whether a mount with its own turns is controlled by its rider."""
    riders = {rider.id for rider in riders_of(lookup, mount)}
    return any(effect.by in riders for effect in effects_named(lookup, mount, rules.role("controlled-mount")))


def control_conditions(rules: RuleSystem) -> tuple[str, str]:
    """Return the conditions for how a mount is ridden: controlled, or independent."""
    return rules.role("controlled-mount"), rules.role("independent-mount")


def control_options(lookup: Lookup, rules: RuleSystem, mount: str) -> tuple[tuple[str, ...], str]:
    """Return the control modes of a mount with its own turns, and the rule for them."""
    creature = creature_of(lookup, lookup.need(Combatant, mount))
    words = {*creature.tags, *creature.gear, creature.type}
    if words & {*rules.data.movement.mount_independent}:
        return (rules.role("independent-mount"),), rules.rule_id("mount.intelligent")
    if words & {*rules.data.movement.mount_untrained}:
        return (rules.role("independent-mount"),), rules.rule_id("mount.training")
    return control_conditions(rules), rules.rule_id("mount.control")


def will_be_controlled(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a mount takes its rider's initiative and so needs no roll."""
    if not rules.data.movement.mount_actions:
        return False
    riders = [rider for rider in riders_of(lookup, who) if _takes_turns(lookup, rider)]
    modes, _ = control_options(lookup, rules, who)
    prepared = any(rider.controlled for rider in riders) and rules.role("controlled-mount") in modes
    return prepared or (bool(riders) and is_controlled_mount(lookup, rules, who))


def _takes_turns(lookup: Lookup, rider: Combatant) -> bool:
    """Return whether a rider has a place in the turn order to share, or will have one."""
    return not (rider.dead or rider.bystander or is_follower(lookup, rider.id))


def reins_vetoes(lookup: Lookup, rules: RuleSystem, who: str, action: str, *, cost: str = "") -> tuple[Veto, ...]:
    """Return the veto on an action that a controlled mount isn't allowed to take. It may take any reaction.

    A mount whose attacks and checks its rider pays for takes no other actions.
    """
    allowed = rules.data.movement.mount_actions
    if cost in ("action", "attack", "bonus") and rules.data.movement.paid_orders:
        rider = next((rider for rider in riders_of(lookup, who) if rider.controlled and not rider.dead), None)
        if rider is not None:
            params = (("who", label_of(lookup, who)), ("rider", rider.label))
            return (Veto("refused.obeys_rider", rules.rule_id("mount.paid-orders"), params),)
    if not allowed or action in allowed or cost == "reaction" or not is_controlled_mount(lookup, rules, who):
        return ()
    return (Veto("refused.led_mount", rules.rule_id("mount.orders"), (("who", label_of(lookup, who)),)),)


def rider_vetoes(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Veto, ...]:
    """Return the veto on walking while riding a mount that moves on its own turns."""
    mount = mount_of(lookup, who) if rules.data.movement.mount_actions else None
    if mount is None or moving_body(lookup, who) == mount.id:
        return ()
    params = (("who", label_of(lookup, who)), ("what", mount.label))
    return (Veto("refused.in_the_saddle", rules.rule_id("mount.control"), params),)


def mount_command_vetoes(lookup: Lookup, rules: RuleSystem, mount: str, command: str) -> tuple[Veto, ...]:
    """Return the vetoes on commanding an obedient mount after a command of the other kind, or in its current state."""
    free = command in rules.data.movement.free_orders
    before, reason = (ORDERED, "refused.mount_commanded") if free else (HURRIED, "refused.mount_hurried")
    if effects_named(lookup, mount, before):
        return (Veto(reason, rules.rule_id("mount.paid-orders"), (("what", label_of(lookup, mount)),)),)
    return tuple(unmet_requirements(lookup, rules, mount, rules.actions[command])) if free else ()


def on_knocked_prone(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the procedures for riders and mounts when one of them is knocked prone, at EFFECT_GAINED."""
    if context.subject != rules.role("prone"):
        return NO_RESULT
    saves = rules.data.movement.mount_prone_saves
    unseated = tuple(
        StartProcedure(
            STAY_SEATED if saves else THROWN_RIDER,
            ForcedDismount(rider.id, rules.rule_id("mount.mount-prone"), ends_prone=saves),
        )
        for rider in riders_of(lookup, context.who)
    )
    if mount_of(lookup, context.who) is None:
        return HookResult(procedures=unseated) if unseated else NO_RESULT
    own = StartProcedure(STAY_SEATED, ForcedDismount(context.who, rules.rule_id("mount.rider-prone")))
    return HookResult(procedures=(own, *unseated))


MOVED = "moved"


def effective_mode(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> str:
    """Return the actual mode of a combatant's steps: prone combatants crawl, and floating ones swim or fly."""
    if mode != WALK:
        return mode
    if rules.role("prone") in condition_names(lookup, rules, moving_body(lookup, who)):
        return CRAWL
    scene = scene_of(lookup)
    usual = dict(rules.data.movement.usual_modes)
    return next((usual[each] for each in scene.suspended if each in usual), mode)


def allowance(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> ExplainedNumber | None:
    """Return a combatant's movement per turn in feet for a mode, or None if it can't use that mode.

    The rider of an obedient mount uses the mount's speeds.
    """
    body = moving_body(lookup, who)
    speeds = speeds_of(lookup, rules, body)
    way = effective_mode(lookup, rules, who, mode)
    short = rules.actions.get(dict(rules.data.movement.bought_by).get(way, ""))
    most = short.feet if short is not None else 0
    using = way if way in speeds else WALK if most or way in rules.data.movement.on_base else ""
    if using not in speeds:
        return None
    whole = changed_number(lookup, rules, body, SPEED, speeds[using])
    if not whole.replaced and short is not None and most and most < whole.total:
        return ExplainedNumber(most, (*whole.parts, Modifier(most, short.name, short.rule())), replaced=True)
    return whole


class _WithEffect(geometry.MovedLookup):
    """A lookup with one more effect."""

    def __init__(self, lookup: Lookup, effect: Effect) -> None:
        super().__init__(lookup, ())
        self.effect = effect

    def of(self, kind: type[Owned], who: str) -> list[Owned]:
        """Return a combatant's tracks, effects or slots, in table order."""
        own: list[Any] = super().of(kind, who)
        return [*own, self.effect] if kind is Effect and who == self.effect.target else own


def squeezed_allowance(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> ExplainedNumber | None:
    """Return a combatant's movement per turn in feet while it squeezes, or None if it can't use the mode."""
    body, name = moving_body(lookup, who), rules.role("squeezing")
    squeezes = name in condition_names(lookup, rules, body)
    return rules.allowance(lookup if squeezes else _WithEffect(lookup, Effect("", body, name)), rules, who, mode)


def base_speed(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the Speed in feet before multipliers, for costs that are a fraction of it."""
    speeds = speeds_of(lookup, rules, who)
    base = speeds.get(WALK) or max(speeds.values(), key=lambda speed: speed.value, default=Modifier(0, ""))
    return changed_number(lookup, rules, who, SPEED, base, multiplied=False).total


def fraction_of_speed(lookup: Lookup, rules: RuleSystem, feet: int, over: int) -> int:
    """Return a fraction of a distance in feet, with halves rounded according to the game's rule."""
    return rules.half(lookup, feet) if over == 2 else feet // over


def speed_multiplier(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the factor by which hurrying would multiply a combatant's speed, or 1 if it already hurries."""
    hurried = rules.conditions.get(rules.data.movement.hastened_by)
    if hurried is None or hurried.id in condition_names(lookup, rules, moving_body(lookup, who)):
        return 1
    return max([rule.times for rule in hurried.rules if rule.what == SPEED], default=1)


def movement_cost(lookup: Lookup, rules: RuleSystem, who: str, leg: MoveLeg) -> ExplainedNumber:
    """Return the cost of a leg in feet: its length, plus a surcharge for each reason that makes moving harder."""
    way = leg.terrain or effective_mode(lookup, rules, who, leg.mode)
    extra = dict(rules.data.movement.extra)
    parts = [Modifier(leg.feet, f"<speed.{way}>", rules.rule_id(f"move.{way}-speed"))]
    if way in extra and way not in speeds_of(lookup, rules, moving_body(lookup, who)):
        reason = f"<condition.{rules.role('prone')}>" if way == CRAWL else "why.no_such_speed"
        parts.append(Modifier(leg.feet * extra[way], reason, rules.rule_id(f"move.{way}-cost")))
    ground = _ground_surcharge(lookup, rules, who, leg)
    if ground is not None:
        parts.append(Modifier(leg.feet * ground.value, ground.reason, ground.rule))
    if leg.dragged and "drag" in extra and not _drags_freely(lookup, rules, who, leg.dragged):
        parts.append(Modifier(leg.feet * extra["drag"], "why.dragging", rules.rule_id("drag.cost")))
    squeezes = rules.role("squeezing") in condition_names(lookup, rules, moving_body(lookup, who))
    if rules.data.movement.squeeze_lasts and (squeezes or leg.squeezing):
        parts.append(Modifier(leg.feet * extra.get("squeeze", 0), "why.squeezing", rules.rule_id("squeeze.speed")))
    falling = _descent_discount(lookup, rules, leg)
    parts += [falling] if falling is not None else []
    return explained_sum(*parts, *_drag_surcharge(lookup, rules, who, leg, sum(part.value for part in parts)))


def _drag_surcharge(lookup: Lookup, rules: RuleSystem, who: str, leg: MoveLeg, feet: int) -> tuple[Modifier, ...]:
    """Return the surcharge for dragging a combatant, in games where dragging divides Speed.

    Empty if the dragged combatant is small enough.
    """
    settings = rules.data.movement
    if settings.drag_times == 1 or _drags_freely(lookup, rules, who, leg.dragged):
        return ()
    return (Modifier(feet * (settings.drag_times - 1), "why.dragging", rules.rule_id("drag.cost")),)


def _drags_freely(lookup: Lookup, rules: RuleSystem, who: str, dragged: str) -> bool:
    """Return whether a combatant is small enough to be dragged at no extra cost, or no longer exists."""
    settings, combatant = rules.data.movement, lookup.get(Combatant, dragged)
    if combatant is None:
        return True
    size = geometry.size_index(lookup, rules, dragged)
    if rules.data.sizes[size].id in settings.drag_free:
        return True
    smaller = geometry.size_index(lookup, rules, moving_body(lookup, who)) - size
    return 0 < settings.drag_free_sizes <= smaller


def _ground_surcharge(lookup: Lookup, rules: RuleSystem, who: str, leg: MoveLeg) -> Modifier | None:
    """Return the surcharge per foot for difficult terrain, with its reason. Several sources count only once."""
    extra = next((terrain.extra for terrain in rules.data.terrains if terrain.id == "difficult"), 0)
    ground = ground_cost(lookup, leg.environment, leg.turns_aside)
    surcharge = leg.map_ground if ground is None else Modifier(extra, ground.reason, ground.rule)
    return None if surcharge is not None and is_easy_ground(lookup, rules, who, surcharge) else surcharge


def is_easy_ground(lookup: Lookup, rules: RuleSystem, who: str, ground: Modifier) -> bool:
    """Return whether difficult terrain costs a combatant nothing extra.

    A feature may cover all difficult terrain, or only terrain with a certain word in its name.
    """
    if ground.reason == "why.occupied":
        return False
    words = {"difficult", *words_in(ground.reason)}
    return any(True for _ in data_rules(lookup, rules, moving_body(lookup, who), words, kind="terrain"))


def _descent_discount(lookup: Lookup, rules: RuleSystem, leg: MoveLeg) -> Modifier | None:
    """Return the discount for descending on purpose in the open sky."""
    if "sky" not in scene_of(lookup).suspended or leg.feet <= 0 or leg.feet_up != -leg.feet:
        return None
    by = fraction_of_speed(lookup, rules, leg.feet, rules.data.movement.descend_over) - leg.feet
    return Modifier(by, "why.descending", rules.rule_id("suspended.descend"))


SLIDING = "sliding"


class PricedLeg(msgspec.Struct, frozen=True):
    """A leg of a move: its distance and cost, the moved combatants, and the environments entered.

    `direction` is the first direction taken on ground that requires keeping it. `is_difficult`: the leg enters
    difficult terrain. `is_squeezed`: it enters a space that is too small.
    """

    feet: int
    price: ExplainedNumber
    moved: tuple[Combatant, ...] = ()
    grounds: tuple[str, ...] = ()
    direction: str = ""
    is_difficult: bool = False
    is_squeezed: bool = False


def next_leg(lookup: Lookup, rules: RuleSystem, move: MoveInProgress) -> PricedLeg:
    """Return the next leg of a move: the next square, or the whole move without a grid."""
    field = current_map(lookup)
    if move.path and field is not None:
        return _square_leg(lookup, rules, move, field)
    return _gridless_leg(lookup, move)


def positions_after(lookup: Lookup, move: MoveInProgress, leg: PricedLeg) -> Lookup | None:
    """Return the lookup with the positions after a leg, or None without a grid."""
    return geometry.MovedLookup(lookup, leg.moved) if move.path else None


def _gridless_leg(lookup: Lookup, move: MoveInProgress) -> PricedLeg:
    pulled = (move.dragged,) if lookup.get(Combatant, move.dragged) else ()
    combatants = tuple(
        msgspec.structs.replace(combatant, elevation=combatant.elevation + move.feet_up)
        for who in (*moving_with(lookup, move.who), *pulled)
        if (combatant := lookup.get(Combatant, who)) is not None and move.feet_up
    )
    grounds = (move.ground,) if move.ground else ()
    hard = ground_cost(lookup, move.ground, turned=False) is not None
    price = ExplainedNumber(move.cost, move.unreported_cost_parts)
    return PricedLeg(move.feet, price, combatants, grounds, is_difficult=hard)


# On a grid ---------------------------------------------------------------------------------------------------------


def _square_leg(lookup: Lookup, rules: RuleSystem, move: MoveInProgress, battle_map: Map) -> PricedLeg:
    body = lookup.need(Combatant, moving_body(lookup, move.who))
    to, here = move.path[move.squares_entered], body.position or move.path[move.squares_entered]
    height = next_elevation(lookup, rules, move, body)
    in_air, feet_up = _is_in_air(rules, move.mode), height - body.elevation
    across = _feet(move, here, to, battle_map)
    feet = abs(feet_up) if here == to else max(across, abs(feet_up)) if in_air else across
    turned, way = _direction(lookup, rules, move, here, to)
    going = MoveLeg(
        feet,
        move.mode,
        map_ground=None if in_air else squares.ground_cost_at(lookup, rules, body.id, to, turned=turned),
        terrain=_terrain(lookup, rules, move, to),
        feet_up=feet_up if here == to else 0,
        dragged=move.dragged,
        squeezing=squares.fit_at(lookup, rules, body.id, to, height) == "squeezes",
    )
    price = ExplainedNumber(0) if move.free else movement_cost(lookup, rules, move.who, going)
    hard = going.map_ground is not None and not is_easy_ground(lookup, rules, move.who, going.map_ground)
    combatants = moved_combatants(lookup, rules, move.who, to, height)
    combatants = (*combatants, *_dragged_combatant(geometry.MovedLookup(lookup, combatants), rules, move, here, to))
    grounds = _new_grounds(lookup, geometry.MovedLookup(lookup, combatants), rules, body.id, move)
    return PricedLeg(feet, price, combatants, grounds, way, is_difficult=hard, is_squeezed=going.squeezing)


def _feet(move: MoveInProgress, here: Point, to: Point, battle_map: Map) -> int:
    """Return the length of a step in feet: a square's side, or two for every second diagonal on some maps."""
    if battle_map.diagonals != "alternating" or not _is_diagonal(here, to):
        return battle_map.cell
    so_far = (*((move.start,) if move.start else ()), *move.path[: move.squares_entered])
    before = sum(1 for square, next_square in pairwise(so_far) if _is_diagonal(square, next_square))
    return battle_map.cell * (1 + before % 2)


def _is_diagonal(here: Point, to: Point) -> bool:
    return here[0] != to[0] and here[1] != to[1]


def _is_in_air(rules: RuleSystem, mode: str) -> bool:
    return mode in rules.data.movement.in_air


def next_elevation(lookup: Lookup, rules: RuleSystem, move: MoveInProgress, body: Combatant) -> int:
    """Return the elevation at the next square: the given one, or the ground's, or the current one in the air."""
    to = move.path[move.squares_entered]
    if move.squares_entered < len(move.elevations):
        return move.elevations[move.squares_entered]
    floor = geometry.ground_elevation(lookup, to, squares_across(geometry.effective_side(lookup, rules, body.id)))
    return max(floor, body.elevation) if _is_in_air(rules, move.mode) else floor


def _terrain(lookup: Lookup, rules: RuleSystem, move: MoveInProgress, to: Point) -> str:
    """Return the mode that walking into a square requires: `swim` in water, `climb` on steep ground."""
    grid = geometry.map_grid(lookup)
    if grid is None or to not in grid or effective_mode(lookup, rules, move.who, move.mode) != WALK:
        return ""
    column, row = to
    return "swim" if grid.water[row, column] else "climb" if grid.climb[row, column] else ""


def _direction(lookup: Lookup, rules: RuleSystem, move: MoveInProgress, here: Point, to: Point) -> tuple[bool, str]:
    """Return whether a step turns on ground where turning costs more, and the first direction there if it is new."""
    body = moving_body(lookup, move.who)
    way = f"{to[0] - here[0]},{to[1] - here[1]}"
    first = next((effect.end_condition for effect in lookup.of(Effect, body) if effect.name == SLIDING), "")
    straight = squares.ground_cost_at(lookup, rules, body, to)
    if straight == squares.ground_cost_at(lookup, rules, body, to, turned=True):
        return False, ""
    return bool(first) and first != way, "" if first else way


def moved_combatants(
    lookup: Lookup, rules: RuleSystem, who: str, to: Point, elevation: int | None
) -> tuple[Combatant, ...]:
    """Return the combatants that move together, at their new square. Without an elevation, they are on the ground."""
    body = moving_body(lookup, who)
    if elevation is None:
        elevation = geometry.ground_elevation(lookup, to, squares_across(geometry.effective_side(lookup, rules, body)))
    return tuple(
        msgspec.structs.replace(lookup.need(Combatant, id), position=to, elevation=elevation)
        for id in moving_with(lookup, who, rules)
    )


def _dragged_combatant(
    after: Lookup, rules: RuleSystem, move: MoveInProgress, here: Point, to: Point
) -> tuple[Combatant, ...]:
    """Return the dragged combatant at its new square.

    It moves as its dragger does if there is room, or else onto the dragger's old square.
    """
    ally = after.get(Combatant, move.dragged) if move.dragged else None
    if ally is None or ally.position is None:
        return ()
    ahead = (ally.position[0] + to[0] - here[0], ally.position[1] + to[1] - here[1])
    grid = geometry.map_grid(after)
    for square in (ahead, here):
        height = geometry.ground_elevation(after, square)
        there = geometry.space_at(after, rules, ally.id, square, height)
        if grid is not None and stands(grid, there) and squares.can_stay(after, rules, ally.id, square, height):
            return (msgspec.structs.replace(ally, position=square, elevation=height),)
    return ()


def _new_grounds(before: Lookup, after: Lookup, rules: RuleSystem, who: str, move: MoveInProgress) -> tuple[str, ...]:
    """Return the environments that a combatant enters. On the first step, this includes those it is already in."""
    entered = []
    for environment in before.all(Environment):
        if environment.id in before.need(Combatant, who).outside:
            continue
        was, is_now = (is_on_area(lookup, who, environment.id, rules=rules) is not False for lookup in (before, after))
        if is_now and (not was or not move.squares_entered):
            entered.append(environment.id)
    return tuple(entered)


def sum_prices(prices: Iterable[ExplainedNumber]) -> ExplainedNumber:
    """Add up prices, listing each reason once."""
    totals: dict[tuple[str, str], int] = {}
    for price in prices:
        for part in price.parts:
            totals[part.reason, part.rule] = totals.get((part.reason, part.rule), 0) + part.value
    parts = tuple(Modifier(value, reason, rule) for (reason, rule), value in totals.items())
    return ExplainedNumber(sum(part.value for part in parts), parts)


STRIDE = "bought-movement"
StepCost = tuple[int, bool]  # a step's cost in feet, and whether it leaves or enters difficult terrain


class Stride(msgspec.Struct, frozen=True):
    """A bought stride: its remaining allowance, and whether difficult terrain has been paid for."""

    remaining: int = 0
    difficult_paid: bool = False


def stride_id(who: str) -> str:
    """Return the id of a combatant's mark for bought movement. Its `source` is the action that bought it."""
    return f"{STRIDE}-of-{who}"


def stride_action(rules: RuleSystem, mode: str) -> ActionOption | None:
    """Return the action that buys movement in a mode, or None if movement is included in the turn."""
    settings = rules.data.movement
    return rules.actions.get(dict(settings.bought_by).get(mode, settings.bought))


def stride_action_for(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> ActionOption | None:
    """Return the action that a combatant spends to move in its current mode, with the price at its location."""
    option = stride_action(rules, effective_mode(lookup, rules, who, mode))
    more = extra_points(lookup, rules, moving_body(lookup, who), option) if option is not None else 0
    return msgspec.structs.replace(option, price=option.price + more) if option is not None and more else option


def stride_mode(rules: RuleSystem, action: str) -> str:
    """Return the mode of movement that an action buys."""
    return next((mode for mode, buyer in rules.data.movement.bought_by if buyer == action), "walk")


def current_stride(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> Stride:
    """Return the unused part of a combatant's stride in a mode, or an empty stride if there is none."""
    option, payer = stride_action_for(lookup, rules, who, mode), movement_payer(lookup, who)
    mark = lookup.get(Effect, stride_id(payer))
    if option is None or mark is None or mark.source != option.id:
        return Stride()
    return Stride(max(0, _stride_feet(lookup, rules, who, mode) - track_value(lookup, payer, MOVED)), bool(mark.value))


def costs_more_on_difficult(rules: RuleSystem, option: ActionOption) -> bool:
    """Return whether difficult terrain raises an action's price. It does so only for regular movement."""
    return option.id == rules.data.movement.bought


def stride_cost(
    rules: RuleSystem, option: ActionOption, stride: Stride, allowance: int, step: StepCost
) -> tuple[int, Stride]:
    """Return the points that a step costs, and the rest of the stride after it."""
    cost, hard = step
    extra = rules.data.movement.hard_price if hard and costs_more_on_difficult(rules, option) else 0
    rest, paid, points = stride.remaining, stride.difficult_paid, 0
    if extra and cost and rest and not paid:
        points, paid = extra, True
    while cost > rest and allowance > 0:
        cost -= rest
        points += option.price + extra
        rest, paid = allowance, bool(extra)
    return points, Stride(max(0, rest - cost), paid)


def points_for_steps(lookup: Lookup, rules: RuleSystem, who: str, mode: str, steps: Iterable[StepCost]) -> int:
    """Return the points that a sequence of steps costs."""
    option = stride_action_for(lookup, rules, who, mode)
    if option is None:
        return 0
    piece, each, total = current_stride(lookup, rules, who, mode), _stride_feet(lookup, rules, who, mode), 0
    for step in steps:
        points, piece = stride_cost(rules, option, piece, each, step)
        total += points
    return total


def affordable_feet(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> int | None:
    """Return the distance in feet that all of a combatant's points buy on normal terrain, or None without that mode."""
    option = stride_action_for(lookup, rules, who, mode)
    if option is None or rules.allowance(lookup, rules, who, mode) is None:
        return None
    rest = current_stride(lookup, rules, who, mode).remaining
    payer = movement_payer(lookup, who)
    if limited_uses.spending_vetoes(lookup, rules, payer, option.cost, max(1, option.price)):
        return rest
    have = limited_uses.remaining(
        lookup, payer, limited_uses.paying_resource(lookup, rules, payer, option.cost)
    ) // max(1, option.price)
    return rest + (min(1, have) if _is_once(lookup, rules, payer) else have) * _stride_feet(lookup, rules, who, mode)


def _is_once(lookup: Lookup, rules: RuleSystem, payer: str) -> bool:
    """Return whether only one stride can be bought now because a turn allows only one reaction."""
    return rules.data.reactions.once and not limited_uses.is_on_turn(lookup, payer)


def point_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, mode: str, steps: tuple[StepCost, ...], cost: int
) -> tuple[Veto, ...]:
    """Return the vetoes on paying for steps that are too far or too expensive."""
    option = stride_action_for(lookup, rules, who, mode)
    if option is None:
        return ()
    payer = movement_payer(lookup, who)
    points = points_for_steps(lookup, rules, who, mode, steps)
    vetoes = limited_uses.spending_vetoes(lookup, rules, payer, option.cost, points) if points else ()
    farthest = affordable_feet(lookup, rules, who, mode) or 0
    if not vetoes and points and cost > farthest and _is_once(lookup, rules, payer):
        return (_too_far(lookup, rules, who, mode, farthest, cost),)
    if not vetoes or cost <= farthest or farthest == current_stride(lookup, rules, who, mode).remaining:
        return vetoes
    return (_too_far(lookup, rules, who, mode, farthest, cost),)


def _too_far(lookup: Lookup, rules: RuleSystem, who: str, mode: str, farthest: int, cost: int) -> Veto:
    rule, label = rules.rule_id(f"move.{mode}-speed"), lookup.need(Combatant, who).label
    return Veto("refused.too_far", rule, (("left", farthest), ("cost", cost), ("who", label)))


def step_costs(lookup: Lookup, rules: RuleSystem, who: str, legs: Iterable[PricedLeg]) -> tuple[StepCost, ...]:
    """Return the costs of a route leg by leg, starting at the combatant's position."""
    hard, costs = is_on_difficult_ground(lookup, rules, who), list[StepCost]()
    for leg in legs:
        costs.append((leg.price.total, hard or leg.is_difficult))
        hard = leg.is_difficult
    return tuple(costs)


def is_on_difficult_ground(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant is on difficult terrain on the map."""
    body = lookup.need(Combatant, moving_body(lookup, who))
    if body.position is None:
        return False
    ground = squares.ground_cost_at(lookup, rules, body.id, body.position)
    return ground is not None and not is_easy_ground(lookup, rules, who, ground)


def _stride_feet(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> int:
    most = rules.allowance(lookup, rules, who, mode)
    return most.total if most is not None else 0


def remaining_movement(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> int | None:
    """Return the feet of movement that a combatant has left in a mode this turn, or None if it can't use the mode.

    If movement is bought, this includes everything that the combatant can pay for.
    """
    if rules.data.movement.bought:
        return affordable_feet(lookup, rules, who, mode)
    most = allowance(lookup, rules, who, mode)
    return None if most is None else max(0, most.total - track_value(lookup, movement_payer(lookup, who), MOVED))


UNARMED = "unarmed"


class OpportunityAttack(msgspec.Struct, frozen=True):
    """An available opportunity attack: the attacker, and each possible target with the attacks that reach it."""

    attacker: str
    targets: tuple[tuple[str, tuple[Feature, ...]], ...]


def melee_attacks(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Feature, ...]:
    """Return a combatant's current melee attacks, or an unarmed strike if it has none."""
    attacks = tuple(attack for attack in _listed_melee_attacks(lookup, who) if is_there(lookup, rules, who, attack))
    return attacks or (unarmed_strike(lookup, who),)


def _listed_melee_attacks(lookup: Lookup, who: str) -> Iterator[Feature]:
    for feature in creature_of(lookup, lookup.need(Combatant, who)).features:
        is_melee = is_attack(feature) and attack_kind(feature) == MELEE and not save_against(feature)
        is_weapon = "weapon" in feature.properties and effects_named(lookup, who, feature.name)  # as with Shillelagh
        if is_melee and (is_weapon or "spell" not in feature.properties):
            yield feature


def unarmed_strike(lookup: Lookup, who: str) -> Feature:
    """Return a combatant's unarmed strike."""
    reach = creature_of(lookup, lookup.need(Combatant, who)).reach
    return Feature(UNARMED, "<option.unarmed>", "action", damage="1 bludgeoning", properties=(UNARMED,), reach=reach)


def farthest_reach(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the reach in feet of a combatant's longest melee attack.

    Attacks that are currently unavailable count as well, because their availability may depend on the reach.
    """
    attacks = tuple(_listed_melee_attacks(lookup, who)) or (unarmed_strike(lookup, who),)
    return max(attack_reach(lookup, rules, who, means) for means in attacks)


def opportunity_attacks(
    lookup: Lookup, rules: RuleSystem, who: str, after: Lookup | None = None, dragged: str = "", mode: str = WALK
) -> tuple[OpportunityAttack, ...]:
    """Return the opportunity attacks that a step provokes from combatants that see the mover and can react.

    `after` holds the positions after the step. If it is None, they are unknown, and the step may leave any reach.
    A dragged combatant leaves a reach like its dragger does, unless dragging requires a grapple.
    """
    if not rules.data.movement.opportunity or avoids_opportunity_attacks(lookup, rules, who, mode):
        return ()
    pulled = (dragged,) if dragged and not rules.data.movement.drag_hold else ()
    together = (*reversed(moving_with(lookup, who)), *pulled)
    offers = []
    feet = geometry.longest_reach(lookup, rules)
    near = {combatant.id for body in together for combatant in geometry.possibly_within(lookup, rules, body, feet)}
    for foe in lookup.all(Combatant):
        if after is not None and foe.id not in near:
            continue
        blows = tuple((id, means) for id in together if (means := _attacks_on(lookup, rules, foe.id, id, after)))
        if blows and can_react(lookup, rules, foe.id, "opportunity"):
            offers.append(OpportunityAttack(foe.id, blows))
    return tuple(offers)


def avoids_opportunity_attacks(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> bool:
    """Return whether a combatant or its mount can leave a reach by this mode without provoking."""
    free, body = set(rules.data.movement.unprovoking), moving_with(lookup, who)[0]
    if any(free & condition_names(lookup, rules, id) for id in {who, body}):
        return True
    way = effective_mode(lookup, rules, who, mode)
    return any(True for _ in data_rules(lookup, rules, body, (way, "move"), kind="unprovoking"))


def can_react(lookup: Lookup, rules: RuleSystem, who: str, *tags: str) -> bool:
    """Return whether a combatant is up and has a reaction that it can use, for purposes in `tags`."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or cannot_act(lookup, who) or combatant.bystander:
        return False
    for resource in rules.data.resources:
        if resource.off_turn and track_value(lookup, who, resource.id) > 0:
            return not run_hooks(lookup, rules, Hook.ACTION_DECLARED, HookContext(who, resource.id, tags=tags)).vetoes
    return False


def _attacks_on(lookup: Lookup, rules: RuleSystem, foe: str, mover: str, after: Lookup | None) -> tuple[Feature, ...]:
    """Return an enemy's attacks against a combatant that it sees leaving its reach.

    Empty if the combatant doesn't leave it.
    """
    victim = lookup.get(Combatant, mover)
    if victim is None or victim.dead or not geometry.are_hostile(lookup, foe, mover):
        return ()
    here = None
    if after is not None:
        here, there = geometry.distance(lookup, rules, foe, mover), geometry.distance(after, rules, foe, mover)
        if here is None or there is None or there <= farthest_reach(lookup, rules, foe):
            return ()
    means = melee_attacks(lookup, rules, foe)
    if here is not None:
        means = tuple(attack for attack in means if here <= attack_reach(lookup, rules, foe, attack))
    seen = means and sight.sees(lookup, rules, foe, mover) is not False
    return means if seen and not sight.is_unnoticed(lookup, rules, mover, foe) else ()
