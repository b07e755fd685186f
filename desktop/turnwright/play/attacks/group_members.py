"""Commands to use features, alone or as a group, and to have the creatures under one's control act."""

from __future__ import annotations

from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.combatants.incapacitation import cannot_act, cannot_act_vetoes
from turnwright.rules.system import RuleSystem


def able_members(tx: Transaction, rules: RuleSystem, members: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of some who can act. Refused where nobody can; who insists has them all."""
    standing = tuple(who for who in members if not cannot_act(tx, who))
    if not standing:
        tx.forbid_by(cannot_act_vetoes(tx, rules, members[0]))
    return standing or members
