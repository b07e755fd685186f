"""One attack: its declaration, payment, aim, roll against armor class, and outcome.

Missing facts are asked for on the way: an unknown AC, a guess at a hidden target's square, reactions. `hit` deals the
damage and applies its consequences.
"""

from collections.abc import Iterator

import msgspec

from turnwright.dice.expression import Modifier, Roll, RollSpec
from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.prepared import EnvironmentEntry
from turnwright.encounter.procedure_state import Declaration, Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.procedure_state.asks import (
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    FAILURE,
    Ask,
    AskResult,
    Option,
)
from turnwright.encounter.procedure_state.attacks import (
    ATTACK,
    CRITICAL,
    FUMBLE,
    HIT,
    MISS,
    AttackInProgress,
    FeatureTrigger,
    SaveEffect,
)
from turnwright.encounter.procedure_state.kinds import Answered
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.encounter.roles import is_character
from turnwright.encounter.running import Combatant, Dice, Duration, Effect
from turnwright.encounter.state import effects_named, scene_of
from turnwright.play.asking import declaration
from turnwright.play.asking.checks import degree_of, result_of
from turnwright.play.attacks.attack_request import (
    GUESSED_RIGHT,
    GUESSED_WRONG,
    Attacked,
    AttackFailed,
    assumed_phrase,
    attack_vetoes,
    fact_phrase,
    is_cost_unknown,
    must_guess_square,
    pay_attack,
    reserved_for_attack,
    target_name,
    target_vetoes,
    unknown_attack_costs,
    with_cost,
)
from turnwright.play.attacks.counteract import COUNTERED, offer_counters
from turnwright.play.attacks.hit import negation_ask
from turnwright.play.attacks.save_effect import begin_lasting, inflict, save_ask
from turnwright.play.attacks.triggered_features import strike_doubles
from turnwright.play.effects.concentration import concentrate
from turnwright.play.kernel.events import CombatantEvent, journal, roll_total
from turnwright.play.kernel.optional_modifiers import always_holds, modifier_ask
from turnwright.play.kernel.scheduler import Answers, Next, SubjectGone, ask, begin, choices_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state import effect_records
from turnwright.play.state.action_economy import accepted_reactions, count_attack, deduct, reaction_ask
from turnwright.play.state.events import ActionTaken, Skipped, StatSet, Unaffected
from turnwright.rules.parts.actions.action_options import MANIPULATE, action_option
from turnwright.rules.parts.actions.spell_features import listed_spell
from turnwright.rules.parts.actions.triggered_features import DISRUPTS, follows_hits, holders
from turnwright.rules.parts.attacks.attack_rolls import (
    AttackRoll,
    attack_roll,
    attack_tags,
    open_facts,
    outcome_of,
    rules_applied,
    with_assumptions,
)
from turnwright.rules.parts.attacks.attack_targeting import (
    HALF_ON_MISS,
    RANGED,
    distance_to,
    is_range_unknown,
    is_spell,
    target_armor_class,
    targeted_object,
    without_effect,
)
from turnwright.rules.parts.checks.ability_checks import armor_class_unknown
from turnwright.rules.parts.combatants.facts import ENGAGED, JUST_HIT, NO_SUNLIGHT, cannot_act, condition_names
from turnwright.rules.parts.conditions.assumptions import ALWAYS_ASKED, are_engagements_read, treatment
from turnwright.rules.parts.conditions.predicates import MUTUAL
from turnwright.rules.parts.movement.move_legs import can_react
from turnwright.rules.parts.positions import sight
from turnwright.rules.system import Hook, HookContext, RuleSystem, Veto, creature_of, run_hooks

DROP = "drop-prone"
AC, GUESS, RANGE = "ac", "guess", "range"
FACT = "fact:"  # prefix of asks about unknown facts
CHOSEN, SUNLIGHT = "chosen", "in:sunlight"
FLAT_CHECK_PASSED = "found"  # the fact that the attack's flat check succeeded
UNCOUNTED = "uncounted"  # property: the attack doesn't count towards the multiple attack penalty
WARD = "unwarded"  # the fact that the attacker's save against a ward on the target succeeded
FLAT_CHECK_LABEL = "ask.flat_check"
HIT_OR_MISS = (Option(HIT, "option.hit"), Option(MISS, "option.miss"))
ANSWERED, DISRUPTED = "answered", "disrupted"  # tags of an attack that an enemy has reacted to
MOST_GUARD = 20  # the largest bonus that a reaction can add to AC
REQUIRED_ASKS = (AC, GUESS)  # skipping one of these ends the attack


