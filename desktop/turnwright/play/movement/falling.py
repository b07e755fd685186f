"""Falling: the height, the damage, and the game master's choice whether the fall happens."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.lookups import effects_named
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.procedure_state.damage import DAMAGE_ROLL, DamageRoll
from turnwright.encounter.procedure_state.movement import FALL, Fall
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, ask, begin, choice_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_condition, put_effect
from turnwright.rules.parts.movement.falling import ground_below, height_over_ground, is_open_sky
from turnwright.rules.parts.movement.riding import riders_of
from turnwright.rules.system import RuleSystem, label_of

STANDARD, OTHER, NOTHING, STAYS_UP = "usual", "other", "nothing", "stays"


@journal("journal.fall_began")
class FallBegan(Event, frozen=True):
    """A combatant began to fall from `feet` above the ground."""

    who: CombatantId
    feet: int


def start(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Report the height of a fall and ask for its damage. Except under an open sky, the fall can be cancelled."""
    data = data_of(procedure, Fall)
    combatant = tx.get(Combatant, data.who)
    if combatant is None or combatant.dead:
        return None
    feet = height_over_ground(tx, rules, data.who)
    rule = data.rule or rules.rule_id("falling.figures")
    tx.emit(FallBegan(who=data.who, feet=feet, rule=rule))
    if not effects_named(tx, data.who, rules.role("falling")):
        put_effect(tx, rules, Effect(tx.next_id("effect"), data.who, rules.role("falling"), value=feet))
    dice = standard_damage(rules, feet)
    options = [
        *([Option(STANDARD, dice)] if dice else []),
        Option(OTHER, "option.other_amount"),
        Option(NOTHING, "option.no_damage"),
        *([] if is_open_sky(tx) else [Option(STAYS_UP, "option.stays_up")]),
    ]
    question = Ask(
        "fall",
        "choice",
        "ask.fall",
        who=data.who,
        detail=str(feet),
        options=tuple(options),
        suggested=(STANDARD if dice else OTHER,),
        rule=rules.rule_id("falling.figures"),
    )
    return ask(tx, goto(procedure, FALL.land, feet=feet), "prompt.fall", [question], subject=combatant.label, rule=rule)


def standard_damage(rules: RuleSystem, feet: int) -> str:
    """Return the damage dice for a fall of this height, or an empty string if it is too short to deal damage."""
    settings = rules.data.movement
    steps = min(feet // settings.fall_step, settings.fall_most)
    count, _, faces = settings.fall_die.partition("d")
    return f"{steps * int(count)}d{faces} {settings.fall_kind}" if steps and faces else ""


def land(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Land a combatant, or cancel its fall. Ask for the damage unless it is standard or none."""
    data = data_of(procedure, Fall)
    if tx.get(Combatant, data.who) is None:
        return None
    choice = choice_of(answers, "fall", NOTHING)
    if choice == STAYS_UP:
        end_condition(tx, rules, data.who, rules.role("falling"))
        return None
    if choice == OTHER:
        rule = rules.rule_id("falling.figures")
        question = Ask("damage", "number", "ask.fall_damage", who=data.who, detail=str(data.feet), rule=rule)
        return ask(
            tx, goto(procedure, FALL.land_with_damage), "prompt.fall", [question], subject=label_of(tx, data.who)
        )
    _land(tx, rules, data, standard_damage(rules, data.feet) if choice == STANDARD else "")
    return None


def land_with_damage(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Land a combatant and deal the damage entered."""
    data = data_of(procedure, Fall)
    answer = answers.get("damage")
    if tx.get(Combatant, data.who) is not None:
        number = answer.number if answer is not None else None
        _land(tx, rules, data, f"{number} {rules.data.movement.fall_kind}" if number else "")


def _land(tx: Transaction, rules: RuleSystem, data: Fall, damage: str) -> None:
    end_condition(tx, rules, data.who, rules.role("falling"), is_reported=True)
    floor = ground_below(tx, rules, data.who)
    for who in (data.who, *(rider.id for rider in riders_of(tx, data.who))):
        tx.update(tx.need(Combatant, who), elevation=floor)
    if damage:
        begin(
            tx, DAMAGE_ROLL.ask_damage, DamageRoll((data.who,), damage, source=f"<condition.{rules.role('falling')}>")
        )


STAGES = stages_in(globals(), FALL)
