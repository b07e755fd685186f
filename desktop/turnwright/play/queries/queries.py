"""Read-only queries about a running fight: the next turn, remaining resources, pending prompts, and the reasons."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from turnwright.encounter.lookups import active_slot, clock_of
from turnwright.encounter.prepared import Environment, EnvironmentEntry, Feature
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Prompt
from turnwright.encounter.procedure_state.turns import RoundStart, WorldTurn
from turnwright.encounter.running import Combatant, CountdownPool, Effect, EntryState, Slot, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import open_asks
from turnwright.play.state.limited_uses import use_vetoes
from turnwright.play.turn_order.initiative import has_member_present, remaining_this_round, slots_in_order
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.hooks import Hook, HookContext, Veto, run_hooks
from turnwright.rules.parts.actions.action_options import action_option, action_vetoes, stat_block_options
from turnwright.rules.parts.combatants.phases import DISABLE, is_working_device
from turnwright.rules.parts.economy.resources import is_finite, is_on_turn, maximum
from turnwright.rules.parts.environment.entries import entry_state
from turnwright.rules.parts.movement.move_legs import remaining_movement
from turnwright.rules.parts.movement.riding import reins_vetoes
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import ActionOption, Resource


class ResourceLeft(msgspec.Struct, frozen=True):
    """The remaining amount and the maximum of a resource; `denied` is the reason that forbids its use now."""

    resource: Resource
    left: int
    maximum: int
    denied: Veto | None = None


class ActionOffer(msgspec.Struct, frozen=True):
    """An action. If it isn't possible now, also the reason (a word key with parameters) and the rule.

    `feature` is the stat block's feature behind the action, or None for an action of the system.
    """

    action: ActionOption
    refused: str = ""
    rule: str = ""
    params: tuple[tuple[str, str | int], ...] = ()
    feature: Feature | None = None


class MovementLeft(msgspec.Struct, frozen=True):
    """The feet left in a mode of movement, and the allowance with its reasons."""

    mode: str
    left: int
    allowance: ExplainedNumber


class WorldActionState(msgspec.Struct, frozen=True):
    """A world action and its state. `offered`: it is still to be offered this round."""

    environment: Environment
    entry: EnvironmentEntry
    state: EntryState
    offered: bool


def active_combatants(lookup: Lookup) -> tuple[Combatant, ...]:
    """Return the combatants whose turn it is."""
    slot = active_slot(lookup)
    members = (lookup.get(Combatant, who) for who in (slot.members if slot else ()))
    return tuple(combatant for combatant in members if combatant is not None)


def next_up(lookup: Lookup, rules: RuleSystem) -> Slot | None:
    """Return the next slot that hasn't had its turn this round, or the first slot if the round is about to end."""
    following = (*remaining_this_round(lookup), *slots_in_order(lookup))
    return next((slot for slot in following if has_member_present(lookup, slot)), None)


def resources_of(lookup: Lookup, rules: RuleSystem, who: str) -> list[ResourceLeft]:
    """Return a combatant's counted resources, in the system's order."""
    counted = []
    for resource in rules.data.resources:
        if is_finite(resource) and (resource.amount or maximum(lookup, who, resource)):
            track = lookup.get(Track, track_id(who, resource.id))
            vetoes = run_hooks(lookup, rules, Hook.ACTION_DECLARED, HookContext(who, resource.id)).vetoes
            remaining, full = (track.value, track.maximum) if track else (0, resource.amount)
            counted.append(ResourceLeft(resource, remaining, full, vetoes[0] if vetoes else None))
    return counted


