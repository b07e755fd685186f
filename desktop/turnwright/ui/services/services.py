"""The services of one window, such as its messages and jobs, and the base class of the controllers that use them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QDialog, QMainWindow

from turnwright.ui.look.style import ThemeSource, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.encounter_status import EncounterStatus
from turnwright.ui.services.settings_store import SettingsStore, ask_open_path
from turnwright.ui.services.workers import BackgroundTask, Progress

if TYPE_CHECKING:
    from turnwright.ui.dialogs.message_bar import MessageBar
    from turnwright.ui.docks.docking import DockLayout, Docks
    from turnwright.ui.services.actions import InstalledActions
    from turnwright.ui.widgets.dialog import ProgressDialog
    from turnwright.workspace.document import AppContext


MessageAction = tuple[str, Callable[[], object]]  # the text of a button, and what it does


class Messages(QObject):
    """Shows messages in the window's message bar, which `make_bar` creates on first use."""

    def __init__(self, document: DocumentModel, make_bar: Callable[[], MessageBar]) -> None:
        super().__init__(document)
        self._document = document
        self._make_bar = make_bar
        document.changed.connect(self._dismiss_verdict)
        document.refused.connect(lambda refused, command: self.bar.show_refusal(document, refused, command))
        document.allowed.connect(lambda text: self.bar.show_allowed(document, text))

    @cached_property
    def bar(self) -> MessageBar:
        """The message bar, created on first use."""
        return self._make_bar()

    @property
    def is_bar_made(self) -> bool:
        """Whether the message bar has been created."""
        return "bar" in self.__dict__

    def notify(
        self, text: str, tone: str = "", actions: Sequence[MessageAction] = (), *, persistent: bool = False
    ) -> None:
        """Show a message. Without actions it disappears after a few seconds, unless it is `persistent`."""
        self.bar.notify(text, tone, list(actions), persistent=persistent)

    def _dismiss_verdict(self, _changed: object) -> None:
        if self.is_bar_made:
            self.bar.dismiss_verdict()


def best_matches(query: str, texts: Sequence[str]) -> list[int]:
    """Return the indexes of the texts that match every word of the query, best matches first.

    An empty query matches all texts and keeps their order.
    """
    words = query.casefold().split()
    scored = []
    for index, text in enumerate(texts):
        scores = [match_score(word, text.casefold()) for word in words]
        if None not in scores:
            scored.append((-sum(score for score in scores if score is not None), index))
    return [index for _, index in sorted(scored)]


def match_score(word: str, text: str) -> int | None:
    """Return the score of a case-folded word in a text, or None if it doesn't match.

    Matches at the start of the text score highest, followed by those at the start of a word, inside a word, and with
    scattered letters.
    """
    place = text.find(word)
    if place == 0:
        return 100
    if f" {word}" in text:
        return 80
    if place > 0:
        return 60
    return _scattered(word, text)


def _scattered(word: str, text: str) -> int | None:
    at = -1
    first = -1
    for letter in word:
        at = text.find(letter, at + 1)
        if at < 0:
            return None
        first = at if first < 0 else first
    stretch = at - first + 1 - len(word)
    starts_a_word = first == 0 or text[first - 1] == " "
    return max(1, 40 - stretch) if starts_a_word and stretch <= 2 * len(word) + 4 else None


SHOW_AFTER_MS: Final = 400


class Jobs(QObject):
    """Runs the jobs of one window. `make_dialog` returns a progress dialog with a title."""

    def __init__(self, messages: Messages, make_dialog: Callable[[str], ProgressDialog], parent: QObject) -> None:
        super().__init__(parent)
        self._messages = messages
        self.make_dialog = make_dialog
        self._work: BackgroundTask | None = None
        self.has_question = False  # whether a job's result waits for the user's answer

    @property
    def is_free(self) -> bool:
        """Whether no job is running or waiting for an answer."""
        return self._work is None and not self.has_question

    def run(self, job: Callable[[Progress], Any], on_finished: Callable[[Any], object], title: str) -> None:
        """Run a job in a worker and show a dialog that can cancel it. `on_finished` receives the job's result."""
        dialog = self.make_dialog(tr(title))
        work = self._work = BackgroundTask(job, self)

        def then(step: Callable[..., object]) -> Callable[..., None]:
            def ended(*result: object) -> None:
                self._work = None
                dialog.hide()
                dialog.deleteLater()
                step(*result)

            return ended

        work.progressed.connect(lambda done, what: dialog.show_progress(_progress_text(done, what)))
        dialog.cancelled.connect(work.cancel)
        work.finished.connect(then(on_finished))
        work.cancelled.connect(then(lambda: self._messages.notify(tr("ui.import.cancelled"))))
        work.failed.connect(then(self._notify_failed))
        QTimer.singleShot(SHOW_AFTER_MS, dialog, lambda: dialog.show() if self._work is work else None)

    def _notify_failed(self, why: str) -> None:
        """Report why a job failed. Nothing has changed."""
        text = tr("ui.import.failed", why=why) if why else tr("ui.import.fault")
        self._messages.notify(text, "warn", persistent=True)


def _progress_text(done: int, what: str) -> str:
    return tr("ui.import.record", n=done, name=what) if done else tr("ui.import.reading", file=what)


ControllerType = TypeVar("ControllerType", bound="Controller")


class Services(msgspec.Struct, eq=False):
    """Everything that controllers and panels of one window share. `actions` is set when the actions are installed."""

    window: QMainWindow
    document: DocumentModel
    workspace: AppContext
    settings_store: SettingsStore
    theme: ThemeSource
    status: EncounterStatus
    messages: Messages
    jobs: Jobs
    docks: Docks
    layout: DockLayout
    actions: InstalledActions | None = None
    clock: Callable[[], float] = time.monotonic
    controllers: dict[type[Controller], Controller] = {}

    def controller(self, kind: type[ControllerType]) -> ControllerType:
        """Return the window's controller of this class. It is created on first use."""
        controller = self.controllers.get(kind)
        if not isinstance(controller, kind):
            controller = self.controllers[kind] = kind(self)
        return controller

    def close(self) -> None:
        """Close the windows and stop the servers of all controllers, the latest first."""
        for controller in reversed(self.controllers.values()):
            controller.close()


class Controller(QObject):
    """Base class of the controllers, which open dialogs and pass commands to the document model."""

    unsaved = ""  # the word key of the message that the encounter must be saved first

    def __init__(self, services: Services) -> None:
        super().__init__(services.window)
        self._services = services
        self._window = services.window
        self._document = services.document
        self._workspace = services.workspace
        self._settings_store = services.settings_store
        self._messages = services.messages
        self._docks = services.docks

    def close(self) -> None:
        """Close all other windows and servers of the controller. Called when the window closes."""

    def _folder(self) -> Path:
        """Return the folder of the encounter's file, or the home folder if it has none."""
        path = self._document.source.path
        return path.parent if path is not None else Path.home()

    def _is_saved(self) -> bool:
        """Return whether the encounter has a file, next to which images can be saved. If not, show a message."""
        if self._document.source.path is None:
            self._messages.notify(tr(self.unsaved))
            return False
        return True

    def _ask_file_to_read(self, read: Callable[[Path], object], title: str, kind: str) -> None:
        """Ask for a file that is read for an encounter, if the encounter has a file itself."""
        if self._is_saved() and (path := ask_open_path(self._window, title, self._folder(), kind)) is not None:
            read(path)


def show_dialog(dialog: QDialog) -> None:
    """Show a dialog that doesn't block the window, and delete it after it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
