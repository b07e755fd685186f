"""The effects of a hit: damage (doubled for a critical hit that isn't negated) and conditions on the target."""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from turnwright.dice.expression import Roll, RollSpec
from turnwright.encounter.prepared import Environment, Feature, NamedNumbers, Obstacle
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import FeatureSteps
from turnwright.encounter.procedure_state.asks import CRITICAL_SUCCESS, FAILURE, SUCCESS, Ask, AskResult, Degree, Option
from turnwright.encounter.procedure_state.attacks import ATTACK, CRITICAL, HIT, AttackInProgress, FeatureTrigger
from turnwright.encounter.running import Combatant, Effect, ObstacleState
from turnwright.encounter.state import effects_named, is_out_of_play, track_value
from turnwright.play.asking.checks import degree_of
from turnwright.play.attacks.attack_request import target_name
from turnwright.play.attacks.save_effect import AT_ZERO, contract, inflict, regain, save_ask
from turnwright.play.environment.environment_effect import UseEntry, trigger_entry
from turnwright.play.kernel.events import CombatantEvent, Event, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, choice_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state import action_economy, effect_records, events, hit_points
from turnwright.play.state.hit_points import add_levels
from turnwright.rules.parts.actions import action_options, spell_features
from turnwright.rules.parts.attacks import attack_rolls
from turnwright.rules.parts.attacks.attack_targeting import (
    MELEE,
    feature_save_tags,
    ignores_criticals,
    is_mundane_against,
    is_proof,
    is_spell,
    save_against,
    targeted_object,
)
from turnwright.rules.parts.checks.ability_checks import LADDER, NO_SHARE, fixed_dc, is_success, share_for
from turnwright.rules.parts.combatants.facts import condition_names, gear_of
from turnwright.rules.parts.conditions.condition_rules import CHOSEN, is_immune_to, spared_share
from turnwright.rules.parts.conditions.predicates import evaluate, is_true_of
from turnwright.rules.parts.damage.damage_steps import BY_AMOUNT, FATIGUE
from turnwright.rules.parts.economy.limited_uses import COMBINES, use_key
from turnwright.rules.system import Hook, HookContext, creature_of, run_hooks
from turnwright.rules.system_data.numbers import Spell
from turnwright.rules.system_data.statements import is_about_roll

SHIELD, PASS = "shield", "pass"
NEGATED = "blocked-critical"


@journal("journal.critical_{by}", kind="warn")
class CriticalNegated(CombatantEvent, frozen=True):
    """A target turned a critical hit into a normal hit: `by` is `shield`, `fatigue` or `immunity`."""

    by: str


@journal("journal.thing_damaged", kind="harm", what="object_name")
class ObjectDamaged(Event, frozen=True):
    """An object on the map took damage without breaking."""

    object_name: str
    amount: int
    left: int


@journal("journal.thing_broken", kind="harm", what="object_name")
class ObjectDestroyed(Event, frozen=True):
    """An object on the map was destroyed."""

    object_name: str
    amount: int


def negation_ask(tx: Transaction, target: str) -> Ask | None:
    """Ask whether the target turns a critical hit into a normal hit. Return the ask, or None if the target can't.

    Sacrificing a shield takes no reaction. A target that can't react may do it, unless it is incapacitated.
    """
    combatant = tx.get(Combatant, target)
    if combatant is None or combatant.dead or combatant.hp <= 0 or ignores_criticals(tx, tx.rules, target):
        return None
    if tx.role("incapacitated") in condition_names(tx, tx.rules, target):
        return None
    numbers = tx.rules.data.attack
    options = []
    if numbers.block_shield and has_shield(tx, target):
        options.append(Option(SHIELD, "option.block_shield", "option.block_shield_why"))
    if numbers.block_fatigue and can_take_fatigue(tx, target):
        options.append(Option(FATIGUE, "option.block_fatigue", "option.block_fatigue_why"))
    if not options:
        return None
    rule = tx.rule_id("critical.downgrade-shield" if options[0].id == SHIELD else "critical.downgrade-fatigue")
    choices = (*options, Option(PASS, "option.pass"))
    return Ask("block", "choice", "ask.block", target, options=choices, suggested=(PASS,), rule=rule)


def has_shield(tx: Transaction, who: str) -> bool:
    """Return whether a combatant has a shield that it hasn't sacrificed in this fight."""
    return SHIELD in gear_of(tx, who) and not effects_named(tx, who, tx.role("shield-lost"))


