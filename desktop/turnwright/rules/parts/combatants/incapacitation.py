"""Whether a combatant can act at all."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Veto
from turnwright.rules.system import RuleSystem


def cannot_act(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant can't act because it is dead, removed, or at 0 hit points."""
    combatant = lookup.get(Combatant, who)
    return combatant is None or combatant.dead or (combatant.hp <= 0 < combatant.hp_max)


def cannot_act_vetoes(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Veto, ...]:
    """Return the veto on every action of a combatant that can't act, whatever the action costs."""
    if not cannot_act(lookup, who):
        return ()
    combatant = lookup.get(Combatant, who)
    return (Veto("refused.down", rules.rule_id("attack.down"), (("who", combatant.label if combatant else who),)),)
