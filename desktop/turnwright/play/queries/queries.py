"""Read-only queries about a running fight: who is next, what is left, which prompts wait, and why."""

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
from turnwright.rules.parts.combatants.disable_device import DISABLE, is_working_device
from turnwright.rules.parts.economy.resources import is_finite, is_on_turn, maximum
from turnwright.rules.parts.environment.entries import entry_state
from turnwright.rules.parts.movement.remaining import remaining_movement
from turnwright.rules.parts.movement.riding import reins_vetoes
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import ActionOption, Resource


class ResourceLeft(msgspec.Struct, frozen=True):
    """The rest and maximum of a resource; `denied` says why it can't be used now."""

    resource: Resource
    left: int
    maximum: int
    denied: Veto | None = None


class ActionOffer(msgspec.Struct, frozen=True):
    """An action and, where it can't be done now, the word key of the reason with its parameters, and the rule.

    `feature` is the stat block's feature that the action stands for, None for an action of the system.
    """

    action: ActionOption
    refused: str = ""
    rule: str = ""
    params: tuple[tuple[str, str | int], ...] = ()
    feature: Feature | None = None


class MovementLeft(msgspec.Struct, frozen=True):
    """Feet left by a mode of movement, and the allowance with its reasons."""

    mode: str
    left: int
    allowance: ExplainedNumber


class WorldActionState(msgspec.Struct, frozen=True):
    """A world action with its state; `offered`: it is still to be offered this round."""

    environment: Environment
    entry: EnvironmentEntry
    state: EntryState
    offered: bool


def active_combatants(lookup: Lookup) -> tuple[Combatant, ...]:
    """Return the combatants whose turn it is."""
    slot = active_slot(lookup)
    found = (lookup.get(Combatant, who) for who in (slot.members if slot else ()))
    return tuple(combatant for combatant in found if combatant is not None)


def next_up(lookup: Lookup, rules: RuleSystem) -> Slot | None:
    """Return the next slot that has had no turn in this round, the first where the round is about to end."""
    following = (*remaining_this_round(lookup), *slots_in_order(lookup))
    return next((slot for slot in following if has_member_present(lookup, slot)), None)


def resources_of(lookup: Lookup, rules: RuleSystem, who: str) -> list[ResourceLeft]:
    """Return a combatant's counted resources, in the system's order."""
    found = []
    for resource in rules.data.resources:
        if is_finite(resource) and (resource.amount or maximum(lookup, who, resource)):
            track = lookup.get(Track, track_id(who, resource.id))
            vetoes = run_hooks(lookup, rules, Hook.ACTION_DECLARED, HookContext(who, resource.id)).vetoes
            left, full = (track.value, track.maximum) if track else (0, resource.amount)
            found.append(ResourceLeft(resource, left, full, vetoes[0] if vetoes else None))
    return found


