"""Typesetting off the GUI thread: preview pages, one kind at a time, and jobs that write files or print.

The typesetter does one task at a time. A new preview request replaces the previous one, and jobs run before previews.
The pages of each kind are cached until their content changes. Changing an option typesets only the kinds that it
affects. Output is a PDF, image files, or a printer.
"""

from __future__ import annotations

import shutil
import subprocess
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, ParamSpec, cast

import msgspec
from PySide6.QtCore import QCoreApplication, QObject, QPointF, QRectF, QSizeF, QThreadPool, Signal
from PySide6.QtGui import QPageLayout, QPageSize, QPainter

from turnwright.handouts.kinds import page_kinds
from turnwright.handouts.typesetter import TypesetError
from turnwright.storage.atomic import replace_atomically
from turnwright.ui.services.portraits import page_image
from turnwright.ui.services.workers import BackgroundTask, Progress, TaskCancelled, single_shot_timer
from turnwright.workspace.print_job import TEMPLATES, page_input_of, print_inputs, typesetter_for
from turnwright.workspace.tabletop_pictures import tabletop_pictures, write_tabletop_pictures

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from turnwright.encounter.state import Encounter
    from turnwright.handouts.page_input import PageForm, PrintDocument, PrintOptions
    from turnwright.handouts.typesetter import TypesetResult, Typesetter
    from turnwright.play.kernel.events import JournalLine
    from turnwright.rules.system import RuleSystem
    from turnwright.storage.word_catalogue import WordCatalogue
    from turnwright.workspace.print_job import PrintInputs
    from turnwright.workspace.settings import Folders


State = Literal["shown", "shared", "empty", "secret", "template-error"]
COUNTED_AT: Final = 24.0  # pixels per inch for counting pages; Typst panics on patterns smaller than a pixel
CLOSE_WITHIN_MS: Final = 10_000
COUNT_AFTER_MS: Final = 400  # idle time before counting, so that it doesn't delay a preview
STOP_AFTER_MS: Final = 2_000  # time for an interrupted preview to finish a kind: a user's template may never do so


