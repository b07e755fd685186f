"""Mounts and riders: who carries whom, whose legs move, and what being knocked down does to either."""

from __future__ import annotations

from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NOTHING, Contribution, Follow, Moment, Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.control import is_follower
from turnwright.rules.parts.predicates import unmet
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem, creature_of, label_of

PRONE = "prone"
LED, INDEPENDENT = "led-mount", "independent-mount"  # on a mount, by its rider
REINS = (LED, INDEPENDENT)
JUST_MOUNTED, ORDERED, HURRIED = "just-mounted", "mount-commanded", "mount-hurried"


def mount_of(lookup: Lookup, who: str) -> Combatant | None:
    """Return what somebody rides, None where that is nothing."""
    combatant = lookup.get(Combatant, who)
    return lookup.get(Combatant, combatant.rides) if combatant is not None and combatant.rides else None


def riders_of(lookup: Lookup, mount: str) -> tuple[Combatant, ...]:
    """Return who sits on somebody."""
    return tuple(one for one in lookup.all(Combatant) if one.rides == mount and mount)


def is_carried_by(lookup: Lookup, who: str, other: str) -> bool:
    """Return whether somebody sits on another, or on what sits on them, and so on down."""
    seen, mount = {who}, mount_of(lookup, who)
    while mount is not None and mount.id not in seen:
        if mount.id == other:
            return True
        seen.add(mount.id)
        mount = mount_of(lookup, mount.id)
    return False


def obeys(lookup: Lookup, who: str) -> bool:
    """Return whether somebody rides a mount that obeys them."""
    combatant = lookup.get(Combatant, who)
    mount = mount_of(lookup, who)
    return combatant is not None and combatant.controlled and mount is not None and not mount.dead


def body_of(lookup: Lookup, who: str) -> str:
    """Return whose legs carry somebody: those of a mount that obeys, else their own."""
    mount = mount_of(lookup, who)
    return mount.id if mount is not None and obeys(lookup, who) else who


def payer_of(lookup: Lookup, who: str) -> str:
    """Return whose movement is spent when somebody moves: a mount that obeys shares its rider's."""
    return next((one.id for one in riders_of(lookup, who) if obeys(lookup, one.id)), who)


def carried_by(lookup: Lookup, who: str) -> tuple[str, ...]:
    """Return who changes place when somebody moves: the body that walks first, then all who sit on it."""
    body = body_of(lookup, who)
    return (body, *(one.id for one in riders_of(lookup, body)))


def mounting_vetoes(lookup: Lookup, rules: RuleSystem, rider: str, mount: str) -> tuple[Veto, ...]:
    """Return why somebody may not mount another."""
    if rules.catalogue.movement.mount_asks == "willing" and positions.hostile(lookup, rider, mount):
        return (Veto("refused.mount_unwilling", rules.cite("mount.willing"), (("what", label_of(lookup, mount)),)),)
    steps = rules.catalogue.movement.mount_sizes
    if positions.size_index(lookup, rules, mount) - positions.size_index(lookup, rules, rider) < steps:
        return (Veto("refused.mount_size", rules.cite("mount.size"), (("what", label_of(lookup, mount)),)),)
    return ()


def once_vetoes(lookup: Lookup, rules: RuleSystem, rider: str) -> tuple[Veto, ...]:
    """Return why somebody may not mount or dismount again on this turn."""
    if any(effect.name == JUST_MOUNTED for effect in effects_on(lookup, rider)):
        return (Veto("refused.mounted_once", rules.cite("mount.once"), (("who", label_of(lookup, rider)),)),)
    return ()


def is_led(lookup: Lookup, mount: str) -> bool:
    """Return whether somebody carries a rider who controls it on turns of its own."""
    riders = {one.id for one in riders_of(lookup, mount)}
    return any(one.name == LED and one.target == mount and one.by in riders for one in lookup.all(Effect))


def ways_to_lead(lookup: Lookup, rules: RuleSystem, mount: str) -> tuple[tuple[str, ...], str]:
    """Return in which ways a mount may be ridden that has turns of its own, and the rule that says so."""
    creature = creature_of(lookup, lookup.need(Combatant, mount))
    words = {*creature.tags, *creature.gear, creature.type}
    if words & {*rules.catalogue.movement.mount_independent}:
        return (INDEPENDENT,), rules.cite("mount.intelligent")
    if words & {*rules.catalogue.movement.mount_untrained}:
        return (INDEPENDENT,), rules.cite("mount.training")
    return (LED, INDEPENDENT), rules.cite("mount.control")


def will_be_led(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether somebody needs no roll for initiative: they take their rider's."""
    if not rules.catalogue.movement.mount_actions:
        return False
    riders = [one for one in riders_of(lookup, who) if _takes_turns(lookup, one)]
    prepared = any(one.controlled for one in riders) and LED in ways_to_lead(lookup, rules, who)[0]
    return prepared or (bool(riders) and is_led(lookup, who))


def _takes_turns(lookup: Lookup, rider: Combatant) -> bool:
    """Return whether a rider has a place in the order to lend, or will have one."""
    return not (rider.dead or rider.bystander or is_follower(lookup, rider.id))


def led_vetoes(lookup: Lookup, rules: RuleSystem, who: str, action: str, *, cost: str = "") -> tuple[Veto, ...]:
    """Return why somebody who is led by a rider can't do a thing: those do little, though they may react."""
    listed = rules.catalogue.movement.mount_actions
    if not listed or action in listed or cost == "reaction" or not is_led(lookup, who):
        return ()
    return (Veto("refused.led_mount", rules.cite("mount.orders"), (("who", label_of(lookup, who)),)),)


def seated_vetoes(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Veto, ...]:
    """Return why a rider doesn't walk: its mount does, on turns of its own."""
    mount = mount_of(lookup, who) if rules.catalogue.movement.mount_actions else None
    if mount is None or body_of(lookup, who) == mount.id:
        return ()
    params = (("who", label_of(lookup, who)), ("what", mount.label))
    return (Veto("refused.in_the_saddle", rules.cite("mount.control"), params),)


def order_vetoes(lookup: Lookup, rules: RuleSystem, mount: str, order: str) -> tuple[Veto, ...]:
    """Return why a mount that obeys can't take an order: one of the other sort before, or the state that it is in."""
    free = order in rules.catalogue.movement.free_orders
    before, reason = (ORDERED, "refused.mount_commanded") if free else (HURRIED, "refused.mount_hurried")
    if any(effect.name == before for effect in effects_on(lookup, mount)):
        return (Veto(reason, rules.cite("mount.paid-orders"), (("what", label_of(lookup, mount)),)),)
    return unmet(lookup, rules, mount, rules.actions[order]) if free else ()


def knocked_down(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At EFFECT_GAINED: a rider who is knocked prone may keep its seat; the riders of a mount who is may land well."""
    if moment.what != PRONE:
        return NOTHING
    unseated = tuple(
        Follow("unhorsed", one.id, rules.cite("mount.mount-prone")) for one in riders_of(lookup, moment.who)
    )
    rides = mount_of(lookup, moment.who) is not None
    own = (Follow("seat", moment.who, rules.cite("mount.rider-prone")),) if rides else ()
    return Contribution(follows=(*own, *unseated)) if own or unseated else NOTHING
