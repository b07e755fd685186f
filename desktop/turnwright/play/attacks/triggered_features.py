"""Features triggered by an event: one prompt offers them all, then they are paid for and used one after another."""

from collections.abc import Iterable

import msgspec

from turnwright.dice.expression import Modifier, RollSpec
from turnwright.encounter.prepared import Deflection, Feature
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import FEATURE_STEPS, FeatureSteps
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Option, choice_ask
from turnwright.encounter.procedure_state.attacks import (
    ATTACK,
    CRITICAL,
    FEATURE_TRIGGER,
    FUMBLE,
    HIT,
    MISS,
    SAVE_EFFECT,
    AttackInProgress,
    FeatureTrigger,
    SaveEffect,
    TriggeredFeature,
)
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.encounter.state import clock_of
from turnwright.play.asking.checks import result_of
from turnwright.play.attacks.attack_request import FeatureReminded, FeatureUsed, shortened
from turnwright.play.attacks.counteract import CASTING, casting_of, counter, is_countered
from turnwright.play.attacks.group_attack import switch_off
from turnwright.play.attacks.save_effect import inflict, leave_effect, save_ask
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choices_of, data_of, goto, withdraw_asks
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import PASS, accepted_reactions, deduct, deduct_pools, spend_use, use_vetoes
from turnwright.play.state.effect_records import consume_effects, end_effect, put_condition
from turnwright.play.state.events import Skipped
from turnwright.play.state.hit_points import EACH_TYPE, HALF, restore_hit_points
from turnwright.play.state.position_changes import keep_near
from turnwright.play.table.game_master import DiceRolled
from turnwright.rules.parts.actions.action_options import feature_of, feature_rule
from turnwright.rules.parts.actions.spell_features import SELF, listed_spell
from turnwright.rules.parts.actions.triggered_features import (
    NEAR_SKIPPED,
    PASSES_ON,
    SPARED,
    affecting,
    armor_class_of,
    bonus_type_of,
    concerns,
    does_something,
    doubled,
    follows,
    heals_in_area,
    hinders,
    hurts,
    skip_id,
    slot_damage,
    strangers_to,
    usable_slots,
    without_carried,
)
from turnwright.rules.parts.attacks.attack_rolls import attack_tags, outcome_of
from turnwright.rules.parts.attacks.attack_targeting import RANGED, target_armor_class
from turnwright.rules.parts.combatants.facts import LEFT, OF_OTHERS, cannot_act
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.movement.move_legs import melee_attacks
from turnwright.rules.parts.positions import geometry
from turnwright.rules.system import HookContext, creature_of, label_of
from turnwright.rules.system_data.numbers import Spell
from turnwright.rules.system_data.references import damage_types_in

TRAIT = "trait"
IF_DAMAGED = "if-damaged"  # property: a hit that deals no damage doesn't trigger it
TARGETS, HEAL, SAVE, LESS = "targets", "heal", "save", "less"  # ids of the asks about the current feature
NEVER = "never"
REMINDED = "reminded"  # mark: the feature in `source` was shown as a reminder this round
TITLES = {
    "attacked": "prompt.feature_attacked",
    "damage": "prompt.feature_damage",
    "dropping": "prompt.feature_dropping",
    "enemy-acts": "prompt.feature_enemy_acts",
}
CATCHES = "catches"  # property: its steps have another target, and follow only if no damage is left
LONGEST_REMINDER, LONGEST_OPTION = 400, 40  # in characters; a button has room for one line
AROUND = ("turn-start", "turn-end", "hurt", "bloodied", "dies")  # triggers that affect all creatures within its range


