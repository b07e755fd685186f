"""Opening, saving, closing: what the window does with files, and what it says when that goes wrong.

A document that is left with something unsaved is asked about first; that is the only question that stops anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMessageBox

from turnwright.encounter.prepared import USUAL_SYSTEM, Creature
from turnwright.encounter.running import Visitor
from turnwright.storage.findings import Finding
from turnwright.storage.resources import samples
from turnwright.ui.bridge import Bridge
from turnwright.ui.keeping import Keeper
from turnwright.ui.say import say
from turnwright.workspace.document import Document, InUse
from turnwright.workspace.files import CannotOpen, FileChangedOnDisk
from turnwright.workspace.recent import recent_files, with_recent, without_recent

if TYPE_CHECKING:
    from turnwright.ui.dialogs.messages import MessageBar
    from turnwright.workspace.opening import Workspace

Choice = tuple[str, str, Callable[[], object]]
ENDING = ".toml"


class Filing(QObject):
    """The files of one window."""

    def __init__(
        self,
        window: QMainWindow,
        bridge: Bridge,
        workspace: Workspace,
        keeper: Keeper,
        messages: Callable[[], MessageBar],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._bridge = bridge
        self._workspace = workspace
        self._keeper = keeper
        self._messages = messages

    # Opening -------------------------------------------------------------------------------------------------------

    def new(self) -> None:
        """Begin an encounter that has no file yet."""
        if self.may_leave():
            self.show(self._workspace.untitled())

    def ask_open(self) -> None:
        """Ask which file, and open it."""
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, say("ui.files.open"), str(self._folder()), say("ui.files.kind")
        )
        if chosen:
            self.open(Path(chosen))

    def open(self, path: Path, *, as_copy: bool = False) -> bool:
        """Open a file in place of what is open; `as_copy` as an encounter of its own without a file."""
        if not self.may_leave():
            return False
        try:
            document = self._workspace.copy_of(path) if as_copy else self._workspace.open_or_recover(path)
        except (CannotOpen, OSError) as trouble:
            self.say_trouble(path, trouble)
            return False
        if not as_copy:
            self.remember(path)
        self.show(document)
        return True

    def remember(self, path: Path) -> None:
        """Put a file at the top of the recent ones."""
        if not self._workspace.is_sample(path):
            self._keeper.take(with_recent(self._keeper.settings, path))

    def show_opened(self) -> None:
        """Say what there is to say of the document that is open."""
        document = self._bridge.document
        if document.was_recovered:
            steps = [(say("ui.recover.saved-instead"), self.go_back_to_saved)] if document.path else []
            self._tell(say("ui.recover.done"), "accent", steps)
        elif document.read_only:
            self._tell(say("ui.files.read-only"), "warn", [(say("ui.action.save-as"), self.save_as)])
        elif document.findings:
            self._say_warnings(document.findings)

    def go_back_to_saved(self) -> None:
        """Read the files again and let go of what was unsaved."""
        path = self._bridge.document.path
        try:
            document = self._workspace.reopen(self._bridge.document)
        except (CannotOpen, OSError) as trouble:
            if path is not None:
                self.say_trouble(path, trouble)
        else:
            self._bridge.open(document)

    def show(self, document: Document) -> None:
        """Show another document, and let go of the one before with what was unsaved."""
        before = self._bridge.document
        self._bridge.open(document)
        before.close(discard=True)
        self.show_opened()

    # Saving --------------------------------------------------------------------------------------------------------

    @property
    def can_save(self) -> bool:
        """Whether there is something to save."""
        document = self._bridge.document
        return not document.read_only and (document.is_modified or document.path is None)

    def save(self) -> bool:
        """Save, asking where if the document has no file yet. False where it was not saved."""
        document = self._bridge.document
        if document.path is None or document.read_only:
            return self.save_as()
        return self._saved(document.save, document.path)

    def save_as(self) -> bool:
        """Ask for a file and save there. False where it was not saved."""
        document = self._bridge.document
        suggested = document.path or self._folder() / f"{_file_name(document.title)}{ENDING}"
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, say("ui.files.save-as"), str(suggested), say("ui.files.kind")
        )
        if not chosen:
            return False
        path = Path(chosen)
        path = path if path.suffix else path.with_suffix(ENDING)
        return self._saved(lambda: document.save_as(path), path)

    def _saved(self, save: Callable[[], object], path: Path) -> bool:
        try:
            save()
        except FileChangedOnDisk:
            document = self._bridge.document
            steps = [
                (say("ui.files.save-over"), lambda: self._saved(lambda: document.save(over=True), path)),
                (say("ui.action.save-as"), self.save_as),
            ]
            self._tell(say("ui.files.changed", name=path.name), "warn", steps)
            return False
        except InUse:
            self._tell(say("ui.files.in-use", name=path.name), "warn")
            return False
        except OSError as error:
            text = say("ui.files.not-saved", name=path.name, why=reason(error))
            self._tell(text, "warn", [(say("ui.action.save-as"), self.save_as)])
            return False
        self.remember(path)
        self._bridge.saved.emit()
        return True

    # Leaving -------------------------------------------------------------------------------------------------------

    def may_leave(self) -> bool:
        """Return whether the open document may be left: ask about what is unsaved."""
        document = self._bridge.document
        if document.read_only or not document.is_modified:
            return True
        box = QMessageBox(QMessageBox.Icon.NoIcon, say("ui.window.name"), self._question(), parent=self._window)
        box.setInformativeText(say("ui.files.unsaved-detail"))
        save = box.addButton(say("ui.general.save"), QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton(say("ui.general.discard"), QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton(say("ui.general.cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        box.setEscapeButton(stay)
        box.exec()
        if box.clickedButton() is save:
            return self.save()
        return box.clickedButton() is discard

    def _question(self) -> str:
        return say("ui.files.unsaved", name=self._bridge.document.title or say("ui.window.untitled"))

    # What there is to choose ---------------------------------------------------------------------------------------

    def recent(self) -> list[Path]:
        """Return the files that were open lately."""
        return recent_files(self._keeper.settings)

    def recent_choices(self) -> list[Choice]:
        """Return the recent files to choose from."""
        return [(path.stem, str(path.parent), partial(self._open_recent, path)) for path in self.recent()]

    def sample_choices(self) -> list[Choice]:
        """Return the sample encounters to choose from. They open as copies, so that the samples stay as they are."""
        found = [(_in_head(path, "system"), path) for path in samples()]
        found.sort(key=lambda each: (each[0] != USUAL_SYSTEM, each[0], each[1].name))
        return [(_title_in(path), self._game(system), partial(self.open, path, as_copy=True)) for system, path in found]

    def _game(self, system: str) -> str:
        """Return what a game is called for short, nothing for one that isn't known."""
        systems = self._workspace.systems
        return systems.get(system).term("system.short") if system in systems.ids else ""

    def _open_recent(self, path: Path) -> None:
        if not self.open(path) and not path.exists():
            self._keeper.take(without_recent(self._keeper.settings, path))

    def find_creature(self, name: str) -> Creature | None:
        """Return the creature of that name: of this encounter first, else of the library; None where there is none."""
        wanted = name.casefold()
        encounter = self._bridge.encounter
        for creature in (*encounter.all(Creature), *encounter.all(Visitor)):
            if wanted in (creature.name.casefold(), creature.id):
                return creature
        for entry in self._workspace.library.entries_for(self._bridge.rules.id):
            if entry.kind == "creature" and entry.name.casefold() == wanted:
                record, _ = self._workspace.library.load(entry)
                return record if isinstance(record, Creature) else None
        return None

    def creature_names(self) -> Sequence[str]:
        """Return the names of all creatures that can be found by name."""
        own = [creature.name for creature in self._bridge.encounter.all(Creature)]
        return [*own, *(entry.name for entry in self._workspace.library.entries() if entry.kind == "creature")]

    # Saying --------------------------------------------------------------------------------------------------------

    def say_trouble(self, path: Path, trouble: CannotOpen | OSError) -> None:
        """Say why a file was not opened."""
        if isinstance(trouble, CannotOpen):
            self._say_findings(path, trouble.findings)
        else:
            self._tell(say("ui.files.unreadable", name=path.name, why=reason(trouble)), "warn", [])

    def _say_findings(self, path: Path, findings: Sequence[Finding]) -> None:
        first = findings[0] if findings else None
        text = say("ui.files.broken", name=path.name, n=len(findings))
        if first is not None:
            text += "\n" + say("ui.files.first-finding", line=first.line, message=first.message)
        steps = [(say("ui.findings.show"), lambda: self._list_findings(path, findings))] if len(findings) > 1 else []
        self._tell(text, "warn", steps)

    def _list_findings(self, path: Path, findings: Sequence[Finding]) -> None:
        from turnwright.ui.dialogs.findings import FindingsDialog

        FindingsDialog(path, findings, self._window).open()

    def _say_warnings(self, findings: Sequence[Finding]) -> None:
        self._tell(say("ui.files.warnings", n=len(findings)), "warn", [])

    def _tell(self, text: str, tone: str, steps: Sequence[tuple[str, Callable[[], object]]] | None = None) -> None:
        self._messages().tell(text, tone, list(steps or ()), stays=steps is not None)

    def _folder(self) -> Path:
        document = self._bridge.document
        recent = self.recent()
        if document.path is not None:
            return document.path.parent
        return recent[0].parent if recent else Path.home()


def reason(error: OSError) -> str:
    """Return why the system would not read or write, in its own words."""
    return error.strerror or str(error)


def _file_name(title: str) -> str:
    words = "".join(letter if letter.isalnum() else " " for letter in title.casefold()).split()
    return "-".join(words) or "encounter"


def _title_in(path: Path) -> str:
    """Return the title that stands in the head of an encounter file, else the file's name in words."""
    return _in_head(path, "title") or path.stem.replace("-", " ").capitalize()


def _in_head(path: Path, key: str) -> str:
    """Return the text of a key in the head of a file, without reading the rest of it."""
    with path.open(encoding="utf-8") as text:
        for line, _ in zip(text, range(40), strict=False):
            if line.startswith(key) and '"' in line:
                return line.partition('"')[2].rpartition('"')[0]
    return ""
