"""Ability checks, saving throws and initiative of the d20 games, with reasons and degrees of success.

Stat blocks or the game master provide passive scores. They are never derived.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

import msgspec

from turnwright.dice.expression import DeclinableModifier, Edge, EdgeKind, ExtraDice, Modifier, Roll, RollSpec
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Point
from turnwright.encounter.procedure_state.asks import (
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    FAILED,
    FAILURE,
    MADE,
    SUCCESS,
    Degree,
    Option,
)
from turnwright.encounter.procedure_state.attacks import CRITICAL, FUMBLE, HIT, MISS, AttackOutcome
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup, clock_of, effects_named, scene_of, track_value
from turnwright.rules.parts.conditions.condition_rules import suggested_effects
from turnwright.rules.parts.conditions.numbers import ability_change, changed_number, proficiency_change
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.system import (
    NO_RESULT,
    ExplainedNumber,
    Hook,
    HookContext,
    HookResult,
    RollGrant,
    RuleSystem,
    creature_of,
    explained_sum,
    run_hooks,
)
from turnwright.rules.system_data.numbers import ActionCheck, ExertionFigures


def check_bonus(rules: RuleSystem, creature: Creature, check: str) -> tuple[Modifier, ...]:
    """Return the parts of a creature's bonus to a check such as `dex` or `dex:stealth`, the ability modifier first."""
    ability, _, skill = check.partition(":")
    modifier = rules.modifier_of(creature, ability)
    parts = [Modifier(modifier, f"<ability.{ability}>")]
    total = dict(creature.skills).get(skill)
    if total is not None and total != modifier:
        parts.append(Modifier(total - modifier, f"<skill.{skill}>"))
    return tuple(parts)


def check_options(rules: RuleSystem) -> tuple[Option, ...]:
    """Return all checks that the game master can call for: first skills with their default ability, then abilities."""
    skills = [f"{skill.ability}:{skill.id}" for skill in rules.data.skills]
    checks = (*skills, *(ability.id for ability in rules.data.abilities))
    return tuple(Option(check, f"<check.{check}>") for check in checks)


def hooked_roll(
    lookup: Lookup,
    rules: RuleSystem,
    parts: Iterable[Modifier],
    *results: HookResult,
    edges: tuple[Edge, ...] = (),
    dice: str | None = None,
) -> RollSpec:
    """Combine a roll's own modifiers and edges with the contributions of the hooks."""
    grants = [grant for result in results for grant in result.grants]
    modifiers = (*parts, *(modifier for result in results for modifier in result.modifiers))
    spec = rules.roll_spec(
        lookup,
        modifiers,
        (*(edge for result in results for edge in result.edges), *edges),
        (*rules.expertise_dice(grants), *(extra for result in results for extra in result.dice)),
        dice=dice,
        fails=next((grant.reason for grant in grants if grant.kind == "fail"), ""),
        offered=(*suggested_effects(rules, *results), *_open_shares(rules, modifiers, *results)),
        grants=grants,
    )
    used = tuple(id for result in results for id in result.consumed_effects)
    return msgspec.structs.replace(spec, uses=used) if used else spec


def _open_shares(
    rules: RuleSystem, modifiers: tuple[Modifier, ...], *results: HookResult
) -> Iterator[DeclinableModifier]:
    """Yield the contributions that the game master may accept for a roll, each with the change to the total."""
    for offer in (open_modifier for result in results for open_modifier in result.open_modifiers):
        share, fact = offer.share, offer.depends_on
        open_offer = DeclinableModifier(share.reason, share.rule, is_open=True, depends_on=fact, uses=offer.uses)
        if isinstance(share, Edge):
            yield msgspec.structs.replace(open_offer, edge=share.kind)
            continue
        if isinstance(share, ExtraDice):
            yield msgspec.structs.replace(open_offer, dice=share.dice)
            continue
        more = rules.explained_sum(*modifiers, share).total - rules.explained_sum(*modifiers).total
        if more:
            yield msgspec.structs.replace(open_offer, value=more)


def roll_with_edge(spec: RollSpec, edge: EdgeKind | Literal[""]) -> RollSpec:
    """Add the game master's advantage or disadvantage, if any, to a roll."""
    return msgspec.structs.replace(spec, edges=(*spec.edges, Edge(edge, "why.narrator"))) if edge else spec


