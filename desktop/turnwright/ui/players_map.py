"""The painting of the players' map: its light and the picture of the part they look at, made in workers before they see it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QImage, QScreen

from turnwright.encounter.prepared import Map, Point
from turnwright.players.map_light import KnownMap, darkness
from turnwright.players.view import ComposedPicture, MapCamera, PlayersMap, PlayersView
from turnwright.ui.docks.map.map_picture import MapPictureLoader
from turnwright.ui.players.map_image import MapPart, PicturePlace, paint_part, part_for
from turnwright.ui.theme import Theme

if TYPE_CHECKING:
    from turnwright.ui.workers import BackgroundTask

LEAST_INCHES: Final = 5.0  # a screen's diagonal, below which it is taken as not given
PaintedFor = tuple[PlayersMap, MapPart, bool, PicturePlace | None]


def pixels_per_inch(screen: QScreen, diagonal: float) -> float:
    """Return the pixels of an inch on a screen: by its diagonal in inches, or as it says itself where none is given."""
    if diagonal < LEAST_INCHES:
        return screen.physicalDotsPerInch()
    size = screen.size()
    return hypot(size.width(), size.height()) / diagonal


class PlayersMapPainter(QObject):
    """Holds the picture of the part that players look at. `painted` when another one, or the light for it, is ready."""

    painted = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._loader = MapPictureLoader(self)
        self._loader.loaded.connect(self.painted)
        self._numbers = count(1)
        self._work: BackgroundTask | None = None
        self._wanted: PaintedFor | None = None
        self._done: PaintedFor | None = None
        self._picture: ComposedPicture | None = None
        self._image = QImage()
        self._lit: KnownMap | None = None
        self._lighting: tuple[KnownMap, BackgroundTask] | None = None

    @property
    def pictures(self) -> Mapping[bytes, QImage]:
        """The painted part by its name; empty where there is none."""
        return {} if self._picture is None else {self._picture.key: self._image}

    def forget(self) -> None:
        """Free the map's picture and the painted part."""
        self._loader.show_map(None, Map())
        self._wanted = self._done = self._picture = self._work = None
        self._image = QImage()
        self._lit = self._lighting = None

    def read(self, folder: Path | None, battle_map: Map) -> bool:
        """Begin to read the picture of a map; return whether there is one as far as known: it may be being read."""
        self._loader.show_map(folder, battle_map)
        needs_one = battle_map.picture is not None and bool(battle_map.picture.file)
        return not needs_one or self._loader.is_reading or bool(self._loader.levels)

    def has_light(self, known: KnownMap | None) -> bool:
        """Return whether it is worked out where a map is dim or dark; else have it worked out."""
        if known is None or not known.may_be_dark or known == self._lit:
            return True
        if self._lighting is None or self._lighting[0] != known:
            from turnwright.ui.workers import BackgroundTask

            work = BackgroundTask(lambda _progress: darkness(known), self)
            self._lighting = known, work
            for ended in (work.finished, work.failed):
                ended.connect(lambda _rows: self._take_light(known, work))
        return False

    def _take_light(self, known: KnownMap, work: BackgroundTask) -> None:
        """Note that the light is worked out, unless another map is wanted by now."""
        work.deleteLater()
        if self._lighting is not None and self._lighting[1] is work:
            self._lit, self._lighting = known, None
            self.painted.emit()

    def with_picture(
        self, view: PlayersView, battle_map: Map, origin: Point, page: QRectF, theme: Theme
    ) -> PlayersView | None:
        """Return the view with its picture, None while that is being painted: players see the one before until then."""
        shown = view.map
        if shown is not None and shown.has_picture and self._loader.is_reading:
            return None
        part = part_for(shown, page) if shown is not None else None
        if shown is None or part is None:
            return view
        place = self._place(battle_map, origin) if shown.has_picture else None
        wanted = (msgspec.structs.replace(shown, tokens=(), camera=MapCamera()), part, theme.dark, place)
        if wanted == self._done:
            return msgspec.structs.replace(view, map=msgspec.structs.replace(shown, picture=self._picture))
        if wanted != self._wanted:
            self._wanted = wanted
            self._paint(wanted, theme)
        return None

    def _place(self, battle_map: Map, origin: Point) -> PicturePlace | None:
        """Return the picture of the map with its place from the square that players' places count from."""
        picture = battle_map.picture
        if picture is None or not self._loader.levels:
            return None
        at = picture.at[0] - origin[0], picture.at[1] - origin[1]
        size = picture.size[0] or battle_map.columns, picture.size[1] or battle_map.rows
        return PicturePlace(self._loader.levels, at, size, picture.dim)

    def _paint(self, wanted: PaintedFor, theme: Theme) -> None:
        from turnwright.ui.workers import BackgroundTask

        shown, part, _dark, place = wanted
        work = BackgroundTask(lambda _progress: paint_part(shown, part, theme, place), self)
        work.finished.connect(lambda image: self._take(work, wanted, image))
        self._work = work

    def _take(self, work: BackgroundTask, wanted: PaintedFor, image: QImage) -> None:
        """Keep what was painted, unless something else is wanted by now."""
        if work is not self._work:
            return
        self._work, self._done, self._image = None, wanted, image
        part = wanted[1]
        self._picture = ComposedPicture(f"map {next(self._numbers)}".encode(), part.at, part.size)
        self.painted.emit()
