"""What `when` says in the data: facts joined by commas, each true, false or not known.

A fact is about `who` a rule is for, unless it begins with `attacker.`, `target.`, `other.` or `source.` (whoever an
effect comes from); `not` before it turns it. `docs/statements.md` lists them all, and a test holds it to this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Combatant, Track
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue.actions import ActionOption, Requirement
from turnwright.rules.hooks import Moment, Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.devices import works
from turnwright.rules.parts.speeds import speeds_of
from turnwright.rules.parts.statements import condition_names, effects_on, holds
from turnwright.rules.system import RuleSystem, creature_of

TAGS = frozenset({
    "melee", "ranged", "weapon", "spell", "thrown", "unarmed", "opportunity", "off-hand", "hide", "concentration",
    "tumble", "leap-off", "throw-rider", "advantage", "disadvantage", "group", "death", "search", "long-range", "attack-trait",
    "mundane", "shove", "grapple",
})  # fmt: skip
Pair = Callable[[Lookup, RuleSystem, str, str, int, Moment], bool | None]
Alone = Callable[[Lookup, RuleSystem, str, str, Moment], bool | None]


def truth(lookup: Lookup, rules: RuleSystem, who: str, when: str, moment: Moment) -> bool | None:
    """Return whether everything that `when` says is so: False if anything is not, None if that hangs on something unknown."""
    known = True
    for fact in when.split(","):
        answer = _fact(lookup, rules, who, fact.strip(), moment) if fact.strip() else True
        if answer is False:
            return False
        known = known and answer is not None
    return True if known else None


def unmet(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> tuple[Veto, ...]:
    """Return what an action requires of its doer alone and doesn't find, whatever it costs and whoever's turn it is."""
    own = (one for one in option.requires if not one.of and not one.only)
    return tuple(veto for requirement in own for veto in requirement_vetoes(lookup, rules, who, requirement, ""))


def requirement_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, requirement: Requirement, other: str
) -> Iterator[Veto]:
    """Return why a requirement is not met, about the `other` side where it has one; what is not known forbids nothing."""
    moment = Moment(who, "action", other=other)
    if truth(lookup, rules, who, requirement.when, moment) is False:
        label = lookup.need(Combatant, who).label
        target = lookup.get(Combatant, other) if other else None
        figure = requirement.when.rpartition(":")[2]  # of `within:5`
        params = (("who", label), ("target", target.label if target else ""), ("figure", figure))
        yield Veto(requirement.reason, requirement.ledger, params)


def _fact(lookup: Lookup, rules: RuleSystem, who: str, fact: str, moment: Moment) -> bool | None:
    if fact.startswith("not "):
        answer = _fact(lookup, rules, who, fact.removeprefix("not "), moment)
        return None if answer is None else not answer
    head, _, rest = fact.partition(".")
    if rest and head in ("attacker", "target", "other", "source"):
        who, fact = _subject(head, moment), rest
        if not who:
            return None
    said = _by_word(who, fact, moment)
    if said is not None:
        return said
    word, _, detail = fact.partition(":")
    if fact in TAGS:
        return fact in moment.tags
    if word in PAIRS:
        counterpart = _counterpart(who, moment)
        number = int(detail) if detail.lstrip("-").isdigit() else 0
        return PAIRS[word](lookup, rules, who, counterpart, number, moment) if counterpart else None
    if word in ALONE:
        return ALONE[word](lookup, rules, who, detail, moment)
    return holds(lookup, rules, who, fact)


def _by_word(who: str, fact: str, moment: Moment) -> bool | None:
    """Return what a person said of a fact for this one roll: among its tags, with its owner unless the attacker's."""
    owners = [owner for owner, one in (("attacker", moment.attacker), ("target", moment.target)) if one and one == who]
    names = [f"{owner}.{fact}" for owner in owners] + ([fact] if who == moment.attacker else [])
    if any(f"not {name}" in moment.tags for name in names):
        return False
    return True if any(name in moment.tags for name in names) else None


def _subject(head: str, moment: Moment) -> str:
    if head == "source":
        return moment.effect.by if moment.effect else ""
    return {"attacker": moment.attacker, "target": moment.target, "other": moment.other}[head]


