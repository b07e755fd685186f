"""Predicates: whether a statement in the data is true, false or unknown (`rules.system_data.statements`).

Each predicate is compiled once from the syntax tree of its statement, so evaluating it parses no text.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Effect, Relation, Track
from turnwright.encounter.state import Lookup, active_slot, clock_of, effect_value, scene_of, track_value
from turnwright.rules.parts.combatants import facts
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.positions import geometry, sight
from turnwright.rules.system import HookContext, RuleSystem, creature_of
from turnwright.rules.system_data.statements import FACTS, Compound, Fact, Statement, StatementError, parse_statement
from turnwright.rules.word_keys import rating_number

MUTUAL: Final = "within:"
REACHING: Final = "reach:"  # the tag of a melee attack, with its reach in feet
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


_MUTUAL = frozenset({"within", "hostile"})


def _entered_answers(name: str) -> tuple[tuple[bool, str, bool], ...]:
    """Return each tag that can answer a fact, with its side (True: the attacker) and its answer.

    Negative answers come first. Only tags about the attacker may omit their subject. A mutual fact, such as a distance, is about both sides.
    """
    owners = [(True, "attacker."), (True, ""), (False, "target.")]
    if name.partition(":")[0] in _MUTUAL:
        owners += [(not attacks, owner) for attacks, owner in owners]
    return tuple((attacks, f"{sign}{owner}{name}", not sign) for sign in ("not ", "") for attacks, owner in owners)


def _question(fact: Fact) -> Predicate | None:
    """Return the predicate of a fact without its subject and negation, or None if only tags can answer it."""
    if fact.word and FACTS[fact.word].about == "roll":
        return _open_fact(fact) if FACTS[fact.word].open else None
    if fact.word in PAIR_PREDICATES:
        of_pair, number = PAIR_PREDICATES[fact.word], fact.number

        def ask_pair(lookup: Lookup, rules: RuleSystem, who: str, context: HookContext) -> bool | None:
            other = context.who if fact.subject == "source" else counterpart(who, context)
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


_SUBJECTS: Final[Mapping[str, Callable[[HookContext], str]]] = {
    "attacker": lambda context: context.attacker,
    "target": lambda context: context.target,
    "other": lambda context: context.other,
    "source": lambda context: context.effect.by if context.effect else "",
}  # fmt: skip


def about(fact: Fact, who: str, context: HookContext) -> str:
    """Return the combatant that a fact in a rule of `who` is about, or an empty string if there is none."""
    subject = _SUBJECTS.get(fact.subject)
    return who if subject is None else subject(context)


def counterpart(who: str, context: HookContext) -> str:
    """Return the combatant on the other side of a context."""
    return context.other if who == context.who else context.who


def _larger(lookup: Lookup, rules: RuleSystem, who: str, other: str, steps: int, _: HookContext) -> bool:
    return geometry.size_index(lookup, rules, who) - geometry.size_index(lookup, rules, other) >= (steps or 1)


def _within(lookup: Lookup, rules: RuleSystem, who: str, other: str, feet: int, context: HookContext) -> bool | None:
    """Return whether two combatants are near each other. At unknown distances, the reach of a melee attack decides."""
    known = geometry.is_within(lookup, rules, who, other, feet)
    return True if known is None and 0 < _struck_from(who, other, context) <= feet else known


def _reaches(lookup: Lookup, rules: RuleSystem, who: str, other: str, _n: int, context: HookContext) -> bool | None:
    """Return whether the other is in reach. At unknown distances, a melee attack shows it."""
    known, feet = geometry.in_reach(lookup, rules, who, other), _struck_from(who, other, context)
    if known is not None or not feet:
        return known
    return True if who == context.attacker or geometry.melee_reach(lookup, rules, who) >= feet else None


def _struck_from(who: str, other: str, context: HookContext) -> int:
    """Return the reach in feet of a melee attack between two combatants, or 0 without one."""
    if {who, other} != {context.who, context.other}:
        return 0
    return next((int(tag.removeprefix(REACHING)) for tag in context.tags if tag.startswith(REACHING)), 0)


def _higher(lookup: Lookup, rules: RuleSystem, who: str, other: str, feet: int, _: HookContext) -> bool | None:
    above = geometry.height_above(lookup, who, other)
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
    feet = geometry.longest_reach(lookup, rules)
    return _has_allies(
        lookup, rules, who, other, count, feet, lambda ally: geometry.in_reach(lookup, rules, ally, other)
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
    field = current_map(lookup) if geometry.space(lookup, rules, other) is not None else None
    stated = {id for pair in lookup.all(Relation) if other in (pair.who, pair.other) for id in (pair.who, pair.other)}
    sure = possible = 0
    for combatant in geometry.possibly_within(lookup, rules, other, feet):
        if combatant.side != side or combatant.bystander or combatant.id in (who, other):
            continue
        if field is None and combatant.id not in stated:
            possible += possible < count and _is_able(lookup, rules, combatant.id)
            if possible >= count and not stated:
                return None
            continue
        near = is_near(combatant.id)
        if near is not False and _is_able(lookup, rules, combatant.id):
            sure, possible = sure + (near is True), possible + 1
            if sure >= count:
                return True
    return None if possible >= count else False


def _is_able(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant can act."""
    return not facts.cannot_act(lookup, who) and rules.role("incapacitated") not in facts.condition_names(
        lookup, rules, who
    )


