"""A feature whose targets make saves: a breath, a spell, a group attack. It is declared, paid for and resolved.

The feature is declared if the system lets others react to it. One damage roll counts for all targets. Values that the
source leaves out (which save, its DC, the dice) are asked for, never invented. Targets that fail get the feature's
conditions, persistent damage, pushes, and afflictions with stages.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Final

import msgspec

from turnwright.battlemap.paths import shape_in
from turnwright.dice.expression import Edge, Modifier, Roll, RollSpec, parse
from turnwright.encounter.prepared import AfflictionStage, Feature, InflictedCondition, NamedNumbers, Point
from turnwright.encounter.procedure_state import Declaration, Procedure
from turnwright.encounter.procedure_state import damage as damage_state
from turnwright.encounter.procedure_state.actions import FEATURE_STEPS, FeatureSteps
from turnwright.encounter.procedure_state.asks import (
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    FAILURE,
    SUCCESS,
    Ask,
    Option,
    choice_ask,
)
from turnwright.encounter.procedure_state.attacks import SAVE_EFFECT, AttackInProgress, SaveEffect
from turnwright.encounter.procedure_state.effects import ROLLED_CONDITION, RolledCondition
from turnwright.encounter.procedure_state.movement import ForcedMovement
from turnwright.encounter.procedure_state.turns import TURN_END, TurnEnd
from turnwright.encounter.running import Combatant, Duration, Effect, LastingArea, ObstacleState, Slot
from turnwright.encounter.state import Lookup, clock_of, effects_named, is_out_of_play, scene_of, standing_areas
from turnwright.play.asking import declaration
from turnwright.play.asking.checks import degree_of
from turnwright.play.attacks.attack_request import FeatureReminded, FeatureUsed, begin_attacks, shortened
from turnwright.play.attacks.counteract import EFFECTS, begin_dispelling
from turnwright.play.damage.damage_roll import grant_temp_hp, set_temp_hp
from turnwright.play.damage.manual_hit_points import begin_drop_to_zero, recover, restore_to_life
from turnwright.play.damage.zero_hit_points import die, judge, stabilise
from turnwright.play.effects.concentration import concentrate, shake
from turnwright.play.effects.conditions import EffectUpdated, apply_timed_effect, change_value, put_persistent_damage
from turnwright.play.environment.map_changes import (
    CHANGES_AREA,
    INSIDE,
    AreaEnded,
    combatants_at,
    is_aimed_from_user,
    is_elsewhere,
    lay_around,
    lay_ground,
)
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choice_of, choices_of, goto
from turnwright.play.kernel.transaction import Transaction, copy_fields
from turnwright.play.movement.forced_movement import PUSHED, SHIFTED, push
from turnwright.play.state import effect_records
from turnwright.play.state.action_economy import PASS, deduct_pools, require_turn, spend, spend_use, use_vetoes
from turnwright.play.state.events import Rolled, Skipped, Unaffected
from turnwright.play.state.hit_points import Damage, deal_damage, restore_hit_points
from turnwright.play.table.game_master import DiceRolled
from turnwright.rules.parts.actions import spell_features, triggered_features
from turnwright.rules.parts.actions.action_options import FREE, feature_rule, is_list
from turnwright.rules.parts.actions.spell_features import caster_at
from turnwright.rules.parts.attacks import attack_targeting
from turnwright.rules.parts.checks import ability_checks
from turnwright.rules.parts.combatants.facts import LEFT, LEVEL, cannot_act_vetoes, is_immune_to_traits
from turnwright.rules.parts.conditions.condition_rules import data_rules, keeps_out, number_modifiers, spared_share
from turnwright.rules.parts.conditions.predicates import evaluate, is_true_of
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.economy.limited_uses import DIVIDED, POINTS, STACKS, remaining_uses, use_key, uses_per_use
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.positions.geometry import are_hostile, is_in_area, is_within, lasting_squares
from turnwright.rules.parts.positions.sight import NO_COVER, UNKNOWN_ORIGIN
from turnwright.rules.system import Hook, HookContext, RuleSystem, Veto, creature_of, label_of, run_hooks
from turnwright.rules.system_data.numbers import Spell, SpellOdds
from turnwright.rules.system_data.rounds import ROLLED_LENGTHS, length_of_time, rounds_in

NO_SAVE = "none"
ALL_DAMAGE, HALF_OF_DAMAGE, HALF_AS_TEMP, ALL_AS_TEMP = "damage", "half", "half-temporary", "temporary"  # of `regains`
_AMOUNTS: Final = ("hp-max", "ability.")  # what conditions with amounts instead of levels lower
AT_ZERO: Final = "hp:0"  # the statement of conditions that follow from reducing the target to 0 hit points
_RAY: Final = "ray-"  # asks for the targets of further attacks or dice of a spell
_DART: Final = "dart-"  # asks for the dice that the targets of a spell share
_NUMBER_ASKS: Final[Mapping[str, str]] = {
    spell_features.SPELL_DC: "ask.spell_dc",
    spell_features.SPELL_ATTACK: "ask.spell_attack",
    spell_features.SPELL_MODIFIER: "ask.spell_modifier",
    LEVEL: "ask.caster_level",
}
REQUIREMENT, MET = "requirement", "met"  # the ask whether a feature's requirement is met, and its first answer
TEMP = "temp"  # the ask about temporary hit points
CHOICE, POOL = "variant", "pool"  # the asks about a spell's variant, and about the hit points that it affects
ENDS = "ends-"  # asks about the condition that ends
LONGEST_TOLD: Final = 700  # characters of a text that the game master applies
ODDS = "odds"  # the ask about the d100 that decides what a spell does
EMANATION: Final = "emanation"
CHAIN: Final = "chain"  # property: each target is near the one before it, and a critical success ends the chain
PLACE, TARGETS = "place", "who"  # the asks about the middle of an area on the map, and the targets in it
WILLING = "willing"  # the ask about the targets that make no save
WARD = "ward"  # the ask about the targets that an effect protects from a spell
HEAL = "heal"  # the ask about hit points healed: the owner's, or those of a spell's targets
KILLS: Final = "kills"  # property of a further save of a spell
HURTS_SAVED: Final = "hurts-saved"  # property of a feature that damages only targets whose save succeeds
HURTS_ALL: Final = "hurts-all"  # property of a feature that damages its targets whatever their save
DROPS: Final = "drops"  # property of a feature that reduces its targets to 0 hit points
ADDS_UP: Final = "adds-up"  # property: its ongoing damage adds up with that of earlier hits
RECOVERS: Final = "recovers"  # property: its targets recover as from two long rests
OVERFLOWS: Final = "overflows"  # property: hit points above the maximum become temporary hit points
PLANTS = "plant"  # creature type; in `excluded`, it means all plants


def declare_feature(tx: Transaction, procedure: Procedure, data: SaveEffect, answers: Answers) -> Next:
    """Ask for a feature's unknown costs, then declare it. Refuse it if it can't be paid for."""
    who, means = next(iter(data.members)), data.feature
    if _is_dropped(tx, data, answers):
        return None
    if REQUIREMENT not in answers and _asks_price(tx, procedure, data):
        return goto(procedure, SAVE_EFFECT.declare_feature)
    price = limited_uses.known_cost(tx, who, means.id, means.price)
    vetoes = _vetoes(tx, data, price or 0)
    tx.forbid_by(vetoes)
    spend_use(tx, who, use_key(means, data.level), means.name, uses_per_use(means))
    reserved = declaration.reserved_for(tx, who, means.cost, price or 0)
    reserved = (*reserved, *declaration.reserved_points(tx, who, means.id, means.spends))
    own = Declaration("", who, procedure.id, means.name, "", reserved, data.targets, rules_overridden=bool(vetoes))
    return declaration.declare_action(tx, goto(procedure, SAVE_EFFECT.resolve_declared_feature), own)


def pay_cost(tx: Transaction, procedure: Procedure, data: SaveEffect, answers: Answers) -> Next:
    """Ask for a feature's unknown costs, then pay. Refuse the feature if it can't be paid for."""
    who, means = next(iter(data.members)), data.feature
    if _is_dropped(tx, data, answers):
        return None
    price = limited_uses.known_cost(tx, who, means.id, means.price) or 0
    tx.forbid_by(_vetoes(tx, data, price))
    if needs_turn(means):
        require_turn(tx, who)
    if REQUIREMENT not in answers and _asks_price(tx, procedure, data):
        return goto(procedure, SAVE_EFFECT.pay_cost)
    spend(tx, who, means.cost, price)
    deduct_pools(tx, who, means.id, means.spends)
    spend_use(tx, who, use_key(means, data.level), means.name, uses_per_use(means))
    return resolve_declared_feature(tx, procedure, data, answers)


def needs_turn(feature: Feature) -> bool:
    """Return whether a feature is a free action on its owner's turn. Free actions with a trigger can be used at any time.

    Others enter an area on their turns, and a further feature without a text has another moment.
    """
    return feature.cost == FREE and bool(feature.text) and "trigger " not in feature.text.casefold()


def unknown_feature_costs(tx: Transaction, who: str, feature: Feature) -> list[Ask]:
    """Return the asks for a feature's unknown costs. A resource without a limit costs nothing."""
    is_known = limited_uses.known_cost(tx, who, feature.id, feature.price) is not None
    is_open = limited_uses.is_limited(tx.rules, feature.cost) and not is_known
    rule = feature_rule(tx, tx.rules, who, feature)
    asks = declaration.cost_asks(tx, who, feature.id, feature.name, feature.spends, is_unknown=is_open, rule=rule)
    is_decided = (
        feature.when and "target.type:" not in feature.when and limited_uses.TWO_WEAPONS not in feature.properties
    )
    if feature.requires and not is_decided:
        options = (Option(MET, "option.yes"), Option(PASS, "option.no"))
        question = choice_ask(REQUIREMENT, "ask.requirement", options, who, feature.requires, suggested=MET, rule=rule)
        asks.append(question)
    return asks


def _asks_price(tx: Transaction, procedure: Procedure, data: SaveEffect) -> bool:
    who = next(iter(data.members))
    asks, rule = unknown_feature_costs(tx, who, data.feature), feature_rule(tx, tx.rules, who, data.feature)
    ask(tx, procedure, "prompt.action", asks, subject=data.feature.name, rule=rule)
    return bool(asks)


def _is_dropped(tx: Transaction, data: SaveEffect, answers: Answers) -> bool:
    """Store the costs entered, and return whether the feature was cancelled."""
    who, means = next(iter(data.members)), data.feature
    is_unmet = REQUIREMENT in answers and choice_of(answers, REQUIREMENT) != MET
    if tx.get(Combatant, who) is None or declaration.is_cancelled(answers) or is_unmet:
        tx.emit(Skipped(purpose="ask.action", who=who, detail=means.name))
        return True
    declaration.store_costs(tx, who, means.id, answers)
    return False


def _vetoes(tx: Transaction, data: SaveEffect, price: int) -> tuple[Veto, ...]:
    who, means = next(iter(data.members)), data.feature
    return (
        *cannot_act_vetoes(tx, tx.rules, who),
        *use_vetoes(tx, tx.rules, who, means, data.level),
        *limited_uses.spending_vetoes(tx, tx.rules, who, means.cost, price),
        *limited_uses.pool_vetoes(tx, tx.rules, who, means.id, means.spends),
    )


def resolve_declared_feature(tx: Transaction, procedure: Procedure, data: SaveEffect, answers: Answers) -> Procedure:
    """Use the declared feature, after the reactions to it."""
    if data.feature.concentration:
        concentrate(tx, next(iter(data.members)), data.feature.name)
    return goto(procedure, SAVE_EFFECT.ask_missing if data.again else SAVE_EFFECT.ask_place)


