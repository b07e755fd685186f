"""Followers, which share their controller's turn, and groups of identical creatures that act together."""

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
    """Return the living members of a combatant's group, including itself, or only the combatant if it has no group."""
    combatant = lookup.need(Combatant, who)
    if not combatant.group:
        return (combatant,)
    return tuple(member for member in lookup.all(Combatant) if member.group == combatant.group and not member.dead)


def moving_group(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Combatant, ...]:
    """Return the members of a combatant's group that are close enough together to move with it.

    Members at an unknown distance count as near.
    """
    near = rules.data.groups.within
    waiting, together = [lookup.need(Combatant, who)], [lookup.need(Combatant, who)]
    rest = [member for member in group_of(lookup, who) if member.id != who]
    while waiting:
        here = waiting.pop()
        for member in [*rest]:
            feet = positions.distance(lookup, rules, here.id, member.id)
            if feet is None or feet <= near:
                rest.remove(member)
                waiting.append(member)
                together.append(member)
    return tuple(member for member in group_of(lookup, who) if member in together)


def current_command(lookup: Lookup, rules: RuleSystem, who: str) -> Effect | None:
    """Return the command that a combatant follows this turn, or None if it has none."""
    return find_effect(lookup, who, rules.role("commanded"))


def uncommanded_vetoes(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Veto, ...]:
    """Return the veto on following a command that a combatant hasn't received."""
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
    """Return the veto on an action of a follower without a command, at ACTION_DECLARED."""
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
    """Return the save DC of a group's attack, and the bonus for its number of members."""
    settings = rules.data.groups
    more = (len(members) - 1) * settings.per_member
    if weapon.save and weapon.dc:
        return weapon.dc, more
    return settings.dc_base + max(_attack_bonus(lookup, who, weapon) for who in members), more


def _attack_bonus(lookup: Lookup, who: str, weapon: Feature) -> int:
    """Return a member's attack bonus with a weapon: that of its own stat block, or else the weapon's."""
    own = next(
        (feature for feature in creature_of(lookup, lookup.need(Combatant, who)).features if feature.id == weapon.id),
        weapon,
    )
    return (own.attack if own.attack is not None else weapon.attack) or 0


def group_check_bonus(rules: RuleSystem, members: tuple[str, ...], check: str) -> int:
    """Return the bonus to a group's check of physical strength from the number of its members."""
    settings = rules.data.groups
    if check.partition(":")[0] != settings.check_ability:
        return 0
    return (len(members) - 1) * settings.check_per_member
