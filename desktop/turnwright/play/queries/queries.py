"""Read-only queries about a running fight: the next turn, remaining resources, pending prompts, and the rules in play.

The rules in play are listed with reasons at the top of the rules panel, in order of urgency: open asks, the active
combatant, effects, environments, countdowns, recent events. A rule that applies for several reasons is listed with the
first reason.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from turnwright.dice.expression import Roll, RollSpec
from turnwright.encounter.prepared import Countdown, Environment, EnvironmentEntry, Feature
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Prompt
from turnwright.encounter.procedure_state.turns import RoundStart, WorldTurn
from turnwright.encounter.running import Clock, Combatant, CountdownPool, Effect, EntryState, Slot, Track, track_id
from turnwright.encounter.state import Lookup, active_slot, clock_of, slots_in_order
from turnwright.play.kernel.events import JournalLine, Phrase, phrase
from turnwright.play.kernel.scheduler import open_asks
from turnwright.play.state.action_economy import use_vetoes
from turnwright.play.turn_order.initiative import choosable_slots, has_member_present, remaining_this_round
from turnwright.play.turn_order.surprise import members_in_turn
from turnwright.rules.parts.actions.action_options import action_option, action_vetoes, stat_block_options
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.rules.parts.combatants.facts import DISABLE, is_working_device
from turnwright.rules.parts.conditions.rule_words import write_rules
from turnwright.rules.parts.economy.limited_uses import is_finite, is_on_turn, maximum
from turnwright.rules.parts.environment.entries import entry_state
from turnwright.rules.parts.movement.move_legs import reins_vetoes, remaining_movement
from turnwright.rules.system import ExplainedNumber, Hook, HookContext, RuleSystem, Veto, run_hooks
from turnwright.rules.system_data.numbers import ActionOption, Resource


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
    """Return the combatants whose turn it is. Those that have joined it come last."""
    slot = active_slot(lookup)
    members = (lookup.get(Combatant, who) for who in (members_in_turn(lookup, slot) if slot else ()))
    return tuple(combatant for combatant in members if combatant is not None)


def next_up(lookup: Lookup, rules: RuleSystem) -> Slot | None:
    """Return the next slot that hasn't had its turn this round, or the first slot if the round is about to end.

    Return None if the next to act will be chosen.
    """
    if choosable_slots(lookup, rules):
        return None
    following = (*remaining_this_round(lookup), *slots_in_order(lookup))
    return next((slot for slot in following if has_member_present(lookup, slot)), None)


def resources_of(lookup: Lookup, rules: RuleSystem, who: str) -> list[ResourceLeft]:
    """Return a combatant's counted resources, in the system's order."""
    counted = []
    for resource in rules.data.resources:
        if is_finite(resource) and (resource.amount or maximum(lookup, who, resource)):
            track = lookup.get(Track, track_id(who, resource.id))
            if resource.characters is not None and track is None:
                continue  # a fight of an earlier version
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
    """Return whether an effect ends with the current turn, because of its rounds or its duration."""
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
    """Return the reminder of an effect: the note entered for it, or the text of its condition, and its own rules."""
    condition = rules.conditions.get(effect.name)
    text, told = effect.note or (condition.text if condition else ""), write_rules(effect.rules, rules)
    return text if told in text else " · ".join(part for part in (text, told) if part)


def hit_point_state(combatant: Combatant) -> str:
    """Return `dead`, `down`, `bloodied` (half or less) or `up`: a label for the hit point bar that no rule uses."""
    if combatant.dead:
        return "dead"
    if combatant.hp <= 0 < combatant.hp_max:  # an object without hit points can't be damaged
        return "down"
    return "bloodied" if 0 < combatant.hp * 2 <= combatant.hp_max else "up"


MAX_RECENT = 12

_STEP_TOPICS: Mapping[str, tuple[str, ...]] = {
    "scene": ("setup.order", "setup.scene", "scene.when"),
    "surprise": ("setup.surprise-step", "surprise.cause", "surprise.checks"),
    "initiative": ("setup.initiative-step", "initiative.order", "initiative.tie"),
    "world": ("world.start-of-round", "world.own-turn", "world.recharge.repeat"),
}
_TURN_TOPICS = ("turn.speed", "turn.split-movement", "turn.any-order")
_Found = Iterator[tuple[str, Phrase]]


class ActiveRule(msgspec.Struct, frozen=True):
    """A rule that applies: its ledger id, its group (see `active_rules`), and the reason as a phrase."""

    rule: str
    group: str
    reason: Phrase


def active_rules(lookup: Lookup, rules: RuleSystem, journal: Sequence[JournalLine] = ()) -> tuple[ActiveRule, ...]:
    """Return the rules that apply, grouped and without duplicates. `journal` has all lines so far, oldest first.

    Before set-up and after the end, only the rules of the scene's environments are listed.
    """
    clock = clock_of(lookup)
    entries: dict[str, ActiveRule] = {}
    for group, cited in (
        ("asked", _of_prompts(lookup)),
        ("step", _step(lookup, rules, clock)),
        ("acting", _acting(lookup, rules)),
        ("on-acting", _effects(lookup, rules, acting=True)),
        ("on-others", _effects(lookup, rules, acting=False)),
        ("world", _world(lookup)),
        ("countdowns", _countdowns(lookup, rules)),
        ("lately", _recent(journal, clock)),
    ):
        for rule, reason in cited:
            if rule and rule not in entries:
                entries[rule] = ActiveRule(rule, group, reason)
    return tuple(entries.values())


def is_option_on(lookup: Lookup, rules: RuleSystem, rule: str) -> bool | None:
    """Return whether a house rule is switched on in this encounter, or None if the rule isn't a house rule."""
    named = (option.id for option in rules.data.options if rule == option.id or rule in option.ledger)
    return next((rules.has_option(lookup, id) for id in named), None)