def ask_use(tx: Transaction, procedure: Procedure, data: FeatureTrigger, answers: Answers) -> Next:
    """Ask in one prompt about the features that cost something or whose condition is unknown.

    If it is unknown which enemies are near enough to the features' owners, ask about all of those first.
    """
    usable = [triggered for triggered in data.waiting if _usable(tx, procedure, triggered) is not None]
    if data.moment in OF_OTHERS:
        asks = _near_asks(tx, usable)
        if asks and not answers:
            ask(tx, procedure, "prompt.feature_near", asks, subject=label_of(tx, asks[0].who))
            return goto(procedure, FEATURE_TRIGGER.ask_use, waiting=tuple(usable))
        _keep_near(tx, asks, answers)
        usable = [triggered for triggered in usable if _is_near(tx, triggered)]
    for triggered in usable:
        if triggered.reminds:
            _remind(tx, triggered)
    waiting = tuple(triggered for triggered in usable if not triggered.reminds)
    if not waiting:
        return None
    asks = [_use_ask(tx, triggered) for triggered in waiting if triggered.asks]
    about = next((triggered.other for triggered in waiting if triggered.asks and triggered.other), "") or waiting[0].who
    about = waiting[0].who if data.moment == "dropping" else about
    title, subject = TITLES.get(data.moment, "prompt.feature_moment"), label_of(tx, about)
    caster, spell, _ = casting_of(tx.get(Procedure, procedure.parent))
    if data.moment == "enemy-acts" and caster == about and all(_counters(tx, each) for each in waiting):
        title, subject = "prompt.counter", f"{subject}: {spell}"
    ask(tx, procedure, title, asks, subject=subject)
    return goto(procedure, FEATURE_TRIGGER.use_next, waiting=waiting)


def _counters(tx: Transaction, triggered: TriggeredFeature) -> bool:
    feature = feature_of(tx, triggered.who, triggered.feature)
    listed = listed_spell(tx.rules, feature) if feature is not None else None
    return listed is not None and listed.counteracts == CASTING


def _near_asks(tx: Transaction, waiting: Iterable[TriggeredFeature]) -> list[Ask]:
    """Return asks about unknown distances: which combatants are near enough to a feature's owner."""
    asks = []
    for triggered in waiting:
        feature = feature_of(tx, triggered.who, triggered.feature)
        if feature is None or not feature.within or triggered.reminds:
            continue
        if geometry.is_within(tx, tx.rules, triggered.who, triggered.other, feature.within) is not None:
            continue
        who, name, rule = triggered.who, feature.name, feature_rule(tx, tx.rules, triggered.who, feature)
        strangers = strangers_to(tx, tx.rules, who, feature.within)
        if triggered.other in strangers:
            options = tuple(Option(other, label_of(tx, other)) for other in strangers)
            asks.append(Ask(_key(triggered), "targets", "ask.feature_targets", who, name, options=options, rule=rule))
    return asks


def _keep_near(tx: Transaction, asks: Iterable[Ask], answers: Answers) -> None:
    """Store which combatants are near enough to each feature's owner, or that the ask was skipped."""
    for near_ask in asks:
        feature = feature_of(tx, near_ask.who, near_ask.id.removeprefix(f"{near_ask.who} "))
        if near_ask.id not in answers or feature is None:
            continue
        if answers[near_ask.id].skipped:
            ends, now = Duration("encounter"), clock_of(tx).round
            id = skip_id(near_ask.who, feature.id)
            tx.put(Effect(id, near_ask.who, NEAR_SKIPPED, feature.id, ends=ends, shown=False, since_round=now))
        else:
            near = choices_of(answers, near_ask.id)
            keep_near(tx, near_ask.who, feature.within, {option.id: option.id in near for option in near_ask.options})


def _is_near(tx: Transaction, triggered: TriggeredFeature) -> bool:
    feature = feature_of(tx, triggered.who, triggered.feature)
    feet = feature.within if feature is not None else 0
    near = not feet or geometry.is_within(tx, tx.rules, triggered.who, triggered.other, feet)
    return near or (near is None and triggered.reminds)


