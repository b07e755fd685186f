"""Movement spent on something other than going anywhere: standing up, mounting, dismounting."""

from __future__ import annotations

from turnwright.encounter.running import Track
from turnwright.play.harm import track_id
from turnwright.play.resources import MOVED
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.going import label
from turnwright.rules.parts.movement import left
from turnwright.rules.parts.riding import payer_of
from turnwright.rules.parts.speeds import WALK
from turnwright.rules.system import RuleSystem


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
        tx.forbid(refusal, rule, who=label(tx, who), cost=feet, left=rest)
