"""Features that a moment has triggered: asked about on one card, paid for, and used one after another."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import shorten

import msgspec

from turnwright.dice.roll import Modifier, RollSpec
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import FEATURE_STEPS, FeatureSteps
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Option
from turnwright.encounter.procedure_state.attacks import (
    ATTACK,
    FEATURE_TRIGGER,
    SAVE_EFFECT,
    AttackInProgress,
    FeatureTrigger,
    SaveEffect,
    TriggeredFeature,
)
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.asking.check_result import result_of
from turnwright.play.attacks.events import FeatureReminded, FeatureUsed
from turnwright.play.attacks.feature_switch import switch_off
from turnwright.play.attacks.inflict_conditions import inflict, save_ask
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import deduct, deduct_pools
from turnwright.play.state.events import Skipped
from turnwright.play.state.hit_points import HALF, restore_hit_points
from turnwright.play.state.limited_uses import spend_use, use_vetoes
from turnwright.play.state.position_changes import keep_near
from turnwright.play.state.reactions import PASS, accepted_reactions
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.action_options import feature_of, feature_rule
from turnwright.rules.parts.actions.triggered_features import (
    NEAR_SKIPPED,
    armor_class_of,
    does_something,
    hinders,
    skip_id,
    strangers_to,
)
from turnwright.rules.parts.combatants.incapacitation import cannot_act
from turnwright.rules.parts.economy.limited_uses import use_key
from turnwright.rules.parts.economy.resources import is_limited, known_cost, pool_vetoes, spending_vetoes
from turnwright.rules.parts.movement.opportunity_attacks import melee_attacks
from turnwright.rules.system import RuleSystem, label_of

TRAIT = "trait"
TARGETS, HEAL, SAVE, LESS = "targets", "heal", "save", "less"  # the asks about the feature whose turn it is
NEVER = "never"
REMINDED = "reminded"  # a mark: the feature that is its source has reminded in a round
TITLES = {
    "attacked": "prompt.feature_attacked",
    "damage": "prompt.feature_damage",
    "dropping": "prompt.feature_dropping",
    "foe-acts": "prompt.feature_foe_acts",
}
LONGEST_REMINDER, LONGEST_OPTION = 200, 40  # characters; a button holds one line
OF_OTHERS = ("other-starts", "other-ends")  # moments of whoever is within a feature's distance
AROUND = ("turn-start", "turn-end", "hurt", "bloodied", "dies")  # moments that concern all within a feature's distance


def ask_use(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask on one card about the features that cost something or whose statement is unknown.

    Where nobody knows who is near enough to a feature, that is asked first, of all its owner's foes at once.
    """
    data = data_of(procedure, FeatureTrigger)
    usable = [one for one in data.waiting if _usable(tx, rules, one) is not None]
    if data.moment in OF_OTHERS:
        asks = _near_asks(tx, rules, usable)
        if asks and not answers:
            ask(tx, procedure, "prompt.feature_near", asks, subject=label_of(tx, asks[0].who))
            return goto(procedure, FEATURE_TRIGGER.ask_use, waiting=tuple(usable))
        _keep_near(tx, rules, asks, answers)
        usable = [one for one in usable if _is_near(tx, rules, one)]
    for one in usable:
        if one.reminds:
            _remind(tx, rules, one)
    waiting = tuple(one for one in usable if not one.reminds)
    if not waiting:
        return None
    asks = [_use_ask(tx, rules, one) for one in waiting if one.asks]
    about = next((one.other for one in waiting if one.asks and one.other), "") or waiting[0].who
    about = waiting[0].who if data.moment == "dropping" else about
    ask(tx, procedure, TITLES.get(data.moment, "prompt.feature_moment"), asks, subject=label_of(tx, about))
    return goto(procedure, FEATURE_TRIGGER.use_next, waiting=waiting)


def _near_asks(tx: Transaction, rules: RuleSystem, waiting: Iterable[TriggeredFeature]) -> list[Ask]:
    """Return the asks who is near enough to features whose distance to their other is unknown."""
    asks = []
    for one in waiting:
        feature = feature_of(tx, one.who, one.feature)
        if feature is None or not feature.within or one.reminds:
            continue
        if positions.is_within(tx, rules, one.who, one.other, feature.within) is not None:
            continue
        strangers = strangers_to(tx, rules, one.who, feature.within)
        if one.other in strangers:
            options = tuple(Option(who, label_of(tx, who)) for who in strangers)
            rule = feature_rule(tx, rules, one.who, feature)
            detail = feature.name
            asks.append(Ask(_key(one), "targets", "ask.feature_targets", one.who, detail, options=options, rule=rule))
    return asks