class PreviewRequest(msgspec.Struct, frozen=True):
    """A request for preview pages. `chosen` are the kinds of pages in order of priority.

    - `others`: kinds whose pages are only counted, when there is time.
    - `counts`: all pages are only counted.
    - `ppi`: the resolution in pixels per inch. `round`: the serial number of the document.
    """

    encounter: Encounter
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

    def batches(self) -> Iterator[tuple[str, ...]]:
        """Yield the chosen kinds one by one, but all kinds whose cards are on the same sheets together."""
        sharing = {kind.id for kind in page_kinds() if kind.shares_sheets and not self.counts}
        shared = tuple(kind for kind in self.chosen if kind in sharing)
        for kind in self.chosen:
            if kind not in shared[1:]:
                yield shared if kind in shared else (kind,)

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

    The cards of a `shared` kind are on the pages of the kind `on`.

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
    on: str = ""


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
        self._running: PreviewRequest | None = None  # None also if it was cancelled
        self._jobs: deque[PrintJob] = deque()
        self._work: BackgroundTask | None = None
        self._job: PrintJob | None = None
        self._set.connect(self.pagesReady)
        self._counting = single_shot_timer(self, self._count, COUNT_AFTER_MS)
        self._to_count: PreviewRequest | None = None
        self._stopping = single_shot_timer(self, self._stop_typesetting)
        if (app := QCoreApplication.instance()) is not None:
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
        """Cancel the preview. The kind being typeset is finished first, unless it is large or takes long."""
        self._counting.stop()
        self._request = self._running = None
        self._interrupt_preview()

    def start_job(self, job: PrintJob) -> None:
        """Run a job before any further preview. A preview that it interrupts is resumed afterwards."""
        self._jobs.append(job)
        self._request = self._request or self._running
        self._interrupt_preview()
        self._next()

    def cancel_job(self) -> None:
        """Cancel the job: one that still waits or is large immediately, otherwise at the next opportunity."""
        if self._work is not None and self._job is not None:
            self._work.cancel()
            self._stop_typesetting()
        elif self._jobs:
            self._jobs.popleft().on_cancelled()

    def close(self) -> None:
        """Close the typesetter when the program ends, after the current task, which still needs its folder."""
        self.cancel_preview()
        self._jobs.clear()
        self.cancel_job()
        self._stop_typesetting()
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
            if not self._stopping.isActive():
                self._stopping.start(STOP_AFTER_MS)

    def _stop_typesetting(self) -> None:
        if self._typesetter is not None:
            self._typesetter.stop()

    def _start_preview(self, request: PreviewRequest) -> None:
        self._running = request
        work = self._work = BackgroundTask(lambda progress: self._typeset(request, progress), self)
        work.finished.connect(lambda _: self._end(lambda: self._rest(request)))
        work.cancelled.connect(lambda: self._end(lambda: None))
        work.failed.connect(lambda why: self._end(lambda: self.failed.emit(why)))

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

    def _run_job(self, job: PrintJob) -> None:
        self._job = job
        work = self._work = BackgroundTask(lambda progress: job.work(self._kept_typesetter(), progress), self)
        work.progressed.connect(job.on_progress)
        work.finished.connect(lambda result: self._end(lambda: job.on_finished(result)))
        work.cancelled.connect(lambda: self._end(job.on_cancelled))
        work.failed.connect(lambda why: self._end(lambda: job.on_failed(why)))

    def _end(self, then: Callable[[], object]) -> None:
        self._work = self._job = self._running = None
        self._stopping.stop()
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
        faults: list[Exception] = []
        for number, kinds in enumerate(request.batches()):
            if number:  # don't wait before the first one, so that the preview keeps up with fast typing
                progress(number, kinds[0])
            try:
                made = list(self._sheets(typesetter, request, kinds, mark, progress))
            except (TaskCancelled, OSError):
                raise
            except Exception as fault:  # noqa: BLE001 - one kind of page must not stop the others
                faults.append(fault)
                error = TypesetError(f"{type(fault).__name__}: {fault}")
                made = [Pages(kind, "template-error", typeset_error=error) for kind in kinds]
            for sheets in made:
                with suppress(RuntimeError):  # the window and its slots may have been destroyed by now
                    self._set.emit(sheets, request.round)
        if faults:
            raise faults[0]  # logged, like any error of the program

    def _sheets(
        self, typesetter: Typesetter, request: PreviewRequest, kinds: tuple[str, ...], mark: object, progress: Progress
    ) -> Iterator[Pages]:
        """Yield the pages of kinds that are typeset together, and a note for each kind without pages."""
        inputs = request.print_inputs(*kinds)
        for kind in kinds:
            state: State = "secret" if kind in inputs.gm_only_kinds else "empty"
            if kind not in inputs.kinds:
                yield Pages(kind, state, unreadable_pictures=inputs.unusable_pictures)
            elif kind != inputs.kinds[0]:
                yield Pages(kind, "shared", on=inputs.kinds[0])
        if not inputs.kinds:
            return
        kind = inputs.kinds[0]
        packet, ppi = inputs.document, request.ppi
        if request.counts:  # ink and bleed don't affect the number of pages
            packet, ppi = msgspec.structs.replace(packet, ink="saving", bleed=0.0), COUNTED_AT
        cached_key, cached = self._kept.get((kind, request.counts), (None, None))
        key = (packet, ppi, inputs.unusable_pictures, inputs.problems, mark)
        if cached is not None and cached_key == key:
            yield cached
            return
        sheets = render_pages(typesetter, packet, kind, ppi, inputs.unusable_pictures)
        if sheets.state == "template-error":
            progress(0, kind)  # raises TaskCancelled if it was interrupted
        sheets = msgspec.structs.replace(sheets, problems=inputs.problems, form=packet.sections[0].form)
        self._kept[kind, request.counts] = (key, sheets)
        yield sheets


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


PICTURE_PPI: Final = 200.0
PRINTER_PPI: Final = 300  # more doesn't improve text, and twice as much takes four times as long
QUEUE_COMMAND: Final = "lp"  # passes a file to the system's printers; may be missing
QUEUE_SECONDS: Final = 60
Picture = Literal["png", "svg"]
Arguments = ParamSpec("Arguments")


class PrintOutput(msgspec.Struct, frozen=True):
    """Result of an output: its files, number of pages and warnings, or the template error that prevented it.

    `queue` is the name of the printer, if it received the whole document as a PDF instead of page images.
    """

    files: tuple[Path, ...] = ()
    pages: int = 0
    missing_characters: tuple[str, ...] = ()
    typeset_error: TypesetError | None = None
    queue: str = ""


def _reporting_misprints(write: Callable[Arguments, PrintOutput]) -> Callable[Arguments, PrintOutput]:
    """Turn an error of the typesetter into the output of a function that prints or writes pages."""

    @wraps(write)
    def reporting(*arguments: Arguments.args, **named: Arguments.kwargs) -> PrintOutput:
        try:
            return write(*arguments, **named)
        except TypesetError as misprint:
            cast("Progress", arguments[-1])(0, "")  # raises TaskCancelled if it was interrupted
            return PrintOutput(typeset_error=misprint)

    return reporting


@_reporting_misprints
def write_pdf(typesetter: Typesetter, request: PreviewRequest, out: Path, progress: Progress) -> PrintOutput:
    """Write all pages to one PDF in a single atomic step.

    Raise OSError if writing fails, TaskCancelled if the user cancels.
    """
    printed = _whole_pdf(typesetter, request, progress)
    progress(1, "")
    replace_atomically(out, printed.pages[0])
    return PrintOutput((out,), 0, printed.missing_characters)


