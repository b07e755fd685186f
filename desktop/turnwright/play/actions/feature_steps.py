"""The steps of a feature: attacks and other features of its owner, spells, moves, actions and checks.

The feature is already paid for. Its steps cost only their own uses.
"""

import re

import msgspec

from turnwright.dice.expression import Modifier, RollSpec
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import ANY_ATTACKS, ANY_CONDITION, Creature, Feature, FeatureStep, RosterEntry
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import FEATURE_STEPS, ActionInProgress, FeatureSteps
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask
from turnwright.encounter.procedure_state.attacks import ATTACK, SAVE_EFFECT, AttackInProgress, SaveEffect
from turnwright.encounter.procedure_state.turn_order import CALLED_CHECKS, CalledChecks
from turnwright.encounter.running import Combatant, Duration, Effect, GuestCreature, Track, track_id
from turnwright.encounter.state import find_effect, track_value
from turnwright.play.actions.use_feature import UseFeature, targets_of, used_feature
from turnwright.play.asking.declaration import begin_action
from turnwright.play.attacks.attack_request import AttackFailed, FeatureReminded, FeatureUsed, target_vetoes
from turnwright.play.attacks.save_effect import is_placed
from turnwright.play.effects.concentration import concentrate
from turnwright.play.effects.ready_action import READIED_MOVE
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choice_of, choices_of, data_of, goto
from turnwright.play.kernel.transaction import Transaction, combatant_names
from turnwright.play.movement.forced_movement import forget_positions, is_on_map, place_near
from turnwright.play.spawning.spawning import begin_arrival, serve, spawn_members
from turnwright.play.state.action_economy import (
    MOVED,
    convert_points,
    count_attack,
    deduct_movement,
    recharge_features,
    refill,
    remember_stride,
    spend_use,
    use_vetoes,
)
from turnwright.play.state.effect_records import end_condition, put_condition, put_effect
from turnwright.play.state.events import HitPointsSet, Skipped
from turnwright.play.state.position_changes import end_movement_limited_effects
from turnwright.play.table.game_master import DiceRolled
from turnwright.rules.parts.actions import triggered_features
from turnwright.rules.parts.actions.action_options import feature_of, feature_rule
from turnwright.rules.parts.actions.spell_features import SELF, Caster, first_save, listed_spell, spell_feature
from turnwright.rules.parts.actions.triggered_features import Way, affecting, carrying, steps_at, steps_of, ways_of
from turnwright.rules.parts.attacks.attack_targeting import is_attack, is_stowed, requirement_vetoes
from turnwright.rules.parts.combatants.facts import HEARD, WALK, cannot_act, form_rules
from turnwright.rules.parts.conditions.predicates import is_true_of
from turnwright.rules.parts.economy.limited_uses import TWO_WEAPONS, use_key
from turnwright.rules.parts.movement.move_legs import Stride, movement_payer, stride_action, stride_id
from turnwright.rules.parts.positions import geometry
from turnwright.rules.system import label_of
from turnwright.rules.word_keys import rating_number

WAY, TARGETS, MOVE, SUMMONS, MANY = "way", "who", "move", "summons", "many"  # ids of the asks
DONE = "done"
DIFFERENT = "different-targets"  # property: each attack of its steps has another target
HALF = "half its"  # the hit points of a creature into which another splits
COUNTS_TWICE = "counts-twice"  # property: its attack counts as two towards the multiple attack penalty
ROLLED_FOR = re.compile(
    r"(?:(?P<dice>\d+d\d+(?:[+-]\d+)?)|one) (?P<name>[^()]+?)(?: of its kind)?(?: on its initiative)?"
    r"(?: with (?P<hp>\d+|half its) hit points)?(?: \((?P<odds>\d+) percent\))?",
    re.IGNORECASE,
)


@journal("journal.teleports")
class Teleports(CombatantEvent, frozen=True):
    """A combatant teleports up to `feet`."""

    feet: int


