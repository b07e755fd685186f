"""How often somebody has attacked this turn, where the game makes each further attack harder."""

from __future__ import annotations

import msgspec

from turnwright.encounter.running import Duration, Effect
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.combatants.facts import effects_on
from turnwright.rules.parts.economy.resources import is_on_turn
from turnwright.rules.system import RuleSystem

ATTACK_TRAIT = "attack-trait"


def count_attack(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Count an attack of somebody's own turn, until that ends; those made on the turns of others are not counted."""
    name = rules.data.attack.tally
    if not name or not is_on_turn(tx, who):
        return
    held = next((one for one in effects_on(tx, who) if one.name == name), None)
    if held is None:
        tx.put(Effect(tx.next_id("effect"), who, name, value=1, ends=Duration("turn")))
    else:
        tx.put(msgspec.structs.replace(held, value=held.value + 1))