@journal("journal.caught_fire", kind="world", what="object_name")
class CaughtFire(Event, frozen=True):
    """An object caught fire."""

    object_name: str


def is_placed(tx: Transaction, means: Feature) -> bool:
    """Return whether a feature has an area on the map whose place or direction its user chooses."""
    listed, words = spell_features.listed_spell(tx.rules, means), {*means.properties}
    is_free = bool(CHANGES_AREA & words) and is_elsewhere(means)
    if listed is not None and (ground := listed.ground) is not None:
        is_free = (
            not ground.carried and EMANATION not in means.area and bool(listed.range or is_aimed_from_user(listed.area))
        )
    return is_free and current_map(tx) is not None


def concerned(tx: Transaction, data: SaveEffect) -> tuple[str, ...]:
    """Return the living combatants that a feature can affect, with its user unless it harms.

    On a map, harmless features count only if they leave an effect in an area, and others if they have an area or a limit
    of targets. Without an area, a feature that isn't a spell also counts without a map, if it has such a limit or harms.
    """
    by, means, listed = data.members[0], data.feature, spell_features.listed_spell(tx.rules, data.feature)
    harms = bool(means.save or means.damage)
    ground, left = (listed.ground, listed.leaves) if listed is not None else (None, None)
    grows = ground is not None and ground.grows
    begins = ground is None or ground.radius or (means.save and (grows or (left is not None and left.enters == "only")))
    is_plain = triggered_features.affecting(means) and not (data.spell or listed)
    helps = triggered_features.helps(means) or (listed is not None and listed.counteracts)
    is_limited = bool(means.targets) and (is_plain or helps)
    aims = is_plain and triggered_features.hurts(means) and not attack_targeting.is_attack(means)
    lacks = (is_limited or aims) and not (means.area or data.again)
    begins = begins and not (data.again and not grows and (data.targets or (ground and not ground.radius)))
    begins = begins and (data.again or not (listed and listed.waits and listed.attack))
    if current_map(tx) is None or is_placed(tx, means) or not begins:
        is_around = False
    else:
        has_area = shape_in(means.area) and (harms or means.effect)
        is_around = EMANATION in means.area or bool(has_area or (harms and means.targets))
    if not (lacks or is_around):
        return ()
    held = {each.target for each in tx.all(Effect) if grows and (each.by, each.name) == (by, means.name)}
    living = [each.id for each in tx.all(Combatant) if not (each.dead or (harms and each.id in (by, *held)))]
    vetoes = (attack_targeting.requirement_vetoes, triggered_features.out_of_range_vetoes)
    return tuple(who for who in living if not any(veto(tx, tx.rules, by, means, who) for veto in vetoes))


def ask_place(tx: Transaction, procedure: Procedure, data: SaveEffect, answers: Answers) -> Next:
    """Ask for the creature in the middle of a feature's area on the map, and for the targets that it affects at once."""
    means, listed = data.feature, spell_features.listed_spell(tx.rules, data.feature)
    if listed is not None and (listed.ground is not None or spell_features.is_better_described(listed, means)):
        data = msgspec.structs.replace(data, spell=listed.id, level=means.level)
    spell = spell_of(tx.rules, data)
    choices = spell.choices if spell is not None and not data.again else ()
    if chosen := [one for one in choices if one.name == choice_of(answers, CHOICE)]:
        means = msgspec.structs.replace(means, area=chosen[0].area or means.area)
        data = msgspec.structs.replace(data, feature=means, variant=chosen[0].name)
    elif spell and not (data.variant or answers) and {one.area for one in choices} - {"", spell.area}:
        own = goto(procedure, SAVE_EFFECT.ask_place, data)
        return ask(tx, own, "prompt.variant", [_choice_ask(tx, data, spell)], subject=spell.name)
    if PLACE in answers and (middle := tx.get(Combatant, choice_of(answers, PLACE))) is not None:
        data = msgspec.structs.replace(data, origin=middle.position)
    placed = [each for each in tx.all(Combatant) if each.position is not None]
    placed.sort(key=lambda each: not are_hostile(tx, data.members[0], each.id))
    options = tuple(Option(each.id, each.label) for each in placed)
    stays = listed.ground is not None if listed is not None else INSIDE in means.properties
    affects = means.save or means.damage or means.afflictions or (means.effect and not stays)
    harms = affects and not (data.targets or (listed and listed.waits))
    inside = combatants_at(tx, means, data.members[0], data.origin) if data.origin and harms else ()
    inside = tuple(who for who in inside if not _is_spared(tx, data, who))
    near = () if data.targets else inside or concerned(tx, data)
    is_open = near or (options and is_placed(tx, means))
    if TARGETS in answers or ((PLACE in answers or data.origin) and not inside) or not is_open:
        targets = data.targets or choices_of(answers, TARGETS)
        return goto(procedure, SAVE_EFFECT.ask_missing, data, targets=targets)
    who, ways = data.members[0], (*options, Option(PASS, "option.no_area"))
    if near and not means.area:
        options = tuple(Option(each, label_of(tx, each)) for each in near)
        whom = Ask(TARGETS, "targets", "ask.targets_one", who, means.name, options=options, max_choices=means.targets)
        whom = msgspec.structs.replace(whom, suggested=tuple(each for each in near if each == who))
        return ask(tx, goto(procedure, SAVE_EFFECT.ask_place, data), "prompt.feature_step", [whom], subject=means.name)
    place = choice_ask(PLACE, "ask.area_place", ways, who, means.name, suggested=next(iter(data.targets), ""))
    asks = [] if near else [place]
    if near or (harms and listed is not None):
        shape = shape_in(means.area)
        around = inside or EMANATION in means.area or (shape is not None and shape.kind == "burst" and not means.range)
        suggested = near if around else ()
        options = tuple(each for each in options if around or not near or each.id in near)
        asks.append(Ask(TARGETS, "targets", "ask.targets_one", who, means.name, options=options, suggested=suggested))
    title = "prompt.about_targets" if near else "prompt.area_place"
    return ask(tx, goto(procedure, SAVE_EFFECT.ask_place, data), title, asks, subject=means.name)


def ask_missing(tx: Transaction, procedure: Procedure, data: SaveEffect, answers: Answers) -> Next:
    """Ask for the save and DC that are missing from a spell's source, unless an enemy's reaction disrupts the feature."""
    who = next(iter(data.members), "")
    why = "" if data.feature.id.startswith(LEFT) else attack_targeting.without_effect(tx, tx.rules, who, data.feature)
    if why:
        tx.emit(Unaffected(who=who, what=data.feature.name, reason=why))
    if questions := not why and _asks_about(tx, data, answers):
        again = goto(procedure, SAVE_EFFECT.ask_missing)
        return ask(tx, again, "prompt.about_targets", questions, subject=data.feature.name, rule=_rule(tx, data))
    if why or declaration.is_disrupted(tx, who, data.feature.name, data.answered):
        if data.feature.concentration:
            effect_records.lose_concentration(tx, who)
        return None
    spell = _variants_of(tx, data)
    if spell is not None and spell.waits and spell.attack and not data.again:
        data = msgspec.structs.replace(data, targets=())  # it attacks later
    if spell is not None and spell_features.is_standing(spell) and not (data.again or (spell.spent and data.targets)):
        begin_lasting(tx, data.members[0], data.feature, spell)
    choices = spell.choices if spell is not None and not spell.attack else ()
    varies = data.variant or any(choice.odds or spell_features.is_standing(spell) for choice in choices if spell)
    if spell is None or not (data.targets or varies) or (data.save and not (spell.choices or spell.attack)):
        return goto(procedure, SAVE_EFFECT.ask_saves, data)
    if "save" not in spell.missing:
        return _ask_numbers(tx, procedure, data, spell)
    rule = spell.rule("missing")
    abilities = tuple(Option(ability.id, ability.name) for ability in tx.rules.data.abilities)
    options = (*abilities, Option(NO_SAVE, "option.no_save"))
    shares = (Option("half", "option.half"), Option("none", "option.none"))
    asks = (
        Ask("save", "choice", "ask.which_save", detail=spell.name, options=options, rule=rule),
        Ask("dc", "number", "ask.dc", detail=spell.name, rule=rule),
        Ask("half", "choice", "ask.half", detail=spell.name, options=shares, rule=rule),
    )
    return ask(tx, goto(procedure, SAVE_EFFECT.take_missing), "prompt.missing", asks, subject=spell.name)


def _asks_about(tx: Transaction, data: SaveEffect, answers: Answers) -> list[Ask]:
    """Mark the targets as answered, and return the asks about those that a spell asks about and that aren't marked yet."""
    listed, asks = spell_features.listed_spell(tx.rules, data.feature), []
    for mark, question in listed.asks if listed is not None else ():
        known = {each.target for each in tx.all(Effect) if each.source == mark}
        options = tuple(Option(who, label_of(tx, who)) for who in dict.fromkeys(data.targets) if who not in known)
        for one in options if mark in answers else ():
            name = mark if one.id in choices_of(answers, mark) else triggered_features.SPARED
            tx.put(Effect(tx.next_id("effect"), one.id, name, mark, ends=Duration("encounter"), shown=False))
        if options and mark not in answers:
            asks.append(Ask(mark, "targets", "ask.about_targets", detail=question, options=options))
    return asks


def take_missing(tx: Transaction, procedure: Procedure, data: SaveEffect, answers: Answers) -> Procedure:
    """Store the save and the DC entered for a spell."""
    save = choice_of(answers, "save", NO_SAVE)
    dc = answers["dc"].number if "dc" in answers else None
    if save != NO_SAVE and dc is not None:
        data = msgspec.structs.replace(data, save=save, dc=dc, half_on_save="half" in choices_of(answers, "half"))
    return goto(procedure, SAVE_EFFECT.ask_saves, data)


def _ask_numbers(tx: Transaction, procedure: Procedure, data: SaveEffect, spell: Spell) -> Procedure:
    """Ask for the numbers of the caster on which a spell depends and that its stat block doesn't give."""
    caster = caster_at(tx, tx.rules, data.members[0])
    names = spell_features.unknown_numbers(spell, caster, data.feature.damage) if not data.save else ()
    who, rule = data.members[0], _rule(tx, data)
    asks = [Ask(name, "number", _NUMBER_ASKS[name], who, detail=spell.name, rule=rule) for name in names]
    if len(spell.choices) > 1 and not data.variant:
        asks.append(_choice_ask(tx, data, spell))
    if spell.attack and len(data.targets) > 1:
        options = tuple(Option(target, label_of(tx, target)) for target in dict.fromkeys(data.targets))
        others = range(len(data.targets), spell_features.rays_of(spell, caster, data.level or 0))
        asks += [choice_ask(f"{_RAY}{n}", "ask.ray_target", options, who, spell.name, rule=rule) for n in others]
    title = "prompt.variant" if spell.choices and not names else "prompt.missing"
    return ask(tx, goto(procedure, SAVE_EFFECT.take_numbers), title, asks, subject=spell.name)


def _choice_ask(tx: Transaction, data: SaveEffect, spell: Spell) -> Ask:
    """Return the ask about a spell's variant."""
    options = tuple(Option(choice.name, choice.name) for choice in spell.choices)
    return choice_ask(CHOICE, "ask.spell_choice", options, data.members[0], spell.name, rule=_rule(tx, data))


def _by_means(data: SaveEffect, means: Feature) -> SaveEffect:
    """Return an effect with the save of a feature that has changed since it was used."""
    return msgspec.structs.replace(
        data, feature=means, save=spell_features.first_save(means), dc=means.dc, half_on_save=means.half
    )


