"""The Map menu: import of maps and images, and export of the map."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QImageReader

from turnwright.encounter.floors import Part, parts_of, stacked
from turnwright.encounter.picture_formats import picture_size
from turnwright.encounter.prepared import Map, MapFloor
from turnwright.encounter.state import scene_of, unique_id
from turnwright.importers.universal_vtt import MapImport, MapPart, OldWalls, merged_map, placed_map, read_map, write_map
from turnwright.play.environment.map_changes import ArrangeFloors
from turnwright.play.setup.prepared_records import Edit
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.fights import UnreadableError
from turnwright.storage.picture_files import (
    MAP_ENDINGS,
    MAX_MAP_BYTES,
    picture_ending,
    picture_name,
    picture_problem,
    place_picture,
)
from turnwright.ui.dialogs.map_dialogs import MapImportDialog, MapPictureDialog, preview_size
from turnwright.ui.dialogs.message_bar import ask_text
from turnwright.ui.docks.map.drawing.map_picture import MOST_MEMORY, read_picture
from turnwright.ui.look.style import tr
from turnwright.ui.services.map_floors import put_own_map
from turnwright.ui.services.portraits import opened_buffer, picture_reader
from turnwright.ui.services.printed_grid import PrintedGrid, printed_grid
from turnwright.ui.services.services import Controller
from turnwright.ui.services.settings_store import ask_save_path
from turnwright.ui.services.workers import Progress

VTT_ENDING = ".dd2vtt"
MOST_SHOWN = 8_000_000  # pixels of a picture in the dialog
WALLS = ("walls", "windows", "curtains", "barriers", "doors", "lights")
ReadPicture = tuple[bytes, int, QImage, PrintedGrid | None]  # with the width at which it is stored


class MapController(Controller):
    """Imports maps and images into the encounter of one window, and exports its map."""

    unsaved = "ui.map-import.unsaved"

    # Import ----------------------------------------------------------------------------------------------------------

    def ask_import(self) -> None:
        """Ask for a map file of another program and show its contents."""
        self._ask_file_to_read(self.read, tr("ui.map-import.choose"), tr("ui.map-import.kind"))

    def read(self, path: Path) -> None:
        """Read a map in a worker, then ask which parts to import."""

        def make(_progress: Progress) -> tuple[MapImport, QImage] | str:
            try:
                imported = read_map(path.read_bytes(), path.parent)
            except UnreadableError as error:
                return str(error)
            return imported, _small_picture(imported.picture)

        self._services.jobs.run(make, partial(self._ask_parts, path), "ui.map-import.reading")

    def _ask_parts(self, path: Path, result: tuple[MapImport, QImage] | str) -> None:
        if isinstance(result, str):
            self._say_failed(path, result)
            return
        imported, preview = result
        dialog = MapImportDialog(path.stem, imported, preview, self._window)
        dialog.chosen.connect(lambda parts, dark: self.import_parts(imported, parts, dark=dark))
        dialog.open()

    def import_parts(self, imported: MapImport, parts: Sequence[MapPart], *, dark: bool = False) -> None:
        """Import parts of a map into the encounter, and save its image next to the encounter's file.

        This creates one undo step, or two if `dark` makes the scene dark.
        """
        encounter = self._document.source.path
        if encounter is None:
            return
        try:
            name = place_picture(encounter, imported.picture) if "picture" in parts and imported.picture else ""
        except OSError as error:
            self._say_failed(encounter, error.strerror or str(error))
            return
        if put_own_map(self._document, merged_map(self._document.own_map, imported, parts, name)):
            if dark:
                self._document.execute(Edit(msgspec.structs.replace(scene_of(self._document.encounter), light="dark")))
            self._say_done()

    # Floors ----------------------------------------------------------------------------------------------------------

    def ask_floor(self) -> None:
        """Ask for a name, and add a floor of the same size below the others."""
        parts, shown = self._parts(), self._document.floor
        if parts and (name := self._ask_name(tr("ui.map.floor", n=len(parts) + 1))):
            floor = MapFloor(unique_id(name, {each.id for each, _ in parts}, "floor"), name)
            if self._arrange([*parts, (floor, Map(columns=shown.columns or parts[0][1].columns, rows=shown.rows))]):
                self._document.show_floor(floor)

    def rename_floor(self) -> None:
        """Ask for another name of the floor that is shown."""
        parts, shown = self._parts(), self._document.floor
        if parts and (name := self._ask_name(shown.name or parts[0][0].name)):
            named = (msgspec.structs.replace(each, name=name) if each.row == shown.row else each for each, _ in parts)
            self._arrange([*zip(named, [own for _, own in parts], strict=True)])

    def remove_floor(self) -> None:
        """Remove the floor that is shown, with everything on it."""
        if others := [part for part in self._parts() if part[0].row != self._document.floor.row]:
            self._arrange(others)

    def _parts(self) -> list[Part]:
        """Return the floors of the map, or report that the map is missing."""
        whole = self._document.encounter.get(Map, Map.table)
        if whole is None or not whole.columns:
            self._messages.notify(tr("ui.map-export.no-map"))
            return []
        return parts_of(whole) if whole.floors else [(MapFloor("floor-1", tr("ui.map.floor", n=1)), whole)]

    def _arrange(self, parts: list[Part]) -> bool:
        return self._document.execute(ArrangeFloors(stacked(parts)))

    def _ask_name(self, usual: str) -> str:
        return ask_text(self._window, tr("ui.map.floors"), tr("ui.map.floor-name"), usual)

    # Pictures --------------------------------------------------------------------------------------------------------

    def ask_picture(self) -> None:
        """Ask for an image and show it in a dialog that fits a grid to it."""
        self._ask_file_to_read(self.read_picture, tr("ui.map-picture.choose"), tr("ui.map-picture.kind"))

    def read_dropped(self, path: Path) -> None:
        """Read a map or image that was dropped on the map."""
        if self._is_saved():
            (self.read if path.suffix.lower() in MAP_ENDINGS else self.read_picture)(path)

    def read_picture(self, path: Path, field: Map | None = None) -> None:
        """Read an image and find its printed grid in a worker, then ask for the position of the grid.

        `field` is the map if it already has the image.
        """

        def make(_progress: Progress) -> ReadPicture | str:
            data = path.read_bytes()
            try:
                levels = read_picture(path) if picture_ending(data) else ()
            except ValueError as error:
                return str(error)
            return (data, levels[0].width(), *_preview_with_grid(levels)) if levels else tr("ui.map-picture.no-picture")

        self._services.jobs.run(make, partial(self._ask_grid, path, field), "ui.map-import.reading")

    def ask_fit(self) -> None:
        """Fit the grid to the map's image again."""
        field, encounter = self._document.own_map, self._document.source.path
        if field is None or field.picture is None or not self._is_saved() or encounter is None:
            self._messages.notify(tr("ui.map-picture.none"))
            return
        if problem := picture_problem(encounter.parent, field.picture.file, MAX_MAP_BYTES):
            self._say_failed(Path(field.picture.file), problem)
        else:
            self.read_picture(encounter.parent / picture_name(field.picture.file), field)

    def _ask_grid(self, path: Path, field: Map | None, result: ReadPicture | str) -> None:
        if isinstance(result, str):
            self._say_failed(path, result)
            return
        data, width, preview, found = result
        size, before = QSize(*picture_size(data)), self._document.own_map or Map()
        if found is not None and (ratio := size.width() / width) != 1:  # a very large picture is stored reduced
            found = PrintedGrid(found.side * ratio, (found.offset[0] * ratio, found.offset[1] * ratio))
        choices: tuple[OldWalls, ...] = ("move", "keep", "remove") if field is not None else ("keep", "move", "remove")
        has_walls, has_picture = any(getattr(before, name) for name in WALLS), before.picture is not None
        old_walls = [choice for choice in choices if has_walls and (has_picture or choice != "move")]
        dialog = MapPictureDialog(path.stem, size, preview, self._window, fitted_pixels(field, size), found, old_walls)
        dialog.chosen.connect(lambda pixels, offset, walls: self.place(path, data, pixels, offset, walls))
        dialog.open()

    def place(
        self, path: Path, data: bytes, pixels: float, offset: tuple[float, float], walls: OldWalls = "keep"
    ) -> None:
        """Use an image as the map's background, and resize the map to the size of the image."""
        encounter = self._document.source.path
        if encounter is None:
            return
        before = self._document.own_map
        try:
            placed = placed_map(before, encounter, data, pixels, offset, walls)
        except (OSError, UnreadableError) as error:
            self._say_failed(path, str(error))
            return
        if put_own_map(self._document, placed):
            self._say_done()

    def ask_missing_picture(self) -> None:
        """Ask for the file of a missing map image. The image keeps its position on the map."""
        battle_map = self._document.own_map
        if battle_map is not None and battle_map.picture is not None:
            title = tr("ui.map-picture.find", name=battle_map.picture.file)
            self._ask_file_to_read(self.replace_picture, title, tr("ui.map-picture.kind"))

    def replace_picture(self, path: Path) -> None:
        """Use another file as the map's image. Copy it next to the encounter's file if it isn't there yet."""
        encounter = self._document.source.path
        if encounter is None:
            return

        def make(_progress: Progress) -> tuple[str, str]:
            problem = picture_problem(path.parent, path.name, MAX_MAP_BYTES)
            if problem or path.parent.resolve() == encounter.parent.resolve():
                return path.name, problem
            data = path.read_bytes()
            is_picture = bool(picture_ending(data))
            return (place_picture(encounter, data), "") if is_picture else ("", tr("ui.map-picture.no-picture"))

        self._services.jobs.run(make, partial(self._take_picture, path), "ui.map-import.reading")

    def _take_picture(self, path: Path, result: tuple[str, str]) -> None:
        name, problem = result
        battle_map = self._document.own_map
        if problem:
            self._say_failed(path, problem)
        elif battle_map is not None and battle_map.picture is not None:
            picture = msgspec.structs.replace(battle_map.picture, file=name)
            put_own_map(self._document, msgspec.structs.replace(battle_map, picture=picture))

    # Export ----------------------------------------------------------------------------------------------------------

    def ask_export(self) -> None:
        """Ask for a file and write the map to it."""
        battle_map = self._document.own_map
        if battle_map is None or not battle_map.columns or not battle_map.rows:
            self._messages.notify(tr("ui.map-export.no-map"))
            return
        name = self._document.source.path.stem if self._document.source.path is not None else "map"
        suggested = self._folder() / f"{name}{VTT_ENDING}"
        path = ask_save_path(self._window, tr("ui.map-export.choose"), suggested, tr("ui.map-export.kind"), VTT_ENDING)
        if path is not None:
            self.export(battle_map, path)

    def export(self, battle_map: Map, path: Path) -> None:
        """Write a map with its image to a file for other programs. Report anything the format can't represent."""
        encounter = self._document.source.path

        def make(_progress: Progress) -> tuple[str, ...]:
            picture = b""
            if encounter is not None and battle_map.picture is not None:
                picture = (encounter.parent / picture_name(battle_map.picture.file)).read_bytes()
            data, left_out = write_map(battle_map, picture)
            replace_atomically(path, data)
            return left_out

        self._services.jobs.run(make, partial(self._say_exported, path), "ui.map-import.reading")

    def _say_exported(self, path: Path, left_out: tuple[str, ...]) -> None:
        if left_out:
            what = ", ".join(left_out)
            self._messages.notify(tr("ui.map-export.left-out", file=path.name, what=what), persistent=True)
        else:
            self._messages.notify(tr("ui.export.done", file=path.name))

    # Helpers ---------------------------------------------------------------------------------------------------------

    def _say_done(self) -> None:
        """Report the contents of the map, and offer to show it if another panel covers it, as in a fight."""
        field = self._document.own_map or Map()
        numbers = {"columns": field.columns, "rows": field.rows, "doors": len(field.doors), "lights": len(field.lights)}
        walls = len(field.walls) + len(field.barriers)
        show = (tr("ui.map-import.show"), partial(self._docks.focus_dock, Map.table))
        actions = [show] if not self._docks.is_raised(Map.table) else []
        self._messages.notify(tr("ui.map-import.done", **numbers, walls=walls), actions=actions)

    def _say_failed(self, path: Path, why: str) -> None:
        self._messages.notify(tr("ui.map-import.failed", name=path.name, why=why), "warn", persistent=True)


