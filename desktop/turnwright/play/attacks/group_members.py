"""Members of a group that attacks or uses a feature as one."""

from __future__ import annotations

from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.combatants.incapacitation import cannot_act, cannot_act_vetoes
from turnwright.rules.system import RuleSystem


def able_members(tx: Transaction, rules: RuleSystem, members: tuple[str, ...]) -> tuple[str, ...]:
    """Return the members who can act, or all members if the rule is overridden. Refuse the command if none can act."""
    standing = tuple(who for who in members if not cannot_act(tx, who))
    if not standing:
        tx.forbid_by(cannot_act_vetoes(tx, rules, members[0]))
    return standing or members