def check_roll(lookup: Lookup, rules: RuleSystem, who: str, check: str, tags: tuple[str, ...] = ()) -> RollSpec:
    """Return the roll for an ability check."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    result = run_hooks(lookup, rules, Hook.CHECK_MADE, HookContext(who, f"check.{check}", tags=tags))
    return hooked_roll(lookup, rules, check_bonus(rules, creature, check), result)


def save_roll(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    ability: str,
    origin: str = "",
    tags: tuple[str, ...] = (),
    *,
    at: Point | None = None,
) -> RollSpec:
    """Return the roll for a saving throw. `origin` is the combatant that causes it, and `at` its area's origin."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    modifier = rules.modifier_of(creature, ability)
    parts = [Modifier(modifier, f"<ability.{ability}>")]
    total = dict(creature.saves).get(ability)
    if total is not None and total != modifier:
        parts.append(Modifier(total - modifier, "why.save_proficiency"))
    context = HookContext(who, f"save.{ability}", other=origin, tags=tags, origin=at)
    results = [run_hooks(lookup, rules, Hook.CHECK_MADE, context)]
    if origin:
        results.append(run_hooks(lookup, rules, Hook.CHECK_MADE, _opposing_context(context)))
    return hooked_roll(lookup, rules, parts, *results)


def spellcasting_roll(lookup: Lookup, rules: RuleSystem, who: str) -> RollSpec:
    """Return the roll for a check with the caster's spellcasting ability, or with the best one if it is unknown."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    best = max(rules.data.attack.casters, key=lambda each: rules.modifier_of(creature, each))
    return check_roll(lookup, rules, who, creature.spellcasting or best)


def initiative_roll(lookup: Lookup, rules: RuleSystem, who: str) -> RollSpec:
    """Return the roll for initiative: the check chosen for this combatant, or the system's default."""
    combatant = lookup.need(Combatant, who)
    creature = creature_of(lookup, combatant)
    check = combatant.check or rules.data.initiative.check
    bonus = combatant.initiative_bonus if combatant.initiative_bonus is not None else creature.initiative
    usual = check == rules.data.initiative.check
    own = usual and bonus is not None
    parts = (Modifier(bonus or 0, "why.initiative_bonus"),) if own else check_bonus(rules, creature, check)
    topic = "initiative.default-dexterity" if usual else "initiative.alternate-check"
    parts = tuple(Modifier(part.value, part.reason, part.rule or rules.rule_id(topic)) for part in parts)
    result = run_hooks(lookup, rules, Hook.CHECK_MADE, HookContext(who, f"check.{check}", initiative=True))
    edges = (Edge(combatant.edge, "why.narrator", rules.rule_id("sudden.advantage")),) if combatant.edge else ()
    return hooked_roll(lookup, rules, parts, result, edges=edges, dice=rules.data.initiative.die)


