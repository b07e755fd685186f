"""The document of a printing: paper, edition, and sections of plain data that the templates lay out.

Everything in it is text, numbers and lists: whatever characters a record holds, a template gets them as a text and
never as code. Lengths are millimetres unless a name says otherwise.
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
# Characters that no page can show, save tabs and line ends.
_CONTROL = re.compile(r"(\\\\|\\u000[9ad])|\\u00(?:[01][0-9a-f]|7f)|\\[bf]|[\x7f-\x9f]")
QUOTES: Final = "quotes"  # the word that holds the four quotes of a language
ENGLISH_QUOTES: Final = "\u201c\u201d\u2018\u2019"
PAPERS: Final[Mapping[Paper, tuple[float, float]]] = MappingProxyType({"a4": (210.0, 297.0), "letter": (215.9, 279.4)})


class Section(msgspec.Struct, frozen=True):
    """One kind of page: `kind` names its template, `data` is its content, in plain mappings, lists and scalars.

    `name` is its name in the head and among the bookmarks. Pages to cut out and `bare` ones have no head; those to cut
    out begin on a sheet of their own.
    """

    kind: str
    data: Mapping[str, Any]
    name: str = ""
    form: PageForm = "page"
    edition: Edition = "narrator"


class Picture(msgspec.Struct, frozen=True):
    """A picture that a section shows: the `name` its data refers to, and the file's bytes."""

    name: str
    content: bytes


class PrintDocument(msgspec.Struct, frozen=True):
    """A document to print. `words` are the fixed words of the templates by key; `bleed` is millimetres.

    `game` stands in the foot of pages. With `sides` two, what is cut out begins on the front of a sheet.
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
    """Return the templates' input of a document; pictures are files beside it."""
    width, height = PAPERS[packet.paper]
    quotes = packet.words.get(QUOTES, "")
    quotes = quotes if len(quotes) == 4 else ENGLISH_QUOTES
    told = {
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
    return _CONTROL.sub(lambda found: found[1] or "", msgspec.json.encode(told).decode())


def begins_on_front(form: PageForm, before: PageForm | None, sides: Sides) -> bool:
    """Return whether a kind of page begins on the front of a sheet: what is cut out does, and what follows it."""
    cut = form.startswith("cut") or (before is not None and before.startswith("cut"))
    return sides == "two" and cut


def sheets_of_paper(pages: Iterable[tuple[PageForm, int]], sides: Sides) -> int:
    """Return how many sheets of paper kinds of pages take, by the form and number of each: what is cut out begins on a front."""
    count, before = 0, None
    for form, number in pages:
        if begins_on_front(form, before, sides):
            count += count % 2
        count, before = count + number, form
    return -(-count // 2) if sides == "two" else count
