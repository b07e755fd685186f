"""Treasure cards to cut out and hand over, each half the size of a playing card.

Unidentified treasure has two cards: one with its appearance, and one to hand over once it is identified.
Players don't get these pages, since they would reveal treasure that hasn't been found yet.
"""

from collections.abc import Iterator
from typing import Any, Final

from turnwright.encounter.prepared import Treasure
from turnwright.encounter.state import scene_of
from turnwright.handouts.environment_data import one_line, worth
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, card_pages

ID: Final = "treasure-cards"


def make(source: PageInput) -> PageContent:
    """Return a card for each find, or no pages if there are none."""
    cards = [_of_line(line) for find in scene_of(source.encounter).treasure if (line := one_line(find))]
    cards += [card for treasure in source.encounter.all(Treasure) for card in _of_item(source, treasure)]
    return card_pages(ID, cards, source)


def _of_line(find: str) -> dict[str, Any]:
    """Return the card for a line: the text before the first comma or colon is the name, the rest the description."""
    at = min((place for sign in (", ", ": ") if (place := find.find(sign)) > 0), default=len(find))
    return _card(find[:at], find[at + 1 :].strip())


def _of_item(source: PageInput, treasure: Treasure) -> Iterator[dict[str, Any]]:
    """Yield an item's cards, beginning with its appearance if it is unidentified."""
    name, looks = one_line(treasure.name) or treasure.id, one_line(treasure.looks)
    if treasure.secret:
        yield _card(looks or source.text("handout.treasure-cards.unknown"), "")
    note = [source.text("handout.treasure-cards.once-known")] if treasure.secret else []
    note += [source.text("handout.treasure-cards.looks-like", what=looks)] if note and looks else []
    yield _card(name, treasure.text.strip(), " · ".join(worth(treasure)), treasure.uses, " · ".join(note))


def _card(name: str, text: str, facts: str = "", uses: int = 0, note: str = "") -> dict[str, Any]:
    return {"name": name, "text": text, "facts": facts, "uses": uses, "note": note}


KIND: Final = PageKind(ID, make, form="cut-two-sides", shares_sheets=True)
