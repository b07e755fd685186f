"""Output of pages in a worker: to a PDF, to image files, or to a printer."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPageLayout, QPageSize, QPainter

from turnwright.handouts.typesetter import TypesetError
from turnwright.storage.atomic import replace_atomically
from turnwright.ui.services.picture_reader import page_image

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from turnwright.handouts.typesetter import TypesetResult, Typesetter
    from turnwright.ui.services.print_worker import PreviewRequest
    from turnwright.ui.services.workers import Progress

PICTURE_PPI: Final = 200.0
PRINTER_PPI: Final = 300  # more doesn't improve text, and twice as much takes four times as long
QUEUE_COMMAND: Final = "lp"  # passes a file to the system's printers; may be missing
QUEUE_SECONDS: Final = 60
Picture = Literal["png", "svg"]


class PrintOutput(msgspec.Struct, frozen=True):
    """Result of an output: its files, number of pages and warnings, or the template error that prevented it.

    `queue` is the name of the printer, if it received the whole document as a PDF instead of page images.
    """

    files: tuple[Path, ...] = ()
    pages: int = 0
    missing_characters: tuple[str, ...] = ()
    typeset_error: TypesetError | None = None
    queue: str = ""


def write_pdf(typesetter: Typesetter, request: PreviewRequest, out: Path, progress: Progress) -> PrintOutput:
    """Write all pages to one PDF in a single atomic step.

    Raise OSError if writing fails, ImportCancelled if the user cancels.
    """
    try:
        printed = _whole_pdf(typesetter, request, progress)
    except TypesetError as misprint:
        return _failed(misprint, progress)
    progress(1, "")
    replace_atomically(out, printed.pages[0])
    return PrintOutput((out,), 0, printed.missing_characters)


def _failed(misprint: TypesetError, progress: Progress) -> PrintOutput:
    """Return the result for a document that can't be typeset. Raise ImportCancelled if the user has cancelled."""
    progress(0, "")
    return PrintOutput(typeset_error=misprint)


def _whole_pdf(typesetter: Typesetter, request: PreviewRequest, progress: Progress) -> TypesetResult:
    """Typeset all pages as one PDF. Raise TypesetError if a template fails, ImportCancelled if the user cancels."""
    inputs = request.print_inputs()
    progress(0, "")
    return typesetter.typeset(inputs.document, "pdf")


def write_pictures(
    typesetter: Typesetter, request: PreviewRequest, out: Path, picture_format: Picture, progress: Progress
) -> PrintOutput:
    """Write one image per page, with numbered names derived from `out`. No file is written if a template fails.

    Raise OSError if writing fails, ImportCancelled if the user cancels.
    """
    pages: list[bytes] = []
    missing: dict[str, None] = {}
    try:
        for number, kind in enumerate(request.chosen):
            progress(number, kind)
            inputs = request.print_inputs(kind)
            if inputs.kinds:
                printed = typesetter.typeset(inputs.document, picture_format, PICTURE_PPI)
                pages += printed.pages
                missing |= dict.fromkeys(printed.missing_characters)
    except TypesetError as misprint:
        return _failed(misprint, progress)
    progress(len(request.chosen), "")
    files = numbered_files(out, len(pages), picture_format)
    for file, page in zip(files, pages, strict=True):
        replace_atomically(file, page)
    return PrintOutput(files, len(pages), tuple(missing))


def numbered_files(out: Path, count: int, picture_format: str) -> tuple[Path, ...]:
    """Return the numbered file names for `count` pages."""
    digits = max(2, len(str(count)))
    stem = out.stem if out.suffix.lower() == f".{picture_format}" else out.name
    return tuple(out.with_name(f"{stem}-{number:0{digits}}.{picture_format}") for number in range(1, count + 1))


def send_to_printer(
    typesetter: Typesetter, request: PreviewRequest, printer: QPrinter, progress: Progress
) -> PrintOutput:
    """Print the document as a PDF with its text and lines if possible, otherwise as page images.

    The PDF is written directly if the printer creates PDF files. For other printers it is passed to the system's print
    command. Raise OSError if printing fails, ImportCancelled if the user cancels.
    """
    if printer.outputFormat() == printer.OutputFormat.PdfFormat and printer.outputFileName() and is_whole(printer):
        return write_pdf(typesetter, request, Path(printer.outputFileName()), progress)
    queue = queue_of(printer)
    if queue:
        try:
            printed = _whole_pdf(typesetter, request, progress)
        except TypesetError as misprint:
            return _failed(misprint, progress)
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
        "media": "Letter" if printer.pageLayout().pageSize().id() == QPageSize.PageSizeId.Letter else "A4",
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


def print_pages(typesetter: Typesetter, request: PreviewRequest, printer: QPrinter, progress: Progress) -> PrintOutput:
    """Print pages at actual size, with the page range, copies and order chosen in the printer's dialog.

    Raise OSError if the printer can't be used, ImportCancelled if the user cancels.
    """
    ppi = min(printer.resolution(), PRINTER_PPI)
    try:
        pages = list(_wanted(_pages(typesetter, request, ppi, progress), printer))
    except TypesetError as misprint:
        return _failed(misprint, progress)
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
    for number, kind in enumerate(request.chosen):
        progress(number, kind)
        inputs = request.print_inputs(kind)
        if inputs.kinds:
            yield from typesetter.typeset(inputs.document, "png", float(ppi)).pages


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