def next_step(tx: Transaction, procedure: Procedure, data: FeatureSteps, answers: Answers) -> Next:
    """Begin the feature's next step. If there are several ways to do it, or it has a requirement, ask which to use."""
    feature = _feature_of(tx, data)
    steps = steps_of(feature) if feature is not None else ()
    if feature is None or data.place >= len(steps) or _is_too_late(tx, data, steps[data.place]):
        for _ in range(data.together * (1 + (feature is not None and COUNTS_TWICE in feature.properties))):
            count_attack(tx, data.who)
        if feature is not None and feature.effect_uses and feature.until == "turn" and any(step.use for step in steps):
            end_condition(tx, data.who, feature.name, is_reported=True)  # its effect was for this attack alone
        return None
    ways = _usable_ways(tx, data)
    if not ways:
        tx.emit(Skipped(purpose="ask.feature_step", who=data.who, detail=feature.name))
        return _after(tx, procedure)
    means = (way.feature for way in ways)
    needed = next((each.requires for each in means if each is not None and each.requires and not each.when), "")
    if len(ways) == 1 and not needed:
        data = msgspec.structs.replace(data, way=ways[0].id)
        return ask_targets(tx, goto(procedure, FEATURE_STEPS.ask_targets, data), data, answers)
    rule = feature_rule(tx, tx.rules, data.who, feature)
    options = (*(_option(way, feature) for way in ways), *(Option("", "option.no"),) * bool(needed))
    text = "ask.requirement" if needed else "ask.feature_step"
    question = choice_ask(WAY, text, options, data.who, needed or feature.name, rule=rule)
    ask(tx, procedure, "prompt.feature_step", [question], subject=feature.name)
    return goto(procedure, FEATURE_STEPS.ask_targets, way="")


def _option(way: Way, feature: Feature) -> Option:
    """Return the option of a way, with the bonus to its attack roll, or the feature if its attack carries more."""
    more = f" ({way.step.bonus:+})" if way.step.bonus else f" ({feature.name})" if way.step.carries else ""
    name = way.name if way.step.use in ANY_ATTACKS else way.name + more
    return Option(way.id, name, way.feature.rules_text if way.feature is not None else "")


def _is_too_late(tx: Transaction, data: FeatureSteps, step: FeatureStep) -> bool:
    """Return whether the owner can't do a step anymore, because it is down, or no target fits the step."""
    if step.when and not any(is_true_of(tx, tx.rules, target, step.when) for target in data.targets):
        return True
    feature = _feature_of(tx, data)
    is_last_act = feature is not None and feature.trigger == "dropping"
    return cannot_act(tx, data.who) and not step.ends and not is_last_act


def ask_targets(tx: Transaction, procedure: Procedure, data: FeatureSteps, answers: Answers) -> Next:
    """Ask for the step's targets, if it needs any that aren't known yet."""
    way_id = data.way or choice_of(answers, WAY)
    way = next((usable_way for usable_way in _usable_ways(tx, data) if usable_way.id == way_id), None)
    if way is None or _is_too_late(tx, data, way.step):
        return _after(tx, procedure)
    data = msgspec.structs.replace(data, way=way.id)
    procedure = goto(procedure, FEATURE_STEPS.do_step, data)
    if way.step.summons:
        return _ask_creature(tx, procedure, data, way.step)
    means = way.feature
    if means is None or not _asks_targets(tx, means) or (_known_targets(tx, data, means) and not way.step.cleaves):
        return do_step(tx, procedure, data, {})
    own = _feature_of(tx, data)
    targets = [
        each
        for each in _possible_targets(tx, data, means)
        if not way.step.cleaves or _is_beside(tx, data, each)
        if own is None or not requirement_vetoes(tx, tx.rules, data.who, own, each.id)
    ]
    options = tuple(Option(target.id, target.label) for target in targets)
    if not options:
        tx.emit(AttackFailed(who=data.who, weapon=means.name, reason="why.nobody_in_reach"))
        return _after(tx, procedure)
    most = (0 if _sweeps(tx, data) else 1) if is_attack(means) else means.targets
    suggested = tuple(option.id for option in options if option.id in data.targets)[: most or None]
    label, who, name = "ask.targets_one", data.who, means.name
    question = Ask(TARGETS, "targets", label, who, name, options=options, max_choices=most, suggested=suggested)
    return ask(tx, procedure, "prompt.feature_step", [question], subject=means.name)