def _remind(tx: Transaction, triggered: TriggeredFeature) -> None:
    """Remind the game master of a triggered feature, once a round per stat block."""
    feature, now = feature_of(tx, triggered.who, triggered.feature), clock_of(tx).round
    id = f"{REMINDED}-{tx.need(Combatant, triggered.who).creature}-{triggered.feature}"
    mark = tx.get(Effect, id)
    if feature is None or (mark is not None and mark.since_round == now):
        return
    ends = Duration("encounter")
    tx.put(Effect(id, triggered.who, REMINDED, triggered.feature, ends=ends, shown=False, since_round=now))
    text, rule = shortened(feature.rules_text, LONGEST_REMINDER), feature_rule(tx, tx.rules, triggered.who, feature)
    left = tx.get(Effect, feature.id.removeprefix(LEFT))
    rows = left.leaves.deflects_on if left is not None and left.leaves is not None else ()
    row = _rolled_row(tx, left, rows) if left is not None and rows else None
    tx.emit(FeatureReminded(who=triggered.who, feature=feature.name, text=text, rule=rule))
    if row is not None and row.effect:
        means = msgspec.structs.replace(feature, effect=row.effect, until="turn")
        leave_effect(tx, means, triggered.who, triggered.who, rule)


def _use_ask(tx: Transaction, triggered: TriggeredFeature) -> Ask:
    feature = feature_of(tx, triggered.who, triggered.feature)
    assert feature is not None
    rule = feature_rule(tx, tx.rules, triggered.who, feature)
    ways = [Option(feature.id, feature.name, shortened(feature.rules_text, LONGEST_OPTION))]
    if feature.by_slot:
        levels = usable_slots(tx, triggered.who, feature)
        damage = {level: slot_damage(tx, tx.rules, triggered, feature, level) for level in levels}
        ways = [Option(str(level), f"{feature.name} {level}", damage[level]) for level in levels]
    if _chooses_attack(feature):
        weapons = melee_attacks(tx, tx.rules, triggered.who)
        ways = [Option(weapon.id, weapon.name) for weapon in weapons]
    if feature.level and _counters(tx, triggered) and (levels := usable_slots(tx, triggered.who, feature)):
        ways = [Option(str(level), f"{feature.name} {level}") for level in levels]
    options = (*ways, Option(PASS, "option.pass"), Option(NEVER, "option.never_again"))
    label = "ask.reaction" if feature.cost == "reaction" else "ask.feature_moment"
    return choice_ask(_key(triggered), label, options, triggered.who, feature.name, suggested=PASS, rule=rule)


def _chooses_attack(feature: Feature) -> bool:
    """Return whether a feature lets its owner attack with any melee weapon."""
    return feature.trigger == "enemy-acts" and not does_something(feature) and feature.attack is None


def _key(triggered: TriggeredFeature) -> str:
    return f"{triggered.who} {triggered.feature}"


def _usable(tx: Transaction, procedure: Procedure, triggered: TriggeredFeature) -> Feature | None:
    """Return a triggered feature if it still has a purpose, and its owner can pay for it. Otherwise return None."""
    feature = feature_of(tx, triggered.who, triggered.feature)
    if feature is None:
        return None
    takes_slot = bool(feature.by_slot or (feature.level and _counters(tx, triggered)))
    if takes_slot and not usable_slots(tx, triggered.who, feature):
        return None
    if not takes_slot and use_vetoes(tx, tx.rules, triggered.who, feature):
        return None
    if _is_pointless(tx, procedure, triggered, feature):
        return None
    if feature.cost == TRAIT:
        return feature
    price = limited_uses.known_cost(tx, triggered.who, feature.id, feature.price) or 0
    if limited_uses.pool_vetoes(tx, tx.rules, triggered.who, feature.id, feature.spends):
        return None
    is_limited = limited_uses.is_limited(tx.rules, feature.cost)
    if is_limited and limited_uses.spending_vetoes(tx, tx.rules, triggered.who, feature.cost, price):
        return None
    return None if cannot_act(tx, triggered.who) and feature.trigger != "dropping" else feature


def _is_pointless(tx: Transaction, procedure: Procedure, triggered: TriggeredFeature, feature: Feature) -> bool:
    """Return whether an earlier reaction to the same event has already achieved what a feature is for."""
    if feature.trigger == "enemy-acts" or _counters(tx, triggered):
        other, casting = tx.get(Combatant, triggered.other), tx.get(Procedure, procedure.parent)
        is_near = follows(tx, triggered) and geometry.in_reach(tx, tx.rules, triggered.who, triggered.other)
        return other is None or other.dead or bool(is_near) or (casting is not None and is_countered(casting))
    if feature.trigger == "dropping":
        return tx.need(Combatant, triggered.who).hp > 0
    if IF_DAMAGED in feature.properties:
        return not data_of(procedure, FeatureTrigger).amount
    attack = tx.get(Procedure, procedure.parent)
    if feature.trigger != "attacked" or attack is None or not isinstance(attack.data, AttackInProgress):
        return False
    if attack.data.hindered and hinders(feature):
        return True
    return bool(attack.data.guards) and _is_missed(tx, attack.data)


