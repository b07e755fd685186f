"""Movement that is paid for: piece by piece where it is bought, and that spent on something other than going anywhere."""

from __future__ import annotations

from turnwright.encounter.running import Effect, Ends, Track, track_id
from turnwright.play.events import Acted
from turnwright.play.resources import MOVED, take
from turnwright.play.transaction import Transaction
from turnwright.rules.parts import economy
from turnwright.rules.parts.pieces import PIECE, Piece, Step, buyer_for, charged, is_slowed, left, piece_id, piece_of
from turnwright.rules.parts.riding import payer_of
from turnwright.rules.parts.speeds import WALK
from turnwright.rules.system import RuleSystem, label_of


def spend_movement(tx: Transaction, rules: RuleSystem, who: str, feet: int, refusal: str, rule: str) -> None:
    """Spend feet of movement on something; refused where fewer are left."""
    may_spend_movement(tx, rules, who, feet, refusal, rule)
    payer = payer_of(tx, who)
    track = tx.get(Track, track_id(payer, MOVED)) or Track(track_id(payer, MOVED), payer, MOVED)
    tx.update(track, value=track.value + feet)


def may_spend_movement(tx: Transaction, rules: RuleSystem, who: str, feet: int, refusal: str, rule: str) -> None:
    """Refuse something that takes more feet of movement than are left, before anything else is asked about it."""
    rest = left(tx, rules, who, WALK) or 0
    if rest < feet or not feet:
        tx.forbid(refusal, rule, who=label_of(tx, who), cost=feet, left=rest)


def pay_for_step(tx: Transaction, rules: RuleSystem, who: str, mode: str, step: Step) -> None:
    """Take a step off the piece of movement under way, and buy as many more as it needs."""
    option = buyer_for(tx, rules, who, mode)
    most = rules.movement.allowance(tx, rules, who, mode)
    if option is None or most is None:
        return
    payer = payer_of(tx, who)
    points, piece = charged(rules, option, piece_of(tx, rules, who, mode), most.total, step)
    if points:
        take(tx, rules, payer, option.cost, points)
        resource = economy.payer(tx, rules, payer, option.cost)
        rule = rules.cite("move.hard-price") if step[1] and is_slowed(rules, option) else option.rule()
        tx.emit(Acted(who=payer, action=option.name, cost=resource, rule=rule))
    keep_piece(tx, payer, option.id, piece, most.total)


def keep_piece(tx: Transaction, who: str, action: str, piece: Piece, each: int) -> None:
    """Note a piece of movement as it stands: what has been used of it, and whether difficult ground was paid for."""
    mark = Effect(piece_id(who), who, PIECE, source=action, value=int(piece.hard), ends=Ends("turn"), shown=False)
    tx.put(mark)
    tx.put(Track(track_id(who, MOVED), who, MOVED, max(0, each - piece.rest)))
