"""Typesetting off the GUI thread: preview pages, one kind at a time, and jobs that write files or print.

The typesetter does one task at a time. A new preview request replaces the previous one, and jobs run before previews.
The pages of each kind are cached until their content changes. Changing an option typesets only the kinds that it
affects.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from PySide6.QtCore import QCoreApplication, QObject, QThreadPool, Signal

from turnwright.handouts.typesetter import TypesetError
from turnwright.ui.services.timers import single_shot_timer
from turnwright.ui.services.workers import BackgroundTask, Progress
from turnwright.workspace.print_job import TEMPLATES, print_inputs, typesetter_for

if TYPE_CHECKING:
    from turnwright.encounter.state import Lookup
    from turnwright.handouts.page_input import PrintOptions
    from turnwright.handouts.print_document import PageForm, PrintDocument
    from turnwright.handouts.typesetter import TypesetError, Typesetter
    from turnwright.play.kernel.events import JournalLine
    from turnwright.rules.system import RuleSystem
    from turnwright.storage.word_catalogue import WordCatalogue
    from turnwright.workspace.folders import Folders
    from turnwright.workspace.print_job import PrintInputs

State = Literal["shown", "empty", "secret", "template-error"]
COUNTED_AT: Final = 24.0  # pixels per inch for counting pages; Typst panics on patterns smaller than a pixel
CLOSE_WITHIN_MS: Final = 10_000
COUNT_AFTER_MS: Final = 400  # idle time before counting, so that it doesn't delay a preview


class PreviewRequest(msgspec.Struct, frozen=True):
    """A request for preview pages. `chosen` are the kinds of pages in order of priority.

    - `others`: kinds whose pages are only counted, when there is time.
    - `counts`: all pages are only counted.
    - `ppi`: the resolution in pixels per inch. `round`: the serial number of the document.
    """

    encounter: Lookup
    rules: RuleSystem
    words: WordCatalogue
    title: str
    folder: Path | None
    options: PrintOptions
    chosen: tuple[str, ...]
    others: tuple[str, ...] = ()
    ppi: float = 96.0
    round: int = 0
    counts: bool = False
    journal: tuple[JournalLine, ...] = ()

    def print_inputs(self, *kinds: str) -> PrintInputs:
        """Return the print inputs for some kinds of pages, by default the chosen ones."""
        return print_inputs(
            self.encounter,
            self.rules,
            self.words,
            self.options,
            kinds or self.chosen,
            self.folder,
            title=self.title,
            journal=self.journal,
        )


class Pages(msgspec.Struct, frozen=True):
    """Preview of one kind of page: images of its pages, or only their number if no images were requested.

    `missing_characters` aren't in any font, `unreadable_pictures` can't be shown, and `problems` are messages about
    content that was not printed.
    """

    kind: str
    state: State
    count: int = 0
    pages: tuple[bytes, ...] = ()
    ppi: float = 0.0
    missing_characters: tuple[str, ...] = ()
    unreadable_pictures: tuple[str, ...] = ()
    typeset_error: TypesetError | None = None
    problems: tuple[str, ...] = ()
    form: PageForm = "page"


class PrintJob(msgspec.Struct, frozen=True):
    """A job for the typesetter. Callbacks: `on_progress(done, kind)`, `on_finished(result)` and `on_failed(why)`."""

    work: Callable[[Typesetter, Progress], Any]
    on_progress: Callable[[int, str], object]
    on_finished: Callable[[Any], object]
    on_cancelled: Callable[[], object]
    on_failed: Callable[[str], object]


class PrintWorker(QObject):
    """Typesets previews and runs jobs. Emits `pagesReady(pages, round)` for each kind of page, then `idle`.

    Emits `failed(why)` if a disk error or a bug prevents a preview.
    """

    pagesReady = Signal(object, int)
    idle = Signal()
    failed = Signal(str)
    _set = Signal(object, int)  # emitted in the worker's thread

    def __init__(self, folders: Folders, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folders = folders
        self._typesetter: Typesetter | None = None
        self._kept: dict[tuple[str, bool], tuple[object, Pages]] = {}
        self._request: PreviewRequest | None = None
        self._jobs: deque[PrintJob] = deque()
        self._work: BackgroundTask | None = None
        self._job: PrintJob | None = None
        self._set.connect(self.pagesReady)
        self._counting = single_shot_timer(self, self._count, COUNT_AFTER_MS)
        self._to_count: PreviewRequest | None = None
        app = QCoreApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self.close)

    @property
    def is_busy(self) -> bool:
        """Whether typesetting is running or pending."""
        return self._work is not None or self._counting.isActive()

    def request_preview(self, request: PreviewRequest) -> None:
        """Request a preview, replacing the previous request."""
        self._counting.stop()
        self._request = request
        self._interrupt_preview()
        self._next()

    def cancel_preview(self) -> None:
        """Cancel the preview. The kind being typeset is finished first unless it is large."""
        self._counting.stop()
        self._request = None
        self._interrupt_preview()

    def start_job(self, job: PrintJob) -> None:
        """Run a job before any further preview."""
        self._jobs.append(job)
        self._interrupt_preview()
        self._next()

    def cancel_job(self) -> None:
        """Cancel the running job, immediately if it is large, otherwise at the next opportunity."""
        if self._work is not None and self._job is not None:
            self._work.cancel()
            if self._typesetter is not None:
                self._typesetter.stop()

    def close(self) -> None:
        """Close the typesetter when the program ends, after the current task, which still needs its folder."""
        self.cancel_preview()
        self._jobs.clear()
        self.cancel_job()
        if self._typesetter is not None:
            self._typesetter.stop()
        QThreadPool.globalInstance().waitForDone(CLOSE_WITHIN_MS)
        typesetter, self._typesetter = self._typesetter, None
        if typesetter is not None:
            typesetter.close()

    # Queue -----------------------------------------------------------------------------------------------------------

    def _next(self) -> None:
        if self._work is not None:
            return
        if self._jobs:
            self._run_job(self._jobs.popleft())
        elif self._request is not None:
            request, self._request = self._request, None
            self._start_preview(request)

    def _interrupt_preview(self) -> None:
        if self._work is not None and self._job is None:
            self._work.cancel()
            if self._typesetter is not None:
                self._typesetter.stop_large()

    def _start_preview(self, request: PreviewRequest) -> None:
        work = self._work = BackgroundTask(lambda progress: self._typeset(request, progress), self)
        work.finished.connect(lambda _: self._end(work, lambda: self._rest(request)))
        work.cancelled.connect(lambda: self._end(work, lambda: self._take_up(request)))
        work.failed.connect(lambda why: self._end(work, lambda: self.failed.emit(why)))

    def _rest(self, request: PreviewRequest) -> None:
        """Emit `idle`. If no request arrives for a while, count the pages of the remaining kinds."""
        self.idle.emit()
        if request.others and self._request is None:
            self._to_count = msgspec.structs.replace(request, chosen=request.others, others=(), counts=True)
            self._counting.start()

    def _count(self) -> None:
        if self._to_count is not None and self._request is None:
            self._request = self._to_count
            self._next()

    def _take_up(self, request: PreviewRequest) -> None:
        """Resume a preview that was interrupted by a job, unless another was requested."""
        if self._request is None and self._jobs:
            self._request = request

    def _run_job(self, job: PrintJob) -> None:
        self._job = job
        work = self._work = BackgroundTask(lambda progress: job.work(self._kept_typesetter(), progress), self)
        work.progressed.connect(job.on_progress)
        work.finished.connect(lambda result: self._end(work, lambda: job.on_finished(result)))
        work.cancelled.connect(lambda: self._end(work, job.on_cancelled))
        work.failed.connect(lambda why: self._end(work, lambda: job.on_failed(why)))

    def _end(self, work: BackgroundTask, then: Callable[[], object]) -> None:
        self._work = self._job = None
        work.deleteLater()
        then()
        self._next()

    # In the worker's thread ------------------------------------------------------------------------------------------

    def _kept_typesetter(self) -> Typesetter:
        """Return the typesetter, created on first use. Only one worker runs at a time."""
        if self._typesetter is None:
            self._typesetter = typesetter_for(self._folders)
        return self._typesetter

    def _typeset(self, request: PreviewRequest, progress: Progress) -> None:
        typesetter, mark = self._kept_typesetter(), template_stamps(self._folders)
        for number, kind in enumerate(request.chosen):
            if number:  # don't wait before the first one, so that the preview keeps up with fast typing
                progress(number, kind)
            sheets = self._sheets(typesetter, request, kind, mark, progress)
            with suppress(RuntimeError):  # the window and its slots may have been destroyed by now
                self._set.emit(sheets, request.round)

    def _sheets(
        self, typesetter: Typesetter, request: PreviewRequest, kind: str, mark: object, progress: Progress
    ) -> Pages:
        inputs = request.print_inputs(kind)
        if not inputs.kinds:
            return Pages(
                kind, "secret" if inputs.gm_only_kinds else "empty", unreadable_pictures=inputs.unusable_pictures
            )
        packet, ppi = inputs.document, request.ppi
        if request.counts:  # ink and bleed don't affect the number of pages
            packet, ppi = msgspec.structs.replace(packet, ink="saving", bleed=0.0), COUNTED_AT
        cached_key, cached = self._kept.get((kind, request.counts), (None, None))
        key = (packet, ppi, inputs.unusable_pictures, inputs.problems, mark)
        if cached is not None and cached_key == key:
            return cached
        sheets = render_pages(typesetter, packet, kind, ppi, inputs.unusable_pictures)
        if sheets.state == "template-error":
            progress(0, kind)  # raises ImportCancelled if it was interrupted
        sheets = msgspec.structs.replace(sheets, problems=inputs.problems, form=packet.sections[0].form)
        self._kept[kind, request.counts] = (key, sheets)
        return sheets


def render_pages(
    typesetter: Typesetter, document: PrintDocument, kind: str, ppi: float, unreadable_pictures: tuple[str, ...]
) -> Pages:
    """Render the pages of one kind as images. Return them, or the template error that occurred."""
    try:
        printed = typesetter.typeset(document, "png", ppi)
    except TypesetError as misprint:
        return Pages(kind, "template-error", typeset_error=misprint)
    pages = printed.pages if ppi != COUNTED_AT else ()
    return Pages(kind, "shown", len(printed.pages), pages, ppi, printed.missing_characters, unreadable_pictures)


def template_stamps(folders: Folders) -> tuple[tuple[str, int, int], ...]:
    """Return the names, modification times and sizes of the user's templates. They are compared to detect changes."""
    stamps = []
    for path in sorted((folders.library / TEMPLATES).glob("*.typ")):
        status = path.stat()
        stamps.append((path.name, status.st_mtime_ns, status.st_size))
    return tuple(stamps)
