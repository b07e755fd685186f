"""Tumbling through an enemy's space: the effect allows a single passage and ends when the space is left."""

from __future__ import annotations

from turnwright.battlemap.spaces import share_a_square
from turnwright.encounter.running import Effect
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import consume_effects
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.positions import space
from turnwright.rules.system import RuleSystem


def tumbles_in_use(tx: Transaction, rules: RuleSystem, who: str) -> list[Effect]:
    """Return the tumble effects that let a combatant share the enemy's space it is in."""
    return [
        effect
        for effect in tx.of(Effect, who)
        if effect.name == rules.role("moving-through") and _shares_space(tx, rules, who, effect.by)
    ]


def end_tumbles(tx: Transaction, rules: RuleSystem, who: str, tumbles: list[Effect]) -> None:
    """Use up the tumble effects for enemy spaces that a combatant has left."""
    consume_effects(tx, rules, (tumble.id for tumble in tumbles if not _shares_space(tx, rules, who, tumble.by)))


def _shares_space(tx: Transaction, rules: RuleSystem, who: str, other: str) -> bool:
    field, here, there = current_map(tx), space(tx, rules, who), space(tx, rules, other)
    return field is not None and here is not None and there is not None and share_a_square(here, there, field.cell)