def _is_missed(tx: Transaction, attack: AttackInProgress) -> bool:
    """Return whether an attack misses the AC of its target, with the bonuses from reactions to it."""
    roll, defence = attack.roll, target_armor_class(tx, tx.rules, attack)
    return bool(roll and defence and outcome_of(tx.rules, roll, defence.total, False) in (MISS, FUMBLE))


def use_next(tx: Transaction, procedure: Procedure, data: FeatureTrigger, answers: Answers) -> Next:
    """Use the next feature that wasn't declined, once its targets, dice and save are known."""
    choices = dict(accepted_reactions(answers))
    for triggered in data.waiting:
        if choices.get(_key(triggered)) == NEVER:
            del choices[_key(triggered)]
            if (feature := feature_of(tx, triggered.who, triggered.feature)) is not None:
                switch_off(tx, triggered.who, feature)
    declined = {key for key in answers if key not in choices}
    waiting = [
        msgspec.structs.replace(triggered, attack=choices.get(_key(triggered), triggered.attack))
        for triggered in data.waiting
        if _key(triggered) not in declined
    ]
    if data.moment == "enemy-acts" and not answers and waiting and cannot_act(tx, waiting[0].other):
        return goto(procedure, FEATURE_TRIGGER.ask_use, waiting=tuple(waiting))  # an earlier reaction has felled it
    while waiting:
        triggered = waiting[0]
        feature = _usable(tx, procedure, triggered)
        if feature is not None:
            asks = _open_asks(tx, data, triggered, feature, answers)
            data = msgspec.structs.replace(data, waiting=tuple(waiting))
            if asks:
                ask(tx, procedure, "prompt.feature_moment", asks, subject=label_of(tx, triggered.who))
                return goto(procedure, FEATURE_TRIGGER.use_next, data)
            _use(tx, procedure, data.amount, triggered, feature, answers)
            return goto(procedure, FEATURE_TRIGGER.use_next, data, waiting=tuple(waiting[1:]))
        del waiting[0]
    return None


def _open_asks(
    tx: Transaction, data: FeatureTrigger, triggered: TriggeredFeature, feature: Feature, answers: Answers
) -> list[Ask]:
    """Return the open asks about a feature: its targets, the healing, its owner's save."""
    who, name, asks = triggered.who, feature.name, []
    rule = feature_rule(tx, tx.rules, who, feature)
    if TARGETS not in answers and _is_around(feature) and (unknown := _unknown_targets(tx, triggered, feature)):
        options = tuple(Option(other, label_of(tx, other)) for other in unknown)
        label = "ask.feature_slayer" if _affects_slayer(feature) else "ask.feature_targets"
        asks.append(Ask(TARGETS, "targets", label, who, name, options=options, rule=rule))
    if HEAL not in answers and feature.heals and not heals_in_area(feature):
        asks.append(Ask(HEAL, "roll", "ask.feature_heals", who, name, RollSpec(feature.heals), rule=rule))
    if LESS not in answers and feature.trigger == "damage" and feature.reduces not in ("", HALF):
        asks.append(Ask(LESS, "roll", "ask.feature_lessens", who, name, RollSpec(feature.reduces), rule=rule))
    if SAVE not in answers and feature.save and feature.trigger == "dropping":
        asks.append(save_ask(tx, feature.save, _dc(data.amount, feature), who, "", rule))
    return asks


def _is_around(feature: Feature) -> bool:
    return feature.trigger in AROUND if feature.within else _affects_slayer(feature)


def _affects_slayer(feature: Feature) -> bool:
    """Return whether the save of a feature is that of whoever killed its owner."""
    return feature.trigger == "dies" and not feature.within and bool(feature.save)