def _keep_near(tx: Transaction, rules: RuleSystem, asks: Iterable[Ask], answers: Answers) -> None:
    """Keep who was said to be near enough to the features that were asked about, and who was not, or what was skipped."""
    for each in asks:
        feature = feature_of(tx, each.who, each.id.removeprefix(f"{each.who} "))
        if each.id not in answers or feature is None:
            continue
        if answers[each.id].skipped:
            ends, now = Duration("encounter"), clock_of(tx).round
            id = skip_id(each.who, feature.id)
            tx.put(Effect(id, each.who, NEAR_SKIPPED, feature.id, ends=ends, shown=False, since_round=now))
        else:
            near = choices_of(answers, each.id)
            keep_near(tx, rules, each.who, feature.within, {one.id: one.id in near for one in each.options})


def _is_near(tx: Transaction, rules: RuleSystem, one: TriggeredFeature) -> bool:
    feature = feature_of(tx, one.who, one.feature)
    feet = feature.within if feature is not None else 0
    near = not feet or positions.is_within(tx, rules, one.who, one.other, feet)
    return near or (near is None and one.reminds)


def _remind(tx: Transaction, rules: RuleSystem, one: TriggeredFeature) -> None:
    """Remind of a feature whose moment has come, once a round for all combatants of the same stat block."""
    owner, feature, now = tx.need(Combatant, one.who), feature_of(tx, one.who, one.feature), clock_of(tx).round
    id = f"{REMINDED}-{owner.creature}-{one.feature}"
    mark = tx.get(Effect, id)
    if feature is None or (mark is not None and mark.since_round == now):
        return
    ends = Duration("encounter")
    tx.put(Effect(id, one.who, REMINDED, one.feature, ends=ends, shown=False, since_round=now))
    text, rule = _cut(feature.text, LONGEST_REMINDER), feature_rule(tx, rules, one.who, feature)
    tx.emit(FeatureReminded(who=one.who, feature=feature.name, text=text, rule=rule))


def _cut(text: str, longest: int) -> str:
    """Return the beginning of a text, which may be much longer than what is looked at."""
    return shorten(text[: 4 * longest], longest, placeholder=" …")


def _use_ask(tx: Transaction, rules: RuleSystem, one: TriggeredFeature) -> Ask:
    feature = feature_of(tx, one.who, one.feature)
    assert feature is not None
    rule = feature_rule(tx, rules, one.who, feature)
    ways: tuple[Option, ...] = (Option(feature.id, feature.name, _cut(feature.text, LONGEST_OPTION)),)
    if _chooses_attack(feature):
        ways = tuple(Option(each.id, each.name or "option.unarmed") for each in melee_attacks(tx, rules, one.who))
    options = (*ways, Option(PASS, "option.pass"), Option(NEVER, "option.never_again"))
    label = "ask.reaction" if feature.cost == "reaction" else "ask.feature_moment"
    return Ask(_key(one), "choice", label, one.who, feature.name, options=options, suggested=(PASS,), rule=rule)


def _chooses_attack(feature: Feature) -> bool:
    """Return whether a feature is an attack of its owner's with any weapon in melee."""
    return feature.trigger == "foe-acts" and not does_something(feature) and feature.attack is None


def _key(one: TriggeredFeature) -> str:
    return f"{one.who} {one.feature}"


def _usable(tx: Transaction, rules: RuleSystem, one: TriggeredFeature) -> Feature | None:
    """Return a triggered feature that can be paid for and has uses left, or None."""
    feature = feature_of(tx, one.who, one.feature)
    if feature is None or use_vetoes(tx, rules, one.who, feature):
        return None
    if feature.cost == TRAIT:
        return feature
    price = known_cost(tx, one.who, feature.id, feature.price) or 0
    vetoes = (
        *pool_vetoes(tx, rules, one.who, feature.id, feature.spends),
        *(spending_vetoes(tx, rules, one.who, feature.cost, price) if is_limited(rules, feature.cost) else ()),
    )
    down = cannot_act(tx, one.who) and feature.trigger != "dropping"
    return None if down or vetoes else feature


