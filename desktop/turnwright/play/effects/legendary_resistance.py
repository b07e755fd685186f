"""Legendary Resistance and similar features: spend a use to turn a failed save into a success, or to roll it again.

Characters can spend a Hero Point or inspiration to make any failed roll again, in games that have them. A creature with an
effect that adds a die to a roll of its choice, such as Bardic Inspiration, can add it after a failed roll.

The offer is added to the prompt of the save once its rolls are made. The prompt's procedure waits for it.
"""

from collections.abc import Collection, Mapping

import msgspec

from turnwright.dice.expression import Modifier, RollSpec, parse
from turnwright.encounter.prepared import Feature, InflictedCondition
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import FAILED, MADE, Ask, AskResult, Option, Prompt, choice_ask
from turnwright.encounter.procedure_state.attacks import SaveEffect
from turnwright.encounter.running import Combatant, Effect, Track, track_id
from turnwright.encounter.state import track_value
from turnwright.play.effects.conditions import apply_timed_effect
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import deduct, spend_use
from turnwright.play.state.effect_records import DEATH_SAVE_LABEL, consume_effects, duration_of
from turnwright.play.state.events import TrackSet
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.actions.how_features_play import LEGENDARY_RESISTANCE, REROLLS
from turnwright.rules.parts.checks.ability_checks import degree_of, is_success
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.parts.economy.limited_uses import character_points, remaining_uses, spending_vetoes, use_key
from turnwright.rules.system import HookContext, RuleSystem, creature_of
from turnwright.rules.system_data.numbers import Resource
from turnwright.rules.system_data.statements import StatementError, parse_statement

OFFER_PREFIX = "instead:"  # prefix of the ids of offers
AGAIN_PREFIX = "again:"  # prefix of the ids of second rolls
SAVE_LABELS = (DEATH_SAVE_LABEL, "ask.save", "ask.concentration_save", "ask.massive_save", "ask.affliction_save")
ATTACK_LABEL = "ask.attack"
YES, NO, AGAIN = "succeeds", "fails", "option.rolls_again"


def offer_success(tx: Transaction, prompt: Prompt) -> bool:
    """Offer success, or a second roll, to creatures with such a feature that failed a save in this prompt.

    Return whether anything was added to the prompt.
    """
    offered = {save.id for save in prompt.asks}
    answers = {answer.ask: answer for answer in prompt.answers}
    uses_left: dict[str, int] = {}
    asks = []
    for save in prompt.asks:
        if save.id.startswith(AGAIN_PREFIX) or OFFER_PREFIX + save.id in offered:
            continue
        if not _failed(tx.rules, save, answers.get(save.id)):
            continue
        feature, points = _feature_for(tx, save), _points_for(tx, save)
        if feature is not None:
            track, rerolls = use_key(feature), REROLLS in feature.properties
            most = remaining_uses(tx, save.who, track) if track else len(prompt.asks)
            label, success = ("ask.save_again", AGAIN) if rerolls else ("ask.save_instead", "option.succeeds")
            question = _offer(
                save, label, feature.name, success, feature_rule(tx, tx.rules, save.who), NO if track else YES
            )
        elif points is not None:
            most = track_value(tx, save.who, points.id)
            question = _offer(save, "ask.roll_again", f"<resource.{points.id}>: {most}", AGAIN)
        elif (inspired := _die_for(tx, save, answers[save.id])) is not None:
            most = 1
            question = _offer(save, "ask.add_die", f"{inspired[0].name} ({inspired[1]})", "option.yes")
        else:
            continue
        uses_left[save.who] = uses_left.get(save.who, most) - 1
        asks += [question] if uses_left[save.who] >= 0 else []
    asks += [again for save in prompt.asks if (again := _second_roll(tx, save, answers, offered)) is not None]
    if asks:
        tx.update(prompt, asks=(*prompt.asks, *asks))
    return bool(asks)


def _offer(ask: Ask, label: str, detail: str, success: str, rule: str = "", likely: str = NO) -> Ask:
    options = (Option(YES, success), Option(NO, "option.fails"))
    return choice_ask(OFFER_PREFIX + ask.id, label, options, ask.who, detail, suggested=likely, rule=rule)


def _points_for(tx: Transaction, ask: Ask) -> Resource | None:
    """Return a resource of a character that can repeat the roll, or None."""
    combatant = tx.get(Combatant, ask.who) if ask.kind == "roll" else None
    if combatant is None or combatant.dead:
        return None
    return character_points(tx, tx.rules, combatant.id)


def _second_roll(tx: Transaction, save: Ask, answers: Mapping[str, AskResult], offered: Collection[str]) -> Ask | None:
    """Return the ask for the second roll of a failed save, if its owner wants it and hasn't been asked for it yet."""
    decided, id = answers.get(OFFER_PREFIX + save.id), AGAIN_PREFIX + save.id
    if decided is None or YES not in decided.chosen or id in offered:
        return None
    feature = _feature_for(tx, save)
    rerolls = REROLLS in feature.properties if feature is not None else _points_for(tx, save) is not None
    if feature is None and not rerolls and (inspired := _die_for(tx, save, answers[save.id])) is not None:
        return Ask(id, "roll", "ask.extra_die", save.who, inspired[0].name, RollSpec(inspired[1]))
    if feature is not None and feature.magic and save.spec is not None:
        more = (*save.spec.modifiers, Modifier(feature.magic, feature.name))
        save = msgspec.structs.replace(save, spec=msgspec.structs.replace(save.spec, modifiers=more))
    return msgspec.structs.replace(save, id=id) if rerolls else None