def can_take_fatigue(tx: Transaction, who: str) -> bool:
    """Return whether a combatant has a reaction and hasn't negated a critical hit by fatigue since its last rest."""
    if track_value(tx, who, "reaction") < 1 or effects_named(tx, who, NEGATED) or is_immune_to(tx, who, FATIGUE):
        return False
    return not run_hooks(tx, tx.rules, Hook.ACTION_DECLARED, HookContext(who, "reaction")).vetoes


def negate_critical(tx: Transaction, target: str, method: str) -> None:
    """Turn a critical hit into a normal hit, at the cost of a shield or a level of fatigue."""
    if method == SHIELD:
        effect_records.put_effect(tx, Effect(tx.next_id("effect"), target, tx.role("shield-lost")))
        tx.emit(CriticalNegated(who=target, by=method, rule=tx.rule_id("critical.shield")))
        return
    action_economy.spend(tx, target, "reaction")
    tx.emit(CriticalNegated(who=target, by=method, rule=tx.rule_id("critical.block-reaction")))
    add_levels(tx, target, FATIGUE, tx.rules.data.attack.block_fatigue, tx.rule_id("critical.downgrade-fatigue"))
    effect_records.put_effect(tx, Effect(tx.next_id("effect"), target, NEGATED, shown=False))