def _holding(rules: RuleSystem) -> set[str]:
    """Return the conditions of creatures that another creature holds, or to which it clings."""
    return {rules.role("grappled"), rules.role("restrained"), rules.role("clung-to")}


def _has_from(lookup: Lookup, who: str, other: str, conditions: set[str]) -> bool | None:
    """Return whether a combatant has one of these conditions from another, or None if the cause is unknown."""
    creators = {effect.by for effect in lookup.of(Effect, who) if effect.name in conditions}
    return True if other in creators else None if "" in creators else False


PAIR_PREDICATES: Mapping[str, PairPredicate] = {
    "within": _within,
    "higher": _higher,
    "lower": lambda lookup, rules, one, other, feet, moment: _higher(lookup, rules, other, one, feet, moment),
    "larger": _larger,
    "smaller": lambda lookup, rules, one, other, steps, moment: _larger(lookup, rules, other, one, steps, moment),
    "sees": lambda lookup, rules, one, other, _n, _m: sight.sees(lookup, rules, one, other),
    "flanks": lambda lookup, rules, one, other, _n, _m: sight.flanks(lookup, rules, one, other),
    "reaches": _reaches,
    "hostile": lambda lookup, _r, one, other, _n, _m: geometry.are_hostile(lookup, one, other),
    "holds": lambda lookup, rules, one, other, _n, _m: _has_from(lookup, other, one, _holding(rules)),
    "hidden-from": lambda lookup, rules, one, other, _n, _m: sight.is_hidden_from(lookup, rules, one, other),
    "ally-at-target": _ally_at_target,
    "allies-reaching": _allies_reaching,
}  # fmt: skip


