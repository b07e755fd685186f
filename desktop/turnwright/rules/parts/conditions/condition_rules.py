"""The effects of conditions and features, from their data rules: edges, modifiers, speeds and denials.

The data rules of a stat block's features, collected once for each stat block.

Effects that a system's sources name but don't describe. They are suggested on rolls, not applied.

Requirements of actions, and the vetoes if they aren't met.

Predicates: whether a statement in the data is true, false or unknown (`rules.system_data.statements`).

Each predicate is compiled once from the syntax tree of its statement, so evaluating it parses no text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import msgspec

from turnwright.dice.expression import DeclinableModifier, Edge, EdgeKind, Modifier
from turnwright.encounter.data_rules import DataRule, DataRuleKind
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.procedure_state.effects import LINGERING_CONDITIONS, LingeringConditions
from turnwright.encounter.running import Combatant, Effect, Relation, Track, track_id
from turnwright.encounter.state import Lookup, active_slot, clock_of, is_out_of_play, scene_of, track_value
from turnwright.rules.parts import positions
from turnwright.rules.parts.combatants.facts import (
    SUFFERED,
    cannot_act,
    condition_names,
    conditions_with_effects,
    count_sources,
    gear_of,
    is_working_device,
    phases_in_force,
    speeds_of,
    switched_off,
    wanted_plays,
)
from turnwright.rules.parts.environment.entries import current_map, space_side
from turnwright.rules.parts.positions.geometry import straight_feet_towards
from turnwright.rules.parts.positions.sight import light_at, obscured_between
from turnwright.rules.system import (
    NO_RESULT,
    HookContext,
    HookResult,
    OpenModifier,
    RollGrant,
    RuleSystem,
    StartProcedure,
    Veto,
    apply_stacking,
    creature_of,
    label_of,
)
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.system_data.numbers import ActionOption, Requirement
from turnwright.rules.system_data.statements import (
    FACTS,
    Compound,
    Fact,
    Statement,
    StatementError,
    facts_in,
    parse_statement,
)

Predicate = Callable[[Lookup, RuleSystem, str, HookContext], bool | None]
PairPredicate = Callable[[Lookup, RuleSystem, str, str, int, HookContext], bool | None]
SinglePredicate = Callable[[Lookup, RuleSystem, str, Fact, HookContext], bool | None]


def evaluate(
    lookup: Lookup, rules: RuleSystem, who: str, statement: str | Statement | Fact, context: HookContext
) -> bool | None:
    """Return whether a statement is true of a combatant, or None if that depends on an unknown fact."""
    return _predicate_of(statement)(lookup, rules, who, context)


def is_true_of(lookup: Lookup, rules: RuleSystem, who: str, text: str, context: HookContext | None = None) -> bool:
    """Return whether a statement in an encounter's own data is true of a combatant. A malformed statement is false."""
    try:
        return evaluate(lookup, rules, who, text, context or HookContext(who)) is True
    except StatementError:
        return False


def is_there(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature) -> bool:
    """Return whether a feature is currently available to a combatant: its statement isn't known to be false."""
    if not feature.only:
        return True
    try:
        return evaluate(lookup, rules, who, feature.only, HookContext(who, "feature")) is not False
    except StatementError:
        return True


@lru_cache(4096)
def _predicate_of(statement: str | Statement | Fact) -> Predicate:
    if isinstance(statement, str):
        statement = parse_statement(statement)
    return _compiled(statement.tree if isinstance(statement, Statement) else statement)


def _compiled(tree: Fact | Compound) -> Predicate:
    if isinstance(tree, Fact):
        return _compiled_fact(tree)
    parts = tuple(_compiled(part) for part in sorted(tree.parts, key=_effort))  # the order doesn't affect the answer
    decisive = tree.either

    def predicate(lookup: Lookup, rules: RuleSystem, who: str, context: HookContext) -> bool | None:
        answer: bool | None = not decisive
        for part in parts:
            result = part(lookup, rules, who, context)
            if result is decisive:
                return result
            if result is None:
                answer = None
        return answer

    return predicate


def _effort(part: Fact | Compound) -> int:
    """Rank a fact by the effort to evaluate it: facts about a roll first, then about one combatant, then about two."""
    if isinstance(part, Compound):
        return max(map(_effort, part.parts), default=0)
    if part.word and FACTS[part.word].about == "roll":
        return 0
    return 2 if part.word in PAIR_PREDICATES else 1


