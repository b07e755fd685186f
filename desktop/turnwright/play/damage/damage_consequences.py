"""Consequences of damage taken: the choice to spare the target, massive damage, dropping to 0, hits while down."""

import msgspec

from turnwright.encounter import roles, state
from turnwright.encounter.prepared import DyingMode, Feature
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import FAILURE, Ask, Option, choice_ask
from turnwright.encounter.procedure_state.damage import DAMAGE_CONSEQUENCES, DamageConsequences
from turnwright.encounter.procedure_state.effects import CONCENTRATION, ConcentrationCheck
from turnwright.encounter.running import Combatant
from turnwright.play.asking.checks import result_of
from turnwright.play.damage.manual_hit_points import begin_phases
from turnwright.play.damage.zero_hit_points import (
    ZERO_HP_RULES,
    add_failure,
    clear_stable,
    die,
    fall_unconscious,
    keeps_up,
    knock_out,
    let_fall,
    lose_consciousness,
)
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choice_of, choices_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state import action_economy, effect_records, events, hit_points
from turnwright.rules.parts.attacks.attack_targeting import MASSIVE_DAMAGE_TAGS
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.combatants.facts import KEPT_UP, LEVEL
from turnwright.rules.parts.conditions.numbers import fatal_number
from turnwright.rules.parts.damage.damage_steps import makes_saves, massive_damage_threshold, outcomes_at_zero
from turnwright.rules.parts.economy.limited_uses import use_key
from turnwright.rules.system import NO_RESULT, Hook, HookContext, RuleSystem, run_hooks

KNOCK_OUT, USUAL = "knock-out", "usual"
LAST_ACTION, NO_LAST_ACTION = "act", "nothing"
DOOMED_AT_ZERO: DyingMode = "doomed"
LEVEL_ASK, MASSIVE = "ask.level_or_hit_dice", "ask.massive_save"


def start(tx: Transaction, procedure: Procedure, data: DamageConsequences, answers: Answers) -> Next:
    """Begin the consequences of damage in order. Return None if the target is dead or gone."""
    combatant = tx.get(Combatant, data.target)
    if combatant is None or combatant.dead:
        return None
    excess = max(0, data.hp_damage - data.hp_before)
    if combatant.hp <= 0 and (former := effect_records.revert_shape(tx, data.target, excess)) is not None:
        if not former.kept:
            data = msgspec.structs.replace(data, hp_before=former.hp, hp_damage=excess)
        return after_phase(tx, goto(procedure, DAMAGE_CONSEQUENCES.start, data), data, answers)
    if combatant.hp <= 0 and begin_phases(tx, data.target, data.hp_before, procedure.id):
        return goto(procedure, DAMAGE_CONSEQUENCES.after_phase)
    return after_phase(tx, procedure, data, answers)


def after_phase(tx: Transaction, procedure: Procedure, data: DamageConsequences, answers: Answers) -> Next:
    """If no new phase keeps the target up, trigger its features that may."""
    combatant = tx.get(Combatant, data.target)
    if combatant is None or combatant.dead:
        return None
    if combatant.hp <= 0 < data.hp_before:
        if _stays_up(tx, combatant):
            return after_dropping(tx, procedure, data, answers)
        tags = (*(f"kind:{kind}" for kind in data.kinds), *(("critical",) if data.critical else ()))
        context = HookContext(data.target, "damage-against", other=data.by, tags=tags, amount=data.damage)
        outright = makes_saves(tx, tx.rules, data.target) and _kills_outright(tx.rules, combatant, data)
        followups = NO_RESULT if outright else run_hooks(tx, tx.rules, Hook.DROPPING, context)
        effect_records.start_followups(tx, followups, procedure.id)
        if followups.procedures:
            return goto(procedure, DAMAGE_CONSEQUENCES.after_dropping)
    return after_dropping(tx, procedure, data, answers)


def _stays_up(tx: Transaction, combatant: Combatant) -> bool:
    """Keep a combatant at some hit points instead of 0 if one of its rules does that, and spend a use of the rule."""
    for rule in outcomes_at_zero(tx, tx.rules, combatant.id, "stays"):
        kept = max(1, rule.rule.set or 1)
        hit_points.restore_hit_points(tx, combatant.id, kept - combatant.hp, source=rule.source_name, rule=rule.ledger)
        if isinstance(rule.source, Feature) and rule.source.uses:
            action_economy.spend_use(tx, combatant.id, use_key(rule.source), rule.source.name)
        if rule.context.effect is not None and rule.context.effect.uses_left:
            effect_records.consume_effects(tx, (rule.context.effect.id,))
        return True
    return False


