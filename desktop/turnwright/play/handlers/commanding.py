"""Commands to use features, alone or as a group, and to have the creatures under one's control act."""

from __future__ import annotations

import msgspec

from turnwright.battlemap.areas import contiguous
from turnwright.encounter.pending import Assault, Checks, Onslaught
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Effect, Ends
from turnwright.play.commands import Direct, GroupAttack, GroupCheck, UseFeature
from turnwright.play.events import Commanded
from turnwright.play.harm import put_effect
from turnwright.play.procedures.announced_features import open_prices
from turnwright.play.procedures.concentration import concentrate
from turnwright.play.procedures.loop import begin
from turnwright.play.procedures.readied import holds_spell, release_vetoes, released_spell
from turnwright.play.refusals import Refused
from turnwright.play.resources import need_finished, need_turn, spend, take, take_pools
from turnwright.play.supplies import LEGENDARY, lacks, spend_supply, supply_of
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions import cost_for, option_of, price_of, resource_for, timeless, vetoes_on_costs
from turnwright.rules.parts.announced import is_asked
from turnwright.rules.parts.control import (
    COMMANDED,
    group_dc,
    group_of,
    is_follower,
    moving_together,
    order_of,
    uncommanded,
)
from turnwright.rules.parts.economy import out_of_turn, said_price, vetoes_on_pools
from turnwright.rules.parts.fitness import is_unable, unable
from turnwright.rules.parts.means import is_attack
from turnwright.rules.parts.targeting import too_far
from turnwright.rules.system import RuleSystem, creature_of, label_of

FREE = "free"


def use_feature(command: UseFeature, tx: Transaction, rules: RuleSystem) -> None:
    """Use a feature or a spell: pay for it, then let its targets save and suffer."""
    who = tx.need(Combatant, command.who)
    feature, spell = _feature_of(command, tx, rules)
    for target in command.targets:
        tx.need(Combatant, target)
    need_finished(tx, rules, who.id)
    tx.forbid_by(vetoes_on(tx, rules, command, feature))
    announced = is_asked(tx, rules) and not command.purpose and not command.action
    asked = not announced and _takes_own_price(command, feature) and bool(open_prices(tx, rules, who.id, feature))
    if not announced and not asked:
        _pay(tx, rules, command, feature)
        if feature.concentration:
            concentrate(tx, rules, who.id, feature.name)
    onslaught = Onslaught(
        (who.id,),
        feature,
        targets=tuple(dict.fromkeys(command.targets)),
        save=feature.save,
        dc=feature.dc,
        half=feature.half,
        level=command.level,
        spell=spell,
        spared=command.spared,
        things=command.things,
    )
    begin(tx, "onslaught", "announce" if announced else "price" if asked else "gaps", onslaught)


def _takes_own_price(command: UseFeature, feature: Feature) -> bool:
    """Return whether a feature is paid for as it says itself: not by an action, another's turn or what is at its place."""
    return command.purpose in ("", COMMANDED) and not command.action and feature.cost not in ("legendary", "lair")


def vetoes_on(tx: Transaction, rules: RuleSystem, command: UseFeature, feature: Feature) -> tuple[Veto, ...]:
    """Return why a feature can't be used in this way."""
    who = command.who
    found = [*(unable(tx, rules, who) or _uncalled_for(tx, rules, command, feature))]
    found += () if command.action else timeless(rules, feature)
    if not (command.purpose == "readied" and holds_spell(tx, who)):
        found += lacks(tx, rules, who, feature, command.level)
        found += vetoes_on_pools(tx, rules, who, feature.id, feature.spends)
    if command.action:
        found += vetoes_on_costs(tx, rules, who, option_of(tx, rules, who, command.action), command.cost)
    if not (feature.area or command.cubes):  # what fills an area may reach behind cover, and farther than its beginning
        barred = (positions.untargetable(tx, rules, who, one) for one in command.targets if one != who)
        found += [veto for veto in barred if veto is not None]
        found += [veto for one in command.targets for veto in too_far(tx, rules, who, feature, one)]
    spell = next((one for one in rules.catalogue.spells if one.id == command.spell), None)
    if spell is not None and spell.cubes and command.cubes:
        rule = spell.rule("area")
        if len(set(command.cubes)) != spell.cubes:
            found.append(Veto("refused.cubes", rule, (("count", spell.cubes),)))
        elif not contiguous(command.cubes):
            found.append(Veto("refused.cubes_apart", rule))
    return tuple(found)


