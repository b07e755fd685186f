"""Predicates: the facts of `when` in the data, joined by commas, each true, false or unknown.

A fact is about the combatant (`who`) of a rule, unless it begins with `attacker.`, `target.`, `other.` or `source.`
(the creator of an effect); `not` before it negates it. `docs/statements.md` lists them all, and a test holds it to this
module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Combatant, Track
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import HookContext
from turnwright.rules.parts import positions
from turnwright.rules.parts.combatants.disable_device import is_working_device
from turnwright.rules.parts.combatants.facts import condition_names, is_true_of
from turnwright.rules.parts.combatants.speeds import speeds_of
from turnwright.rules.system import RuleSystem, creature_of

TAGS = frozenset({
    "melee", "ranged", "weapon", "spell", "thrown", "unarmed", "opportunity", "off-hand", "hide", "concentration",
    "tumble", "leap-off", "throw-rider", "advantage", "disadvantage", "group", "death", "search", "long-range", "attack-trait",
    "mundane", "shove", "grapple",
})  # fmt: skip
PairPredicate = Callable[[Lookup, RuleSystem, str, str, int, HookContext], bool | None]
SinglePredicate = Callable[[Lookup, RuleSystem, str, str, HookContext], bool | None]


def evaluate(lookup: Lookup, rules: RuleSystem, who: str, expression: str, context: HookContext) -> bool | None:
    """Return whether every fact of `expression` is true: False if any is false, None if that hangs on an unknown one."""
    known = True
    for fact in expression.split(","):
        answer = _fact(lookup, rules, who, fact.strip(), context) if fact.strip() else True
        if answer is False:
            return False
        known = known and answer is not None
    return True if known else None


def _fact(lookup: Lookup, rules: RuleSystem, who: str, fact: str, context: HookContext) -> bool | None:
    if fact.startswith("not "):
        answer = _fact(lookup, rules, who, fact.removeprefix("not "), context)
        return None if answer is None else not answer
    head, _, rest = fact.partition(".")
    if rest and head in ("attacker", "target", "other", "source"):
        who, fact = _subject(head, context), rest
        if not who:
            return None
    said = _entered_fact(who, fact, context)
    if said is not None:
        return said
    word, _, detail = fact.partition(":")
    if fact in TAGS:
        return fact in context.tags
    if word in PAIR_PREDICATES:
        counterpart = _counterpart(who, context)
        number = int(detail) if detail.lstrip("-").isdigit() else 0
        return PAIR_PREDICATES[word](lookup, rules, who, counterpart, number, context) if counterpart else None
    if word in SINGLE_PREDICATES:
        return SINGLE_PREDICATES[word](lookup, rules, who, detail, context)
    return is_true_of(lookup, rules, who, fact)


def _entered_fact(who: str, fact: str, context: HookContext) -> bool | None:
    """Return what a person entered for a fact in this one roll: its tag, with its owner unless the attacker's."""
    owners = [
        owner for owner, one in (("attacker", context.attacker), ("target", context.target)) if one and one == who
    ]
    names = [f"{owner}.{fact}" for owner in owners] + ([fact] if who == context.attacker else [])
    if any(f"not {name}" in context.tags for name in names):
        return False
    return True if any(name in context.tags for name in names) else None


def _subject(head: str, context: HookContext) -> str:
    if head == "source":
        return context.effect.by if context.effect else ""
    return {"attacker": context.attacker, "target": context.target, "other": context.other}[head]


def _counterpart(who: str, context: HookContext) -> str:
    return context.other if who == context.who else context.who


def _larger(lookup: Lookup, rules: RuleSystem, one: str, other: str, steps: int, _: HookContext) -> bool:
    return positions.size_index(lookup, rules, one) - positions.size_index(lookup, rules, other) >= (steps or 1)


def _smaller(lookup: Lookup, rules: RuleSystem, one: str, other: str, steps: int, _: HookContext) -> bool:
    return positions.size_index(lookup, rules, other) - positions.size_index(lookup, rules, one) >= (steps or 1)


def _within(lookup: Lookup, rules: RuleSystem, one: str, other: str, feet: int, _: HookContext) -> bool | None:
    apart = positions.distance(lookup, rules, one, other)
    return None if apart is None else apart <= feet


def _higher(lookup: Lookup, rules: RuleSystem, one: str, other: str, feet: int, _: HookContext) -> bool | None:
    above = positions.height_above(lookup, one, other)
    return None if above is None else above >= feet


def _lower(lookup: Lookup, rules: RuleSystem, one: str, other: str, feet: int, _: HookContext) -> bool | None:
    above = positions.height_above(lookup, one, other)
    return None if above is None else -above >= feet


PAIR_PREDICATES: Mapping[str, PairPredicate] = MappingProxyType({
    "within": _within,
    "higher": _higher,
    "lower": _lower,
    "larger": _larger,
    "smaller": _smaller,
    "sees": lambda lookup, rules, one, other, _n, _m: positions.sees(lookup, rules, one, other),
    "flanks": lambda lookup, rules, one, other, _n, _m: positions.flanks(lookup, rules, one, other),
    "reaches": lambda lookup, rules, one, other, _n, _m: positions.in_reach(lookup, rules, one, other),
    "hostile": lambda lookup, _r, one, other, _n, _m: positions.are_hostile(lookup, one, other),
    "hidden-from": lambda lookup, rules, one, other, _n, _m: positions.is_hidden_from(lookup, rules, one, other),
    "is-source": lambda _l, _r, one, _o, _n, moment: moment.effect is not None and moment.effect.by == one,
})  # fmt: skip


def _level(lookup: Lookup, rules: RuleSystem, who: str, detail: str, context: HookContext) -> bool:
    name = context.effect.name if context.effect else ""
    track = lookup.get(Track, f"{who}.{name}")
    value = track.value if track else context.effect.value if context.effect else 0
    return value >= int(detail)


