"""Features and followers used by command, without an attack roll: spells, breaths, and orders to controlled creatures."""

from itertools import combinations, pairwise
from typing import Final, Literal, TypeAlias

import msgspec

from turnwright.battlemap.paths import contiguous
from turnwright.encounter import field_specs, state
from turnwright.encounter.prepared import ANY_MELEE, Feature, Point
from turnwright.encounter.procedure_state import attacks
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.procedure_state.attacks import AttackInProgress, SaveEffect
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.play.attacks import attack_request, counteract, group_attack, save_effect
from turnwright.play.effects import concentration, conditions, ready_action
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import CombatantCommand, Refused, Transaction, command, require, require_targets
from turnwright.play.state import action_economy, effect_records
from turnwright.rules.parts.actions import action_options, how_features_play, spell_features, triggered_features
from turnwright.rules.parts.actions.action_options import (
    FREE,
    MANIPULATE,
    action_option,
    cost_for,
    price_of,
    resource_for,
)
from turnwright.rules.parts.attacks.attack_rolls import SPELL
from turnwright.rules.parts.attacks.attack_targeting import condition_vetoes, is_attack, is_spell, requirement_vetoes
from turnwright.rules.parts.combatants.facts import HEARD, cannot_act_vetoes, legendary_actions, wanted_plays
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.economy.limited_uses import LEGENDARY, remaining_uses, use_key, uses_per_use
from turnwright.rules.parts.movement.move_legs import melee_attacks
from turnwright.rules.parts.positions import geometry, sight
from turnwright.rules.system import Hook, HookContext, Veto, creature_of, label_of, run_hooks
from turnwright.rules.system_data.numbers import Spell

AGAIN: Final = "again"  # the purpose of an attack with a spell that was cast on an earlier turn
ONCE: Final = "once-a-turn"  # property of spells that act only when they are first sustained in a turn
Cube: TypeAlias = tuple[int, int, int]


def parse_cubes(text: str) -> tuple[Cube, ...]:
    """Parse a list of cubes such as `0,0,0 1,0,0 1,0,1`. Raise ValueError if it is malformed."""
    return tuple(_cube(cube) for cube in text.replace(";", " ").split())


def _cube(text: str) -> Cube:
    column, row, layer = (int(number) for number in text.split(","))
    return column, row, layer