def can_react(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant has an off-turn resource left that isn't denied."""
    return any(one.resource.off_turn and one.left and not one.denied for one in resources_of(lookup, rules, who))


def movement_of(lookup: Lookup, rules: RuleSystem, who: str) -> list[MovementLeft]:
    """Return the feet left by each mode of movement that a combatant has a speed for."""
    found = []
    for speed in rules.data.speeds:
        allowance = rules.allowance(lookup, rules, who, speed.id)
        if allowance is not None:
            found.append(MovementLeft(speed.id, remaining_movement(lookup, rules, who, speed.id) or 0, allowance))
    return found


def speed(lookup: Lookup, rules: RuleSystem, who: str, mode: str = "walk") -> ExplainedNumber | None:
    """Return a combatant's speed by a mode with its reasons, None where they have none."""
    return rules.allowance(lookup, rules, who, mode)


def actions_for(lookup: Lookup, rules: RuleSystem, who: str) -> list[ActionOffer]:
    """Return the system's actions for a combatant, then those of the stat block, each with why it can't be done now."""
    offers = [
        _offer(option, action_vetoes(lookup, rules, who, option))
        for option in (action_option(lookup, rules, who, one.id) for one in rules.data.actions)
        if not reins_vetoes(lookup, rules, who, option.id) and _has_a_use(lookup, rules, option)
    ]
    for option, feature in stat_block_options(lookup, rules, who):
        if reins_vetoes(lookup, rules, who, option.id, cost=option.cost):
            continue
        vetoes = (*action_vetoes(lookup, rules, who, option), *use_vetoes(lookup, rules, who, feature))
        offers.append(_offer(option, vetoes, feature))
    return offers


def _has_a_use(lookup: Lookup, rules: RuleSystem, option: ActionOption) -> bool:
    """Return whether an action has something to act on: Disable Device needs a working device, others nothing."""
    return option.done != DISABLE or any(is_working_device(lookup, rules, one.id) for one in lookup.all(Combatant))


def _offer(option: ActionOption, vetoes: Sequence[Veto], feature: Feature | None = None) -> ActionOffer:
    if not vetoes:
        return ActionOffer(option, feature=feature)
    return ActionOffer(option, vetoes[0].reason, vetoes[0].rule, vetoes[0].params, feature)


def fallen_in_plan(lookup: Lookup, who: str) -> tuple[str, ...]:
    """Return the labels of combatants at 0 hit points that a combatant's plan names. A plan isn't binding."""
    plan = lookup.need(Combatant, who).plan.casefold()
    return tuple(one.label for one in lookup.all(Combatant) if one.hp <= 0 and one.label.casefold() in plan)


def effects_of(lookup: Lookup, who: str) -> list[Effect]:
    """Return the shown effects on a combatant."""
    return [effect for effect in lookup.of(Effect, who) if effect.shown]


def rounds_left(lookup: Lookup, effect: Effect) -> int:
    """Return for how many rounds an effect lasts, by its count or by the turns that pass before it ends; 0 for no count."""
    ends = effect.ends
    if effect.rounds_left or not (ends.moment == "turn-end" or (ends.moment == "turn-start" and ends.skip)):
        return effect.rounds_left
    return ends.skip + int(not is_on_turn(lookup, ends.who))


def ends_this_turn(lookup: Lookup, effect: Effect) -> bool:
    """Return whether an effect ends with the turn under way: at its last round, or because it lasts until then."""
    last = (effect.rounds_left, effect.counted_on) == (1, "affected") and is_on_turn(lookup, effect.target)
    ends = effect.ends
    return last or ((ends.moment, ends.skip) == ("turn-end", 0) and is_on_turn(lookup, ends.who))


def open_prompts(lookup: Lookup) -> list[Prompt]:
    """Return the open prompts, the most urgent (newest) first."""
    return [prompt for prompt in reversed(list(lookup.all(Prompt))) if open_asks(prompt)]


def waiting_asks(prompt: Prompt) -> Sequence[Ask]:
    """Return the unanswered asks of a prompt."""
    return open_asks(prompt)


def world_action_states(lookup: Lookup) -> list[WorldActionState]:
    """Return every enabled world action, with its state."""
    pending = {offer for procedure in lookup.all(Procedure) for offer in _offers(procedure)}
    return [
        WorldActionState(
            environment, row, entry_state(lookup, environment.id, row.id), (environment.id, row.id) in pending
        )
        for environment in lookup.all(Environment)
        for row in environment.actions
        if row.enabled
    ]


def _offers(procedure: Procedure) -> tuple[tuple[str, str], ...]:
    return procedure.data.offers if isinstance(procedure.data, RoundStart | WorldTurn) else ()


def running_pools(lookup: Lookup) -> list[CountdownPool]:
    """Return the countdown pools that are waiting or running."""
    return [pool for pool in lookup.all(CountdownPool) if pool.status in ("waiting", "running")]


def sides_standing(lookup: Lookup) -> set[str]:
    """Return the sides that have a combatant above 0 hit points."""
    return {one.side for one in lookup.all(Combatant) if one.hp > 0 and not one.dead}


def can_offer_end_encounter(lookup: Lookup) -> bool:
    """Return whether only one side stands, so that ending the encounter may be offered."""
    sides = {one.side for one in lookup.all(Combatant)}
    return clock_of(lookup).phase == "rounds" and len(sides) > 1 and len(sides_standing(lookup)) <= 1


def reminder_of(rules: RuleSystem, effect: Effect) -> str:
    """Return the reminder of an effect: the group's own note, else the text of its condition."""
    condition = rules.conditions.get(effect.name)
    return effect.note or (condition.text if condition else "")


def hit_point_state(combatant: Combatant) -> str:
    """Return `dead`, `down`, `bloodied` (half or less) or `up`: a label beside the bar, with no rule behind it."""
    if combatant.dead:
        return "dead"
    if combatant.hp_max <= 0:  # a thing without hit points can't be worn down
        return "up"
    if combatant.hp <= 0:
        return "down"
    return "bloodied" if combatant.hp * 2 <= combatant.hp_max else "up"