def rules_of_roll(roll: Roll | RollSpec | None) -> Iterator[str]:
    """Yield the rules that a roll, made or pending, cites as its reasons."""
    if roll is None:
        return
    yield from (modifier.rule for modifier in roll.modifiers)
    yield from (edge.rule for edge in roll.edges)
    if isinstance(roll, RollSpec):
        yield from (extra.rule for extra in roll.extra)


def _of_prompts(lookup: Lookup) -> _Found:
    for prompt in open_prompts(lookup):
        reason = phrase(prompt.title, subject=prompt.subject)
        yield prompt.rule, reason
        for ask in waiting_asks(prompt):
            yield from ((rule, reason) for rule in (ask.rule, *rules_of_roll(ask.spec)))


def _step(lookup: Lookup, rules: RuleSystem, now: Clock) -> _Found:
    step = now.setup_step if now.phase == "set-up" else "world" if now.phase == "rounds" and not now.active else ""
    yield from ((rules.rule_id(topic), phrase(f"in_play.{step}")) for topic in _STEP_TOPICS.get(step, ()))


def _acting(lookup: Lookup, rules: RuleSystem) -> _Found:
    if clock_of(lookup).phase != "rounds":
        return
    for active in active_combatants(lookup):
        who = active.label
        for have in resources_of(lookup, rules, active.id):
            reason = phrase("in_play.resource", who=who, what=have.resource.name, left=have.left, of=have.maximum)
            for rule in (have.denied.rule if have.denied else "", *have.resource.ledger):
                yield rule, reason
        movement_reason = phrase("in_play.movement", who=who)
        for mode in movement_of(lookup, rules, active.id):
            yield from ((rule, movement_reason) for rule in _rules_of_number(mode.allowance))
        yield from ((rules.rule_id(topic), movement_reason) for topic in _TURN_TOPICS)
        for rule in _rules_of_number(armor_class(lookup, rules, active.id)):
            yield rule, phrase("in_play.armor", who=who)


def _effects(lookup: Lookup, rules: RuleSystem, *, acting: bool) -> _Found:
    active = {active_combatant.id for active_combatant in active_combatants(lookup)}
    for effect in lookup.all(Effect):
        if (effect.target in active) != acting:
            continue
        target = lookup.get(Combatant, effect.target) if effect.target else None
        reason = phrase("in_play.effect", who=target.label if target else "", what=f"<condition.{effect.name}>")
        if effect.shown:
            yield from ((rule, reason) for rule in _rules_of_condition(rules, effect.name))


def _world(lookup: Lookup) -> _Found:
    for environment in lookup.all(Environment):
        for row in (*environment.features, *environment.actions):
            if row.enabled and not entry_state(lookup, environment.id, row.id).broken:
                for rule in row.rules:
                    yield rule, phrase("in_play.row", place=environment.name, what=row.name)


def _countdowns(lookup: Lookup, rules: RuleSystem) -> _Found:
    for pool in running_pools(lookup):
        countdown = lookup.get(Countdown, pool.countdown)
        reason = phrase("in_play.countdown", what=countdown.name if countdown else pool.countdown, n=pool.dice)
        speed = (f"countdown.{countdown.speed}",) if countdown else ()
        last = ("countdown.unstoppable",) if pool.unstoppable else ("countdown.stop",)
        for topic in ("countdown.roll", *speed, "countdown.expire", "countdown.adjust", *last):
            yield rules.rule_id(topic), reason
        for row in rules.data.countdown_table:
            if row.dice == pool.dice:
                yield from ((rule, reason) for rule in row.ledger)


def _recent(journal: Sequence[JournalLine], now: Clock) -> _Found:
    """Yield the rules behind this round's journal lines, newest first, until `MAX_RECENT` rules are found."""
    if now.phase not in ("set-up", "rounds"):
        return
    cited: set[str] = set()
    for line in reversed(journal):
        if line.round != now.round or len(cited) >= MAX_RECENT:
            return
        for rule in (line.rule, *(adjustment.rule for adjustment in line.why), *rules_of_roll(line.roll)):
            if rule:
                cited.add(rule)
                yield rule, line.phrase


def _rules_of_number(number: ExplainedNumber) -> Iterable[str]:
    return [part.rule for part in number.parts]


def _rules_of_condition(rules: RuleSystem, name: str) -> Iterator[str]:
    """Yield the rules of a condition and of the conditions that it implies."""
    waiting, visited = [name], set[str]()
    while waiting:
        id = waiting.pop(0)
        condition = rules.conditions.get(id)
        if condition is None or id in visited:
            continue
        visited.add(id)
        yield from condition.ledger
        waiting += condition.implies


def presumed_source(lookup: Lookup, by: str, targets: Iterable[str], *, helps: bool = False) -> str:
    """Return the label of the active combatant `by` as the source of an entered amount, or an empty string.

    Only an opponent of all targets is presumed to harm them, and only an ally to help them.
    """
    active = lookup.get(Combatant, by) if by else None
    others = [lookup.get(Combatant, target) for target in targets]
    if active is None or any(one is None or one.id == by or (one.side == active.side) != helps for one in others):
        return ""
    return active.label