def _level(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    return (context.effect.value if context.effect else 0) >= fact.number


def _track(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    counted = 0 if fact.argument in rules.conditions else track_value(lookup, who, fact.argument)
    return max(counted, effect_value(lookup, who, fact.argument)) >= (fact.number or 1)


def _speed_zero(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    allowance = rules.allowance(lookup, rules, who, fact.argument or "walk")
    return allowance is None or allowance.total <= 0


def _proficient(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    creature = creature_of(lookup, lookup.need(Combatant, who))
    name = fact.argument or context.subject.rpartition(":")[2]
    return name in dict(creature.skills) or name in dict(creature.saves)


def _scene(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    scene = scene_of(lookup)
    return fact.argument in scene.suspended or (fact.argument == "rolling" and scene.rolling)


def _threatened(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return whether a combatant is within the reach of an enemy that is up."""
    answers = [
        geometry.in_reach(lookup, rules, combatant.id, who)
        for combatant in lookup.all(Combatant)
        if geometry.are_hostile(lookup, combatant.id, who) and not combatant.dead and combatant.hp > 0
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
    other = counterpart(who, context)
    if not rules.has_option(lookup, fact.argument) or not other:
        return True
    if geometry.space(lookup, rules, who) is None or geometry.space(lookup, rules, other) is None:
        pairs = (geometry.stated_relation(lookup, who, other), geometry.stated_relation(lookup, other, who))
        return any(pair is not None and pair.reached is True for pair in pairs)
    return _within(lookup, rules, who, other, rules.data.places.near, context)


def _within_half(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return whether the distance to the other combatant is at most half of a combatant's ability modifier."""
    feet = geometry.distance(lookup, rules, who, counterpart(who, context)) if counterpart(who, context) else None
    if feet is None:
        return None
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return feet <= rules.half(lookup, rules.modifier_of(creature, fact.argument))


def _covered(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return whether a combatant has at least this cover against the other one. Total cover doesn't count."""
    entered_grade = next((tag.removeprefix("cover:") for tag in context.tags if tag.startswith("cover:")), "")
    other = counterpart(who, context)
    grade = entered_grade or (sight.cover_of(lookup, rules, other, who, context.tags) if other else "none")
    grades = ("none", "half", "three-quarters")
    return grade in grades and grades.index(grade) >= grades.index(fact.argument)


def _is_wounded(lookup: Lookup, who: str, share: int, slack: int = 0) -> bool | None:
    """Return whether a combatant's hit points are below this share of the maximum, with `slack` also if they equal it."""
    combatant = lookup.need(Combatant, who)
    if combatant.hp_max <= 0:
        return None
    return combatant.hp * share < combatant.hp_max + slack


def _in_light(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return whether a combatant is in this light, or None if its place is obscured or may be in sunlight."""
    light = sight.light_at(lookup, rules, who)
    if sight.obscured_between(lookup, rules, who, who) != "clear":
        return False if fact.argument == "sunlight" else None
    if fact.argument == "sunlight" and light == "bright":
        return None if lookup.get(Effect, facts.NO_SUNLIGHT) is None else False
    return light == fact.argument or (fact.argument == "bright" and light == "sunlight")


def _acted(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    slot = active_slot(lookup)
    return lookup.need(Combatant, who).turns_ended > 0 or (slot is not None and who in slot.members)


def _moved_straight(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return whether a combatant has just moved at least the fact's number of feet straight towards the other."""
    other = counterpart(who, context)
    if not other:
        return None
    if geometry.space(lookup, rules, who) is None or geometry.space(lookup, rules, other) is None:
        is_counted = not rules.data.movement.bought
        return False if is_counted and track_value(lookup, who, "moved") < fact.number else None
    return geometry.straight_feet_towards(lookup, rules, who, other) >= fact.number


def _has_source(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    return facts.count_sources(lookup, who, fact.word, fact.argument) > 0


def _source_unseen(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    """Return whether a combatant is known not to see the creator of an effect on it."""
    source = context.effect.by if context.effect is not None else ""
    is_other = bool(source) and source != who and lookup.get(Combatant, source) is not None
    return is_other and sight.sees(lookup, rules, who, source) is False


def _suffered(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    """Return whether a combatant took damage of this type since the start of its last turn, or before this one."""
    marks = [mark for mark in lookup.of(Effect, who) if (mark.name, mark.source) == (facts.SUFFERED, fact.argument)]
    return any(not mark.value or mark.value > lookup.need(Combatant, who).turns_ended for mark in marks)


def _up_to(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    sizes = [size.id for size in rules.data.sizes]
    return fact.argument not in sizes or geometry.size_index(lookup, rules, who) <= sizes.index(fact.argument)


def _rating_below(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    creature = creature_of(lookup, lookup.need(Combatant, who))
    rating = rating_number(creature.rating) if creature.rating else creature.level or None
    return rating < fact.number if rating is not None else None


def _type(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return fact.argument in (creature.type, *creature.tags)


def _gripping(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    """Return whether a combatant's feature with this id holds at least this number of living creatures."""
    features = creature_of(lookup, lookup.need(Combatant, who)).features
    names = {feature.name for feature in features if feature.id == fact.argument}
    mine = (each for each in lookup.all(Effect) if each.by == who and each.source in names)
    held = {each.target for each in mine if each.name in _holding(rules)}
    living = [one for each in held if (one := lookup.get(Combatant, each)) is not None and not one.dead]
    return len(living) >= max(1, fact.number)


def _used(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    track = lookup.get(Track, f"{who}.uses.{fact.argument}") or lookup.get(Track, f"{who}.recharge.{fact.argument}")
    return track is not None and track.value < track.maximum


def _spent(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    track = lookup.get(Track, f"{who}.uses.{fact.argument}") or lookup.get(Track, f"{who}.recharge.{fact.argument}")
    return track is not None and track.value <= 0


def _ally_seen(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    """Return whether a combatant sees a living ally nearby. At unknown distances, any ally counts."""
    side, feet = lookup.need(Combatant, who).side, fact.number
    return any(
        geometry.is_within(lookup, rules, who, ally.id, feet) is not False
        and sight.sees(lookup, rules, who, ally.id) is not False
        for ally in geometry.possibly_within(lookup, rules, who, feet)
        if ally.side == side and ally.id != who and not (ally.dead or ally.bystander)
    )


def _sustained(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool:
    """Return whether the spell that caused the effect was cast or sustained this turn."""
    own = context.effect or Effect("", who, "")
    return any(one.sustained and one.ends.skip and one.source == own.source for one in lookup.of(Effect, own.by))


SINGLE_PREDICATES: Mapping[str, SinglePredicate] = {
    "is-source": lambda _l, _r, who, _f, moment: (
        moment.effect is not None and (moment.effect.by or moment.effect.concentrator) == who
    ),
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
    "has-speed": lambda lookup, rules, who, fact, _m: fact.argument in facts.speeds_of(lookup, rules, who),
    "has-sense": lambda lookup, _r, who, fact, _m: fact.argument in dict(
        creature_of(lookup, lookup.need(Combatant, who)).senses
    ),
    "speed-zero": _speed_zero,
    "proficient": _proficient,
    "scene": _scene,
    "option": lambda lookup, rules, _w, fact, _m: rules.has_option(lookup, fact.argument),
    "hovers": lambda lookup, _r, who, _d, _m: creature_of(lookup, lookup.need(Combatant, who)).hovers,
    "has-attacked": lambda lookup, _r, who, _d, _m: any(effect.name in facts.USED for effect in lookup.of(Effect, who)),
    "suffered": _suffered,
    "rating-below": _rating_below,
    "up-to": _up_to,
    "type": _type,
    "form": lambda lookup, _r, who, fact, _m: any(
        effect.source.lower().partition(" (")[0].replace(" ", "-") == fact.argument for effect in lookup.of(Effect, who)
    ),
    "used": _used,
    "spent": _spent,
    "gripping": _gripping,
    "has-from-other": lambda lookup, _r, who, fact, moment: _has_from(
        lookup, who, moment.other if who == moment.who else moment.who, {fact.argument}
    ),
    "phase": lambda lookup, _r, who, fact, _m: any(
        phase.id == fact.argument for phase in facts.phases_in_force(lookup, who)
    ),
    "dealt": lambda _l, _r, _w, fact, moment: moment.amount >= fact.number,
    "dealt-in-turn": lambda lookup, _r, who, fact, moment: (
        (mark := lookup.get(Effect, f"{facts.DEALT_IN_TURN}-{who}")) is not None
        and mark.value - moment.amount < fact.number <= mark.value
    ),
    "hurt": lambda lookup, _r, who, _d, _m: _is_wounded(lookup, who, 1),
    "bloodied": lambda lookup, _r, who, _d, _m: _is_wounded(lookup, who, 2, 1),
    "below-half": lambda lookup, _r, who, _d, _m: _is_wounded(lookup, who, 2),
    "hp": lambda lookup, _r, who, fact, _m: lookup.need(Combatant, who).hp <= fact.number,
    "ally-seen": _ally_seen,
    "in": _in_light,
    "moved-straight": _moved_straight,
    "first-round": lambda lookup, _r, _w, _d, _m: clock_of(lookup).round <= 1,
    "acted": _acted,
    "dead": lambda lookup, _r, who, _d, _m: lookup.need(Combatant, who).dead,
    "down": lambda lookup, _r, who, _d, _m: lookup.need(Combatant, who).hp <= 0,
    "sustained": _sustained,
    "working-device": lambda lookup, rules, who, _d, _m: facts.is_working_device(lookup, rules, who),
    "ridden": lambda lookup, _r, who, _d, _m: any(rider.rides == who for rider in lookup.all(Combatant)),
    "riding": lambda lookup, _r, who, _d, _m: bool(lookup.need(Combatant, who).rides),
    "gear": lambda lookup, _r, who, fact, _m: fact.argument in facts.gear_of(lookup, who),
    "resistant": _has_source,
    "vulnerable": _has_source,
    "immune": lambda lookup, rules, who, fact, _m: facts.is_immune(lookup, rules, who, fact.argument),
    "source-unseen": _source_unseen,
    "": lambda lookup, rules, who, fact, _m: (  # gear, a specialty or a condition with this id
        fact.argument in facts.gear_of(lookup, who) or fact.argument in facts.condition_names(lookup, rules, who)
    ),
    "condition": lambda lookup, rules, who, fact, _m: fact.argument in facts.condition_names(lookup, rules, who),
}  # fmt: skip
