"""Portraits of creatures: from a file, dropped, pasted, or by their names from a folder of pictures."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from PySide6.QtCore import QObject, QRectF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow

from turnwright.encounter.member_labels import entry_name
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Key
from turnwright.play.setup.commands.edit import Edit
from turnwright.play.table.commands.set_portrait import SetPortrait
from turnwright.storage.map_pictures import place_picture
from turnwright.storage.portrait_files import picture_for, pictures_by_name
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.import_controller import ImportController
from turnwright.ui.portraits import SHOWN, STORED, middle_square, portrait_png, read_picture, shrunk
from turnwright.ui.translations import tr

if TYPE_CHECKING:
    from turnwright.ui.dialogs.portrait_dialog import PortraitDialog
    from turnwright.ui.workers import Progress

_NO_NAME: Final = re.compile(r"[^\w-]+")
MOST_IN_NAME: Final = 60
Portrayed = Creature | RosterEntry | Combatant


class PortraitController(QObject):
    """Gives the creatures of one window their portraits. Pictures are read, cropped and written in workers."""

    def __init__(self, window: QMainWindow, document: DocumentModel, imports: ImportController) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._imports = imports
        self._imported = 0
        self.dialog: PortraitDialog | None = None

    # One -----------------------------------------------------------------------------------------------------------

    def ask_file(self, key: Key | None = None) -> None:
        """Ask for the picture of a record, by default of the selected one."""
        record = self._record(key)
        if record is not None and self._is_saved():
            chosen, _ = QFileDialog.getOpenFileName(
                self._window, tr("ui.portrait.choose"), str(self._folder()), tr("ui.portrait.kind")
            )
            if chosen:
                self.read(Path(chosen), key)

    def read(self, path: Path, key: Key | None = None) -> None:
        """Read the picture of a record in a worker, then ask for the part of it to be shown."""
        record = self._record(key)
        if record is not None and self._is_saved():

            def make(_progress: Progress) -> QImage | str:
                try:
                    return read_picture(path, SHOWN)
                except ValueError as error:
                    return str(error)

            self._imports.run_in_worker(make, partial(self._ask_square, record, path.name), "ui.portrait.reading")

    def paste(self, key: Key | None = None) -> bool:
        """Take the picture of the clipboard for a record, by default the selected one; False where it holds none."""
        data = QApplication.clipboard().mimeData()
        files = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
        if files:
            self.read(files[0], key)
        elif data.hasImage():
            record, image = self._record(key), QApplication.clipboard().image()
            if record is not None and self._is_saved():
                self._imports.run_in_worker(
                    lambda _progress: shrunk(image, SHOWN),
                    partial(self._ask_square, record, ""),
                    "ui.portrait.reading",
                )
        return bool(files) or data.hasImage()

    def remove(self, key: Key | None = None) -> None:
        """Take the portrait from a record, by default the selected one; its file stays."""
        record = self._record(key)
        if record is not None and record.portrait:
            self._set(record, "")

    def _ask_square(self, record: Portrayed, file: str, result: QImage | str) -> None:
        if isinstance(result, str) or result.isNull():
            why = result if isinstance(result, str) else tr("ui.portrait.no-picture")
            self._imports.notify(tr("ui.portrait.failed", name=file, why=why), "warn", persistent=True)
            return
        from turnwright.ui.dialogs.portrait_dialog import PortraitDialog

        self.dialog = PortraitDialog(self._name(record), result, self._window)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.chosen.connect(partial(self._crop, record, result))
        self.dialog.finished.connect(self._forget_dialog)
        self.dialog.open()

    def _forget_dialog(self) -> None:
        self.dialog = None

    def _crop(self, record: Portrayed, picture: QImage, square: QRectF) -> None:
        encounter = self._document.source.path
        if encounter is not None:
            self._imports.run_in_worker(
                lambda _progress: _written(encounter, record, picture, square),
                partial(self._set, record),
                "ui.portrait.reading",
            )

    def _set(self, record: Portrayed, file: str, merge: str = "") -> bool:
        if isinstance(record, Combatant):
            return self._document.execute(SetPortrait(record.id, file))
        now = self._document.encounter.get(type(record), record.id)
        return now is not None and self._document.execute(
            Edit(msgspec.structs.replace(now, portrait=file), merge=merge)
        )

    # All -----------------------------------------------------------------------------------------------------------

    def ask_folder(self) -> None:
        """Ask for a folder of pictures, and take portraits from it for all who have none."""
        if self._is_saved():
            chosen = QFileDialog.getExistingDirectory(
                self._window, tr("ui.portrait.choose-folder"), str(self._folder())
            )
            if chosen:
                self.read_folder(Path(chosen))

    def read_folder(self, folder: Path) -> None:
        """Take portraits from a folder for the creatures and named roster entries without one, in one step of undo."""
        encounter = self._document.encounter
        beside = self._document.source.path
        without: list[tuple[Portrayed, tuple[str, ...]]] = []
        without += [(one, (one.id, one.name)) for one in encounter.all(Creature) if not one.portrait]
        without += [
            (one, (entry_name(encounter, one),)) for one in encounter.all(RosterEntry) if one.name and not one.portrait
        ]

        def make(_progress: Progress) -> tuple[list[tuple[Portrayed, str]], int]:
            pictures, found, broken = pictures_by_name(folder), [], 0
            for record, names in without:
                path = picture_for(pictures, names)
                if path is not None and beside is not None:
                    try:
                        picture = read_picture(path, 2 * STORED)
                    except ValueError:
                        broken += 1
                        continue
                    found.append((record, _written(beside, record, picture, middle_square(picture.size()))))
            return found, broken

        self._imports.run_in_worker(make, partial(self._take_all, len(without)), "ui.portrait.reading")

    def _take_all(self, wanted: int, result: tuple[list[tuple[Portrayed, str]], int]) -> None:
        found, broken = result
        self._imported += 1
        for record, file in found:
            self._set(record, file, merge=f"portraits:{self._imported}")
        said = tr("ui.portrait.found", n=len(found), of=wanted)
        self._imports.notify(f"{said} {tr('ui.portrait.broken', n=broken)}" if broken else said)

    # Both ------------------------------------------------------------------------------------------------------------

    def _record(self, key: Key | None) -> Portrayed | None:
        record = self._document.encounter.record(key) if key is not None else self._document.selected_record()
        if isinstance(record, Combatant | RosterEntry) or type(record) is Creature:
            return record
        self._imports.notify(tr("ui.portrait.select-first"))
        return None

    def _name(self, record: Portrayed) -> str:
        if isinstance(record, Combatant):
            return record.label
        return entry_name(self._document.encounter, record) if isinstance(record, RosterEntry) else record.name

    def _is_saved(self) -> bool:
        if self._document.source.path is None:
            self._imports.notify(tr("ui.portrait.unsaved"))
            return False
        return True

    def _folder(self) -> Path:
        path = self._document.source.path
        return path.parent if path is not None else Path.home()


def _written(encounter: Path, record: Portrayed, picture: QImage, square: QRectF) -> str:
    """Write a square of a picture beside an encounter, and return the file's name; for a worker. OSError."""
    part = _NO_NAME.sub("-", record.id)[:MOST_IN_NAME].strip("-") or "portrait"
    return place_picture(encounter, portrait_png(picture, square), part)
