"""The rules of 0 hit points, by the name that a game's data gives: dying, recovery checks, bleeding out.

`saves` is what `damage_consequences` and `death_saves` do by themselves; any other rule stands in `ZERO_HP_RULES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from turnwright.encounter.procedure_state import Procedure
from turnwright.play.damage import bleed_out, recovery_check
from turnwright.play.damage.death_saves import begin_death_saves
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class ZeroHpRule(NamedTuple):
    """One rule of 0 hit points: the effect of damage that leaves none, and the start of a downed turn.

    `on_damage` goes on with a procedure `damage-consequences`; `on_turn_start` is asked about those whose turn it is, and
    `parent` waits for what it begins.
    """

    on_damage: Callable[[Transaction, RuleSystem, Procedure], Procedure | None]
    on_turn_start: Callable[[Transaction, RuleSystem, tuple[str, ...], str], None]


ZERO_HP_RULES: Mapping[str, ZeroHpRule] = MappingProxyType(
    {
        "bleeding": ZeroHpRule(bleed_out.damage_below_zero, bleed_out.begin_bleed_out),
        "recovery": ZeroHpRule(recovery_check.damage_while_dying, recovery_check.begin_recovery_checks),
    }
)


def begin_zero_hp_turn(tx: Transaction, rules: RuleSystem, who: tuple[str, ...], parent: str = "") -> None:
    """Begin the saves, checks or bleeding of combatants at 0 before any other phase of their turn."""
    way = ZERO_HP_RULES.get(rules.data.dying.way)
    if way is None:
        begin_death_saves(tx, rules, who, parent)
    else:
        way.on_turn_start(tx, rules, who, parent)