def _unknown_targets(tx: Transaction, triggered: TriggeredFeature, feature: Feature) -> list[str]:
    """Return the other living combatants whose distance from a feature's owner is unknown."""
    chosen = (None, True) if _heals_others(feature) else (None,)  # not all of them may be of its kind
    return [who for who, near in _distances(tx, triggered, feature) if near in chosen]


def _heals_others(feature: Feature) -> bool:
    return feature.trigger == "dies" and bool(feature.heals)


def _distances(tx: Transaction, triggered: TriggeredFeature, feature: Feature) -> list[tuple[str, bool | None]]:
    """Return all other living combatants, each with whether it is within the feature's range (None: unknown)."""
    feet = feature.within
    return [
        (other.id, geometry.is_within(tx, tx.rules, triggered.who, other.id, feet) if feet else None)
        for other in tx.all(Combatant)
        if other.id != triggered.who and not other.dead
        if concerns(tx, tx.rules, triggered.who, feature, other.id) is not False
    ]


def _dc(amount: int, feature: Feature) -> int:
    return feature.dc + (amount if feature.dc_adds else 0)


def _use(
    tx: Transaction, procedure: Procedure, amount: int, triggered: TriggeredFeature, feature: Feature, answers: Answers
) -> None:
    """Pay for a feature and apply its effects."""
    who, rule = triggered.who, feature_rule(tx, tx.rules, triggered.who, feature)
    listed, feature = listed_spell(tx.rules, feature), doubled(feature, triggered.critical)
    if listed is not None and listed.counteracts == CASTING:
        _counter(tx, procedure, triggered, feature, listed)
        return
    level = int(triggered.attack) if feature.by_slot else None
    _pay(tx, who, feature, level)
    if level is not None:
        feature = msgspec.structs.replace(feature, damage=slot_damage(tx, tx.rules, triggered, feature, level))
    if feature.trigger == "dropping" and not feature.does:
        _survive(tx, procedure, amount, triggered, feature, answers)
        return
    if feature.trigger in ("attacked", "damage"):
        _shield(tx, procedure, amount, triggered, feature, answers)
        return
    if feature.heals and not heals_in_area(feature):
        for healed in choices_of(answers, TARGETS) if _heals_others(feature) else (who,):
            _heal(tx, healed, feature, answers.get(HEAL), rule)
    weapon = feature if feature.attack is not None else None
    if _chooses_attack(feature):
        weapon = next((melee for melee in melee_attacks(tx, tx.rules, who) if melee.id == triggered.attack), None)
    if weapon is not None and tx.get(Combatant, triggered.other) is not None:
        if weapon is not feature:
            tx.emit(FeatureUsed(who=(who,), feature=feature.name, targets=(triggered.other,), rule=rule))
        attack = AttackInProgress(who, weapon, triggered.other, purpose="opportunity", tags=("opportunity",))
        begin(tx, ATTACK.declare, attack, procedure.id)
        return
    targets: tuple[str, ...] = (triggered.other,) if triggered.other and feature.range != SELF else ()
    if _is_around(feature):
        near = _distances(tx, triggered, feature)
        selected = choices_of(answers, TARGETS)
        targets = (*(other for other, within in near if within and other not in selected), *selected)
        if feature.within and TARGETS in answers and not (answers[TARGETS].skipped or _heals_others(feature)):
            unknown = {other: other in selected for other, within in near if within is None}
            keep_near(tx, who, feature.within, unknown)
    _use_on(tx, procedure.id, amount, triggered, feature, targets)


