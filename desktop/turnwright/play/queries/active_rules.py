"""The rules that apply right now, with reasons: the list at the top of the rules panel.

Read-only, in order of urgency: open asks, the active combatant, effects, environments, countdowns, recent events. A
rule that applies for several reasons is listed with the first reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import msgspec

from turnwright.dice.roll import Roll, RollSpec
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Countdown, Environment, EnvironmentEntry
from turnwright.encounter.running import Clock, Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.events import JournalLine, Phrase, phrase
from turnwright.play.queries.queries import (
    active_combatants,
    movement_of,
    open_prompts,
    resources_of,
    running_pools,
    waiting_asks,
)
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.rules.parts.environment.entries import entry_state
from turnwright.rules.system import RuleSystem

MAX_RECENT = 12

_STEP_TOPICS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "scene": ("setup.order", "setup.scene", "scene.when"),
        "surprise": ("setup.surprise-step", "surprise.cause", "surprise.checks"),
        "initiative": ("setup.initiative-step", "initiative.order", "initiative.tie"),
        "world": ("world.start-of-round", "world.own-turn", "world.recharge.repeat"),
    }
)
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
    for option in rules.data.options:
        if rule == option.id or rule in option.ledger:
            return rules.has_option(lookup, option.id)
    return None


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
            for rule in (ask.rule, *rules_of_roll(ask.spec)):
                yield rule, reason


def _step(lookup: Lookup, rules: RuleSystem, now: Clock) -> _Found:
    step = now.setup_step if now.phase == "set-up" else "world" if now.phase == "rounds" and not now.active else ""
    for topic in _STEP_TOPICS.get(step, ()):
        yield rules.rule_id(topic), phrase(f"in_play.{step}")


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
            for rule in _rules_of_number(mode.allowance):
                yield rule, movement_reason
        for topic in _TURN_TOPICS:
            yield rules.rule_id(topic), movement_reason
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
            for rule in _rules_of_condition(rules, effect.name):
                yield rule, reason


def _world(lookup: Lookup) -> _Found:
    for environment in lookup.all(Environment):
        for row in (*environment.features, *environment.actions):
            if row.enabled and not entry_state(lookup, environment.id, row.id).broken:
                for rule in row.rules:
                    yield rule, _entry_phrase(environment, row)


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
                for rule in row.ledger:
                    yield rule, reason


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


def _entry_phrase(environment: Environment, row: EnvironmentEntry) -> Phrase:
    return phrase("in_play.row", place=environment.name, what=row.name)


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
