"""Treasure in a line each, as the game master's sheets list it."""

from __future__ import annotations

from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Treasure
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageInput


def treasure_lines(source: PageInput) -> list[str]:
    """Return the treasure of an encounter: what the scene lists, then items with what they are worth."""
    lines = [one_line(find) for find in scene_of(source.encounter).treasure]
    items = (_line(source, one) for one in source.encounter.all(Treasure))
    return [line for line in (*lines, *items) if line]


def worth(treasure: Treasure) -> tuple[str, ...]:
    """Return how rare an item is and its price, as far as they are known."""
    return tuple(told for text in (treasure.rarity, treasure.price) if (told := one_line(text)))


def _line(source: PageInput, treasure: Treasure) -> str:
    uses = (source.text("ui.treasure.times", n=treasure.uses),) if treasure.uses else ()
    looks = one_line(treasure.looks) if treasure.secret else ""
    seen = (source.text("handout.treasure-cards.looks-like", what=looks),) if looks else ()
    name = one_line(treasure.name) or treasure.id
    return ", ".join((name, *worth(treasure), *uses, *seen))
