"""Followers and groups: creatures that share a combatant's turn, and like creatures that act as one."""

from __future__ import annotations

from turnwright.encounter.lookups import find_effect
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NO_RESULT, HookContext, HookResult, Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.combatants.controlled_creatures import is_follower
from turnwright.rules.system import RuleSystem, creature_of


def group_of(lookup: Lookup, who: str) -> tuple[Combatant, ...]:
    """Return the living members of a combatant's group, itself included; only itself where it belongs to none."""
    combatant = lookup.need(Combatant, who)
    if not combatant.group:
        return (combatant,)
    return tuple(one for one in lookup.all(Combatant) if one.group == combatant.group and not one.dead)


def moving_group(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Combatant, ...]:
    """Return the members of a group that move as one with a combatant, each near enough to another of them.

    Members at an unknown distance are taken to be near.
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


def current_command(lookup: Lookup, rules: RuleSystem, who: str) -> Effect | None:
    """Return the command that a combatant is under on this turn, None where there is none."""
    return find_effect(lookup, who, rules.role("commanded"))


def uncommanded_vetoes(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Veto, ...]:
    """Return the veto on an uncommanded combatant's acting on a command."""
    if current_command(lookup, rules, who) is not None:
        return ()
    return (_not_commanded(lookup, who, rules.rule_id("control.command") or rules.rule_id("round.on-turn")),)


def _not_commanded(lookup: Lookup, who: str, rule: str) -> Veto:
    follower = lookup.need(Combatant, who)
    controller = lookup.get(Combatant, follower.controller)
    if controller is None:
        return Veto("refused.no_controller", rule, (("who", follower.label),))
    return Veto("refused.not_commanded", rule, (("who", follower.label), ("by", controller.label)))


def on_actions(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the veto on an uncommanded follower's action, at ACTION_DECLARED."""
    resource = rules.resources.get(context.subject)
    if not rules.data.groups.command_cost:
        return NO_RESULT
    if (
        resource is None
        or resource.off_turn
        or not is_follower(lookup, context.who)
        or current_command(lookup, rules, context.who)
    ):
        return NO_RESULT
    return HookResult(vetoes=(_not_commanded(lookup, context.who, rules.rule_id("control.command")),))


def group_dc(lookup: Lookup, rules: RuleSystem, members: tuple[str, ...], weapon: Feature) -> tuple[int, int]:
    """Return the save DC of a group's attack and what the number of members adds to it."""
    figures = rules.data.groups
    more = (len(members) - 1) * figures.per_member
    if weapon.save and weapon.dc:
        return weapon.dc, more
    return figures.dc_base + max(_attack_bonus(lookup, who, weapon) for who in members), more


def _attack_bonus(lookup: Lookup, who: str, weapon: Feature) -> int:
    """Return a member's attack bonus with its own feature of that id, or with the given weapon."""
    own = next(
        (one for one in creature_of(lookup, lookup.need(Combatant, who)).features if one.id == weapon.id), weapon
    )
    return (own.attack if own.attack is not None else weapon.attack) or 0


def group_check_bonus(rules: RuleSystem, members: tuple[str, ...], check: str) -> int:
    """Return what the number of members adds to a group's check with the ability of physical strength."""
    figures = rules.data.groups
    if check.partition(":")[0] != figures.check_ability:
        return 0
    return (len(members) - 1) * figures.check_per_member
