"""The darkness of each square of the map, recomputed in the background after every change that can affect it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Environment, Map, Scene
from turnwright.encounter.running import Clock, Combatant, DoorState, Effect, LastingArea, ObstacleState
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.steps import Changed
from turnwright.players.map_light import DARKNESS
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.positions.lasting_areas import standing_areas
from turnwright.rules.parts.positions.lighting import LEVELS, levels_now
from turnwright.rules.system import RuleSystem
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.workers import BackgroundTask

TABLES = tuple(
    kind.table for kind in (Map, Scene, Environment, LastingArea, Combatant, Effect, Clock, DoorState, ObstacleState)
)


def may_differ(lookup: Lookup) -> bool:
    """Whether some squares of the map may be darker than others."""
    battle_map = current_map(lookup)
    if battle_map is None or not battle_map.columns or not battle_map.rows:
        return False
    lit = {area.light for area in standing_areas(lookup) if area.light}
    return LEVELS[0] in lit or (scene_of(lookup).light in DARKNESS and bool(battle_map.lights or lit))


def shades_now(lookup: Lookup, rules: RuleSystem) -> tuple[str, ...]:
    """Return the shading of the map as one string per row, or no rows if all squares are equally dark.

    Dim and dark squares have a character each, other squares a blank. Uniform darkness isn't shaded, because the
    scene's light already describes it and shading would make the map harder to read. This can take seconds on a large
    map, so call it in a worker.
    """
    levels = levels_now(lookup, rules) if may_differ(lookup) else None
    if levels is None:
        return ()
    signs = [DARKNESS.get(level, " ") for level in LEVELS]
    rows = tuple("".join(signs[level] for level in line) for line in levels.tolist())
    return rows if len(set().union(*rows)) > 1 else ()


class LightShading(QObject):
    """Keeps `shades`, the characters of dim and dark squares by row, up to date. Emits `changed` when they change."""

    changed = Signal()

    def __init__(self, document: DocumentModel, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._work: BackgroundTask | None = None
        self._is_stale = False
        self._is_shown = True
        self.shades: tuple[str, ...] = ()
        document.changed.connect(self._on_changed)
        document.documentChanged.connect(self.refresh)

    @property
    def is_shown(self) -> bool:
        """Whether the map is shaded."""
        return self._is_shown

    def set_shown(self, *, shown: bool) -> None:
        """Turn the shading on or off."""
        if shown != self._is_shown:
            self._is_shown = shown
            self.refresh()

    def refresh(self) -> None:
        """Recompute the shading for the current encounter, after the running computation if there is one."""
        if not self._is_shown or not may_differ(self._document.encounter):
            self._work = None
            self._take(())
            return
        self._is_stale = self._work is not None
        if self._work is None:
            self._begin()

    def _begin(self) -> None:
        encounter, rules = self._document.encounter, self._document.rules
        work = self._work = BackgroundTask(lambda _progress: shades_now(encounter, rules), self)
        work.finished.connect(lambda shades: self._on_worked_out(work, shades))
        work.failed.connect(lambda _why: self._on_worked_out(work, self.shades))

    def _on_worked_out(self, work: BackgroundTask, shades: tuple[str, ...]) -> None:
        work.deleteLater()
        if work is not self._work:
            return
        self._work = None
        if self._is_stale:
            self.refresh()
        else:
            self._take(shades)

    def _take(self, shades: tuple[str, ...]) -> None:
        if shades != self.shades:
            self.shades = shades
            self.changed.emit()

    def _on_changed(self, changed: Changed) -> None:
        if changed.touches(*TABLES):
            self.refresh()
