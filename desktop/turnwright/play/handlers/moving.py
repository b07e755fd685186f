"""Commands to move: by feet, square by square, against one's will, up from the ground and down on it."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Deed, Journey
from turnwright.encounter.running import Combatant
from turnwright.play.commands import DropProne, Move, Shift, Stand, Travel
from turnwright.play.events import Shifted
from turnwright.play.harm import is_active, put_condition
from turnwright.play.movement_inquiries import (
    going_of,
    journey_of,
    price_of,
    standing_cost,
    travel_vetoes,
)
from turnwright.play.procedures.announced_moves import in_time, may_set_out, under_way
from turnwright.play.procedures.exertion import keep_direction
from turnwright.play.procedures.journeys import set_out
from turnwright.play.procedures.mount_turns import moved_along
from turnwright.play.procedures.postures import get_up, prone_effects
from turnwright.play.procedures.questions import begin_deed
from turnwright.play.procedures.readied import need_move
from turnwright.play.refusals import Refused
from turnwright.play.resources import need_finished, need_turn, spend
from turnwright.play.spending import spend_movement
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.areas import map_of
from turnwright.rules.parts.fitness import unable
from turnwright.rules.parts.going import vetoes_on
from turnwright.rules.parts.movement import PRONE, way_of
from turnwright.rules.parts.passages import passage_vetoes
from turnwright.rules.parts.pieces import steps_of
from turnwright.rules.parts.riding import payer_of
from turnwright.rules.parts.straight import straight_vetoes
from turnwright.rules.parts.surroundings import ground_cost
from turnwright.rules.parts.treading import placed_at
from turnwright.rules.parts.ways import plan_of, thrown_height
from turnwright.rules.system import RuleSystem, label_of

ANYTIME = "prone-any-time"


def move(command: Move, tx: Transaction, rules: RuleSystem) -> None:
    """Move some feet, paying what they cost; more than one's Speed allows is refused with what is left."""
    tx.need(Combatant, command.who)
    for other in (*command.leaves, *command.keeps, *((command.drags,) if command.drags else ())):
        tx.need(Combatant, other)
    if command.feet < 0:
        raise Refused("refused.feet")
    need_finished(tx, rules, command.who)
    need_move(tx, rules, command.who, payer_of(tx, command.who))
    going = going_of(command)
    price = price_of(tx, rules, command.who, going)
    vetoes = vetoes_on(tx, rules, command.who, going, price)
    vetoes = in_time(vetoes) if under_way(tx, command.who) else vetoes
    tx.forbid_by(vetoes)
    journey = Journey(
        command.who,
        mode=way_of(tx, rules, command.who, command.mode),
        drags=command.drags,
        feet=command.feet,
        leaves=command.leaves,
        up=command.up,
        cost=price.total,
        why=price.parts,
        through=command.through,
        insisted=bool(vetoes),
        keeps=command.keeps,
    )
    hard = ground_cost(tx, command.through, turned=command.turned) is not None
    if not may_set_out(tx, rules, journey, ((price.total, hard),)):
        set_out(tx, rules, journey)


def travel(command: Travel, tx: Transaction, rules: RuleSystem) -> None:
    """Move square by square; the whole way is looked over first, and paid for as it is gone."""
    mover = tx.need(Combatant, command.who)
    if command.drags:
        tx.need(Combatant, command.drags)
    if map_of(tx) is None:
        raise Refused("refused.no_grid")
    if mover.position is None:
        raise Refused("refused.no_position", params={"who": mover.label})
    if not command.path:
        raise Refused("refused.no_path")
    need_finished(tx, rules, command.who)
    need_move(tx, rules, command.who, payer_of(tx, command.who))
    journey = journey_of(tx, rules, command)
    bound = (
        *straight_vetoes(tx, rules, command.who, command.path),
        *passage_vetoes(tx, rules, command.who, command.path),
    )
    plan = plan_of(tx, rules, journey)
    vetoes = (*bound, *travel_vetoes(tx, rules, journey, plan))
    vetoes = in_time(vetoes) if under_way(tx, command.who) else vetoes
    tx.forbid_by(vetoes)
    keep_direction(tx, command.who, command.path)
    journey = msgspec.structs.replace(journey, insisted=bool(vetoes))
    if not may_set_out(tx, rules, journey, steps_of(tx, rules, command.who, plan.legs)):
        set_out(tx, rules, journey)


def stand(command: Stand, tx: Transaction, rules: RuleSystem) -> None:
    """Stand up, by the action that the game has for it, or for a share of one's Speed: with less it can't be done."""
    who = command.who
    tx.need(Combatant, who)
    if rules.catalogue.movement.stand_by:
        need_finished(tx, rules, who)
        begin_deed(tx, rules, Deed(who, rules.catalogue.movement.stand_by))
        return
    need_turn(tx, rules, payer_of(tx, who))
    tx.forbid_by(unable(tx, rules, who))
    if not prone_effects(tx, who):
        raise Refused("refused.not_prone", params={"who": label_of(tx, who)})
    cost = standing_cost(tx, rules, who)
    rule = rules.cite("prone.stand")
    spend_movement(tx, rules, who, cost, "refused.cannot_stand", rule)
    get_up(tx, rules, who, rule, cost)


def drop_prone(command: DropProne, tx: Transaction, rules: RuleSystem) -> None:
    """Drop to the ground: free on one's own turn or by an action, on another's for what the game says that takes."""
    tx.need(Combatant, command.who)
    by = rules.catalogue.movement.drop_by
    if by and not command.react:
        need_finished(tx, rules, command.who)
        begin_deed(tx, rules, Deed(command.who, by))
        return
    if prone_effects(tx, command.who):
        raise Refused("refused.prone_already", params={"who": label_of(tx, command.who)})
    cost = rules.catalogue.movement.drop_cost
    if command.react and cost:
        spend(tx, rules, command.who, cost)
    elif command.react:
        tx.forbid("refused.no_quick_drop", rules.cite("prone.drop-free"), who=label_of(tx, command.who))
    else:
        tx.forbid_by(drop_vetoes(tx, rules, command.who))
    rule = rules.cite("prone.drop-reaction" if command.react else "prone.drop-free")
    put_condition(tx, rules, command.who, PRONE, rule=rule)


def drop_vetoes(tx: Transaction, rules: RuleSystem, who: str) -> tuple[Veto, ...]:
    """Return why somebody can't drop prone for nothing now: it isn't their turn."""
    if is_active(tx, payer_of(tx, who)) or rules.option(tx, ANYTIME):
        return ()
    return (Veto("refused.not_your_turn", rules.cite("prone.drop-free"), (("who", label_of(tx, who)),)),)


def shift(command: Shift, tx: Transaction, rules: RuleSystem) -> None:
    """Put somebody on another square: nothing is paid, and nobody strikes at them unless it is said to provoke."""
    tx.need(Combatant, command.who)
    height = command.elevation
    if height is None and command.how != "teleport" and map_of(tx) is not None:
        height = thrown_height(tx, rules, command.who, command.to)
    moved = placed_at(tx, rules, command.who, command.to, height)
    topic = "opportunity.teleport" if command.how == "teleport" else "opportunity.forced"
    rule = rules.cite(topic)
    tx.emit(Shifted(who=command.who, to=command.to, how=command.how, elevation=moved[0].elevation, rule=rule))
    journey = Journey(
        command.who,
        path=(command.to,),
        heights=(moved[0].elevation,),
        free=True,
        insisted=command.how == "provoking",
    )
    if command.how == "forced":
        moved_along(tx, rules, command.who)
    set_out(tx, rules, journey)