def _compiled_fact(fact: Fact) -> Predicate:
    """Return the predicate of a single fact. Facts entered for this roll override all others."""
    name, negated = fact.name, fact.negated
    subject = _SUBJECTS.get(fact.subject)
    ask = _question(fact)
    answers = _entered_answers(name)
    mentioned = frozenset(tag for _, tag, _ in answers)

    def predicate(lookup: Lookup, rules: RuleSystem, who: str, context: HookContext) -> bool | None:
        if subject is not None:
            who = subject(context)
            if not who:
                return None
        tags = context.tags
        if not mentioned.isdisjoint(tags):
            sides = {True: context.attacker, False: context.target}
            for attacks, tag, answer in answers:
                if tag in tags and who == sides[attacks]:
                    return answer is not negated
            if ask is None:
                return (name in tags) is not negated
        elif ask is None:
            return negated
        holds = ask(lookup, rules, who, context)
        return holds if holds is None else holds is not negated

    return predicate


def _entered_answers(name: str) -> tuple[tuple[bool, str, bool], ...]:
    """Return each tag that can answer a fact, with its side (True: the attacker) and its answer.

    Negative answers come first. Only tags about the attacker may omit their subject.
    """
    owners = ((True, "attacker."), (True, ""), (False, "target."))
    return tuple((attacks, f"{sign}{owner}{name}", not sign) for sign in ("not ", "") for attacks, owner in owners)


def _question(fact: Fact) -> Predicate | None:
    """Return the predicate of a fact without its subject and negation, or None if only tags can answer it."""
    if fact.word and FACTS[fact.word].about == "roll":
        return _open_fact(fact) if FACTS[fact.word].open else None
    if fact.word in PAIR_PREDICATES:
        of_pair, number = PAIR_PREDICATES[fact.word], fact.number

        def ask_pair(lookup: Lookup, rules: RuleSystem, who: str, context: HookContext) -> bool | None:
            other = _counterpart(who, context)
            return of_pair(lookup, rules, who, other, number, context) if other else None

        return ask_pair
    of_one = SINGLE_PREDICATES[fact.word]
    return lambda lookup, rules, who, context: of_one(lookup, rules, who, fact, context)


def _open_fact(fact: Fact) -> Predicate:
    """Return the predicate of an open fact without a tag: unknown, or false if other facts of its word are settled."""
    others = f"{fact.word}:"
    perhaps = f"perhaps {fact.name}"

    def ask(lookup: Lookup, rules: RuleSystem, who: str, context: HookContext) -> bool | None:
        settled = bool(fact.argument) and any(tag.startswith(others) for tag in context.tags)
        return False if settled and perhaps not in context.tags else None

    return ask


_SUBJECTS: Final[Mapping[str, Callable[[HookContext], str]]] = MappingProxyType({
    "attacker": lambda context: context.attacker,
    "target": lambda context: context.target,
    "other": lambda context: context.other,
    "source": lambda context: context.effect.by if context.effect else "",
})  # fmt: skip


def _counterpart(who: str, context: HookContext) -> str:
    return context.other if who == context.who else context.who


def _larger(lookup: Lookup, rules: RuleSystem, who: str, other: str, steps: int, _: HookContext) -> bool:
    return positions.size_index(lookup, rules, who) - positions.size_index(lookup, rules, other) >= (steps or 1)


def _within(lookup: Lookup, rules: RuleSystem, who: str, other: str, feet: int, _: HookContext) -> bool | None:
    return positions.is_within(lookup, rules, who, other, feet)


def _higher(lookup: Lookup, rules: RuleSystem, who: str, other: str, feet: int, _: HookContext) -> bool | None:
    above = positions.height_above(lookup, who, other)
    return None if above is None else above >= feet


def _ally_at_target(
    lookup: Lookup, rules: RuleSystem, who: str, other: str, feet: int, context: HookContext
) -> bool | None:
    """Return whether an ally that can act is within `feet` of the other combatant."""
    return _has_allies(
        lookup, rules, who, other, 1, feet, lambda ally: _within(lookup, rules, ally, other, feet, context)
    )


def _allies_reaching(
    lookup: Lookup, rules: RuleSystem, who: str, other: str, count: int, _: HookContext
) -> bool | None:
    """Return whether at least `count` allies have the other combatant within reach."""
    feet = positions.longest_reach(lookup, rules)
    return _has_allies(
        lookup, rules, who, other, count, feet, lambda ally: positions.in_reach(lookup, rules, ally, other)
    )