def take_numbers(tx: Transaction, procedure: Procedure, data: SaveEffect, answers: Answers) -> Next:
    """Keep the caster's numbers for the rest of the fight. Then attack with the spell, or ask for saves against it."""
    spell, who = _variants_of(tx, data), tx.need(Combatant, data.members[0])
    if spell is None or not (
        data.targets or CHOICE in answers or (data.variant and not spell.attack)
    ):  # it has attacked
        if spell is not None and spell.attack and not spell.again:
            effect_records.end_vain_concentration(tx, who.id, spell.name)
        return None
    numbers = {name: answer.number for name, answer in answers.items() if answer.number is not None}
    rays = tuple(target for name in answers if name.startswith(_RAY) for target in choices_of(answers, name))
    if numbers:
        tx.update(who, supplied_numbers=tuple({**dict(who.supplied_numbers), **numbers}.items()))
        usual = spell_features.spell_feature(
            spell, caster_at(tx, tx.rules, who.id), level=data.level or 0, price=data.feature.price
        )
        paid = {name: getattr(data.feature, name) for name in ("id", "level", "uses", "recharge")}
        means = spell_features.with_details(spell, msgspec.structs.replace(usual, **paid), data.feature)
        data = _by_means(data, means)
    for choice in spell.choices:
        if choice.name in (data.variant, *choices_of(answers, CHOICE)) or len(spell.choices) == 1:
            caster = caster_at(tx, tx.rules, who.id)
            means = spell_features.with_choice(data.feature, spell, choice, caster, data.level or 0)
            if spell_features.is_standing(spell) and (not spell.leaves or spell_features.is_around(spell)):
                left = spell_features.around(spell, means, data.level or 0, means.dc) or means.leaves
                for effect in effects_named(tx, who.id, spell.name):  # what it does in its area from now on
                    tx.update(effect, leaves=left)
                means = msgspec.structs.replace(means, leaves=None)
            data = msgspec.structs.replace(_by_means(data, means), variant=choice.name)
    if spell.willing and not any(are_hostile(tx, who.id, each) for each in data.targets):  # not an attack
        data = _by_means(data, msgspec.structs.replace(data.feature, attack=None, save="", properties=("spell",)))
    if not (is_aimed(tx.rules, data.spell) and attack_targeting.is_attack(data.feature)):
        return goto(procedure, SAVE_EFFECT.ask_saves, data)
    data = data if data.again else _on_ground(tx, data, spell, procedure.id)
    tx.emit(FeatureUsed(who=data.members, feature=spell.name, targets=data.targets, rule=_rule(tx, data)))
    if spell.text:
        tx.emit(SpellTold(spell=spell.name, text=spell.text))
    count = spell_features.rays_of(spell, caster_at(tx, tx.rules, data.members[0]), data.level or 0)
    targets = data.targets * (count or 1) if len(data.targets) == 1 else (*data.targets, *rays)
    own = data.feature.range == spell_features.SELF  # its effect is only the caster's, and has already begun
    means = msgspec.structs.replace(data.feature, effect=() if own else data.feature.effect)
    chosen = [
        rule for each in spell.choices if each.name == data.variant for rule in each.saving if rule.what == "attack"
    ]
    facts = tuple(rule.kind for rule in chosen if rule.kind != "modifier")
    more = tuple(Modifier(rule.add, spell.name, kind=rule.type) for rule in chosen if rule.kind == "modifier")
    attack = AttackInProgress(who.id, means, facts=facts, modifiers=more)
    begin_attacks(tx, attack, targets[: count or len(targets)], procedure.id)
    return goto(procedure, SAVE_EFFECT.take_numbers, data, targets=())


def is_aimed(rules: RuleSystem, spell_id: str) -> bool:
    """Return whether a listed spell has attack rolls, or begins a contest with its targets."""
    return any(spell.attack or spell.contest for spell in rules.data.spells if spell.id == spell_id)


@journal("journal.spell_told", what="spell")
class SpellTold(Event, frozen=True):
    """The text of a spell that is cast or used again."""

    spell: str
    text: str


def ask_saves(tx: Transaction, procedure: Procedure, data: SaveEffect, answers: Answers) -> Procedure:
    """Report the feature's use, and ask for the targets' saves. A feature without a save affects every target.

    A contest takes the caster's roll for the DC (if the spell has none), and the targets' checks for their saves.
    """
    by, listed = next(iter(data.members), ""), spell_features.listed_spell(tx.rules, data.feature)
    warded = _warded(tx, data, listed, answers)
    if warded and tx.rules.data.checks.degrees and WARD not in answers:  # a check decides
        options = tuple(Option(who, label_of(tx, who)) for who in warded)
        question = Ask(WARD, "targets", "ask.ward", detail=next(iter(warded.values())), options=options)
        ask(tx, procedure, "prompt.ward", [question], subject=data.feature.name, rule=_rule(tx, data))
        return goto(procedure, SAVE_EFFECT.ask_saves, data)
    for who in data.targets if listed is not None and listed.revives else ():
        if listed is not None and (target := tx.get(Combatant, who)) is not None and target.dead:
            restore_to_life(tx, target, listed.revives)
    friends = _friends(tx, data, listed)
    if set(friends) - {by} and WILLING not in answers and not (listed and listed.ground):  # light needs no consent
        options = tuple(Option(who, label_of(tx, who)) for who in friends)
        question = Ask(WILLING, "targets", "ask.willing_targets", options=options, suggested=friends)
        ask(tx, procedure, "prompt.willing_targets", [question], subject=data.feature.name, rule=_rule(tx, data))
        return goto(procedure, SAVE_EFFECT.ask_saves, data)
    data = msgspec.structs.replace(data, willing=choices_of(answers, WILLING) if WILLING in answers else friends)
    data = _on_ground(tx, data, listed, procedure.id)
    contest = listed.contest if listed is not None and data.targets else ""
    if contest and not data.save and "contest" not in answers:
        spec, name = ability_checks.spellcasting_roll(tx, tx.rules, by), data.feature.name
        question = Ask("contest", "roll", "ask.spellcasting", by, spec=spec, rule=_rule(tx, data))
        return ask(tx, goto(procedure, SAVE_EFFECT.ask_saves, data), "prompt.contest", [question], subject=name)
    if contest and not data.save and (roll := answers["contest"].roll) is not None:
        tx.emit(Rolled(who=by, purpose="ask.check", roll=roll, detail="<ask.a_check>", rule=_rule(tx, data)))
        data = msgspec.structs.replace(data, save=contest, dc=roll.total or 0)
    other = listed.reversed if listed is not None else None
    turned = tuple(who for who in data.targets if other is not None and is_true_of(tx, tx.rules, who, other.when))
    if listed is not None and not listed.ground and 0 < len(turned) < len(data.targets):
        # the same spell then does the reverse to the others
        begin(tx, SAVE_EFFECT.ask_saves, msgspec.structs.replace(data, targets=turned))
        data = msgspec.structs.replace(data, targets=tuple(who for who in data.targets if who not in turned))
    elif listed is not None and turned:
        means = spell_features.with_reversal(listed, data.feature, caster_at(tx, tx.rules, data.members[0]).dc)
        data = _by_means(data, means)
    reasons = {who: _reason_spared(tx, data, who, by) for who in data.targets if not is_out_of_play(tx, who)}
    affected = tuple(who for who, reason in reasons.items() if not reason)
    for who, reason in reasons.items():
        if reason:
            tx.emit(Unaffected(who=who, what=data.feature.name, reason=reason, rule=_rule(tx, data)))
    for who in filter(warded.__contains__, affected):
        tx.emit(Unaffected(who=who, what=data.feature.name, reason="why.warded", rule=_rule(tx, data)))
    affected = tuple(who for who in affected if who not in warded)
    _end_in_vain(tx, msgspec.structs.replace(data, saved=() if affected else data.targets), by)
    words = ("spell",) if data.spell or attack_targeting.is_spell(data.feature) else ()
    dc = data.dc if contest else ability_checks.fixed_dc(tx, tx.rules, by, data.dc, words)
    data = msgspec.structs.replace(data, targets=affected, dc=dc)
    saving = tuple(who for who in affected if who not in data.willing)
    # Otherwise, it is affected by an effect that it already has.
    if not (data.feature.id.startswith(LEFT) and affected == data.members):
        tx.emit(
            FeatureUsed(
                who=data.members,
                feature=f"{data.feature.name} ({data.variant})" if data.variant else data.feature.name,
                targets=affected,
                save="" if contest or (affected and not saving) else data.save,
                dc=data.dc,
                numbers=data.extra_damage,
                rule=_rule(tx, data),
            )
        )
    _tell(tx, data, listed, by)
    if not data.save:
        return goto(procedure, SAVE_EFFECT.ask_damage, data, failed=affected)
    rule = _rule(tx, data)
    threats = attack_targeting.feature_save_tags(tx.rules, data.feature, spell=bool(data.spell))
    if listed is not None and listed.ignores_cover:
        threats = (*threats, NO_COVER)
    source: Spell | Feature = spell_of(tx.rules, data) or data.feature
    if data.origin is None and source.area and any(character.isdigit() for character in source.range):
        threats = (*threats, UNKNOWN_ORIGIN)  # it can spread from a place away from its user
    if affected and not saving:
        return goto(procedure, SAVE_EFFECT.after_saves, data)
    asks = [save_ask(tx, data.save, data.dc, who, by, rule, id=who, tags=threats, at=data.origin) for who in saving]
    asks = [_against_spell(tx, each, listed, by, data.variant) for each in asks] if listed is not None else asks
    return ask(tx, goto(procedure, SAVE_EFFECT.after_saves, data), "prompt.save", asks, subject=data.feature.name)


def _tell(tx: Transaction, data: SaveEffect, listed: Spell | None, by: str) -> None:
    """Tell the text of a spell or feature that the game master applies, because its fields don't."""
    means = data.feature
    if listed is not None:
        if listed.text and not means.id.startswith(LEFT):
            tx.emit(SpellTold(spell=listed.name, text=listed.text))
        return
    without_save = msgspec.structs.replace(means, save="")  # a save alone does nothing
    is_applied = triggered_features.does_something(without_save) or means.lasts or means.stages or is_list(means)
    if means.rules_text and (means.automation == "reminds" or not is_applied):
        text = shortened(means.rules_text, LONGEST_TOLD)
        tx.emit(FeatureReminded(who=by, feature=means.name, text=text, rule=_rule(tx, data)))


def _friends(tx: Transaction, data: SaveEffect, listed: Spell | None) -> tuple[str, ...]:
    """Return the targets that may be willing, if only unwilling ones save: the caster and its allies."""
    willing = listed is not None and listed.willing
    return tuple(who for who in data.targets if willing and not are_hostile(tx, data.members[0], who))


def _origin(tx: Transaction, data: SaveEffect) -> Point | None:
    """Return the square from which an area spreads, or towards which a line or cone points: that of its first target."""
    if data.origin is not None or not is_aimed_from_user(data.feature.area):
        return data.origin
    return next((one.position for who in data.targets if (one := tx.get(Combatant, who))), None)


