"""Prints creatures for tests, and reads the text and its places back from the PDF."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest

from tests.handouts.pdf_pages import POINT, read_pages
from tests.handouts.samples import headless, typesetter, words
from turnwright.encounter.prepared import Creature
from turnwright.encounter.state import Encounter
from turnwright.handouts.page_input import PAPERS, PageInput, PageKind, PrintDocument, PrintOptions, print_document
from turnwright.handouts.typography import typographic
from turnwright.rules.system import RuleSystem
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path
from turnwright.workspace.text import Phrasebook

# About twenty creatures of each game; the soak prints them all.
LARGE = ("a5e", "dnd5e", "pf2e")
OF_EACH_GAME = pytest.mark.parametrize(
    ("system", "step"),
    [
        *((system, 16) for system in LARGE),
        ("action_points", 3),
        *(pytest.param(system, 1, marks=pytest.mark.soak) for system in (*LARGE, "dnd5e-2024", "action_points")),
    ],
)


class Word(NamedTuple):
    """A word on paper: its page, counted from 0, and its box in millimetres from the upper left."""

    text: str
    page: int
    left: float
    top: float
    right: float
    bottom: float


def packet(kind: PageKind, creatures: Iterable[Creature], rules: RuleSystem, /, **options: Any) -> PrintDocument:
    """Return the packet of one kind of page for these creatures; `options` are those of `PrintOptions`."""
    source = PageInput(Encounter(creatures), rules, Phrasebook(words(), rules).text, PrintOptions(**options))
    fixed = {key.removeprefix("handout."): words()(key) for key in words() if key.startswith("handout.")}
    return headless(print_document(source, (kind,), "Test", fixed))


def pdf(made: PrintDocument) -> bytes:
    return typesetter().typeset(made).pages[0]


def as_printed(text: str, made: PrintDocument) -> str:
    """Return a text with `?` for each character that no font of this machine has, as the pages show it."""
    missing = typesetter().typeset(made).missing_characters
    return "".join("?" if character in missing else character for character in text)


def drawn(made: PrintDocument) -> tuple[bytes, ...]:
    return typesetter().typeset(made, "svg").pages


def text_of(printed: bytes) -> list[str]:
    """Return the text of each page, in the order in which it is written."""
    return [page.text for page in read_pages(printed)]


def words_on(printed: bytes) -> list[Word]:
    """Return every word with its place."""
    return [
        Word(text, number, *(side * POINT for side in box))
        for number, page in enumerate(read_pages(printed))
        for text, *box, _ in page.words
    ]


def squeezed(text: str) -> str:
    """Return a text for comparison between a record and paper: one case, no spaces, no marks of line breaks."""
    plain = unicodedata.normalize("NFKC", typographic(text)).casefold()
    return re.sub("[\\s\u00ad\u200b\u2010-]+", "", plain)


def outside(found: Sequence[Word], paper: str, margin: float) -> list[Word]:
    """Return the words in a margin or off the page."""
    width, height = PAPERS[paper]  # type: ignore[index]
    edge = margin - 0.6  # glyphs hang over a little
    return [
        word
        for word in found
        if word.left < edge or word.right > width - edge or word.top < edge - 2 or word.bottom > height - edge + 2
    ]


@cache
def shipped(system: str) -> tuple[Creature, ...]:
    """Return every creature of the library that comes with the program, each with an id of its own."""
    found = (read_library_file(file)[0] for file in sorted(resource_path(f"library/{system}").rglob("*.toml")))
    by_id = {one.id: one for one in found if isinstance(one, Creature)}
    return tuple(by_id.values())
