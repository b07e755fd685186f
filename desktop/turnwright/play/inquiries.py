"""Questions a window or a verb asks of a running fight: who is next, what is left, what waits, and why. Read-only."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from turnwright.encounter.pending import Ask, Procedure, Prompt, RoundStart
from turnwright.encounter.prepared import Entry, Environment
from turnwright.encounter.running import Clock, Combatant, Effect, EntryState, Pool, Slot, Track
from turnwright.encounter.state import Lookup
from turnwright.play.harm import track_id
from turnwright.play.procedures.loop import open_asks
from turnwright.play.procedures.order import turn_order
from turnwright.play.resources import MOVED
from turnwright.rules.catalogue import ActionOption, Resource
from turnwright.rules.figures import Figure
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.parts.surroundings import state_of
from turnwright.rules.system import RuleSystem


class ResourceLeft(msgspec.Struct, frozen=True):
    """What is left of a resource, of how many; `denied` names the word key of what forbids it now, or is empty."""

    resource: Resource
    left: int
    maximum: int
    denied: str = ""
    rule: str = ""


class ActionOffer(msgspec.Struct, frozen=True):
    """An action and, where it can't be done now, the word key why not and the rule."""

    action: ActionOption
    refused: str = ""
    rule: str = ""


class MovementLeft(msgspec.Struct, frozen=True):
    """Feet left by a mode of movement, of an allowance that can be asked why."""

    mode: str
    left: int
    allowance: Figure


class PlanNote(msgspec.Struct, frozen=True):
    """What somebody noted for the turn, and the labels of those it names who are down by now. It binds nobody."""

    text: str
    down: tuple[str, ...] = ()
    rule: str = ""


class WorldRow(msgspec.Struct, frozen=True):
    """A world action with its state; `offered`: this round's offer is still to come."""

    environment: Environment
    entry: Entry
    state: EntryState
    offered: bool


def clock(lookup: Lookup) -> Clock:
    """Return the clock, standing before the start where nothing runs."""
    return lookup.get(Clock, "clock") or Clock()


def active_slot(lookup: Lookup) -> Slot | None:
    """Return the slot whose turn it is."""
    now = clock(lookup)
    return lookup.get(Slot, now.active) if now.active else None


def active_combatants(lookup: Lookup) -> tuple[Combatant, ...]:
    """Return who acts now."""
    slot = active_slot(lookup)
    found = (lookup.get(Combatant, who) for who in (slot.members if slot else ()))
    return tuple(combatant for combatant in found if combatant is not None)


def next_up(lookup: Lookup, rules: RuleSystem) -> Slot | None:
    """Return the slot after the active one, the first where the round is about to end."""
    order = turn_order(lookup, rules)
    present = [slot for slot in order if any(_alive(lookup, who) for who in slot.members)]
    if not present:
        return None
    active = clock(lookup).active
    after = order[[slot.id for slot in order].index(active) + 1 :] if any(s.id == active for s in order) else order
    return next((slot for slot in after if slot in present), present[0])


def _alive(lookup: Lookup, who: str) -> bool:
    combatant = lookup.get(Combatant, who)
    return combatant is not None and not combatant.dead


def resources_of(lookup: Lookup, rules: RuleSystem, who: str) -> list[ResourceLeft]:
    """Return the counted resources of somebody, in the system's order."""
    found = []
    for resource in rules.catalogue.resources:
        if resource.amount:
            track = lookup.get(Track, track_id(who, resource.id))
            vetoes = contributions(lookup, rules, Hook.ACTION_DECLARED, Moment(who, resource.id)).vetoes
            reason, rule = (vetoes[0].reason, vetoes[0].rule) if vetoes else ("", "")
            left, most = (track.value, track.maximum) if track else (0, resource.amount)
            found.append(ResourceLeft(resource, left, most, reason, rule))
    return found