def _on_ground(tx: Transaction, data: SaveEffect, listed: Spell | None, parent: str) -> SaveEffect:
    """Lay the area of a spell on the map, if it has one. The effects of some are then not left on its targets."""
    by, aimed, origin = next(iter(data.members), ""), is_aimed_from_user(data.feature.area), _origin(tx, data)
    listed = listed and spell_features.version_of(listed, data.level or data.feature.level or 0)
    if listed is not None:
        own = (each.ground for each in listed.choices if each.name == data.variant and each.ground is not None)
        listed = msgspec.structs.replace(listed, ground=next(own, listed.ground))
    ground = (
        listed.ground
        if listed is not None and not (data.feature.trigger or _shines(listed, data.again or bool(data.targets)))
        else None
    )
    if listed is not None and ground is not None and (origin or ground.carried or not (listed.range or aimed)):
        stands = (one for one in effects_named(tx, by, data.feature.name) if one.rounds_left)
        held = effect_records.concentration_of(tx, tx.rules, by) if data.feature.concentration else next(stands, None)
        lasts, area = data.feature.lasts or listed.lasts, data.feature.area or listed.area
        holder = data.targets[0] if ground.carried and data.feature.reach and len(data.targets) == 1 else by
        effect = held.id if held is not None else ""
        mine = [
            each for each in tx.all(LastingArea) if (each.effect or effect, each.name) == (effect, data.feature.name)
        ]
        for moved in mine if data.again or not listed.level else ():
            area = f"{moved.radius + ground.grows}-foot emanation" if ground.grows else area
            tx.remove(moved)
        means = msgspec.structs.replace(data.feature, area=area, lasts=lasts, level=data.level or data.feature.level)
        laid = lay_ground(tx, means, holder, ground, origin, effect, carried=ground.carried)
        if laid is not None and ground.dispels:
            _dispel_light(tx, laid, ground.dispels)
        if laid is not None and any(section.blocks == "movement" for section in laid.sections):
            inside = tuple(one.id for one in tx.all(Combatant) if is_in_area(tx, tx.rules, one.id, laid))
            push(tx, ForcedMovement(SHIFTED, 5, inside, source=means.name), parent)  # they move aside
        if laid and (ground.inside or all(rule.what in ("sight", "being-seen") for rule in data.feature.effect)):
            data = msgspec.structs.replace(data, feature=msgspec.structs.replace(data.feature, effect=(), lasts=""))
    is_moved = data.again and data.origin is not None and listed is not None and spell_features.is_around(listed)
    if listed is not None and (is_moved or (listed.waits and not data.again)) and not data.feature.id.startswith(LEFT):
        harmless = msgspec.structs.replace(data.feature, save="", damage="", afflictions=())
        data = msgspec.structs.replace(_by_means(data, harmless), targets=data.targets if harmless.effect else ())
    return data


def _dispel_light(tx: Transaction, laid: LastingArea, level: int) -> None:
    """End the light of spells up to a level that overlaps with a dark area, or the darkness that overlaps with a lit one."""
    here, dark = set(lasting_squares(tx, tx.rules, laid)), laid.light == "dark"
    spells = {spell.name for spell in tx.rules.data.spells}
    for area in [each for each in standing_areas(tx) if each.light and (each.light == "dark") is not dark]:
        if area.name in spells and area.level <= level and here & set(lasting_squares(tx, tx.rules, area)):
            if (effect := tx.get(Effect, area.effect)) is not None:
                effect_records.end_effect(tx, effect)
            elif not area.effect:
                tx.remove(area)
                tx.emit(AreaEnded(name=area.name))


def _shines(spell: Spell, again: bool = False) -> bool:
    """Return whether a spell lays no area: its light is around its targets, or using it (`again`) has ended it."""
    on_targets = spell.ground is not None and spell.ground.radius > 0 and not spell_features.is_standing(spell)
    return on_targets or (again and spell.spent)


def _warded(tx: Transaction, data: SaveEffect, listed: Spell | None, answers: Answers) -> dict[str, str]:
    """Return the targets with an effect against spells of this level from outside, each with the effect's name.

    If a check decides, these are only the targets that it protects. It uses up some effects.
    """
    is_left = data.feature.id.startswith(LEFT) and not (listed is not None and spell_features.is_around(listed))
    if not (data.spell or attack_targeting.is_spell(data.feature)) or is_left:
        return {}
    own = listed.level if listed is not None and not tx.rules.data.checks.degrees else 0  # a higher slot doesn't count
    by, level = data.members[0], own or data.level or data.feature.level or 0
    wards = {who: attack_targeting.ward_against(tx, tx.rules, who, by, level) for who in data.targets if who != by}
    if listed is not None and listed.darts:  # they don't roll to hit, but shields that turn hits stop them
        shields = {spell.name for spell in tx.rules.data.spells if spell.turns_hit}
        held = ((who, each.name) for who in wards for each in tx.of(Effect, who) if each.name in shields)
        wards |= dict(held)
    if WARD not in answers:
        return {who: name for who, name in wards.items() if name}
    effect_records.consume_effects(tx, [one.id for who, name in wards.items() for one in effects_named(tx, who, name)])
    return {who: wards[who] for who in choices_of(answers, WARD)}


def _against_spell(tx: Transaction, save: Ask, spell: Spell, by: str, variant: str) -> Ask:
    """Return the ask for a save with the advantage or disadvantage that a spell gives it, or for a check in a contest."""
    if spell.contest:
        spec = ability_checks.check_roll(tx, tx.rules, save.who, spell.contest)
        return msgspec.structs.replace(save, label="ask.check", detail=f"<check.{spell.contest}>", spec=spec)
    about = HookContext(save.who, "save", other=by)
    saving = (*spell.saving, *(rule for each in spell.choices if each.name == variant for rule in each.saving))
    rules = [each for each in saving if evaluate(tx, tx.rules, save.who, each.when, about)]
    if save.spec is None or not rules:
        return save
    edges = tuple(Edge(each.kind, spell.name) for each in rules if each.kind in ("advantage", "disadvantage"))
    more = tuple(Modifier(each.add, spell.name) for each in rules if each.kind == "modifier")
    old, fails = save.spec, save.spec.fails or next((spell.name for each in rules if each.kind == "fail"), "")
    spec = msgspec.structs.replace(old, edges=(*old.edges, *edges), modifiers=(*old.modifiers, *more), fails=fails)
    return msgspec.structs.replace(save, spec=spec)


def after_saves(tx: Transaction, procedure: Procedure, data: SaveEffect, answers: Answers) -> Procedure:
    """Sort the targets by the degree of their saves. Leave out targets whose save was skipped."""
    degrees: dict[str, str] = {}
    listed = spell_features.listed_spell(tx.rules, data.feature)
    for who in data.targets:
        answer = answers.get(who)
        if CHAIN in data.feature.properties and CRITICAL_SUCCESS in degrees.values():
            break
        if who in data.willing:
            degrees[who] = FAILURE
            continue
        if answer is None or answer.skipped:
            tx.emit(Skipped(purpose="ask.save", who=who, detail=data.feature.name))
            continue
        kind = "check" if listed is not None and listed.contest else "save"
        detail = f"<{kind}.{data.save}>"
        steps, rule = _steps(tx, data, listed, who), _rule(tx, data)
        degrees[who] = degree_of(tx, answer, f"ask.{kind}", who, detail, data.dc, rule, steps) or FAILURE
    for who, degree in degrees.items():
        after = data.feature.immune_after
        if after in ("save", degree) or (after == SUCCESS and ability_checks.is_success(degree)):
            _spare(tx, data, who)
    critical = bool(tx.rules.data.checks.degrees)
    totals = ((who, answers[who].roll) for who in degrees if who in answers)
    data = msgspec.structs.replace(
        data,
        failed=tuple(who for who, degree in degrees.items() if not ability_checks.is_success(degree)),
        saved=tuple(who for who, degree in degrees.items() if ability_checks.is_success(degree)),
        critically_failed=tuple(who for who, degree in degrees.items() if critical and degree == CRITICAL_FAILURE),
        critically_saved=tuple(who for who, degree in degrees.items() if critical and degree == CRITICAL_SUCCESS),
        failed_by=tuple((who, data.dc - roll.total) for who, roll in totals if roll and roll.total is not None),
    )
    if data.saved and listed is not None and listed.willing and listed.ground is not None:
        effect_records.end_condition(tx, data.members[0], listed.name)  # the light that it has avoided
    return goto(procedure, SAVE_EFFECT.ask_damage, data)


def _steps(tx: Transaction, data: SaveEffect, spell: Spell | None, who: str) -> int:
    """Return the number of degrees by which a target's save is better than its roll, or worse if it is negative."""
    statements = (data.feature.worse_for or getattr(spell, "worse_for", ""), getattr(spell, "better_for", ""))
    worse, better = (bool(one) and is_true_of(tx, tx.rules, who, one) for one in statements)
    steps = int(better) - int(worse)
    by = next(iter(data.members), "")
    if not by or tx.rules.data.checks.spares_stronger not in data.feature.properties:
        return steps
    levels = [creature_of(tx, tx.need(Combatant, each)).level for each in (who, by) if tx.get(Combatant, each)]
    listed = spell.level if spell and spell_features.FOCUS not in spell.properties else 0
    rank = data.level or data.feature.level or listed
    return int(levels[0] > (2 * rank if rank else levels[-1])) + steps


def _spare(tx: Transaction, data: SaveEffect, who: str) -> None:
    """Mark a target as immune to the feature for the rest of the encounter, or as long as it says."""
    by, until = next(iter(data.members), ""), "never" if data.feature.effect else data.feature.until
    inflicted = InflictedCondition("", until)
    ends = Duration("encounter") if until == "never" else effect_records.duration_of(tx, inflicted, who, by=by)
    id, spared = tx.next_id("effect"), triggered_features.SPARED
    tx.put(Effect(id, who, spared, data.feature.name, ends=ends, shown=False, by=by))


def _shares(tx: Transaction, data: SaveEffect) -> list[tuple[str, str, str]]:
    """Return the targets that take damage, each with its share and the reason if the share is reduced."""
    by_degree = {CRITICAL_FAILURE: "full", FAILURE: "full"}
    if spared := [each for each in (KILLS, HURTS_SAVED, HURTS_ALL) if each in data.feature.properties]:
        by_degree = {SUCCESS: "full", CRITICAL_SUCCESS: "full"} | (by_degree if HURTS_ALL in spared else {})
    if data.half_on_save:
        by_degree |= {CRITICAL_FAILURE: "double", SUCCESS: "half"}
    by_degree |= spell_features.damage_shares(tx.rules, data.feature)
    degrees = {who: degree for degree, targets in _by_degree(data) for who in targets}
    everyone = ((who, by_degree.get(degrees[who], ability_checks.NO_SHARE)) for who in (*data.failed, *data.saved))
    shares = [(who, share) for who, share in everyone if share != ability_checks.NO_SHARE]
    if not data.half_on_save:
        return [(who, share, "") for who, share in shares]
    return [(who, *spared_share(tx, tx.rules, who, data.save, share, saved=who in data.saved)) for who, share in shares]


