"""Background jobs of a window, one at a time. A dialog shows the progress and can cancel the job."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer

from turnwright.ui.look.style import tr
from turnwright.ui.services.messages import Messages
from turnwright.ui.services.workers import BackgroundTask

if TYPE_CHECKING:
    from turnwright.ui.services.workers import BackgroundTask, Progress
    from turnwright.ui.widgets.dialog import ProgressDialog

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
                work.deleteLater()
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