def trigger_target(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> None:
    """Trigger the environment entry whose object was hit."""
    place, _, entry = data.target.partition(".")
    target_object = targeted_object(tx, data.target)
    if tx.get(Environment, place) is None or target_object is None:
        return
    total = data.roll.total if data.roll is not None and data.roll.total is not None else target_object.ac
    trigger_entry(tx, UseEntry(place, entry, actor=data.attacker, attack=max(total, target_object.ac)))


def ask_damage(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Negate a critical hit if the target chose to, then ask for the damage and for a save that halves it."""
    if tx.get(Combatant, data.attacker) is None or not target_name(tx, data):  # one of them is gone
        return None
    answer = answers.get("block")
    if answer is not None and answer.chosen and PASS not in answer.chosen:
        negate_critical(tx, data.target, answer.chosen[0])
        data = msgspec.structs.replace(data, critical=False)
    if data.critical and ignores_criticals(tx, tx.rules, data.target):
        tx.emit(CriticalNegated(who=data.target, by="immunity", rule=tx.rule_id("immunity.type")))
        data = msgspec.structs.replace(data, critical=bool(tx.rules.data.checks.degrees))
    target_object = targeted_object(tx, data.target) if data.is_object else None
    if isinstance(target_object, Obstacle) and not target_object.hp:
        return None
    soft = not isinstance(target_object, Obstacle) or not target_object.hardness
    data = msgspec.structs.replace(data, critical=data.critical and soft)
    if chosen := tuple(choice_of(answers, id, f"not {id}") for id in answers if id.startswith(CHOSEN)):
        data = msgspec.structs.replace(data, facts=(*data.facts, *chosen))
    elif offers := _offers(tx, data):
        procedure = goto(procedure, ATTACK.ask_damage, data)
        return ask(tx, procedure, "prompt.feature_moment", offers, subject=target_name(tx, data))
    worst = next((each.damage for each in data.weapon.other_damage if each.when == CRITICAL), "")
    if data.critical and worst:
        data = msgspec.structs.replace(data, weapon=msgspec.structs.replace(data.weapon, damage=worst))
    spec = attack_rolls.damage_roll(tx, tx.rules, data)
    if spec is None:
        return goto(procedure, ATTACK.ask_save, data)
    rule = next((modifier.rule for modifier in spec.modifiers if modifier.rule), tx.rule_id("damage.form"))
    rule = tx.rule_id("critical.dice") if spec.doubled else rule
    asks = [Ask("damage", "roll", "ask.damage", data.attacker, data.weapon.name, spec, rule=rule)]
    if dice := attack_rolls.extra_critical_dice(tx, tx.rules, data):
        who, name, rule = data.attacker, data.weapon.name, tx.rule_id("critical.double")
        asks.append(Ask("besides", "roll", "ask.critical_dice", who, name, RollSpec(dice), rule=rule))
    if _halved_by_save(data):
        asks += _save_asks(tx, data)
    return ask(tx, goto(procedure, ATTACK.apply_damage, data), "prompt.damage", asks, subject=target_name(tx, data))


def _offers(tx: Transaction, data: AttackInProgress) -> list[Ask]:
    """Return the asks about the attacker's features that can change the damage, if they weren't chosen for the attack."""
    named = {f"{CHOSEN}{each.id}": each.name for each in creature_of(tx, tx.need(Combatant, data.attacker)).features}
    asks, who, label = [], data.attacker, "ask.feature_applies"
    for id, rules in ((fact.name, fact.decided) for fact in attack_rolls.open_facts(tx, tx.rules, data)):
        if id in named and any(held.rule.what == "damage" for held in rules):
            options = (Option(id, "option.yes"), Option(f"not {id}", "option.no"))
            asks.append(Ask(id, "choice", label, who, named[id], options=options, suggested=(id,)))
    return asks


def apply_damage(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Deal the rolled damage."""
    answer = answers.get("damage", AskResult("damage", skipped=True))
    if not target_name(tx, data):
        return None
    data = msgspec.structs.replace(data, degree=(_degree(tx, data, answers) if _halved_by_save(data) else None) or "")
    if answer.roll is None or answer.roll.total is None:
        tx.emit(events.Skipped(purpose="ask.damage", who=data.attacker, detail=data.weapon.name))
    else:
        bonus_damage = _extra_damage_total(tx, data, answers)
        _spend_extra_damage(tx, data, answer.roll)
        data = msgspec.structs.replace(data, damage=answer.roll, bonus_damage=bonus_damage)
        if not data.is_object and answer.roll.total + bonus_damage > 0:
            kinds = tuple(f"kind:{part.kind}" for part in answer.roll.parts if part.kind)
            tags = (*attack_rolls.attack_tags(tx, tx.rules, data), *kinds, *(("critical",) if data.critical else ()))
            amount = answer.roll.total * _times(tx, data) + bonus_damage
            context = HookContext(data.target, "damage-against", other=data.attacker, tags=tags, amount=amount)
            followups = run_hooks(tx, tx.rules, Hook.DAMAGE_ROLLED, context)
            effect_records.start_followups(tx, followups, procedure.id)
            if followups.procedures:
                return goto(procedure, ATTACK.deal_damage, data)
    return _after_damage(tx, procedure, data, rolled=answer.roll)


def deal_damage(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Deal the damage that remains after the target's reactions."""
    return _after_damage(tx, procedure, data, rolled=data.damage) if target_name(tx, data) else None


def _after_damage(tx: Transaction, procedure: Procedure, data: AttackInProgress, rolled: Roll | None) -> Next:
    """Deal the rolled damage, and continue with the hit's further effects."""
    degree: Degree | None = next((step for step in LADDER if step == data.degree), None)
    if rolled is not None and rolled.total is not None:
        missed = data.outcome not in (HIT, CRITICAL)
        share, why = ("half", "why.missed") if missed else (share_for(tx.rules, degree), "")
        if degree is not None:
            share, why = spared_share(tx, tx.rules, data.target, data.weapon.save, share, saved=is_success(degree))
        if share == NO_SHARE:
            _tell_spared(tx, data, why)
        else:
            besides, data = data.bonus_damage, _on_the_downed(tx, data)
            dealt = _deal(tx, procedure, data, rolled, share=share, besides=besides, share_reason=why)
            data = msgspec.structs.replace(data, dealt=dealt)
            _tell_triggered(tx, procedure, sum(amount for _, amount in dealt), critical=data.critical)
    if data.is_object or data.outcome not in (HIT, CRITICAL):
        return None
    if degree is None:
        return goto(procedure, ATTACK.ask_save, data)
    _leave(tx, procedure, data, degree, warded=is_success(degree))
    return None


def _tell_triggered(tx: Transaction, procedure: Procedure, amount: int, *, critical: bool) -> None:
    """Store the damage of a hit for the features that wait for its end, except those of a negated critical hit."""
    waiting = tx.get(Procedure, procedure.parent)
    while waiting is not None and isinstance(waiting.data, FeatureTrigger) and waiting.data.moment == "hits":
        held = ((each, action_options.feature_of(tx, each.who, each.feature)) for each in waiting.data.waiting)
        kept = tuple(each for each, feature in held if critical or feature is None or feature.trigger != "crits")
        tx.update(waiting, data=msgspec.structs.replace(waiting.data, amount=amount, waiting=kept))
        waiting = tx.get(Procedure, waiting.parent)


def _spend_extra_damage(tx: Transaction, data: AttackInProgress, rolled: Roll) -> None:
    """Spend a use of each limited feature that added dice to the damage, and of each effect that changed it."""
    in_force = attack_rolls.damage_rules(tx, tx.rules, data)
    for extra in in_force:
        if isinstance(extra.source, Feature) and extra.source.uses and extra.rule.kind == "extra":
            action_economy.spend_use(tx, extra.context.who, use_key(extra.source), extra.source.name)
    effect_records.consume_effects(tx, [each.source.id for each in in_force if isinstance(each.source, Effect)], rolled)


def _tell_spared(tx: Transaction, data: AttackInProgress, why: str) -> None:
    if why:
        tx.emit(events.Unaffected(who=data.target, what=data.weapon.name, reason=why))


def _halved_by_save(data: AttackInProgress) -> bool:
    """Return whether a save against the hit halves the hit's own damage."""
    return data.weapon.half and not data.is_object and not data.weapon.save_damage


def _extra_damage_total(tx: Transaction, data: AttackInProgress, answers: Answers) -> int:
    """Return the total of a critical hit's extra dice."""
    answer = answers.get("besides")
    if answer is None or answer.roll is None or answer.roll.total is None:
        return 0
    who, detail, rule = data.attacker, data.weapon.name, tx.rule_id("critical.double")
    tx.emit(events.Rolled(who=who, purpose="ask.critical_dice", roll=answer.roll, detail=detail, rule=rule))
    return answer.roll.total


def _deal(
    tx: Transaction,
    procedure: Procedure,
    data: AttackInProgress,
    roll: Roll,
    *,
    share: str,
    besides: int = 0,
    share_reason: str = "",
) -> NamedNumbers:
    if roll.origin != "fixed":
        rule = tx.rule_id("damage.form")
        tx.emit(events.Rolled(who=data.attacker, purpose="ask.damage", roll=roll, detail=data.weapon.name, rule=rule))
    times = _times(tx, data)
    if data.is_object:
        _break(tx, data, max(tx.rules.data.attack.least, (roll.total or 0) * times + besides))
        return ()
    weak = (each for each in attack_rolls.damage_rules(tx, tx.rules, data) if each.rule.over == 2)
    halved = ((each.source_name, hit_points.HALF, each.rule.ledger) for each in weak)
    damage = hit_points.Damage(
        roll.parts,
        source=data.weapon.name,
        nonmagical=is_mundane_against(tx, data.weapon, data.target) and not _is_made_magical(tx, data),
        share=share,
        share_reason=share_reason,
        roll=roll,
        by=data.attacker,
        melee=MELEE in attack_rolls.attack_tags(tx, tx.rules, data),
        cause="attack",
        critical=data.critical,
        multiplier=times,
        flat_bonus=besides,
        lessened=(*data.lessened, *halved),
        properties=data.weapon.properties,
        spares=is_true_of(tx, tx.rules, data.target, data.weapon.spares) if data.weapon.spares else False,
    )
    dealt = _combined(tx, procedure, data, damage)
    regain(tx, data.weapon, data.attacker, dealt)
    return dealt


def _times(tx: Transaction, data: AttackInProgress) -> int:
    """Return the number by which the rolled damage is multiplied, as for a critical hit."""
    is_doubled = data.critical and not (save_against(data.weapon) or ignores_criticals(tx, tx.rules, data.target))
    is_doubled = is_doubled and not (data.degree and is_spell(data.weapon))  # instead, the save is worse
    return (tx.rules.data.attack.critical_times if is_doubled else 1) * attack_rolls.damage_factor(tx, tx.rules, data)


def _is_made_magical(tx: Transaction, data: AttackInProgress) -> bool:
    """Return whether a trait, or a feature or spell chosen for the attack or in effect on the weapon, makes it magical."""
    own: tuple[Feature | Spell, ...] = (
        *creature_of(tx, tx.need(Combatant, data.attacker)).features,
        *tx.rules.data.spells,
    )
    held, facts = f"with:{data.weapon.id}", set(data.facts)
    on_weapon = {one.name for one in tx.of(Effect, data.attacker) for rule in one.rules if rule.when.endswith(held)}
    return any((each.cost, each.properties) == ("trait", ("magical",)) for each in own) or any(
        "magical" in each.properties and (f"chosen:{each.id}" in facts or each.name in on_weapon) for each in own
    )


def _combined(tx: Transaction, procedure: Procedure, data: AttackInProgress, damage: hit_points.Damage) -> NamedNumbers:
    """Deal the damage. Resistances that earlier hits of the same feature have met don't count again, if it combines them."""
    around = tx.get(Procedure, procedure.parent)
    steps = around.data if around is not None else None
    own = action_options.feature_of(tx, data.attacker, steps.feature) if isinstance(steps, FeatureSteps) else None
    if not isinstance(steps, FeatureSteps) or around is None or own is None or COMBINES not in own.properties:
        return hit_points.deal_damage(tx, data.target, damage, procedure.id)
    met = Counter({why: amount for target, why, amount in steps.met if target == data.target})
    told = len(tx.events)
    dealt = hit_points.deal_damage(
        tx, data.target, msgspec.structs.replace(damage, met=tuple(met.items())), procedure.id
    )
    for event in tx.events[told:]:
        for each in event.why if isinstance(event, events.DamageTaken) else ():
            met[each.reason] += abs(each.before - each.after) * (each.reason in BY_AMOUNT)
    others = tuple(each for each in steps.met if each[0] != data.target)
    own_met = tuple((data.target, why, amount) for why, amount in met.items() if amount)
    tx.update(around, data=msgspec.structs.replace(steps, met=(*others, *own_met)))
    return dealt


def _break(tx: Transaction, data: AttackInProgress, amount: int) -> None:
    """Deduct hit points from an object on the map. At 0 it breaks."""
    obstacle = targeted_object(tx, data.target)
    if not isinstance(obstacle, Obstacle):
        return
    amount = max(0, amount - obstacle.hardness)
    hp_left, rule = max(0, obstacle.hp - amount), tx.rule_id("attack.ac-source")
    state = tx.get(ObstacleState, obstacle.id) or ObstacleState(obstacle.id)
    tx.put(msgspec.structs.replace(state, hp=hp_left, broken=not hp_left))
    name = obstacle.name or obstacle.id
    if hp_left:
        tx.emit(ObjectDamaged(object_name=name, amount=amount, left=hp_left, rule=rule))
    else:
        tx.emit(ObjectDestroyed(object_name=name, amount=amount, rule=rule))


def ask_save(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Ask the target to save against the further effects of a hit, if they allow a save."""
    if data.is_object or is_out_of_play(tx, data.target):
        return None
    asks = _save_asks(tx, data)
    if not asks:
        _leave(tx, procedure, data, CRITICAL_SUCCESS if data.critical else SUCCESS)
        return None
    return ask(tx, goto(procedure, ATTACK.after_save), "prompt.save", asks, subject=data.weapon.name)


def after_save(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Apply the further effects to a target that failed its save, and ask for the extra damage."""
    degree = _degree(tx, data, answers) if tx.get(Combatant, data.target) is not None else None
    if degree is None:
        return None
    roll = answers["save"].roll
    failed_by = {data.target: _dc(tx, data) - roll.total} if roll is not None and roll.total is not None else {}
    means, rule = data.weapon, tx.rule_id("attack.resolve")
    if not _awaits_damage(means):
        _leave(tx, procedure, data, degree, warded=is_success(degree), failed_by=failed_by)
    if means.stages and not is_success(degree):
        contract(tx, means, data.target, data.attacker, 1, procedure.id)
    share, why = (share_for(tx.rules, degree) if means.half else NO_SHARE if is_success(degree) else "full"), ""
    if means.half:
        share, why = spared_share(tx, tx.rules, data.target, means.save, share, saved=is_success(degree))
    if means.save_damage and share == NO_SHARE:
        _tell_spared(tx, data, why)
    if not means.save_damage or share == NO_SHARE:
        return None
    question = Ask("damage", "roll", "ask.damage", data.attacker, means.name, RollSpec(means.save_damage), rule=rule)
    ask(tx, procedure, "prompt.damage", [question], subject=means.name)
    return goto(procedure, ATTACK.apply_extra_damage, extra_damage_share=share)


def apply_extra_damage(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Deal the hit's extra damage, reduced by the target's save. A critical hit doesn't double its dice."""
    answer = answers.get("damage")
    if tx.get(Combatant, data.target) is None:
        return None
    if answer is None or answer.roll is None or answer.roll.total is None:
        tx.emit(events.Skipped(purpose="ask.damage", who=data.attacker, detail=data.weapon.name))
        return None
    is_awaited, data = _awaits_damage(data.weapon), _on_the_downed(tx, data)
    _deal(tx, procedure, msgspec.structs.replace(data, critical=False), answer.roll, share=data.extra_damage_share)
    return goto(procedure, ATTACK.after_extra_damage, data) if is_awaited else None


def after_extra_damage(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> None:
    """Apply the conditions of a target that the extra damage has reduced to 0 hit points."""
    if not is_out_of_play(tx, data.target):
        _leave(tx, procedure, data, FAILURE)


def _on_the_downed(tx: Transaction, data: AttackInProgress) -> AttackInProgress:
    """Return an attack whose damage can't reduce its target to 0 hit points if the target is there already."""
    is_up = data.is_object or tx.need(Combatant, data.target).hp > 0
    kept = tuple(each for each in data.weapon.afflictions if is_up or each.when != AT_ZERO)
    return msgspec.structs.replace(data, weapon=msgspec.structs.replace(data.weapon, afflictions=kept))


def _awaits_damage(means: Feature) -> bool:
    """Return whether the conditions of a hit depend on its extra damage reducing the target to 0 hit points."""
    return bool(means.save_damage) and any(each.when == AT_ZERO for each in means.afflictions)


def _save_asks(tx: Transaction, data: AttackInProgress) -> list[Ask]:
    """Return the ask for the save against the hit, or an empty list."""
    save, dc, rule = data.weapon.save, _dc(tx, data), tx.rule_id("attack.resolve")
    if not spell_features.first_save(data.weapon) or _nothing_applies(tx, data):
        return []
    return [save_ask(tx, save, dc, data.target, data.attacker, rule, tags=feature_save_tags(tx.rules, data.weapon))]


def _nothing_applies(tx: Transaction, data: AttackInProgress) -> bool:
    """Return whether the target is known to be immune to all that a failed save against the hit would do."""
    means = data.weapon
    bleeds = means.ongoing and not means.ongoing_while
    if not means.afflictions or means.save_damage or means.half or means.stages or bleeds:
        return False
    if is_proof(tx, msgspec.structs.replace(means, damage=""), data.target):
        return True
    statements = [(each.condition, each.when) for each in means.afflictions if not each.bound_to]
    others = ((when, HookContext(data.target, name, other=data.attacker)) for name, when in statements)
    return all(when and evaluate(tx, tx.rules, data.target, when, about) is False for when, about in others)


def _dc(tx: Transaction, data: AttackInProgress) -> int:
    """Return the DC of the save against a hit's effects, including the attacker's modifiers."""
    return fixed_dc(tx, tx.rules, data.attacker, data.weapon.dc, attack_rolls.attack_tags(tx, tx.rules, data))


def _degree(tx: Transaction, data: AttackInProgress, answers: Answers) -> Degree | None:
    """Return the degree of success of the save, or None if none was made.

    Against a spell that hit critically, it is one degree worse.
    """
    answer = answers.get("save")
    if answer is None:
        return None
    detail, dc, rule = f"<save.{data.weapon.save}>", _dc(tx, data), tx.rule_id("attack.resolve")
    is_worse = data.critical and is_spell(data.weapon) and bool(tx.rules.data.checks.degrees)
    return degree_of(tx, answer, "ask.save", data.target, detail, dc, rule, -int(is_worse))


def _leave(
    tx: Transaction,
    procedure: Procedure,
    data: AttackInProgress,
    degree: str,
    *,
    warded: bool = False,
    failed_by: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """Apply an attack's conditions to its target, depending on the degree of the save or of the hit."""
    rule = tx.rule_id("attack.resolve")
    means, tags = data.weapon.afflictions, attack_rolls.damage_context(tx, tx.rules, data).tags
    about = HookContext(data.target, "attack", other=data.attacker, tags=tags)
    decided = {
        each: evaluate(tx, tx.rules, data.target, each.when, about) for each in means if is_about_roll(each.when)
    }
    kept = tuple(
        msgspec.structs.replace(each, when="") if each in decided else each for each in means if decided.get(each, True)
    )
    sized = [each.when for each in kept if each.when.startswith("up-to:")]
    is_moved = not sized or any(evaluate(tx, tx.rules, data.target, when, about) for when in sized)
    inflict(
        tx,
        msgspec.structs.replace(data.weapon, afflictions=kept, push=data.weapon.push * is_moved),
        (data.target,),
        data.attacker,
        rule,
        procedure.id,
        degree=degree,
        saved=warded,
        failed_by=failed_by,
        dealt={data.target: data.dealt},
    )