def after_dropping(tx: Transaction, procedure: Procedure, data: DamageConsequences, answers: Answers) -> Next:
    """Continue with the consequences. The target may have kept some hit points."""
    combatant = tx.get(Combatant, data.target)
    if combatant is None or combatant.dead:
        return None
    zero_hp_rule = ZERO_HP_RULES.get(tx.rules.data.dying.mechanism)
    if zero_hp_rule is not None and combatant.hp <= 0:
        return zero_hp_rule.on_damage(tx, procedure)
    if combatant.hp > 0:
        shaken = bool(tx.rules.data.dying.concentration.ability)
        if shaken and effect_records.concentration_of(tx, tx.rules, data.target) is not None and data.hp_before:
            begin(tx, CONCENTRATION.ask_concentration, ConcentrationCheck(data.target, data.damage), procedure.id)
        return None
    if not data.hp_before:
        return _struck_at_zero(tx, procedure, data)
    if not _may_spare(tx, data):
        return goto(procedure, DAMAGE_CONSEQUENCES.drop_to_zero)
    options = (Option(USUAL, "option.usual_at_zero"), Option(KNOCK_OUT, "option.knock_out"))
    question = choice_ask("fate", "ask.knock_out", options, data.by, rule=tx.rule_id("knockout.melee"))
    ask(tx, procedure, "prompt.at_zero", [question], subject=combatant.label, rule=tx.rule_id("knockout.timing"))
    return goto(procedure, DAMAGE_CONSEQUENCES.after_spare_choice)


def _may_spare(tx: Transaction, data: DamageConsequences) -> bool:
    """Return whether the attacker may knock the target out instead: in melee, if the system allows it."""
    by = tx.rules.data.dying.knock_out_by
    if not by or not data.melee or data.cause != "attack":
        return False
    return by == "anyone" or ((attacker := tx.get(Combatant, data.by)) is not None and roles.is_character(tx, attacker))


def after_spare_choice(tx: Transaction, procedure: Procedure, data: DamageConsequences, answers: Answers) -> Next:
    """Knock the target out instead of dropping it, if the attacker chose to."""
    if not _is_down(tx, data):
        return None
    if KNOCK_OUT not in choices_of(answers, "fate"):
        return goto(procedure, DAMAGE_CONSEQUENCES.drop_to_zero)
    knock_out(tx, data.target)
    return None


def drop_to_zero(tx: Transaction, procedure: Procedure, data: DamageConsequences, answers: Answers) -> Next:
    """Apply the consequence of 0 hit points: death, doom, or dying (after surviving massive damage)."""
    if not _is_down(tx, data):
        return None
    combatant = tx.need(Combatant, data.target)
    zero_hp_rule = ZERO_HP_RULES.get(tx.rules.data.dying.mechanism)
    if zero_hp_rule is not None:
        return zero_hp_rule.on_damage(tx, procedure)
    if combatant.dying == DOOMED_AT_ZERO:
        return _ask_last_action(tx, procedure, data)
    if not makes_saves(tx, tx.rules, data.target):
        if outcomes_at_zero(tx, tx.rules, data.target, "down"):
            lose_consciousness(tx, data.target, tx.rule_id("zero.unconscious"))
        elif not keeps_up(tx, data.target):
            die(tx, data.target, tx.rule_id("npc.monster-dies"))
        return None
    if not data.damage:  # the hit points were set by hand, without damage
        clear_stable(tx, data.target)
        return None
    if _kills_outright(tx.rules, combatant, data):
        die(tx, data.target, tx.rule_id("death.instant"))
        return None
    if tx.rules.data.dying.massive.is_possible:
        return _massive_or_not(tx, procedure, data, answers)
    fall_unconscious(tx, data.target)
    return None


def _kills_outright(rules: RuleSystem, combatant: Combatant, data: DamageConsequences) -> bool:
    """Return whether the damage beyond 0 hit points is at least the target's maximum."""
    return rules.data.dying.instant and data.hp_damage - data.hp_before >= combatant.hp_max


