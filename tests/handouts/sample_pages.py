"""Shared by tests of encounter pages: sources of records, and pages as the text and places of their words."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.handouts import samples
from tests.handouts.pdf_pages import read_pages
from turnwright.encounter.state import Encounter, Record
from turnwright.handouts.page_input import PageInput, PageKind, PrintDocument, PrintOptions, print_document
from turnwright.handouts.typesetter import Typesetter
from turnwright.workspace.print_job import fixed_words

FILES = {path.stem: path for path in samples.SAMPLES}
PAPERS = ("a4", "letter")
MARGIN = 13 * 72 / 25.4


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


def text_of(pdf: bytes) -> str:
    """The text of a document with single spaces, column by column."""
    return " ".join(" ".join(page.text for page in read_pages(pdf)).replace("\u200b", "").split())


def words_of(pdf: bytes) -> list[Word]:
    """Every word with its place."""
    return [Word(number, *word[:-1]) for number, page in enumerate(read_pages(pdf), 1) for word in page.words]


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
    first = read_pages(pdf)[0]
    right, bottom = first.width - MARGIN, first.height - MARGIN
    return [
        one.text
        for one in words_of(pdf)
        if one.left < MARGIN - 3 or one.right > right + 3 or one.top < MARGIN - 8 or one.bottom > bottom + 8
    ]
