"""What may be done now, and why not: one answer for the window that lists actions and for the handler that does one.

Nothing here asks or changes anything. What nobody knows, such as a distance without a grid, forbids nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.encounter.prepared import Feature, Scene
from turnwright.encounter.running import Clock, Combatant, Slot, Track
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue import ActionOption, Requirement
from turnwright.rules.hooks import Hook, Moment, Veto, contributions
from turnwright.rules.parts.means import is_spell
from turnwright.rules.parts.predicates import truth
from turnwright.rules.system import RuleSystem, creature_of

ATTACK, NONE, FREE = "attack", "none", "free"
MOVE, READY = "move", "ready"
NOT_OFFERED = ("trait", "legendary")  # nothing to do, or offered after the turns of others


def option_of(lookup: Lookup, rules: RuleSystem, who: str, action: str) -> ActionOption:
    """Return an action of the system by its id, a feature of somebody's stat block as one, or anything else as one."""
    known = rules.actions.get(action)
    if known is not None:
        return known
    feature = feature_of(lookup, who, action)
    if feature is not None:
        return as_option(rules, feature)
    return ActionOption(id=action, name=action, group="other", ledger=(rules.cite("action.improvise"),))


def feature_of(lookup: Lookup, who: str, id: str) -> Feature | None:
    """Return a feature of somebody's stat block by its id."""
    combatant = lookup.get(Combatant, who)
    features = creature_of(lookup, combatant).features if combatant else ()
    return next((one for one in features if one.id == id), None)


def as_option(rules: RuleSystem, feature: Feature) -> ActionOption:
    """Return a feature in the shape of an action."""
    free = feature.cost == FREE
    return ActionOption(
        id=feature.id,
        name=feature.name,
        cost=feature.cost,
        free=free,
        group="other",
        text=feature.text,
        ledger=(rules.cite("action.monster-options"),),
    )


def own_options(lookup: Lookup, rules: RuleSystem, who: str) -> list[tuple[ActionOption, Feature]]:
    """Return what somebody's stat block lets them do besides the system's actions, as it stands there."""
    features = creature_of(lookup, lookup.need(Combatant, who)).features
    return [(as_option(rules, one), one) for one in features if one.cost not in NOT_OFFERED]


def refusals(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    option: ActionOption,
    targets: tuple[str, ...] = (),
    *,
    about: str = "",
    cost: str = "",
    choice: str = "",
) -> tuple[Veto, ...]:
    """Return all that forbids an action now: whose turn it is and what it costs, then what it requires.

    Without `cost` it is enough that one of its costs can be paid. Requirements about targets count for those named.
    """
    found = [*vetoes_on_costs(lookup, rules, who, option, cost)]
    for requirement in option.requires:
        if not requirement.only or requirement.only == choice:
            others = _others(requirement, targets, about)
            found += [veto for other in others for veto in _unmet(lookup, rules, who, requirement, other)]
    if option.done == READY and choice:
        found += _unready(lookup, who, option, choice)
    return tuple(found)