def _counterpart(who: str, moment: Moment) -> str:
    return moment.other if who == moment.who else moment.who


def _larger(lookup: Lookup, rules: RuleSystem, one: str, other: str, steps: int, _: Moment) -> bool:
    return positions.size_index(lookup, rules, one) - positions.size_index(lookup, rules, other) >= (steps or 1)


def _smaller(lookup: Lookup, rules: RuleSystem, one: str, other: str, steps: int, _: Moment) -> bool:
    return positions.size_index(lookup, rules, other) - positions.size_index(lookup, rules, one) >= (steps or 1)


def _within(lookup: Lookup, rules: RuleSystem, one: str, other: str, feet: int, _: Moment) -> bool | None:
    apart = positions.distance(lookup, rules, one, other)
    return None if apart is None else apart <= feet


def _higher(lookup: Lookup, rules: RuleSystem, one: str, other: str, feet: int, _: Moment) -> bool | None:
    above = positions.height_above(lookup, one, other)
    return None if above is None else above >= feet


def _lower(lookup: Lookup, rules: RuleSystem, one: str, other: str, feet: int, _: Moment) -> bool | None:
    above = positions.height_above(lookup, one, other)
    return None if above is None else -above >= feet


PAIRS: Mapping[str, Pair] = MappingProxyType({
    "within": _within,
    "higher": _higher,
    "lower": _lower,
    "larger": _larger,
    "smaller": _smaller,
    "sees": lambda lookup, rules, one, other, _n, _m: positions.sees(lookup, rules, one, other),
    "flanks": lambda lookup, rules, one, other, _n, _m: positions.flanks(lookup, rules, one, other),
    "reaches": lambda lookup, rules, one, other, _n, _m: positions.in_reach(lookup, rules, one, other),
    "hostile": lambda lookup, _r, one, other, _n, _m: positions.hostile(lookup, one, other),
    "hidden-from": lambda lookup, _r, one, other, _n, _m: any(
        effect.name == "hidden" and effect.by in ("", other) for effect in effects_on(lookup, one)
    ),
    "is-source": lambda _l, _r, one, _o, _n, moment: moment.effect is not None and moment.effect.by == one,
})  # fmt: skip


def _level(lookup: Lookup, rules: RuleSystem, who: str, detail: str, moment: Moment) -> bool:
    name = moment.effect.name if moment.effect else ""
    track = lookup.get(Track, f"{who}.{name}")
    value = track.value if track else moment.effect.value if moment.effect else 0
    return value >= int(detail)


def _track(lookup: Lookup, rules: RuleSystem, who: str, detail: str, moment: Moment) -> bool:
    name, _, least = detail.rpartition(":")
    track = lookup.get(Track, f"{who}.{name or least}")
    return track is not None and track.value >= (int(least) if name else 1)


def _has_speed(lookup: Lookup, rules: RuleSystem, who: str, detail: str, moment: Moment) -> bool:
    return detail in speeds_of(lookup, rules, who)


def _speed_zero(lookup: Lookup, rules: RuleSystem, who: str, detail: str, moment: Moment) -> bool:
    allowance = rules.movement.allowance(lookup, rules, who, detail or "walk")
    return allowance is None or allowance.total <= 0


def _proficient(lookup: Lookup, rules: RuleSystem, who: str, detail: str, moment: Moment) -> bool:
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return detail in dict(creature.skills) or detail in dict(creature.saves)


def _scene(lookup: Lookup, rules: RuleSystem, who: str, detail: str, moment: Moment) -> bool:
    scene = lookup.get(Scene, "scene") or Scene()
    return detail in scene.suspended or (detail == "rolling" and scene.rolling)


def _threatened(lookup: Lookup, rules: RuleSystem, who: str, detail: str, moment: Moment) -> bool | None:
    """Return whether somebody stands within the reach of anyone hostile who is on their feet."""
    answers = [
        positions.in_reach(lookup, rules, one.id, who)
        for one in lookup.all(Combatant)
        if positions.hostile(lookup, one.id, who) and not one.dead and one.hp > 0
    ]
    return True if any(answers) else None if None in answers else False