def can_react(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant has an off-turn resource left that isn't denied."""
    return any(have.resource.off_turn and have.left and not have.denied for have in resources_of(lookup, rules, who))


def movement_of(lookup: Lookup, rules: RuleSystem, who: str) -> list[MovementLeft]:
    """Return the feet left in each mode of movement for which a combatant has a speed."""
    modes = []
    for speed in rules.data.speeds:
        allowance = rules.allowance(lookup, rules, who, speed.id)
        if allowance is not None:
            modes.append(MovementLeft(speed.id, remaining_movement(lookup, rules, who, speed.id) or 0, allowance))
    return modes


def speed(lookup: Lookup, rules: RuleSystem, who: str, mode: str = "walk") -> ExplainedNumber | None:
    """Return a combatant's speed in a mode of movement, with its reasons, or None if it has none."""
    return rules.allowance(lookup, rules, who, mode)


def actions_for(lookup: Lookup, rules: RuleSystem, who: str) -> list[ActionOffer]:
    """Return a combatant's actions from the system, then from the stat block. Impossible actions include a reason."""
    offers = [
        _offer(option, action_vetoes(lookup, rules, who, option))
        for option in (action_option(lookup, rules, who, action.id) for action in rules.data.actions)
        if not reins_vetoes(lookup, rules, who, option.id) and _has_a_use(lookup, rules, option)
    ]
    for option, feature in stat_block_options(lookup, rules, who):
        if reins_vetoes(lookup, rules, who, option.id, cost=option.cost):
            continue
        vetoes = (*action_vetoes(lookup, rules, who, option), *use_vetoes(lookup, rules, who, feature))
        offers.append(_offer(option, vetoes, feature))
    return offers


def _has_a_use(lookup: Lookup, rules: RuleSystem, option: ActionOption) -> bool:
    """Return whether an action has something to act on: Disable Device needs a working device, others need nothing."""
    working = (is_working_device(lookup, rules, combatant.id) for combatant in lookup.all(Combatant))
    return option.done != DISABLE or any(working)


def _offer(option: ActionOption, vetoes: Sequence[Veto], feature: Feature | None = None) -> ActionOffer:
    if not vetoes:
        return ActionOffer(option, feature=feature)
    return ActionOffer(option, vetoes[0].reason, vetoes[0].rule, vetoes[0].params, feature)


def fallen_in_plan(lookup: Lookup, who: str) -> tuple[str, ...]:
    """Return the labels of combatants at 0 hit points that are named in a combatant's (non-binding) plan."""
    plan = lookup.need(Combatant, who).plan.casefold()
    fallen = (combatant.label for combatant in lookup.all(Combatant) if combatant.hp <= 0)
    return tuple(label for label in fallen if label.casefold() in plan)


def effects_of(lookup: Lookup, who: str) -> list[Effect]:
    """Return the visible effects on a combatant."""
    return [effect for effect in lookup.of(Effect, who) if effect.shown]


def rounds_left(lookup: Lookup, effect: Effect) -> int:
    """Return the rounds left for an effect, as counted or until its final turn. Return 0 if they aren't counted."""
    ends = effect.ends
    if effect.rounds_left or not (ends.moment == "turn-end" or (ends.moment == "turn-start" and ends.skip)):
        return effect.rounds_left
    return ends.skip + int(not is_on_turn(lookup, ends.who))


def ends_this_turn(lookup: Lookup, effect: Effect) -> bool:
    """Return whether an effect ends with the current turn: this is its last round, or its duration says so."""
    last = (effect.rounds_left, effect.counted_on) == (1, "affected") and is_on_turn(lookup, effect.target)
    ends = effect.ends
    return last or ((ends.moment, ends.skip) == ("turn-end", 0) and is_on_turn(lookup, ends.who))


def open_prompts(lookup: Lookup) -> list[Prompt]:
    """Return the open prompts, most urgent (newest) first."""
    return [prompt for prompt in reversed(list(lookup.all(Prompt))) if open_asks(prompt)]


def waiting_asks(prompt: Prompt) -> Sequence[Ask]:
    """Return the unanswered asks of a prompt."""
    return open_asks(prompt)


def world_action_states(lookup: Lookup) -> list[WorldActionState]:
    """Return every enabled world action, with its state."""
    pending = {offer for procedure in lookup.all(Procedure) for offer in _offers(procedure)}
    return [
        WorldActionState(place, row, entry_state(lookup, place.id, row.id), (place.id, row.id) in pending)
        for place in lookup.all(Environment)
        for row in place.actions
        if row.enabled
    ]


def _offers(procedure: Procedure) -> tuple[tuple[str, str], ...]:
    return procedure.data.offers if isinstance(procedure.data, RoundStart | WorldTurn) else ()


def running_pools(lookup: Lookup) -> list[CountdownPool]:
    """Return the countdown pools that are waiting or running."""
    return [pool for pool in lookup.all(CountdownPool) if pool.status in ("waiting", "running")]


def sides_standing(lookup: Lookup) -> set[str]:
    """Return the sides that have a combatant above 0 hit points."""
    return {combatant.side for combatant in lookup.all(Combatant) if combatant.hp > 0 and not combatant.dead}


def can_offer_end_encounter(lookup: Lookup) -> bool:
    """Return whether only one side is left standing, which allows an offer to end the encounter."""
    sides = {combatant.side for combatant in lookup.all(Combatant)}
    return clock_of(lookup).phase == "rounds" and len(sides) > 1 and len(sides_standing(lookup)) <= 1


def reminder_of(rules: RuleSystem, effect: Effect) -> str:
    """Return the reminder of an effect: the note entered for it, or else the text of its condition."""
    condition = rules.conditions.get(effect.name)
    return effect.note or (condition.text if condition else "")


def hit_point_state(combatant: Combatant) -> str:
    """Return `dead`, `down`, `bloodied` (half or less) or `up`: a label for the hit point bar that no rule uses."""
    if combatant.dead:
        return "dead"
    if combatant.hp_max <= 0:  # an object without hit points can't be damaged
        return "up"
    if combatant.hp <= 0:
        return "down"
    return "bloodied" if combatant.hp * 2 <= combatant.hp_max else "up"
