"""Commands to use features, alone or as a group, and to have the creatures under one's control act."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Checks, Onslaught
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Effect, Ends
from turnwright.play.commands import Direct, GroupAttack, GroupCheck, UseFeature
from turnwright.play.events import Commanded
from turnwright.play.harm import put_effect
from turnwright.play.procedures.loop import begin
from turnwright.play.procedures.readied import holds_spell, release_vetoes, released_spell
from turnwright.play.refusals import Refused
from turnwright.play.resources import label, need_turn, spend
from turnwright.play.supplies import LEGENDARY, lacks, spend_supply, supply_of
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.control import COMMANDED, group_dc, group_of, is_follower, moving_together, order_of
from turnwright.rules.system import RuleSystem, creature_of

UNPAID = ("commanded", "free")


def use_feature(command: UseFeature, tx: Transaction, rules: RuleSystem) -> None:
    """Use a feature or a spell: pay for it, then let its targets save and suffer."""
    who = tx.need(Combatant, command.who)
    feature, spell = _feature_of(command, tx, rules)
    for target in command.targets:
        tx.need(Combatant, target)
    tx.forbid_by(vetoes_on(tx, rules, command, feature))
    _pay(tx, rules, command, feature)
    if feature.concentration:
        from turnwright.play.procedures.concentration import concentrate

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
    begin(tx, "onslaught", "gaps", onslaught)


def vetoes_on(tx: Transaction, rules: RuleSystem, command: UseFeature, feature: Feature) -> tuple[Veto, ...]:
    """Return why a feature can't be used in this way."""
    readied = command.purpose == "readied"
    found = [*release_vetoes(tx, rules, command.who)] if readied else []
    if not (readied and holds_spell(tx, command.who)):
        found += lacks(tx, rules, command.who, feature, command.level)
    if not (feature.area or command.cubes):  # what fills an area may reach behind cover
        barred = (positions.untargetable(tx, rules, command.who, one) for one in command.targets if one != command.who)
        found += [veto for veto in barred if veto is not None]
    spell = next((one for one in rules.catalogue.spells if one.id == command.spell), None)
    if spell is not None and spell.cubes and command.cubes:
        from turnwright.battlemap.areas import contiguous

        rule = next((id for id in spell.ledger if id.endswith("area")), "")
        if len(set(command.cubes)) != spell.cubes:
            found.append(Veto("refused.cubes", rule, (("count", spell.cubes),)))
        elif not contiguous(command.cubes):
            found.append(Veto("refused.cubes_apart", rule))
    return tuple(found)


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
    elif command.purpose not in UNPAID:
        if feature.cost == "free":
            need_turn(tx, rules, command.who)
        spend(tx, rules, command.who, feature.cost)
    supply = supply_of(feature, command.level)
    if supply:
        spend_supply(tx, command.who, supply, feature.name)


def direct(command: Direct, tx: Transaction, rules: RuleSystem) -> None:
    """Command one creature or one group under control: what each of them does is then theirs to do this turn."""
    members = tuple(tx.need(Combatant, who) for who in dict.fromkeys(command.creatures))
    if not members:
        raise Refused("refused.no_target")
    rule = rules.cite("control.command")
    for one in members:
        if one.controller != command.who:
            tx.forbid("refused.not_yours", rule, who=one.label)
    together = {one.id for one in group_of(tx, members[0].id)}
    if any(one.id not in together for one in members):
        tx.forbid("refused.not_one_group", rule)
    spend(tx, rules, command.who, rules.catalogue.groups.command_cost)
    for one in members:
        order = Effect(
            tx.next_id("effect"),
            one.id,
            COMMANDED,
            source=label(tx, command.who),
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
    return (Veto("refused.other_target", rules.cite("control.same-action"), (("who", label(tx, order.by)),)),)


def group_attack(command: GroupAttack, tx: Transaction, rules: RuleSystem) -> None:
    """Let a group attack as one: the target saves, and each member beyond the first counts."""
    members = tuple(dict.fromkeys(command.who))
    if not members:
        raise Refused("refused.no_target")
    target = tx.need(Combatant, command.target)
    first = tx.need(Combatant, members[0])
    near = {one.id for one in moving_together(tx, rules, first.id)}
    for who in members:
        tx.need(Combatant, who)
        if who not in near:
            tx.forbid("refused.not_one_group", rules.cite("control.group-move"))
        tx.forbid_by(vetoes_on_order(tx, rules, who, target.id))
    means = command.given or next((one for one in creature_of(tx, first).features if one.id == command.means), None)
    if means is None:
        raise Refused("refused.unknown", params={"what": command.means or "?"})
    for who in members:
        if not is_follower(tx, who):
            need_turn(tx, rules, who)
        spend(tx, rules, who, "action")
    dc, more = group_dc(tx, rules, members, means)
    own = bool(means.save and means.dc)
    onslaught = Onslaught(
        members,
        means,
        targets=(target.id,),
        save=means.save if own else rules.catalogue.groups.save,
        dc=dc + more,
        half=means.half if own else True,
        extra=more,
    )
    begin(tx, "onslaught", "saves", onslaught)


def group_check(command: GroupCheck, tx: Transaction, rules: RuleSystem) -> None:
    """Ask one roll for a group."""
    members = tuple(dict.fromkeys(command.who))
    if not members:
        raise Refused("refused.no_target")
    for who in members:
        tx.need(Combatant, who)
    begin(tx, "group-check", "roll", Checks(members, command.check, dc=command.dc))
