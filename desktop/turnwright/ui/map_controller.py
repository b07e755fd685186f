"""The menu Map: a map of another program, a plain picture, and the map as a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QImage, QImageReader
from PySide6.QtWidgets import QFileDialog, QMainWindow

from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Map
from turnwright.play.setup.commands.add import Add
from turnwright.play.setup.commands.edit import Edit
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.conversion_report import UnreadableError
from turnwright.storage.importers.universal_vtt import MapImport, MapPart, merged_map, read_map, write_map
from turnwright.storage.map_pictures import fitted_map, place_picture
from turnwright.storage.picture_check import MAX_MAP_BYTES, picture_name, picture_problem
from turnwright.storage.picture_format import picture_ending, picture_size
from turnwright.ui.dialogs.map_dialogs import MapImportDialog, MapPictureDialog, preview_size
from turnwright.ui.dialogs.save_path import ask_save_path
from turnwright.ui.docks.map.map_picture import MOST_MEMORY
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.import_controller import ImportController
from turnwright.ui.picture_reader import opened_buffer, picture_reader
from turnwright.ui.translations import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnwright.ui.workers import Progress

VTT_ENDING = ".dd2vtt"


class MapController(QObject):
    """Brings maps into the encounter of one window, and writes its map out."""

    def __init__(self, window: QMainWindow, document: DocumentModel, imports: ImportController) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._imports = imports

    # Importing -------------------------------------------------------------------------------------------------------

    def ask_import(self) -> None:
        """Ask for a map of another program, and show what is in it."""
        if self._is_saved():
            chosen, _ = QFileDialog.getOpenFileName(
                self._window, tr("ui.map-import.choose"), str(self._folder()), tr("ui.map-import.kind")
            )
            if chosen:
                self.read(Path(chosen))

    def read(self, path: Path) -> None:
        """Read a map in a worker, then ask which parts to import."""

        def make(_progress: Progress) -> tuple[MapImport, QImage] | str:
            try:
                found = read_map(path.read_bytes())
            except UnreadableError as error:
                return str(error)
            return found, _small_picture(found.picture)

        self._imports.run_in_worker(make, partial(self._ask_parts, path), "ui.map-import.reading")

    def _ask_parts(self, path: Path, result: tuple[MapImport, QImage] | str) -> None:
        if isinstance(result, str):
            self._say_failed(path, result)
            return
        found, preview = result
        dialog = MapImportDialog(path.stem, found, preview, self._window)
        dialog.chosen.connect(lambda parts, dark: self.import_parts(found, parts, dark=dark))
        dialog.open()

    def import_parts(self, found: MapImport, parts: Sequence[MapPart], *, dark: bool = False) -> None:
        """Put parts of a map into the encounter, its picture beside the encounter's file; undone in one step or two."""
        encounter = self._document.source.path
        if encounter is None:
            return
        try:
            name = place_picture(encounter, found.picture) if "picture" in parts and found.picture else ""
        except OSError as error:
            self._say_failed(encounter, error.strerror or str(error))
            return
        if self._put(merged_map(self._document.encounter.get(Map, Map.table), found, parts, name)) and dark:
            self._document.execute(Edit(msgspec.structs.replace(scene_of(self._document.encounter), light="dark")))

    # A plain picture ---------------------------------------------------------------------------------------------------

    def ask_picture(self) -> None:
        """Ask for a picture, and show it under a grid to fit."""
        if self._is_saved():
            chosen, _ = QFileDialog.getOpenFileName(
                self._window, tr("ui.map-picture.choose"), str(self._folder()), tr("ui.map-picture.kind")
            )
            if chosen:
                self.read_picture(Path(chosen))

    def read_picture(self, path: Path, field: Map | None = None) -> None:
        """Read a picture in a worker, then ask how the grid lies on it; on that of a map it lies as it does there."""

        def make(_progress: Progress) -> tuple[bytes, QImage]:
            data = path.read_bytes()
            return data, _small_picture(data)

        self._imports.run_in_worker(make, partial(self._ask_grid, path, field), "ui.map-import.reading")

    def ask_fit(self) -> None:
        """Show the picture of the map under its grid, to be fitted anew."""
        field, encounter = self._document.encounter.get(Map, Map.table), self._document.source.path
        if field is None or field.picture is None or not self._is_saved() or encounter is None:
            self._imports.notify(tr("ui.map-picture.none"))
            return
        problem = picture_problem(encounter.parent, field.picture.file, MAX_MAP_BYTES)
        if problem:
            self._say_failed(Path(field.picture.file), problem)
        else:
            self.read_picture(encounter.parent / picture_name(field.picture.file), field)

    def _ask_grid(self, path: Path, field: Map | None, result: tuple[bytes, QImage]) -> None:
        data, preview = result
        if preview.isNull() or not picture_ending(data):
            self._say_failed(path, tr("ui.map-picture.no-picture"))
            return
        size = QSize(*picture_size(data))
        dialog = MapPictureDialog(path.stem, size, preview, self._window, fitted_pixels(field, size))
        dialog.chosen.connect(lambda pixels, offset: self.place(path, data, pixels, offset))
        dialog.open()

    def place(self, path: Path, data: bytes, pixels: float, offset: tuple[float, float]) -> None:
        """Put a picture under the grid of the map, which becomes as large as the picture."""
        encounter = self._document.source.path
        if encounter is None:
            return
        before = self._document.encounter.get(Map, Map.table)
        try:
            fitted_map(before, picture_size(data), pixels, offset)  # which refuses before anything is written
            name = place_picture(encounter, data)
        except (OSError, UnreadableError) as error:
            self._say_failed(path, str(error))
            return
        self._put(fitted_map(before, picture_size(data), pixels, offset, name))

    def ask_missing_picture(self) -> None:
        """Ask where the picture of the map lies now; its place on the map stays."""
        battle_map = self._document.encounter.get(Map, Map.table)
        if battle_map is not None and battle_map.picture is not None and self._is_saved():
            chosen, _ = QFileDialog.getOpenFileName(
                self._window,
                tr("ui.map-picture.find", name=battle_map.picture.file),
                str(self._folder()),
                tr("ui.map-picture.kind"),
            )
            if chosen:
                self.replace_picture(Path(chosen))

    def replace_picture(self, path: Path) -> None:
        """Take another file for the picture of the map, copied beside the encounter unless it lies there."""
        encounter = self._document.source.path
        if encounter is None:
            return

        def make(_progress: Progress) -> tuple[str, str]:
            problem = picture_problem(path.parent, path.name, MAX_MAP_BYTES)
            if problem or path.parent.resolve() == encounter.parent.resolve():
                return path.name, problem
            data = path.read_bytes()
            return (
                (place_picture(encounter, data), "") if picture_ending(data) else ("", tr("ui.map-picture.no-picture"))
            )

        self._imports.run_in_worker(make, partial(self._take_picture, path), "ui.map-import.reading")

    def _take_picture(self, path: Path, result: tuple[str, str]) -> None:
        name, problem = result
        battle_map = self._document.encounter.get(Map, Map.table)
        if problem:
            self._say_failed(path, problem)
        elif battle_map is not None and battle_map.picture is not None:
            picture = msgspec.structs.replace(battle_map.picture, file=name)
            self._put(msgspec.structs.replace(battle_map, picture=picture))

    # Exporting -------------------------------------------------------------------------------------------------------

    def ask_export(self) -> None:
        """Ask for a file and write the map there."""
        battle_map = self._document.encounter.get(Map, Map.table)
        if battle_map is None or not battle_map.columns or not battle_map.rows:
            self._imports.notify(tr("ui.map-export.no-map"))
            return
        name = self._document.source.path.stem if self._document.source.path is not None else "map"
        suggested = self._folder() / f"{name}{VTT_ENDING}"
        path = ask_save_path(self._window, tr("ui.map-export.choose"), suggested, tr("ui.map-export.kind"), VTT_ENDING)
        if path is not None:
            self.export(battle_map, path)

    def export(self, battle_map: Map, path: Path) -> None:
        """Write a map with its picture for other programs, and report what the format can't hold."""
        encounter = self._document.source.path

        def make(_progress: Progress) -> tuple[str, ...]:
            picture = b""
            if encounter is not None and battle_map.picture is not None:
                picture = (encounter.parent / picture_name(battle_map.picture.file)).read_bytes()
            data, left_out = write_map(battle_map, picture)
            replace_atomically(path, data)
            return left_out

        self._imports.run_in_worker(make, partial(self._say_exported, path), "ui.map-import.reading")

    def _say_exported(self, path: Path, left_out: tuple[str, ...]) -> None:
        if left_out:
            what = ", ".join(left_out)
            self._imports.notify(tr("ui.map-export.left-out", file=path.name, what=what), persistent=True)
        else:
            self._imports.notify(tr("ui.export.done", file=path.name))

    # Both ------------------------------------------------------------------------------------------------------------

    def _put(self, battle_map: Map) -> bool:
        known = self._document.encounter.get(Map, Map.table) is not None
        return self._document.execute(Edit(battle_map) if known else Add((battle_map,)))

    def _is_saved(self) -> bool:
        """Return whether the encounter has a file, beside which a picture can lie; else say so."""
        if self._document.source.path is None:
            self._imports.notify(tr("ui.map-import.unsaved"))
            return False
        return True

    def _folder(self) -> Path:
        path = self._document.source.path
        return path.parent if path is not None else Path.home()

    def _say_failed(self, path: Path, why: str) -> None:
        self._imports.notify(tr("ui.map-import.failed", name=path.name, why=why), "warn", persistent=True)


def fitted_pixels(field: Map | None, size: QSize) -> tuple[float, tuple[float, float]] | None:
    """Return the pixels of a square's side, and where the grid begins, as a picture lies on a map; None without one."""
    if field is None or field.picture is None:
        return None
    pixels = size.width() / (field.picture.size[0] or field.columns or 1)
    left, top = (-at * pixels % pixels for at in field.picture.at)
    return pixels, (left, top)


def _small_picture(data: bytes) -> QImage:
    """Return a picture made small for a dialog, an empty one where it can't be read; for a worker."""
    QImageReader.setAllocationLimit(MOST_MEMORY)
    buffer = opened_buffer(data)
    reader = picture_reader(buffer)
    if reader.size().isValid():
        reader.setScaledSize(preview_size(reader.size()))
    return reader.read()