def ask_damage(tx: Transaction, procedure: Procedure, data: SaveEffect, answers: Answers) -> Procedure:
    """Ask for one damage roll for all targets, and for the hit points that the feature heals."""
    data = _within_pool(tx, data, answers)
    if not data.is_guarded and data.feature.damage:
        data = msgspec.structs.replace(data, is_guarded=True)
        if _offer_guards(tx, procedure, data):
            return goto(procedure, SAVE_EFFECT.ask_damage, data)
    for who in data.failed if data.feature.immune_after == "save" and not data.save else ():
        _spare(tx, data, who)
    heals = data.targets if triggered_features.heals_targets(data.feature) else not data.feature.trigger
    heals = bool(data.feature.heals and heals and (KILLS not in data.feature.properties or data.failed))
    asks = _heal_asks(tx, data) if heals else []
    if len(_odds(tx, data)) > 1:
        asks.append(Ask(ODDS, "roll", "ask.spell_odds", "", data.feature.name, RollSpec("1d100"), rule=_rule(tx, data)))
    if (pool := _pool(tx, data)) and not pool.isdecimal():
        asks.append(Ask(POOL, "roll", "ask.spell_pool", "", data.feature.name, RollSpec(pool), rule=_rule(tx, data)))
    for who in () if data.feature.ends_all else data.failed:
        if len(names := _ended_by(tx, data, who)) > 1:
            options, means = tuple(Option(name, f"<condition.{name}>") for name in names), data.feature
            question = choice_ask(f"{ENDS}{who}", "ask.ends_condition", options, who, means.name)
            price = means.uses if means.shares else 0
            if price and (more := remaining_uses(tx, data.members[0], use_key(means)) // price):
                question = msgspec.structs.replace(question, kind="targets", max_choices=1 + more)  # each at this price
            asks.append(question)
    if data.feature.temp:
        asks.append(Ask(TEMP, "roll", "ask.feature_temp", "", data.feature.name, RollSpec(data.feature.temp)))
    affected = [who for who, share, _ in _shares(tx, data) if share != ability_checks.NO_SHARE]
    if affected and data.feature.damage:
        numbers = Modifier(data.extra_damage, "why.numbers", tx.rule_id("control.attack.numbers"))
        extra = (numbers,) if data.extra_damage else ()
        rule = tx.rule_id("damage.multi-target" if len(affected) > 1 else "damage.form")
        by = next(iter(data.members), "")
        tags = (attack_targeting.LIMITED,) if attack_targeting.is_limited(data.feature) else ()
        about = HookContext(by, "damage", tags=tags)
        moved = number_modifiers(tx, tx.rules, by, "damage", about) if tx.get(Combatant, by) is not None else ()
        spec = RollSpec(data.feature.damage, (*extra, *moved))
        damage = Ask("damage", "roll", "ask.damage", detail=data.feature.name, spec=spec, rule=rule)
        asks = [*_dart_asks(tx, data, damage, affected), *asks]
    if asks:
        other = "prompt.damage" if data.feature.damage else "prompt.value"
        ask(tx, procedure, "prompt.healing" if asks[0].id.startswith(HEAL) else other, asks, subject=data.feature.name)
    return goto(procedure, SAVE_EFFECT.finish, data)


def _offer_guards(tx: Transaction, procedure: Procedure, data: SaveEffect) -> bool:
    """Offer the reactions that reduce a feature's damage. Return whether there are any."""
    tags = attack_targeting.feature_save_tags(tx.rules, data.feature, spell=bool(data.spell))
    kinds = tuple(tag.replace("against:", "kind:") for tag in tags if tag.startswith("against:"))
    by, begun = next(iter(data.members), ""), False
    for who in [who for who, share, _ in _shares(tx, data) if share != ability_checks.NO_SHARE]:
        context = HookContext(who, "damage", other=by, tags=(*tags, *kinds, triggered_features.UNROLLED))
        begun |= bool((guards := run_hooks(tx, tx.rules, Hook.DAMAGE_ROLLED, context)).procedures)
        effect_records.start_followups(tx, guards, procedure.id)
    return begun


def _dart_asks(tx: Transaction, data: SaveEffect, damage: Ask, targets: Sequence[str]) -> list[Ask]:
    """Return the ask for the damage, or if several targets share its dice, for each die and the targets of the others."""
    (count, dice), by = spell_features.darts_of(tx.rules, data.feature), next(iter(data.members), "")
    if not count or len(targets) < 2 or damage.spec is None:
        return [damage]
    options = tuple(Option(who, label_of(tx, who)) for who in targets)
    specs = [RollSpec(dice, damage.spec.modifiers), *[RollSpec(dice)] * (count - 1)]
    rolls = [
        msgspec.structs.replace(damage, id=f"{_DART}{n}", spec=spec, rule=tx.rule_id("damage.form"))
        for n, spec in enumerate(specs)
    ]
    others = range(len(targets), count)
    return [*rolls, *(choice_ask(f"{_RAY}{n}", "ask.dart_target", options, by, damage.detail) for n in others)]


def _dart_rolls(data: SaveEffect, answers: Answers) -> dict[str, Roll]:
    """Return the damage by target of a feature whose targets share its dice."""
    by_target: dict[str, list[Roll]] = {}
    rolls = {int(name.removeprefix(_DART)): answer.roll for name, answer in answers.items() if name.startswith(_DART)}
    for n, roll in rolls.items():
        targets = data.failed[n : n + 1] or choices_of(answers, f"{_RAY}{n}")
        if roll is not None and roll.total is not None and targets:
            by_target.setdefault(targets[0], []).append(roll)
    return {who: _total(rolls) for who, rolls in by_target.items()}


def _total(rolls: Sequence[Roll]) -> Roll:
    """Return several rolls of the same dice as one."""
    total = sum(roll.total or 0 for roll in rolls)
    part = msgspec.structs.replace(rolls[0].parts[0], total=total, dice=len(rolls))
    dice = tuple(die for roll in rolls for die in roll.dice)
    return msgspec.structs.replace(rolls[0], dice=dice, parts=(part,), total=total, text="")


def _heal_asks(tx: Transaction, data: SaveEffect) -> list[Ask]:
    """Return the ask for the roll of the hit points healed, or for the points that each target gets of a pool."""
    who, name, rule = next(iter(data.members), ""), data.feature.name, _rule(tx, data)
    points = _points(tx, data)
    if points is not None:
        ids = _healed_ids(data).items()
        return [Ask(id, "number", "ask.points", each, name, max_choices=points, rule=rule) for each, id in ids]
    who = "" if triggered_features.heals_targets(data.feature) and data.targets else who
    return [Ask(HEAL, "roll", "ask.feature_heals", who, name, RollSpec(data.feature.heals), rule=rule)]


def _points(tx: Transaction, data: SaveEffect) -> int | None:
    """Return the hit points that a feature divides among its targets, or None if all get the same."""
    if POINTS in data.feature.properties:
        return remaining_uses(tx, data.members[0], use_key(data.feature))
    listed = spell_features.listed_spell(tx.rules, data.feature)
    is_shared = DIVIDED in data.feature.properties or (listed is not None and listed.divides)
    return int(data.feature.heals) if is_shared and data.feature.heals.isdecimal() else None


def _healed_ids(data: SaveEffect) -> dict[str, str]:
    """Return the ids of the asks about each target of a feature that divides hit points."""
    return {who: HEAL if len(data.failed) == 1 else f"{HEAL}-{who}" for who in data.failed}


def _heal(tx: Transaction, data: SaveEffect, answers: Answers) -> None:
    """Heal the feature's owner, or the targets of a spell that only heals, by the rolled amount."""
    answer, by, rule = answers.get(HEAL), next(iter(data.members), ""), _rule(tx, data)
    healed = data.failed if triggered_features.heals_targets(data.feature) and data.failed else (by,)
    points = _points(tx, data)
    if points is not None:
        _divide(tx, data, answers, points)
    elif answer is not None and answer.roll is not None and answer.roll.total is not None:
        for who in healed:
            if not is_out_of_play(tx, who):
                before = tx.need(Combatant, who).hp
                restore_hit_points(tx, who, answer.roll.total, source=data.feature.name, rule=rule, by=by)
                surplus = answer.roll.total - (tx.need(Combatant, who).hp - before)
                if surplus > 0 and OVERFLOWS in data.feature.properties:
                    grant_temp_hp(tx, who, surplus, data.feature.name, "")
    elif answer is not None:
        tx.emit(Skipped(purpose="ask.feature_heals", who=by, detail=data.feature.name))


def _divide(tx: Transaction, data: SaveEffect, answers: Answers, points: int) -> None:
    """Heal each target by its share of a pool, and spend the shares if they are uses of the feature.

    Hit points that are the feature's own restore at most half of a target's maximum.
    """
    left, by, means = points, next(iter(data.members), ""), data.feature
    for who, id in _healed_ids(data).items():
        target, answer = tx.get(Combatant, who), answers.get(id)
        share = min(left, (answer.number or 0) if answer is not None else 0)
        if target is not None and DIVIDED in means.properties:
            share = min(share, max(0, tx.rules.half(tx, target.hp_max) - target.hp))
        if share and not is_out_of_play(tx, who):
            restore_hit_points(tx, who, share, source=means.name, rule=_rule(tx, data), by=by)
            left -= share
    if POINTS in means.properties:
        spend_use(tx, by, use_key(means), means.name, points - left)


def _protect(tx: Transaction, data: SaveEffect, answers: Answers, parent: str) -> None:
    """Give the targets the rolled temporary hit points, or the feature's owner if there are none."""
    answer = answers.get(TEMP)
    amount = answer.roll.total if answer is not None and answer.roll is not None else None
    if answer is not None and amount is None:
        tx.emit(Skipped(purpose="ask.feature_temp", who=data.members[0], detail=data.feature.name))
    for who in (data.failed or data.members) if amount else ():
        if not amount or is_out_of_play(tx, who):
            continue
        combatant = tx.need(Combatant, who)
        most = next((int(word[len(STACKS) :]) for word in data.feature.properties if word.startswith(STACKS)), 0)
        if most:
            before = combatant.temp_hp if combatant.temp_from == data.feature.ongoing_while else 0
            set_temp_hp(tx, combatant, min(most, before + amount), data.feature.name, is_taken=True)
            tx.update(tx.need(Combatant, who), temp_from=data.feature.ongoing_while)
        elif not data.feature.trigger:
            grant_temp_hp(tx, who, amount, data.feature.name, parent)
        elif amount > combatant.temp_hp:
            set_temp_hp(tx, combatant, amount, data.feature.name, is_taken=True)


def _ended_by(tx: Transaction, data: SaveEffect, who: str) -> tuple[str, ...]:
    """Return the conditions of a combatant that a feature can end."""
    return tuple(name for name in data.feature.ends if _curable(tx, data, who, name))


def _curable(tx: Transaction, data: SaveEffect, who: str, name: str) -> list[Effect]:
    """Return a combatant's effects of a condition, and those of spells that count as it, up to a level if there is a limit."""
    alike = {name} | {spell.name for spell in tx.rules.data.spells if spell.counts_as == name}
    spell = spell_features.listed_spell(tx.rules, data.feature)
    most = data.level if spell is not None and spell.counteracts_lower else None
    return [one for one in tx.of(Effect, who) if one.name in alike and (most is None or one.level <= most)]


def _end_conditions(tx: Transaction, data: SaveEffect, who: str, chosen: tuple[str, ...]) -> None:
    """End the chosen condition of a target, its only condition, or all. End one level of a condition whose levels add up.

    Of a feature from which its targets recover, apply the rests instead.
    """
    if RECOVERS in data.feature.properties:
        recover(tx, who, times=2)
    names = _ended_by(tx, data, who)
    if len(chosen) > 1:
        spend_use(tx, data.members[0], use_key(data.feature), data.feature.name, (len(chosen) - 1) * data.feature.uses)
    for name in names if data.feature.ends_all or len(names) == 1 else chosen:
        definition = tx.rules.conditions.get(name)
        rules = definition.rules if definition is not None else ()
        lowers = any(rule.per_value and rule.what.startswith(_AMOUNTS) for rule in rules)
        for effect in _curable(tx, data, who, name):
            if definition is not None and definition.stacks and effect.value > 1 and not lowers:
                effect_records.set_value(tx, effect, effect.value - 1)
                tx.emit(EffectUpdated(target=who, name=name, value=effect.value - 1))
            else:
                effect_records.end_effect(tx, effect, _rule(tx, data))


def _pool(tx: Transaction, data: SaveEffect) -> str:
    """Return the dice for the hit points of creatures that a spell affects in all, or an empty string."""
    spell = spell_of(tx.rules, data)
    return spell_features.pool_of(spell, data.level or 0) if spell is not None and data.failed else ""


def _within_pool(tx: Transaction, data: SaveEffect, answers: Answers) -> SaveEffect:
    """Count targets as saved if a spell's pool of hit points is too small for them. Those with the fewest come first."""
    answer, fixed, own = answers.get(POOL), _pool(tx, data), data.feature.afflictions
    if answer is None and not fixed.isdecimal():
        return data
    left, affected = int(fixed) if answer is None else answer.roll.total or 0 if answer.roll is not None else 0, []
    by, rule, means = data.members[0], _rule(tx, data), data.feature
    if answer is not None and answer.roll is not None:
        tx.emit(Rolled(purpose="ask.spell_pool", roll=answer.roll, detail=data.feature.name, rule=rule))
    present = [combatant for who in data.failed if (combatant := tx.get(Combatant, who)) is not None]
    for one in sorted(present, key=lambda each: each.hp):
        if own and not any(_applies(tx, means, each, one.id, by, rule, None) for each in own):
            continue
        left -= one.hp
        if left >= 0:
            affected.append(one.id)
        elif SUCCESS not in spell_features.damage_shares(tx.rules, means):
            tx.emit(Unaffected(who=one.id, what=means.name, reason="why.pool_spent", rule=rule))
    others = [one.id for one in sorted(present, key=lambda each: each.hp) if one.id not in affected]
    if any(each.degree == SUCCESS for each in own):  # what happens if the spell affects none of them, to one
        others = others[:0] if affected else others[:1]
    return msgspec.structs.replace(data, failed=tuple(affected), saved=(*data.saved, *others))


def begin_lasting(tx: Transaction, who: str, means: Feature, spell: Spell) -> None:
    """Mark the caster with a spell that stays in its place, or that can attack again while it lasts."""
    lasts, level, dc = means.lasts or spell.lasts, means.level or 0, caster_at(tx, tx.rules, who).dc
    until = spell.until if spell.until == "owner-end" else "never"  # others end what it leaves on its targets
    effect = Effect(
        "", who, spell.name, spell.name, by=who, concentrator=who if spell.concentration else "", note=spell.text,
        ends=effect_records.duration_of(tx, InflictedCondition("", until), who, by=who),
        rounds_left=rounds_in(lasts, scene_of(tx).round_seconds), leaves=spell_features.around(spell, means, level, dc),
        level=level, value=spell.total, rules=means.effect if spell.attack and means.range == spell_features.SELF else (),
    )  # fmt: skip
    apply_timed_effect(tx, effect, spell.rule(), lasts)


def _odds(tx: Transaction, data: SaveEffect) -> tuple[SpellOdds, ...]:
    """Return the results of the d100 that decides what the chosen variant of a spell does."""
    spell = spell_of(tx.rules, data)
    choices = spell.choices if spell is not None else ()
    return next((choice.odds for choice in choices if choice.name == data.variant), ())


def _goes_amiss(tx: Transaction, procedure: Procedure, data: SaveEffect, answers: Answers) -> bool:
    """Report what the d100 of a spell has decided, if it isn't certain. Return whether it only deals damage."""
    by, luck = data.members[0] if data.members else "", answers[ODDS].roll if ODDS in answers else None
    rows = [each for each in _odds(tx, data) if luck is None or (luck.total or 0) <= each.upto]
    if not rows or (luck is None and len(rows) > 1):
        return False
    row = rows[0]
    if luck is not None:
        tx.emit(DiceRolled(dice="1d100", roll=luck, purpose=f"{data.feature.name}: {row.result}", rule=_rule(tx, data)))
    if row.damage:
        roll = damage_state.DamageRoll(tuple(dict.fromkeys((by, *data.targets))), row.damage, data.feature.name, by=by)
        begin(tx, damage_state.DAMAGE_ROLL.ask_damage, roll, procedure.id)
    return bool(row.damage)


def finish(tx: Transaction, procedure: Procedure, data: SaveEffect, answers: Answers) -> Next:
    """Deal the rolled damage, in full or halved, and apply the further effects."""
    by = data.members[0] if data.members else ""
    if _goes_amiss(tx, procedure, data, answers):
        return goto(procedure, SAVE_EFFECT.ask_damage) if ODDS in answers else None
    data = _within_pool(tx, data, answers)
    attack = bool(data.save) and not data.spell and attack_targeting.is_attack(data.feature)
    answer, dealt, rolls = answers.get("damage"), dict[str, NamedNumbers](), _dart_rolls(data, answers)
    if answer is not None and answer.roll is not None and answer.roll.total is not None:
        rolls = dict.fromkeys(data.targets, answer.roll)
    listed, rule = spell_features.listed_spell(tx.rules, data.feature), tx.rule_id("damage.form")
    for roll in [*rolls.values()][: 1 if answer is not None else None]:
        tx.emit(Rolled(purpose="ask.damage", roll=roll, detail=data.feature.name, rule=rule))
    if answer is not None and not rolls:
        tx.emit(Skipped(purpose="ask.damage", detail=data.feature.name))
    for who, share, why in _shares(tx, data):
        if share == ability_checks.NO_SHARE:
            tx.emit(Unaffected(who=who, what=data.feature.name, reason=why, rule=rule))
        elif who in rolls and tx.get(Combatant, who) is not None:
            parts = rolls[who].parts
            if listed is not None and listed.most and is_true_of(tx, tx.rules, who, listed.most):
                parts = (msgspec.structs.replace(parts[0], total=parse(data.feature.damage).maximum),)
            what, area = ("damage-against",), HookContext(who, "damage-against", tags=("area",))
            factors = data_rules(tx, tx.rules, who, what, area) if data.feature.area else ()
            damage = Damage(
                parts,
                source=data.feature.name,
                multiplier=prod(factor.rule.times for factor in factors),
                nonmagical=attack and attack_targeting.is_mundane_against(tx, data.feature, who),
                share=share,
                share_reason=why,
                roll=rolls[who],
                by=by,
                melee=attack and attack_targeting.attack_kind(data.feature) == attack_targeting.MELEE,
                cause="attack" if attack else "other",
                properties=tuple(each for each in data.feature.properties if each in tx.rules.data.damage_traits),
                keeps=listed.keeps if listed is not None else 0,
                lessened=tuple(less for guarded, less in data.lessened if guarded == who),
            )
            dealt[who] = deal_damage(tx, who, damage, procedure.parent)
    most = sorted(dealt.values(), key=lambda pairs: sum(number for _, number in pairs))
    counted = most[-1:] if data.feature.regains == HALF_AS_TEMP else most
    regain(tx, data.feature, by, [pair for pairs in counted for pair in pairs], procedure.id)
    _heal(tx, data, answers)
    _protect(tx, data, answers, procedure.id)
    for who in data.failed:
        _end_conditions(tx, data, who, choices_of(answers, f"{ENDS}{who}"))
    for degree, targets in _by_degree(data):
        saved, means = degree in (SUCCESS, CRITICAL_SUCCESS), data.feature
        failed, rule = dict(data.failed_by), _rule(tx, data)
        inflict(tx, means, targets, by, rule, procedure.id, degree=degree, saved=saved, failed_by=failed, dealt=dealt)
    if by and not CHANGES_AREA.isdisjoint(data.feature.properties):
        lay_around(tx, data.feature, by, _origin(tx, data))
    _ignite(tx, data)
    for who in data.failed if data.feature.stages else ():
        if not _worse(data.feature, dict(data.failed_by).get(who)):  # which replaces the first stage
            contract(tx, data.feature, who, by, 2 if who in data.critically_failed else 1, procedure.id)
    spell = spell_of(tx.rules, data) or spell_features.listed_spell(tx.rules, data.feature)
    _kill(tx, data, spell, dealt)
    _count_total(tx, data, spell, dealt)
    if spell is not None and spell.counteracts == EFFECTS and by:
        rank = data.level or data.feature.level or spell.level or 0
        begin_dispelling(tx, by, spell, rank, data.targets, procedure.id)
    _shake(tx, data, spell, procedure.id)
    _end_in_vain(tx, data, by)
    if data.feature.does and by and by not in data.saved:
        others = tuple(who for who in data.targets if who != by and (not data.save or data.feature.does[0].when))
        steps = FeatureSteps(by, data.feature.id, others, origin=data.origin, level=data.level or 0)
        begin(tx, FEATURE_STEPS.next_step, steps, procedure.id)
    return None


def _shake(tx: Transaction, data: SaveEffect, spell: Spell | None, parent: str) -> None:
    """Ask the targets of a spell that shakes their concentration for the saves that keep it."""
    for who in data.targets if spell is not None and spell.shakes else ():
        shake(tx, who, data.dc, parent)


def _kill(tx: Transaction, data: SaveEffect, spell: Spell | None, dealt: Iterable[str]) -> None:
    """Kill the targets of a spell that are dead by its own words, after its damage."""
    kills = KILLS in data.feature.properties or (spell is not None and spell.kills)
    when = spell.kills_when if spell is not None else ""
    statement = (data.feature.spares and f"not ({data.feature.spares})") if kills else when
    for who in data.failed if kills else dict.fromkeys((*data.failed, *dealt)) if when else ():
        if not statement or is_true_of(tx, tx.rules, who, statement):
            die(tx, who, _rule(tx, data))
    for one in [tx.need(Combatant, who) for who in data.failed if DROPS in data.feature.properties]:
        tx.update(one, hp=0)
        begin_drop_to_zero(tx, one.id, one.hp)


def _count_total(tx: Transaction, data: SaveEffect, spell: Spell | None, dealt: Mapping[str, NamedNumbers]) -> None:
    """Subtract damage from the remaining total of a spell that ends after such a total."""
    standing = tx.get(Effect, data.feature.id.removeprefix(LEFT)) if spell is not None and spell.total else None
    if standing is not None and dealt:
        left = max(0, standing.value - sum(number for pairs in dealt.values() for _, number in pairs))
        effect_records.set_value(tx, standing, left)
        if not left:
            effect_records.end_effect(tx, standing)


def regain(tx: Transaction, means: Feature, by: str, dealt: Iterable[tuple[str, int]], parent: str = "") -> None:
    """Heal a combatant by the damage that its weapon or another feature turns into hit points."""
    source = means.regains
    of_all = (ALL_DAMAGE, HALF_OF_DAMAGE, HALF_AS_TEMP, ALL_AS_TEMP)
    amount = sum(number for kind, number in dealt if source in (kind, *of_all))
    amount = tx.rules.half(tx, amount) if source in (HALF_OF_DAMAGE, HALF_AS_TEMP) else amount
    attacker = tx.get(Combatant, by)
    if source in (HALF_AS_TEMP, ALL_AS_TEMP) and amount and not is_out_of_play(tx, by):
        grant_temp_hp(tx, by, amount, means.name, parent)
    elif source and amount and attacker is not None and not attacker.dead:
        restore_hit_points(tx, by, amount, source=means.name, by=by)


def _end_in_vain(tx: Transaction, data: SaveEffect, by: str) -> None:
    """End the concentration on a spell whose targets have saved, so that nothing depends on it.

    Spells with an area and sustained spells stay even if every target has saved.
    """
    spell = spell_of(tx.rules, data)
    stays = data.feature.area or (spell is not None and (spell.area or spell.again))
    is_kept = any(effect.concentrator == by or effect.sustained for effect in tx.all(Effect))
    unharmed = (*data.saved, *(who for who in data.failed if attack_targeting.is_proof(tx, data.feature, who)))
    all_saved = bool(unharmed) and set(data.targets) == set(unharmed)
    holds = data.feature.concentration and bool(by)
    harm = (data.feature.area, data.feature.damage, data.feature.afflictions, data.feature.effect)
    probes = data.again and not any(harm)
    if holds and all_saved and (probes or not (stays or is_kept)) and _is_held(tx, data.feature, by):
        effect_records.lose_concentration(tx, by)


def _by_degree(data: SaveEffect) -> list[tuple[str, tuple[str, ...]]]:
    """Return the targets, grouped by the degree of their saves."""
    by_degree = (
        (CRITICAL_FAILURE, data.critically_failed),
        (FAILURE, tuple(who for who in data.failed if who not in data.critically_failed)),
        (SUCCESS, tuple(who for who in data.saved if who not in data.critically_saved)),
        (CRITICAL_SUCCESS, data.critically_saved),
    )
    return [(degree, targets) for degree, targets in by_degree if targets]


def _reason_spared(tx: Transaction, data: SaveEffect, who: str, by: str) -> str:
    """Return the reason for which a feature doesn't affect a target, or an empty string if it does."""
    if _is_immune(tx, data, who):
        return "why.immune"
    if triggered_features.is_spared_by(tx, who, data.feature, by):
        return "why.saved_before" if data.save else "why.immune"
    return "why.left_out" if _is_spared(tx, data, who) else ""


def _is_spared(tx: Transaction, data: SaveEffect, who: str) -> bool:
    by, means, spell = next(iter(data.members), ""), data.feature, spell_of(tx.rules, data)
    away = who != by and attack_targeting.ward_against(tx, tx.rules, who, by, None)
    is_away = bool(away) and not getattr(spell, "counteracts", "")
    listed = spell_features.listed_spell(tx.rules, means)
    if asks := listed is not None and bool(listed.asks):
        means = msgspec.structs.replace(means, when=listed.when, trigger="")
    is_unmeant = (means.area or asks) and attack_targeting.requirement_vetoes(tx, tx.rules, by, means, who)
    if is_away or is_unmeant or who in data.excluded:
        return True
    allowed = spell is not None and spell.excludes_plants
    return allowed and PLANTS in data.excluded and creature_of(tx, tx.need(Combatant, who)).type == PLANTS


def _is_immune(tx: Transaction, data: SaveEffect, who: str) -> bool:
    """Return whether a target is immune to such an effect, as a swarm is to mental ones on single targets."""
    means = data.feature
    if data.save and attack_targeting.is_proof(tx, means, who) and not spell_features.listed_spell(tx.rules, means):
        return True
    is_single = not (means.area or means.within or len(data.targets) > (means.targets or 1))
    tags = attack_targeting.feature_save_tags(tx.rules, means) if is_single else ()
    return is_immune_to_traits(tx, tx.rules, who, means.properties, {tag.rpartition(":")[2] for tag in tags})


def _ignite(tx: Transaction, data: SaveEffect) -> None:
    """Ignite the flammable objects in the area that no creature holds."""
    spell, field = spell_of(tx.rules, data), current_map(tx)
    if spell is None or not spell.ignites or field is None:
        return
    rule = spell.rule("ignites")
    for obstacle in field.obstacles:
        state = tx.get(ObstacleState, obstacle.id) or ObstacleState(obstacle.id)
        if obstacle.id in data.obstacles and obstacle.flammable and not obstacle.attended and not state.burning:
            tx.put(msgspec.structs.replace(state, burning=True))
            tx.emit(CaughtFire(object_name=obstacle.name or obstacle.id, rule=rule))


def _rule(tx: Transaction, data: SaveEffect) -> str:
    spell = spell_of(tx.rules, data)
    if spell is not None:
        return spell.rule()
    if len(data.members) < 2:
        return feature_rule(tx, tx.rules, data.members[0], data.feature)
    return tx.rule_id("control.attack.already-save" if data.feature.save else "control.attack.save")


def spell_of(rules: RuleSystem, data: SaveEffect) -> Spell | None:
    """Return the shipped spell that is being used, or None if the feature isn't a shipped spell."""
    spell = next((each for each in rules.data.spells if data.spell and each.id == data.spell), None)
    return None if spell is None else spell_features.version_of(spell, data.level or 0, data.feature.price)


def _variants_of(tx: Transaction, data: SaveEffect) -> Spell | None:
    """Return the shipped spell that is being used, or one for a feature, with its only target's weapons to choose from."""
    spell, bearer = spell_of(tx.rules, data), tx.get(Combatant, data.targets[0]) if len(data.targets) == 1 else None
    own = spell or Spell(data.feature.id, data.feature.name)
    chosen = own if bearer is None else spell_features.for_weapons(own, data.feature, creature_of(tx, bearer))
    return chosen if chosen.choices else spell


BY_CHECK: Final = "by-check"  # property: its targets make an ability check instead of the save
_BY_DEGREE: Final[Mapping[str, int]] = {CRITICAL_SUCCESS: -2, SUCCESS: -1, FAILURE: 1, CRITICAL_FAILURE: 2}


def save_ask(
    tx: Transaction,
    save: str,
    dc: int,
    who: str,
    by: str,
    rule: str,
    *,
    id: str = "save",
    tags: tuple[str, ...] = (),
    at: Point | None = None,
) -> Ask:
    """Return the ask for the save against a feature. If the DC is unknown, ask for the outcome instead.

    `tags` classify the threat that the save is against. `at` is the square from which its area spreads.
    """
    detail = f"<save.{save}>"
    if not dc:
        return Ask(id, "choice", "ask.save", who, detail, options=ability_checks.result_options(tx.rules), rule=rule)
    other = by if tx.get(Combatant, by) is not None else ""
    if f"with:{BY_CHECK}" in tags:
        spec, detail = ability_checks.check_roll(tx, tx.rules, who, save), f"<ability.{save}>"
    else:
        spec = ability_checks.save_roll(tx, tx.rules, who, save, other, tags, at=at)
    return Ask(id, "roll", "ask.save", who, detail, spec, dc, rule=rule)


def inflict(
    tx: Transaction,
    feature: Feature,
    targets: tuple[str, ...],
    by: str,
    rule: str,
    parent: str = "",
    *,
    degree: str = "",
    saved: bool = False,
    failed_by: Mapping[str, int] = MappingProxyType({}),
    dealt: Mapping[str, NamedNumbers] | None = None,
) -> None:
    """Apply a feature's conditions, persistent damage and pushes to its targets.

    Effects of a feature that needs concentration end with the concentration. If that is already lost, they don't apply.
    `degree` is the degree of success of the save or the attack. `saved`: only effects of exactly that degree apply.
    `failed_by` are the numbers by which targets failed their saves, if known. `dealt` is the damage that each target
    took, by type.
    """
    less = {one.condition for one in feature.afflictions if saved or (degree and one.degree == degree)}
    applying = tuple(
        one for one in feature.afflictions if one.degree == degree or not (one.degree or one.condition in less)
    )
    feature = spell_features.at_degree(
        tx.rules, msgspec.structs.replace(feature, afflictions=applying), degree, saved=saved
    )
    present = tuple(who for who in targets if tx.get(Combatant, who) is not None)
    for who in present if feature.afflictions or feature.ongoing or _is_left(feature) else ():
        if feature.concentration and not _is_held(tx, feature, by):
            why, concentration_rule = "why.concentration_lost", tx.rule_id("external.concentration")
            tx.emit(Unaffected(who=who, what=feature.name, reason=why, rule=concentration_rule))
        else:
            _leave(tx, feature, who, by, rule, failed_by.get(who), (dealt or {}).get(who, ()))
    spell = spell_features.listed_spell(tx.rules, feature)
    for own in spell.degrees if spell is not None else ():
        if own.degree == degree and (then := own.then) is not None:
            near = _near(tx, present, then.within) if then.within else (by,) if then.shares else present
            about = HookContext(by, degree, other=by)
            struck = tuple(who for who in near if not then.when or evaluate(tx, tx.rules, who, then.when, about))
            if not struck:
                continue
            deadly = (*tx.rules.data.attack.magical, *((KILLS,) if then.kills else ()))
            names = ("save", "half", "damage", "afflictions", "effect", "lasts", "push")
            fields = {name: getattr(then, name) for name in names}
            if spell is not None and own.higher:
                fields["damage"] = spell_features.second_damage(spell, then.damage, own.higher, feature)
            dc = feature.dc or caster_at(tx, tx.rules, by).dc
            more = Feature(f"{LEFT}{feature.id}", feature.name, dc=dc, properties=deadly, **fields)
            again = SaveEffect((by,), more, struck, save=more.save, dc=more.dc, half_on_save=more.half)
            begin(tx, SAVE_EFFECT.ask_saves, again, parent)
    slot = tx.get(Slot, clock_of(tx).active) if saved and "ends-turn" in feature.properties else None
    if slot is not None and not {*targets}.isdisjoint(slot.members):
        begin(tx, TURN_END.ask_end_order, TurnEnd(slot.id))
    shifts = spell.shifts if spell is not None else 0
    feet = feature.push or (0 if saved else shifts)
    moves = ForcedMovement(PUSHED, feet, present, source=feature.name, rule=rule, away_from=by)
    is_free = shifts or "any-direction" in feature.properties
    push(tx, msgspec.structs.replace(moves, how=SHIFTED) if is_free else moves, parent)


def _near(tx: Transaction, targets: tuple[str, ...], feet: int) -> tuple[str, ...]:
    """Return the targets of a burst, with the other living combatants that are known to be this near."""
    others = [each.id for each in tx.all(Combatant) if not each.dead]
    near = (who for who in others if any(is_within(tx, tx.rules, target, who, feet) for target in targets))
    return tuple(dict.fromkeys((*targets, *near)))


def _is_held(tx: Transaction, means: Feature, by: str) -> bool:
    return any((effect.name, effect.source) == (tx.role("concentrating"), means.name) for effect in tx.of(Effect, by))


def _leave(
    tx: Transaction, means: Feature, who: str, by: str, rule: str, failed_by: int | None, dealt: NamedNumbers = ()
) -> None:
    holder = by if means.concentration else ""
    for affliction in means.afflictions:
        if not _applies(tx, means, affliction, who, by, rule, failed_by):
            continue
        value = affliction.value or affliction.escape_dc or (means.dc if affliction.escape else 0)
        if affliction.value_of:
            value = sum(amount for kind, amount in dealt if affliction.value_of in ("damage", kind))
            if not value:
                continue
        held = max((effect.value for effect in effects_named(tx, who, affliction.condition)), default=0)
        if affliction.rises < 0:
            for effect in list(effects_named(tx, who, affliction.condition)):
                change_value(tx, effect, effect.value + affliction.rises)
            continue
        if held and affliction.rises:
            value = max(held, min(held + affliction.rises, affliction.most or held + affliction.rises))
        if affliction.condition == tx.role("stable"):
            stabilise(tx, who, rule)
        elif affliction.value_dice or affliction.lasts in ROLLED_LENGTHS:
            rolled = msgspec.structs.replace(affliction, value=value)
            begin(tx, ROLLED_CONDITION.ask_value, RolledCondition(who, by, means, rolled, rule))
        else:
            _put_inflicted(tx, means, affliction, who, by, rule, value)
    bound, at = means.ongoing_while, means.ongoing_at
    is_bound = not bound or any(effect.by == by for effect in effects_named(tx, who, bound))
    same = any((each.source, each.by, each.damage) == (means.name, by, means.ongoing) for each in tx.of(Effect, who))
    if means.ongoing and is_bound and not (bound and same and ADDS_UP not in means.properties):
        flat = 0 if means.save or means.is_spell else means.dc  # of the check that ends it
        save, dc = (means.save, means.dc) if means.until == "saved" and not means.effect else ("", flat)
        harm = Effect("", who, "", means.name, by=by, concentrator=holder, damage=means.ongoing, save=save, dc=dc)
        bound = bound or means.name * (at == "failed-save")  # without a condition, to its own effect
        put_persistent_damage(tx, msgspec.structs.replace(harm, bound_to=bound, damage_at=at))
    for effect in tx.of(Effect, who) if means.level else ():
        if (effect.source, effect.by, effect.target) == (means.name, by, who) and effect.level != means.level:
            tx.update(effect, level=means.level)
    if _is_left(means):
        leave_effect(tx, means, who, by, rule)


def _put_inflicted(
    tx: Transaction, means: Feature, affliction: InflictedCondition, who: str, by: str, rule: str, value: int
) -> None:
    saves_again = affliction.ends in ("saved", *effect_records.SAVING_MOMENTS) and bool(means.save and means.dc)
    ends = effect_records.duration_of(tx, affliction, who, by=by)
    if means.trigger == "hits" and affliction.ends == "owner-end" and tx.rules.data.attack.priced:
        held = [each for each in tx.all(Effect) if (each.source, each.by, each.ends.who) == (means.name, by, ends.who)]
        for each in held:  # a grab extends all holds of its owner, without weakening one
            tx.update(each, ends=ends)
        if affliction.degree == "success" and any(each.target == who for each in held):
            return
    names = [affliction.condition, *[tx.role("restrained")] * (affliction.condition == tx.role("grappled"))]
    for each in [one for one in tx.of(Effect, who) if one.name in names] if affliction.ends == "owner-gone" else ():
        effect_records.end_effect(tx, each)  # a swallowed creature is no longer held in the jaws
    effect_records.put_condition(
        tx,
        who,
        affliction.condition,
        value=value,
        ends=ends,
        source=means.name,
        by="" if affliction.condition == tx.role("hidden") else by,  # one is hidden from its `by`
        rule=rule,
        ended_by=copy_fields(
            effect_records.EndedBy,
            affliction,
            held_by=by if means.concentration and affliction.condition != tx.role("prone") else "",
            save=(affliction.save or means.save) if saves_again else "",
            dc=means.dc if saves_again else 0,
        ),
    )
    if affliction.condition in (tx.role("dying"), tx.rules.data.dying.recovery.sooner):
        judge(tx, who)


def ask_value(tx: Transaction, procedure: Procedure, data: RolledCondition, answers: Answers) -> Procedure:
    """Ask for the roll that gives the value of a condition, or the time for which it lasts."""
    spec = RollSpec(data.condition.value_dice or data.condition.lasts.split()[0])
    asks = [Ask("value", "roll", "ask.condition_value", data.who, _rolled_words(data), spec, rule=data.rule)]
    return ask(tx, goto(procedure, ROLLED_CONDITION.put_rolled), "prompt.value", asks, subject=data.feature.name)


def put_rolled(tx: Transaction, procedure: Procedure, data: RolledCondition, answers: Answers) -> None:
    """Apply a condition with the rolled value, or a condition or an effect for the rolled time."""
    answer, what, condition = answers.get("value"), _rolled_words(data), data.condition
    value = answer.roll.total if answer is not None and answer.roll is not None else None
    if answer is None or answer.roll is None or not value:
        tx.emit(Skipped(purpose="ask.condition_value", who=data.who, detail=what))
    elif not is_out_of_play(tx, data.who):
        tx.emit(Rolled(purpose="ask.condition_value", roll=answer.roll, who=data.who, detail=what, rule=data.rule))
        if not condition.value_dice:
            lasts = length_of_time(str(value), condition.lasts.split()[1])
            condition, value = msgspec.structs.replace(condition, lasts=lasts), condition.value
        if condition.condition:
            _put_inflicted(tx, data.feature, condition, data.who, data.by, data.rule, value)
        else:
            leave_effect(tx, msgspec.structs.replace(data.feature, lasts=lasts), data.who, data.by, data.rule)


def _rolled_words(data: RolledCondition) -> str:
    time = "" if data.condition.value_dice else f" ({data.condition.lasts})"
    return (f"<condition.{name}>" if (name := data.condition.condition) else data.feature.name) + time


def _is_left(means: Feature) -> bool:
    """Return whether a feature leaves an effect with rules, or a reminder that lasts for some time."""
    timed = means.lasts or (means.temp and means.until != "never")
    alone = timed and not means.afflictions and CHANGES_AREA.isdisjoint(means.properties)
    return INSIDE not in means.properties and bool(means.effect or means.leaves or alone)


def leave_effect(tx: Transaction, means: Feature, who: str, by: str, rule: str) -> None:
    """Leave the effect of a spell or another feature on a combatant. It is named after the feature."""
    if means.lasts in ROLLED_LENGTHS:
        rolled = RolledCondition(who, by, means, InflictedCondition("", lasts=means.lasts), rule)
        begin(tx, ROLLED_CONDITION.ask_value, rolled)
        return
    saves_again = means.until in ("saved", *effect_records.SAVING_MOMENTS)
    listed = spell_features.listed_spell(tx.rules, means)
    escape = listed.escape if listed is not None else ""
    effect = Effect(
        "", who, means.name, means.name, by=by, concentrator=by if means.concentration else "", uses_left=means.effect_uses,
        note=means.text or (listed.text if listed is not None else ""), rules=means.effect, leaves=means.leaves,
        ends=effect_records.duration_of(tx, InflictedCondition("", means.until), who, by=by), after=means.after,
        rounds_left=rounds_in(means.lasts, scene_of(tx).round_seconds), escape=escape, break_free="action" if escape else "",
        save=means.save if saves_again else "", dc=means.dc if saves_again else 0,
        value=means.dc if escape or (means.id.startswith(LEFT) and not means.save) else 0,
        level=means.level or (listed.level if listed is not None else 0) or 0,
    )  # fmt: skip
    apply_timed_effect(tx, effect, rule, means.lasts)
    if listed is not None and (ground := listed.ground) is not None and _shines(listed):
        lay_ground(tx, means, who, ground, None, effects_named(tx, who, means.name)[0].id, carried=True)


def _worse(means: Feature, failed_by: int | None) -> set[str]:
    """Return the conditions that a feature inflicts only if the save fails by a given margin."""
    met = (each for each in means.afflictions if 0 < each.margin <= (failed_by or 0))
    return {each.condition for each in met if each.lasts not in ROLLED_LENGTHS}


def _applies(
    tx: Transaction, means: Feature, affliction: InflictedCondition, who: str, by: str, rule: str, failed_by: int | None
) -> bool:
    """Return whether a condition applies to a target that failed its save by a number, or None if it is unknown."""
    bound, own = affliction.bound_to, {effect.name for effect in tx.of(Effect, who) if effect.by == by}
    if bound and bound not in (tx.role("ongoing"), *own):
        return False
    is_replaced = not affliction.margin and affliction.condition in _worse(means, failed_by)
    if is_replaced or affliction.margin > max(0, failed_by or 0):
        return False
    tags, what = attack_targeting.feature_save_tags(tx.rules, means), f"<condition.{affliction.condition}>"
    if keeps_out(tx, tx.rules, who, affliction.condition, by, tags):
        tx.emit(Unaffected(who=who, what=what, reason="why.condition_immune", rule=tx.rule_id("immunity.conditions")))
        return False
    about = HookContext(who, affliction.condition, other=by)
    if affliction.when and evaluate(tx, tx.rules, who, affliction.when, about) is False:
        # from its owner, the damage, or an answer
        is_obvious = "other." in affliction.when or affliction.when in (AT_ZERO, *tx.rules.data.marks)
        if not is_obvious and sum(bool(each.when) for each in means.afflictions) == 1:  # not one of several
            tx.emit(Unaffected(who=who, what=what, reason="why.not_affected", rule=rule))
        return False
    return True


def contract(tx: Transaction, feature: Feature, who: str, by: str, worse: int, parent: str = "") -> None:
    """Advance a feature's affliction on a target by some stages. A target without the affliction contracts it."""
    current = _held(tx, feature, who)
    _get_to(tx, feature, who, by, current, (current.value if current is not None else 0) + worse, parent)


def staged_feature(lookup: Lookup, rules: RuleSystem, effect: Effect) -> Feature | None:
    """Return the feature or spell with stages behind an affliction, or None if it has no stages or its owner is gone."""
    owner = lookup.get(Combatant, effect.by)
    features = creature_of(lookup, owner).features if owner is not None else ()
    if owner is not None:
        caster = spell_features.caster_of(rules, creature_of(lookup, owner), owner.supplied_numbers)
        features += tuple(spell_features.spell_feature(each, caster) for each in rules.data.spells if each.stages)
    return next((feature for feature in features if feature.stages and feature.name == effect.source), None)


def after_save(tx: Transaction, effect: Effect, feature: Feature, degree: str, parent: str = "") -> None:
    """Move an affliction to another stage, depending on the degree of success of a save."""
    _get_to(tx, feature, effect.target, effect.by, effect, effect.value + _BY_DEGREE.get(degree, 0), parent)


def _held(tx: Transaction, feature: Feature, who: str) -> Effect | None:
    afflictions = effects_named(tx, who, tx.rules.role("affliction"))
    return next((affliction for affliction in afflictions if affliction.source == feature.name), None)


def _get_to(
    tx: Transaction, feature: Feature, who: str, by: str, current: Effect | None, stage: int, parent: str
) -> None:
    """Move a target to a stage of an affliction. It ends below the first stage, or after its maximum duration."""
    rule, now = feature_rule(tx, tx.rules, by, feature), clock_of(tx).round
    stage_before = current.value if current is not None else 0
    before = feature.stages[stage_before - 1] if 0 < stage_before <= len(feature.stages) else None
    over = current is not None and 0 < feature.stage_rounds <= now - current.since_round + 1
    reached = None if stage < 1 or over else feature.stages[min(stage, len(feature.stages)) - 1]
    _lift(tx, feature, who, before, reached, rule)
    if reached is None:
        if current is not None:
            effect_records.end_effect(tx, current, rule)
        return
    if current is None:
        id, name, save, dc = tx.next_id("effect"), tx.role("affliction"), feature.save, feature.dc
        current = Effect(id, who, name, feature.name, by=by, since_round=now, save=save, dc=dc)
    if reached.final:
        if tx.get(Effect, current.id) is not None:
            effect_records.end_effect(tx, current, rule, is_reported=True)
    else:
        save, value = "" if reached.slow else feature.save, min(stage, len(feature.stages))
        staged = msgspec.structs.replace(current, value=value, save=save, note=reached.text or current.note)
        effect_records.begin_effect(tx, staged, rule, valued=True)
    new_afflictions = tuple(one for one in reached.afflictions if _held_condition(tx, feature, who, one) is None)
    means = _as_feature(feature, reached.damage, new_afflictions, is_final=reached.final)
    if means.damage or means.afflictions:
        begin(tx, SAVE_EFFECT.ask_damage, SaveEffect((by,), means, (who,), failed=(who,)), parent)


def _lift(
    tx: Transaction,
    feature: Feature,
    who: str,
    before: AfflictionStage | None,
    reached: AfflictionStage | None,
    rule: str,
) -> None:
    """End the conditions of the previous stage, except permanent ones and those that the new stage also has."""
    remaining = reached.afflictions if reached is not None else ()
    for affliction in before.afflictions if before is not None else ():
        effect = _held_condition(tx, feature, who, affliction)
        if affliction.ends != "never" and affliction not in remaining and effect is not None:
            effect_records.end_effect(tx, effect, rule)


def _held_condition(lookup: Lookup, feature: Feature, who: str, inflicted: InflictedCondition) -> Effect | None:
    """Return a target's condition from a feature if its value is the same, otherwise None."""
    effects = (effect for effect in effects_named(lookup, who, inflicted.condition) if effect.source == feature.name)
    return next((effect for effect in effects if not inflicted.value or effect.value == inflicted.value), None)


def _as_feature(
    feature: Feature, damage: str, afflictions: tuple[InflictedCondition, ...], *, is_final: bool
) -> Feature:
    """Return a stage's effects as a separate feature without a save. Its conditions last until the stage ends.

    Those of the final stage end in their own ways.
    """
    lasting = tuple(msgspec.structs.replace(each, ends=each.ends if is_final else "never") for each in afflictions)
    save, dc = (feature.save, feature.dc) if is_final else ("", 0)
    return Feature(
        feature.id, feature.name, save=save, dc=dc, damage=damage, afflictions=lasting, properties=feature.properties
    )
