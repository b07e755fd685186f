"""Dying with a value: a recovery check at the start of each turn changes the value, and a high value kills.

If the rules leave the outcome open, the data suggests one. The game master confirms it; with strict rules it applies
automatically.
"""

from __future__ import annotations

from turnwright.dice.roll import RollSpec
from turnwright.encounter.lookups import effects_named
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Option, choice_ask, roll_ask
from turnwright.encounter.procedure_state.damage import (
    DAMAGE_CONSEQUENCES,
    RECOVERY_CHECK,
    DamageConsequences,
    RecoveryChecks,
)
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.asking.checks import degree_of
from turnwright.play.damage.death_saves import die
from turnwright.play.effects.durations import EffectUpdated
from turnwright.play.kernel.scheduler import Answers, ask, begin, choice_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_effect, put_condition
from turnwright.play.state.events import Skipped
from turnwright.play.turn_order.order_changes import move_before_active
from turnwright.rules.parts.checks.degrees import LADDER
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.damage.dying import makes_saves
from turnwright.rules.system import RuleSystem, creature_of, label_of, labels_of

CHECK_LABEL, DYING_VALUE_LABEL, AT_ZERO_LABEL = "ask.recovery_check", "ask.dying_becomes", "ask.at_zero"
BEGINS_DYING, DIES, UNCONSCIOUS_ONLY, UNCHANGED = "dying", "dies", "out", "stays"
ENFORCE = "enforce"


# Consequences of damage ------------------------------------------------------------------------------------------


