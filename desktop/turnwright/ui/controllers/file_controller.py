"""The File menu: opens, saves and closes files, and reports errors.

The user is asked for confirmation only before unsaved changes are lost. Files are loaded off the GUI thread. If that is
slow, a dialog shows the progress and can cancel it.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import DEFAULT_SYSTEM, Creature
from turnwright.encounter.running import GuestCreature
from turnwright.rules.parts.preparation.creature_translation import CreatureTranslation
from turnwright.storage.adventure_folders import copy_adventure
from turnwright.storage.adventures import PLAN
from turnwright.storage.fights import FIGHT_SUFFIX
from turnwright.storage.findings import Finding
from turnwright.storage.library.entries import LibraryEntry
from turnwright.storage.resources import sample_files
from turnwright.ui.dialogs.imports.findings import FindingsDialog
from turnwright.ui.dialogs.message_bar import question_box
from turnwright.ui.look.style import tr
from turnwright.ui.models.roster import creature_here
from turnwright.ui.services.new_window import bring_to_front, start_window
from turnwright.ui.services.services import Controller, MessageAction, Services
from turnwright.ui.services.settings_store import ask_open_paths, ask_save_path
from turnwright.ui.widgets.dialog import ProgressDialog
from turnwright.workspace import files
from turnwright.workspace.document import Document, DocumentInUseError, RecoverError
from turnwright.workspace.locks import ask_window, lock_name
from turnwright.workspace.settings import recent_files, with_recent, without_recent

Loaded = TypeVar("Loaded")

PATIENCE: Final = 0.3  # seconds that the window freezes before it shows progress
_one_at_a_time = threading.Lock()  # a cancelled document must release its lock before the next one opens


def _load(load: Callable[[], Loaded], outcome: Future[Loaded]) -> None:
    """Load an object, unless it is no longer needed. Runs in a thread."""
    with _one_at_a_time:
        if outcome.set_running_or_notify_cancel():
            try:
                outcome.set_result(load())
            except Exception as error:  # noqa: BLE001 - raised again by `take`
                outcome.set_exception(error)


def _drop(outcome: Future[Loaded]) -> None:
    """Close a document that is no longer needed, now or as soon as it has been loaded."""
    if not outcome.cancel():
        outcome.add_done_callback(_close)


def _close(outcome: Future[Loaded]) -> None:
    if outcome.exception() is None and isinstance(document := outcome.result(), Document):
        document.close()


class DocumentLoading(QObject, Generic[Loaded]):
    """Loads a document, or the contents of its files, in a thread that starts immediately.

    If `is_quick` returns False, a small progress dialog is open, and the object emits `finished` or `cancelled` later.
    """

    finished = Signal()
    cancelled = Signal()
    _ended = Signal()  # emitted in the thread; the public signals are emitted in the GUI thread

    def __init__(self, load: Callable[[], Loaded], parent: QObject) -> None:
        super().__init__(parent)
        outcome = self._outcome = Future[Loaded]()
        self._is_over = False
        self.dialog: QWidget | None = None
        self._ended.connect(self._end)
        self._owning = self.destroyed.connect(lambda: _drop(outcome))
        outcome.add_done_callback(self._tell)
        threading.Thread(target=_load, args=(load, outcome), name="document", daemon=True).start()

    def is_quick(self, name: str, window: QWidget) -> bool:
        """Wait briefly for the file. If it takes longer, show a progress dialog with its `name` and return False."""
        if wait((self._outcome,), PATIENCE).done:
            self._is_over = True
            return True
        dialog = ProgressDialog(tr("ui.files.open"), window)
        dialog.show_progress(tr("ui.import.reading", file=name))
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.cancelled.connect(self.cancel)
        dialog.show()
        self.dialog = dialog
        return False

    def take(self) -> Loaded:
        """Return the loaded object and pass its ownership to the caller. Raise the error if loading failed."""
        QObject.disconnect(self._owning)
        return self._outcome.result()

    def cancel(self) -> None:
        """Cancel loading. The document is closed as soon as it has been loaded."""
        if not self._is_over:
            self._close_dialog()
            _drop(self._outcome)
            self.cancelled.emit()

    def _end(self) -> None:
        if not self._is_over:
            self._close_dialog()
            self.finished.emit()

    def _close_dialog(self) -> None:
        self._is_over = True
        if self.dialog is not None:
            self.dialog.hide()
            self.dialog.deleteLater()
            self.dialog = None

    # In the worker's thread ----------------------------------------------------------------------------------------

    def _tell(self, _outcome: Future[Loaded]) -> None:
        with suppress(RuntimeError):  # the window may have been destroyed by now
            self._ended.emit()


Choice = tuple[str, str, Callable[[], object]]
FILE_SUFFIX = ".toml"


class FileController(Controller):
    """The files of one window."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._loading: DocumentLoading[Any] | None = None  # loading of a slow file

    # Opening -------------------------------------------------------------------------------------------------------

    def new(self) -> bool:
        """Start a new encounter without a file. Return False if the user wants to keep the current one open."""
        if not self.confirm_close():
            return False
        self.show(self._workspace.untitled())
        self._services.layout.arrange("prepare")
        return True

    def choose_game(self, system: str) -> None:
        """Use another rule system for the unused encounter and for later new ones."""
        self._settings_store.update(last_game=system, game_chosen=True)
        self.show(self._workspace.untitled())

    def resume(self, path: Path) -> None:
        """Open a recent file, and show its fight if that is running."""
        self.open_recent(path)
        if self._document.source.path == path:
            self._services.layout.arrange("run" if self._services.status.is_running else "prepare")

    def open_sample(self, path: Path) -> None:
        """Open a copy of a sample encounter or adventure. The party of an adventure is added to the library."""
        if path.name != PLAN:
            self.open(path, as_copy=True)
            return
        folders, systems = self._workspace.folders, self._workspace.systems.ids
        try:
            plan = copy_adventure(path, folders.adventures, systems, self._workspace.library)
        except OSError as error:
            self._tell(tr("ui.adventure.not-saved", why=os_error_text(error)), "warn")
        else:
            self.open(plan)

    def ask_open(self) -> None:
        """Ask for files and open them."""
        self.open_all(ask_open_paths(self._window, tr("ui.files.open"), self._last_folder(), tr("ui.files.kind")))

    def open_all(self, paths: Sequence[Path]) -> None:
        """Open the first file in this window and the others in new windows.

        If a file is already open, its window comes to the front.
        """
        closed = [path for path in paths if path.name == PLAN or not self._comes_to_front(path)]
        for path in closed[1:]:
            start_window(path)
        if closed:
            self.open(closed[0])

    def open_from_desktop(self, path: Path) -> None:
        """Open a file passed on by the desktop, in this window if its encounter is empty, otherwise in a new one."""
        document = self._document.source
        if document.path is None and not document.is_modified:
            self.open(path)
        elif not self._comes_to_front(path):
            start_window(path)

    def open(self, path: Path | str, *, as_copy: bool = False) -> bool:
        """Open a file instead of the current document. `as_copy` opens it as a new encounter without a file.

        Return whether the file is open now. If it is open in another window, that window comes to the front. Slow files
        are loaded in the background, and loading can be cancelled.
        """
        path = Path(path)
        try:
            opened = self._workspace.document_path(path)
        except files.OpenError as error:
            self.show_open_error(path, error)
            return False
        if not as_copy and self._comes_to_front(opened):
            return True
        if self._loading is not None or not self.confirm_close():
            return False
        load = partial(self._workspace.copy_of if as_copy else self._workspace.open_or_recover, path)

        def show(document: Document) -> None:
            if not as_copy:
                self.remember(path)
            self.show(document)

        return self.load(path.name, load, show, partial(self.show_open_error, path))

    def load(
        self, name: str, load: Callable[[], Loaded], then: Callable[[Loaded], None], on_error: Callable[[Any], object]
    ) -> bool:
        """Run `load` off the GUI thread, and pass its result to `then` or its error to `on_error`.

        Return whether `then` has already been called. Slow loading continues in the background, one file at a time, and
        can be cancelled. `name` is the displayed name of the file.
        """
        if self._loading is not None:
            return False
        loading = DocumentLoading(load, self)
        if loading.is_quick(name, self._window):
            return self._finish_loading(loading, then, on_error)
        self._loading = loading
        loading.finished.connect(lambda: self._finish_loading(loading, then, on_error))
        loading.cancelled.connect(self._forget_loading)
        return False

    def _finish_loading(
        self, loading: DocumentLoading[Loaded], then: Callable[[Loaded], None], on_error: Callable[[Any], object]
    ) -> bool:
        self._forget_loading()
        loading.deleteLater()
        try:
            loaded = loading.take()
        except (files.OpenError, OSError, RecoverError, DocumentInUseError) as trouble:
            on_error(trouble)
            return False
        then(loaded)
        return True

    def _forget_loading(self) -> None:
        self._loading = None

    def _comes_to_front(self, path: Path) -> bool:
        """Bring the window in which this file is open to the front. Return whether there is one."""
        document = self._document.source
        is_here = document.path is not None and not document.read_only and lock_name(document.path) == lock_name(path)
        if is_here:
            bring_to_front(self._window)
        return is_here or ask_window(document.state_folder, path)

    def remember(self, path: Path) -> None:
        """Move a file to the top of the recent files list."""
        if not self._workspace.is_sample(path):
            self._settings_store.replace(with_recent(self._settings_store.settings, path))

    def report_opened(self) -> None:
        """Show messages about the newly opened document."""
        document = self._document.source
        if document.was_recovered:
            text = tr("ui.recover.done")
            steps = [(tr("ui.recover.saved-instead"), self.revert_to_saved)] if document.path else []
            with suppress(OSError):
                if document.path is not None and document.changed_on_disk():
                    text += " " + tr("ui.recover.changed", name=document.path.name)
            self._tell(text, "accent", steps)
        elif document.read_only:
            self._tell(tr("ui.files.read-only"), "warn", [(tr("ui.action.save-as"), self.save_as)])
        elif document.path is not None and any(finding.severity == "error" for finding in document.findings):
            self._say_findings("ui.files.unread", document.path, document.findings)
        elif document.findings:
            self._tell(tr("ui.files.warnings", n=len(document.findings)), "warn", [])
        self.report_unread_logs()

    def report_unread_logs(self) -> None:
        """Report, once, unsaved work that another version of the program left behind."""
        logs, self._workspace.unread_logs = self._workspace.unread_logs, []
        if logs:
            self._tell(tr("ui.recover.unread", n=len(logs), folder=str(logs[0].parent)), "warn", [])

    def revert_to_saved(self) -> None:
        """Reload the file and discard unsaved changes."""
        document = self._document.source
        if (path := document.path) is None:
            return

        def show(read: files.ReadFiles) -> None:
            if self._document.source is document:
                self._document.open(document.reopen(read))

        self.load(path.name, partial(self._workspace.read, path), show, partial(self.show_open_error, path))

    def restore(self, leftover: files.Recoverable) -> None:
        """Replace the open document with work recovered after a crash."""
        if self._loading is not None or not self.confirm_close():
            return
        before = self._document.source
        if before.path is not None and leftover.path is not None and before.path.resolve() == leftover.path.resolve():
            self.show(self._workspace.untitled())  # closes the file, which can be open only once
        title = leftover.title or tr("ui.window.untitled")
        self.load(
            leftover.path.name if leftover.path is not None else title,
            partial(self._workspace.recover, leftover),
            self.show,
            lambda _: self._tell(tr("ui.recover.failed", title=title), "warn", []),
        )

    def show(self, document: Document) -> None:
        """Show another document. Discard the previous one with its unsaved changes."""
        before = self._document.source
        self._document.open(document)
        before.close(discard=True)
        self.report_opened()

    # Saving --------------------------------------------------------------------------------------------------------

    @property
    def can_save(self) -> bool:
        """Whether there are changes to save."""
        document = self._document.source
        return not document.read_only and (document.is_modified or document.path is None)

    def save(self) -> bool:
        """Save the document. Ask for a path if it has no file yet. Return whether it was saved."""
        document = self._document.source
        if document.path is None or document.read_only:
            return self.save_as()
        return self._saved(document.save, document.path)

    def save_as(self) -> bool:
        """Ask for a path and save the document there. Return whether it was saved."""
        document = self._document.source
        suggested = document.path or self._last_folder() / f"{_file_name(document.title)}{FILE_SUFFIX}"
        path = ask_save_path(self._window, tr("ui.files.save-as"), suggested, tr("ui.files.kind"), FILE_SUFFIX)
        if path is None:
            return False
        if path.name.endswith(FIGHT_SUFFIX):
            self._tell(tr("ui.files.fight-name", name=path.name), "warn", [(tr("ui.action.save-as"), self.save_as)])
            return False
        return self._saved(lambda: document.save_as(path), path)

    def _saved(self, save: Callable[[], object], path: Path) -> bool:
        try:
            save()
        except files.FileChangedError as error:
            document = self._document.source
            steps = [
                (tr("ui.files.save-over"), lambda: self._saved(lambda: document.save(overwrite=True), path)),
                (tr("ui.action.save-as"), self.save_as),
            ]
            words = "ui.files.fight-unread" if isinstance(error, files.FightUnreadError) else "ui.files.changed"
            self._tell(tr(words, name=error.path.name), "warn", steps)
            return False
        except DocumentInUseError:
            self._tell(tr("ui.files.in-use", name=path.name), "warn")
            return False
        except OSError as error:
            text = tr("ui.files.not-saved", name=path.name, why=os_error_text(error))
            self._tell(text, "warn", [(tr("ui.action.save-as"), self.save_as)])
            return False
        self.remember(path)
        self._document.saved.emit()
        return True

    # Closing -------------------------------------------------------------------------------------------------------

    def confirm_close(self) -> bool:
        """Ask what to do with unsaved changes, if any. Return whether the document can be closed."""
        document = self._document.source
        if document.read_only or not document.is_modified:
            return True
        from PySide6.QtWidgets import QMessageBox

        question = tr("ui.files.unsaved", name=document.title or tr("ui.window.untitled"))
        box = question_box(self._window, question, tr("ui.files.unsaved-detail"))
        save = box.addButton(tr("ui.general.save"), QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton(tr("ui.general.discard"), QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton(tr("ui.general.cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        box.setEscapeButton(stay)
        box.exec()
        return self.save() if box.clickedButton() is save else box.clickedButton() is discard

    # Choices -------------------------------------------------------------------------------------------------------

    @property
    def recent_files(self) -> list[Path]:
        """The recently opened files."""
        return recent_files(self._settings_store.settings)

    def recent_choices(self) -> list[Choice]:
        """Return the recent files of all windows as choices for a list."""
        self._settings_store.refresh()
        return [(path.stem, str(path.parent), partial(self.open_recent, path)) for path in self.recent_files]

    def sample_choices(self) -> list[Choice]:
        """Return the samples as choices for a list. They open as copies, so the samples stay unchanged."""
        samples = [(files.in_head(path, "system"), path) for path in sample_files()]
        samples.sort(key=lambda each: (each[0] != DEFAULT_SYSTEM, each[0], each[1].name == PLAN, each[1].name))
        return [(files.title_in(path), self._game(system), partial(self.open_sample, path)) for system, path in samples]

    def _game(self, system: str) -> str:
        """Return a rule system's short name, or an empty string for an unknown id."""
        systems = self._workspace.systems
        return systems.get(system).word("system.short") if system in systems.ids else ""

    def open_recent(self, path: Path) -> None:
        """Open a file of the recent files list. Remove it from the list if it no longer exists."""
        if not self.open(path) and not path.exists():
            self._settings_store.replace(without_recent(self._settings_store.settings, path))

    def find_creature(self, name: str) -> Creature | None:
        """Find a creature by name, in the encounter first and then in the library. Return None if there is none."""
        folded_name = name.casefold()
        encounter = self._document.encounter
        for creature in (*encounter.all(Creature), *encounter.all(GuestCreature)):
            if folded_name in (creature.name.casefold(), creature.id):
                return creature
        renamed = {old.casefold(): new.casefold() for old, new in self._document.rules.data.elsewhere.creatures}
        names = (folded_name, renamed.get(folded_name))  # a creature of the other edition has another name here
        entries = (entry for entry in self.library_creatures() if entry.name.casefold() in names)
        return next((self.load_creature(entry) for entry in entries), None)

    def creature_names(self) -> Sequence[str]:
        """Return the names of all creatures in the encounter, and of library creatures for the same rule system."""
        own = [creature.name for creature in self._document.encounter.all(Creature)]
        return [*own, *(entry.name for entry in self.library_creatures())]

    def library_creatures(self) -> list[LibraryEntry]:
        """Return the library's creatures for the encounter's rule system."""
        entries = self._workspace.library.entries_for(self._document.rules.id)
        return [entry for entry in entries if entry.kind == "creature"]

    def load_creature(self, entry: LibraryEntry) -> Creature | None:
        """Load the creature of a library entry. Return None if its file can't be read."""
        record, _ = self._workspace.library.load(entry)
        return record if isinstance(record, Creature) else None

    def find_creature_elsewhere(self, name: str) -> tuple[CreatureTranslation, str] | None:
        """Find a creature by name among the library's creatures for other rule systems.

        Return its conversion to the encounter's rule system and the id of its original system, or None.
        """
        folded_name = name.casefold()
        for entry in self._workspace.library.entries():
            found = self._game(entry.system) and entry.kind == "creature" and entry.name.casefold() == folded_name
            if found and (creature := self.load_creature(entry)) is not None:
                return creature_here(self._document, creature, entry.system), entry.system
        return None

    # Messages ------------------------------------------------------------------------------------------------------

    def show_open_error(self, path: Path, error: files.OpenError | OSError) -> None:
        """Report why a file could not be opened."""
        if isinstance(error, files.OpenError):
            self._say_findings("ui.files.broken", path, error.findings)
        else:
            self._tell(tr("ui.files.unreadable", name=path.name, why=os_error_text(error)), "warn", [])

    def _say_findings(self, word: str, path: Path, findings: Sequence[Finding]) -> None:
        """Report the errors in a file. `findings` are all mistakes in it, errors first."""
        text = tr(word, name=path.name, n=sum(finding.severity == "error" for finding in findings))
        if findings:
            text += "\n" + tr("ui.files.first-finding", line=findings[0].line, message=findings[0].text)
        steps = [(tr("ui.findings.show"), lambda: self._list_findings(path, findings))] if len(findings) > 1 else []
        self._tell(text, "warn", steps)

    def _list_findings(self, path: Path, findings: Sequence[Finding]) -> None:
        title, lead = tr("ui.findings.title", name=path.name), tr("ui.findings.lead", file=str(path))
        headings = [tr(f"ui.problems.{word}") for word in ("line", "where", "what")]
        rows = [(str(finding.line), finding.key, finding.message) for finding in findings]
        FindingsDialog(title, lead, headings, rows, self._window).open()

    def _tell(self, text: str, tone: str, steps: Sequence[MessageAction] | None = None) -> None:
        self._messages.notify(text, tone, list(steps or ()), persistent=steps is not None)

    def _last_folder(self) -> Path:
        """Return the folder of the open file, or of the latest one."""
        recent = self.recent_files
        return recent[0].parent if recent and self._document.source.path is None else self._folder()


def os_error_text(error: OSError) -> str:
    """Return the operating system's explanation of a read or write error."""
    return error.strerror or str(error)


def _file_name(title: str) -> str:
    words = "".join(letter if letter.isalnum() else " " for letter in title.casefold()).split()
    return "-".join(words) or "encounter"