def fitted_pixels(field: Map | None, size: QSize) -> PrintedGrid | None:
    """Return the grid of a map's image in its pixels. Return None for a map without an image."""
    if field is None or field.picture is None:
        return None
    pixels = size.width() / (field.picture.size[0] or field.columns or 1)
    left, top = (-at * pixels % pixels for at in field.picture.at)
    return PrintedGrid(pixels, (left, top))


def _preview_with_grid(levels: tuple[QImage, ...]) -> tuple[QImage, PrintedGrid | None]:
    """Return a stored size of an image for a dialog, and the grid that is printed on it. For use in a worker."""
    grey = levels[0].convertToFormat(QImage.Format.Format_Grayscale8)
    pixels = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), grey.bytesPerLine())
    preview = next((each for each in levels if each.width() * each.height() <= MOST_SHOWN), levels[-1])
    return preview, printed_grid(pixels[:, : grey.width()])


def _small_picture(data: bytes) -> QImage:
    """Return an image reduced for a dialog, or a null image if it can't be read. For use in a worker."""
    QImageReader.setAllocationLimit(MOST_MEMORY)
    buffer = opened_buffer(data)
    reader = picture_reader(buffer)
    if reader.size().isValid():
        reader.setScaledSize(preview_size(reader.size()))
    return reader.read()