def _whole_pdf(typesetter: Typesetter, request: PreviewRequest, progress: Progress) -> TypesetResult:
    """Typeset all pages as one PDF. Raise TypesetError if a template fails, TaskCancelled if the user cancels."""
    inputs = request.print_inputs()
    progress(0, "")
    return typesetter.typeset(inputs.document, "pdf")


@_reporting_misprints
def write_pictures(
    typesetter: Typesetter, request: PreviewRequest, out: Path, picture_format: Picture, progress: Progress
) -> PrintOutput:
    """Write one image per page, with numbered names derived from `out`. No file is written if a template fails.

    Raise OSError if writing fails, TaskCancelled if the user cancels.
    """
    printed = list(_kind_by_kind(typesetter, request, picture_format, PICTURE_PPI, progress))
    progress(len(request.chosen), "")
    pages = [page for result in printed for page in result.pages]
    missing = dict.fromkeys(character for result in printed for character in result.missing_characters)
    files = numbered_files(out, len(pages), picture_format)
    for file, page in zip(files, pages, strict=True):
        replace_atomically(file, page)
    return PrintOutput(files, len(pages), tuple(missing))


@_reporting_misprints
def write_tokens(typesetter: Typesetter, request: PreviewRequest, folder: Path, progress: Progress) -> PrintOutput:
    """Write a token of each combatant and the players' map to a folder. No file is written if a template fails.

    Raise OSError if writing fails, TaskCancelled if the user cancels.
    """
    options = msgspec.structs.replace(request.options, players_map=True)
    source = page_input_of(request.encounter, request.rules, request.words, options, request.folder)
    sheets = list(tabletop_pictures(source))
    progress(0, "")
    files = write_tabletop_pictures(typesetter, sheets, folder)
    return PrintOutput(files, len(files))


def numbered_files(out: Path, count: int, picture_format: str) -> tuple[Path, ...]:
    """Return the numbered file names for `count` pages."""
    digits = max(2, len(str(count)))
    stem = out.stem if out.suffix.lower() == f".{picture_format}" else out.name
    return tuple(out.with_name(f"{stem}-{number:0{digits}}.{picture_format}") for number in range(1, count + 1))


@_reporting_misprints
def send_to_printer(
    typesetter: Typesetter, request: PreviewRequest, printer: QPrinter, progress: Progress
) -> PrintOutput:
    """Print the document as a PDF with its text and lines if possible, otherwise as page images.

    The PDF is written directly if the printer creates PDF files. For other printers it is passed to the system's print
    command. Raise OSError if printing fails, TaskCancelled if the user cancels.
    """
    if printer.outputFormat() == printer.OutputFormat.PdfFormat and printer.outputFileName() and is_whole(printer):
        return write_pdf(typesetter, request, Path(printer.outputFileName()), progress)
    if queue := queue_of(printer):
        printed = _whole_pdf(typesetter, request, progress)
        progress(len(request.chosen), "")
        if give_to_queue(printed.pages[0], queue_arguments(printer, queue)):
            return PrintOutput(missing_characters=printed.missing_characters, queue=queue)
    return print_pages(typesetter, request, printer, progress)


def is_whole(printer: QPrinter) -> bool:
    """Whether the printer dialog's settings are one copy of all pages, first page first."""
    once = printer.copyCount() == 1 and printer.pageOrder() == printer.PageOrder.FirstPageFirst
    return once and not printer.fromPage()


def queue_of(printer: QPrinter) -> str:
    """Return the printer's name for the system's print command, or an empty string if the command can't be used."""
    is_file = printer.outputFormat() == printer.OutputFormat.PdfFormat or bool(printer.outputFileName())
    return "" if is_file or shutil.which(QUEUE_COMMAND) is None else printer.printerName()


def queue_arguments(printer: QPrinter, queue: str) -> list[str]:
    """Return the arguments of the print command: the printer and the settings from its dialog."""
    options = {
        "print-scaling": "none",
        "media": printer.pageLayout().pageSize().key(),
        "sides": {
            printer.DuplexMode.DuplexLongSide: "two-sided-long-edge",
            printer.DuplexMode.DuplexShortSide: "two-sided-short-edge",
        }.get(printer.duplex(), "one-sided"),
        "collate": "true" if printer.collateCopies() else "false",
    }
    if printer.pageOrder() == printer.PageOrder.LastPageFirst:
        options["outputorder"] = "reverse"
    if printer.colorMode() == printer.ColorMode.GrayScale:
        options["print-color-mode"] = "monochrome"
    arguments = ["-d", queue, "-n", str(printer.copyCount()), "-t", printer.docName()]
    if printer.fromPage():
        arguments += ["-P", f"{printer.fromPage()}-{max(printer.toPage(), printer.fromPage())}"]
    return [*arguments, *(part for name, value in options.items() for part in ("-o", f"{name}={value}"))]


