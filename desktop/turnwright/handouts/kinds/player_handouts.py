"""Handouts for the players: letters, notices, posters, newspapers and so on. Each begins on a new page.

They contain only texts that players are meant to read, so both editions are the same.
"""

import re
from typing import Any, Final

from turnwright.encounter.prepared import Handout
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Picture, Section

_BETWEEN_PARAGRAPHS: Final = re.compile(r"\n[^\S\n]*\n\s*")
_INITIAL: Final = re.compile(r"[A-ZÀ-ÖØ-ÞĀ-ŽА-ЯЁΑ-Ω]")  # letters that can be printed as a large initial


def make(source: PageInput) -> PageContent:
    """Return one or more pages for each handout, or no pages if there are none or all are empty."""
    pictures: dict[str, Picture] = {}
    handouts = []
    for handout in filter(source.is_chosen, source.encounter.all(Handout)):
        if any(one.strip() for one in (handout.title, handout.headline, handout.text, handout.signed, handout.picture)):
            picture = source.printable_picture(handout.picture) if handout.picture else None
            if picture is not None:
                pictures[picture.name] = picture
            handouts.append(_data(handout, picture))
    if not handouts:
        return PageContent()
    return PageContent((Section("player-handouts", {"handouts": handouts}),), tuple(pictures.values()))


def _data(handout: Handout, picture: Picture | None) -> dict[str, Any]:
    text_paragraphs = paragraphs(handout.text)
    initial = text_paragraphs[0][0][:1] if text_paragraphs and _INITIAL.match(text_paragraphs[0][0]) else ""
    as_written = ("style", "title", "signed", "headline", "place", "date", "reward", "hand")
    return {name: getattr(handout, name) for name in as_written} | {
        "paragraphs": text_paragraphs,
        "initial": initial,
        "picture": picture.name if picture is not None else "",
        "missing": bool(handout.picture) and picture is None,
    }


def paragraphs(text: str) -> list[list[str]]:
    """Split a text into paragraphs, which are separated by empty lines. Each is a list of lines."""
    even = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return [paragraph.split("\n") for paragraph in _BETWEEN_PARAGRAPHS.split(even) if paragraph.strip()]


KIND: Final = PageKind("player-handouts", make, for_players=True, form="bare")
