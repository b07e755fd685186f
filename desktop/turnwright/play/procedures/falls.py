"""A fall out of the air: from how high, what it does, and whether the game master lets it happen at all."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask, Harm, Option, Procedure, Watch
from turnwright.encounter.running import Combatant
from turnwright.play.events import FallBegan
from turnwright.play.harm import end_effect, put_condition
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, watch_of
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.falling import FALLING, floor_under, height_over_ground, is_aloft
from turnwright.rules.parts.riding import riders_of
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem, label_of

USUAL, OTHER, NOTHING, STAYS = "usual", "other", "nothing", "stays"


def start(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Note from how high somebody falls, and ask what that does; outside the open sky the fall may be called off."""
    data = watch_of(procedure)
    combatant = tx.get(Combatant, data.who)
    if combatant is None or combatant.dead:
        return None
    feet = height_over_ground(tx, rules, data.who)
    rule = data.what or rules.cite("falling.figures")
    tx.emit(FallBegan(who=data.who, feet=feet, rule=rule))
    if not any(effect.name == FALLING for effect in effects_on(tx, data.who)):
        put_condition(tx, rules, data.who, FALLING, value=feet, rule=rule)
    dice = usual_damage(rules, feet)
    options = [
        *([Option(USUAL, dice)] if dice else []),
        Option(OTHER, "option.other_amount"),
        Option(NOTHING, "option.no_damage"),
        *([] if is_aloft(tx) else [Option(STAYS, "option.stays_up")]),
    ]
    asked = Ask(
        "fall",
        "choice",
        "ask.fall",
        who=data.who,
        detail=str(feet),
        options=tuple(options),
        suggested=(USUAL if dice else OTHER,),
        rule=rules.cite("falling.figures"),
    )
    ask(tx, procedure, "prompt.fall", [asked], subject=combatant.label, rule=rule)
    return at(procedure, "lands", msgspec.structs.replace(data, value=feet))


def usual_damage(rules: RuleSystem, feet: int) -> str:
    """Return the dice that a fall from so many feet usually does, empty where it is too low to hurt."""
    figures = rules.catalogue.movement
    many = min(feet // figures.fall_step, figures.fall_most)
    count, _, faces = figures.fall_die.partition("d")
    return f"{many * int(count)}d{faces} {figures.fall_kind}" if many and faces else ""


def lands(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Let somebody land, or stay up after all; what else than the usual it does is asked."""
    data = watch_of(procedure)
    if tx.get(Combatant, data.who) is None:
        return None
    answer = answers.get("fall")
    chosen = answer.chosen[0] if answer is not None and answer.chosen else NOTHING
    if chosen == STAYS:
        _end_fall(tx, rules, data.who)
        return None
    if chosen == OTHER:
        rule = rules.cite("falling.figures")
        asked = Ask("damage", "number", "ask.fall_damage", who=data.who, detail=str(data.value), rule=rule)
        ask(tx, procedure, "prompt.fall", [asked], subject=label_of(tx, data.who), rule=rule)
        return at(procedure, "hurts")
    _land(tx, rules, data, usual_damage(rules, data.value) if chosen == USUAL else "")
    return None


def hurts(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Let somebody land for so much damage as was said."""
    data = watch_of(procedure)
    answer = answers.get("damage")
    if tx.get(Combatant, data.who) is not None:
        number = answer.number if answer is not None else None
        _land(tx, rules, data, f"{number} {rules.catalogue.movement.fall_kind}" if number else "")


def _land(tx: Transaction, rules: RuleSystem, data: Watch, damage: str) -> None:
    _end_fall(tx, rules, data.who)
    floor = floor_under(tx, rules, data.who)
    for who in (data.who, *(one.id for one in riders_of(tx, data.who))):
        tx.update(tx.need(Combatant, who), elevation=floor)
    if damage:
        begin(tx, "harm", "roll", Harm((data.who,), damage, source=f"<condition.{FALLING}>"))


def _end_fall(tx: Transaction, rules: RuleSystem, who: str) -> None:
    for effect in list(effects_on(tx, who)):
        if effect.name == FALLING:
            end_effect(tx, rules, effect)


STAGES: dict[tuple[str, str], Stage] = {
    ("fall", "begin"): start,
    ("fall", "lands"): lands,
    ("fall", "hurts"): hurts,
}