def give_to_queue(document: bytes, arguments: list[str]) -> bool:
    """Pass a document to the system's print command. Return whether that succeeded.

    Raise OSError if the command doesn't finish in time, because the document may still be printed.
    """
    command = [shutil.which(QUEUE_COMMAND) or QUEUE_COMMAND, *arguments]
    try:
        process = subprocess.run(  # noqa: S603 - a system command, without a shell
            command,
            input=document,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=QUEUE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise OSError(command[0]) from late  # it may be queued already: page images might print it twice
    except OSError:
        return False
    return process.returncode == 0


@_reporting_misprints
def print_pages(typesetter: Typesetter, request: PreviewRequest, printer: QPrinter, progress: Progress) -> PrintOutput:
    """Print pages at actual size, with the page range, copies and order chosen in the printer's dialog.

    Raise OSError if the printer can't be used, TaskCancelled if the user cancels.
    """
    ppi = min(printer.resolution(), PRINTER_PPI)
    pages = list(_wanted(_pages(typesetter, request, ppi, progress), printer))
    if not pages:
        return PrintOutput()
    set_page_size(printer, _inches(pages[0], ppi))
    painter = QPainter()
    if not painter.begin(printer):
        raise OSError(printer.printerName() or printer.outputFileName())
    try:
        count = _paint(painter, printer, pages, ppi, progress)
    except BaseException:
        printer.abort()
        raise
    finally:
        painter.end()
    return PrintOutput((), count)


def set_page_size(printer: QPrinter, inches: QSizeF) -> None:
    """Set up a printer with the orientation of the page and without margins. For PDF files, also set the page size."""
    printer.setFullPage(True)
    wide = inches.width() > inches.height()
    if printer.outputFormat() == printer.OutputFormat.PdfFormat:
        upright = inches.transposed() if wide else inches
        printer.setPageSize(QPageSize(upright, QPageSize.Unit.Inch, "", QPageSize.SizeMatchPolicy.FuzzyMatch))
    printer.setPageOrientation(QPageLayout.Orientation.Landscape if wide else QPageLayout.Orientation.Portrait)


def _pages(typesetter: Typesetter, request: PreviewRequest, ppi: int, progress: Progress) -> Iterator[bytes]:
    """Yield the pages, typesetting one kind at a time.

    For two-sided printing all kinds are typeset together, because blank pages depend on the pages before them.
    """
    if request.options.sides == "two":
        inputs = request.print_inputs()
        progress(0, "")
        yield from typesetter.typeset(inputs.document, "png", float(ppi)).pages
        return
    for result in _kind_by_kind(typesetter, request, "png", float(ppi), progress):
        yield from result.pages


def _kind_by_kind(
    typesetter: Typesetter, request: PreviewRequest, form: Picture, ppi: float, progress: Progress
) -> Iterator[TypesetResult]:
    """Typeset the chosen kinds of pages that have content, one at a time."""
    for number, kinds in enumerate(request.batches()):
        progress(number, kinds[0])
        inputs = request.print_inputs(*kinds)
        if inputs.kinds:
            yield typesetter.typeset(inputs.document, form, ppi)


def _wanted(pages: Iterator[bytes], printer: QPrinter) -> Iterator[bytes]:
    """Yield the pages that are in the page range of the printer's dialog."""
    first, last = printer.fromPage(), printer.toPage()
    for number, page in enumerate(pages, 1):
        if not first or first <= number <= (last or number):
            yield page


def _inches(page: bytes, ppi: int) -> QSizeF:
    image = page_image(page)
    return QSizeF(image.width() / ppi, image.height() / ppi)


def _paint(painter: QPainter, printer: QPrinter, pages: list[bytes], ppi: int, progress: Progress) -> int:
    copies = 1 if printer.supportsMultipleCopies() else printer.copyCount()
    if printer.pageOrder() == printer.PageOrder.LastPageFirst:
        pages.reverse()
    ordered = pages * copies if printer.collateCopies() else [page for page in pages for _ in range(copies)]
    for number, page in enumerate(ordered):
        progress(0, "")
        image = page_image(page)
        size = QSizeF(image.width() / ppi, image.height() / ppi)
        if number:
            set_page_size(printer, size)
            printer.newPage()
        dots = printer.resolution()
        sheet = printer.pageLayout().fullRectPixels(dots)
        target = QSizeF(size.width() * dots, size.height() * dots)
        corner = QPointF((sheet.width() - target.width()) / 2, (sheet.height() - target.height()) / 2)
        painter.drawImage(QRectF(corner, target), image)
    return len(ordered)
