"""The command `UseFeature`: a spell, a breath or another feature without an attack roll."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.battlemap.areas import contiguous
from turnwright.encounter.field_specs import ActionId, CombatantId, CombatantIds, FeatureId, SpellId
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.procedure_state.attacks import SAVE_EFFECT, SaveEffect
from turnwright.encounter.running import Combatant
from turnwright.play.attacks.declared_feature import unknown_feature_costs
from turnwright.play.effects.concentration import concentrate
from turnwright.play.effects.ready_action import is_holding_spell, release_held_spell, release_vetoes
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import deduct, deduct_pools, require_no_open_action, require_turn, spend
from turnwright.play.state.effect_records import start_followups
from turnwright.play.state.limited_uses import spend_use, use_vetoes
from turnwright.rules.hooks import Hook, HookContext, Veto, run_hooks
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.action_options import (
    action_option,
    all_cost_vetoes,
    casting_time_vetoes,
    cost_for,
    price_of,
    resource_for,
)
from turnwright.rules.parts.actions.feature_range import out_of_range_vetoes
from turnwright.rules.parts.actions.followers import uncommanded_vetoes
from turnwright.rules.parts.actions.spell_features import caster_of, raised, spell_feature
from turnwright.rules.parts.attacks.attack_rolls import SPELL
from turnwright.rules.parts.attacks.weapon_kind import is_spell
from turnwright.rules.parts.combatants.incapacitation import cannot_act_vetoes
from turnwright.rules.parts.economy.declared import can_be_reacted_to
from turnwright.rules.parts.economy.limited_uses import LEGENDARY, use_key
from turnwright.rules.parts.economy.resources import known_cost, out_of_turn_vetoes, pool_vetoes
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.actions import Spell


@command(
    script="feature {who} {feature,spell} [on {targets}] [as {purpose}] [level {level}] [sparing {exempt:exempt}] "
    "[burning {objects:objects}] [cubes {cubes:cubes}]"
)
class UseFeature(Command, frozen=True):
    """Use a feature without an attack roll: a spell or a breath, with its save, damage and conditions.

    `given` describes one that no stat block has; `spell` names a shipped one. `level` is the slot spent on it, None its
    own. `cubes` lay out an area made of cubes (steps of one cube along three axes); `exempt` are those in it who are
    left out (`plant`: all plants), `objects` the map's obstacles in it. `action` is the listed action by which it is
    done, and `cost` which of its costs pays for it, where the feature's own doesn't (a spell that takes a minute).
    """

    who: CombatantId
    feature: FeatureId = ""
    given: Feature | None = None
    spell: SpellId = ""
    targets: CombatantIds = ()
    level: int | None = None
    cubes: tuple[tuple[int, int, int], ...] = ()
    exempt: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    purpose: Literal["", "readied", "commanded", "legendary", "free"] = ""
    action: ActionId = ""
    cost: str = ""


FREE = "free"


def handle(command: UseFeature, tx: Transaction, rules: RuleSystem) -> None:
    """Use a feature or a spell: pay for it, then ask for its targets' saves."""
    who = tx.need(Combatant, command.who)
    feature, spell = _feature_of(command, tx, rules)
    require_no_open_action(tx, rules, who.id)
    tx.forbid_by(feature_vetoes(tx, rules, command, feature))
    announced = can_be_reacted_to(tx, rules) and not command.purpose and not command.action
    asked = (
        not announced and _pays_own_cost(command, feature) and bool(unknown_feature_costs(tx, rules, who.id, feature))
    )
    if not announced and not asked:
        _pay(tx, rules, command, feature)
        if feature.concentration:
            concentrate(tx, rules, who.id, feature.name)
    onslaught = SaveEffect(
        (who.id,),
        feature,
        targets=tuple(dict.fromkeys(command.targets)),
        save=feature.save,
        dc=feature.dc,
        half_on_save=feature.half,
        level=command.level,
        spell=spell,
        excluded=command.exempt,
        obstacles=command.objects,
    )
    stage = SAVE_EFFECT.declare_feature if announced else SAVE_EFFECT.pay_cost if asked else SAVE_EFFECT.ask_missing
    procedure = begin(tx, stage, onslaught)
    if spell or is_spell(feature):
        acted = run_hooks(tx, rules, Hook.FOE_ACTED, HookContext(who.id, "feature", tags=(SPELL,)))
        start_followups(tx, acted, procedure.id)


def _pays_own_cost(command: UseFeature, feature: Feature) -> bool:
    """Return whether a feature's own cost pays for it, and no action, reaction or place."""
    return command.purpose in ("", "commanded") and not command.action and feature.cost not in ("legendary", "lair")