def do_step(tx: Transaction, procedure: Procedure, data: FeatureSteps, answers: Answers) -> Next:
    """Do the step. Skip it if it needs a target and has none."""
    way = next((usable_way for usable_way in _usable_ways(tx, data) if usable_way.id == data.way), None)
    if way is None:
        return _after(tx, procedure)
    step, who = way.step, data.who
    if way.feature is not None:
        targets = choices_of(answers, TARGETS) or (() if step.cleaves else _known_targets(tx, data, way.feature))
        own = feature_of(tx, who, data.feature)
        if own is not None and own.targets == 1:  # that of its first step is that of the others
            procedure = goto(procedure, FEATURE_STEPS.do_step, targets=targets)
        elif own is not None and DIFFERENT in own.properties and is_attack(way.feature):
            procedure = goto(procedure, FEATURE_STEPS.do_step, targets=(), struck=(*data.struck, *targets))
        if targets or not _asks_targets(tx, way.feature):
            _use(tx, procedure.id, data, way.feature, targets, step)
            procedure = goto(procedure, FEATURE_STEPS.do_step, used=way.id)
            if step.together and is_attack(way.feature):
                procedure = goto(procedure, FEATURE_STEPS.do_step, together=data.together + 1)
        else:
            tx.emit(Skipped(purpose="ask.feature_step", who=who, detail=way.feature.name))
    elif step.move:
        return _begin_move(tx, procedure, data, way)
    elif step.teleport:
        companions = data.targets if (means := _feature_of(tx, data)) is not None and means.targets else ()
        return _teleport(tx, procedure, (who, *companions), step.teleport)
    elif step.action:
        begin_action(tx, ActionInProgress(who, step.action, included=True), procedure.id)
    elif step.roll:
        begin(tx, CALLED_CHECKS.ask_called_check, CalledChecks((who,), step.roll), procedure.id)
    elif step.ends:
        deduct_movement(tx, who, step.feet if find_effect(tx, who, step.ends) is not None else 0)
        end_condition(tx, who, step.ends)
    elif step.recharges:
        recharge_features(tx, who, step.recharges, apart_from=data.feature, count=step.value)
    elif step.summons:
        _summon(tx, data, step, choice_of(answers, SUMMONS), answers)
    elif step.gains:
        _gain(tx, data, step)
    elif step.restores:
        own = feature_of(tx, who, data.feature)
        convert_points(tx, who, step.restores, 1, feature_rule(tx, tx.rules, who, own) if own is not None else "")
    return _after(tx, procedure)


def _gain(tx: Transaction, data: FeatureSteps, step: FeatureStep) -> None:
    """Apply the condition of a step to the feature's owner."""
    own = feature_of(tx, data.who, data.feature)
    ends = Duration(step.until, data.who) if step.until else Duration()
    source, rule = (own.name, feature_rule(tx, tx.rules, data.who, own)) if own is not None else ("", "")
    by = data.who if step.until == "owner-gone" else ""
    if (summons := ROLLED_FOR.fullmatch(step.form)) is not None and not _comes(tx, data.who, summons, step.form):
        return
    name, changes = step.form or source, form_rules(tx, tx.rules, data.who, step.form)
    put_condition(tx, data.who, step.gains, value=step.value, ends=ends, source=name, rule=rule, by=by)
    if changes and (effect := find_effect(tx, data.who, step.gains)) is not None:
        tx.update(effect, rules=changes)
    if step.form:  # its looks are for the game master to change
        tx.emit(FeatureReminded(who=data.who, feature=source, text=step.form, rule=rule))


