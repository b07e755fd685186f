"""Sets creature portraits from files, drag and drop, the clipboard, or a folder of images named after the creatures."""

import re
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Key, entry_name
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.table.game_master import SetPortrait
from turnwright.storage.picture_files import picture_for, pictures_by_name, place_picture
from turnwright.ui.dialogs.portrait_dialog import PortraitDialog
from turnwright.ui.look.style import tr
from turnwright.ui.services.portraits import SHOWN, STORED, middle_square, portrait_png, read_picture, shrunk
from turnwright.ui.services.services import Controller, Services
from turnwright.ui.services.settings_store import ask_folder
from turnwright.ui.services.workers import Progress

_NO_NAME: Final = re.compile(r"[^\w-]+")
MOST_IN_NAME: Final = 60
Portrayed = Creature | RosterEntry | Combatant


class PortraitController(Controller):
    """Sets creature portraits in one window. Workers read, crop and write the images."""

    unsaved = "ui.portrait.unsaved"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._imported = 0
        self.dialog: PortraitDialog | None = None

    # One portrait --------------------------------------------------------------------------------------------------

    def ask_file(self, key: Key | None = None) -> None:
        """Ask for an image for a record, by default the selected one."""
        if self._record(key) is not None:
            self._ask_file_to_read(partial(self.read, key=key), tr("ui.portrait.choose"), tr("ui.portrait.kind"))

    def read(self, path: Path, key: Key | None = None) -> None:
        """Read an image for a record in a worker, then ask which part of it to use."""
        if (record := self._record(key)) is not None and self._is_saved():

            def make(_progress: Progress) -> QImage | str:
                try:
                    return read_picture(path, SHOWN)
                except ValueError as error:
                    return str(error)

            self._services.jobs.run(make, partial(self._ask_square, record, path.name), "ui.portrait.reading")

    def paste(self, key: Key | None = None) -> bool:
        """Use the clipboard's image for a record, by default the selected one. Return whether there is an image."""
        data = QApplication.clipboard().mimeData()
        files = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
        if files:
            self.read(files[0], key)
        elif data.hasImage():
            record, image = self._record(key), QApplication.clipboard().image()
            if record is not None and self._is_saved():
                self._services.jobs.run(
                    lambda _progress: shrunk(image, SHOWN), partial(self._ask_square, record, ""), "ui.portrait.reading"
                )
        return bool(files) or data.hasImage()

    def remove(self, key: Key | None = None) -> None:
        """Remove the portrait of a record, by default the selected one. The image file isn't deleted."""
        if (record := self._record(key)) is not None and record.portrait:
            self._set(record, "")

    def _ask_square(self, record: Portrayed, file: str, result: QImage | str) -> None:
        if isinstance(result, str) or result.isNull():
            why = result if isinstance(result, str) else tr("ui.portrait.no-picture")
            self._messages.notify(tr("ui.portrait.failed", name=file, why=why), "warn", persistent=True)
            return

        self.dialog = PortraitDialog(self._name(record), result, self._window)
        self.dialog.chosen.connect(partial(self._crop, record, result))
        self.dialog.finished.connect(self._forget_dialog)
        self.dialog.open_once()

    def _forget_dialog(self) -> None:
        self.dialog = None

    def _crop(self, record: Portrayed, picture: QImage, square: QRectF) -> None:
        if (encounter := self._document.source.path) is not None:
            self._services.jobs.run(
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

    # A folder of portraits -----------------------------------------------------------------------------------------

    def ask_folder(self) -> None:
        """Ask for a folder of images, and use them as portraits for all creatures that have none."""
        if self._is_saved():
            folder = ask_folder(self._window, tr("ui.portrait.choose-folder"), self._folder())
            if folder is not None:
                self.read_folder(folder)

    def read_folder(self, folder: Path) -> None:
        """Use the images in a folder for creatures and named roster entries without a portrait, in one undo step."""
        encounter = self._document.encounter
        beside = self._document.source.path
        candidates: list[tuple[Portrayed, tuple[str, ...]]] = []
        candidates += [(one, (one.id, one.name)) for one in encounter.all(Creature) if not one.portrait]
        candidates += [
            (roster_entry, (entry_name(encounter, roster_entry),))
            for roster_entry in encounter.all(RosterEntry)
            if roster_entry.name and not roster_entry.portrait
        ]

        def make(_progress: Progress) -> tuple[list[tuple[Portrayed, str]], int]:
            pictures, portraits, broken = pictures_by_name(folder), [], 0
            for record, names in candidates:
                if (path := picture_for(pictures, names)) is not None and beside is not None:
                    try:
                        picture = read_picture(path, 2 * STORED)
                    except ValueError:
                        broken += 1
                        continue
                    portraits.append((record, _written(beside, record, picture, middle_square(picture.size()))))
            return portraits, broken

        self._services.jobs.run(make, partial(self._take_all, len(candidates)), "ui.portrait.reading")

    def _take_all(self, total: int, result: tuple[list[tuple[Portrayed, str]], int]) -> None:
        portraits, broken = result
        self._imported += 1
        for record, file in portraits:
            self._set(record, file, merge=f"portraits:{self._imported}")
        text = tr("ui.portrait.found", n=len(portraits), of=total)
        self._messages.notify(f"{text} {tr('ui.portrait.broken', n=broken)}" if broken else text)

    # Helpers ---------------------------------------------------------------------------------------------------------

    def _record(self, key: Key | None) -> Portrayed | None:
        record = self._document.encounter.record(key) if key is not None else self._document.selected_record()
        if isinstance(record, Combatant | RosterEntry) or type(record) is Creature:
            return record
        self._messages.notify(tr("ui.portrait.select-first"))
        return None

    def _name(self, record: Portrayed) -> str:
        if isinstance(record, Combatant):
            return record.label
        return entry_name(self._document.encounter, record) if isinstance(record, RosterEntry) else record.name


def _written(encounter: Path, record: Portrayed, picture: QImage, square: QRectF) -> str:
    """Write a square part of an image next to the encounter, and return the file name. For use in a worker.

    Raise OSError if the file can't be written.
    """
    part = _NO_NAME.sub("-", record.id)[:MOST_IN_NAME].strip("-") or "portrait"
    return place_picture(encounter, portrait_png(picture, square), part)
