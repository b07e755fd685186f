"""Getting on and off mounts: whether one carries the weight, and what becomes of a rider when either is knocked down."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Answered, Ask, Mounting, Option, Procedure
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant, Effect, Ends
from turnwright.play.events import Dismounted, Mounted, Skipped
from turnwright.play.harm import end_effect, put_condition, put_effect
from turnwright.play.movement_inquiries import mounting_cost
from turnwright.play.procedures.loop import Answers, Stage, ask, at, watch_of
from turnwright.play.procedures.mount_turns import CONTROL, LYING, control_asks, drop_reins, take_reins
from turnwright.play.procedures.postures import prone_effects
from turnwright.play.procedures.reactions import may_react, reaction_ask, taken
from turnwright.play.procedures.trials import take_result
from turnwright.play.resources import spend
from turnwright.play.spending import spend_movement
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.riding import JUST_MOUNTED, LED, PRONE, is_carried_by, mount_of
from turnwright.rules.parts.ways import landing_squares
from turnwright.rules.system import RuleSystem, label_of

CARRIES, FAILS = "carries", "too-heavy"
WILLING, UNWILLING = "willing", "unwilling"
FEET = "land"
REACTION = "reaction"
ADJACENT_OPTION = "thrown-adjacent"


def weigh(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask whether the mount can carry its rider or is willing to, which no figure says, and who is to lead."""
    data = _mounting(procedure)
    what, yes, no = "weight", Option(CARRIES, "option.carries"), Option(FAILS, "option.too_heavy")
    if rules.catalogue.movement.mount_asks == WILLING:
        what, yes, no = WILLING, Option(WILLING, "option.willing"), Option(UNWILLING, "option.unwilling")
    rule, mount = rules.cite(f"mount.{what}"), label_of(tx, data.mount)
    asked = Ask("weight", "choice", f"ask.{what}", detail=mount, options=(yes, no), suggested=(yes.id,), rule=rule)
    asks = [asked, *control_asks(tx, rules, data.mount, controlled=data.controlled)]
    ask(tx, procedure, "prompt.weight", asks, subject=label_of(tx, data.who), rule=rule)
    return at(procedure, "mounted")


