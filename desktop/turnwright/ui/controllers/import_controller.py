"""Import of chosen or dropped files. A worker reads them, and a dialog reports the result."""

import re
from collections.abc import Collection, Sequence
from itertools import count
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QDropEvent
from shiboken6 import isValid

from turnwright.encounter.prepared import Party
from turnwright.importers.characters import joined, new_party
from turnwright.importers.files import imported_characters
from turnwright.importers.files.import_files import read_import
from turnwright.importers.files.import_manifest import PastImport, TakenBack, past_imports, put_back, take_back
from turnwright.importers.files.pending_import import Again, PendingImport, undo_writing
from turnwright.importers.results import ImportOutcome
from turnwright.storage.adventures import PLAN
from turnwright.storage.library.entries import Library
from turnwright.ui.controllers.file_controller import FileController
from turnwright.ui.controllers.library_controller import LibraryController
from turnwright.ui.dialogs.imports.import_dialogs import ImportAgainDialog, ImportResultDialog, TakeBackDialog
from turnwright.ui.dialogs.party_table import PartyTableDialog
from turnwright.ui.docks.shared.library_transfer import add_from_library
from turnwright.ui.look.style import tr
from turnwright.ui.models.import_report import ReportLine, report_tree
from turnwright.ui.services.services import Controller, Services, show_dialog
from turnwright.ui.services.settings_store import ask_folder, ask_open_paths, local_files
from turnwright.ui.services.workers import Progress

ReportedOutcome = tuple[ImportOutcome, ReportLine]


_HEAD: Final = 8_192
_LIBRARY_FILE = re.compile(rb"^kind[ \t]*=", re.MULTILINE)