def _use_on(
    tx: Transaction, parent: str, amount: int, triggered: TriggeredFeature, feature: Feature, targets: tuple[str, ...]
) -> None:
    """Begin the steps, damage, saves and effects of a feature that was paid for, on its targets or its owner."""
    who, rule = triggered.who, feature_rule(tx, tx.rules, triggered.who, feature)
    left = tx.get(Effect, feature.id.removeprefix(LEFT)) if feature.id.startswith(LEFT) else None
    if left is not None and left.leaves is not None and left.leaves.shares:
        who, targets = left.by, (left.by,)
        feature = msgspec.structs.replace(feature, damage=str(amount))
    if left is not None and left.concentrator and feature.save and feature.afflictions:
        who, targets = left.concentrator, targets or (who,)
        feature = msgspec.structs.replace(feature, concentration=True)
    if PASSES_ON in feature.properties:
        holding = (tx.role("grappled"), tx.role("clung-to"))
        targets = tuple(each.target for each in tx.all(Effect) if each.by == who and each.name in holding)
        feature = msgspec.structs.replace(feature, damage=str(amount))
    if left is not None and left.leaves is not None and left.leaves.deflects_on and not _deflects(tx, left):
        return
    feature = without_carried(feature)
    leaves = feature.effect or feature.temp or feature.leaves
    is_kept = leaves or feature.id.startswith(LEFT)
    if (is_kept and not targets) or (feature.range == SELF and (is_kept or feature.save or not targets)):
        targets = (who,)
    affects = affecting(feature) or leaves
    if feature.does and not affects:  # otherwise its steps follow its effects
        if all(step.ends or step.move or (step.use and feature.cost == TRAIT) for step in feature.does):
            # no other line would name the feature
            tx.emit(FeatureUsed(who=(who,), feature=feature.name, rule=rule))
        begin(tx, FEATURE_STEPS.next_step, FeatureSteps(who, feature.id, targets), parent)
    if hurts(feature) and feature.temp:  # its owner gains the temporary hit points, the other combatant the rest
        own = Feature(feature.id, feature.name, feature.cost, temp=feature.temp)
        begin(tx, SAVE_EFFECT.ask_missing, SaveEffect((who,), own, (who,)), parent)
        feature = msgspec.structs.replace(feature, temp="")
    if affects:
        effect = SaveEffect((who,), feature, targets, feature.save, _dc(amount, feature), feature.half)
        begin(tx, SAVE_EFFECT.ask_missing, effect, parent)
    elif not (feature.heals or feature.does):
        tx.emit(FeatureUsed(who=(who,), feature=feature.name, targets=targets, rule=rule))


def _counter(
    tx: Transaction, procedure: Procedure, triggered: TriggeredFeature, feature: Feature, listed: Spell
) -> None:
    """Pay for a spell that counters another at the chosen level, and begin to counter."""
    level = int(triggered.attack) if triggered.attack.isdecimal() else feature.level or listed.level or 0
    _pay(tx, triggered.who, feature, level if feature.level else None)
    rule = listed.rule()
    tx.emit(FeatureUsed(who=(triggered.who,), feature=feature.name, targets=(triggered.other,), rule=rule))
    casting = tx.get(Procedure, procedure.parent)
    if casting is not None:
        counter(tx, casting, listed, triggered.who, level, feature.name)


