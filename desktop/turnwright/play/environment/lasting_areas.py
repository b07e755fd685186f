"""Lasting areas on the map: placing, changing and ending them."""

from __future__ import annotations

from turnwright.battlemap.square_sets import rectangles_of
from turnwright.encounter.field_specs import CombatantId, Feet, HundredOrNone, Prose
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import AreaLight, AreaMoment, Combatant, LastingArea
from turnwright.play.environment.fog import require_map
from turnwright.play.kernel.commands import Command, command, copy_fields
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import require_running
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

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Place the area. Refuse it without squares, or if it needs an owner that is missing or isn't concentrating."""
        field = require_map(tx)
        name = self.name.strip()
        if not name or bool(self.squares) == bool(self.radius):
            raise Refused("refused.empty")
        if self.owner or self.radius or self.held:
            tx.need(Combatant, self.owner)
        held_by = concentration_of(tx, rules, self.owner) if self.held else None
        if self.held and held_by is None:
            raise Refused("refused.not_concentrating")
        squares = {
            (column, row) for column, row in self.squares if 0 <= column < field.columns and 0 <= row < field.rows
        }
        tx.put(
            copy_fields(
                LastingArea,
                self,
                id=tx.create_id(LastingArea, "area"),
                name=name,
                squares=rectangles_of(squares),
                effect=held_by.id if held_by is not None else "",
                last_round=clock_of(tx).round + self.rounds if self.rounds else 0,
            )
        )
        tx.emit(AreaLaid(name=name))


@journal("journal.area_laid", kind="world")
class AreaLaid(Event, frozen=True):
    """A lasting area was placed on the map."""

    name: str


@command(script="hide-area {area} {hidden=true} | reveal-area {area}")
class SetAreaHidden(Command, frozen=True):
    """Hide a lasting area on the map from the players, or show it."""

    area: str
    hidden: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Hide or show the area. Refuse an area that doesn't exist."""
        require_running(tx)
        tx.update(tx.need(LastingArea, self.area), hidden=self.hidden)


@command(script="set-area {area} [light {light}] [difficult {difficult=true}]")
class SetAreaTerrain(Command, frozen=True):
    """Set the light of a lasting area on the map, and whether it is difficult terrain."""

    area: str
    light: AreaLight = ""
    difficult: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set the light and the terrain of the area. Refuse an area that doesn't exist."""
        require_running(tx)
        tx.update(tx.need(LastingArea, self.area), light=self.light, difficult=self.difficult)


@command(script="end-area {area}")
class EndArea(Command, frozen=True):
    """End a lasting area on the map."""

    area: str

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """End the area. Refuse an area that doesn't exist."""
        require_running(tx)
        area = tx.need(LastingArea, self.area)
        tx.remove(area)
        tx.emit(AreaEnded(name=area.name))


@journal("journal.area_ended", kind="world")
class AreaEnded(Event, frozen=True):
    """An area on the map ended."""

    name: str