def mounted(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Let somebody sit on the mount for its price, if it can carry them."""
    data = _mounting(procedure)
    answer = answers.get("weight")
    rider, mount = tx.get(Combatant, data.who), tx.get(Combatant, data.mount)
    parted = rider is None or mount is None or rider.rides or is_carried_by(tx, data.mount, data.who)
    if parted or rider is None or mount is None or answer is None or not {CARRIES, WILLING} & {*answer.chosen}:
        tx.emit(Skipped(purpose="ask.mount", who=data.who, detail=label_of(tx, data.mount)))
        return
    cost = mounting_cost(tx, rules, data.who)
    rule = rules.cite("mount.cost")
    spend_movement(tx, rules, data.who, cost, "refused.cannot_mount", rule)
    mark_mounted(tx, rules, data.who)
    alone = bool(rules.catalogue.movement.mount_actions)
    way = next(iter(answers[CONTROL].chosen), "") if CONTROL in answers else ""
    shares = data.controlled and not alone
    tx.update(rider, rides=mount.id, controlled=shares, position=mount.position, elevation=mount.elevation)
    obeys = way == LED if alone else data.controlled
    tx.emit(Mounted(who=rider.id, mount=mount.id, cost=cost, controlled=obeys, rule=rule))
    if alone:
        take_reins(tx, rules, rider.id, mount.id, way)


def mark_mounted(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Remember that somebody has mounted or dismounted on this turn."""
    put_effect(tx, rules, Effect(tx.next_id("effect"), who, JUST_MOUNTED, ends=Ends("turn"), shown=False))


def get_off(tx: Transaction, rules: RuleSystem, who: str, to: Point | None, *, cost: int = 0, rule: str = "") -> None:
    """Put a rider beside the mount, on a square where one is named; without, it stays where the mount is."""
    rider = tx.need(Combatant, who)
    mount = rider.rides
    tx.update(rider, rides="", controlled=False, position=to or rider.position)
    tx.emit(Dismounted(who=who, mount=mount, cost=cost, rule=rule))
    drop_reins(tx, rules, who, mount)


# Knocked down ----------------------------------------------------------------------------------------------------


def seat(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask the save by which a rider who is knocked down keeps its seat."""
    data = watch_of(procedure)
    if mount_of(tx, data.who) is None or tx.need(Combatant, data.who).dead:
        return None
    figures = rules.catalogue.movement
    asked = Ask(
        data.who,
        "roll",
        "ask.save",
        who=data.who,
        detail=f"<save.{figures.seat_ability}>",
        spec=rules.checks.save(tx, rules, data.who, figures.seat_ability),
        dc=figures.seat_dc,
        rule=data.what,
    )
    ask(tx, procedure, "prompt.seat", [asked], subject=label_of(tx, data.who), rule=data.what)
    return at(procedure, "kept")


def kept(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Keep the rider up on a success; else it falls, and where to is asked if there is a choice."""
    data = watch_of(procedure)
    if mount_of(tx, data.who) is None:
        return None
    figures = rules.catalogue.movement
    answer = answers.get(data.who, Answered(data.who, skipped=True))
    detail = f"<save.{figures.seat_ability}>"
    if answer.skipped or take_result(tx, rules, answer, "ask.save", data.who, detail, figures.seat_dc, data.what):
        for effect in prone_effects(tx, data.who):
            end_effect(tx, rules, effect, data.what)
        return None
    return _ask_where(tx, rules, procedure)


def unhorsed(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Offer a rider whose mount goes down to land on its feet; who can't react goes down with it."""
    data = watch_of(procedure)
    if mount_of(tx, data.who) is None or tx.need(Combatant, data.who).dead:
        return None
    if not may_react(tx, rules, data.who):
        return _ask_where(tx, rules, at(procedure, "beside", msgspec.structs.replace(data, value=LYING)))
    rule = rules.cite("mount.mount-prone-reaction")
    asked = reaction_ask(data.who, (Option(FEET, "option.land"),), rule=rule)
    ask(tx, procedure, "prompt.unhorsed", [asked], subject=label_of(tx, data.who), rule=rule)
    return at(procedure, "landed")


def landed(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Let the rider land on its feet for its reaction, or go down with the mount."""
    data = watch_of(procedure)
    if mount_of(tx, data.who) is None:
        return None
    if not taken(answers):
        return _ask_where(tx, rules, at(procedure, "beside", msgspec.structs.replace(data, value=LYING)))
    spend(tx, rules, data.who, REACTION)
    return _ask_where(tx, rules, procedure)


def _ask_where(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> Procedure:
    """Ask for the square near the mount on which a rider comes down; right beside it where the table has it so."""
    data = watch_of(procedure)
    within = 0 if rules.option(tx, ADJACENT_OPTION) else rules.catalogue.movement.thrown_within
    squares = landing_squares(tx, rules, data.who, tx.need(Combatant, data.who).rides, within)
    options = tuple(Option(f"{column},{row}", f"{column}, {row}") for column, row in squares)
    if options:
        asked = Ask("square", "choice", "ask.square", who=data.who, options=options, suggested=(options[0].id,))
        ask(tx, procedure, "prompt.square", [asked], subject=label_of(tx, data.who), rule=data.what)
    return at(procedure, "beside")


def beside(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Put the rider beside the mount."""
    data = watch_of(procedure)
    if mount_of(tx, data.who) is not None:
        answer = answers.get("square")
        column, _, row = (answer.chosen[0] if answer is not None and answer.chosen else "").partition(",")
        to = (int(column), int(row)) if row else None
        get_off(tx, rules, data.who, to, rule=data.what)
        if data.value == LYING:
            put_condition(tx, rules, data.who, PRONE, rule=data.what)


def _mounting(procedure: Procedure) -> Mounting:
    assert isinstance(procedure.data, Mounting)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("mounting", "weigh"): weigh,
    ("mounting", "mounted"): mounted,
    ("seat", "begin"): seat,
    ("seat", "kept"): kept,
    ("seat", "beside"): beside,
    ("unhorsed", "begin"): unhorsed,
    ("unhorsed", "landed"): landed,
    ("unhorsed", "beside"): beside,
}
