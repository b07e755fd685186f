"""Available actions, usable items and followers, for the window that lists them and the handler of actions.

Nothing here asks a question or changes the state. An unknown fact, such as a distance without a grid, forbids nothing.
"""

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from turnwright.encounter.prepared import Feature, Obstacle
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.roles import is_character
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup, effects_named, find_effect, is_out_of_play, scene_of, track_value
from turnwright.rules.parts.actions.spell_features import listed_spell
from turnwright.rules.parts.attacks.attack_targeting import distance_to_squares, is_attack, is_item, is_spell
from turnwright.rules.parts.combatants.facts import cannot_act_vetoes, left_features
from turnwright.rules.parts.conditions.condition_rules import unmet_requirement
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.environment.entries import current_map, extra_points
from turnwright.rules.parts.movement.move_legs import reins_vetoes
from turnwright.rules.parts.positions import geometry
from turnwright.rules.system import NO_RESULT, HookContext, HookResult, RuleSystem, Veto, creature_of
from turnwright.rules.system_data.numbers import ActionOption

ATTACK, NONE, FREE = "attack", "none", "free"
MOVE, READY = "move", "ready"
POSTURE: Final = "posture"
MANIPULATE: Final = "manipulate"
NOT_OFFERED = ("trait", "legendary", "lair")  # not actions, or offered between turns


def action_option(lookup: Lookup, rules: RuleSystem, who: str, action: str) -> ActionOption:
    """Return an action by id: one of the system's, a feature from the stat block, or else an improvised action."""
    option = rules.actions.get(action)
    if option is not None:
        more = extra_points(lookup, rules, who, option) if lookup.get(Combatant, who) is not None else 0
        return msgspec.structs.replace(option, price=option.price + more) if more else option
    feature = feature_of(lookup, who, action)
    if feature is not None:
        price = limited_uses.known_cost(lookup, who, feature.id, feature.price)
        return _as_option(feature, feature_rule(lookup, rules, who, feature), price)
    return ActionOption(id=action, name=action, group="other", ledger=(rules.rule_id("action.improvise"),))


def sustaining_action(rules: RuleSystem) -> ActionOption | None:
    """Return the action that sustains a spell, or None if concentration alone maintains spells."""
    return next((action for action in rules.data.actions if action.done == "sustain"), None)


def feature_of(lookup: Lookup, who: str, id: str) -> Feature | None:
    """Return a feature of a combatant's stat block by its id."""
    combatant = lookup.get(Combatant, who)
    features = (*creature_of(lookup, combatant).features, *left_features(lookup, who)) if combatant else ()
    return next((feature for feature in features if feature.id == id), None)


def feature_rule(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature | None = None) -> str:
    """Return the ledger rule for using a feature, which depends on whether the combatant is a character.

    Some games have separate rules for spells and items.
    """
    kind = "" if feature is None else "spell" if is_spell(feature) else "item" if is_item(feature) else ""
    if kind and rules.rule_id(f"price.{kind}"):
        return rules.rule_id(f"price.{kind}")
    return rules.rule_id("feature.granted" if is_character(lookup, lookup.need(Combatant, who)) else "feature.use")


def _as_option(feature: Feature, rule: str, price: int | None = None) -> ActionOption:
    """Return a feature as an action option."""
    free = feature.cost == FREE
    return ActionOption(
        id=feature.id,
        name=feature.name,
        cost="action" if is_list(feature) else feature.cost,
        price=feature.price if price is None else price,
        spends=feature.spends,
        free=free,
        group="other",
        text=feature.rules_text,
        provokes=MANIPULATE if MANIPULATE in feature.properties else "",
        ledger=(rule,),
    )


def stat_block_options(lookup: Lookup, rules: RuleSystem, who: str) -> list[tuple[ActionOption, Feature]]:
    """Return the actions of a combatant's stat block, each with its feature."""
    features = creature_of(lookup, lookup.need(Combatant, who)).features
    available = (
        each for each in features if each.cost not in NOT_OFFERED or casting_time_vetoes(rules, each) or is_list(each)
    )
    return [(_as_option(feature, feature_rule(lookup, rules, who, feature)), feature) for feature in available]


def is_list(feature: Feature) -> bool:
    """Return whether a trait lists things that its owner can do for an action, such as spells."""
    return feature.cost == "trait" and bool(feature.does) and not feature.trigger


def casting_time_vetoes(rules: RuleSystem, feature: Feature) -> tuple[Veto, ...]:
    """Return the veto on a spell that takes longer than a turn to cast, or on one with an unknown casting time.

    The time can be unknown in a game that borrows spells from other games.
    """
    listed = listed_spell(rules, feature)
    if listed is not None and listed.casting_time:
        params = (("what", feature.name), ("time", listed.casting_time))
        return (Veto("refused.long_casting_time", listed.rule(), params),)
    rule = rules.rule_id("spell.unknown-time")
    if not rule or feature.cost != "trait" or not is_spell(feature) or is_list(feature):
        return ()
    return (Veto("refused.no_casting_time", rule, (("what", feature.name),)),)


NOTHING_CHOSEN: Final = ActionInProgress("", "")


