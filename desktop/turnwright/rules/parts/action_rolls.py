"""What is rolled for an action's trial, what it is held against, and how it comes out where totals are equal."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Edge, Modifier, RollSpec
from turnwright.encounter.prepared import Creature, Scene
from turnwright.encounter.running import Clock, Combatant, Effect, Track
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue.actions import Exertion, Trial
from turnwright.rules.catalogue.conditions import DataRule
from turnwright.rules.figures import Figure, figure
from turnwright.rules.hooks import NOTHING, Grant, Hook, Moment, contributions
from turnwright.rules.parts.conditions import on_figure
from turnwright.rules.parts.only_named import usual_effects
from turnwright.rules.parts.passives import passive
from turnwright.rules.parts.predicates import truth
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem, creature_of

CHECKED, SPRINTED = "exertion-check", "exerted"  # marks that hold when it was, in seconds of game time


class TrialRoll(msgspec.Struct, frozen=True):
    """A roll to make; `used` are effects that it uses up."""

    spec: RollSpec
    used: tuple[str, ...] = ()


def trial_roll(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    what: str,
    other: str = "",
    tags: tuple[str, ...] = (),
    own: tuple[DataRule, ...] = (),
) -> TrialRoll:
    """Return the roll `what` (`check.dex:stealth`, `save.dex`) against `other`; `own` are rules of this trial alone."""
    moment = Moment(who, what, other=other, tags=tags)
    said = contributions(lookup, rules, Hook.CHECK_MADE, moment)
    theirs = contributions(lookup, rules, Hook.CHECK_MADE, _against(moment)) if other else NOTHING
    edges = [*said.edges, *theirs.edges]
    grants = [*said.grants, *theirs.grants]
    modifiers = (*_bonus(lookup, rules, who, what), *said.modifiers, *theirs.modifiers)
    for rule in own:
        if rule.what == what and (not rule.when or truth(lookup, rules, who, rule.when, moment)):
            _add(rule, edges, grants)
    extra = (*said.extra, *rules.expertise(grants))
    fails = next((one.reason for one in grants if one.kind == "fail"), "")
    offered = usual_effects(rules, said, theirs)
    spec = rules.spec(lookup, modifiers, edges, extra, fails=fails, offered=offered)
    return TrialRoll(spec, (*said.used, *theirs.used))


def _add(rule: DataRule, edges: list[Edge], grants: list[Grant]) -> None:
    if rule.kind in ("advantage", "disadvantage"):
        edges.append(Edge("advantage" if rule.kind == "advantage" else "disadvantage", rule.text, rule.ledger))
    else:
        grants.append(Grant(rule.kind, rule.text, rule.ledger, rule.times))


def _against(moment: Moment) -> Moment:
    kind = moment.what.partition(".")[0]
    return Moment(moment.other, f"{kind}-against", other=moment.who, tags=moment.tags)


def _bonus(lookup: Lookup, rules: RuleSystem, who: str, what: str) -> tuple[Modifier, ...]:
    """Return the modifier of the ability rolled, and what training adds to it, whichever ability that usually goes with."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    kind, _, roll = what.partition(".")
    ability, _, skill = roll.partition(":")
    parts = [Modifier(rules.modifier_of(creature, ability), f"<ability.{ability}>")]
    if kind == "save":
        trained, reason = _training(rules, creature, dict(creature.saves).get(ability), ability), "why.save_proficiency"
    else:
        usual = next((one.ability for one in rules.catalogue.skills if one.id == skill), ability)
        trained, reason = _training(rules, creature, dict(creature.skills).get(skill), usual), f"<skill.{skill}>"
    return (*parts, Modifier(trained, reason)) if trained else tuple(parts)


def _training(rules: RuleSystem, creature: Creature, total: int | None, ability: str) -> int:
    return 0 if total is None else total - rules.modifier_of(creature, ability)


def known_figure(lookup: Lookup, rules: RuleSystem, who: str, name: str) -> int | None:
    """Return a figure that somebody is held against (`passive.perception`, `maneuver-dc`), None where nobody gave it."""
    word, _, skill = name.partition(".")
    if word == "passive":
        score = passive(lookup, rules, who, skill)
        return None if score is None else score.total
    if word == "dc":
        return own_dc(lookup, rules, who, skill)
    combatant = lookup.need(Combatant, who)
    return dict(combatant.given).get(name) or creature_of(lookup, combatant).maneuver_dc or None


def own_dc(lookup: Lookup, rules: RuleSystem, who: str, roll: str) -> int:
    """Return the DC that somebody's own roll sets for others (`save.wis`, `check.wis:perception`): its bonus and a base."""
    kind, _, name = roll.partition(".")
    made = rules.checks.save if kind == "save" else rules.checks.check
    return rules.catalogue.checks.dc_base + sum(one.value for one in made(lookup, rules, who, name).modifiers)


def set_dc(lookup: Lookup, rules: RuleSystem, by: str, dc: int, tags: tuple[str, ...] = ()) -> int:
    """Return a DC that somebody's feature sets, with what conditions do to it; 0 where nobody knows it."""
    if not dc or lookup.get(Combatant, by) is None:
        return dc
    return rules.figure(Modifier(dc, "why.dc"), *on_figure(lookup, rules, by, "dc", Moment(by, "dc", tags=tags))).total


def succeeds(lookup: Lookup, rules: RuleSystem, trial: Trial, total: int, held_against: int) -> bool:
    """Return whether a total is enough: more always is, the same unless the table says otherwise where it may."""
    return total > held_against or (total == held_against and not (trial.ties and rules.option(lookup, trial.ties)))


# What tires ------------------------------------------------------------------------------------------------------


def now(lookup: Lookup) -> int:
    """Return the seconds of game time at which this round began."""
    clock = lookup.get(Clock, "clock")
    return clock.elapsed if clock else 0


def free_turns_left(lookup: Lookup, rules: RuleSystem, who: str, exertion: Exertion, action: str) -> int:
    """Return for how many turns more somebody may do what tires without a trial."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    done = lookup.get(Track, f"{who}.{turns_track(action)}")
    return max(0, rules.modifier_of(creature, exertion.free) - (done.value if done else 0))


def turns_track(action: str) -> str:
    """Return the track that counts the turns spent at what tires."""
    return f"{action}s"


def exertion_dc(lookup: Lookup, who: str, base: int, exertion: Exertion, rule: str) -> Figure:
    """Return the DC of the next trial, with what the earlier ones of its window add."""
    recent = [mark for mark in marks(lookup, who, CHECKED) if now(lookup) - mark.value < exertion.window]
    steps = Modifier(exertion.step * len(recent), "why.exerted_before", dict(exertion.ledgers).get("dc", ""))
    return figure(Modifier(base, "why.dc", rule), steps)


def marks(lookup: Lookup, who: str, name: str) -> list[Effect]:
    """Return the marks of a name on somebody."""
    return [effect for effect in effects_on(lookup, who) if effect.name == name]


def is_rested(lookup: Lookup, who: str, exertion: Exertion) -> bool:
    """Return whether somebody who tired themselves has stopped for long enough."""
    stopped = [mark.value for mark in marks(lookup, who, SPRINTED)]
    return bool(stopped) and now(lookup) - max(stopped) >= exertion.window


def stops_at(lookup: Lookup) -> int:
    """Return the second at which what is done in this round will have stopped."""
    return now(lookup) + (lookup.get(Scene, "scene") or Scene()).round_seconds
