"""Shared by tests of encounter pages: sources of records, and pages as the text and places of their words."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import unescape
from typing import Any

import msgspec
import pytest

from tests.handouts import samples
from turnwright.encounter.state import Encounter, Record
from turnwright.handouts.page_input import PageInput, PageKind, PrintOptions, print_document
from turnwright.handouts.print_document import PrintDocument
from turnwright.handouts.typesetter import Typesetter
from turnwright.workspace.print_job import fixed_words

FILES = {path.stem: path for path in samples.SAMPLES}
PAPERS = ("a4", "letter")
MARGIN = 13 * 72 / 25.4
# Before anything is printed: what is on paper can be read back with poppler alone.
needs_poppler = pytest.mark.skipif(
    shutil.which("pdftotext") is None, reason="pdftotext (poppler-utils) is not on this machine"
)
_WORD = re.compile(r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>')
_PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)


class Word(msgspec.Struct, frozen=True):
    """A word on a page and its box in points from the upper left corner."""

    page: int
    text: str
    left: float
    top: float
    right: float
    bottom: float


def sample(name: str) -> Encounter:
    return samples.sample(FILES[name])


def source(encounter: Encounter, **options: Any) -> PageInput:
    return samples.source(encounter, PrintOptions(**options))


def fight(*records: Record, **options: Any) -> PageInput:
    """A source of a few records."""
    return source(Encounter(records), **options)


def printed(kind: PageKind, origin: PageInput) -> PrintDocument:
    """The packet of one kind of page."""
    return samples.headless(print_document(origin, (kind,), "A fight", fixed_words(samples.words(), origin.rules)))


def data_of(kind: PageKind, origin: PageInput) -> Any:
    """The template data of a kind, None where it has none."""
    sections = kind.make(origin).sections
    return sections[0].data if sections else None


def strokes(press: Typesetter, packet: PrintDocument, width: str = "") -> int:
    """The number of lines and boxes drawn on all pages, or of those of a width in points."""
    sought = f'stroke-width="{width}' if width else "stroke="
    return sum(page.decode().count(sought) for page in press.typeset(packet, "svg").pages)


def _poppler(pdf: bytes, *arguments: str) -> str:
    done = subprocess.run(["pdftotext", *arguments, "-", "-"], input=pdf, capture_output=True, check=True)
    return done.stdout.decode()


def text_of(pdf: bytes) -> str:
    """The text of a document with single spaces, column by column."""
    return " ".join(_poppler(pdf).replace("\u200b", "").split())


def words_of(pdf: bytes) -> list[Word]:
    """Every word with its place."""
    return [
        Word(number, unescape(text), *map(float, box))
        for number, page in enumerate(_PAGE.findall(_poppler(pdf, "-bbox")), 1)
        for *box, text in _WORD.findall(page[2])
    ]


def beside(words: list[Word], name: str, within: float = 5) -> list[list[str]]:
    """The words to the right of each occurrence of a name, at about the same height (points), by column."""
    parts, found = name.split(), []
    for at, first in enumerate(words):
        if [one.text for one in words[at : at + len(parts)]] == parts:
            last = words[at + len(parts) - 1]
            near = [one for one in words if one.page == first.page and abs(one.top - first.top) < within]
            found.append([one.text for one in sorted(near, key=lambda one: one.left) if one.left >= last.right])
    return found


def outside(pdf: bytes) -> list[str]:
    """The words that reach into the margins; a font's height may stand out of its line, and a hyphen hang."""
    width, height, _ = _PAGE.findall(_poppler(pdf, "-bbox"))[0]
    right, bottom = float(width) - MARGIN, float(height) - MARGIN
    return [
        one.text
        for one in words_of(pdf)
        if one.left < MARGIN - 3 or one.right > right + 3 or one.top < MARGIN - 8 or one.bottom > bottom + 8
    ]
