"""The party's sight, computed in the background and revealed to the players on demand or after each move."""

from __future__ import annotations

from PySide6.QtCore import QObject

from turnwright.battlemap.grid import Grid
from turnwright.encounter.prepared import Map, Point
from turnwright.encounter.running import Combatant, DoorState, Fog
from turnwright.play.environment.fog import ShowSight
from turnwright.play.kernel.steps import Changed
from turnwright.rules.parts.positions.fog import seen_from, viewpoints, watchers
from turnwright.rules.parts.positions.lighting import light_levels
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.services.workers import BackgroundTask

LOOKED_AT = frozenset({"position", "elevation", "hp", "dead"})


class PartySight(QObject):
    """Reveals to the players the squares that the party sees, on demand and, if `follows` is set, after every move."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._work: BackgroundTask | None = None
        self._looked_from: tuple[Grid, tuple[Point, ...]] | None = None
        self.follows = False
        canvas.document.changed.connect(self._on_changed)

    def show_now(self) -> None:
        """Compute the party's sight in the background, then reveal it. A new request replaces the previous one."""
        points = self._viewpoints()
        if points is None:
            return
        self._looked_from = points
        grid, squares = points
        lights = self._canvas.field.lights

        def look(_progress: object) -> None:
            """Fill the caches that the command uses."""
            for square in squares:
                seen_from(grid, square)
            if lights:
                light_levels(grid, lights)

        work = BackgroundTask(look, self)
        work.finished.connect(lambda _nothing: self._show(work))
        self._work = work

    def _show(self, work: BackgroundTask) -> None:
        if work is not self._work:
            return
        self._work = None
        if self._viewpoints() == self._looked_from:
            self._canvas.document.execute(ShowSight())
        else:  # the party has moved, so the command would compute the sight on the GUI thread
            self.show_now()

    def _viewpoints(self) -> tuple[Grid, tuple[Point, ...]] | None:
        document = self._canvas.document
        return viewpoints(document.encounter, document.rules, watchers(document.encounter))

    def _on_changed(self, changed: Changed) -> None:
        """Recompute the sight after a move, but not after undo, which restores the previous fog."""
        document = self._canvas.document
        if not self.follows or document.encounter.get(Fog, Fog.table) is None:
            return
        if document.source.session.history.next is not None:
            return
        moved = any(
            key[0] == Combatant.table
            and fields & LOOKED_AT
            and (combatant := document.encounter.get(Combatant, key[1])) is not None
            and combatant.side == "party"
            for key, fields in changed.updated.items()
        )
        if moved or changed.touches(DoorState.table, Map.table):
            self.show_now()