def _massive_or_not(tx: Transaction, procedure: Procedure, data: DamageConsequences, answers: Answers) -> Next:
    """Ask for the save if the damage is massive. If that depends on an unknown level, ask for the level first."""
    combatant = tx.need(Combatant, data.target)
    level = answers.get("level")
    if level is not None and level.number:
        combatant = tx.update(combatant, supplied_numbers=(*combatant.supplied_numbers, (LEVEL, level.number)))
    threshold = massive_damage_threshold(tx, tx.rules, data.target)
    if threshold is None and level is None and data.hp_damage >= tx.rules.data.dying.massive.base:
        question = Ask("level", "number", LEVEL_ASK, detail=combatant.label, rule=tx.rule_id("external.level-hit-dice"))
        ask(tx, procedure, "prompt.massive", [question], subject=combatant.label)
        return goto(procedure, DAMAGE_CONSEQUENCES.drop_to_zero)
    if threshold is not None and data.hp_damage >= threshold:
        return _massive(tx, procedure, data)
    fall_unconscious(tx, data.target)
    return None


def _massive(tx: Transaction, procedure: Procedure, data: DamageConsequences) -> Procedure:
    """Ask for the save against instant death from massive damage."""
    who = data.target
    numbers, threshold = tx.rules.data.dying.massive, massive_damage_threshold(tx, tx.rules, who)
    spec = save_roll(tx, tx.rules, who, numbers.ability, tags=MASSIVE_DAMAGE_TAGS)
    detail = f"{data.hp_damage} ≥ {threshold}"
    question = Ask("save", "roll", MASSIVE, who, detail, spec, numbers.dc, rule=tx.rule_id("massive.save"))
    subject = tx.need(Combatant, who).label
    ask(tx, procedure, "prompt.massive", [question], subject=subject, rule=tx.rule_id("massive.threshold"))
    return goto(procedure, DAMAGE_CONSEQUENCES.after_massive_save)


def after_massive_save(tx: Transaction, procedure: Procedure, data: DamageConsequences, answers: Answers) -> None:
    """Kill a target that failed the save against massive damage. On a success it drops and gains fatigue and strife."""
    who = data.target
    answer = answers.get("save")
    if not _is_down(tx, data) or answer is None:
        return
    numbers = tx.rules.data.dying.massive
    if answer.skipped:
        tx.emit(events.Skipped(purpose=MASSIVE, who=who))
    elif not result_of(tx, answer, MASSIVE, who, "", numbers.dc, tx.rule_id("massive.save")):
        die(tx, who, tx.rule_id("massive.save"))
        return
    else:
        hit_points.add_levels(tx, who, tx.role("fatigue"), numbers.fatigue, tx.rule_id("massive.success"))
        hit_points.add_levels(tx, who, tx.role("strife"), numbers.strife, tx.rule_id("massive.success"))
    fall_unconscious(tx, who)


def _struck_at_zero(tx: Transaction, procedure: Procedure, data: DamageConsequences) -> Next:
    """Add a failed death save for a hit at 0 hit points, or ask for the consequence if the system offers others."""
    numbers = tx.rules.data.dying
    if not makes_saves(tx, tx.rules, data.target):
        if not outcomes_at_zero(tx, tx.rules, data.target, "down") and not keeps_up(tx, data.target):
            die(tx, data.target, tx.rule_id("npc.monster-dies"))
        return None
    if _kills_outright(tx.rules, tx.need(Combatant, data.target), data):
        die(tx, data.target, tx.rule_id("death.massive-at-zero"))
        return None
    clear_stable(tx, data.target)
    attacked = _is_attack(data)
    if data.critical:
        rule = tx.rule_id("fatigue.cause-critical-at-zero")
        hit_points.add_levels(tx, data.target, tx.role("fatigue"), numbers.critical_fatigue, rule)
    if not numbers.prices or (not attacked and not tx.rules.has_option(tx, tx.role("asks-damage-at-zero"))):
        _fail_for(tx, data, tx.rule_id("death.attacked" if attacked else "death.other-damage"))
        return None
    rule = tx.rule_id("death.attacked" if attacked else "death.other-damage-option")
    options = tuple(Option(price, f"option.{price}") for price in (FAILURE, *numbers.prices))
    question = Ask("price", "choice", "ask.struck_at_zero", data.by, options=options, suggested=(FAILURE,), rule=rule)
    ask(tx, procedure, "prompt.at_zero", [question], subject=tx.need(Combatant, data.target).label)
    return goto(procedure, DAMAGE_CONSEQUENCES.after_hit_while_down)


