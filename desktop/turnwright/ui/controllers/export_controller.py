"""Export of encounters and creatures to files, and backup and restoration of the library."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.encounter.prepared import Creature
from turnwright.importers.exporters.export import creatures_folder, title_of, write_encounter
from turnwright.storage.atomic import slug
from turnwright.storage.backup import back_up_library, restore_library
from turnwright.ui.controllers.library_controller import LibraryController
from turnwright.ui.dialogs.message_bar import AGREES, confirm
from turnwright.ui.look.style import tr
from turnwright.ui.services.actions import without_mnemonic
from turnwright.ui.services.services import Controller
from turnwright.ui.services.settings_store import ask_folder, ask_open_path, ask_save_path

if TYPE_CHECKING:
    from turnwright.importers.exporters.improved_initiative import ExportedText
    from turnwright.storage.backup import RestoreResult
    from turnwright.ui.services.workers import Progress

Choice = tuple[str, str, Callable[[], object]]
NAMED_AT_MOST = 6


class ExportController(Controller):
    """The exports and backups of one window."""

    # Export ----------------------------------------------------------------------------------------------------------

    def choices(self) -> list[Choice]:
        """Return the export formats as choices for a list."""
        return [
            (without_mnemonic(tr(f"ui.export.{id}")), tr(f"ui.export.{id}-hint"), run)
            for id, run in (("improved", self.ask_improved), ("creatures", self.ask_creatures))
        ]

    def ask_improved(self) -> None:
        """Ask for a file and export the encounter for Improved Initiative."""
        if self._has_none():
            return
        title, suggested = tr("ui.export.choose-file"), self._suggested(".json")
        path = ask_save_path(self._window, title, suggested, tr("ui.export.kind"), ".json")
        if path is not None:
            self.export_improved(path)

    def export_improved(self, path: Path) -> None:
        """Export the encounter for Improved Initiative, and report anything that the format can't represent."""
        scale = self._document.rules.data.ability_scale
        try:
            exported = write_encounter(self._document.encounter, path, "improved-initiative", scale.modifier)
        except OSError as error:
            self._say_failed(path, error)
            return
        self._say_exported(path, exported)

    def _say_exported(self, path: Path, exported: ExportedText) -> None:
        if not exported.reports:
            self._messages.notify(tr("ui.export.done", file=path.name))
            return
        fields = list(dict.fromkeys(f"{report.record}: {report.field}" for report in exported.reports))
        what = ", ".join(fields[:NAMED_AT_MOST]) + ("…" if len(fields) > NAMED_AT_MOST else "")
        self._messages.notify(tr("ui.export.left-out", file=path.name, n=len(fields), what=what), persistent=True)

    def ask_creatures(self) -> None:
        """Ask for a folder, and export the encounter's creatures to a new subfolder as library files."""
        if self._has_none():
            return
        folder = ask_folder(self._window, tr("ui.export.choose-folder"), Path.home())
        if folder is not None:
            self.export_creatures(folder)

    def export_creatures(self, parent_folder: Path) -> None:
        """Export the encounter's creatures to a new folder as library files."""
        encounter = self._document.encounter
        creatures = list(encounter.all(Creature))
        try:
            folder = creatures_folder(creatures, self._document.rules.id, parent_folder, title_of(encounter))
        except OSError as error:
            self._say_failed(parent_folder, error)
        else:
            self._messages.notify(tr("ui.export.done", file=str(folder)))

    def _has_none(self) -> bool:
        nobody = not self._document.encounter.ids(Creature)
        if nobody:
            self._messages.notify(tr("ui.export.nothing"))
        return nobody

    def _say_failed(self, path: Path, error: OSError) -> None:
        text = tr("ui.export.failed", name=path.name, why=error.strerror or str(error))
        self._messages.notify(text, "warn", persistent=True)

    def _suggested(self, ending: str) -> Path:
        return self._folder() / f"{slug(self._document.source.title, 'encounter')}{ending}"

    # Backup of the library -------------------------------------------------------------------------------------------

    def ask_back_up(self) -> None:
        """Ask for a file and write a backup of the whole library to it."""
        name = f"turnwright-library-{datetime.now().astimezone():%Y-%m-%d}.zip"
        title = tr("ui.backup.choose-out")
        path = ask_save_path(self._window, title, Path.home() / name, tr("ui.backup.kind"), ".zip")
        if path is not None:
            self.back_up(path)

    def back_up(self, out: Path) -> None:
        """Write a backup of the whole library to a file."""
        library = self._workspace.folders.library

        def make(progress: Progress) -> int:
            return back_up_library(library, out, progress)

        self._services.jobs.run(make, partial(self._say_backed_up, out), "ui.backup.title")

    def _say_backed_up(self, out: Path, count: int) -> None:
        self._messages.notify(tr("ui.backup.done", n=count, file=str(out)) if count else tr("ui.backup.empty"))

    def ask_restore(self) -> None:
        """Ask for a backup file and for confirmation, then replace the library."""
        path = ask_open_path(self._window, tr("ui.backup.choose-in"), Path.home(), tr("ui.backup.kind"))
        if path is not None and self._agrees(path):
            self.restore(path)

    def restore(self, backup: Path) -> None:
        """Replace the library with the contents of a backup."""
        library = self._workspace.folders.library

        def make(progress: Progress) -> RestoreResult:
            return restore_library(backup, library, progress)

        self._services.jobs.run(make, self._say_restored, "ui.backup.title")

    def _say_restored(self, restored: RestoreResult) -> None:
        self._services.controller(LibraryController).reload()
        if restored.previous_library is None:
            self._messages.notify(tr("ui.backup.restored", n=restored.files))
        else:
            self._messages.notify(
                tr("ui.backup.kept", n=restored.files, folder=str(restored.previous_library)), persistent=True
            )

    def _agrees(self, backup: Path) -> bool:
        question = tr("ui.backup.question", name=backup.name)
        return confirm(self._window, question, tr("ui.backup.detail"), tr("ui.backup.yes"), AGREES)
