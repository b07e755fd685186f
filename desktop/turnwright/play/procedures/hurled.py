"""People thrown about: pushed by somebody or something, or moved to a free space drawn at random, where a map shows it.

Whether being moved gives others an opening is asked only where the table plays it so.
"""

from __future__ import annotations

import msgspec

from turnwright.battlemap.occupancy import stands
from turnwright.encounter.pending import Ask, Journey, Option, Procedure, Watch
from turnwright.encounter.prepared import Entry, Point
from turnwright.encounter.running import Combatant
from turnwright.play.events import Pushed, Shifted
from turnwright.play.placing import forget_where, tell_parted
from turnwright.play.procedures.journeys import set_out
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, watch_of
from turnwright.play.procedures.mount_turns import moved_along
from turnwright.play.transaction import Transaction
from turnwright.rules.parts import positions
from turnwright.rules.parts.areas import map_of
from turnwright.rules.parts.field import field_of, ground_at
from turnwright.rules.parts.opportunity import openings
from turnwright.rules.parts.surroundings import ledger_for
from turnwright.rules.parts.treading import placed_at
from turnwright.rules.parts.ways import steps_in_line, thrown_height
from turnwright.rules.system import RuleSystem, label_of

MOVES_OPTION, STRAIGHT_OPTION = "haze-moves", "straight-gale"
PUSHED, MOVED = "pushed", "moved"
FORCED, PROVOKING = "forced", "provoking"


def hurl(tx: Transaction, rules: RuleSystem, struck: tuple[str, ...], row: Entry, parent: str) -> None:
    """Begin to move those whom a row of the surroundings throws about, where there is anything to settle about it."""
    for feet, what in ((row.push, PUSHED), (row.teleport, MOVED)):
        asks = what == MOVED and rules.option(tx, MOVES_OPTION)
        concerned = tuple(who for who in struck if feet and (asks or _is_on_map(tx, who)))
        if concerned:
            watch = Watch("", what, feet, concerned, source=row.name, by=ledger_for(row))
            begin(tx, "hurled", "next", watch, parent)


def push(
    tx: Transaction,
    rules: RuleSystem,
    whom: tuple[str, ...],
    feet: int,
    *,
    source: str = "",
    by: str = "",
    rule: str = "",
    parent: str = "",
) -> None:
    """Say that some are pushed so many feet away from somebody (`by`), and begin to move those who are on a map."""
    if not feet:
        return
    for who in whom:
        tx.emit(Pushed(who=who, feet=feet, rule=rule))
        leave_open_where(tx, rules, who)
    concerned = tuple(who for who in whom if _is_on_map(tx, who))
    if concerned:
        begin(tx, "hurled", "next", Watch("", PUSHED, feet, concerned, source=source, by=rule, away=by), parent)


