"""Treasure on cards to cut out and hand over, each half as large as a playing card. What isn't found yet is never for the players."""

from __future__ import annotations

from typing import Final

from turnwright.encounter.prepared import Scene
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageContent, PageInput, PageKind
from turnwright.handouts.print_document import Section

ID: Final = "treasure-cards"


def make(source: PageInput) -> PageContent:
    """Return a card for each find, nothing where there is none."""
    scene = source.encounter.get(Scene, "scene") or Scene()
    cards = [_card(line) for find in scene.treasure if (line := one_line(find))]
    return PageContent((Section(ID, {"cards": cards}),)) if cards else PageContent()


def _card(find: str) -> dict[str, str]:
    """Return the words of a find before its first comma or colon as its name, and what follows them."""
    at = min((place for sign in (", ", ": ") if (place := find.find(sign)) > 0), default=len(find))
    name, text = find[:at], find[at + 1 :].strip()
    return {"name": name[:1].upper() + name[1:], "text": text[:1].upper() + text[1:]}


KIND: Final = PageKind(ID, make, form="cut-one-side")