def unmet(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> tuple[Veto, ...]:
    """Return what an action requires of its doer alone and doesn't find, whatever it costs and whoever's turn it is."""
    own = (one for one in option.requires if not one.of and not one.only)
    return tuple(veto for requirement in own for veto in _unmet(lookup, rules, who, requirement, ""))


def _unready(lookup: Lookup, who: str, option: ActionOption, response: str) -> tuple[Veto, ...]:
    """Return why a response can't be readied: only what takes an action can, and of spells only those that take one."""
    feature = feature_of(lookup, who, response)
    if feature is None or feature.cost == "action":
        return ()
    rule = option.rule("spell-time") if is_spell(feature) else option.rule()
    return (Veto("refused.not_to_be_readied", rule, (("what", feature.name),)),)


def vetoes_on_costs(
    lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption, cost: str = ""
) -> tuple[Veto, ...]:
    """Return why an action can't be paid for; nothing where one of its costs (or the one chosen) can be."""
    if cost and cost not in option.payable:
        return (Veto("refused.no_such_cost", option.rule("cost"), (("what", option.name), ("cost", cost))),)
    first: tuple[Veto, ...] = ()
    for each in (cost,) if cost else option.payable:
        vetoes = vetoes_on_cost(lookup, rules, who, option, each)
        if not vetoes:
            return ()
        first = first or vetoes
    return first


def cost_for(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption, cost: str = "") -> str:
    """Return what an action is paid with: the cost chosen, else the first that can be paid, else the first."""
    if cost:
        return cost
    can_pay = (one for one in option.payable if not vetoes_on_cost(lookup, rules, who, option, one))
    return next(can_pay, option.payable[0])


def resource_for(lookup: Lookup, who: str, option: ActionOption, cost: str) -> str:
    """Return the resource that a cost takes, empty for none: a spell of a minute takes the action of a long turn."""
    if cost in (NONE, FREE) or (cost == ATTACK and attacks_left(lookup, who)):
        return ""
    return "action" if cost == ATTACK or cost in dict(option.takes) else cost


def vetoes_on_cost(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption, cost: str) -> tuple[Veto, ...]:
    """Return why one cost can't be paid now: out of turn, forbidden, none left, or longer than a turn is."""
    name = resource_for(lookup, who, option, cost)
    resource = rules.resources.get(name)
    label = lookup.need(Combatant, who).label
    found: list[Veto] = []
    if not on_turn(lookup, who) and not (resource is not None and resource.off_turn):
        found.append(Veto("refused.not_your_turn", rules.cite("round.on-turn"), (("who", label),)))
    seconds = dict(option.takes).get(cost, 0)
    if seconds > (lookup.get(Scene, "scene") or Scene()).round_seconds:
        found.append(Veto("refused.takes_longer", option.rule("times"), (("what", option.name), ("seconds", seconds))))
    if resource is None or not resource.amount:
        return tuple(found)
    found += contributions(lookup, rules, Hook.ACTION_DECLARED, Moment(who, name)).vetoes
    track = lookup.get(Track, f"{who}.{name}")
    if track is None or track.value < 1:
        rule = resource.ledger[0] if resource.ledger else ""
        found.append(Veto("refused.none_left", rule, (("resource", f"<resource.{name}>"), ("who", label))))
    return tuple(found)


def attacks_left(lookup: Lookup, who: str) -> int:
    """Return how many attacks of an Attack action already taken are left."""
    track = lookup.get(Track, f"{who}.attacks")
    return track.value if track else 0


def on_turn(lookup: Lookup, who: str) -> bool:
    """Return whether it is somebody's turn."""
    clock = lookup.get(Clock, "clock")
    slot = lookup.get(Slot, clock.active) if clock and clock.active else None
    return slot is not None and who in slot.members


def possible_targets(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption, choice: str = "") -> list[str]:
    """Return whom an action could be done to now, those whom what is known rules out left out."""
    return [
        one.id
        for one in lookup.all(Combatant)
        if one.id != who and not any(_unmet_all(lookup, rules, who, option, "target", one.id, choice))
    ]


def possible_foes(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption, choice: str = "") -> list[str]:
    """Return whom an action could be about: those on their feet whom nothing known rules out."""
    return [
        one.id
        for one in lookup.all(Combatant)
        if one.id != who and not one.dead and not any(_unmet_all(lookup, rules, who, option, "about", one.id, choice))
    ]


def _unmet_all(
    lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption, of: str, other: str, choice: str
) -> Iterator[Veto]:
    for requirement in option.requires:
        if requirement.of == of and (not requirement.only or requirement.only == choice):
            yield from _unmet(lookup, rules, who, requirement, other)


def _others(requirement: Requirement, targets: tuple[str, ...], about: str) -> tuple[str, ...]:
    """Return who the other side of a requirement is, each in turn; an empty one where it is about the doer alone."""
    return {"": ("",), "target": targets, "about": (about,) if about else ()}[requirement.of]


def _unmet(lookup: Lookup, rules: RuleSystem, who: str, requirement: Requirement, other: str) -> Iterator[Veto]:
    moment = Moment(who, "action", other=other)
    if truth(lookup, rules, who, requirement.when, moment) is False:
        label = lookup.need(Combatant, who).label
        target = lookup.get(Combatant, other) if other else None
        params = (("who", label), ("target", target.label if target else ""))
        yield Veto(requirement.reason, requirement.ledger, params)
