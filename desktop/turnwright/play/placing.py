"""What moving does to how people stand: some things last only while nobody moves."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.battlemap.spaces import squares_across
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.harm import end_effect
from turnwright.play.transaction import Transaction
from turnwright.rules.parts import positions
from turnwright.rules.parts.field import ground_at
from turnwright.rules.system import RuleSystem


def ground_under(tx: Transaction, rules: RuleSystem, who: str, at: Point) -> int:
    """Return the elevation in feet at which somebody would stand on a square: the highest ground under their space."""
    field = positions.grid(tx)
    across = squares_across(positions.space_of(tx, rules, who), field.cell) if field is not None else 1
    return ground_at(tx, at, across)


def stand_on_ground(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Let somebody of whom no elevation was said stand on the ground of their square."""
    combatant = tx.need(Combatant, who)
    if combatant.position is not None and not combatant.elevation:
        tx.update(combatant, elevation=ground_under(tx, rules, who, combatant.position))


def end_what_moving_ends(tx: Transaction, rules: RuleSystem, who: str | Iterable[str]) -> None:
    """End the effects that last until somebody moves: those on the movers, and those that hang on them."""
    movers = {who} if isinstance(who, str) else set(who)
    for effect in list(tx.all(Effect)):
        condition = rules.conditions.get(effect.name)
        if condition is None or not ({effect.target, effect.by} & movers):
            continue
        for rule in condition.rules:
            if rule.kind == "duration" and rule.what == "moved":
                end_effect(tx, rules, effect, rule.ledger)
                break
