"""The command `LayArea`: place a lasting area on the map."""

from __future__ import annotations

from turnwright.battlemap.square_sets import rectangles_of
from turnwright.encounter.field_specs import CombatantId, Feet, HundredOrNone, Prose
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import AreaLight, AreaMoment, Combatant, LastingArea
from turnwright.play.environment.fog import require_map
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import concentration_of
from turnwright.rules.system import RuleSystem


@command(
    script="lay-area [of {owner}] [on {squares}] [within {radius}] [rounds {rounds}] [held {held=true}] [hidden {hidden=true}] [at {reminds}] "
    "[light {light}] [difficult {difficult=true}] called {name:rest}"
)
class LayArea(Command, frozen=True):
    """Place a lasting area on squares of the map, or around its owner so that it moves with them.

    It lasts for `rounds` (0: until it is ended). `held`: it ends with its owner's concentration. `hidden`: players
    can't see it. `light` is the light that it gives or removes. `difficult`: its squares are difficult terrain.
    """

    name: Prose
    owner: CombatantId = ""
    squares: tuple[Point, ...] = ()
    radius: Feet = 0
    rounds: HundredOrNone = 0
    held: bool = False
    reminds: AreaMoment = ""
    hidden: bool = False
    light: AreaLight = ""
    difficult: bool = False


@journal("journal.area_laid", kind="world")
class AreaLaid(Event, frozen=True):
    """A lasting area was placed on the map."""

    name: str


def handle(command: LayArea, tx: Transaction, rules: RuleSystem) -> None:
    """Place the area. Refuse it without squares, or if it needs an owner that is missing or isn't concentrating."""
    field = require_map(tx)
    name = command.name.strip()
    if not name or bool(command.squares) == bool(command.radius):
        raise Refused("refused.empty")
    if command.owner or command.radius or command.held:
        tx.need(Combatant, command.owner)
    held_by = concentration_of(tx, rules, command.owner) if command.held else None
    if command.held and held_by is None:
        raise Refused("refused.not_concentrating")
    squares = {
        (column, row) for column, row in command.squares if 0 <= column < field.columns and 0 <= row < field.rows
    }
    tx.put(
        LastingArea(
            tx.create_id(LastingArea, "area"),
            name,
            command.owner,
            rectangles_of(squares),
            command.radius,
            held_by.id if held_by is not None else "",
            clock_of(tx).round + command.rounds if command.rounds else 0,
            command.reminds,
            command.hidden,
            command.light,
            command.difficult,
        )
    )
    tx.emit(AreaLaid(name=name))
