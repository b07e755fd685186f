"""Workers that prepare the players' map: they calculate its light and paint its visible part."""

from collections.abc import Mapping
from functools import partial
from itertools import count
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QImage

from turnwright.encounter.prepared import Map, Point
from turnwright.players.map_view import KnownMap, darkness
from turnwright.players.view import ComposedPicture, MapCamera, PlayersMap, PlayersView
from turnwright.ui.docks.map.drawing.map_picture import MapPictureLoader
from turnwright.ui.look.style import Theme
from turnwright.ui.players.map_page import MapPart, PicturePlace, paint_part, part_for
from turnwright.ui.services.workers import LatestTask

PaintedFor = tuple[PlayersMap, MapPart, bool, PicturePlace | None]


class PlayersMapPainter(QObject):
    """Stores the painted image of the map part that players see.

    Emits `painted` when a new image, or the light that it needs, is ready.
    """

    painted = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._loader = MapPictureLoader(self)
        self._loader.loaded.connect(self.painted)
        self._numbers = count(1)
        self._work = LatestTask(self)
        self._wanted: PaintedFor | None = None
        self._done: PaintedFor | None = None
        self._picture: ComposedPicture | None = None
        self._image = QImage()
        self._lit: KnownMap | None = None
        self._lighting: KnownMap | None = None
        self._light_work = LatestTask(self)

    @property
    def pictures(self) -> Mapping[bytes, QImage]:
        """The painted image by its name, or an empty mapping if there is none."""
        return {} if self._picture is None else {self._picture.key: self._image}

    def forget(self) -> None:
        """Free the map's background and the painted image."""
        self._loader.show_map(None, Map())
        self._wanted = self._done = self._picture = None
        self._work.drop()
        self._light_work.drop()
        self._image = QImage()
        self._lit = self._lighting = None

    def read(self, folder: Path | None, battle_map: Map) -> bool:
        """Start reading the background image of a map. Return False only if the file is known to be missing."""
        self._loader.show_map(folder, battle_map)
        needs_one = battle_map.picture is not None and bool(battle_map.picture.file)
        return not needs_one or self._loader.is_reading or bool(self._loader.levels)

    def has_light(self, known_map: KnownMap | None) -> bool:
        """Return whether the light of a map is known. If not, start calculating the dim and dark squares."""
        if known_map is None or not known_map.may_be_dark or known_map == self._lit:
            return True
        if self._lighting != known_map:
            self._lighting = known_map
            self._light_work.start(partial(darkness, known_map), self._take_light, self._take_light)
        return False

    def _take_light(self, _rows: object) -> None:
        self._lit, self._lighting = self._lighting, None
        self.painted.emit()

    def with_picture(
        self, view: PlayersView, battle_map: Map, origin: Point, page: QRectF, theme: Theme
    ) -> PlayersView | None:
        """Return the view with its map image, or None while that is being painted and players see the old view."""
        player_map = view.map
        if player_map is not None and player_map.has_picture and self._loader.is_reading:
            return None
        part = part_for(player_map, page) if player_map is not None else None
        if player_map is None or part is None:
            return view
        place = self._place(battle_map, origin) if player_map.has_picture else None
        bare = msgspec.structs.replace(player_map, tokens=(), camera=MapCamera(), ruler=None)
        request = (bare, part, theme.dark, place)
        if request == self._done:
            return msgspec.structs.replace(view, map=msgspec.structs.replace(player_map, picture=self._picture))
        if request != self._wanted:
            self._wanted = request
            self._paint(request, theme)
        return None

    def _place(self, battle_map: Map, origin: Point) -> PicturePlace | None:
        """Return the map's image and its position relative to `origin`, the square where players' coordinates start."""
        picture = battle_map.picture
        if picture is None or not self._loader.levels:
            return None
        at = picture.at[0] - origin[0], picture.at[1] - origin[1]
        size = picture.size[0] or battle_map.columns, picture.size[1] or battle_map.rows
        return PicturePlace(self._loader.levels, at, size, picture.dim)

    def _paint(self, request: PaintedFor, theme: Theme) -> None:
        player_map, part, _dark, place = request
        self._work.start(lambda: paint_part(player_map, part, theme, place), partial(self._take, request))

    def _take(self, request: PaintedFor, image: QImage) -> None:
        self._done, self._image = request, image
        part = request[1]
        self._picture = ComposedPicture(f"map {next(self._numbers)}".encode(), part.at, part.size)
        self.painted.emit()
