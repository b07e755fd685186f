"""Each environment on a card of half a page: its standing features, and its world actions with boxes for what is spent."""

from __future__ import annotations

from typing import Final

from turnwright.handouts.packet import Section
from turnwright.handouts.source import Kind, Leaf, Source
from turnwright.handouts.world import Surroundings

ID: Final = "environment-cards"


def make(source: Source) -> Leaf:
    """Return the cards, nothing where there is no environment."""
    places = Surroundings(source).places()
    return Leaf((Section(ID, {"places": places}),)) if places else Leaf()


KIND = Kind(ID, make)
