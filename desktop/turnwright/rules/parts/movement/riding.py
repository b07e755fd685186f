"""Mounts and riders: shared movement, control and commands, and falling prone."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.battlemap.spaces import footprint
from turnwright.encounter.lookups import effects_named
from turnwright.encounter.prepared import OBJECT
from turnwright.encounter.procedure_state.movement import STAY_SEATED, THROWN_RIDER, ForcedDismount
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NO_RESULT, HookContext, HookResult, StartProcedure, Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.combatants.facts import is_follower
from turnwright.rules.parts.conditions.condition_rules import unmet_requirements
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.system import RuleSystem, creature_of, label_of

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


def moving_with(lookup: Lookup, who: str) -> tuple[str, ...]:
    """Return the ids of the combatants that move together with one: the moving body first, then its riders."""
    body = moving_body(lookup, who)
    return (body, *(rider.id for rider in riders_of(lookup, body)))


def carried_by(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Combatant, ...]:
    """Return the combatants that move along when this one is repositioned: its riders, and everyone in a vehicle."""
    carried: dict[str, Combatant] = {}
    carriers = [who]
    for carrier in carriers:  # this includes the riders of riders, and crates in the same boat
        for combatant in (*riders_of(lookup, carrier), *_aboard(lookup, rules, carrier)):
            if combatant.id != who and combatant.id not in carried:
                carried[combatant.id] = combatant
                carriers.append(combatant.id)
    return tuple(carried.values())


def _aboard(lookup: Lookup, rules: RuleSystem, vehicle: str) -> Iterator[Combatant]:
    """Yield the combatants inside an object: smaller than it, fully within its space, and not above its top."""
    field, box = current_map(lookup), positions.space(lookup, rules, vehicle)
    if field is None or box is None or creature_of(lookup, lookup.need(Combatant, vehicle)).type != OBJECT:
        return
    inside, size = set(footprint(box, field.cell)), positions.size_index(lookup, rules, vehicle)
    for other in lookup.all(Combatant):
        there = positions.space(lookup, rules, other.id)
        if there is None or not box.elevation <= there.elevation <= box.top:
            continue
        smaller = positions.size_index(lookup, rules, other.id) < size
        if smaller and inside.issuperset(footprint(there, field.cell)):
            yield other


def mounting_vetoes(lookup: Lookup, rules: RuleSystem, rider: str, mount: str) -> tuple[Veto, ...]:
    """Return the vetoes on mounting another combatant."""
    if rules.data.movement.mount_asks == "willing" and positions.are_hostile(lookup, rider, mount):
        return (Veto("refused.mount_unwilling", rules.rule_id("mount.willing"), (("what", label_of(lookup, mount)),)),)
    steps = rules.data.movement.mount_sizes
    if positions.size_index(lookup, rules, mount) - positions.size_index(lookup, rules, rider) < steps:
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
    return any(effect.by in riders for effect in effects_named(lookup, mount, rules.role("led-mount")))


def control_conditions(rules: RuleSystem) -> tuple[str, str]:
    """Return the conditions for how a mount is ridden: controlled, or independent."""
    return rules.role("led-mount"), rules.role("independent-mount")


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
    prepared = any(rider.controlled for rider in riders) and rules.role("led-mount") in modes
    return prepared or (bool(riders) and is_controlled_mount(lookup, rules, who))


def _takes_turns(lookup: Lookup, rider: Combatant) -> bool:
    """Return whether a rider has a place in the turn order to share, or will have one."""
    return not (rider.dead or rider.bystander or is_follower(lookup, rider.id))


def reins_vetoes(lookup: Lookup, rules: RuleSystem, who: str, action: str, *, cost: str = "") -> tuple[Veto, ...]:
    """Return the veto on an action that a controlled mount isn't allowed to take. It may take any reaction."""
    allowed = rules.data.movement.mount_actions
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
    unseated = tuple(
        StartProcedure(THROWN_RIDER, ForcedDismount(rider.id, rules.rule_id("mount.mount-prone")))
        for rider in riders_of(lookup, context.who)
    )
    if mount_of(lookup, context.who) is None:
        return HookResult(procedures=unseated) if unseated else NO_RESULT
    own = StartProcedure(STAY_SEATED, ForcedDismount(context.who, rules.rule_id("mount.rider-prone")))
    return HookResult(procedures=(own, *unseated))