def _track(lookup: Lookup, rules: RuleSystem, who: str, detail: str, context: HookContext) -> bool:
    name, _, least = detail.rpartition(":")
    track = lookup.get(Track, f"{who}.{name or least}")
    return track is not None and track.value >= (int(least) if name else 1)


def _has_speed(lookup: Lookup, rules: RuleSystem, who: str, detail: str, context: HookContext) -> bool:
    return detail in speeds_of(lookup, rules, who)


def _speed_zero(lookup: Lookup, rules: RuleSystem, who: str, detail: str, context: HookContext) -> bool:
    allowance = rules.movement.allowance(lookup, rules, who, detail or "walk")
    return allowance is None or allowance.total <= 0


def _proficient(lookup: Lookup, rules: RuleSystem, who: str, detail: str, context: HookContext) -> bool:
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return detail in dict(creature.skills) or detail in dict(creature.saves)


def _scene(lookup: Lookup, rules: RuleSystem, who: str, detail: str, context: HookContext) -> bool:
    scene = lookup.get(Scene, "scene") or Scene()
    return detail in scene.suspended or (detail == "rolling" and scene.rolling)


def _threatened(lookup: Lookup, rules: RuleSystem, who: str, detail: str, context: HookContext) -> bool | None:
    """Return whether a combatant stands within the reach of a hostile combatant that is up."""
    answers = [
        positions.in_reach(lookup, rules, one.id, who)
        for one in lookup.all(Combatant)
        if positions.are_hostile(lookup, one.id, who) and not one.dead and one.hp > 0
    ]
    return True if any(answers) else None if None in answers else False


def _unspent(lookup: Lookup, rules: RuleSystem, who: str, detail: str, context: HookContext) -> bool:
    """Return whether a resource of the turn (`bonus`) is still unspent."""
    track = lookup.get(Track, f"{who}.{detail}")
    return track is None or track.value >= track.maximum


def _task(lookup: Lookup, rules: RuleSystem, who: str, detail: str, context: HookContext) -> bool | None:
    """Return whether a check is for the task of an effect; None where the check's task is unknown."""
    wanted = (context.effect.end_condition if context.effect else "").casefold()
    said = [tag.removeprefix("task:").casefold() for tag in context.tags if tag.startswith("task:")]
    if not said:
        return None
    return not wanted or wanted in said


def _adjacent(lookup: Lookup, rules: RuleSystem, who: str, detail: str, context: HookContext) -> bool | None:
    """Return whether two combatants are adjacent; without a grid that has to have been entered.

    Only the table rule `detail` asks for it; without that rule it is true.
    """
    other = _counterpart(who, context)
    if not rules.has_option(lookup, detail) or not other:
        return True
    if positions.space(lookup, rules, who) is None or positions.space(lookup, rules, other) is None:
        pairs = (positions.stated_relation(lookup, who, other), positions.stated_relation(lookup, other, who))
        return any(pair is not None and pair.reached is True for pair in pairs)
    return _within(lookup, rules, who, other, rules.data.places.near, context)


def _within_half(lookup: Lookup, rules: RuleSystem, who: str, detail: str, context: HookContext) -> bool | None:
    """Return whether the other is no farther away than half of a combatant's ability modifier."""
    apart = positions.distance(lookup, rules, who, _counterpart(who, context)) if _counterpart(who, context) else None
    if apart is None:
        return None
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return apart <= rules.half(lookup, rules.modifier_of(creature, detail))


def _covered(lookup: Lookup, rules: RuleSystem, who: str, detail: str, context: HookContext) -> bool | None:
    """Return whether a combatant has at least this cover, short of total, against the other."""
    said = next((tag.removeprefix("cover:") for tag in context.tags if tag.startswith("cover:")), "")
    other = _counterpart(who, context)
    grade = said or (positions.cover_of(lookup, rules, other, who, context.tags) if other else "none")
    grades = ("none", "half", "three-quarters")
    return grade in grades and grades.index(grade) >= grades.index(detail)


SINGLE_PREDICATES: Mapping[str, SinglePredicate] = MappingProxyType({
    "beside": _adjacent,
    "within-half": _within_half,
    "covered": _covered,
    "unspent": _unspent,
    "task": _task,
    "specialty": lambda lookup, _r, who, detail, _m: detail in creature_of(
        lookup, lookup.need(Combatant, who)
    ).specialties,
    "threatened": _threatened,
    "skilled": lambda _l, _r, _w, _d, moment: ":" in moment.subject,
    "level": _level,
    "track": _track,
    "has-speed": _has_speed,
    "speed-zero": _speed_zero,
    "proficient": _proficient,
    "scene": _scene,
    "option": lambda lookup, rules, _w, detail, _m: rules.has_option(lookup, detail),
    "hovers": lambda lookup, _r, who, _d, _m: creature_of(lookup, lookup.need(Combatant, who)).hovers,
    "dead": lambda lookup, _r, who, _d, _m: lookup.need(Combatant, who).dead,
    "down": lambda lookup, _r, who, _d, _m: lookup.need(Combatant, who).hp <= 0,
    "stoppable": lambda lookup, rules, who, _d, _m: is_working_device(lookup, rules, who),
    "ridden": lambda lookup, _r, who, _d, _m: any(one.rides == who for one in lookup.all(Combatant)),
    "riding": lambda lookup, _r, who, _d, _m: bool(lookup.need(Combatant, who).rides),
    "with": lambda _l, _r, _w, detail, moment: f"with:{detail}" in moment.tags,
    "condition": lambda lookup, rules, who, detail, _m: detail in condition_names(lookup, rules, who),
})  # fmt: skip
