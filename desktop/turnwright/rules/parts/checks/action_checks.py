"""The check of an action: its roll, its DC, ties, and exertion."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Edge, EdgeKind, Modifier, RollSpec
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.lookups import clock_of, effects_named, scene_of, track_value
from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber, explained_sum
from turnwright.rules.hooks import NO_RESULT, Hook, HookContext, HookResult, RollGrant, run_hooks
from turnwright.rules.parts.checks.ability_checks import check_roll, hooked_roll, passive_score, save_roll
from turnwright.rules.parts.conditions.condition_rules import number_modifiers
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.actions import ActionCheck, ExertionFigures

# marks with the time of a check or sprint, in seconds of game time
CHECKED, SPRINTED = "exertion-check", "exerted"


class CheckRoll(msgspec.Struct, frozen=True):
    """A roll to make. `consumed_effects` are effects that it uses up."""

    spec: RollSpec
    consumed_effects: tuple[str, ...] = ()


def action_check_roll(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    what: str,
    other: str = "",
    tags: tuple[str, ...] = (),
    own: tuple[DataRule, ...] = (),
) -> CheckRoll:
    """Return the roll `what` (`check.dex:stealth`, `save.dex`) against `other`.

    `own` are rules that apply only to this check.
    """
    moment = HookContext(who, what, other=other, tags=tags)
    own_result = run_hooks(lookup, rules, Hook.CHECK_MADE, moment)
    other_result = run_hooks(lookup, rules, Hook.CHECK_MADE, _opposing_context(moment)) if other else NO_RESULT
    edges: list[Edge] = []
    grants: list[RollGrant] = []
    for rule in own:
        if rule.what == what and (not rule.when or evaluate(lookup, rules, who, rule.when, moment)):
            if rule.kind in ("advantage", "disadvantage"):
                kind: EdgeKind = "advantage" if rule.kind == "advantage" else "disadvantage"
                edges.append(Edge(kind, rule.text, rule.ledger))
            else:
                grants.append(RollGrant(rule.kind, rule.text, rule.ledger, rule.times))
    check_result = HookResult(edges=tuple(edges), grants=tuple(grants))
    spec = hooked_roll(lookup, rules, _bonus(lookup, rules, who, what), own_result, other_result, check_result)
    return CheckRoll(spec, (*own_result.consumed_effects, *other_result.consumed_effects))


def _opposing_context(context: HookContext) -> HookContext:
    kind = context.subject.partition(".")[0]
    return HookContext(context.other, f"{kind}-against", other=context.who, tags=context.tags)


def _bonus(lookup: Lookup, rules: RuleSystem, who: str, what: str) -> tuple[Modifier, ...]:
    """Return the modifier of the rolled ability and the training in the skill, even with an unusual ability."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    kind, _, roll = what.partition(".")
    ability, _, skill = roll.partition(":")
    parts = [Modifier(rules.modifier_of(creature, ability), f"<ability.{ability}>")]
    if kind == "save":
        trained, reason = _training(rules, creature, dict(creature.saves).get(ability), ability), "why.save_proficiency"
    else:
        usual = next((entry.ability for entry in rules.data.skills if entry.id == skill), ability)
        trained, reason = _training(rules, creature, dict(creature.skills).get(skill), usual), f"<skill.{skill}>"
    return (*parts, Modifier(trained, reason)) if trained else tuple(parts)


def _training(rules: RuleSystem, creature: Creature, total: int | None, ability: str) -> int:
    return 0 if total is None else total - rules.modifier_of(creature, ability)


def known_number(lookup: Lookup, rules: RuleSystem, who: str, name: str) -> int | None:
    """Return a combatant's number for opposed checks (`passive.perception`, `maneuver-dc`), or None if unknown."""
    word, _, skill = name.partition(".")
    if word == "passive":
        score = passive_score(lookup, rules, who, skill)
        return None if score is None else score.total
    if word == "dc":
        return dc_from_bonus(lookup, rules, who, skill)
    combatant = lookup.need(Combatant, who)
    return dict(combatant.supplied_numbers).get(name) or creature_of(lookup, combatant).maneuver_dc or None


def dc_from_bonus(lookup: Lookup, rules: RuleSystem, who: str, roll: str) -> int:
    """Return the DC based on a combatant's bonus to a roll (`save.wis`, `check.wis:perception`)."""
    kind, _, name = roll.partition(".")
    roll_of = save_roll if kind == "save" else check_roll
    return rules.data.checks.dc_base + sum(modifier.value for modifier in roll_of(lookup, rules, who, name).modifiers)


def fixed_dc(lookup: Lookup, rules: RuleSystem, by: str, dc: int, tags: tuple[str, ...] = ()) -> int:
    """Return the DC of a combatant's feature, modified by its conditions, or 0 if the DC is unknown."""
    if not dc or lookup.get(Combatant, by) is None:
        return dc
    more = number_modifiers(lookup, rules, by, "dc", HookContext(by, "dc", tags=tags))
    return rules.explained_sum(Modifier(dc, "why.dc"), *more).total


def succeeds(lookup: Lookup, rules: RuleSystem, action_check: ActionCheck, total: int, threshold: int) -> bool:
    """Return whether a total meets its DC or wins its contest.

    A tie succeeds unless the check's house rule says otherwise.
    """
    ties_fail = action_check.ties and rules.has_option(lookup, action_check.ties)
    return total > threshold or (total == threshold and not ties_fail)


# Exertion -------------------------------------------------------------------------------------------------------


def free_turns_left(lookup: Lookup, rules: RuleSystem, who: str, exertion: ExertionFigures, action: str) -> int:
    """Return the number of turns for which a combatant can still exert itself without a check."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return max(0, rules.modifier_of(creature, exertion.free) - track_value(lookup, who, exertion_turns_track(action)))


def exertion_turns_track(action: str) -> str:
    """Return the track that counts the turns of an exertion."""
    return f"{action}s"


def exertion_dc(lookup: Lookup, who: str, base: int, exertion: ExertionFigures, rule: str) -> ExplainedNumber:
    """Return the DC of the next exertion check, including the increase for earlier checks in its time window."""
    since = clock_of(lookup).elapsed_seconds - exertion.window
    recent = [mark for mark in effects_named(lookup, who, CHECKED) if mark.value > since]
    steps = Modifier(exertion.step * len(recent), "why.exerted_before", dict(exertion.ledgers).get("dc", ""))
    return explained_sum(Modifier(base, "why.dc", rule), steps)


def has_rested(lookup: Lookup, who: str, exertion: ExertionFigures) -> bool:
    """Return whether a combatant has stopped exerting itself for long enough."""
    stopped = [mark.value for mark in effects_named(lookup, who, SPRINTED)]
    return bool(stopped) and clock_of(lookup).elapsed_seconds - max(stopped) >= exertion.window


def round_end_seconds(lookup: Lookup) -> int:
    """Return the game time, in seconds, at which this round's activities end."""
    return clock_of(lookup).elapsed_seconds + scene_of(lookup).round_seconds
