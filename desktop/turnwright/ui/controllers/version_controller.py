"""Earlier versions of the file, snapshots of the fight, and the notice that another program has changed the file."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from turnwright.encounter.running import Snapshot
from turnwright.encounter.state import Record, clock_of
from turnwright.play.setup.prepared_records import GoBackToVersion
from turnwright.play.table.snapshots import DeleteSnapshot, GoBackToSnapshot
from turnwright.storage.fights import fight_path
from turnwright.ui.controllers.file_controller import FileController
from turnwright.ui.dialogs.recover import EarlierVersionsDialog
from turnwright.ui.look.style import theme_source, time_text, tr
from turnwright.ui.services.services import Controller, Services
from turnwright.workspace.document import changed_lines, earlier_versions
from turnwright.workspace.fight_lines import snapshot_changes


class VersionController(Controller):
    """Earlier versions of the open document's file, and changes made to it by other programs."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._files = services.controller(FileController)
        self._seen: tuple[int, ...] = ()

    def open(self) -> EarlierVersionsDialog | None:
        """Show the earlier versions, or report that there are none."""
        document = self._document.source
        versions = earlier_versions(document.path, self._workspace.folders.backups) if document.path else []
        if not versions:
            self._messages.notify(tr("ui.versions.none"), "accent", persistent=True)
            return None
        now = document.text()

        def differences(row: int) -> list[str]:
            try:
                return changed_lines(now, versions[row].path.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                return [tr("ui.versions.not-compared", why=str(error))]

        names = [time_text(version.saved_over.timestamp()) for version in versions]
        against = tr("ui.versions.running") if clock_of(self._document.encounter).phase != "preparing" else ""
        dialog = EarlierVersionsDialog(names, differences, theme_source().theme, against, self._window)
        dialog.goBackRequested.connect(lambda row: self._go_back(versions[row].path))
        dialog.copyRequested.connect(lambda row: self._files.open(versions[row].path, as_copy=True))
        dialog.open()
        return dialog

    def _go_back(self, version: Path) -> None:
        document = self._document.source

        def show(records: tuple[Record, ...]) -> None:
            if self._document.source is document:
                self._document.execute(GoBackToVersion(records))

        read = partial(self._workspace.prepared_in, version)
        self._files.load(version.name, read, show, partial(self._files.show_open_error, version))

    def open_snapshots(self) -> EarlierVersionsDialog:
        """Show the snapshots, newest first, with the changes that restoring each would make."""
        document = self._document
        snapshots = sorted(document.encounter.all(Snapshot), key=lambda snapshot: snapshot.serial, reverse=True)

        def differences(row: int) -> list[str]:
            try:
                return snapshot_changes(document.encounter, snapshots[row], document.phrasebook)
            except ValueError as error:
                return [tr("ui.snapshots.not-compared", why=str(error))]

        names = [tr("ui.snapshots.row", name=snapshot.name, n=snapshot.round) for snapshot in snapshots]
        dialog = EarlierVersionsDialog(names, differences, theme_source().theme, "", self._window, words="ui.snapshots")
        dialog.goBackRequested.connect(lambda row: document.execute(GoBackToSnapshot(snapshots[row].id)))
        dialog.copyRequested.connect(lambda row: document.execute(DeleteSnapshot(snapshots[row].id)))
        dialog.open()
        return dialog

    def look_at_file(self, *_: object) -> None:
        """Check whether another program has changed the open file. Report each change only once."""
        document = self._document.source
        if document.path is None or document.read_only:
            return
        with suppress(OSError):
            stamps = tuple(
                file.stat().st_mtime_ns for file in (document.path, fight_path(document.path)) if file.exists()
            )
            if stamps == self._seen:
                return
            self._seen = stamps
            if document.changed_on_disk():
                words = "ui.versions.changed-both" if document.is_modified else "ui.versions.changed"
                steps: list[tuple[str, Callable[[], object]]] = [
                    (tr("ui.versions.read-again"), self._files.revert_to_saved)
                ]
                self._messages.notify(tr(words, name=document.path.name), "warn", steps, persistent=True)
