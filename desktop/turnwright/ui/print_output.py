"""Output of pages in a worker: one PDF, pictures as files, or paper through a printer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter

from turnwright.handouts.typesetter import TypesetError
from turnwright.storage.atomic import replace_atomically

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from turnwright.handouts.typesetter import TypesetError, Typesetter
    from turnwright.ui.print_worker import PreviewRequest
    from turnwright.ui.workers import Progress

PICTURE_PPI: Final = 200.0
PRINTER_PPI: Final = 300  # a finer resolution improves no text, and takes four times as long
Picture = Literal["png", "svg"]


class PrintOutput(msgspec.Struct, frozen=True):
    """Result of an output: files, number of pages and warnings; or the template error that prevented it."""

    files: tuple[Path, ...] = ()
    pages: int = 0
    missing_characters: tuple[str, ...] = ()
    typeset_error: TypesetError | None = None


def write_pdf(typesetter: Typesetter, request: PreviewRequest, out: Path, progress: Progress) -> PrintOutput:
    """Write all pages into one PDF, or nothing. OSError, Cancelled."""
    got = request.print_inputs()
    progress(0, "")
    try:
        printed = typesetter.typeset(got.document, "pdf")
    except TypesetError as misprint:
        return PrintOutput(typeset_error=misprint)
    progress(1, "")
    replace_atomically(out, printed.pages[0])
    return PrintOutput((out,), 0, printed.missing_characters)


def write_pictures(
    typesetter: Typesetter, request: PreviewRequest, out: Path, picture_format: Picture, progress: Progress
) -> PrintOutput:
    """Write one picture per page, numbered after the name of `out`, or nothing. OSError, Cancelled."""
    pages: list[bytes] = []
    lacking: dict[str, None] = {}
    try:
        for number, kind in enumerate(request.chosen):
            progress(number, kind)
            got = request.print_inputs(kind)
            if got.kinds:
                printed = typesetter.typeset(got.document, picture_format, PICTURE_PPI)
                pages += printed.pages
                lacking |= dict.fromkeys(printed.missing_characters)
    except TypesetError as misprint:
        return PrintOutput(typeset_error=misprint)
    progress(len(request.chosen), "")
    files = numbered_files(out, len(pages), picture_format)
    for file, page in zip(files, pages, strict=True):
        replace_atomically(file, page)
    return PrintOutput(files, len(pages), tuple(lacking))


def numbered_files(out: Path, count: int, picture_format: str) -> tuple[Path, ...]:
    """Return the names of the files for a number of pages."""
    digits = max(2, len(str(count)))
    stem = out.stem if out.suffix.lower() == f".{picture_format}" else out.name
    return tuple(out.with_name(f"{stem}-{number:0{digits}}.{picture_format}") for number in range(1, count + 1))


def print_pages(typesetter: Typesetter, request: PreviewRequest, printer: QPrinter, progress: Progress) -> PrintOutput:
    """Print at true size, with the page range, copies and order of the printer's dialog. Cancelled."""
    ppi = min(printer.resolution(), PRINTER_PPI)
    try:
        pages = list(_wanted(_pages(typesetter, request, ppi, progress), printer))
    except TypesetError as misprint:
        return PrintOutput(typeset_error=misprint)
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
    """Turn a printer's sheet as the page is; a file gets the page's size too. Prints to the edge."""
    printer.setFullPage(True)
    wide = inches.width() > inches.height()
    if printer.outputFormat() == printer.OutputFormat.PdfFormat:
        upright = inches.transposed() if wide else inches
        printer.setPageSize(QPageSize(upright, QPageSize.Unit.Inch, "", QPageSize.SizeMatchPolicy.FuzzyMatch))
    printer.setPageOrientation(QPageLayout.Orientation.Landscape if wide else QPageLayout.Orientation.Portrait)


def _pages(typesetter: Typesetter, request: PreviewRequest, ppi: int, progress: Progress) -> Iterator[bytes]:
    """Yield the pages kind by kind; for both sides of the paper at once, as blank pages depend on those before."""
    if request.options.sides == "two":
        got = request.print_inputs()
        progress(0, "")
        yield from typesetter.typeset(got.document, "png", float(ppi)).pages
        return
    for number, kind in enumerate(request.chosen):
        progress(number, kind)
        got = request.print_inputs(kind)
        if got.kinds:
            yield from typesetter.typeset(got.document, "png", float(ppi)).pages


def _wanted(pages: Iterator[bytes], printer: QPrinter) -> Iterator[bytes]:
    """Yield the pages that the printer's dialog asked for."""
    first, last = printer.fromPage(), printer.toPage()
    for number, page in enumerate(pages, 1):
        if not first or first <= number <= (last or number):
            yield page


def _inches(page: bytes, ppi: int) -> QSizeF:
    image = QImage.fromData(page)
    return QSizeF(image.width() / ppi, image.height() / ppi)


def _paint(painter: QPainter, printer: QPrinter, pages: list[bytes], ppi: int, progress: Progress) -> int:
    copies = 1 if printer.supportsMultipleCopies() else printer.copyCount()
    if printer.pageOrder() == printer.PageOrder.LastPageFirst:
        pages.reverse()
    ordered = pages * copies if printer.collateCopies() else [page for page in pages for _ in range(copies)]
    for number, page in enumerate(ordered):
        progress(0, "")
        image = QImage.fromData(page)
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