def _ask_creature(tx: Transaction, procedure: Procedure, data: FeatureSteps, step: FeatureStep) -> Procedure:
    """Ask which creatures of the encounter's stat blocks come, and how many. Without any, the user adds them."""
    kinds, blocks = {*step.summons.split("|")}, (*tx.all(Creature), *tx.all(GuestCreature))
    called = (each for each in blocks if kinds & {each.type, *each.tags, "any"} and _most(step, each) >= 0)
    options = tuple(Option(each.id, f"{each.name} ({each.rating})" if each.rating else each.name) for each in called)
    if not options:
        tx.emit(Skipped(purpose="ask.summons", who=data.who, detail=step.summons.replace("|", ", ")))
        return _after(tx, procedure)
    asks = (
        choice_ask(SUMMONS, "ask.summons", (*options, Option("", "option.summons_none")), data.who),
        *([] if step.value == 1 else [Ask(MANY, "number", "ask.points_of", data.who, max_choices=step.value)]),
    )
    return ask(tx, procedure, "prompt.summons", asks, subject=label_of(tx, data.who))


def _most(step: FeatureStep, block: Creature) -> int:
    """Return the most creatures with a stat block that a step brings: 0 without a limit, or -1 if its rating is too high."""
    rating, limits = rating_number(block.rating) or block.level, re.findall(r"(\d+) of ([\d/]+)", step.form)
    most = [(int(many), rating_number(highest) or 0) for many, highest in limits] or [(step.value, step.bonus)]
    return max((many for many, highest in most if not highest or rating <= highest), default=-1)


def _summon(tx: Transaction, data: FeatureSteps, step: FeatureStep, block: str, answers: Answers) -> None:
    """Add summoned creatures next to their summoner."""
    if not block:
        return
    side, many = tx.need(Combatant, data.who).side, (MANY in answers and answers[MANY].number) or 1
    many = min(many, _most(step, tx.get(Creature, block) or tx.need(GuestCreature, block)) or many)
    entry = RosterEntry(tx.next_id("summons"), block, side=side, count=max(1, many), group=not step.together)
    came = spawn_members(tx, entry)
    own = _feature_of(tx, data)
    serve(tx, came, data.who, entry.id, shares_turn=step.together, own_turns=not step.together)
    if step.feet:
        tx.put(Effect(tx.next_id("effect"), data.who, HEARD, value=step.feet, note=entry.id, shown=False))
    for who in came if step.gains else ():
        put_condition(tx, who, step.gains, by=data.who, source=own.name if own else "")
        refill(tx, who, "turn-start")  # it acts at once
    for who in came if is_on_map(tx, data.who) else ():
        place_near(tx, who, data.who)
    begin_arrival(tx, tuple(came))