def _unspent(lookup: Lookup, rules: RuleSystem, who: str, detail: str, moment: Moment) -> bool:
    """Return whether a resource of the turn (`bonus`) is still whole."""
    track = lookup.get(Track, f"{who}.{detail}")
    return track is None or track.value >= track.maximum


def _task(lookup: Lookup, rules: RuleSystem, who: str, detail: str, moment: Moment) -> bool | None:
    """Return whether a check is for the task that an effect was left for; None where nobody said what it is for."""
    wanted = (moment.effect.until if moment.effect else "").casefold()
    said = [tag.removeprefix("task:").casefold() for tag in moment.tags if tag.startswith("task:")]
    if not said:
        return None
    return not wanted or wanted in said


def _beside(lookup: Lookup, rules: RuleSystem, who: str, detail: str, moment: Moment) -> bool | None:
    """Return whether two are right next to each other, which without a grid somebody has to have said.

    It is asked at tables alone that play by the rule `detail`; at others it is so.
    """
    other = _counterpart(who, moment)
    if not rules.option(lookup, detail) or not other:
        return True
    if positions.space(lookup, rules, who) is None or positions.space(lookup, rules, other) is None:
        pairs = (positions.relation(lookup, who, other), positions.relation(lookup, other, who))
        return any(pair is not None and pair.reached is True for pair in pairs)
    return _within(lookup, rules, who, other, rules.catalogue.places.near, moment)


def _within_half(lookup: Lookup, rules: RuleSystem, who: str, detail: str, moment: Moment) -> bool | None:
    """Return whether the other is no farther away than half of one's figure in an ability."""
    apart = positions.distance(lookup, rules, who, _counterpart(who, moment)) if _counterpart(who, moment) else None
    if apart is None:
        return None
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return apart <= rules.half(lookup, rules.modifier_of(creature, detail))


def _covered(lookup: Lookup, rules: RuleSystem, who: str, detail: str, moment: Moment) -> bool | None:
    """Return whether cover of a grade or a better one, short of total, stands between the other and somebody."""
    said = next((tag.removeprefix("cover:") for tag in moment.tags if tag.startswith("cover:")), "")
    other = _counterpart(who, moment)
    grade = said or (positions.cover_of(lookup, rules, other, who, moment.tags) if other else "none")
    grades = ("none", "half", "three-quarters")
    return grade in grades and grades.index(grade) >= grades.index(detail)


ALONE: Mapping[str, Alone] = MappingProxyType({
    "beside": _beside,
    "within-half": _within_half,
    "covered": _covered,
    "unspent": _unspent,
    "task": _task,
    "specialty": lambda lookup, _r, who, detail, _m: detail in creature_of(
        lookup, lookup.need(Combatant, who)
    ).specialties,
    "threatened": _threatened,
    "skilled": lambda _l, _r, _w, _d, moment: ":" in moment.what,
    "level": _level,
    "track": _track,
    "has-speed": _has_speed,
    "speed-zero": _speed_zero,
    "proficient": _proficient,
    "scene": _scene,
    "option": lambda lookup, rules, _w, detail, _m: rules.option(lookup, detail),
    "hovers": lambda lookup, _r, who, _d, _m: creature_of(lookup, lookup.need(Combatant, who)).hovers,
    "dead": lambda lookup, _r, who, _d, _m: lookup.need(Combatant, who).dead,
    "down": lambda lookup, _r, who, _d, _m: lookup.need(Combatant, who).hp <= 0,
    "stoppable": lambda lookup, rules, who, _d, _m: works(lookup, rules, who),
    "ridden": lambda lookup, _r, who, _d, _m: any(one.rides == who for one in lookup.all(Combatant)),
    "riding": lambda lookup, _r, who, _d, _m: bool(lookup.need(Combatant, who).rides),
    "with": lambda _l, _r, _w, detail, moment: f"with:{detail}" in moment.tags,
    "condition": lambda lookup, rules, who, detail, _m: detail in condition_names(lookup, rules, who),
})  # fmt: skip
