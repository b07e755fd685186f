"""What moving does to how people stand: some things last only while nobody moves."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.battlemap.spaces import squares_across
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant, Effect, Relation
from turnwright.play.events import Parted
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


def forget_where(
    tx: Transaction, movers: Iterable[str], *, keeps: Iterable[str] = (), climbs: bool = False, on_map: bool = False
) -> tuple[str, ...]:
    """Take out what was said of how movers stand to others, and return those others; among themselves it holds.

    On a map the squares say it all anew. Without one, distance, reach, flanking and cover are open, and heights where
    somebody climbs; sight goes by light and senses, not by feet. `keeps` are those to whom nothing changes.
    """
    moving, kept = set(movers), set(keeps)
    parted: list[str] = []
    for pair in list(tx.all(Relation)):
        others = {pair.one, pair.other} - moving
        if len(others) != 1 or others & kept:
            continue
        rest = Relation(pair.id, pair.one, pair.other, seen=pair.seen, height=None if climbs else pair.height)
        if on_map or rest != pair:
            keep_relation(tx, Relation(pair.id, pair.one, pair.other) if on_map else rest)
            parted += [one for one in others if one not in parted]
    return tuple(parted)


def keep_relation(tx: Transaction, pair: Relation) -> None:
    """Put a relation in, or take it out where nothing is left of it."""
    if pair == Relation(pair.id, pair.one, pair.other):
        tx.remove(pair)
    else:
        tx.put(pair)


def tell_parted(tx: Transaction, rules: RuleSystem, who: str, parted: tuple[str, ...]) -> None:
    """Say, in one line, to whom it is open how somebody stands."""
    if parted:
        tx.emit(Parted(who=who, others=parted, rule=rules.cite("position.distance")))


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
