"""Reads printed PDFs back with pdfium: the words of each page with their places, fonts, bookmarks and pictures of pages."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_float, create_string_buffer
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

POINT = 25.4 / 72  # in millimetres
_HYPHENS = "\x02\ufffe"  # what pdfium gives for a hyphen at the end of a line


class Word(NamedTuple):
    """A word and its box, in points from the upper left corner of its page."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


class Page(NamedTuple):
    """A page's size in points, and its words in the order in which they are set."""

    width: float
    height: float
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """The words with single spaces between them."""
        return " ".join(word.text for word in self.words)

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
    height = page.get_height()
    return Page(page.get_width(), height, tuple(_words(page.get_textpage(), height)))


def _words(text: pypdfium2.PdfTextPage, height: float) -> Iterator[Word]:
    letters, boxes = "", []
    for at in range(text.count_chars()):
        letter = chr(pdfium.FPDFText_GetUnicode(text, at))
        if letter.isspace() or letter == "\x00":
            if letters:
                yield _word(letters, boxes, height)
            letters, boxes = "", []
        else:
            letters += "-" if letter in _HYPHENS else letter
            boxes.append(text.get_charbox(at, loose=True))
    if letters:
        yield _word(letters, boxes, height)


def _word(letters: str, boxes: list[tuple[float, float, float, float]], height: float) -> Word:
    left, bottom, right, top = zip(*boxes, strict=True)
    return Word(letters, min(left), height - max(top), max(right), height - min(bottom))


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