class ImportController(Controller):
    """The imports of one window, one at a time."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._jobs = services.jobs
        self._asking: PendingImport | None = None
        self._paths: tuple[Path, ...] = ()

    # File selection --------------------------------------------------------------------------------------------------

    def ask_files(self) -> None:
        """Ask for files and import them."""
        self.import_paths(ask_open_paths(self._window, tr("ui.import.choose-files"), Path.home(), tr("ui.import.kind")))

    def ask_folder(self) -> None:
        """Ask for a folder and import everything in it."""
        folder = ask_folder(self._window, tr("ui.import.choose-folder"), Path.home())
        self.import_paths([folder] if folder is not None else [])

    def ask_characters(self, table: PartyTableDialog) -> None:
        """Ask for files, and show the characters in them as rows of the table of a party, with the notes on them."""
        paths = ask_open_paths(table, tr("ui.party-table.import-title"), Path.home(), tr("ui.import.kind"))
        system = self._document.rules.id

        def make(progress: Progress) -> tuple[Party, ReportedOutcome]:
            party, outcome = imported_characters.read_characters(paths, system, progress)
            return party, _with_report(outcome)

        def tell(result: tuple[Party, ReportedOutcome]) -> None:
            if isValid(table):
                table.show_party(result[0])
                dialog = ImportResultDialog(*result[1], table)
                dialog.open_once()

        if paths and self._jobs.is_free:
            self._jobs.run(make, tell, "ui.import.title")

    def handle_drag(self, event: QDropEvent) -> None:
        """Accept files dragged over the window, and open or import files dropped onto it."""
        if (paths := local_files(event.mimeData())) and self._jobs.is_free:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            if event.type() == QEvent.Type.Drop:
                # Import later, because the source of the drag waits until this event has been handled.
                QTimer.singleShot(0, self, lambda: self.drop(paths))

    def drop(self, paths: Sequence[Path]) -> None:
        """Open the dropped files if they are all encounters; otherwise import them."""
        if all(is_encounter_file(path) for path in paths):
            self._services.controller(FileController).open_all(paths)
        else:
            self.import_paths(paths)

    # Import ----------------------------------------------------------------------------------------------------------

    def import_paths(self, paths: Sequence[Path]) -> None:
        """Import files and folders into the user's library, and report the result."""
        if not paths or not self._jobs.is_free:
            return
        into = self._workspace.folders.library
        self._paths = tuple(paths)

        def make(progress: Progress) -> PendingImport | ReportedOutcome:
            pending = read_import(paths, into, progress=progress)
            return pending if pending.counts else _with_report(pending.finish())

        self._jobs.run(make, self._tell_or_ask, "ui.import.title")

    def _read_again(self, paths: Sequence[Path], without: Collection[str]) -> None:
        """Repeat the last import without some catalogue entries, overwriting its results."""
        folders = self._workspace.folders
        self._paths = tuple(paths)

        def make(progress: Progress) -> ReportedOutcome:
            with read_import(paths, folders.library, progress=progress, omit=without) as pending:
                return _with_report(pending.finish("update", backups=folders.backups))

        self._jobs.run(make, self._tell, "ui.import.title")

    def _tell_or_ask(self, result: PendingImport | ReportedOutcome) -> None:
        if isinstance(result, tuple):
            self._tell(result)
            return
        dialog = ImportAgainDialog(result, self._window)
        self._ask(result)
        dialog.chosen.connect(lambda again, overwrite: self._finish(result, again, overwrite))
        dialog.rejected.connect(lambda: self._give_up(result))
        dialog.destroyed.connect(lambda: self._give_up(result))  # for example when its window closes
        show_dialog(dialog)

    def _finish(self, pending: PendingImport, again: Again, overwrite: Collection[int]) -> None:
        """Write the imported records to the library, following the user's choices."""
        self._ask(None)
        backups = self._workspace.folders.backups

        def make(_progress: Progress) -> ReportedOutcome:
            with pending:
                return _with_report(pending.finish(again, overwrite=overwrite, backups=backups))

        self._jobs.run(make, self._tell, "ui.import.title")

    def _ask(self, pending: PendingImport | None) -> None:
        """Remember the import that waits for the user's answer. Other jobs wait too."""
        self._asking, self._jobs.has_question = pending, pending is not None

    def _give_up(self, pending: PendingImport) -> None:
        if self._asking is pending:
            self._ask(None)
            pending.discard()

    def _tell(self, result: ReportedOutcome) -> None:
        outcome, tree = result
        self._reload()
        dialog = ImportResultDialog(outcome, tree, self._window, self._places(outcome))
        dialog.placeRequested.connect(lambda place: self._place(outcome, place))
        paths = [file.path for file in outcome.placed]
        dialog.showInLibraryRequested.connect(lambda: self._services.controller(LibraryController).show_only(paths))
        dialog.openRequested.connect(lambda path: self._services.controller(FileController).open_all([Path(path)]))
        dialog.undoRequested.connect(lambda: self.undo_import(outcome))
        sources = self._paths
        dialog.againRequested.connect(lambda without: self._read_again(sources, without))
        show_dialog(dialog)

    def _library(self) -> Library:
        folders = self._workspace.folders
        return Library.standard(folders.library, folders.library_index)

    def _places(self, outcome: ImportOutcome) -> dict[str, str]:
        """Return the places for imported characters, with their labels. There are none without characters."""
        if not any(map(imported_characters.is_character, outcome.placed)):
            return {}
        can_play = imported_characters.can_play(outcome, self._document.rules.id)
        places = {"encounter": tr("ui.import.to-encounter")} if can_play else {}
        for name in imported_characters.other_parties(outcome, self._library()):
            places[f"party:{name}"] = tr("ui.import.to-party", name=name)
        names = (tr("ui.import.new-party", n=number) for number in count(1))
        new = next(name for name in names if f"party:{name}" not in places)
        return places | {f"party:{new}": tr("ui.import.to-new-party"), "creatures": tr("ui.import.to-creatures")}

    def _place(self, outcome: ImportOutcome, place: str) -> None:
        """Add the imported characters to the encounter or to a party, or keep them as creatures."""
        parties = [party for _, party in imported_characters.characters_in(outcome)]
        kind, _, name = place.partition(":")
        names = ", ".join(party.name for party in parties)
        try:
            if kind == "encounter":
                add_from_library(self._document, joined(new_party(names), parties))
            elif kind == "creatures":
                imported_characters.keep_as_creatures(outcome)
                self._messages.notify(tr("ui.import.now-creatures", names=names))
            else:
                imported_characters.add_to_party(outcome, name, self._library(), self._workspace.folders.backups)
                self._messages.notify(tr("ui.import.added", names=names, party=name))
        except OSError as error:
            self._messages.notify(tr("ui.import.failed", why=error.strerror or str(error)), "warn")
        self._reload()

    # Undoing imports -------------------------------------------------------------------------------------------------

    def ask_undo_import(self) -> None:
        """List the library's imports, so that the user can undo one."""
        library = self._workspace.folders.library
        self._jobs.run(lambda _progress: past_imports(library), self._show_imports, "ui.undo-import.title")

    def _show_imports(self, imports: list[PastImport]) -> None:
        if not imports:
            self._messages.notify(tr("ui.undo-import.none"))
            return
        dialog = TakeBackDialog(imports, self._window)
        dialog.takeBackRequested.connect(self.take_back)
        show_dialog(dialog)

    def undo_import(self, outcome: ImportOutcome) -> None:
        """Undo the latest import and restore the files that it replaced."""
        if not outcome.written:
            self.take_back(Path(outcome.folder))
            return
        backups = self._workspace.folders.backups

        def tell(kept_count: int) -> None:
            self._reload()
            self._messages.notify(
                tr("ui.undo-import.update-undone") + _kept_text(kept_count), persistent=bool(kept_count)
            )

        written = outcome.written
        self._jobs.run(
            lambda _progress: sum(undo_writing(each, backups) for each in written), tell, "ui.undo-import.title"
        )

    def take_back(self, folder: Path) -> None:
        """Undo an import by moving its files to the backups, and offer to restore them."""
        backups = self._workspace.folders.backups
        self._jobs.run(lambda _progress: take_back(folder, backups), self._tell_taken_back, "ui.undo-import.title")

    def _tell_taken_back(self, result: TakenBack) -> None:
        self._reload()
        kept_text = _kept_text(len(result.kept))
        if result.aside is None:
            self._messages.notify(tr("ui.undo-import.nothing") + kept_text, persistent=bool(kept_text))
            return
        text = tr("ui.undo-import.done", n=result.count, folder=str(result.aside)) + kept_text
        step = (tr("ui.undo-import.put-back"), lambda: self._put_back(result))
        self._messages.notify(text, "", [step], persistent=True)

    def _put_back(self, result: TakenBack) -> None:
        def make(_progress: Progress) -> int:
            return put_back(result.aside, result.folder) if result.aside is not None else 0

        def tell(remaining: int) -> None:
            self._reload()
            words = "ui.undo-import.put-back-but" if remaining else "ui.undo-import.put-back-done"
            self._messages.notify(tr(words, n=remaining, folder=str(result.aside)), persistent=bool(remaining))

        self._jobs.run(make, tell, "ui.undo-import.title")

    def _reload(self) -> None:
        self._services.controller(LibraryController).reload()


def is_encounter_file(path: Path) -> bool:
    """Whether a file should be opened rather than imported: a TOML file that isn't a single library record.

    The plan of an adventure should be opened, too.
    """
    if path.suffix.lower() != ".toml" or not path.is_file() or path.name == PLAN:
        return path.name == PLAN and path.is_file()
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return True  # opening it reports the error
    first_table = re.search(rb"^[ \t]*\[", head, re.MULTILINE)
    return not _LIBRARY_FILE.search(head[: first_table.start()] if first_table else head)


def _with_report(outcome: ImportOutcome) -> ReportedOutcome:
    """Add the lines of the report to the outcome of an import."""
    return outcome, report_tree(outcome)


def _kept_text(count: int) -> str:
    """Return a space and a sentence about the edited files that were kept, or an empty string if there are none."""
    return " " + tr("ui.undo-import.kept", n=count) if count else ""
