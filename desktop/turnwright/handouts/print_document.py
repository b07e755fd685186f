"""The document of a print job: paper, edition, and sections of plain data that the templates lay out.

It contains only text, numbers and lists: a template gets every character of a record as text, never as code.
Lengths are in millimetres unless stated otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

import msgspec

from turnwright.handouts.typography import typographic, typographic_data

Paper = Literal["a4", "letter"]
Edition = Literal["narrator", "players"]
Ink = Literal["colour", "saving"]
Sides = Literal["one", "two"]
PageForm = Literal["page", "bare", "cut-one-side", "cut-two-sides"]
# Characters that can't be printed, except tabs and line ends.
_CONTROL = re.compile(r"(\\\\|\\u000[9ad])|\\u00(?:[01][0-9a-f]|7f)|\\[bf]|[\x7f-\x9f]")
QUOTES: Final = "quotes"  # the key of a language's four quotes
ENGLISH_QUOTES: Final = "\u201c\u201d\u2018\u2019"
PAPERS: Final[Mapping[Paper, tuple[float, float]]] = MappingProxyType({"a4": (210.0, 297.0), "letter": (215.9, 279.4)})


class Section(msgspec.Struct, frozen=True):
    """The pages of one type: `kind` names the template, `data` is the content, in plain mappings, lists and scalars.

    `name` is used in the header and the bookmarks. Pages to cut out and `bare` pages have no header. Pages to cut out
    begin on a new sheet.
    """

    kind: str
    data: Mapping[str, Any]
    name: str = ""
    form: PageForm = "page"
    edition: Edition = "narrator"


class Picture(msgspec.Struct, frozen=True):
    """An image in a section: the `name` used in the section's data, and the file's bytes."""

    name: str
    content: bytes


class PrintDocument(msgspec.Struct, frozen=True):
    """A document to print. `words` are the templates' fixed texts, by key; `bleed` is in millimetres.

    `game` is printed in the footer. If `sides` is two, pages to cut out begin on the front of a sheet.
    """

    title: str
    sections: tuple[Section, ...]
    paper: Paper = "a4"
    edition: Edition = "narrator"
    ink: Ink = "colour"
    bleed: float = 0.0
    language: str = "en"
    words: Mapping[str, str] = MappingProxyType({})
    pictures: tuple[Picture, ...] = ()
    game: str = ""
    sides: Sides = "one"


def template_json(packet: PrintDocument) -> str:
    """Return a document as JSON for the templates. Images are separate files."""
    width, height = PAPERS[packet.paper]
    quotes = packet.words.get(QUOTES, "")
    quotes = quotes if len(quotes) == 4 else ENGLISH_QUOTES
    data = {
        "title": typographic(packet.title, quotes),
        "game": packet.game,
        "sides": packet.sides,
        "paper": packet.paper,
        "width": width,
        "height": height,
        "edition": packet.edition,
        "ink": packet.ink,
        "bleed": packet.bleed,
        "language": packet.language,
        "words": typographic_data(packet.words, quotes),
        "sections": [
            {
                "kind": section.kind,
                "name": section.name,
                "form": section.form,
                "edition": section.edition,
                "data": typographic_data(section.data, quotes),
            }
            for section in packet.sections
        ],
    }
    return _CONTROL.sub(lambda match: match[1] or "", msgspec.json.encode(data).decode())


def begins_on_front(form: PageForm, before: PageForm | None, sides: Sides) -> bool:
    """Return whether a page type begins on a front: pages to cut out do, and so does the type after them."""
    cut = form.startswith("cut") or (before is not None and before.startswith("cut"))
    return sides == "two" and cut


def sheets_of_paper(pages: Iterable[tuple[PageForm, int]], sides: Sides) -> int:
    """Return how many sheets of paper are needed, given each page type's form and page count.

    Pages to cut out begin on a front.
    """
    count, before = 0, None
    for form, number in pages:
        if begins_on_front(form, before, sides):
            count += count % 2
        count, before = count + number, form
    return -(-count // 2) if sides == "two" else count