def _uncalled_for(tx: Transaction, rules: RuleSystem, command: UseFeature, feature: Feature) -> tuple[Veto, ...]:
    """Return why a feature can't be used for the purpose given: it wasn't readied or commanded, or it isn't the turn."""
    if command.purpose == "readied":
        return release_vetoes(tx, rules, command.who, feature)
    if command.purpose == COMMANDED:
        return uncommanded(tx, rules, command.who)
    return out_of_turn(tx, rules, command.who) if command.purpose == FREE else ()


def _feature_of(command: UseFeature, tx: Transaction, rules: RuleSystem) -> tuple[Feature, str]:
    """Return what is used: a feature of the stat block, one described now, or a shipped spell (and its id)."""
    spell = next((one for one in rules.catalogue.spells if one.id == command.spell), None)
    if spell is not None:
        given = command.given or Feature(spell.id, spell.name, "action")
        return msgspec.structs.replace(given, damage=given.damage or spell.damage), spell.id
    if command.given is not None:
        return command.given, ""
    creature = creature_of(tx, tx.need(Combatant, command.who))
    feature = next((one for one in creature.features if one.id == command.means), None)
    if feature is None:
        raise Refused("refused.unknown", params={"what": command.means or command.spell or "?"})
    return feature, ""


def _pay(tx: Transaction, rules: RuleSystem, command: UseFeature, feature: Feature) -> None:
    if command.purpose == "readied":
        spend(tx, rules, command.who, "reaction")
        if released_spell(tx, rules, command.who):
            return  # its slot went when it was readied
    elif command.purpose == "legendary" or feature.cost == "legendary":
        spend_supply(tx, command.who, LEGENDARY, feature.name, feature.price)
    elif command.action:  # its vetoes have been looked at
        option = option_of(tx, rules, command.who, command.action)
        cost = cost_for(tx, rules, command.who, option, command.cost)
        take(tx, rules, command.who, resource_for(tx, command.who, option, cost), price_of(option, cost))
    elif command.purpose != FREE and feature.cost != "lair":
        if feature.cost == FREE:
            need_turn(tx, rules, command.who)
        price = said_price(tx, command.who, feature.id, feature.price) or 0
        spend(tx, rules, command.who, feature.cost, price)
    take_pools(tx, rules, command.who, feature.id, feature.spends)
    supply = supply_of(feature, command.level)
    if supply:
        spend_supply(tx, command.who, supply, feature.name)


def direct(command: Direct, tx: Transaction, rules: RuleSystem) -> None:
    """Command one creature or one group under control: what each of them does is then theirs to do this turn."""
    members = tuple(tx.need(Combatant, who) for who in dict.fromkeys(command.creatures))
    if not rules.catalogue.groups.command_cost:
        raise Refused("refused.no_commands")
    if not members:
        raise Refused("refused.no_target")
    rule = rules.cite("control.command")
    for one in members:
        if one.controller != command.who:
            tx.forbid("refused.not_yours", rule, who=one.label)
    together = {one.id for one in group_of(tx, members[0].id)} | {members[0].id}
    if any(one.id not in together and not one.dead for one in members):
        tx.forbid("refused.not_one_group", rule)
    members = tuple(tx.need(Combatant, who) for who in _standing(tx, rules, tuple(one.id for one in members)))
    spend(tx, rules, command.who, rules.catalogue.groups.command_cost)
    for one in members:
        order = Effect(
            tx.next_id("effect"),
            one.id,
            COMMANDED,
            source=label_of(tx, command.who),
            ends=Ends("turn"),
            by=command.target,
            until=command.action,
        )
        put_effect(tx, rules, order)
    tx.emit(
        Commanded(
            who=command.who,
            creatures=tuple(one.id for one in members),
            action=command.action,
            target=command.target,
            rule=rule,
        )
    )