def _comes(tx: Transaction, who: str, summons: re.Match[str], what: str) -> bool:
    """Roll whether and how many creatures come, and add them if the encounter has their stat block."""
    luck = tx.roll_now(RollSpec("1d100")) if summons["odds"] else None
    many = tx.roll_now(RollSpec(summons["dice"])) if summons["dice"] else None
    fails = luck is not None and (luck.total or 0) > int(summons["odds"])
    for dice, rolled in (("1d100", luck), (summons["dice"], None if fails else many)):
        if rolled is not None:
            tx.emit(DiceRolled(dice=dice, roll=rolled, purpose=what))
    if fails:
        return False
    owner, kind, blocks = tx.need(Combatant, who), summons["name"].lower(), (*tx.all(Creature), *tx.all(GuestCreature))
    named = next((each.id for each in blocks if kind in (f"{each.name.lower()}{more}" for more in ("", "s", "es"))), "")
    if block := owner.creature if "of its kind" in what else named:
        entry = RosterEntry(tx.create_id(Combatant, block), block, side=owner.side, count=(many and many.total) or 1)
        came = spawn_members(tx, entry)
        for each in came:
            one = tx.need(Combatant, each)
            most = owner.hp // 2 if summons["hp"] == HALF else int(summons["hp"] or one.hp)
            tx.update(one, roster="", hp=min(one.hp, most))
            if summons["hp"] == HALF:  # the owner splits
                tx.update(owner, hp=owner.hp // 2)
                tx.emit(HitPointsSet(who=who, hp=owner.hp // 2, hp_max=owner.hp_max, temp_hp=owner.temp_hp))
                place_near(tx, each, who)
        for half in (who, *came) if "smaller" in what else ():
            tx.put(Effect(tx.next_id("effect"), half, HALF, rules=(DataRule("modifier", "size", add=-1),), shown=False))
        serve(tx, came if "on its initiative" in what else (), who, entry.id, shares_turn=True, own_turns=True)
        begin_arrival(tx, tuple(came))
    return True


def _after(tx: Transaction, procedure: Procedure) -> Procedure:
    """Return the procedure at the next step, skipping alternatives to the current step."""
    data = data_of(procedure, FeatureSteps)
    feature = _feature_of(tx, data)
    step_count = len(steps_at(steps_of(feature), data.place)) if feature is not None else 1
    return goto(procedure, FEATURE_STEPS.next_step, place=data.place + max(1, step_count), way="")


def _feature_of(tx: Transaction, data: FeatureSteps) -> Feature | None:
    """Return the feature whose steps are taken: of the stat block, or a spell that has some."""
    own = feature_of(tx, data.who, data.feature)
    named = next((one for one in tx.rules.data.spells if one.id == data.feature), None)
    cast = spell_feature(named, Caster(), level=data.level) if named is not None else None
    if own is None or (cast is not None and cast.does and any(step.spell == own.id for step in own.does)):
        return cast
    listed = None if own.does else listed_spell(tx.rules, own)
    return spell_feature(listed, Caster(), level=data.level) if listed is not None else own


def _usable_ways(tx: Transaction, data: FeatureSteps) -> list[Way]:
    """Return the usable ways to do the current step: uses remain, and the weapon is in hand and reaches the target."""
    feature = _feature_of(tx, data)
    if feature is None:
        return []
    steps = steps_at(steps_of(feature), data.place)
    ways = [_as_cast(tx, data.who, way, feature) for step in steps for way in ways_of(tx, tx.rules, data.who, step)]
    if len(ways) > 1:  # an existing condition can only end, any other can only begin
        ways = [candidate for candidate in ways if not _is_so(tx, data.who, candidate.step)]
    ways = [each for each in ways if each.feature is None or _is_usable(tx, data, each.feature)]
    ways = [each for each in ways if not each.step.cleaves or (each.feature and feature.id in each.feature.properties)]
    return [way for way in ways if way.id != data.used or TWO_WEAPONS not in feature.properties] or ways


def _as_cast(tx: Transaction, who: str, way: Way, feature: Feature) -> Way:
    """Return a way whose means carry more, and whose spell has all the data that its own command uses."""
    if (means := way.feature) is None:
        return way
    listed = listed_spell(tx.rules, means)
    waits = listed is not None and listed.waits and find_effect(tx, who, listed.name) is None
    if means.is_spell and (waits or not is_attack(means)) and feature_of(tx, who, means.id) is means:
        means, _ = used_feature(UseFeature(who, means.id), tx)
    means = msgspec.structs.replace(means, attack=None) if waits else means  # it attacks later
    return way._replace(feature=carrying(means, feature, way.step))


def _is_so(tx: Transaction, who: str, step: FeatureStep) -> bool:
    if step.gains:
        held = find_effect(tx, who, step.gains)
        return not step.value and held is not None and step.form in ("", held.source)
    return bool(step.ends) and step.ends != ANY_CONDITION and find_effect(tx, who, step.ends) is None


def _is_usable(tx: Transaction, data: FeatureSteps, means: Feature) -> bool:
    if (means.id in (data.feature, *data.within) and not means.is_spell) or is_stowed(tx.rules.data, means):
        return False
    aimed = is_attack(means) and len(data.targets) == 1 and data.targets != (data.who,)
    return not (aimed and not _known_targets(tx, data, means)) and not use_vetoes(tx, tx.rules, data.who, means)


def _asks_targets(tx: Transaction, means: Feature) -> bool:
    return _takes_targets(tx, means) and not is_placed(tx, means)


def _takes_targets(tx: Transaction, means: Feature) -> bool:
    listed = listed_spell(tx.rules, means)
    is_chosen = means.is_spell and (means.targets or (listed is not None and listed.counteracts))
    return is_attack(means) or (bool(affecting(means) or is_chosen) and not (listed is not None and listed.waits))


def _known_targets(tx: Transaction, data: FeatureSteps, means: Feature) -> tuple[str, ...]:
    """Return the targets that are already known and possible: one for an attack, and those chosen for the only step."""
    own = feature_of(tx, data.who, data.feature)
    if means.range == SELF or (means.is_spell and own is not None and own.range == SELF):
        return (data.who,)
    is_chosen = own is not None and not own.trigger and len(steps_of(own)) == 1
    if (len(data.targets) != 1 and not _sweeps(tx, data)) if is_attack(means) else means.area and not is_chosen:
        return ()  # others may be in the area, too
    return tuple(target.id for target in _possible_targets(tx, data, means) if target.id in data.targets)


def _is_possible(tx: Transaction, who: str, means: Feature, target: Combatant) -> bool:
    listed = listed_spell(tx.rules, means) if target.dead else None
    for_dead = listed is not None and (listed.revives > 0 or "target.dead" in listed.when)
    return target.dead is for_dead and (is_attack(means) or not requirement_vetoes(tx, tx.rules, who, means, target.id))


def _is_beside(tx: Transaction, data: FeatureSteps, other: Combatant) -> bool:
    near = tx.rules.data.places.near
    beside = (geometry.is_within(tx, tx.rules, target, other.id, near) is not False for target in data.targets)
    return other.id not in data.targets and all(beside)


def _sweeps(tx: Transaction, data: FeatureSteps) -> bool:
    """Return whether the attack of a feature can strike every target in its area."""
    own = feature_of(tx, data.who, data.feature)
    return own is not None and bool(own.area) and (not own.damage or own.does[0].carries)


def _possible_targets(tx: Transaction, data: FeatureSteps, means: Feature) -> list[Combatant]:
    """Return the possible targets of an attack. A feature without an attack roll can have any target.

    A feature that heals, or a harmless spell, can target its owner; its owner's allies come first.
    """
    living = [target for target in tx.all(Combatant) if _is_possible(tx, data.who, means, target)]
    is_kind = (means.is_spell or means.heals) and not (is_attack(means) or means.save or means.damage)
    if is_kind:
        living.sort(key=lambda target: geometry.are_hostile(tx, data.who, target.id))
        return living
    others = [combatant for combatant in living if combatant.id not in (data.who, *data.struck)]
    if not is_attack(means):
        far = triggered_features.out_of_range_vetoes
        return [each for each in others if not far(tx, tx.rules, data.who, means, each.id)]
    attacks = ((target, AttackInProgress(data.who, means, target.id)) for target in others)
    return [target for target, attack in attacks if not target_vetoes(tx, tx.rules, attack)]


def _use(
    tx: Transaction, parent: str, data: FeatureSteps, means: Feature, targets: tuple[str, ...], step: FeatureStep
) -> None:
    """Begin an attack (with the step's bonus to its roll) or a feature. It costs only its own use."""
    who = data.who
    spend_use(tx, who, use_key(means), means.name)
    if means.concentration:
        concentrate(tx, who, means.name)
    if is_attack(means):
        own = _feature_of(tx, data)
        rule = feature_rule(tx, tx.rules, who, own) if own is not None else ""
        modifiers = (Modifier(step.bonus, own.name, rule),) if step.bonus and own is not None else ()
        for target in reversed(targets if _sweeps(tx, data) else targets[:1]):
            purpose = "off-hand" if step.cleaves else ""
            attack = AttackInProgress(who, means, target, purpose=purpose, modifiers=modifiers, together=step.together)
            parent = begin(tx, ATTACK.declare, attack, parent).id
        return
    if means.is_spell or _takes_targets(tx, means) or is_placed(tx, means):
        targets = targets_of(who, means, targets)
        effect = SaveEffect((who,), means, targets, first_save(means), means.dc, means.half, origin=data.origin)
        begin(tx, SAVE_EFFECT.ask_place, effect, parent)
        return
    tx.emit(FeatureUsed(who=(who,), feature=means.name, rule=feature_rule(tx, tx.rules, who, means)))
    if steps_of(means):
        inner = FeatureSteps(who, means.id, data.targets, within=(*data.within, data.feature), origin=data.origin)
        begin(tx, FEATURE_STEPS.next_step, inner, parent)


# Moves -------------------------------------------------------------------------------------------------------------


def _begin_move(tx: Transaction, procedure: Procedure, data: FeatureSteps, way: Way) -> Procedure:
    """Grant a combatant part of its speed, apart from its turn's movement, until the user confirms the move."""
    mode = way.step.mode or WALK
    most = tx.rules.allowance(tx, tx.rules, data.who, mode)
    if most is None or not most.total:
        tx.emit(Skipped(purpose="ask.feature_step", who=data.who, detail=f"<speed.{mode}>"))
        return _after(tx, procedure)
    shares = {"half": tx.rules.half(tx, most.total), "double": 2 * most.total}
    share = shares.get(way.step.move, most.total)
    feet = (way.step.feet or share) + way.step.bonus
    payer = movement_payer(tx, data.who)
    deduct_movement(tx, data.who, way.step.value)
    before = track_value(tx, payer, MOVED)
    feature = _feature_of(tx, data)
    rules = tuple(rule for rule in feature.rules if rule.kind == "unprovoking") if feature is not None else ()
    leave = Effect(tx.next_id("effect"), data.who, READIED_MOVE, ends=Duration("turn"), shown=False, rules=rules)
    put_effect(tx, leave)
    bought = stride_action(tx.rules, mode)
    if bought is not None:
        remember_stride(tx, payer, bought.id, Stride(feet), most.total)
    else:
        tx.put(Track(track_id(payer, MOVED), payer, MOVED, max(0, most.total - feet)))
    question = choice_ask(MOVE, "ask.feature_move", (Option(DONE, "option.done_moving"),), data.who, str(feet))
    ask(tx, procedure, "prompt.feature_move", [question], subject=label_of(tx, data.who))
    return goto(procedure, FEATURE_STEPS.end_move, moved=before, leave=leave.id)


def _teleport(tx: Transaction, procedure: Procedure, together: tuple[str, ...], feet: int) -> Procedure:
    """Report that combatants teleport. On a map, wait until they are placed; without one, their relations are unknown."""
    for who in together:
        tx.emit(Teleports(who=who, feet=feet, rule=tx.rule_id("opportunity.teleport")))
        if not is_on_map(tx, who):
            end_movement_limited_effects(tx, who)
            forget_positions(tx, who)
    if is_on_map(tx, together[0]):
        done = (Option(DONE, "option.done_moving"),)
        question = choice_ask(MOVE, "ask.feature_teleport", done, together[0], str(feet))
        ask(tx, procedure, "prompt.feature_teleport", [question], subject=combatant_names(tx, together))
    here = tx.need(Combatant, together[0]).position
    return _after(tx, goto(procedure, FEATURE_STEPS.next_step, leap=(feet, here) if here else None))


def end_move(tx: Transaction, procedure: Procedure, data: FeatureSteps, answers: Answers) -> Next:
    """End the move, and restore the movement of the combatant's turn."""
    tx.discard(Effect, data.leave)
    if tx.get(Combatant, data.who) is not None:
        payer = movement_payer(tx, data.who)
        tx.discard(Effect, stride_id(payer))
        tx.put(Track(track_id(payer, MOVED), payer, MOVED, data.moved))
    return _after(tx, goto(procedure, FEATURE_STEPS.end_move, moved=0, leave=""))