@command(
    script="feature {who} {feature,spell} [on {targets}] [as {purpose}] [level {level}] [excluding {exempt:exempt}] "
    "[burning {objects:objects}] [cubes {cubes:cubes}] [from {origin}]"
)
class UseFeature(CombatantCommand, frozen=True):
    """Use a feature such as a spell or breath, and apply its save, damage and conditions, or attack its target with it.

    `given` describes a feature that isn't in the stat block, and `spell` is the id of a spell of the rule system.
    `level` is the level of the spell slot (None: the spell's own level). `cubes` are the positions of an area's cubes
    along three axes. `origin` is the square from which the area spreads: a burst's centre is the square's upper left
    corner. `exempt` are creatures in the area that aren't affected (`plant`: all plants), and `objects` are
    the map's obstacles in the area. With the `purpose` `again`, a spell that lasts attacks another time, or moves its
    area to `origin`. `action` is the listed action used for the feature. `cost` replaces the feature's own cost, as for
    a spell that takes a minute to cast.
    """

    feature: field_specs.FeatureId = ""
    given: Feature | None = None
    spell: field_specs.SpellId = ""
    targets: field_specs.CombatantIds = ()
    level: int | None = None
    cubes: tuple[tuple[int, int, int], ...] = ()
    exempt: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    purpose: Literal["", "readied", "commanded", "legendary", "free", "again"] = ""
    action: field_specs.ActionId = ""
    cost: str = ""
    origin: Point | None = None

    def handle(self, tx: Transaction) -> None:
        """Use a feature or a spell: pay for it, then ask for its targets' saves."""
        who = tx.need(Combatant, self.who)
        feature, spell = used_feature(self, tx)
        is_kind = bool(feature.save) and not any(geometry.are_hostile(tx, who.id, target) for target in self.targets)
        usual = self.purpose != AGAIN and not (spell or is_kind or self.level or self.action)
        enchanted = self.purpose == AGAIN and "weapon" in feature.properties
        if is_attack(feature) and len(self.targets) == 1 and (usual or enchanted):
            weapon = msgspec.structs.replace(feature, properties=("weapon", "magical"))
            purpose = "" if self.purpose == AGAIN else self.purpose
            means = weapon if enchanted else self.given
            attack_request.Attack(who.id, self.targets[0], feature.id, means, purpose).handle(tx)
            return
        feature = triggered_features.without_carried(feature)
        reacts = self.purpose == "readied" or feature.cost == "reaction"
        action_economy.require_no_open_action(tx, who.id, reacts=reacts)
        tx.forbid_by(feature_vetoes(tx, self, feature))
        feature = triggered_features.after_hit(tx, who.id, feature, self.targets)
        if (spell or is_spell(feature)) and not is_attack(feature):  # attacks end them once they are rolled
            effect_records.end_effects_at(tx, "attacks", who.id)
        if any(geometry.are_hostile(tx, who.id, target) for target in self.targets):
            effect_records.end_effects_at(tx, "opposes", who.id)
        if any(target != who.id for target in self.targets):
            effect_records.end_effects_at(tx, "affects", who.id)
        if self.purpose not in ("readied", AGAIN):
            action_economy.mark_cast(tx, who.id, feature)
        announced = limited_uses.can_be_reacted_to(tx, tx.rules) and not self.purpose and not self.action
        asks_cost = _pays_own_cost(self, feature) and bool(save_effect.unknown_feature_costs(tx, who.id, feature))
        if not announced and not asks_cost:
            _pay(tx, self, feature)
            if feature.concentration and self.purpose != AGAIN:
                concentration.concentrate(tx, who.id, feature.name)
        for held in conditions.sustained_effects(tx, who.id) if self.purpose == AGAIN and feature.cost != FREE else ():
            if held.source == feature.name:  # the same action sustains the spell
                conditions.extend_sustained(tx, held)
        is_aimed = save_effect.is_aimed(tx.rules, spell)
        earlier = state.effects_named(tx, who.id, feature.name) if self.purpose == AGAIN else ()
        effect = SaveEffect(
            (who.id,),
            feature,
            targets=self.targets if is_aimed else targets_of(who.id, feature, self.targets),
            save=spell_features.first_save(feature),
            dc=feature.dc,
            half_on_save=feature.half,
            level=self.level or feature.level or max((one.level for one in earlier), default=feature.level),
            spell=spell,
            excluded=self.exempt,
            obstacles=self.objects,
            origin=self.origin,
            again=self.purpose == AGAIN,
        )
        for cast in earlier if any(one.spent for one in tx.rules.data.spells if one.id == spell) else ():
            effect_records.end_effect(tx, cast)
        if not self.targets and requirement_vetoes(tx, tx.rules, who.id, feature, who.id):
            effect = msgspec.structs.replace(effect, targets=())  # its user can't be its target
        is_placed = self.origin is not None or save_effect.is_placed(tx, feature)
        moves = bool(feature.range) and feature.cost != FREE and not (self.origin or self.targets)
        is_open = (is_placed and (moves or not effect.again)) or save_effect.concerned(tx, effect)
        stage = attacks.SAVE_EFFECT.ask_place if is_open else attacks.SAVE_EFFECT.ask_missing
        stage = attacks.SAVE_EFFECT.pay_cost if asks_cost else stage
        asked = (each for each in tx.all(Prompt) if feature.cost == LEGENDARY and each.asks[0].who == who.id)
        # its offer waits for the action
        offer = next((each.procedure for each in asked if each.title == "prompt.legendary"), "")
        procedure = begin(tx, attacks.SAVE_EFFECT.declare_feature if announced else stage, effect, offer)
        if spell or is_spell(feature) or MANIPULATE in feature.properties:
            tags = (SPELL,) if spell or is_spell(feature) else (MANIPULATE,)
            acted = run_hooks(tx, tx.rules, Hook.FOE_ACTED, HookContext(who.id, "feature", tags=tags))
            effect_records.start_followups(tx, acted, procedure.id)
            is_cast = SPELL in tags and self.purpose not in ("readied", AGAIN)
            if (is_cast and counteract.offer_counters(tx, procedure, who.id)) or acted.procedures:
                tx.update(procedure, data=msgspec.structs.replace(effect, answered="asked"))


