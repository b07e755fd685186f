"""Counts a combatant's attacks this turn, for the multiple attack penalty."""

from __future__ import annotations

import msgspec

from turnwright.encounter.lookups import find_effect
from turnwright.encounter.running import Duration, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.economy.resources import is_on_turn
from turnwright.rules.system import RuleSystem

ATTACK_TRAIT = "attack-trait"


def attacks_made(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the number of attacks a combatant has made this turn, or 0 in games that don't count them."""
    name = rules.data.attack.tally
    tally = find_effect(lookup, who, name) if name else None
    return tally.value if tally is not None else 0


def count_attack(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Count an attack on the combatant's own turn, until the turn ends. Attacks on other turns don't count."""
    name = rules.data.attack.tally
    if not name or not is_on_turn(tx, who):
        return
    tally = find_effect(tx, who, name)
    if tally is None:
        tx.put(Effect(tx.next_id("effect"), who, name, value=1, ends=Duration("turn")))
    else:
        tx.put(msgspec.structs.replace(tally, value=tally.value + 1))