def damage_while_dying(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> Procedure | None:
    """Start dying, raise the dying value or kill, for damage that leaves no hit points."""
    data = data_of(procedure, DamageConsequences)
    if _stop(tx, rules, data.target):
        return None
    suggested = _suggested(tx, rules, data)
    if tx.strictness == ENFORCE:
        _befall(tx, rules, data, suggested)
        return None
    dying = _value(tx, data.target, rules.role("dying"))
    outcomes = (BEGINS_DYING, UNCHANGED) if dying else (BEGINS_DYING, UNCONSCIOUS_ONLY, DIES)
    options = tuple(Option(outcome, f"option.at_zero_{outcome}") for outcome in outcomes)
    detail, rule = f"<condition.{rules.role('dying')}> {_next_value(tx, rules, data)}", rules.rule_id("death.dying")
    if tx.need(Combatant, data.target).side == "party":
        suggested = BEGINS_DYING  # pressing Enter never kills an ally
    question = choice_ask("fate", AT_ZERO_LABEL, options, detail=detail, suggested=suggested, rule=rule)
    ask(tx, procedure, "prompt.at_zero", [question], subject=label_of(tx, data.target))
    return goto(procedure, DAMAGE_CONSEQUENCES.apply_zero_choice)


def apply_zero_choice(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Apply the game master's choice at 0 hit points. The default is the usual consequence."""
    data = data_of(procedure, DamageConsequences)
    combatant = tx.get(Combatant, data.target)
    if combatant is None or combatant.dead or combatant.hp > 0:
        return
    _befall(tx, rules, data, choice_of(answers, "fate") or _suggested(tx, rules, data))


def _stop(tx: Transaction, rules: RuleSystem, who: str) -> bool:
    """Break an object at 0 hit points, because it can't die. Return whether the combatant is an object."""
    numbers = rules.data.dying.things
    if not {*creature_of(tx, tx.need(Combatant, who)).tags} & {*numbers.tags}:
        return False
    put_condition(tx, rules, who, numbers.condition, rule=rules.rule_id("thing.stopped"))
    return True


def _suggested(lookup: Lookup, rules: RuleSystem, data: DamageConsequences) -> str:
    return BEGINS_DYING if makes_saves(lookup, rules, data.target) else DIES


def _next_value(lookup: Lookup, rules: RuleSystem, data: DamageConsequences) -> int:
    """Return the dying value after the damage."""
    numbers = rules.data.dying.recovery
    dying = _value(lookup, data.target, rules.role("dying"))
    if dying:
        return dying + (numbers.critical_hurt if data.critical else numbers.hurt)
    start = numbers.critical_start if data.critical else numbers.start
    return start + _value(lookup, data.target, numbers.worse)


def _befall(tx: Transaction, rules: RuleSystem, data: DamageConsequences, what: str) -> None:
    who = data.target
    if what == DIES:
        die(tx, rules, who, rules.rule_id("npc.monster-dies"))
        return
    if not _value(tx, who, rules.role("unconscious")):
        put_condition(tx, rules, who, rules.role("unconscious"), rule=rules.rule_id("zero.unconscious"))
        move_before_active(tx, rules, who)
    if what != BEGINS_DYING:
        return
    value, rule = _next_value(tx, rules, data), rules.rule_id("death.dying")
    if _value(tx, who, rules.role("dying")):
        _change(tx, rules, who, value, rules.rule_id("death.attacked"))
    elif put_condition(tx, rules, who, rules.role("dying"), value=value, rule=rule):
        _judge(tx, rules, who)


# The check at the start of a turn --------------------------------------------------------------------------------


def begin_recovery_checks(tx: Transaction, rules: RuleSystem, who: tuple[str, ...], parent: str = "") -> None:
    """Begin the recovery checks of dying combatants before any other phase of their turn; `parent` waits."""
    dying = tuple(id for id in who if not is_out_of_play(tx, id) and _value(tx, id, rules.role("dying")))
    if dying:
        begin(tx, RECOVERY_CHECK.ask_checks, RecoveryChecks(dying), parent)


def ask_checks(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for each dying combatant's recovery check. A higher dying value means a higher DC."""
    rule, numbers = rules.rule_id("death.turn-start"), rules.data.dying.recovery
    who = _dying(tx, rules, procedure)
    asks = [
        roll_ask(id, CHECK_LABEL, _stands(tx, rules, id), RollSpec(numbers.die), _dc(tx, rules, id), rule=rule)
        for id in who
    ]
    ask(tx, procedure, "prompt.recovery_check", asks, subject=labels_of(tx, who))
    return goto(procedure, RECOVERY_CHECK.after_checks)


def after_checks(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Report each check and the resulting dying value. The game master may enter another value."""
    rule, asks, checked = rules.rule_id("death.count"), [], []
    for who in _dying(tx, rules, procedure):
        value = _checked(tx, rules, who, answers)
        if value is None:
            continue
        if tx.strictness == ENFORCE:
            _change(tx, rules, who, value, rule)
            continue
        checked.append(who)
        most, detail = _dies_at(tx, rules, who), _stands(tx, rules, who)
        options = tuple(Option(str(number), str(number)) for number in range(most + 1))
        suggested = str(min(value, most))
        asks.append(choice_ask(who, DYING_VALUE_LABEL, options, who, detail, suggested=suggested, rule=rule))
    ask(tx, procedure, "prompt.recovery_check", asks, subject=labels_of(tx, checked))
    return goto(procedure, RECOVERY_CHECK.apply_values, data_of(procedure, RecoveryChecks), who=tuple(checked))


def _checked(tx: Transaction, rules: RuleSystem, who: str, answers: Answers) -> int | None:
    """Return the dying value that results from a combatant's check, or None if the check was skipped."""
    answer = answers.get(who)
    if answer is None or answer.skipped:
        tx.emit(Skipped(purpose=CHECK_LABEL, who=who))
        return None
    dc, rule = _dc(tx, rules, who), rules.rule_id("death.target")
    degree = degree_of(tx, rules, answer, CHECK_LABEL, who, _stands(tx, rules, who), dc, rule)
    steps = rules.data.dying.recovery.steps
    return None if degree is None else max(0, _value(tx, who, rules.role("dying")) + steps[LADDER.index(degree)])


def apply_values(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Set each combatant's dying value as entered."""
    for who in _dying(tx, rules, procedure):
        if value := choice_of(answers, who):
            _change(tx, rules, who, int(value), rules.rule_id("death.count"))


# The value -------------------------------------------------------------------------------------------------------


def _change(tx: Transaction, rules: RuleSystem, who: str, value: int, rule: str) -> None:
    """Set a dying value. At 0 the combatant is no longer dying; if the value is too high, it dies."""
    effect = effects_named(tx, who, rules.role("dying"))[0]
    if value <= 0:
        end_effect(tx, rules, effect, rule)
    elif value != effect.value:
        tx.update(effect, value=value)
        tx.emit(EffectUpdated(target=who, name=rules.role("dying"), value=value, rule=rule))
        _judge(tx, rules, who)


def _judge(tx: Transaction, rules: RuleSystem, who: str) -> None:
    if _value(tx, who, rules.role("dying")) >= _dies_at(tx, rules, who):
        die(tx, rules, who, rules.rule_id("death.third-failure"))


def _dies_at(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the dying value that kills a combatant."""
    numbers = rules.data.dying.recovery
    return max(1, numbers.kills - _value(lookup, who, numbers.sooner))


def _dc(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    return rules.data.dying.recovery.dc + _value(lookup, who, rules.role("dying"))


def _value(lookup: Lookup, who: str, name: str) -> int:
    """Return the value of a combatant's condition: 0 without the condition, or 1 if the condition has no values."""
    return max((max(1, effect.value) for effect in effects_named(lookup, who, name)), default=0)


def _dying(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> list[str]:
    here = (id for id in data_of(procedure, RecoveryChecks).who if not is_out_of_play(tx, id))
    return [id for id in here if _value(tx, id, rules.role("dying"))]


def _stands(lookup: Lookup, rules: RuleSystem, who: str) -> str:
    dying = rules.role("dying")
    return f"<condition.{dying}> {_value(lookup, who, dying)}"


STAGES = stages_in(globals(), DAMAGE_CONSEQUENCES, RECOVERY_CHECK)
