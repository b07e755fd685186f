"""Reads printed PDFs back with pdfium: the words of each page with their places, fonts, bookmarks and pictures of pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ctypes import c_float, create_string_buffer
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium
from pypdf import PdfReader

POINT = 25.4 / 72  # in millimetres
_JOINED = "\x01"  # in place of a space that is none
_HYPHENS = "\x02\ufffe"  # what pdfium gives for a hyphen at the end of a line


class Word(NamedTuple):
    """A word with its box, in points from the upper left corner of its page, and the size of its font in points."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float


class Page(NamedTuple):
    """A page's size in points, and its words in the order in which they are set; a text of them with its lines."""

    width: float
    height: float
    words: tuple[Word, ...]
    text: str

    def by_lines(self) -> str:
        """Return the words as they lie on the page: line by line, from left to right."""
        lines: list[list[Word]] = []
        for word in sorted(self.words, key=lambda word: word.top + word.bottom):
            middle = (word.top + word.bottom) / 2
            if lines and lines[-1][0].top < middle < lines[-1][0].bottom:
                lines[-1].append(word)
            else:
                lines.append([word])
        return " ".join(word.text for line in lines for word in sorted(line, key=lambda word: word.left))


def read_pages(pdf: bytes) -> list[Page]:
    """Return the pages of a document."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [_page(page) for page in document]
    finally:
        document.close()


def _page(page: pypdfium2.PdfPage) -> Page:
    height, read = page.get_height(), page.get_textpage()
    text = "".join(_letter(read, at) for at in range(read.count_chars()))
    lines = re.sub(r" *\r?\n", "\n", text.replace(_JOINED, "").replace("\xa0", " "))
    return Page(page.get_width(), height, tuple(_words(read, text, height)), lines)


def _letter(text: pypdfium2.PdfTextPage, at: int) -> str:
    letter = chr(pdfium.FPDFText_GetUnicode(text, at))
    if letter == " " and pdfium.FPDFText_IsGenerated(text, at) == 1 and _is_narrow(text, at):
        return _JOINED
    return "-" if letter in _HYPHENS else letter


def _is_narrow(read: pypdfium2.PdfTextPage, at: int) -> bool:
    """Whether a space that pdfium sees between two letters is no wider than that between letters set apart."""
    if not 0 < at < read.count_chars() - 1:
        return False
    before, after = (read.get_charbox(other, loose=True) for other in (at - 1, at + 1))
    size, gap = _size(read, at - 1), after[0] - before[2]
    on_one_line = before[1] < (after[1] + after[3]) / 2 < before[3]
    return on_one_line and -size < gap < size * 0.2


def _words(read: pypdfium2.PdfTextPage, text: str, height: float) -> Iterator[Word]:
    for found in re.finditer(r"[^\s\0]+", text):
        boxes = [read.get_charbox(at, loose=True) for at in range(*found.span()) if text[at] != _JOINED]
        left, bottom, right, top = zip(*boxes, strict=True)
        yield Word(
            found[0].replace(_JOINED, ""),
            min(left),
            height - max(top),
            max(right),
            height - min(bottom),
            _size(read, found.start()),
        )


def _size(read: pypdfium2.PdfTextPage, at: int) -> float:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(read, at, matrix)
    return pdfium.FPDFText_GetFontSize(read, at) * (matrix.c**2 + matrix.d**2) ** 0.5


def fonts_of(pdf: bytes) -> dict[str, bool]:
    """Return the names of the fonts of all texts, and whether each is embedded."""
    return {name: embedded for name, embedded, _ in _settings(pdf)}


def font_sizes(pdf: bytes) -> list[float]:
    """Return the size of each text in points."""
    return [size for _, _, size in _settings(pdf)]


def _settings(pdf: bytes) -> Iterator[tuple[str, bool, float]]:
    document = pypdfium2.PdfDocument(pdf)
    for page in document:
        for text in page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_TEXT,), max_depth=15):
            font, size, name = pdfium.FPDFTextObj_GetFont(text), c_float(), create_string_buffer(200)
            pdfium.FPDFFont_GetBaseFontName(font, name, 200)
            pdfium.FPDFTextObj_GetFontSize(text, size)
            matrix = text.get_matrix()
            scale = (matrix.c**2 + matrix.d**2) ** 0.5
            yield name.value.decode(), pdfium.FPDFFont_GetIsEmbedded(font) == 1, size.value * scale
    document.close()


def bookmarks_of(pdf: bytes) -> list[tuple[int, str]]:
    """Return the page of each bookmark, counted from 1, and its title."""
    document = pypdfium2.PdfDocument(pdf)
    found = [(mark.get_dest().get_index() + 1, mark.get_title()) for mark in document.get_toc()]
    document.close()
    return found


def tags(reader: PdfReader) -> Iterator[Any]:
    """Yield the tags for screen readers in reading order."""

    def within(tag: Any) -> Iterator[Any]:
        if isinstance(tag.get_object(), dict):
            yield tag.get_object()
            for kid in tag.get_object().get("/K", ()):
                yield from within(kid)

    for document in reader.root_object["/StructTreeRoot"]["/K"]:
        yield from within(document)


def grey_pages(pdf: bytes, dots_per_inch: int) -> list[tuple[int, int, bytes]]:
    """Return each page's width and height in dots, and the grey of each dot, row by row."""
    document, found = pypdfium2.PdfDocument(pdf), []
    for page in document:
        drawn = page.render(scale=dots_per_inch / 72, grayscale=True)
        rows = bytes(drawn.buffer)
        found.append(
            (
                drawn.width,
                drawn.height,
                b"".join(rows[at * drawn.stride :][: drawn.width] for at in range(drawn.height)),
            )
        )
    document.close()
    return found


def bold_text(pdf: bytes) -> str:
    """Return the letters of all pages that are set in a bold font, in the order in which they are set."""
    document, told = pypdfium2.PdfDocument(pdf), []
    try:
        for page in document:
            read, name = page.get_textpage(), create_string_buffer(256)
            for at in range(read.count_chars()):
                pdfium.FPDFText_GetFontInfo(read, at, name, 256, None)
                told += [chr(pdfium.FPDFText_GetUnicode(read, at))] if b"Bold" in name.value else []
    finally:
        document.close()
    return "".join(told)