def use_next(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Use the next feature that was not declined, once its targets, dice and save are known."""
    data = data_of(procedure, FeatureTrigger)
    chosen = dict(accepted_reactions(answers))
    for one in data.waiting:
        if chosen.get(_key(one)) == NEVER:
            del chosen[_key(one)]
            if (feature := feature_of(tx, one.who, one.feature)) is not None:
                switch_off(tx, rules, one.who, feature)
    declined = {key for key in answers if key not in chosen}
    waiting = [
        msgspec.structs.replace(one, attack=chosen.get(_key(one), one.attack))
        for one in data.waiting
        if _key(one) not in declined
    ]
    while waiting:
        one = waiting[0]
        feature = _usable(tx, rules, one)
        if feature is not None:
            asks = _open_asks(tx, rules, data, one, feature, answers)
            data = msgspec.structs.replace(data, waiting=tuple(waiting))
            if asks:
                ask(tx, procedure, "prompt.feature_moment", asks, subject=label_of(tx, one.who))
                return goto(procedure, FEATURE_TRIGGER.use_next, data)
            _use(tx, rules, procedure, data, one, feature, answers)
            return goto(procedure, FEATURE_TRIGGER.use_next, data, waiting=tuple(waiting[1:]))
        del waiting[0]
    return None


def _open_asks(
    tx: Transaction, rules: RuleSystem, data: FeatureTrigger, one: TriggeredFeature, feature: Feature, answers: Answers
) -> list[Ask]:
    """Return the open asks about a feature: its targets, what it heals, its owner's save."""
    rule, asks = feature_rule(tx, rules, one.who, feature), []
    if TARGETS not in answers and _is_around(feature) and (unknown := _unknown_targets(tx, rules, one, feature)):
        options = tuple(Option(who, label_of(tx, who)) for who in unknown)
        asks.append(Ask(TARGETS, "targets", "ask.feature_targets", one.who, feature.name, options=options, rule=rule))
    if HEAL not in answers and feature.heals:
        asks.append(Ask(HEAL, "roll", "ask.feature_heals", one.who, feature.name, RollSpec(feature.heals), rule=rule))
    if LESS not in answers and feature.trigger == "damage" and feature.lessens not in ("", HALF):
        asks.append(
            Ask(LESS, "roll", "ask.feature_lessens", one.who, feature.name, RollSpec(feature.lessens), rule=rule)
        )
    if SAVE not in answers and feature.save and feature.trigger == "dropping":
        asks.append(save_ask(tx, rules, feature.save, _dc(data, feature), one.who, "", rule))
    return asks


def _is_around(feature: Feature) -> bool:
    return bool(feature.within) and feature.trigger in AROUND


def _unknown_targets(lookup: Lookup, rules: RuleSystem, one: TriggeredFeature, feature: Feature) -> list[str]:
    """Return the others in play whose distance from a feature's owner is unknown."""
    return [who for who, near in _distances(lookup, rules, one, feature) if near is None]


def _distances(
    lookup: Lookup, rules: RuleSystem, one: TriggeredFeature, feature: Feature
) -> list[tuple[str, bool | None]]:
    """Return all others in play, each with whether they are within a feature's distance (None: unknown)."""
    return [
        (other.id, positions.is_within(lookup, rules, one.who, other.id, feature.within))
        for other in lookup.all(Combatant)
        if other.id != one.who and not other.dead
    ]


def _dc(data: FeatureTrigger, feature: Feature) -> int:
    return feature.dc + (data.amount if feature.dc_adds else 0)


def _use(
    tx: Transaction,
    rules: RuleSystem,
    procedure: Procedure,
    data: FeatureTrigger,
    one: TriggeredFeature,
    feature: Feature,
    answers: Answers,
) -> None:
    """Pay for a feature and apply its figures."""
    who, rule = one.who, feature_rule(tx, rules, one.who, feature)
    _pay(tx, rules, who, feature)
    if feature.trigger == "dropping":
        _survive(tx, rules, procedure, data, one, feature, answers)
        return
    if feature.trigger in ("attacked", "damage"):
        _shield(tx, procedure, one, feature, answers, rule)
        return
    if feature.heals:
        _heal(tx, rules, who, feature, answers.get(HEAL), rule)
    weapon = feature if feature.attack is not None else None
    if _chooses_attack(feature):
        weapon = next((each for each in melee_attacks(tx, rules, who) if each.id == one.attack), None)
    if weapon is not None and tx.get(Combatant, one.other) is not None:
        if weapon is not feature:
            tx.emit(FeatureUsed(who=(who,), feature=feature.name, targets=(one.other,), rule=rule))
        attack = AttackInProgress(who, weapon, one.other, purpose="opportunity", tags=("opportunity",))
        begin(tx, ATTACK.declare, attack, procedure.id)
        return
    targets: tuple[str, ...] = (one.other,) if one.other else ()
    if _is_around(feature):
        near = _distances(tx, rules, one, feature)
        said = choices_of(answers, TARGETS)
        targets = (*(other for other, within in near if within), *said)
        if TARGETS in answers and not answers[TARGETS].skipped:
            unknown = {other: other in said for other, within in near if within is None}
            keep_near(tx, rules, who, feature.within, unknown)
    if feature.damage or feature.save or feature.afflictions or feature.ongoing or feature.push:
        effect = SaveEffect((who,), feature, targets, feature.save, _dc(data, feature), feature.half)
        begin(tx, SAVE_EFFECT.ask_missing, effect, procedure.id)
    elif feature.does:
        if all(step.ends for step in feature.does):  # nothing else would name it
            tx.emit(FeatureUsed(who=(who,), feature=feature.name, rule=rule))
        begin(tx, FEATURE_STEPS.next_step, FeatureSteps(who, feature.id, targets), procedure.id)
    elif not feature.heals:
        tx.emit(FeatureUsed(who=(who,), feature=feature.name, targets=targets, rule=rule))


def _shield(
    tx: Transaction,
    procedure: Procedure,
    one: TriggeredFeature,
    feature: Feature,
    answers: Answers,
    rule: str,
) -> None:
    """Let a feature add to the AC that an attack meets, have it rolled once more, or lessen its damage."""
    attack = tx.get(Procedure, procedure.parent)
    if attack is None or not isinstance(attack.data, AttackInProgress):
        return
    tx.emit(FeatureUsed(who=(one.who,), feature=feature.name, rule=rule))
    changed = attack.data
    if feature.trigger == "attacked":
        added = armor_class_of(feature)
        guards = (*changed.guards, Modifier(added, feature.name, rule)) if added else changed.guards
        changed = msgspec.structs.replace(changed, guards=guards)
        if hinders(feature):
            changed = msgspec.structs.replace(changed, hindered=feature.name)
    elif feature.lessens:
        rolled = answers[LESS].roll if LESS in answers else None
        amount = HALF if feature.lessens == HALF else str((rolled.total if rolled is not None else 0) or 0)
        changed = msgspec.structs.replace(changed, lessened=(*changed.lessened, (feature.name, amount, rule)))
    tx.update(attack, data=changed)


def _pay(tx: Transaction, rules: RuleSystem, who: str, feature: Feature) -> None:
    """Pay what a feature costs, which has been looked at."""
    if feature.cost != TRAIT:
        deduct(tx, rules, who, feature.cost, known_cost(tx, who, feature.id, feature.price) or 0)
        deduct_pools(tx, rules, who, feature.id, feature.spends)
    spend_use(tx, who, use_key(feature), feature.name)


def _heal(tx: Transaction, rules: RuleSystem, who: str, feature: Feature, answer: AskResult | None, rule: str) -> None:
    """Heal the owner of a feature by what was rolled."""
    combatant = tx.get(Combatant, who)
    if answer is None or answer.roll is None or answer.roll.total is None or combatant is None or combatant.dead:
        tx.emit(Skipped(purpose="ask.feature_heals", who=who, detail=feature.name))
    else:
        restore_hit_points(tx, rules, who, answer.roll.total, source=feature.name, rule=rule, by=who)


def _survive(
    tx: Transaction,
    rules: RuleSystem,
    procedure: Procedure,
    data: FeatureTrigger,
    one: TriggeredFeature,
    feature: Feature,
    answers: Answers,
) -> None:
    """Keep the owner of a feature on its feet with the hit points that it leaves, if it saves."""
    who, rule = one.who, feature_rule(tx, rules, one.who, feature)
    combatant, healed = tx.get(Combatant, who), answers.get(HEAL)
    if combatant is None or combatant.hp > 0:
        return
    said = answers.get(SAVE)
    if feature.save and (
        said is None
        or not result_of(tx, rules, said, "ask.save", who, f"<save.{feature.save}>", _dc(data, feature), rule)
    ):
        return
    if healed is not None and healed.roll is not None and healed.roll.total is not None:
        restore_hit_points(tx, rules, who, healed.roll.total - combatant.hp, source=feature.name, rule=rule, by=who)
    inflict(tx, rules, feature, (who,), who, rule, procedure.id)
    if feature.does:
        begin(tx, FEATURE_STEPS.next_step, FeatureSteps(who, feature.id, ()), procedure.id)


STAGES = stages_in(globals(), FEATURE_TRIGGER)