def _has_allies(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    other: str,
    count: int,
    feet: int,
    is_near: Callable[[str], bool | None],
) -> bool | None:
    """Return whether at least `count` allies that can act are near the other combatant, or None if unknown.

    This runs for every roll, so it doesn't examine distant combatants.
    """
    side = lookup.need(Combatant, who).side
    field = current_map(lookup) if positions.space(lookup, rules, other) is not None else None
    stated = {id for pair in lookup.all(Relation) if other in (pair.who, pair.other) for id in (pair.who, pair.other)}
    sure = possible = 0
    for combatant in positions.possibly_within(lookup, rules, other, feet):
        if combatant.side != side or combatant.bystander or combatant.id in (who, other):
            continue
        if field is None and combatant.id not in stated:
            possible += possible < count and _is_able(lookup, rules, combatant.id)
            continue
        near = is_near(combatant.id)
        if near is not False and _is_able(lookup, rules, combatant.id):
            sure, possible = sure + (near is True), possible + 1
            if sure >= count:
                return True
    return None if possible >= count else False


def _is_able(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant can act."""
    return not cannot_act(lookup, who) and rules.role("incapacitated") not in condition_names(lookup, rules, who)


PAIR_PREDICATES: Mapping[str, PairPredicate] = MappingProxyType({
    "within": _within,
    "higher": _higher,
    "lower": lambda lookup, rules, one, other, feet, moment: _higher(lookup, rules, other, one, feet, moment),
    "larger": _larger,
    "smaller": lambda lookup, rules, one, other, steps, moment: _larger(lookup, rules, other, one, steps, moment),
    "sees": lambda lookup, rules, one, other, _n, _m: positions.sees(lookup, rules, one, other),
    "flanks": lambda lookup, rules, one, other, _n, _m: positions.flanks(lookup, rules, one, other),
    "reaches": lambda lookup, rules, one, other, _n, _m: positions.in_reach(lookup, rules, one, other),
    "hostile": lambda lookup, _r, one, other, _n, _m: positions.are_hostile(lookup, one, other),
    "hidden-from": lambda lookup, rules, one, other, _n, _m: positions.is_hidden_from(lookup, rules, one, other),
    "ally-at-target": _ally_at_target,
    "allies-reaching": _allies_reaching,
    "is-source": lambda _l, _r, one, _o, _n, moment: moment.effect is not None and moment.effect.by == one,
})  # fmt: skip


def _level(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    name = context.effect.name if context.effect else ""
    track = lookup.get(Track, f"{who}.{name}")
    value = track.value if track else context.effect.value if context.effect else 0
    return value >= fact.number


def _track(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    track = lookup.get(Track, f"{who}.{fact.argument}")
    return track is not None and track.value >= (fact.number or 1)


def _speed_zero(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    allowance = rules.allowance(lookup, rules, who, fact.argument or "walk")
    return allowance is None or allowance.total <= 0


def _proficient(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return fact.argument in dict(creature.skills) or fact.argument in dict(creature.saves)


def _scene(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    scene = scene_of(lookup)
    return fact.argument in scene.suspended or (fact.argument == "rolling" and scene.rolling)


def _threatened(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return whether a combatant is within the reach of an enemy that is up."""
    answers = [
        positions.in_reach(lookup, rules, combatant.id, who)
        for combatant in lookup.all(Combatant)
        if positions.are_hostile(lookup, combatant.id, who) and not combatant.dead and combatant.hp > 0
    ]
    return True if any(answers) else None if None in answers else False


def _unspent(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    """Return whether a resource of the turn (`bonus`) is still unspent."""
    track = lookup.get(Track, f"{who}.{fact.argument}")
    return track is None or track.value >= track.maximum


def _task(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return whether a check is for the task of an effect, or None if the check's task is unknown."""
    task = (context.effect.end_condition if context.effect else "").casefold()
    tasks = [tag.removeprefix("task:").casefold() for tag in context.tags if tag.startswith("task:")]
    return None if not tasks else not task or task in tasks


def _adjacent(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return whether two combatants are adjacent. Without a grid, the game master has to enter this.

    This is only checked under the house rule `fact.argument`. Without that rule, the result is always true.
    """
    other = _counterpart(who, context)
    if not rules.has_option(lookup, fact.argument) or not other:
        return True
    if positions.space(lookup, rules, who) is None or positions.space(lookup, rules, other) is None:
        pairs = (positions.stated_relation(lookup, who, other), positions.stated_relation(lookup, other, who))
        return any(pair is not None and pair.reached is True for pair in pairs)
    return _within(lookup, rules, who, other, rules.data.places.near, context)


def _within_half(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return whether the distance to the other combatant is at most half of a combatant's ability modifier."""
    feet = positions.distance(lookup, rules, who, _counterpart(who, context)) if _counterpart(who, context) else None
    if feet is None:
        return None
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return feet <= rules.half(lookup, rules.modifier_of(creature, fact.argument))


def _covered(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return whether a combatant has at least this cover against the other one. Total cover doesn't count."""
    entered_grade = next((tag.removeprefix("cover:") for tag in context.tags if tag.startswith("cover:")), "")
    other = _counterpart(who, context)
    grade = entered_grade or (positions.cover_of(lookup, rules, other, who, context.tags) if other else "none")
    grades = ("none", "half", "three-quarters")
    return grade in grades and grades.index(grade) >= grades.index(fact.argument)


def _is_wounded(lookup: Lookup, who: str, share: int) -> bool | None:
    """Return whether a combatant's hit points are below the maximum, or at most half of it if `share` is 2."""
    combatant = lookup.need(Combatant, who)
    if combatant.hp_max <= 0:
        return None
    return combatant.hp < combatant.hp_max if share == 1 else combatant.hp * share <= combatant.hp_max


def _in_light(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return whether a combatant is in this light, or None if its place is obscured or may be in sunlight."""
    light = light_at(lookup, rules, who)
    if obscured_between(lookup, rules, who, who) != "clear":
        return False if fact.argument == "sunlight" else None
    if fact.argument == "sunlight" and light == "bright":
        return None
    return light == fact.argument or (fact.argument == "bright" and light == "sunlight")


def _acted(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    slot = active_slot(lookup)
    return lookup.need(Combatant, who).turns_ended > 0 or (slot is not None and who in slot.members)


def _moved_straight(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return whether a combatant has just moved at least the fact's number of feet straight towards the other."""
    other = _counterpart(who, context)
    if not other:
        return None
    if positions.space(lookup, rules, who) is None or positions.space(lookup, rules, other) is None:
        is_counted = not rules.data.movement.bought
        return False if is_counted and track_value(lookup, who, "moved") < fact.number else None
    return straight_feet_towards(lookup, rules, who, other) >= fact.number


def _has_source(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    return count_sources(lookup, who, fact.word, fact.argument) > 0


def _source_unseen(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    """Return whether a combatant is known not to see the creator of an effect on it."""
    source = context.effect.by if context.effect is not None else ""
    is_other = bool(source) and source != who and lookup.get(Combatant, source) is not None
    return is_other and positions.sees(lookup, rules, who, source) is False


def _suffered(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    return any((effect.name, effect.source) == (SUFFERED, fact.argument) for effect in lookup.of(Effect, who))


def _used(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    track = lookup.get(Track, f"{who}.uses.{fact.argument}") or lookup.get(Track, f"{who}.recharge.{fact.argument}")
    return track is not None and track.value < track.maximum


SINGLE_PREDICATES: Mapping[str, SinglePredicate] = MappingProxyType({
    "adjacent": _adjacent,
    "within-half": _within_half,
    "covered": _covered,
    "unspent": _unspent,
    "task": _task,
    "specialty": lambda lookup, _r, who, fact, _m: fact.argument in creature_of(
        lookup, lookup.need(Combatant, who)
    ).specialties,
    "threatened": _threatened,
    "skilled": lambda _l, _r, _w, _d, moment: ":" in moment.subject,
    "level": _level,
    "track": _track,
    "has-speed": lambda lookup, rules, who, fact, _m: fact.argument in speeds_of(lookup, rules, who),
    "speed-zero": _speed_zero,
    "proficient": _proficient,
    "scene": _scene,
    "option": lambda lookup, rules, _w, fact, _m: rules.has_option(lookup, fact.argument),
    "hovers": lambda lookup, _r, who, _d, _m: creature_of(lookup, lookup.need(Combatant, who)).hovers,
    "suffered": _suffered,
    "used": _used,
    "phase": lambda lookup, _r, who, fact, _m: any(
        phase.id == fact.argument for phase in phases_in_force(lookup, who)
    ),
    "dealt": lambda _l, _r, _w, fact, moment: moment.amount >= fact.number,
    "hurt": lambda lookup, _r, who, _d, _m: _is_wounded(lookup, who, 1),
    "bloodied": lambda lookup, _r, who, _d, _m: _is_wounded(lookup, who, 2),
    "in": _in_light,
    "moved-straight": _moved_straight,
    "first-round": lambda lookup, _r, _w, _d, _m: clock_of(lookup).round <= 1,
    "acted": _acted,
    "dead": lambda lookup, _r, who, _d, _m: lookup.need(Combatant, who).dead,
    "down": lambda lookup, _r, who, _d, _m: lookup.need(Combatant, who).hp <= 0,
    "working-device": lambda lookup, rules, who, _d, _m: is_working_device(lookup, rules, who),
    "ridden": lambda lookup, _r, who, _d, _m: any(rider.rides == who for rider in lookup.all(Combatant)),
    "riding": lambda lookup, _r, who, _d, _m: bool(lookup.need(Combatant, who).rides),
    "gear": lambda lookup, _r, who, fact, _m: fact.argument in gear_of(lookup, who),
    "resistant": _has_source,
    "vulnerable": _has_source,
    "immune": _has_source,
    "source-unseen": _source_unseen,
    "": lambda lookup, rules, who, fact, _m: (  # gear, a specialty or a condition with this id
        fact.argument in gear_of(lookup, who) or fact.argument in condition_names(lookup, rules, who)
    ),
    "condition": lambda lookup, rules, who, fact, _m: fact.argument in condition_names(lookup, rules, who),
})  # fmt: skip


_MOST_KEPT = 2048  # maximum number of cached stat blocks, more than any encounter has


class FeatureRules(NamedTuple):
    """The rules of a stat block's traits in order, their subjects, and the words in their statements."""

    rules: tuple[tuple[Feature, DataRule], ...] = ()
    subjects: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


Automation = Literal["", "acts", "asks", "reminds", "off"]
# Facts that depend on rules of a certain kind. The statements of these rules can't use them.
_DECIDED_BY: Mapping[str, Collection[str]] = {
    "speed": ("speed-zero",),
    "senses": ("sees", "hidden-from", "source-unseen", "flanks", "covered", "threatened"),
}
_SIGHT = frozenset({"being-flanked", "being-seen", "being-targeted", "flanking", "sight"})
NONE = FeatureRules()
# Keyed by identity, because comparing stat blocks compares all fields, and by the default setting of features.
_kept: dict[tuple[int, str], tuple[Creature, FeatureRules]] = {}


def feature_rules_of(lookup: Lookup, who: str, automation: Automation = "") -> FeatureRules:
    """Return the rules of a combatant's traits. `automation` applies to features without a setting of their own."""
    combatant = lookup.get(Combatant, who)
    return NONE if combatant is None else compiled_rules(creature_of(lookup, combatant), automation)


def compiled_rules(creature: Creature, automation: Automation = "") -> FeatureRules:
    """Return the rules of a stat block's traits, except those with malformed statements."""
    key = (id(creature), automation)
    cached = _kept.get(key)
    if cached is not None and cached[0] is creature:
        return cached[1]
    pairs = tuple(
        (each, rule) for each in creature.features for rule in rules_in_force(each, automation) if _is_usable(rule)
    )
    words = frozenset(
        fact.word for feature in creature.features for text in _statements(feature) for fact in facts_in(text)
    )
    compiled = FeatureRules(pairs, frozenset(rule.what for _, rule in pairs), words) if pairs or words else NONE
    if len(_kept) >= _MOST_KEPT:
        _kept.clear()
    _kept[key] = creature, compiled
    return compiled


def rules_in_force(feature: Feature, automation: Automation = "") -> tuple[DataRule, ...]:
    """Return the rules that a feature applies automatically. Only traits that have no trigger do so.

    The rules apply only while the feature is available. If it `asks`, the game master also has to choose it. A feature
    that `reminds` is mentioned on rolls but changes nothing.
    """
    automation = automation if automation == "off" else feature.automation or automation
    if feature.cost != "trait" or feature.trigger or automation == "off":
        return ()
    chosen_fact = f"chosen:{feature.id}" if automation == "asks" else ""
    rules = []
    for rule in feature.rules:
        when = ", ".join(part for part in (_bracketed(feature.only), _bracketed(rule.when), chosen_fact) if part)
        if automation == "reminds":
            rules.append(DataRule("modifier", rule.what, when=when))
        else:
            rules.append(msgspec.structs.replace(rule, when=when) if when != rule.when else rule)
    return tuple(rules)


def _bracketed(text: str) -> str:
    return f"({text})" if "|" in text else text


def _statements(feature: Feature) -> Iterator[str]:
    whens = (
        feature.when,
        feature.only,
        *(rule.when for rule in feature.rules),
        *(damage.when for damage in feature.other_damage),
    )
    return (text for text in whens if text)


def _is_usable(rule: DataRule) -> bool:
    """Return whether a rule's statement can be parsed and doesn't depend on the rule's own result."""
    try:
        words = {fact.word for fact in parse_statement(rule.when).facts}
    except StatementError:
        return False
    return words.isdisjoint(_DECIDED_BY.get("senses" if rule.kind == "deny" and rule.what in _SIGHT else rule.kind, ()))


NONE_OF_THEM: frozenset[str] = frozenset()
GRANT = "grant"  # kind of data rules with which a condition grants another


class RuleInForce(NamedTuple):
    """A data rule in force for a combatant, with its source and the context in which it applies."""

    source: Condition | Feature
    rule: DataRule
    context: HookContext

    @property
    def reason(self) -> str:
        """Return the reason to show: the rule's own text, or the name of its condition or feature."""
        return self.rule.text or self.source_name

    @property
    def source_name(self) -> str:
        """Return the name of the rule's condition or feature."""
        return self.source.name if isinstance(self.source, Feature) else f"<condition.{self.source.id}>"

    @property
    def ledger(self) -> str:
        """Return the ledger id of the rule."""
        return self.rule.ledger if isinstance(self.source, Feature) else condition_rule_id(self.source, self.rule)

    @property
    def amount(self) -> int:
        """Return the amount that the rule adds at the condition's current value."""
        return self.rule.amount_at(self.context.effect.value if self.context.effect is not None else 0)

    @property
    def modifier(self) -> Modifier:
        """Return the rule as a modifier with its reason."""
        return Modifier(self.amount, self.reason, self.ledger, self.rule.type)


def data_rules(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    subjects: Collection[str],
    context: HookContext | None = None,
    kind: DataRuleKind | Literal[""] = "",
) -> Iterator[RuleInForce]:
    """Yield a combatant's data rules in force about any of the subjects, optionally only those of one kind.

    The system's standing rules, which apply to every combatant, come first. Features come last.
    """
    for in_force in rules_held(lookup, rules, who, subjects, context or HookContext(who), kind):
        if not in_force.rule.when or evaluate(lookup, rules, who, in_force.rule.when, in_force.context):
            yield in_force


def rules_held(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    subjects: Collection[str],
    about: HookContext,
    kind: DataRuleKind | Literal[""] = "",
) -> Iterator[RuleInForce]:
    """Yield a combatant's data rules about any of the subjects, including those whose statements aren't true."""
    for condition, rule in rules.standing_rules.get(kind, ()):
        if rule.what in subjects:
            yield RuleInForce(condition, rule, about)
    for name, effect in conditions_with_effects(lookup, rules, who):
        if name in rules.conditions:
            condition = rules.conditions[name]
            here = None
            for rule in condition.rules:
                if rule.what in subjects and kind in ("", rule.kind):
                    here = here or msgspec.structs.replace(about, effect=effect)
                    yield RuleInForce(condition, rule, here)
    if feature_rules_of(lookup, who).subjects.isdisjoint(subjects):
        return
    off = switched_off(lookup, who)
    for feature, rule in feature_rules_of(lookup, who, wanted_plays(lookup, rules)).rules:
        is_meant = rule.what in subjects and kind in ("", rule.kind) and feature.id not in off
        if is_meant and _has_uses(lookup, who, feature):
            yield RuleInForce(feature, rule, about)


def _has_uses(lookup: Lookup, who: str, feature: Feature) -> bool:
    """Return whether a feature with limited uses has one left."""
    track = lookup.get(Track, track_id(who, f"uses.{feature.id}")) if feature.uses else None
    return track is None or track.value > 0


def data_rules_on(
    lookup: Lookup, rules: RuleSystem, who: str, kind: DataRuleKind, what: str, context: HookContext | None = None
) -> Iterator[RuleInForce]:
    """Yield a combatant's data rules in force of one kind about a number or roll."""
    return data_rules(lookup, rules, who, (what,), context, kind)


def condition_rule_id(condition: Condition, rule: DataRule | None = None) -> str:
    """Return the ledger id for a condition's effect: the data rule's own, or else the condition's first."""
    own = rule.ledger if rule is not None else ""
    return own or (condition.ledger[0] if condition.ledger else "")


def on_rolls(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the contributions of conditions and standing rules to a roll, at CHECK_MADE.

    Initiative counts as a check. A data rule's `what` is the roll itself (`check.dex:stealth`), a broader name
    (`check.dex`, `check`), or `d20` for any roll.
    """
    names = roll_names(context)
    edges: list[Edge] = []
    modifiers: list[Modifier] = []
    grants: list[RollGrant] = []
    used: list[str] = []
    unsettled: list[OpenModifier] = []
    for held_rule in rules_held(lookup, rules, context.who, names, context):
        _, rule, about = held_rule
        holds = evaluate(lookup, rules, context.who, rule.when, about) if rule.when else True
        if not holds:
            if holds is None and isinstance(held_rule.source, Feature):
                unsettled += _open_modifiers(lookup, rules, held_rule)
            continue
        if rule.kind in ("advantage", "disadvantage"):
            edge = Edge("advantage" if rule.kind == "advantage" else "disadvantage", held_rule.reason, held_rule.ledger)
            edges += [edge] * _repetitions(lookup, rules, rule, about)
        elif rule.kind == "modifier":
            modifiers.append(held_rule.modifier)
        elif rule.kind in ("expertise", "critical", "fail", "ask", "flat"):
            steps = (rule.set or 0) if rule.kind == "flat" else rule.times
            grants.append(RollGrant(rule.kind, held_rule.reason, held_rule.ledger, steps))
        else:
            continue
        if about.effect is not None and about.effect.uses_left:
            used.append(about.effect.id)
    if not (edges or modifiers or grants or unsettled):
        return NO_RESULT
    return HookResult(
        tuple(modifiers),
        tuple(edges),
        grants=tuple(grants),
        consumed_effects=tuple(used),
        open_modifiers=tuple(unsettled),
    )


def _open_modifiers(lookup: Lookup, rules: RuleSystem, in_force: RuleInForce) -> Iterator[OpenModifier]:
    """Yield a rule's edge or modifier that depends on unknown facts, with the names of these facts."""
    who, about, kind = in_force.context.who, in_force.context, in_force.rule.kind
    facts = (fact for fact in facts_in(in_force.rule.when) if evaluate(lookup, rules, who, fact, about) is None)
    depends_on = ", ".join(dict.fromkeys(fact.name.replace(":", " ").replace("-", " ") for fact in facts))
    if kind == "modifier":
        yield OpenModifier(in_force.modifier, depends_on)
    elif kind in ("advantage", "disadvantage"):
        edge: EdgeKind = "advantage" if kind == "advantage" else "disadvantage"
        yield OpenModifier(Edge(edge, in_force.reason, in_force.ledger), depends_on)


def number_modifiers(
    lookup: Lookup, rules: RuleSystem, who: str, what: str, context: HookContext | None = None
) -> tuple[Modifier, ...]:
    """Return the modifiers of conditions and standing rules to a combatant's `ac`, `dc` or `damage`."""
    return tuple(in_force.modifier for in_force in data_rules_on(lookup, rules, who, "modifier", what, context))


def _repetitions(lookup: Lookup, rules: RuleSystem, rule: DataRule, context: HookContext) -> int:
    """Return the number of times a rule counts for a roll: once, or once per size by which the combatant is larger."""
    if rule.per != "size":
        return 1
    if not context.other:
        return 0
    return max(0, int(space_side(lookup, rules, context.who) - space_side(lookup, rules, context.other)))


def roll_names(context: HookContext) -> set[str]:
    """Return every name that data rules can use for a roll, from `check.dex:stealth` to `d20`."""
    broad = context.subject.partition(":")[0]
    names = {context.subject, broad, broad.partition(".")[0]}
    if not context.subject.endswith("-against"):
        names.add("d20")
    if context.initiative:
        names.add("initiative")
    return names


def on_actions(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the vetoes of conditions that deny a resource, at ACTION_DECLARED."""
    denials = data_rules_on(lookup, rules, context.who, "deny", context.subject, context)
    vetoes = tuple(
        condition_veto(lookup, context.who, denial.source_name, denial.ledger, denial.context.effect)
        for denial in denials
    )
    return HookResult(vetoes=vetoes) if vetoes else NO_RESULT


def condition_veto(lookup: Lookup, who: str, source: str, rule: str, effect: Effect | None = None) -> Veto:
    """Return the veto of a condition or feature on a combatant's action.

    The veto mentions the end of the effect if that is soon.
    """
    params = (("who", label_of(lookup, who)), ("condition", source))
    if effect is None or effect.ends.moment == "never" or effect.ends.skip:
        return Veto("refused.condition", rule, params)
    own = "own-" if effect.ends.who == who else ""
    return Veto("refused.condition_until", rule, (*params, ("until", f"<ends.{own}{effect.ends.moment}>")))


def on_gained(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the procedure that applies the lingering conditions of a new condition, at EFFECT_GAINED."""
    condition = rules.conditions.get(context.subject)
    if condition is None or is_out_of_play(lookup, context.who):
        return NO_RESULT
    if not lingering_rules(lookup, rules, context.who, context.subject):
        return NO_RESULT
    data = LingeringConditions(context.who, context.subject, condition_rule_id(condition))
    return HookResult(procedures=(StartProcedure(LINGERING_CONDITIONS, data),))


def lingering_rules(lookup: Lookup, rules: RuleSystem, who: str, name: str) -> tuple[DataRule, ...]:
    """Return a condition's rules that grant other conditions, unless the combatant has them or is immune to them."""
    granted = [rule for rule in rules.conditions[name].rules if rule.kind == GRANT]
    under = condition_names(lookup, rules, who) if granted else set()
    return tuple(rule for rule in granted if rule.what not in under and not is_immune_to(lookup, who, rule.what))


def feature_subjects(
    lookup: Lookup, rules: RuleSystem, who: str, kind: DataRuleKind, subjects: Collection[str]
) -> frozenset[str]:
    """Return those of the subjects that a combatant's features affect by rules of one kind."""
    if feature_rules_of(lookup, who).subjects.isdisjoint(subjects):  # this runs for all combatants on each attack
        return NONE_OF_THEM
    in_force_rules = data_rules(lookup, rules, who, subjects, kind=kind)
    return frozenset(in_force.rule.what for in_force in in_force_rules if isinstance(in_force.source, Feature))


def spared_share(lookup: Lookup, rules: RuleSystem, who: str, save: str, share: str, *, saved: bool) -> tuple[str, str]:
    """Return the share of damage that a combatant takes after a save, and the reason if a rule reduces it."""
    for name in (f"save.{save}", "save"):
        for in_force in data_rules_on(lookup, rules, who, "evasion", name):
            if saved and share == "half":
                return "none", in_force.reason
            if not saved and (in_force.rule.times, in_force.rule.over) == (1, 2) and share in ("full", "double"):
                return ("half" if share == "full" else "full"), in_force.reason
    return share, ""


def speed_modifiers(
    lookup: Lookup, rules: RuleSystem, who: str, base: int, *, multiplied: bool = True
) -> tuple[list[Modifier], bool]:
    """Return the modifiers of conditions to a speed in feet, and whether one of them overrides all others.

    Without `multiplied`, omit modifiers that multiply the speed.
    """
    parts: list[Modifier] = []
    total = base
    speed_rules = list(data_rules_on(lookup, rules, who, "speed", "speed"))
    for in_force in sorted(speed_rules, key=lambda in_force: in_force.rule.times > 1):  # multipliers come last
        rule = in_force.rule
        if rule.set is None and (multiplied or rule.times == 1):
            by = total * rule.times // rule.over - total + in_force.amount
            total += by
            parts.append(msgspec.structs.replace(in_force.modifier, value=by))
    fixed = [(in_force.rule.set, in_force) for in_force in speed_rules if in_force.rule.set is not None]
    if fixed:
        feet, least = min(fixed, key=lambda pair: pair[0])
        return [Modifier(feet, least.reason, least.ledger)], True
    return list(apply_stacking(parts)) if rules.data.checks.typed else parts, False


def is_immune_to(lookup: Lookup, who: str, condition: str) -> bool:
    """Return whether a combatant is immune to a condition."""
    return count_sources(lookup, who, "immune", condition) > 0


def suggested_effects(rules: RuleSystem, *results: HookResult) -> tuple[DeclinableModifier, ...]:
    """Return the effects of external rules on a roll as declinable modifiers, one for each rule.

    If several conditions share a rule, each of them has its own modifier.
    """
    offers: dict[str, DeclinableModifier] = {}
    for result in results:
        sources: tuple[Modifier | Edge | RollGrant, ...]
        grants = (grant for grant in result.grants if grant.kind != "flat")  # a flat check has a separate card
        sources = (*result.modifiers, *result.edges, *grants)
        for source in sources:
            if source.rule in rules.external_rules:
                is_shared = sum(source.rule in condition.ledger for condition in rules.conditions.values()) > 1
                offered = DeclinableModifier(source.reason, source.rule, is_shared)
                offers[offered.id] = offered
    return tuple(offers.values())


def unmet_requirements(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> Iterator[Veto]:
    """Yield the vetoes from an action's requirements that concern only its actor, whatever it costs."""
    for requirement in option.requires:
        if not requirement.of and not requirement.only:
            yield from unmet_requirement(lookup, rules, who, requirement, "")


def unmet_requirement(
    lookup: Lookup, rules: RuleSystem, who: str, requirement: Requirement, other: str
) -> Iterator[Veto]:
    """Yield the veto if a requirement isn't met. An unknown fact forbids nothing."""
    if evaluate(lookup, rules, who, requirement.when, HookContext(who, "action", other=other)) is False:
        label = lookup.need(Combatant, who).label
        target = lookup.get(Combatant, other) if other else None
        argument = requirement.when.facts[0].argument  # such as the 5 of `within:5`
        params = (("who", label), ("target", target.label if target else ""), ("figure", argument))
        yield Veto(requirement.reason, requirement.ledger, params)