@journal("journal.fact_assumed", fact="phrase", n="figure")
class FactAssumed(CombatantEvent, frozen=True):
    """An unknown fact about an attack was assumed."""

    target: CombatantId
    fact: str

    @property
    def phrase(self) -> str:
        """The word key of the fact."""
        return f"<{assumed_phrase(self.fact).key}>"

    @property
    def figure(self) -> str:
        """The number in the fact, if it has one."""
        return self.fact.partition(":")[2]


@journal("journal.guess_wrong", kind="secret", when={"right": "journal.guess_right"}, total="roll")
class AttackGuessed(CombatantEvent, frozen=True):
    """The square of a hidden target was guessed; `right` if correctly. Only the game master sees it."""

    right: bool
    target: CombatantId = ""
    roll: Roll | None = None


def declare(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Ask for unknown costs and an unknown range, then declare the attack or go straight to its payment."""
    if is_cost_unknown(tx, data):
        if declaration.is_cancelled(answers):
            tx.emit(Skipped(purpose="ask.attack", who=data.attacker, detail=data.weapon.name))
            return None
        declaration.store_costs(tx, data.attacker, data.weapon.id, answers)
        asks = unknown_attack_costs(tx, data)
        _card(tx, procedure, data, asks)
        if asks:
            return goto(procedure, ATTACK.declare)
        data = with_cost(tx, data)
    if is_range_unknown(data.weapon, thrown="thrown" in data.tags) and tx.rules.data.attack.asks_range:
        range_answer = answers.get(RANGE)
        if range_answer is None:
            rule = tx.rule_id("attack.range-unknown")
            _card(tx, procedure, data, [Ask(RANGE, "number", "ask.range", data.attacker, data.weapon.name, rule=rule)])
            return goto(procedure, ATTACK.declare, data)
        if not range_answer.number:
            tx.emit(Skipped(purpose="ask.attack", who=data.attacker, detail=data.weapon.name))
            return None
        weapon = msgspec.structs.replace(data.weapon, range=str(range_answer.number))
        data = msgspec.structs.replace(data, weapon=weapon)
    if declaration.needs_declaration(tx, procedure):
        return _announced(tx, procedure, data)
    return after_declare(tx, goto(procedure, ATTACK.after_declare, data), data, answers)


def _announced(tx: Transaction, procedure: Procedure, data: AttackInProgress) -> Procedure:
    """Declare an allowed attack, if the system lets others react to it."""
    vetoes = attack_vetoes(tx, tx.rules, data)
    for veto in vetoes:
        tx.forbid_by((veto,))
    targets, reserved = (data.target,) if data.target and not data.is_object else (), reserved_for_attack(tx, data)
    name = data.weapon.name
    own = Declaration("", data.attacker, procedure.id, name, "", reserved, targets, rules_overridden=bool(vetoes))
    return declaration.declare_action(tx, goto(procedure, ATTACK.after_declare, data), own)


def after_declare(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Pay for an attack that isn't paid for yet, and ask for unknown stats of its target.

    An attack that a command ordered is refused if a rule forbids it. An attack that another procedure began is already
    paid for, and fails if it can't be made.
    """
    if procedure.parent:
        forbidden = target_vetoes(tx, tx.rules, data)
        if forbidden and not tx.override and tx.strictness != "off":
            _come_to_nothing(tx, data, forbidden[0])
            return None
    else:
        for veto in attack_vetoes(tx, tx.rules, data):
            tx.forbid_by((veto,))
        pay_attack(tx, data)
    if why := without_effect(tx, tx.rules, data.attacker, data.weapon, "" if data.is_object else data.target):
        tx.emit(Unaffected(who=data.target or data.attacker, what=data.weapon.name, reason=why))
        return None
    tags = attack_tags(tx, tx.rules, data)
    if RANGED in tags or _manipulates(data):
        acted = run_hooks(tx, tx.rules, Hook.FOE_ACTED, HookContext(data.attacker, "attack", tags=tags))
        effect_records.start_followups(tx, acted, procedure.id)
        is_cast = is_spell(data.weapon) and not procedure.parent
        if (is_cast and offer_counters(tx, procedure, data.attacker)) or acted.procedures:
            data = msgspec.structs.replace(data, tags=(*data.tags, ANSWERED))
    if data.weapon.concentration and not procedure.parent:
        concentrate(tx, data.attacker, data.weapon.name)
    lasting = listed_spell(tx.rules, data.weapon) if not procedure.parent else None
    if lasting is not None and lasting.again and lasting.attack and not effects_named(tx, data.attacker, lasting.name):
        begin_lasting(tx, data.attacker, data.weapon, lasting)
    asks = []
    settings = tx.rules.data.attack
    if data.is_object and not settings.asks_outcome and target_armor_class(tx, tx.rules, data) is None:
        asks.append(Ask(AC, "number", "ask.ac", detail=target_name(tx, data), rule=tx.rule_id("attack.thing-ac")))
    if data.target and not data.is_object and not settings.asks_outcome and armor_class_unknown(tx, data.target):
        asks.append(Ask(AC, "number", "ask.ac", detail=target_name(tx, data), rule=tx.rule_id("attack.ac-source")))
    guessed = settings.guessed and data.square is None
    if guessed and data.target and not data.is_object and must_guess_square(tx, tx.rules, data.attacker, data.target):
        options = (Option(GUESSED_RIGHT, "option.guess_right"), Option(GUESSED_WRONG, "option.guess_wrong"))
        asks.append(Ask(GUESS, "choice", "ask.guess", options=options, rule=tx.rule_id("attack.hidden")))
    for open_question in attack_roll(tx, tx.rules, data).questions:
        rule = open_question.rule
        yes_or_no = (Option(f"yes:{rule}", "option.yes"), Option(f"no:{rule}", "option.no"))
        asks.append(Ask(rule, "choice", open_question.reason, options=yes_or_no, rule=rule))
    _card(tx, procedure, data, [*asks, *_fact_asks(tx, data), *_suggestions(tx, data)])
    return goto(procedure, ATTACK.aim, data)


def _fact_asks(tx: Transaction, data: AttackInProgress) -> Iterator[Ask]:
    """Yield asks for unknown facts: those without a default answer, or all of them under a house rule."""
    how = treatment(tx, tx.rules)
    for fact in open_facts(tx, tx.rules, data) if how != "left-out" else ():
        if fact.word != CHOSEN and (how == "asked" or (fact.assumed is None and fact.word in ALWAYS_ASKED)):
            question, detail = fact_phrase(tx, data, fact.name), fact.name.partition(":")[2]
            options = (Option(fact.name, "option.yes"), Option(f"not {fact.name}", "option.no"))
            rule = tx.rule_id("attack.target")
            yield Ask(f"{FACT}{fact.name}", "choice", question.key, data.attacker, detail, options=options, rule=rule)


def _suggestions(tx: Transaction, data: AttackInProgress) -> list[Ask]:
    """Return asks for the usual effects of conditions on this attack. Empty if the rules are strict."""
    suggested = () if tx.strictness == "enforce" else attack_roll(tx, tx.rules, data).suggested
    undecided = (modifier for modifier in suggested if f"yes:{modifier.id}" not in data.facts)
    return [modifier_ask(modifier) for modifier in undecided if not always_holds(tx, modifier.reason)]


def _come_to_nothing(tx: Transaction, data: AttackInProgress, why: Veto) -> None:
    means = data.weapon.name
    tx.emit(AttackFailed(who=data.attacker, weapon=means, reason=why.reason, params=why.params, rule=why.rule))


def aim(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Store the answers about the target, and offer the target its options before the roll."""
    if ANSWERED in data.tags:
        answered: Answered = "disrupted" if DISRUPTED in data.tags else "asked"
        answered = "countered" if COUNTERED in data.tags else answered
        if declaration.is_disrupted(tx, data.attacker, data.weapon.name, answered):
            if data.weapon.concentration:
                effect_records.lose_concentration(tx, data.attacker)
            return None
        if cannot_act(tx, data.attacker):
            raise SubjectGone
    for id, answer in answers.items():
        if answer.skipped and id in REQUIRED_ASKS:
            tx.emit(Skipped(purpose=f"ask.{id}", who=data.attacker, detail=data.weapon.name))
            return None
        if id == AC and not data.is_object:
            tx.update(tx.need(Combatant, data.target), ac=answer.number)
            tx.emit(StatSet(who=data.target, stat=AC, value=answer.number or 0, rule=tx.rule_id("attack.ac-source")))
            continue
        if id == RANGE or (id.startswith(FACT) and answer.skipped):
            continue
        if id.startswith(FACT):
            _keep_light(tx, answer.chosen)
        new_facts = answer.chosen or (f"ac:{answer.number}" if id == AC else f"no:{id}",)
        data = msgspec.structs.replace(data, facts=(*data.facts, *new_facts))
    if _may_drop(tx, data):
        rule = tx.rule_id("attack.drop-prone")
        question = reaction_ask(data.target, [Option(DROP, "option.drop_prone")], rule=rule, detail=data.weapon.name)
        ask(tx, procedure, "prompt.reaction", [question], subject=target_name(tx, data))
    return goto(procedure, ATTACK.ask_roll, data)


def _keep_light(tx: Transaction, answers: tuple[str, ...]) -> None:
    """Store for the encounter whether its bright light is sunlight, if answered."""
    if SUNLIGHT in {fact.removeprefix("not ").removeprefix("target.") for fact in answers}:
        if any(fact.startswith("not ") for fact in answers):
            tx.put(Effect(NO_SUNLIGHT, "", NO_SUNLIGHT, ends=Duration("encounter"), shown=False))
        elif scene_of(tx).light == "bright":
            tx.update(scene_of(tx), light="sunlight")


def _require_both(tx: Transaction, data: AttackInProgress) -> None:
    """End the attack if its attacker or target is gone."""
    if tx.get(Combatant, data.attacker) is None or (data.target and not target_name(tx, data)):
        raise SubjectGone


def _may_drop(tx: Transaction, data: AttackInProgress) -> bool:
    """Return whether the target may drop prone before a ranged attack that it sees coming."""
    target = tx.get(Combatant, data.target)
    if target is None or data.is_object or GUESSED_WRONG in data.facts or RANGED not in attack_tags(tx, tx.rules, data):
        return False
    is_asked = is_character(tx, target) or (tx.get(Dice, "dice") or Dice()).mode == "ask"
    if not tx.rules.data.movement.drop_cost or not is_asked or not can_react(tx, tx.rules, target.id):
        return False
    if tx.role("prone") in condition_names(tx, tx.rules, target.id):
        return False
    unnoticed = sight.is_unnoticed(tx, tx.rules, data.attacker, target.id)
    return sight.sees(tx, tx.rules, target.id, data.attacker) is True and not unnoticed


def ask_roll(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Resolve reactions, then ask for the attack roll against the target's AC."""
    for who, what in accepted_reactions(answers):
        rule = tx.rule_id("attack.drop-prone")
        if what == DROP:
            deduct(tx, who, "reaction")
            tx.emit(ActionTaken(who=who, action="<action.drop_prone>", cost="reaction", rule=rule))
            effect_records.put_condition(tx, who, tx.role("prone"), rule=rule)
    _require_both(tx, data)
    if (ward := _ward(tx, data)) is not None and ward.leaves is not None:
        rule, mark = tx.rule_id("attack.target"), tx.get(Effect, f"{WARD}-{data.attacker}-{ward.id}")
        if mark is not None and mark.source == MISS:
            return _settle(tx, procedure, msgspec.structs.replace(data, outcome=MISS), rule)
        if mark is not None:
            return goto(procedure, ATTACK.ask_roll, facts=(*data.facts, WARD))
        save = save_ask(tx, ward.leaves.save, ward.leaves.dc, data.attacker, data.target, rule, id=WARD)
        _card(tx, procedure, data, [save])
        return goto(procedure, ATTACK.after_flat_check, data)
    rolling = attack_roll(tx, tx.rules, data)
    if rolling.flat_check is not None and FLAT_CHECK_PASSED not in data.facts:
        numbers, flat = tx.rules.data.turns, rolling.flat_check
        spec = RollSpec(numbers.flat_die)
        question = Ask("flat", "roll", FLAT_CHECK_LABEL, data.attacker, flat.reason, spec, flat.steps, rule=flat.rule)
        _card(tx, procedure, data, [question])
        return goto(procedure, ATTACK.after_flat_check, data)
    data = _with_assumptions(tx, data)
    if rolling.auto_miss is not None:
        return _settle(tx, procedure, msgspec.structs.replace(data, outcome=MISS), rolling.auto_miss.rule)
    if rolling.auto_hit is not None:
        return _settle(tx, procedure, msgspec.structs.replace(data, outcome=HIT), rolling.auto_hit.rule)
    armor_class = target_armor_class(tx, tx.rules, data)
    rule = tx.rule_id("attack.roll")
    unrolled = tx.rules.data.attack.asks_outcome and not rolling.spec.dice
    meets = armor_class.total if armor_class is not None and GUESSED_WRONG not in data.facts else 0
    question = Ask("roll", "roll", "ask.attack", data.attacker, data.weapon.name, rolling.spec, meets, rule=rule)
    if unrolled:
        question = msgspec.structs.replace(question, kind="choice", options=HIT_OR_MISS)
    _card(tx, procedure, data, [question])
    return goto(procedure, ATTACK.after_roll, data)


def _ward(tx: Transaction, data: AttackInProgress) -> Effect | None:
    """Return the effect on the target against which the attacker still has to make a save."""
    effects = tx.of(Effect, data.target) if data.target and not data.is_object and WARD not in data.facts else ()
    return next((each for each in effects if each.leaves and each.leaves.deflects and each.leaves.save), None)


def _with_assumptions(tx: Transaction, data: AttackInProgress) -> AttackInProgress:
    """Store the assumptions about this attack. Report distances, and each assumption that makes a rule apply."""
    settled = with_assumptions(tx, tx.rules, data)
    for fact in open_facts(tx, tx.rules, data):
        is_told = fact.name.startswith(MUTUAL) or rules_applied(tx, tx.rules, settled, fact)
        if is_told and fact.assumed is not None:
            rule = tx.rule_id("attack.target")
            tx.emit(FactAssumed(who=data.attacker, target=data.target, fact=fact.answered, rule=rule))
    return settled


def after_flat_check(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Turn an attack into a miss if its flat check failed. A skipped check counts as passed."""
    _require_both(tx, data)
    ward, answer = _ward(tx, data), answers.get(WARD)
    if ward is not None and ward.leaves is not None and answer is not None:
        rule = tx.rule_id("attack.target")
        degree = degree_of(tx, answer, "ask.save", data.attacker, f"<save.{ward.leaves.save}>", ward.leaves.dc, rule)
        scares = ward.leaves.afflictions  # such a ward only stops an attack after a critical failure
        failed = degree == CRITICAL_FAILURE or (degree == FAILURE and not scares)
        for each in scares if degree in (FAILURE, CRITICAL_FAILURE) else ():
            effect_records.put_condition(
                tx, data.attacker, each.condition, value=each.value, source=ward.source, by=ward.by, rule=rule
            )
        if tx.rules.data.checks.degrees and degree == CRITICAL_SUCCESS and not scares:
            effect_records.end_effect(tx, ward)
        elif tx.rules.data.checks.degrees:
            mark, told = f"{WARD}-{data.attacker}-{ward.id}", MISS if failed and not scares else HIT
            lasts = degree == CRITICAL_FAILURE and not scares
            ends = Duration() if lasts else Duration("turn-end", data.attacker)
            tx.put(Effect(mark, "", WARD, told, by=data.attacker, ends=ends, shown=False))
        if failed:
            return _settle(tx, procedure, msgspec.structs.replace(data, outcome=MISS), rule)
        return goto(procedure, ATTACK.ask_roll, facts=(*data.facts, WARD))
    flat, answer = attack_roll(tx, tx.rules, data).flat_check, answers.get("flat")
    if flat is not None and answer is not None and not answer.skipped:
        passed = result_of(tx, answer, FLAT_CHECK_LABEL, data.attacker, flat.reason, flat.steps, flat.rule)
        if not passed:
            return _settle(tx, procedure, msgspec.structs.replace(data, outcome=MISS), flat.rule)
    return goto(procedure, ATTACK.ask_roll, facts=(*data.facts, FLAT_CHECK_PASSED))


def after_roll(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Decide the attack's outcome from its roll, or from the outcome entered if the dice are unknown."""
    answer = answers.get("roll", AskResult("roll", skipped=True))
    if answer.skipped or tx.get(Combatant, data.attacker) is None or (data.target and not target_name(tx, data)):
        tx.emit(Skipped(purpose="ask.attack", who=data.attacker, detail=data.weapon.name))
        return None
    rolling = attack_roll(tx, tx.rules, data)
    defence = target_armor_class(tx, tx.rules, data)
    attack_outcome = next((outcome for outcome in (HIT, CRITICAL, MISS) if outcome in answer.chosen), MISS)
    if answer.roll is not None and tx.rules.data.attack.asks_outcome:
        rule = tx.rule_id("attack.hit")
        detail = f"{data.weapon.name}, {roll_total(answer.roll)}"
        question = Ask("outcome", "choice", "ask.attack_outcome", data.attacker, detail, options=HIT_OR_MISS, rule=rule)
        _card(tx, procedure, data, [question])
        return goto(procedure, ATTACK.confirm_outcome, data, roll=answer.roll)
    armor_class = defence.total if defence else 0
    if answer.roll is not None:
        attack_outcome = outcome_of(tx.rules, answer.roll, armor_class, rolling.is_critical(answer.roll)) or MISS
    if GUESSED_WRONG in data.facts and attack_outcome != FUMBLE:
        attack_outcome = MISS
    data = msgspec.structs.replace(data, roll=answer.roll, outcome=attack_outcome, critical=attack_outcome == CRITICAL)
    if attack_outcome == MISS and not data.is_object:
        strike_doubles(tx, data)
    if attack_outcome in (HIT, CRITICAL) and _begin_guards(tx, procedure, data, rolling, armor_class):
        return goto(procedure, ATTACK.after_guard, data)
    return _judged(tx, procedure, data, rolling, armor_class)


def _judged(
    tx: Transaction, procedure: Procedure, data: AttackInProgress, rolling: AttackRoll, armor_class: int
) -> Next:
    """Consume the effects that modified the roll, and resolve an attack whose outcome is known."""
    _spend(tx, data, rolling)
    return _settle(tx, procedure, data, _rule(tx.rules, data, rolling, armor_class))


def _begin_guards(
    tx: Transaction, procedure: Procedure, data: AttackInProgress, rolling: AttackRoll, armor_class: int
) -> bool:
    """Begin the target's features that may turn the hit into a miss. Return whether the target has any."""
    target = tx.get(Combatant, data.target)
    if data.is_object or target is None:
        return False
    missing_bonuses: list[str] = []
    defence = target_armor_class(tx, tx.rules, data)
    if data.roll is not None and defence is not None and holders(tx, "attacked"):
        is_critical = rolling.is_critical(data.roll)
        now = outcome_of(tx.rules, data.roll, armor_class, is_critical)
        kinds = ("", *tx.rules.data.checks.types)  # the AC may contain a bonus of the same type already
        guards = (Modifier(more, "", "", kind) for more in range(1, MOST_GUARD + 1) for kind in kinds)
        missing_bonuses = [
            f"misses-with-ac:{guard.value}:{guard.kind}".rstrip(":")
            for guard in guards
            if outcome_of(tx.rules, data.roll, tx.rules.explained_sum(*defence.parts, guard).total, is_critical) != now
        ]
    outcome_tags = (HIT, CRITICAL) if data.critical else (HIT,)
    tags = (*attack_tags(tx, tx.rules, data), *outcome_tags, *missing_bonuses)
    context = HookContext(data.target, "attack-against", other=data.attacker, tags=tags)
    followups = run_hooks(tx, tx.rules, Hook.ATTACK_ROLLED, context)
    effect_records.start_followups(tx, followups, procedure.id)
    return bool(followups.procedures)


def after_guard(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Compare the roll with the AC after the target's reactions, or ask for a second roll if one hinders the attack."""
    _require_both(tx, data)
    rolling, defence = attack_roll(tx, tx.rules, data), target_armor_class(tx, tx.rules, data)
    armor_class = defence.total if defence is not None else 0
    if data.hindered and data.roll is not None:
        spec = msgspec.structs.replace(rolling.spec, edges=())
        rule = tx.rule_id("attack.edges")
        question = Ask("roll", "roll", "ask.attack", data.attacker, data.hindered, spec, armor_class, rule=rule)
        _card(tx, procedure, data, [question])
        return goto(procedure, ATTACK.after_second_roll)
    if data.roll is not None and data.outcome != MISS:
        outcome = outcome_of(tx.rules, data.roll, armor_class, rolling.is_critical(data.roll)) or MISS
        # an illusory double may have taken the critical hit
        outcome = HIT if outcome == CRITICAL and data.outcome == HIT else outcome
        data = msgspec.structs.replace(data, outcome=outcome, critical=outcome == CRITICAL)
    return _judged(tx, procedure, data, rolling, armor_class)


def after_second_roll(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Keep the lower of the two rolls of an attack that a reaction hinders."""
    second_roll = answers["roll"].roll if "roll" in answers else None
    if second_roll is None or data.roll is None or (second_roll.total or 0) >= (data.roll.total or 0):
        second_roll = data.roll
    data = msgspec.structs.replace(data, roll=second_roll, hindered="")
    return after_guard(tx, goto(procedure, ATTACK.after_guard, data), data, answers)


def _spend(tx: Transaction, data: AttackInProgress, rolling: AttackRoll) -> None:
    """Spend the effects that modified the roll, except those of a hit that also change its damage."""
    effects = (tx.get(Effect, id) for id in rolling.consumed_effects)
    is_hit = data.outcome in (HIT, CRITICAL)
    used = [each.id for each in effects if each and not (is_hit and any(rule.what == "damage" for rule in each.rules))]
    effect_records.consume_effects(tx, used, data.roll)


def confirm_outcome(tx: Transaction, procedure: Procedure, data: AttackInProgress, answers: Answers) -> Next:
    """Store the game master's decision whether the roll hits, in a system that has no AC to compare it with."""
    _require_both(tx, data)
    rolling = attack_roll(tx, tx.rules, data)
    data = msgspec.structs.replace(data, outcome=HIT if HIT in choices_of(answers, "outcome") else MISS)
    _spend(tx, data, rolling)
    return _settle(tx, procedure, data, tx.rule_id(_topic(data)))


def _rule(rules: RuleSystem, data: AttackInProgress, rolling: AttackRoll, meets: int) -> str:
    """Return the rule that decided the attack's outcome, or the rule that turned a normal hit into a critical hit."""
    critical_cause = rolling.critical if data.outcome == CRITICAL and data.roll is not None else None
    if critical_cause is not None and data.roll is not None and outcome_of(rules, data.roll, meets, False) != CRITICAL:
        return critical_cause.rule
    return rules.rule_id(_topic(data))


def _topic(data: AttackInProgress) -> str:
    if GUESSED_WRONG in data.facts:
        return "attack.hidden-miss"
    return {CRITICAL: "attack.critical", FUMBLE: "attack.fumble", HIT: "attack.hit"}.get(data.outcome, "attack.resolve")


def _settle(tx: Transaction, procedure: Procedure, data: AttackInProgress, rule: str) -> Next:
    """Report the attack's outcome, reveal a hidden attacker, and continue with the hit."""
    _tell(tx, data, rule)
    if data.purpose != "opportunity" and not data.together and UNCOUNTED not in data.weapon.properties:
        count_attack(tx, data.attacker, data.weapon.id, data.target, hit=data.outcome in (HIT, CRITICAL))
    if data.outcome == FUMBLE and data.weapon.afflictions and not data.weapon.save:
        own = (data.attacker,)
        inflict(tx, data.weapon, own, data.attacker, rule, procedure.id, degree=CRITICAL_FAILURE, saved=True)
    _mark_engaged(tx, data)
    hides = sight.is_hidden_from(tx, tx.rules, data.attacker, data.target)
    is_seen = not target_name(tx, data) or data.is_object or sight.sees(tx, tx.rules, data.target, data.attacker)
    if hides or is_seen is False:  # its damage may depend on it
        data = msgspec.structs.replace(data, facts=(*data.facts, "hidden-from"))
    _reveal(tx, data)
    procedure = _begin_triggered(tx, procedure, data)
    if data.outcome not in (HIT, CRITICAL) or not target_name(tx, data):
        spell = listed_spell(tx.rules, data.weapon) if data.target and not data.is_object else None
        if spell is not None and any(own.degree == FAILURE and own.then for own in spell.degrees):  # it also bursts
            bare = msgspec.structs.replace(data.weapon, afflictions=(), ongoing="", push=0)
            inflict(tx, bare, (data.target,), data.attacker, rule, procedure.id, degree=FAILURE, saved=True)
        grazes = HALF_ON_MISS in data.weapon.properties and data.weapon.damage and target_name(tx, data)
        return goto(procedure, ATTACK.ask_damage, data) if grazes and not data.is_object else None
    if isinstance(targeted_object(tx, data.target) if data.is_object else None, EnvironmentEntry):
        return goto(procedure, ATTACK.trigger_target, data)
    declaration.begin_disrupt_check(tx, data, procedure.id)
    disrupts = DISRUPTS in data.weapon.properties
    if (data.critical or disrupts) and tx.rule_id("reaction.interrupted"):
        _disrupt_trigger(tx, procedure, every=disrupts)
    _mark_hit(tx, data)
    if data.critical and data.weapon.damage and not data.is_object:
        question = negation_ask(tx, data.target)
        if question is not None:
            ask(tx, procedure, "prompt.reaction", [question], subject=target_name(tx, data))
    return goto(procedure, ATTACK.ask_damage, data)


def _manipulates(data: AttackInProgress) -> bool:
    """Return whether an attack is a manipulate action, as spells are."""
    return is_spell(data.weapon) or MANIPULATE in data.weapon.properties


def _disrupt_trigger(tx: Transaction, procedure: Procedure, *, every: bool) -> None:
    """Disrupt the manipulate action (or every kind of action) to which an attack reacts, if there is one."""
    above: Procedure | None = procedure
    while above is not None and not (isinstance(above.data, FeatureTrigger) and above.data.moment == "enemy-acts"):
        above = tx.get(Procedure, above.parent)
    trigger = tx.get(Procedure, above.parent) if above is not None else None
    if trigger is None:
        return
    data = trigger.data
    if isinstance(data, SaveEffect):
        tx.update(trigger, data=msgspec.structs.replace(data, answered="disrupted"))
    elif isinstance(data, ActionInProgress):
        if every or action_option(tx, tx.rules, data.who, data.action).provokes == MANIPULATE:
            tx.update(trigger, data=msgspec.structs.replace(data, answered="disrupted"))
    elif isinstance(data, MoveInProgress) and every:
        tx.update(trigger, data=msgspec.structs.replace(data, disrupted=True))
    elif isinstance(data, AttackInProgress) and (every or _manipulates(data)):
        tx.update(trigger, data=msgspec.structs.replace(data, tags=(*data.tags, DISRUPTED)))


def _mark_engaged(tx: Transaction, data: AttackInProgress) -> None:
    """Mark the target of a melee attack at an unknown distance as near until the attacker's next turn."""
    if data.is_object or data.purpose == "opportunity" or tx.get(Combatant, data.target) is None:
        return
    is_unknown = RANGED not in attack_tags(tx, tx.rules, data) and distance_to(tx, tx.rules, data) is None
    if not is_unknown or not are_engagements_read(tx, tx.rules):
        return
    mark = f"{ENGAGED}-{data.attacker}-{data.target}"
    ends = Duration("turn-start", data.attacker)
    tx.put(Effect(mark, "", ENGAGED, data.target, by=data.attacker, ends=ends, shown=False))


def _mark_hit(tx: Transaction, data: AttackInProgress) -> None:
    """Mark the target of a hit if the attacker has a feature that may directly follow it."""
    attacker = tx.need(Combatant, data.attacker)
    if not data.is_object and any(follows_hits(feature) for feature in creature_of(tx, attacker).features):
        ends = Duration("turn-end", attacker.id)
        id, by = tx.next_id("effect"), attacker.id
        mark = Effect(id, data.target, JUST_HIT, data.weapon.id, by=by, ends=ends, shown=False)
        effect_records.put_effect(tx, msgspec.structs.replace(mark, value=int(data.critical)))


def _begin_triggered(tx: Transaction, procedure: Procedure, data: AttackInProgress) -> Procedure:
    """Begin the features that the attack's outcome triggers; they run once the attack is over. Return the attack."""
    if data.is_object or not target_name(tx, data):
        return procedure
    outcome = {HIT: (HIT,), CRITICAL: (HIT, CRITICAL)}.get(data.outcome, ())
    tags = (*attack_tags(tx, tx.rules, data), *outcome)
    context = HookContext(data.attacker, "attack", other=data.target, tags=tags)
    for triggered in run_hooks(tx, tx.rules, Hook.ATTACK_SETTLED, context).procedures:
        later = begin(tx, triggered.kind.first, triggered.data, procedure.parent)
        procedure = tx.put(msgspec.structs.replace(procedure, parent=later.id))
    return procedure


def _tell(tx: Transaction, data: AttackInProgress, rule: str) -> None:
    """Report the attack. If its square was a guess, players learn only whether it hit."""
    guessed = GUESSED_RIGHT in data.facts or GUESSED_WRONG in data.facts
    quiet = guessed and data.outcome not in (HIT, CRITICAL)
    armor_class = target_armor_class(tx, tx.rules, data)
    tx.emit(
        Attacked(
            who=data.attacker,
            weapon=data.weapon.name,
            target=data.target,
            name=target_name(tx, data),
            outcome=MISS if quiet else data.outcome,
            roll=None if quiet else data.roll,
            ac=armor_class.total if armor_class is not None and not guessed else None,
            defence=armor_class.parts if armor_class is not None and not guessed else (),
            guessed=guessed,
            rule=tx.rule_id("attack.hidden-miss") if quiet else rule,
        )
    )
    if guessed:
        right, rule = GUESSED_RIGHT in data.facts, tx.rule_id("attack.hidden")
        who, target, is_reported = data.attacker, data.target, right and not quiet  # the hit's line names the target
        tx.emit(AttackGuessed(who=who, target=target, right=right, roll=data.roll, rule=rule, bookkeeping=is_reported))


def _reveal(tx: Transaction, data: AttackInProgress) -> None:
    """Reveal a hidden attacker. With a house rule, it stays hidden while it is unseen for another reason."""
    stays = tx.rules.has_option(tx, tx.role("stays-hidden"))
    effect_records.end_effects_at(tx, "attacks", data.attacker)
    effect_records.end_effects_at(tx, "opposes", data.attacker)
    effect_records.end_effects_at(tx, "affects", data.attacker)
    effect_records.mark_stirred(tx, data.attacker)
    for effect in tx.of(Effect, data.attacker):
        if effect.name != tx.role("hidden"):
            continue
        observer = effect.by or (data.target if not data.is_object else "")
        tx.remove(effect)
        if stays and observer and sight.sees(tx, tx.rules, observer, data.attacker) is False:
            tx.put(effect)
        else:
            effect_records.end_effect(tx, effect, tx.rule_id("attack.stays-hidden" if stays else "attack.reveal"))


def _card(tx: Transaction, procedure: Procedure, data: AttackInProgress, asks: list[Ask]) -> None:
    subject = target_name(tx, data) or data.weapon.name
    ask(tx, procedure, "prompt.attack", asks, subject=subject, rule=tx.rule_id("attack.resolve"))