def vetoes_on_order(tx: Transaction, rules: RuleSystem, who: str, target: str) -> tuple[Veto, ...]:
    """Return why a creature under command may not strike somebody: a group keeps to the one target it was given."""
    order = order_of(tx, who)
    if order is None or not order.by or not target or order.by == target:
        return ()
    return (Veto("refused.other_target", rules.cite("control.same-action"), (("who", label_of(tx, order.by)),)),)


def _standing(tx: Transaction, rules: RuleSystem, members: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of some who can act. Refused where nobody can; who insists has them all."""
    standing = tuple(who for who in members if not is_unable(tx, who))
    if not standing:
        tx.forbid_by(unable(tx, rules, members[0]))
    return standing or members


def group_attack(command: GroupAttack, tx: Transaction, rules: RuleSystem) -> None:
    """Let a group attack as one: the target saves, and each member beyond the first counts."""
    members = tuple(dict.fromkeys(command.who))
    if not members:
        raise Refused("refused.no_target")
    if not rules.catalogue.groups.dc_base:
        raise Refused("refused.no_groups")
    target = tx.need(Combatant, command.target)
    for who in members:
        tx.need(Combatant, who)
    members = _standing(tx, rules, members)
    first = tx.need(Combatant, members[0])
    near = {one.id for one in moving_together(tx, rules, first.id)}
    for who in members:
        if who not in near:
            tx.forbid("refused.not_one_group", rules.cite("control.group-move"))
        tx.forbid_by(vetoes_on_order(tx, rules, who, target.id))
    means = command.given or next((one for one in creature_of(tx, first).features if one.id == command.means), None)
    if means is None:
        raise Refused("refused.unknown", params={"what": command.means or "?"})
    for who in members:
        tx.forbid_by(_vetoes_on_aim(tx, rules, who, target.id, means))
    for who in members:
        if not is_follower(tx, who):
            need_turn(tx, rules, who)
        spend(tx, rules, who, "action")
    if means.concentration:
        concentrate(tx, rules, first.id, means.name)
    dc, more = group_dc(tx, rules, members, means)
    own = bool(means.save) and (bool(means.dc) or not is_attack(means))
    onslaught = Onslaught(
        members,
        means,
        targets=(target.id,),
        save=means.save if own else rules.catalogue.groups.save,
        dc=dc + more if means.dc or not own else 0,
        half=means.half if own else True,
        extra=more,
    )
    begin(tx, "onslaught", "saves", onslaught)


def _vetoes_on_aim(tx: Transaction, rules: RuleSystem, who: str, target: str, means: Feature) -> tuple[Veto, ...]:
    """Return why one of a group can't attack somebody with what the group uses: out of its reach, or one of them."""
    if target in {one.id for one in group_of(tx, who)}:
        params = (("who", label_of(tx, target)),)
        return (Veto("refused.own_group", rules.cite("control.attack.save"), params),)
    if is_attack(means):
        return rules.attack.vetoes(tx, rules, Assault(who, means, target))
    return () if means.area else too_far(tx, rules, who, means, target)


def group_check(command: GroupCheck, tx: Transaction, rules: RuleSystem) -> None:
    """Ask one roll for a group."""
    members = tuple(dict.fromkeys(command.who))
    if not members:
        raise Refused("refused.no_target")
    if not rules.catalogue.groups.dc_base:
        raise Refused("refused.no_groups")
    for who in members:
        tx.need(Combatant, who)
    begin(tx, "group-check", "roll", Checks(members, command.check, dc=command.dc))