def action_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption, taken: ActionInProgress = NOTHING_CHOSEN
) -> tuple[Veto, ...]:
    """Return all vetoes on an action: those from turn and cost first, then those from its requirements.

    If the cost isn't chosen yet, the action is allowed if any of its costs can be paid. Requirements on targets are
    checked for each target.
    """
    vetoes = [*all_cost_vetoes(lookup, rules, who, option, taken.cost), *_overflow_vetoes(lookup, rules, who, option)]
    vetoes += switched_off_vetoes(lookup, rules, who, option.id)
    vetoes += limited_uses.pool_vetoes(lookup, rules, who, option.id, option.spends)
    vetoes += requirement_vetoes(lookup, rules, who, option, taken)
    if option.done == READY and taken.choice:
        vetoes += _ready_vetoes(lookup, rules, who, option, taken.choice)
    own = feature_of(lookup, who, option.id)
    vetoes += casting_time_vetoes(rules, own) if own is not None and option.id not in rules.actions else ()
    vetoes += reins_vetoes(lookup, rules, who, option.id, cost=taken.cost or option.cost)
    return (*vetoes, *cannot_act_vetoes(lookup, rules, who))


def requirement_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption, taken: ActionInProgress
) -> tuple[Veto, ...]:
    """Return the vetoes from an action's requirements, whatever it costs. The targets are checked one by one."""
    vetoes: list[Veto] = []
    for requirement in option.requires:
        if not requirement.only or requirement.only == taken.choice:
            about = (taken.about,) if taken.about else ()
            others = {"": ("",), "target": taken.targets, "about": about}[requirement.of]
            vetoes += [veto for other in others for veto in unmet_requirement(lookup, rules, who, requirement, other)]
    return tuple(vetoes)


def takes_an_action(option: ActionOption) -> bool:
    """Return whether an action can be paid for with the turn's action or one of its attacks."""
    return bool({"action", ATTACK} & {*option.payable})


def switched_off_vetoes(lookup: Lookup, rules: RuleSystem, who: str, action: str) -> tuple[Veto, ...]:
    """Return the veto on an action that the game master has switched off for a combatant."""
    if all(effect.source != action for effect in effects_named(lookup, who, rules.role("action-disabled"))):
        return ()
    label = lookup.need(Combatant, who).label
    return (Veto("refused.action-disabled", rules.rule_id("action.disabled"), (("who", label),)),)


def _overflow_vetoes(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> tuple[Veto, ...]:
    """Return the veto on a conversion that would raise a resource above its maximum."""
    gained = rules.resources.get(option.gives)
    if gained is None:
        return ()
    most, have = limited_uses.maximum(lookup, who, gained), limited_uses.remaining(lookup, who, gained.id)
    if have + option.price <= most:
        return ()
    label = lookup.need(Combatant, who).label
    amounts = (("most", most), ("have", have), ("more", option.price))
    params = (("resource", f"<resource.{gained.id}>"), ("who", label), *amounts)
    return (Veto("refused.too_many", option.rule("cap"), params),)


def is_price_unknown(rules: RuleSystem, option: ActionOption) -> bool:
    """Return whether the game master has to enter how many points an action costs."""
    cost = rules.resources.get(option.cost)
    return not option.price and not option.free and cost is not None and limited_uses.is_finite(cost)


def _ready_vetoes(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption, response: str) -> tuple[Veto, ...]:
    """Return the veto on readying a response that isn't an action, or a spell that doesn't take an action."""
    listed = rules.actions.get(response) if response != MOVE else None
    if listed is not None and (listed.id == option.id or not takes_an_action(listed)):
        return (Veto("refused.not_to_be_readied", option.rule(), (("what", listed.name),)),)
    feature = feature_of(lookup, who, response)
    if feature is None or feature.cost == "action":
        return ()
    rule = option.rule("spell-time") if is_spell(feature) else option.rule()
    return (Veto("refused.not_to_be_readied", rule, (("what", feature.name),)),)


def all_cost_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption, cost: str = ""
) -> tuple[Veto, ...]:
    """Return the vetoes on paying for an action with `cost`, or with any of its costs if `cost` is empty.

    Empty if one of them can be paid.
    """
    if cost and cost not in option.payable:
        return (Veto("refused.no_such_cost", option.rule("cost"), (("what", option.name), ("cost", cost))),)
    first: tuple[Veto, ...] = ()
    for each in (cost,) if cost else option.payable:
        vetoes = cost_vetoes(lookup, rules, who, option, each)
        if not vetoes:
            return ()
        first = first or vetoes
    return first


def cost_for(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption, cost: str = "") -> str:
    """Return the cost that an action is paid with: `cost`, or else the first affordable one, or else the first."""
    if cost:
        return cost
    can_pay = (payable for payable in option.payable if not cost_vetoes(lookup, rules, who, option, payable))
    return next(can_pay, option.payable[0])


