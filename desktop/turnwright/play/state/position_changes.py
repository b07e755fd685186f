"""Consequences of position changes: elevation from the ground, unknown relations, effects that end by moving."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from turnwright.battlemap.spaces import squares_across
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant, Effect, Relation, relation_id
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_effect
from turnwright.play.state.events import NearSaid, RelationCleared
from turnwright.rules.parts import positions
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.positions.map_geometry import ground_elevation
from turnwright.rules.system import RuleSystem


def elevation_under(tx: Transaction, rules: RuleSystem, who: str, square: Point) -> int:
    """Return a combatant's elevation in feet on a square: the highest ground under its space."""
    field = current_map(tx)
    across = squares_across(positions.effective_side(tx, rules, who), field.cell) if field is not None else 1
    return ground_elevation(tx, square, across)


def snap_to_ground(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Set a combatant's elevation to the ground level of its square, if no elevation was entered."""
    combatant = tx.need(Combatant, who)
    if combatant.position is not None and not combatant.elevation:
        tx.update(combatant, elevation=elevation_under(tx, rules, who, combatant.position))


def clear_relations(
    tx: Transaction, movers: Iterable[str], *, unchanged: Iterable[str] = (), climbs: bool = False, on_map: bool = False
) -> tuple[str, ...]:
    """Clear the entered relations between movers and others. Return these others.

    On a map, the squares determine all of them. Without one, distance, reach, flanking and cover become unknown, and
    also the height if a mover `climbs`. Sight stays, because it depends on light and senses. Relations among the movers
    and to `unchanged` combatants stay.
    """
    moving, staying = set(movers), set(unchanged)
    separated: list[str] = []
    for pair in list(tx.all(Relation)):
        others = {pair.who, pair.other} - moving
        if len(others) != 1 or others & staying:
            continue
        cleared = Relation(pair.id, pair.who, pair.other, seen=pair.seen, height=None if climbs else pair.height)
        if on_map or cleared != pair:
            put_relation(tx, Relation(pair.id, pair.who, pair.other) if on_map else cleared)
            separated += [other for other in others if other not in separated]
    return tuple(separated)


def keep_near(tx: Transaction, rules: RuleSystem, who: str, feet: int, near: Mapping[str, bool]) -> None:
    """Record which combatants are within `feet` of another and which aren't, until one of the two moves."""
    for other, is_near in near.items():
        id = relation_id(who, other)
        pair = tx.get(Relation, id) or Relation(id, who, other)
        fact = "within" if is_near else "beyond"
        previous = pair.within if is_near else pair.beyond
        nearest = feet if previous is None else min(previous, feet) if is_near else max(previous, feet)
        tx.update(pair, **{fact: nearest})
    nearby = tuple(other for other, is_near in near.items() if is_near)
    tx.emit(NearSaid(who=who, near=nearby, feet=feet, rule=rules.rule_id("position.distance")))


def put_relation(tx: Transaction, relation: Relation) -> None:
    """Store a relation, or remove it if it contains no facts."""
    if relation == Relation(relation.id, relation.who, relation.other):
        tx.remove(relation)
    else:
        tx.put(relation)


def report_separated(tx: Transaction, rules: RuleSystem, who: str, separated: tuple[str, ...]) -> None:
    """Report in a single line the combatants whose relation to a combatant is unknown again."""
    if separated:
        tx.emit(RelationCleared(who=who, others=separated, rule=rules.rule_id("position.distance")))


def end_movement_limited_effects(tx: Transaction, rules: RuleSystem, who: str | Iterable[str]) -> None:
    """End effects that last until a combatant moves, on the movers or caused by them."""
    movers = {who} if isinstance(who, str) else set(who)
    for effect in list(tx.all(Effect)):
        condition = rules.conditions.get(effect.name)
        if condition is None or not ({effect.target, effect.by} & movers):
            continue
        for rule in condition.rules:
            if rule.kind == "duration" and rule.what == "moved":
                end_effect(tx, rules, effect, rule.ledger)
                break