def can_react(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether somebody who is not active has something left to react with."""
    return any(one.resource.off_turn and one.left and not one.denied for one in resources_of(lookup, rules, who))


def movement_of(lookup: Lookup, rules: RuleSystem, who: str) -> list[MovementLeft]:
    """Return the feet left by each mode that somebody has a speed for."""
    spent = lookup.get(Track, track_id(who, MOVED))
    found = []
    for speed in rules.catalogue.speeds:
        allowance = rules.movement.allowance(lookup, rules, who, speed.id)
        if allowance is not None:
            found.append(MovementLeft(speed.id, max(0, allowance.total - (spent.value if spent else 0)), allowance))
    return found


def speed(lookup: Lookup, rules: RuleSystem, who: str, mode: str = "walk") -> Figure | None:
    """Return somebody's speed by a mode with its reasons, None where they have none."""
    return rules.movement.allowance(lookup, rules, who, mode)


def armor_class(lookup: Lookup, rules: RuleSystem, who: str) -> Figure:
    """Return somebody's AC with its reasons."""
    return rules.armor_class(lookup, rules, who)


def actions_for(lookup: Lookup, rules: RuleSystem, who: str) -> list[ActionOffer]:
    """Return the system's actions for somebody, each with why it can't be done now, if it can't."""
    left = {one.resource.id: one for one in resources_of(lookup, rules, who)}
    active = {combatant.id for combatant in active_combatants(lookup)}
    offers = []
    for action in rules.catalogue.actions:
        have = left.get(action.cost)
        resource = rules.resources.get(action.cost)
        refused, rule = "", ""
        if who not in active and not (resource and resource.off_turn):
            refused, rule = "refused.not_your_turn", rules.cite("round.on-turn")
        elif have is not None and have.denied:
            refused, rule = have.denied, have.rule
        elif have is not None and not have.left:
            refused, rule = "refused.none_left", have.resource.ledger[0] if have.resource.ledger else ""
        offers.append(ActionOffer(action, refused, rule))
    return offers


def plan_of(lookup: Lookup, rules: RuleSystem, who: str) -> PlanNote | None:
    """Return somebody's plan as it looks now, None where there is none."""
    text = lookup.need(Combatant, who).plan
    if not text:
        return None
    said = text.casefold()
    down = tuple(one.label for one in lookup.all(Combatant) if one.hp == 0 and one.label.casefold() in said)
    return PlanNote(text, down, rules.cite("offturn.attention"))


def effects_of(lookup: Lookup, who: str) -> list[Effect]:
    """Return the effects on somebody that show."""
    return [effect for effect in lookup.all(Effect) if effect.target == who and effect.shown]


def open_prompts(lookup: Lookup) -> list[Prompt]:
    """Return the prompts that wait, the most urgent (newest) first."""
    return [prompt for prompt in reversed(list(lookup.all(Prompt))) if open_asks(prompt)]


def waiting_asks(prompt: Prompt) -> Sequence[Ask]:
    """Return what a prompt still asks."""
    return open_asks(prompt)


def world_rows(lookup: Lookup) -> list[WorldRow]:
    """Return every world action that is switched on, with its state."""
    pending = {offer for procedure in lookup.all(Procedure) for offer in _offers(procedure)}
    return [
        WorldRow(environment, row, state_of(lookup, environment.id, row.id), (environment.id, row.id) in pending)
        for environment in lookup.all(Environment)
        for row in environment.actions
        if row.enabled
    ]


def _offers(procedure: Procedure) -> tuple[tuple[str, str], ...]:
    return procedure.data.offers if isinstance(procedure.data, RoundStart) else ()


def running_pools(lookup: Lookup) -> list[Pool]:
    """Return the pools that are on the table, those over left out."""
    return [pool for pool in lookup.all(Pool) if pool.status in ("waiting", "running")]


def sides_standing(lookup: Lookup) -> set[str]:
    """Return the sides that have anybody above 0 hit points."""
    return {one.side for one in lookup.all(Combatant) if one.hp > 0 and not one.dead}


def can_offer_end(lookup: Lookup) -> bool:
    """Return whether only one side stands, so that ending may be offered. It never ends by itself."""
    sides = {one.side for one in lookup.all(Combatant)}
    return clock(lookup).phase == "rounds" and len(sides) > 1 and len(sides_standing(lookup)) <= 1


def hit_point_state(combatant: Combatant) -> str:
    """Return `dead`, `down`, `bloodied` (half or less) or `up`: words beside the bar, with no rule behind them."""
    if combatant.dead:
        return "dead"
    if combatant.hp == 0:
        return "down"
    return "bloodied" if combatant.hp * 2 <= combatant.hp_max else "up"
