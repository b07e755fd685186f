"""Who commands whom: creatures that share a combatant's turn, and groups of like creatures that act as one."""

from __future__ import annotations

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NO_RESULT, HookContext, HookResult, Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.combatants.controlled_creatures import is_follower
from turnwright.rules.system import RuleSystem, creature_of

COMMANDED = "commanded"


def group_of(lookup: Lookup, who: str) -> tuple[Combatant, ...]:
    """Return everybody of somebody's group, themselves included; only themselves where they belong to none."""
    combatant = lookup.need(Combatant, who)
    if not combatant.group:
        return (combatant,)
    return tuple(one for one in lookup.all(Combatant) if one.group == combatant.group and not one.dead)


def moving_group(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Combatant, ...]:
    """Return those of a group who move as one with somebody: each near enough to at least one other of them.

    Where nobody knows the distances, all are taken to be near.
    """
    near = rules.data.groups.within
    waiting, together = [lookup.need(Combatant, who)], [lookup.need(Combatant, who)]
    rest = [one for one in group_of(lookup, who) if one.id != who]
    while waiting:
        here = waiting.pop()
        for one in [*rest]:
            apart = positions.distance(lookup, rules, here.id, one.id)
            if apart is None or apart <= near:
                rest.remove(one)
                waiting.append(one)
                together.append(one)
    return tuple(one for one in group_of(lookup, who) if one in together)


def current_order(lookup: Lookup, who: str) -> Effect | None:
    """Return the command that somebody is under on this turn, None where there is none."""
    return next((one for one in lookup.all(Effect) if one.target == who and one.name == COMMANDED), None)


def without_orders(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Veto, ...]:
    """Return why somebody can't act on a command: they are under none."""
    if current_order(lookup, who) is not None:
        return ()
    rule = rules.rule_id("control.command") or rules.rule_id("round.on-turn")
    return (Veto("refused.not_commanded", rule),)


def on_actions(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """At ACTION_DECLARED: a creature under somebody's control acts only when it is commanded to."""
    resource = rules.resources.get(context.subject)
    if not rules.data.groups.command_cost:
        return NO_RESULT
    if (
        resource is None
        or resource.off_turn
        or not is_follower(lookup, context.who)
        or current_order(lookup, context.who)
    ):
        return NO_RESULT
    return HookResult(vetoes=(Veto("refused.not_commanded", rules.rule_id("control.command")),))


def group_dc(lookup: Lookup, rules: RuleSystem, members: tuple[str, ...], weapon: Feature) -> tuple[int, int]:
    """Return the DC of the save that stands for a group's attack, before numbers count, and what they add to it."""
    figures = rules.data.groups
    more = (len(members) - 1) * figures.per_member
    if weapon.save and weapon.dc:
        return weapon.dc, more
    return figures.dc_base + max(_attack_bonus(lookup, who, weapon) for who in members), more


def _attack_bonus(lookup: Lookup, who: str, weapon: Feature) -> int:
    """Return the attack bonus of a member with its own feature of that id, or with the one given."""
    own = next(
        (one for one in creature_of(lookup, lookup.need(Combatant, who)).features if one.id == weapon.id), weapon
    )
    return (own.attack if own.attack is not None else weapon.attack) or 0


def group_check_bonus(rules: RuleSystem, members: tuple[str, ...], check: str) -> int:
    """Return what numbers add to a group's check: something for each other member where it goes by strength of arm."""
    figures = rules.data.groups
    if check.partition(":")[0] != figures.check_ability:
        return 0
    return (len(members) - 1) * figures.check_per_member
