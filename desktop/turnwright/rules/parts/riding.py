"""Mounts and riders: who carries whom, whose legs move, and what being knocked down does to either."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NOTHING, Contribution, Follow, Moment, Veto
from turnwright.rules.parts import positions
from turnwright.rules.system import RuleSystem

PRONE = "prone"
JUST_MOUNTED, ORDERED = "just-mounted", "mount-commanded"


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
    steps = rules.catalogue.movement.mount_sizes
    if positions.size_index(lookup, rules, mount) - positions.size_index(lookup, rules, rider) < steps:
        return (Veto("refused.mount_size", rules.cite("mount.size"), (("what", _label(lookup, mount)),)),)
    return ()


def once_vetoes(lookup: Lookup, rules: RuleSystem, rider: str) -> tuple[Veto, ...]:
    """Return why somebody may not mount or dismount again on this turn."""
    from turnwright.rules.parts.statements import effects_on

    if any(effect.name == JUST_MOUNTED for effect in effects_on(lookup, rider)):
        return (Veto("refused.mounted_once", rules.cite("mount.once"), (("who", _label(lookup, rider)),)),)
    return ()


def order_vetoes(lookup: Lookup, rules: RuleSystem, mount: str, order: str) -> tuple[Veto, ...]:
    """Return why a mount that obeys can't take an order that costs nothing: another one before, or the state it is in."""
    from turnwright.rules.parts.actions import unmet
    from turnwright.rules.parts.statements import effects_on

    if order not in rules.catalogue.movement.free_orders:
        return ()
    if any(effect.name == ORDERED for effect in effects_on(lookup, mount)):
        return (Veto("refused.mount_commanded", rules.cite("mount.paid-orders"), (("what", _label(lookup, mount)),)),)
    return unmet(lookup, rules, mount, rules.actions[order])


def knocked_down(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At EFFECT_GAINED: a rider who is knocked prone may keep its seat; the riders of a mount who is may land well."""
    if moment.what != PRONE:
        return NOTHING
    combatant = lookup.get(Combatant, moment.who)
    if combatant is None or combatant.dead:
        return NOTHING
    unseated = tuple(
        Follow("unhorsed", one.id, rules.cite("mount.mount-prone")) for one in riders_of(lookup, moment.who)
    )
    own = (Follow("seat", moment.who, rules.cite("mount.rider-prone")),) if combatant.rides else ()
    return Contribution(follows=(*own, *unseated)) if own or unseated else NOTHING


def _label(lookup: Lookup, who: str) -> str:
    combatant = lookup.get(Combatant, who)
    return combatant.label if combatant else who