def after_hit_while_down(tx: Transaction, procedure: Procedure, data: DamageConsequences, answers: Answers) -> None:
    """Apply the chosen consequence of a hit at 0 hit points. The default is a failed death save."""
    if not _is_down(tx, data):
        return
    price = choice_of(answers, "price", FAILURE)
    topic = "death.other-damage" if price == FAILURE else "death.other-damage-option"
    rule = tx.rule_id("death.attacked" if _is_attack(data) else topic)
    if price == FAILURE:
        _fail_for(tx, data, rule)
    else:
        hit_points.add_levels(tx, data.target, price, 1, rule)


def _is_attack(data: DamageConsequences) -> bool:
    """Return whether the damage is that of an attack, which a critical hit always is."""
    return data.cause == "attack" or data.critical


def _fail_for(tx: Transaction, data: DamageConsequences, rule: str) -> None:
    """Add a failed death save for a hit at 0 hit points, or several for a critical hit."""
    times = tx.rules.data.dying.critical_failures if data.critical else 1
    add_failure(tx, data.target, tx.rule_id("death.critical") if times > 1 else rule, times)


def _ask_last_action(tx: Transaction, procedure: Procedure, data: DamageConsequences) -> Procedure:
    """Doom a combatant, and wait until the group has played its last action or speech."""
    who = data.target
    rule = tx.rule_id("npc.doomed-at-zero")
    effect_records.put_condition(tx, who, tx.role("doomed"), rule=rule)
    options = (Option(LAST_ACTION, "option.last_deed"), Option(NO_LAST_ACTION, "option.no_last_deed"))
    question = choice_ask("deed", "ask.last_deed", options, who, rule=rule)
    ask(tx, procedure, "prompt.last_deed", [question], subject=tx.need(Combatant, who).label)
    return goto(procedure, DAMAGE_CONSEQUENCES.finish)


def maximum_changed(tx: Transaction, procedure: Procedure, data: DamageConsequences, answers: Answers) -> Next:
    """Continue after effects changed numbers: a maximum or ability of 0 kills, and 0 hit points have consequences."""
    combatant = tx.get(Combatant, data.target)
    if combatant is None or combatant.dead:
        return None
    if combatant.hp <= 0 and state.find_effect(tx, data.target, KEPT_UP) is not None and not keeps_up(tx, data.target):
        let_fall(tx, data.target)
        return None
    number = fatal_number(tx, tx.rules, data.target)
    if number is not None and tx.rules.data.dying.mechanism not in ZERO_HP_RULES:
        die(tx, data.target, number.parts[-1].rule)
    elif combatant.hp <= 0 < data.hp_before:
        return goto(procedure, DAMAGE_CONSEQUENCES.start)
    elif data.hp_before <= 0 < combatant.hp:
        hit_points.regain_consciousness(tx, data.target)
    return None


def finish(tx: Transaction, procedure: Procedure, data: DamageConsequences, answers: Answers) -> None:
    """Kill the doomed combatant after its last action."""
    who = data.target
    if not _is_down(tx, data):
        return
    rule = tx.rule_id("npc.doomed-at-zero")
    if LAST_ACTION in choices_of(answers, "deed"):
        tx.emit(events.ActionTaken(who=who, action="<action.last_deed>", rule=rule))
    die(tx, who, rule)


def begin_unhealed(tx: Transaction, who: str, parent: str) -> str:
    """Begin the death of a combatant that is down until its turn. Healing that waits for the returned id comes first."""
    combatant = tx.need(Combatant, who)
    is_held = combatant.hp <= 0 < combatant.hp_max and not makes_saves(tx, tx.rules, who)
    if not is_held or not outcomes_at_zero(tx, tx.rules, who, "down"):
        return parent
    return begin(tx, DAMAGE_CONSEQUENCES.die_unhealed, DamageConsequences(who, 0, 0, 0), parent).id


def die_unhealed(tx: Transaction, procedure: Procedure, data: DamageConsequences, answers: Answers) -> None:
    """Kill a combatant that nothing has healed as its turn started."""
    if _is_down(tx, data):
        die(tx, data.target, tx.rule_id("npc.monster-dies"))


def _is_down(tx: Transaction, data: DamageConsequences) -> bool:
    """Return whether the target is alive and still at 0 hit points."""
    combatant = tx.get(Combatant, data.target)
    return combatant is not None and not combatant.dead and combatant.hp <= 0