def targets_of(who: str, feature: Feature, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return the targets of a feature. If none were chosen, its effect is left on its user, unless it is for others."""
    usual = triggered_features.helps(feature) and not (chosen or feature.targets)
    if usual or (feature.range == spell_features.SELF and not feature.save):
        return (who,)
    return tuple(dict.fromkeys(chosen))


def _pays_own_cost(command: UseFeature, feature: Feature) -> bool:
    """Return whether a feature's own cost pays for it, rather than an action, a reaction or a lair."""
    is_own = command.purpose in ("", "commanded", AGAIN) and not command.action
    return is_own and feature.cost not in ("legendary", "lair")


def feature_vetoes(tx: Transaction, command: UseFeature, feature: Feature) -> tuple[Veto, ...]:
    """Return the reasons that forbid using a feature as commanded."""
    who = command.who
    vetoes = [*(cannot_act_vetoes(tx, tx.rules, who) or _purpose_vetoes(tx, command, feature))]
    is_held = command.purpose == "readied" and ready_action.is_holding_spell(tx, tx.rules, who)
    is_cast = is_held or command.purpose == AGAIN
    if not is_cast:  # else it has been paid for
        vetoes += action_economy.use_vetoes(tx, tx.rules, who, feature, command.level)
        vetoes += limited_uses.pool_vetoes(tx, tx.rules, who, feature.id, feature.spends)
        vetoes += action_economy.second_spell_vetoes(tx, tx.rules, who, feature)
    if command.action:
        option = action_option(tx, tx.rules, who, command.action)
        vetoes += action_options.all_cost_vetoes(tx, tx.rules, who, option, command.cost)
    if not (feature.area or command.cubes):  # an area may reach behind cover, and beyond the range of its origin
        cover_vetoes = (sight.total_cover_vetoes(tx, tx.rules, who, each) for each in command.targets if each != who)
        vetoes += [veto for veto in cover_vetoes if veto is not None]
    listed = spell_features.listed_spell(tx.rules, feature)
    burns = feature.save and (not feature.concentration or (listed is not None and listed.ground is not None))
    moved = feature.area and command.purpose == AGAIN and (burns or feature.cost == FREE)  # it may have left its range
    sought = [*((each, None) for each in command.targets), *([("", command.origin)] if feature.range else [])]
    for target, at in () if command.cubes or moved else sought:
        vetoes += triggered_features.out_of_range_vetoes(tx, tx.rules, who, feature, target, at)
    vetoes += () if is_cast else _vain_vetoes(tx, command, feature)
    unmet = [requirement_vetoes(tx, tx.rules, who, feature, target) for target in command.targets]
    if not feature.area or all(unmet):  # an area leaves them out
        vetoes += [each for one in unmet for each in one]
    for target in command.targets:
        if (feature.save or feature.damage) and not feature.area:
            vetoes += condition_vetoes(tx, tx.rules, AttackInProgress(who, feature, target))
        vetoes += attack_request.follow_up_vetoes(tx, tx.rules, who, feature, target)
    for most in (feature.targets, spell_features.darts_of(tx.rules, feature)[0]):
        if 0 < most < len(set(command.targets)):
            vetoes.append(Veto("refused.too_many_targets", "", (("what", feature.name), ("count", most))))
    spell = next((shipped for shipped in tx.rules.data.spells if shipped.id == command.spell), None)
    apart = (spell.apart if spell is not None else 0) or (0 if command.cubes else triggered_features.widest(feature))
    chained = save_effect.CHAIN in feature.properties
    pairs = pairwise(command.targets) if chained else combinations(command.targets if apart else (), 2)
    if any(geometry.is_within(tx, tx.rules, *pair, apart) is False for pair in pairs):
        rule = action_options.feature_rule(tx, tx.rules, who, feature)
        vetoes.append(Veto("refused.targets_apart", rule, (("what", feature.name), ("feet", apart))))
    unsustained = {held.source for held in conditions.sustained_effects(tx, who)}
    is_over = command.purpose == AGAIN and ONCE in feature.properties and feature.name not in unsustained
    vetoes += [Veto("refused.once_a_turn", "", (("what", feature.name),))] * is_over
    cast = None if command.targets else spell or spell_features.listed_spell(tx.rules, feature)
    aims = cast and bool(cast.attack or cast.darts or (cast.targets and (cast.heals or feature.save)))
    aims = aims if cast else is_attack(feature) and not (command.targets or feature.area or feature.does)
    placed = (feature.save or feature.area) and tx.need(Combatant, who).position
    waits = cast and (spell_features.is_standing(cast) or placed)
    vetoes += [Veto("refused.no_target", "")] if aims and not waits else []
    if spell is not None and spell.attack:
        count = spell_features.rays_of(spell, spell_features.caster_at(tx, tx.rules, who), feature.level or 0)
        # the bonus isn't known yet
        aimed = feature if is_attack(feature) else msgspec.structs.replace(feature, attack=0)
        struck = [each for each in command.targets if not spell.willing or geometry.are_hostile(tx, who, each)]
        for target in dict.fromkeys(struck):
            vetoes += attack_request.target_vetoes(tx, tx.rules, AttackInProgress(who, aimed, target))
        if 0 < count < len(struck):
            vetoes.append(Veto("refused.too_many_rays", spell.rule(), (("what", spell.name), ("count", count))))
    if spell is not None and spell.cubes and command.cubes:
        rule = spell.rule("area")
        if len(set(command.cubes)) != spell.cubes:
            vetoes.append(Veto("refused.cubes", rule, (("count", spell.cubes),)))
        elif not contiguous(command.cubes):
            vetoes.append(Veto("refused.cubes_apart", rule))
    long = () if is_cast or command.action else action_options.casting_time_vetoes(tx.rules, feature)
    return (*vetoes, *long)


def _vain_vetoes(tx: Transaction, command: UseFeature, feature: Feature) -> list[Veto]:
    """Return the vetoes on a use that has no effect: a defence without its trigger, a target that is immune for now.

    A target can also be out of reach of the Strikes that a feature begins with.
    """
    who, aimed = command.who, targets_of(command.who, feature, command.targets)
    rule, affects = action_options.feature_rule(tx, tx.rules, who, feature), triggered_features.affecting(feature)
    is_offered = (feature.automation or wanted_plays(tx, tx.rules)) not in ("off", "reminds")
    defends = is_offered and feature.cost == "reaction" and feature.trigger in ("damage", "attacked", "fails")
    spared = aimed and all(triggered_features.is_spared_by(tx, each, feature, who) for each in aimed)
    key = "refused.spared" if spared else "refused.untriggered" if defends and not (affects or feature.does) else ""
    vetoes = [Veto(key, rule, (("what", feature.name),))] if key else []
    first = next((step.use for step in feature.does if not step.gains), "")
    strikes = melee_attacks(tx, tx.rules, who) if first == ANY_MELEE and not affects else ()
    for target in command.targets if strikes else ():
        away = [triggered_features.out_of_range_vetoes(tx, tx.rules, who, each, target) for each in strikes]
        vetoes += away[0] if all(away) else ()
    return vetoes


def _purpose_vetoes(tx: Transaction, command: UseFeature, feature: Feature) -> tuple[Veto, ...]:
    """Return the vetoes against using a feature readied, on command or out of turn."""
    if command.purpose == "readied":
        return ready_action.release_vetoes(tx, tx.rules, command.who, feature)
    if command.purpose == "commanded":
        return action_options.uncommanded_vetoes(tx, tx.rules, command.who)
    of_legend = LEGENDARY in (command.purpose, feature.cost) and command.purpose != FREE
    if of_legend and legendary_actions(tx, command.who) and remaining_uses(tx, command.who, LEGENDARY) < feature.price:
        rule = action_options.feature_rule(tx, tx.rules, command.who)
        return (Veto("refused.no_uses", rule, (("what", feature.name),)),)
    if of_legend and limited_uses.is_on_turn(tx, command.who):
        return (Veto("refused.own_turn", action_options.feature_rule(tx, tx.rules, command.who)),)
    return limited_uses.out_of_turn_vetoes(tx, tx.rules, command.who) if command.purpose == FREE else ()


def used_feature(command: UseFeature, tx: Transaction) -> tuple[Feature, str]:
    """Return the feature to use: from the stat block, from the command, or a shipped spell together with its id."""
    spell = next((shipped for shipped in tx.rules.data.spells if shipped.id == command.spell), None)
    if spell is not None:
        return _cast(spell, command, tx), spell.id
    if command.given is not None:
        return command.given, ""
    creature = creature_of(tx, tx.need(Combatant, command.who))
    feature = next((owned for owned in creature.features if owned.id == command.feature), None)
    if feature is None:
        raise Refused("refused.unknown", params={"what": command.feature or command.spell or "?"})
    if action_options.is_list(feature):  # its spells take its actions
        feature = msgspec.structs.replace(feature, cost="action")
    despite = how_features_play.WHILE_HELPLESS in feature.properties
    if despite and limited_uses.denial_vetoes(tx, tx.rules, command.who, feature.cost):
        feature = msgspec.structs.replace(feature, cost=FREE)
    listed, caster = spell_features.listed_spell(tx.rules, feature), spell_features.caster_at(tx, tx.rules, command.who)
    raises = bool(command.level) and (is_attack(feature) or bool(feature.does))
    if listed is not None and (raises or spell_features.is_better_described(listed, feature)):
        return _cast(listed, command, tx), listed.id
    if (
        command.level
        and listed is not None
        and listed.level
        and not spell_features.cantrip_rank(tx.rules, listed, caster)
    ):
        feature = spell_features.raised(feature, listed, command.level)
    return spell_features.with_casters_dc(feature, caster), ""


def _cast(spell: Spell, command: UseFeature, tx: Transaction) -> Feature:
    """Convert a shipped spell to a feature with the details entered for it. Unknown details stay open.

    If the stat block has the spell, its uses are limited as there.
    """
    creature = creature_of(tx, tx.need(Combatant, command.who))
    own = next((each for each in creature.features if spell_features.listed_spell(tx.rules, each) is spell), None)
    if command.purpose == AGAIN:
        lasting = spell_features.lasting_spells(tx, tx.rules, command.who)
        if (feature := next((each for cast, each in lasting if cast.id == spell.id), None)) is None:
            raise Refused("refused.not_lasting", params={"what": spell.name})
        return feature
    caster = spell_features.caster_at(tx, tx.rules, command.who)
    rises = spell_features.cantrip_rank(tx.rules, spell, caster)
    rank, level = (command.level or rises if own is None else 0) if rises else 0, 0
    slot = command.level if spell.level and not rises else None  # a cantrip takes none
    if not rank:
        level = slot or (
            spell_features.slot_level(spell, creature) if own is None else spell_features.rank_of(spell, own, caster)
        )
    price = command.given.price if command.given is not None else 0
    usual = spell_features.spell_feature(spell, caster, level=rank or level, price=price)
    pools = [(id, 1) for id, points in creature.pools if points and id == spell_features.FOCUS in spell.properties]
    usual = msgspec.structs.replace(usual, level=level or None, spends=tuple(pools))
    if own is not None:
        level = slot or own.level or 0
        usual = msgspec.structs.replace(usual, id=own.id, uses=own.uses, recharge=own.recharge, level=level or None)
        if command.level in (None, 0, own.level) and price in (0, own.price):
            usual = spell_features.with_printed_numbers(usual, own)
    else:  # a use of the feature that lets it cast the spell
        casts = (one for one in creature.features if one.uses and any(step.spell == spell.id for step in one.does))
        if not command.level and (casting := next(casts, None)) is not None:
            usual = msgspec.structs.replace(usual, uses=1, shares=casting.shares or casting.id, level=None)
    return spell_features.with_details(spell, usual, command.given)


def _pay(tx: Transaction, command: UseFeature, feature: Feature) -> None:
    if command.purpose == "readied":
        action_economy.spend(tx, command.who, "reaction")
        if ready_action.release_held_spell(tx, command.who):
            return  # its slot was spent when it was readied
    elif command.purpose == "legendary" or feature.cost == "legendary":
        action_economy.spend_use(tx, command.who, LEGENDARY, feature.name, feature.price)
    elif command.action:  # its vetoes have already been checked
        option = action_option(tx, tx.rules, command.who, command.action)
        cost = cost_for(tx, tx.rules, command.who, option, command.cost)
        action_economy.deduct(tx, command.who, resource_for(tx, command.who, option, cost), price_of(option, cost))
    elif command.purpose != FREE and feature.cost != "lair":
        if command.purpose != AGAIN and save_effect.needs_turn(feature):
            action_economy.require_turn(tx, command.who)
        if attack_request.is_paid_by_multiattack(tx, tx.rules, command.who, feature):
            attack_request.count_in_multiattack(tx, command.who, feature)
        elif "replaces-attack" in feature.properties:
            attack_request.spend_attack(tx, command.who)
        else:
            price = limited_uses.known_cost(tx, command.who, feature.id, feature.price) or 0
            can_pay = not limited_uses.spending_vetoes(tx, tx.rules, command.who, feature.cost, price)
            action_economy.spend(tx, command.who, feature.cost, price)
            if can_pay:
                attack_request.count_in_multiattack(tx, command.who, feature)
                attack_request.grant_attacks(tx, command.who, feature)
    action_economy.deduct_pools(tx, command.who, feature.id, feature.spends)
    action_economy.spend_use(tx, command.who, use_key(feature, command.level), feature.name, uses_per_use(feature))


@command(script="direct {who} {creatures} to {action:order} [against {target}]")
class CommandFollowers(CombatantCommand, frozen=True):
    """Command controlled creatures to act, usually with the controller's bonus action."""

    creatures: field_specs.CombatantIds
    action: field_specs.ActionId
    target: field_specs.CombatantId = ""

    def handle(self, tx: Transaction) -> None:
        """Command one controlled creature or one group. Its actions this turn follow as separate commands."""
        require(tx.rules.data.groups.command_cost, "refused.no_commands")
        members = tuple(tx.need(Combatant, who) for who in require_targets(self.creatures))
        rule = tx.rule_id("control.command")
        for controlled in members:
            if controlled.controller != self.who:
                tx.forbid("refused.not_yours", rule, who=controlled.label, by=label_of(tx, self.who))
        heard = {each.note: each.value for each in state.effects_named(tx, self.who, HEARD)}
        near = min((heard.get(each.roster, 0) for each in members), default=0)
        for far in members if near else ():
            if geometry.is_within(tx, tx.rules, self.who, far.id, near) is False:
                tx.forbid("refused.too_far_to_help", rule, target=far.label, who=label_of(tx, self.who), figure=near)
        together = {group_member.id for group_member in action_options.group_of(tx, members[0].id)} | {members[0].id}
        if not near and any(member.id not in together and not member.dead for member in members):
            tx.forbid("refused.not_one_group", rule, feet=tx.rules.data.groups.within)
        able = group_attack.able_members(tx, tuple(member.id for member in members))
        action_economy.spend(tx, self.who, tx.rules.data.groups.command_cost)
        own, by = tx.role("commanded"), label_of(tx, self.who)
        for follower in able:
            order = Effect(tx.next_id("effect"), follower, own, by, ends=Duration("turn"), by=self.target)
            effect_records.put_effect(tx, msgspec.structs.replace(order, end_condition=self.action))
        tx.emit(FollowersCommanded(who=self.who, creatures=able, action=self.action, target=self.target, rule=rule))


@journal("journal.commanded", when={"target": "journal.commanded_against"})
class FollowersCommanded(CombatantEvent, frozen=True):
    """A controller commanded creatures to act."""

    creatures: field_specs.CombatantIds
    action: str
    target: field_specs.CombatantId = ""
