"""Rules for 0 hit points, keyed by their name in a system's data: recovery checks, bleeding out.

`damage_consequences` and `death_saves` implement the rule `saves`; `ZERO_HP_RULES` contains the others.
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
    """One rule for 0 hit points: the effect of damage, and the start of a downed combatant's turn.

    `on_damage` continues a `damage-consequences` procedure. `on_turn_start` is called with the combatants whose turn
    begins; `parent` waits for the procedures started there.
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
    """Begin the saves, checks or bleeding of combatants at 0 hit points, before any other phase of their turn."""
    zero_hp_rule = ZERO_HP_RULES.get(rules.data.dying.way)
    if zero_hp_rule is None:
        begin_death_saves(tx, rules, who, parent)
    else:
        zero_hp_rule.on_turn_start(tx, rules, who, parent)
