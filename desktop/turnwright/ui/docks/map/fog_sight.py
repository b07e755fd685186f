"""What the party sees, worked out in a worker and then shown to players; also after each of its moves, if wanted."""

from __future__ import annotations

from PySide6.QtCore import QObject

from turnwright.battlemap.grid import Grid
from turnwright.encounter.prepared import Map, Point
from turnwright.encounter.running import Combatant, DoorState, Fog
from turnwright.play.environment.commands.show_sight import ShowSight
from turnwright.play.kernel.steps import Changed
from turnwright.rules.parts.positions.fog import seen_from, viewpoints, watchers
from turnwright.rules.parts.positions.lighting import light_levels
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.workers import BackgroundTask

LOOKED_AT = frozenset({"position", "elevation", "hp", "dead"})


class PartySight(QObject):
    """Shows players what the party sees, when asked, and while `follows` after every move."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._work: BackgroundTask | None = None
        self._looked_from: tuple[Grid, tuple[Point, ...]] | None = None
        self.follows = False
        canvas.document.changed.connect(self._on_changed)

    def show_now(self) -> None:
        """Work out the sight of the party from where it stands, then show it. The last one asked for counts."""
        points = self._viewpoints()
        if points is None:
            return
        self._looked_from = points
        grid, squares = points
        lights = self._canvas.field.lights

        def look(_progress: object) -> None:
            """Fill what the command will ask for."""
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
        else:  # moved meanwhile: the command would work it out here
            self.show_now()

    def _viewpoints(self) -> tuple[Grid, tuple[Point, ...]] | None:
        document = self._canvas.document
        return viewpoints(document.encounter, document.rules, watchers(document.encounter))

    def _on_changed(self, changed: Changed) -> None:
        """Look again after a move, not after undo: that gives back what was shown then."""
        document = self._canvas.document
        if not self.follows or document.encounter.get(Fog, Fog.table) is None:
            return
        if document.source.session.history.next is not None:
            return
        moved = any(
            key[0] == Combatant.table
            and fields & LOOKED_AT
            and (one := document.encounter.get(Combatant, key[1])) is not None
            and one.side == "party"
            for key, fields in changed.updated.items()
        )
        if moved or changed.touches(DoorState.table, Map.table):
            self.show_now()
