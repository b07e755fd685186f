"""The hit point maximum of combatants, which effects can change."""

from collections.abc import Iterator
from contextlib import contextmanager

from turnwright.encounter.field_specs import MAX_NUMBER, ConditionId
from turnwright.encounter.procedure_state.damage import DAMAGE_CONSEQUENCES, DamageConsequences
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.conditions.condition_rules import data_rules_on
from turnwright.rules.parts.conditions.numbers import HP_MAX, amount_of, fatal_number, maximum_hit_points


@journal("journal.maximum_changed", kind="warn", what="condition")
class MaximumChanged(CombatantEvent, frozen=True):
    """A condition changed the hit point maximum of a combatant, and perhaps its hit points."""

    condition: ConditionId
    before: int
    after: int
    hp: int


def maximum_fields(tx: Transaction, who: str, base: int) -> dict[str, int]:
    """Return the fields of a combatant that has the maximum `base` without effects.

    The maximum is never stored as 0, which means a thing without hit points.
    """
    number = maximum_hit_points(tx, tx.rules, who, base)
    if base <= 0 or len(number.parts) == 1:
        return {"hp_max": base, "hp_base": 0}
    return {"hp_max": min(MAX_NUMBER, max(1, number.total)), "hp_base": base}


def own_maximum(tx: Transaction, who: str) -> int:
    """Return the maximum of a combatant without effects.

    Without `hp_base`, rules that carry hit points are already part of the maximum: older versions saved it so.
    """
    combatant, (gained, lost) = tx.need(Combatant, who), _carried(tx, who)
    return combatant.hp_base or (max(1, combatant.hp_max - gained + lost) if combatant.hp_max > 0 else 0)


def base_for(tx: Transaction, who: str, most: int) -> int:
    """Return the base with which the bonuses and penalties of a combatant's effects give the maximum `most`."""
    return max(1, most + MAX_NUMBER - maximum_hit_points(tx, tx.rules, who, MAX_NUMBER).total)


@contextmanager
def settling_maximum(tx: Transaction, effect: Effect) -> Iterator[None]:
    """Settle the hit point maximum of a combatant after a change of one of its effects, or its death by an ability of 0.

    Hit points above the new maximum are lost. If a rule carries hit points, its growing bonus also raises the current
    ones, and its growing penalty lowers them. The end of such a rule doesn't reverse that.
    """
    who, condition, before_it = effect.target, effect.name, tx.get(Effect, effect.id) if effect.id else None
    definition = tx.rules.conditions.get(condition)
    concerned = (*effect.rules, *(before_it.rules if before_it else ()), *(definition.rules if definition else ()))
    concerns = any(rule.what == HP_MAX or rule.at_zero for rule in concerned)
    bearer = tx.get(Combatant, who)
    if not concerns or bearer is None or bearer.hp_max <= 0:
        yield
        return
    gained, lost = _carried(tx, who)
    base = own_maximum(tx, who)
    yield
    gains, losses = _carried(tx, who)
    combatant = tx.need(Combatant, who)
    fields = maximum_fields(tx, who, combatant.hp_base or base)
    moved = 0 if combatant.dead else max(0, gains - gained) - max(0, losses - lost)
    hp = max(tx.rules.data.health.lowest(fields["hp_max"]), min(combatant.hp + moved, fields["hp_max"]))
    after = tx.update(combatant, hp=hp, **fields)
    if after != combatant:
        before, most = combatant.hp_max, after.hp_max
        rule = maximum_hit_points(tx, tx.rules, who).parts[-1].rule
        tx.emit(MaximumChanged(who=who, condition=condition, before=before, after=most, hp=hp, rule=rule))
    if not combatant.dead and ((hp <= 0) != (combatant.hp <= 0) or fatal_number(tx, tx.rules, who) is not None):
        begin(tx, DAMAGE_CONSEQUENCES.maximum_changed, DamageConsequences(who, 0, 0, combatant.hp))


def _carried(tx: Transaction, who: str) -> tuple[int, int]:
    """Return the sums of bonuses and of penalties to the maximum by rules that carry hit points."""
    rules = data_rules_on(tx, tx.rules, who, "modifier", HP_MAX)
    amounts = [amount_of(tx, each) for each in rules if each.rule.carries]
    return sum(max(0, amount) for amount in amounts), sum(max(0, -amount) for amount in amounts)
