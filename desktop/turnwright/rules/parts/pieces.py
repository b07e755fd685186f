"""Movement bought piece by piece: what one piece allows, what is left of it, and how many points a way takes.

A piece is an allowance by one mode of moving, paid for as the action that a game's data names. What is left of one
serves the next move by a mode that the same action buys, and is lost as soon as anything else is paid for.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from turnwright.encounter.running import Combatant, Effect, Track
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import economy, movement, positions
from turnwright.rules.parts.riding import body_of, payer_of
from turnwright.rules.parts.scene_effects import dearer
from turnwright.rules.parts.treading import Leg
from turnwright.rules.system import RuleSystem

PIECE = "bought-movement"
Step = tuple[int, bool]  # what it costs of an allowance, and whether difficult ground is left or entered by it


class Piece(msgspec.Struct, frozen=True):
    """A piece under way: what is left of its allowance, and whether difficult ground has been paid for."""

    rest: int = 0
    hard: bool = False


def piece_id(who: str) -> str:
    """Return the id of the mark that somebody has bought movement, whose `source` is the action that bought it."""
    return f"{PIECE}-of-{who}"


def buyer(rules: RuleSystem, mode: str) -> ActionOption | None:
    """Return the action that buys movement by a mode, None where it comes with the turn."""
    figures = rules.catalogue.movement
    return rules.actions.get(dict(figures.bought_by).get(mode, figures.bought))


def buyer_for(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> ActionOption | None:
    """Return the action that buys somebody movement by what a mode is in truth: the prone crawl. It may take more here."""
    option = buyer(rules, movement.way_of(lookup, rules, who, mode))
    more = dearer(lookup, rules, body_of(lookup, who), option) if option is not None else 0
    return msgspec.structs.replace(option, price=option.price + more) if option is not None and more else option


def mode_of(rules: RuleSystem, action: str) -> str:
    """Return the mode by which an action that buys movement lets one move."""
    return next((mode for mode, one in rules.catalogue.movement.bought_by if one == action), "walk")


def piece_of(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> Piece:
    """Return what somebody has left of a piece that serves a mode; nothing where there is none."""
    option, payer = buyer_for(lookup, rules, who, mode), payer_of(lookup, who)
    mark = lookup.get(Effect, piece_id(payer))
    if option is None or mark is None or mark.source != option.id:
        return Piece()
    moved = lookup.get(Track, f"{payer}.{movement.MOVED}")
    return Piece(max(0, _each(lookup, rules, who, mode) - (moved.value if moved else 0)), bool(mark.value))


def is_slowed(rules: RuleSystem, option: ActionOption) -> bool:
    """Return whether difficult ground makes an action dearer: moving as usual, and no other way of buying movement."""
    return option.id == rules.catalogue.movement.bought


def charged(rules: RuleSystem, option: ActionOption, piece: Piece, each: int, step: Step) -> tuple[int, Piece]:
    """Return the points that a step takes, and what is left after it of the piece then under way."""
    cost, hard = step
    extra = rules.catalogue.movement.hard_price if hard and is_slowed(rules, option) else 0
    rest, paid, points = piece.rest, piece.hard, 0
    if extra and cost and rest and not paid:
        points, paid = extra, True
    while cost > rest and each > 0:
        cost -= rest
        points += option.price + extra
        rest, paid = each, bool(extra)
    return points, Piece(max(0, rest - cost), paid)


def points_for(lookup: Lookup, rules: RuleSystem, who: str, mode: str, steps: Iterable[Step]) -> int:
    """Return the points that some steps take, one after another."""
    option = buyer_for(lookup, rules, who, mode)
    if option is None:
        return 0
    piece, each, total = piece_of(lookup, rules, who, mode), _each(lookup, rules, who, mode), 0
    for step in steps:
        points, piece = charged(rules, option, piece, each, step)
        total += points
    return total


def within(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> int | None:
    """Return how far somebody gets with all the points they have, over ground that costs no more. None: not that way."""
    option = buyer_for(lookup, rules, who, mode)
    if option is None or rules.movement.allowance(lookup, rules, who, mode) is None:
        return None
    rest = piece_of(lookup, rules, who, mode).rest
    payer = payer_of(lookup, who)
    if economy.vetoes(lookup, rules, payer, option.cost, max(1, option.price)):
        return rest
    have = economy.left(lookup, payer, economy.payer(lookup, rules, payer, option.cost)) // max(1, option.price)
    pieces = min(1, have) if _is_once(lookup, rules, payer) else have
    return rest + pieces * _each(lookup, rules, who, mode)


def left(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> int | None:
    """Return the feet that may still be moved by a mode: what was moved by any is taken off. None: not that way.

    Where movement is bought, all that somebody can pay for counts.
    """
    if rules.catalogue.movement.bought:
        return within(lookup, rules, who, mode)
    most = movement.allowance(lookup, rules, who, mode)
    moved = lookup.get(Track, f"{payer_of(lookup, who)}.{movement.MOVED}")
    return None if most is None else max(0, most.total - (moved.value if moved else 0))


def _is_once(lookup: Lookup, rules: RuleSystem, payer: str) -> bool:
    """Return whether no more than one piece can be bought now: as a reaction, of which there is one a turn."""
    return rules.catalogue.reactions.once and not economy.on_turn(lookup, payer)


def vetoes_on_points(
    lookup: Lookup, rules: RuleSystem, who: str, mode: str, steps: tuple[Step, ...], cost: int
) -> tuple[Veto, ...]:
    """Return why some steps can't be paid for: they lead farther than all points do, or over ground that takes more."""
    option = buyer_for(lookup, rules, who, mode)
    if option is None:
        return ()
    payer = payer_of(lookup, who)
    points = points_for(lookup, rules, who, mode, steps)
    found = economy.vetoes(lookup, rules, payer, option.cost, points) if points else ()
    farthest = within(lookup, rules, who, mode) or 0
    if not found and points and cost > farthest and _is_once(lookup, rules, payer):
        return (_too_far(lookup, rules, who, mode, farthest, cost),)
    if not found or cost <= farthest or farthest == piece_of(lookup, rules, who, mode).rest:
        return found
    return (_too_far(lookup, rules, who, mode, farthest, cost),)


def _too_far(lookup: Lookup, rules: RuleSystem, who: str, mode: str, farthest: int, cost: int) -> Veto:
    rule, label = rules.cite(f"move.{mode}-speed"), lookup.need(Combatant, who).label
    return Veto("refused.too_far", rule, (("left", farthest), ("cost", cost), ("who", label)))


def steps_of(lookup: Lookup, rules: RuleSystem, who: str, legs: Iterable[Leg]) -> tuple[Step, ...]:
    """Return a way leg by leg as what it costs, beginning where somebody stands."""
    hard, found = stands_on_hard(lookup, rules, who), list[Step]()
    for leg in legs:
        found.append((leg.price.total, hard or leg.hard))
        hard = leg.hard
    return tuple(found)


def stands_on_hard(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether somebody stands on difficult ground of the map."""
    body = lookup.need(Combatant, body_of(lookup, who))
    if body.position is None:
        return False
    return positions.ground_cost_at(lookup, rules, body.id, body.position) is not None


def _each(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> int:
    most = rules.movement.allowance(lookup, rules, who, mode)
    return most.total if most is not None else 0