def resource_for(lookup: Lookup, who: str, option: ActionOption, cost: str) -> str:
    """Return the resource that a cost uses, or an empty string if it uses none.

    A cost in time, such as a minute, uses the turn's action.
    """
    if cost in (NONE, FREE) or (cost == ATTACK and attacks_left(lookup, who)):
        return ""
    return "action" if cost == ATTACK or cost in dict(option.takes) else cost


def cost_vetoes(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption, cost: str) -> tuple[Veto, ...]:
    """Return the vetoes on paying a cost now: out of turn, forbidden, nothing left, or longer than a turn."""
    name = resource_for(lookup, who, option, cost)
    resource = rules.resources.get(name)
    vetoes = (
        [*limited_uses.out_of_turn_vetoes(lookup, rules, who, name or cost)]
        if resource is None or not resource.amount
        else []
    )
    if not name and cost in rules.resources:
        vetoes += limited_uses.denial_vetoes(lookup, rules, who, cost)
    seconds = dict(option.takes).get(cost, 0)
    if seconds > scene_of(lookup).round_seconds:
        vetoes.append(Veto("refused.takes_longer", option.rule("times"), (("what", option.name), ("seconds", seconds))))
    return (*limited_uses.spending_vetoes(lookup, rules, who, name, price_of(option, cost)), *vetoes)


def price_of(option: ActionOption, cost: str) -> int:
    """Return an action's price in units of a cost. An attack of the Attack action, or a cost in time, counts as 1.

    If the price can be chosen, return the lowest.
    """
    if cost != option.cost and cost not in option.costs:
        return 1
    return option.price or min(option.prices, default=0)


def attacks_left(lookup: Lookup, who: str) -> int:
    """Return the number of attacks left in an Attack action that was already taken."""
    return track_value(lookup, who, "attacks")


def possible_others(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    option: ActionOption,
    side: Literal["target", "about"],
    choice: str = "",
) -> list[str]:
    """Return the possible targets of an action, or the living combatants that it can be `about`.

    Combatants known not to meet the requirements are excluded.
    """
    required = [each for each in option.requires if each.of == side and each.only in ("", choice)]
    return [
        combatant.id
        for combatant in lookup.all(Combatant)
        if combatant.id != who
        and not (side == "about" and combatant.dead)
        and not any(veto for each in required for veto in unmet_requirement(lookup, rules, who, each, combatant.id))
    ]


class UsableItem(msgspec.Struct, frozen=True):
    """A usable item: its id and name, and its feature if the stat block has one for it."""

    id: str
    name: str
    feature: Feature | None = None


def usable_items(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[UsableItem, ...]:
    """Return the items that a combatant can use now. An object counts as within reach unless it is known not to be."""
    things = (
        UsableItem(item.id, item.name or item.id)
        for item in _map_items(lookup)
        if is_within_reach(lookup, rules, who, item)
    )
    return (*_carried(lookup, who), *things)


def _carried(lookup: Lookup, who: str) -> Iterator[UsableItem]:
    """Yield the carried items, except those with an attack or save, which have their own entries."""
    combatant = lookup.need(Combatant, who)
    creature = creature_of(lookup, combatant)
    for feature in creature.features:
        if is_item(feature) and not is_attack(feature) and not feature.save:
            yield UsableItem(feature.id, feature.name, feature)
    yield from (UsableItem(f"gear:{name}", name) for name in dict.fromkeys((*combatant.gear, *creature.gear)))


def _map_items(lookup: Lookup) -> tuple[Obstacle, ...]:
    field = current_map(lookup)
    return tuple(obstacle for obstacle in (field.obstacles if field else ()) if obstacle.item)


def is_within_reach(lookup: Lookup, rules: RuleSystem, who: str, obstacle: Obstacle) -> bool:
    """Return whether an object on the map is within a combatant's reach, or at an unknown distance."""
    feet = distance_to_squares(lookup, rules, who, obstacle.at, obstacle.size)
    return feet is None or feet <= (creature_of(lookup, lookup.need(Combatant, who)).reach or rules.data.attack.reach)


def item_out_of_reach(lookup: Lookup, rules: RuleSystem, who: str, id: str) -> Obstacle | None:
    """Return the object on the map with this id if it is too far away to be used, else None."""
    thing = next((map_item for map_item in _map_items(lookup) if map_item.id == id), None)
    return thing if thing is not None and not is_within_reach(lookup, rules, who, thing) else None


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
            feet = geometry.distance(lookup, rules, here.id, member.id)
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
    if not rules.data.groups.command_cost or resource is None or resource.off_turn:
        return NO_RESULT
    if is_out_of_play(lookup, lookup.need(Combatant, context.who).controller):
        return NO_RESULT  # its controller can no longer command it
    if current_command(lookup, rules, context.who):
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
    features = creature_of(lookup, lookup.need(Combatant, who)).features
    own = next((feature for feature in features if feature.id == weapon.id), weapon)
    return (own.attack if own.attack is not None else weapon.attack) or 0


def group_check_bonus(rules: RuleSystem, members: tuple[str, ...], check: str) -> int:
    """Return the bonus to a group's check of physical strength from the number of its members."""
    settings = rules.data.groups
    if check.partition(":")[0] != settings.check_ability:
        return 0
    return (len(members) - 1) * settings.check_per_member