def feature_vetoes(tx: Transaction, rules: RuleSystem, command: UseFeature, feature: Feature) -> tuple[Veto, ...]:
    """Return the reasons against using a feature as ordered."""
    who = command.who
    found = [*(cannot_act_vetoes(tx, rules, who) or _purpose_vetoes(tx, rules, command, feature))]
    found += () if command.action else casting_time_vetoes(rules, feature)
    if not (command.purpose == "readied" and is_holding_spell(tx, rules, who)):
        found += use_vetoes(tx, rules, who, feature, command.level)
        found += pool_vetoes(tx, rules, who, feature.id, feature.spends)
    if command.action:
        found += all_cost_vetoes(tx, rules, who, action_option(tx, rules, who, command.action), command.cost)
    if not (feature.area or command.cubes):  # what fills an area may reach behind cover, and farther than its beginning
        barred = (positions.total_cover_vetoes(tx, rules, who, one) for one in command.targets if one != who)
        found += [veto for veto in barred if veto is not None]
        found += [veto for one in command.targets for veto in out_of_range_vetoes(tx, rules, who, feature, one)]
    spell = next((one for one in rules.data.spells if one.id == command.spell), None)
    if spell is not None and spell.cubes and command.cubes:
        rule = spell.rule("area")
        if len(set(command.cubes)) != spell.cubes:
            found.append(Veto("refused.cubes", rule, (("count", spell.cubes),)))
        elif not contiguous(command.cubes):
            found.append(Veto("refused.cubes_apart", rule))
    return tuple(found)


def _purpose_vetoes(tx: Transaction, rules: RuleSystem, command: UseFeature, feature: Feature) -> tuple[Veto, ...]:
    """Return why a feature can't be used for the purpose given: it wasn't readied or commanded, or it isn't the turn."""
    if command.purpose == "readied":
        return release_vetoes(tx, rules, command.who, feature)
    if command.purpose == "commanded":
        return uncommanded_vetoes(tx, rules, command.who)
    return out_of_turn_vetoes(tx, rules, command.who) if command.purpose == FREE else ()


def _feature_of(command: UseFeature, tx: Transaction, rules: RuleSystem) -> tuple[Feature, str]:
    """Return the feature used: of the stat block, described in the command, or a shipped spell (and its id)."""
    spell = next((one for one in rules.data.spells if one.id == command.spell), None)
    if spell is not None:
        return _cast(spell, command, creature_of(tx, tx.need(Combatant, command.who))), spell.id
    if command.given is not None:
        return command.given, ""
    creature = creature_of(tx, tx.need(Combatant, command.who))
    feature = next((one for one in creature.features if one.id == command.feature), None)
    if feature is None:
        raise Refused("refused.unknown", params={"what": command.feature or command.spell or "?"})
    if command.level and is_spell(feature):
        listed = next((one for one in rules.data.spells if one.name.lower() == feature.name.lower()), None)
        feature = raised(feature, listed, command.level) if listed is not None else feature
    return feature, ""


def _cast(spell: Spell, command: UseFeature, creature: Creature) -> Feature:
    """Return a shipped spell with what was entered about it; what a caster's numbers leave open is left out."""
    usual = spell_feature(spell, caster_of(creature), level=command.level or 0)
    damage = "" if spell.attack else usual.damage or ("" if spell.save or spell.grows else spell.damage)
    given = command.given or msgspec.structs.replace(usual, attack=None, damage=damage, properties=())
    entered = msgspec.structs.replace(given, damage=given.damage or damage)
    if given.save or not usual.save:
        return entered
    return msgspec.structs.replace(
        entered,
        save=usual.save,
        dc=usual.dc,
        half=usual.half,
        concentration=given.concentration or usual.concentration,
        afflictions=given.afflictions or usual.afflictions,
    )


def _pay(tx: Transaction, rules: RuleSystem, command: UseFeature, feature: Feature) -> None:
    if command.purpose == "readied":
        spend(tx, rules, command.who, "reaction")
        if release_held_spell(tx, rules, command.who):
            return  # its slot went when it was readied
    elif command.purpose == "legendary" or feature.cost == "legendary":
        spend_use(tx, command.who, LEGENDARY, feature.name, feature.price)
    elif command.action:  # its vetoes have been looked at
        option = action_option(tx, rules, command.who, command.action)
        cost = cost_for(tx, rules, command.who, option, command.cost)
        deduct(tx, rules, command.who, resource_for(tx, command.who, option, cost), price_of(option, cost))
    elif command.purpose != FREE and feature.cost != "lair":
        if feature.cost == FREE:
            require_turn(tx, rules, command.who)
        price = known_cost(tx, command.who, feature.id, feature.price) or 0
        spend(tx, rules, command.who, feature.cost, price)
    deduct_pools(tx, rules, command.who, feature.id, feature.spends)
    spend_use(tx, command.who, use_key(feature, command.level), feature.name)