def initiative_score(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the total that replaces a combatant's roll for initiative under the house rule for scores."""
    spec = initiative_roll(lookup, rules, who)
    kinds = {edge.kind for edge in spec.edges}
    edge = ("advantage" in kinds) - ("disadvantage" in kinds)
    own = sum(part.value for part in spec.modifiers)
    return rules.data.checks.dc_base + own + edge * rules.data.initiative.score_edge


def initiative_tie_roll(lookup: Lookup, rules: RuleSystem, who: str) -> RollSpec:
    """Return the roll that breaks a tie in initiative: the check that the game names, or only the die."""
    settings = rules.data.initiative
    if settings.tie_check:
        return check_roll(lookup, rules, who, settings.tie_check)
    return RollSpec(settings.die, (Modifier(0, "why.tie", rules.rule_id("initiative.tie")),))


def armor_class_unknown(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant's AC is missing."""
    combatant = lookup.need(Combatant, who)
    return combatant.ac is None and not creature_of(lookup, combatant).ac


def armor_class(lookup: Lookup, rules: RuleSystem, who: str, context: HookContext | None = None) -> ExplainedNumber:
    """Return a combatant's AC with the modifiers of conditions. Cover isn't included."""
    combatant = lookup.need(Combatant, who)
    creature = creature_of(lookup, combatant)
    own = Modifier(creature.ac, creature.ac_note or "why.stat_block")
    if combatant.ac is not None:
        own = Modifier(combatant.ac, "why.ac_given")
    return changed_number(lookup, rules, who, "ac", own, context)


LADDER: Final[tuple[Degree, ...]] = (CRITICAL_FAILURE, FAILURE, SUCCESS, CRITICAL_SUCCESS)
ATTACKS: Final[Mapping[str, AttackOutcome]] = {
    CRITICAL_SUCCESS: CRITICAL,
    SUCCESS: HIT,
    FAILURE: MISS,
    CRITICAL_FAILURE: FUMBLE,
}
NO_SHARE: Final = "none"
SHARES: Final[Mapping[str, str]] = {
    CRITICAL_SUCCESS: NO_SHARE,
    SUCCESS: "half",
    FAILURE: "full",
    CRITICAL_FAILURE: "double",
}


def degree_of(rules: RuleSystem, roll: Roll, dc: int) -> Degree | None:
    """Return the degree of success of a roll against a DC, or None if its total is unknown.

    In games with degrees, a total that beats or misses the DC by a wide margin is critical. Two special die faces make
    the degree one step better or worse.
    """
    if roll.total is None:
        return None
    settings = rules.data.checks
    step = LADDER.index(SUCCESS if roll.total >= dc else FAILURE)
    if settings.degrees:
        if abs(roll.total - dc) >= settings.degrees:
            step += 1 if roll.total >= dc else -1
        if roll.natural is not None:
            step += (roll.natural == settings.raises) - (roll.natural == settings.lowers)
    return LADDER[min(max(step, 0), len(LADDER) - 1)]


def is_success(degree: str) -> bool:
    """Return whether a degree is a success."""
    return degree in (SUCCESS, CRITICAL_SUCCESS)


def attack_outcome(rules: RuleSystem, roll: Roll, armor_class: int, critical: bool) -> AttackOutcome:
    """Return the outcome of an attack based on its degree of success, or an empty string if the total is unknown.

    `critical`: a hit is a critical hit.
    """
    degree = degree_of(rules, roll, armor_class)
    if degree is None:
        return ""
    outcome = ATTACKS[degree]
    return CRITICAL if critical and outcome == HIT else outcome


def result_options(rules: RuleSystem) -> tuple[Option, ...]:
    """Return the options for reporting a roll whose dice are unknown."""
    if not rules.data.checks.degrees:
        return (Option(MADE, "option.made"), Option(FAILED, "option.failed"))
    return tuple(Option(degree, f"degree.{degree}") for degree in reversed(LADDER))


def attack_result_options(rules: RuleSystem) -> tuple[Option, ...]:
    """Return the options for reporting an attack whose dice are unknown."""
    outcomes = (CRITICAL, HIT, MISS, FUMBLE) if rules.data.checks.degrees else (HIT, CRITICAL, MISS)
    return tuple(Option(outcome, f"option.{outcome}") for outcome in outcomes)


def reported_degree(options: tuple[str, ...]) -> Degree:
    """Return the degree of success that the game master reported."""
    reported = next((degree for degree in LADDER if degree in options), None)
    return reported or (SUCCESS if MADE in options else FAILURE)


def share_for(rules: RuleSystem, degree: str | None) -> str:
    """Return the share of damage for the degree of a basic save, or full damage if there was no save."""
    if degree is None:
        return SHARES[FAILURE]
    if not rules.data.checks.degrees:
        return SHARES[SUCCESS] if is_success(degree) else SHARES[FAILURE]
    return SHARES[degree]


def degree_if_used(rules: RuleSystem, degree: str) -> str:
    """Return the degree in a game with degrees of success, else an empty string."""
    return degree if rules.data.checks.degrees else ""


def passive_score(lookup: Lookup, rules: RuleSystem, who: str, skill: str) -> ExplainedNumber | None:
    """Return a combatant's passive score in a skill, or None if the game master has to enter it."""
    combatant = lookup.need(Combatant, who)
    name = f"passive.{skill}"
    supplied = dict(combatant.supplied_numbers).get(name)
    creature = creature_of(lookup, combatant)
    own = dict(creature.passives).get(skill)
    if supplied is None and own is None:
        return None
    rule = rules.rule_id("passive.scores")
    base = (
        Modifier(supplied, "why.supplied", rule) if supplied is not None else Modifier(own or 0, "why.stat_block", rule)
    )
    ability = next((one.ability for one in rules.data.skills if one.id == skill), "")
    moved = ability_change(lookup, rules, who, ability) if ability else ()
    moved += proficiency_change(lookup, rules, who) if skill in dict(creature.skills) else ()
    scored = msgspec.structs.replace(base, value=base.value + sum(each.value for each in moved))
    changed = changed_number(lookup, rules, who, name, scored)
    return msgspec.structs.replace(changed, parts=(base, *moved, *changed.parts[1:]))


# marks with the time of a check or sprint, in seconds of game time
CHECKED, SPRINTED = "exertion-check", "exerted"


def action_check_roll(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    what: str,
    other: str = "",
    tags: tuple[str, ...] = (),
    own: tuple[DataRule, ...] = (),
) -> RollSpec:
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
    return hooked_roll(lookup, rules, _bonus(lookup, rules, who, what), own_result, other_result, check_result)


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
    if word == "score":
        return rules.data.score_of(creature_of(lookup, combatant), skill)
    return dict(combatant.supplied_numbers).get(name) or creature_of(lookup, combatant).maneuver_dc or None


def dc_from_bonus(lookup: Lookup, rules: RuleSystem, who: str, roll: str) -> int:
    """Return the DC based on a combatant's bonus to a roll (`save.wis`, `check.wis:perception`)."""
    kind, _, name = roll.partition(".")
    roll_of = save_roll if kind == "save" else check_roll
    return rules.data.checks.dc_base + sum(modifier.value for modifier in roll_of(lookup, rules, who, name).modifiers)


def ability_dc(lookup: Lookup, rules: RuleSystem, who: str, ability: str) -> int:
    """Return the DC of a combatant's own that replaces a roll: the base of spells, its ability and its proficiency."""
    combatant = lookup.need(Combatant, who)
    creature = creature_of(lookup, combatant)
    usual = rules.data.scaling.benchmark(creature.rating)
    proficiency = dict(combatant.supplied_numbers).get("proficiency") or creature.proficiency
    trained = proficiency or (usual.proficiency if usual else 0)
    changes = (*ability_change(lookup, rules, who, ability), *proficiency_change(lookup, rules, who))
    base = rules.data.attack.spell_dc + trained + rules.modifier_of(creature, ability)
    return base + sum(change.value for change in changes)


def fixed_dc(lookup: Lookup, rules: RuleSystem, by: str, dc: int, tags: tuple[str, ...] = ()) -> int:
    """Return the DC of a combatant's feature, modified by its conditions, or 0 if the DC is unknown."""
    if not dc or lookup.get(Combatant, by) is None:
        return dc
    return changed_dc(lookup, rules, by, ExplainedNumber(dc, (Modifier(dc, "why.dc"),)), tags).total


def changed_dc(
    lookup: Lookup, rules: RuleSystem, by: str, dc: ExplainedNumber, tags: tuple[str, ...] = ()
) -> ExplainedNumber:
    """Return the DC of a combatant's feature with its reasons, and the changes by its conditions after them.

    The DC of a spell follows its caster's ability and proficiency bonus.
    """
    ability = creature_of(lookup, lookup.need(Combatant, by)).spellcasting if "spell" in tags else ""
    moved = (*ability_change(lookup, rules, by, ability), *proficiency_change(lookup, rules, by)) if ability else ()
    own, context = Modifier(dc.total + sum(each.value for each in moved), "why.dc"), HookContext(by, "dc", tags=tags)
    changed = changed_number(lookup, rules, by, "dc", own, context)
    return msgspec.structs.replace(changed, parts=(*dc.parts, *moved, *changed.parts[1:]))


def succeeds(lookup: Lookup, rules: RuleSystem, action_check: ActionCheck, total: int, threshold: int) -> bool:
    """Return whether a total meets its DC or wins its contest.

    A tie succeeds unless the check's house rule makes it fail.
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