def _shield(
    tx: Transaction, procedure: Procedure, amount: int, triggered: TriggeredFeature, feature: Feature, answers: Answers
) -> None:
    """Apply a feature's defence to the attack: a bonus to AC, a second roll, or less damage."""
    attack, rule = tx.get(Procedure, procedure.parent), feature_rule(tx, tx.rules, triggered.who, feature)
    tx.emit(FeatureUsed(who=(triggered.who,), feature=feature.name, rule=rule))
    kinds = (AttackInProgress, SaveEffect) if feature.trigger == "damage" else (AttackInProgress,)
    if attack is None or not isinstance(attack.data, kinds):
        leave_effect(tx, feature, triggered.who, triggered.who, rule)
        return
    changed, left, catches = attack.data, amount, CATCHES in feature.properties
    held = tx.get(Effect, feature.id.removeprefix(LEFT))
    is_lucky = _passes_flat_check(tx, feature)
    if isinstance(changed, AttackInProgress) and feature.trigger == "attacked":
        if feature.effect:  # it counts against this attack too
            leave_effect(tx, feature, changed.target, triggered.who, rule)
        elif ac_bonus := armor_class_of(feature):
            guard = Modifier(ac_bonus, feature.name, rule, bonus_type_of(feature))
            changed = msgspec.structs.replace(changed, guards=(*changed.guards, guard))
        if hinders(feature):
            changed = msgspec.structs.replace(changed, hindered=feature.name)
        if not is_lucky or (held is not None and _deflects(tx, held)):
            is_softer = changed.outcome == CRITICAL and _is_degraded(tx, held)
            changed = msgspec.structs.replace(changed, outcome=HIT if is_softer else MISS, critical=False)
            consume_effects(tx, (held.id,) if held is not None else ())
    elif feature.reduces and is_lucky:
        rolled = answers[LESS].roll if LESS in answers else None
        less = HALF if feature.reduces == HALF else str((rolled.total if rolled is not None else 0) or 0)
        less = EACH_TYPE * (EACH_TYPE in feature.properties) + less
        own = (feature.name, less, rule)
        reduction = own if isinstance(changed, AttackInProgress) else (data_of(procedure, FeatureTrigger).guarded, own)
        changed = msgspec.structs.replace(changed, lessened=(*changed.lessened, reduction))
        left -= int(less) if less.isdecimal() else 0
        if limited_uses.SHIELD in feature.properties:
            _damage_shield(tx, triggered.who, feature, left, rule)
        if held is not None and not feature.damage:
            end_effect(tx, held)
            over = Duration("encounter")  # some spells then have no more effect on this target
            tx.put(Effect(tx.next_id("effect"), held.target, SPARED, held.name, ends=over, by=held.by, shown=False))
    tx.update(attack, data=changed)
    missed = isinstance(changed, AttackInProgress) and _is_missed(tx, changed)
    answers_miss = feature.damage and (feature.trigger == "damage" or missed)
    # the effect of a guard stays with its owner
    harm = msgspec.structs.replace(feature, effect=(), lasts="") if feature.trigger == "attacked" else feature
    if triggered.other and (answers_miss or (feature.save and held is not None)):
        harm = msgspec.structs.replace(harm, does=())
        effect = SaveEffect((triggered.who,), harm, (triggered.other,), harm.save, _dc(amount, harm), harm.half)
        begin(tx, SAVE_EFFECT.ask_missing, effect, procedure.id)
    elif triggered.other:
        inflict(tx, harm, (triggered.other,), triggered.who, rule, procedure.id)
    if feature.does and not (catches and left > 0):
        targets = () if catches else (triggered.other,)
        if catches and isinstance(changed, AttackInProgress):
            _mark_caught(tx, triggered.who, changed)
        begin(tx, FEATURE_STEPS.next_step, FeatureSteps(triggered.who, feature.id, targets), procedure.id)


def _mark_caught(tx: Transaction, who: str, attack: AttackInProgress) -> None:
    """Note what kind of attack a combatant has caught, for the features that send it on."""
    ways, ends = {RANGED}.intersection(attack_tags(tx, tx.rules, attack)), Duration("turn-start", who)
    for word in (*damage_types_in(attack.weapon.damage), *ways):
        tx.put(Effect(tx.next_id("effect"), who, CATCHES, f"caught {word}", ends=ends, shown=False))


def _passes_flat_check(tx: Transaction, feature: Feature) -> bool:
    """Roll the flat check of a feature, if it has one: the attacker's to hit, or its owner's to take less damage."""
    dc = next((rule.set for rule in feature.rules if rule.kind == "flat" and rule.set), 0)
    luck = tx.roll_now(RollSpec("1d20")) if dc else None
    if luck is not None:
        tx.emit(DiceRolled(dice="1d20", roll=luck, purpose=f"{feature.name}, {dc}"))
        return (luck.total or 0) >= dc
    return all(rule.kind != "fail" for rule in feature.rules)


def _deflects(tx: Transaction, held: Effect) -> int:
    """Roll whether an effect such as an illusory double takes the hit or acts, if dice decide it. Return the roll, or 0."""
    left = held.leaves
    if left is None or not left.deflects_on:
        return left is not None and left.deflects
    return _rolled_row(tx, held, left.deflects_on) is not None


def strike_doubles(tx: Transaction, attack: AttackInProgress) -> None:
    """Roll whether an attack that misses its target strikes an illusory double of it, whose own AC it reaches.

    In games with degrees of success, such a miss always strikes one.
    """
    total = (attack.roll.total if attack.roll else None) or 0
    about = HookContext(attack.target, "attack-against", other=attack.attacker)
    for held, left in [(each, each.leaves) for each in tx.of(Effect, attack.target) if each.leaves]:
        own = tx.rules.modifier_of(creature_of(tx, tx.need(Combatant, held.target)), left.double_by)
        is_seen = left.double_ac > 0 and evaluate(tx, tx.rules, held.target, left.when, about)
        if _is_degraded(tx, held) or (is_seen and total >= left.double_ac + own and _deflects(tx, held)):
            consume_effects(tx, (held.id,))