def _die_for(tx: Transaction, ask: Ask, answer: AskResult) -> tuple[Effect, str] | None:
    """Return an effect whose die its bearer may add to a failed roll, and this die, if it can turn the failure."""
    kind, roll = {ATTACK_LABEL: "attack"}.get(ask.label, "save" if ask.label in SAVE_LABELS else "check"), answer.roll
    if roll is None or roll.total is None or (kind == "attack" and roll.natural == tx.rules.data.attack.natural_miss):
        return None
    for effect in tx.of(Effect, ask.who):
        is_unused = effect.uses_left and effect.name not in {each.why for each in roll.dice}
        for rule in effect.rules if is_unused else ():
            die = tx.rules.data.expertise[0] if rule.kind == "expertise" else rule.dice
            offered = die and rule.what in ("d20", kind) and rule.when.startswith("chosen:")
            if offered and roll.total + parse(die).maximum >= ask.dc:
                return effect, die
    return None


def apply_success(tx: Transaction, prompt: Prompt, all_answers: Mapping[str, AskResult]) -> Mapping[str, AskResult]:
    """Return the answers to a prompt's original asks, with a success for each accepted offer."""
    answers = {id: answer for id, answer in all_answers.items() if not id.startswith((OFFER_PREFIX, AGAIN_PREFIX))}
    asks = {ask.id: ask for ask in prompt.asks}
    for decided in all_answers.values():
        id = decided.ask.removeprefix(OFFER_PREFIX)
        if id == decided.ask or YES not in decided.chosen or id not in answers:
            continue
        feature, again = _feature_for(tx, asks[id]), all_answers.get(AGAIN_PREFIX + id)
        if feature is None:
            points, roll = _points_for(tx, asks[id]), answers[id].roll
            if points is not None and again is not None and not again.skipped:
                answers[id] = msgspec.structs.replace(_counting(tx, asks[id], points, answers[id], again), ask=id)
            elif again and again.roll and roll and (inspired := _die_for(tx, asks[id], answers[id])):
                more = Modifier(again.roll.total or 0, inspired[0].name)
                changes = {"modifiers": (*roll.modifiers, more), "total": (roll.total or 0) + more.value}
                answers[id] = msgspec.structs.replace(answers[id], roll=msgspec.structs.replace(roll, **changes))
                consume_effects(tx, (inspired[0].id,))
        else:
            deduct(tx, asks[id].who, feature.cost, feature.price)
            spend_use(tx, asks[id].who, use_key(feature), feature.name)
            data = tx.need(Procedure, prompt.procedure).data
            cause = data.members[:1] if isinstance(data, SaveEffect) else ()
            _leave_effect(tx, asks[id].who, feature, "".join(cause) or asks[id].who)
            answers[id] = msgspec.structs.replace(
                again or answers[id], ask=id, chosen=again.chosen if again else (MADE,)
            )
    return answers


def _counting(tx: Transaction, ask: Ask, points: Resource, first: AskResult, second: AskResult) -> AskResult:
    """Spend a point for a second roll, and return the roll that counts."""
    track = tx.need(Track, track_id(ask.who, points.id))
    tx.update(track, value=track.value - 1)
    tx.emit(TrackSet(who=ask.who, track=points.id, before=track.value, after=track.value - 1, how="rerolled"))
    is_better = points.characters is not None and points.characters.rerolls == "better"
    totals = [answer.roll.total or 0 if answer.roll is not None else 0 for answer in (first, second)]
    return first if is_better and not second.chosen and totals[0] > totals[1] else second


def _leave_effect(tx: Transaction, who: str, feature: Feature, by: str) -> None:
    """Leave the effect of a used feature on its owner, if its statement is true now. `by` caused the save."""
    if (feature.effect or feature.until != "never") and (
        feature.trigger or not feature.when or evaluate(tx, tx.rules, who, feature.when, HookContext(who))
    ):
        ends = duration_of(tx, InflictedCondition("", feature.until), who, by=who)
        effect = Effect("", who, feature.name, feature.name, ends=ends, by=by, note=feature.text, rules=feature.effect)
        apply_timed_effect(tx, effect, feature_rule(tx, tx.rules, who))


def _feature_for(tx: Transaction, ask: Ask) -> Feature | None:
    """Return a feature with uses left that can turn the failed save into a success, or None."""
    combatant = tx.get(Combatant, ask.who) if ask.label in SAVE_LABELS else None
    if combatant is None or combatant.dead:
        return None
    features = (
        feature
        for feature in creature_of(tx, combatant).features
        if LEGENDARY_RESISTANCE in feature.properties or (feature.trigger == "fails" and _holds(tx, ask, feature))
    )
    for feature in features:
        has_uses = not use_key(feature) or remaining_uses(tx, ask.who, use_key(feature)) > 0
        if has_uses and not spending_vetoes(tx, tx.rules, ask.who, feature.cost, feature.price):
            return feature
    return None


def _holds(tx: Transaction, ask: Ask, feature: Feature) -> bool:
    """Return whether the condition of a feature triggered by a failed save is, or may be, met."""
    try:
        statement = parse_statement(feature.when)
    except StatementError:
        return True
    subject = ask.detail.removeprefix("<").removesuffix(">")
    return evaluate(tx, tx.rules, ask.who, statement, HookContext(ask.who, subject)) is not False


def _failed(rules: RuleSystem, ask: Ask, answer: AskResult | None) -> bool:
    if answer is None or answer.skipped:
        return False
    if answer.chosen:
        return FAILED in answer.chosen
    if ask.label == ATTACK_LABEL and answer.roll is not None and answer.roll.natural == rules.data.attack.natural_hit:
        return False
    degree = degree_of(rules, answer.roll, ask.dc) if answer.roll is not None else None
    return degree is not None and not is_success(degree)