def leave_open_where(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Forget how somebody thrown about stood to others, where no map shows where they come down."""
    if not _is_on_map(tx, who):
        tell_parted(tx, rules, who, forget_where(tx, (who,)))


def following(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Settle where the next of those thrown about goes: pushed onto a square that is asked, or drawn at random."""
    data = watch_of(procedure)
    if not data.rest:
        return None
    data = msgspec.structs.replace(data, who=data.rest[0], rest=data.rest[1:])
    procedure = at(procedure, "next", data)
    if tx.get(Combatant, data.who) is None:
        return procedure
    if data.what == PUSHED:
        asks, rule = _where(tx, rules, data)
    elif rules.option(tx, MOVES_OPTION):
        asks, rule = _how(tx, rules, data)
    else:
        _draw(tx, rules, procedure, "teleport")
        return procedure
    ask(tx, procedure, f"prompt.hurled_{data.what}", asks, subject=label_of(tx, data.who), rule=rule)
    return at(procedure, "moved")


def _where(tx: Transaction, rules: RuleSystem, data: Watch) -> tuple[list[Ask], str]:
    """Return the ask of the square onto which somebody is pushed: straight, where the table plays it so."""
    straight = not data.away and rules.option(tx, STRAIGHT_OPTION)
    choose = steps_in_line if straight else _at_distance
    squares = [one for one in choose(tx, rules, data.who, data.value) if _is_away(tx, rules, data, one)]
    options = tuple(Option(f"{column},{row}", f"{column}, {row}") for column, row in squares)
    rule = rules.cite("gale.straight") if straight else data.by
    asked = Ask("square", "choice", "ask.square", who=data.who, detail=data.source, options=options, rule=rule)
    return [asked] if options else [], rule


def _how(tx: Transaction, rules: RuleSystem, data: Watch) -> tuple[list[Ask], str]:
    """Return the ask whether being moved gives openings, and without a map the one to whom."""
    rule = rules.cite("haze.moves")
    options = (Option(FORCED, "option.forced"), Option(PROVOKING, "option.provoking"))
    asks = [Ask("how", "choice", "ask.hurled", who=data.who, options=options, suggested=(FORCED,), rule=rule)]
    near = () if _is_on_map(tx, data.who) else openings(tx, rules, data.who)
    if near:
        foes = tuple(Option(one.by, label_of(tx, one.by)) for one in near)
        asks.append(Ask("left", "targets", "ask.reaches_left", who=data.who, options=foes, rule=rule))
    return asks, rule


def moved(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Move somebody as was said, and let those whose reach that leaves have their openings."""
    data = watch_of(procedure)
    square, said, left = (answers.get(name) for name in ("square", "how", "left"))
    provokes = said is not None and PROVOKING in said.chosen
    if tx.get(Combatant, data.who) is None:
        return at(procedure, "next")
    if data.what == PUSHED:
        column, _, row = (square.chosen[0] if square is not None and square.chosen else "").partition(",")
        if row:
            _put(tx, rules, procedure, (int(column), int(row)), FORCED)
    elif _is_on_map(tx, data.who):
        _draw(tx, rules, procedure, PROVOKING if provokes else FORCED)
    elif provokes and left is not None and left.chosen:
        set_out(tx, rules, Journey(data.who, leaves=left.chosen, free=True), procedure.id)
    return at(procedure, "next")


def _is_on_map(tx: Transaction, who: str) -> bool:
    combatant = tx.get(Combatant, who)
    return map_of(tx) is not None and combatant is not None and combatant.position is not None


def _draw(tx: Transaction, rules: RuleSystem, procedure: Procedure, way: str) -> None:
    data = watch_of(procedure)
    squares = _free_within(tx, rules, data.who, data.value)
    if squares:
        _put(tx, rules, procedure, squares[tx.draw(len(squares))], way)


def _put(tx: Transaction, rules: RuleSystem, procedure: Procedure, to: Point, way: str) -> None:
    data = watch_of(procedure)
    height = None if way == "teleport" else thrown_height(tx, rules, data.who, to)
    body = placed_at(tx, rules, data.who, to, height)[0]
    rule = rules.cite("haze.moves") if way == PROVOKING else data.by
    tx.emit(Shifted(who=data.who, to=to, how=way, elevation=body.elevation, rule=rule))
    if way == FORCED:
        moved_along(tx, rules, data.who, procedure.id)
    journey = Journey(data.who, path=(to,), heights=(body.elevation,), free=True, insisted=way == PROVOKING)
    set_out(tx, rules, journey, procedure.id)


def _free_within(tx: Transaction, rules: RuleSystem, who: str, feet: int) -> list[Point]:
    """Return the squares within so many feet on which somebody has room, their own left out."""
    field, grid, here = map_of(tx), field_of(tx), tx.need(Combatant, who).position
    if field is None or grid is None or here is None:
        return []
    steps = feet // field.cell
    around = range(-steps, steps + 1)
    squares = [(here[0] + right, here[1] + down) for down in around for right in around]
    return [one for one in squares if one != here and has_room(tx, rules, who, one)]


def _is_away(tx: Transaction, rules: RuleSystem, data: Watch, square: Point) -> bool:
    """Return whether a square lies away from whoever pushes; any does where nobody does, or nobody knows where."""
    field, pusher, here = map_of(tx), tx.get(Combatant, data.away), tx.need(Combatant, data.who).position
    if field is None or here is None or pusher is None or pusher.position is None:
        return True
    sides = (positions.space_of(tx, rules, data.who), positions.space_of(tx, rules, data.away))
    middle = (sides[0] - sides[1]) / field.cell / 2  # from corner to corner, in squares, where one stands in the other
    away = [own - other + middle for own, other in zip(here, pusher.position, strict=True)]
    along = sum((to - own) * way for to, own, way in zip(square, here, away, strict=True))
    return along > 0 or not any(away)


def _at_distance(tx: Transaction, rules: RuleSystem, who: str, feet: int) -> list[Point]:
    field, here = map_of(tx), tx.need(Combatant, who).position
    if field is None or here is None:
        return []
    steps = feet // field.cell
    free = _free_within(tx, rules, who, feet)
    return [one for one in free if max(abs(one[0] - here[0]), abs(one[1] - here[1])) == steps]


def has_room(tx: Transaction, rules: RuleSystem, who: str, square: Point) -> bool:
    """Return whether a square is one that somebody could stay on."""
    grid = field_of(tx)
    height = ground_at(tx, square)
    there = positions.space_at(tx, rules, who, square, height)
    return grid is not None and stands(grid, there) and positions.may_end(tx, rules, who, square, height) is None


STAGES: dict[tuple[str, str], Stage] = {
    ("hurled", "next"): following,
    ("hurled", "moved"): moved,
}