def _is_degraded(tx: Transaction, held: Effect | None) -> bool:
    """Return whether an illusory double only takes a degree of success from attacks that strike it."""
    return bool(held and held.leaves and held.leaves.deflects_on and tx.rules.data.checks.degrees)


def _rolled_row(tx: Transaction, held: Effect, rows: tuple[Deflection, ...]) -> Deflection | None:
    """Roll for the last row that is reached: of all, or for an effect with uses, of the one for those left."""
    rows = rows[min(held.uses_left, len(rows)) - 1 :][:1] if held.uses_left else rows
    if (luck := tx.roll_now(RollSpec(rows[0].dice))) is None:
        return rows[-1]
    tx.emit(DiceRolled(dice=rows[0].dice, roll=luck, purpose=held.name))
    return next((row for row in reversed(rows) if (luck.total or 0) >= row.least), None)


def _damage_shield(tx: Transaction, who: str, feature: Feature, amount: int, rule: str) -> None:
    """Deduct damage from the hit points of a shield. At half of them it breaks."""
    key = limited_uses.use_key(feature)
    spend_use(tx, who, key, feature.name, max(0, amount))
    if feature.after and limited_uses.remaining_uses(tx, who, key) * 2 <= limited_uses.maximum_uses(tx, who, key):
        put_condition(tx, who, feature.after, source=feature.name, rule=rule)


def _pay(tx: Transaction, who: str, feature: Feature, level: int | None = None) -> None:
    """Pay a feature's cost, which has already been checked. `level` is that of the spell slot, if it costs one."""
    if feature.cost != TRAIT:
        deduct(tx, who, feature.cost, limited_uses.known_cost(tx, who, feature.id, feature.price) or 0)
        if feature.cost == "reaction" and limited_uses.spending_vetoes(tx, tx.rules, who, feature.cost):
            withdraw_asks(tx, lambda ask: ask.label == "ask.reaction" and ask.who == who)
        deduct_pools(tx, who, feature.id, feature.spends)
    spend_use(tx, who, limited_uses.use_key(feature, level), feature.name, limited_uses.uses_per_use(feature))


def _heal(tx: Transaction, who: str, feature: Feature, answer: AskResult | None, rule: str) -> None:
    """Heal a feature's owner by the rolled amount."""
    combatant = tx.get(Combatant, who)
    if answer is None or answer.roll is None or answer.roll.total is None or combatant is None or combatant.dead:
        tx.emit(Skipped(purpose="ask.feature_heals", who=who, detail=feature.name))
    else:
        restore_hit_points(tx, who, answer.roll.total, source=feature.name, rule=rule, by=who)


def _survive(
    tx: Transaction, procedure: Procedure, amount: int, triggered: TriggeredFeature, feature: Feature, answers: Answers
) -> None:
    """If a feature's owner is at 0 hit points and succeeds on the save, restore hit points."""
    who, rule = triggered.who, feature_rule(tx, tx.rules, triggered.who, feature)
    combatant, heal_answer = tx.get(Combatant, who), answers.get(HEAL)
    if combatant is None or combatant.hp > 0:
        return
    save, dc = answers.get(SAVE), _dc(amount, feature)
    saved = save is not None and result_of(tx, save, "ask.save", who, f"<save.{feature.save}>", dc, rule)
    if feature.save and not saved:
        return
    if heal_answer is not None and heal_answer.roll is not None and heal_answer.roll.total is not None:
        restore_hit_points(tx, who, heal_answer.roll.total - combatant.hp, source=feature.name, rule=rule, by=who)
    inflict(tx, feature, (who,), who, rule, procedure.id)
    if feature.does:
        begin(tx, FEATURE_STEPS.next_step, FeatureSteps(who, feature.id, ()), procedure.id)
