"""Treasure as listed on the game master's sheets, one line per item."""

from __future__ import annotations

from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Treasure
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageInput


def treasure_lines(source: PageInput) -> list[str]:
    """Return an encounter's treasure: the scene's list, then items with their value."""
    lines = [one_line(find) for find in scene_of(source.encounter).treasure]
    items = (_line(source, treasure) for treasure in source.encounter.all(Treasure))
    return [line for line in (*lines, *items) if line]


def worth(treasure: Treasure) -> tuple[str, ...]:
    """Return an item's rarity and price, if known."""
    return tuple(line for text in (treasure.rarity, treasure.price) if (line := one_line(text)))


def _line(source: PageInput, treasure: Treasure) -> str:
    uses = (source.text("ui.treasure.times", n=treasure.uses),) if treasure.uses else ()
    looks = one_line(treasure.looks) if treasure.secret else ""
    seen = (source.text("handout.treasure-cards.looks-like", what=looks),) if looks else ()
    name = one_line(treasure.name) or treasure.id
    return ", ".join((name, *worth(treasure), *uses, *seen))
