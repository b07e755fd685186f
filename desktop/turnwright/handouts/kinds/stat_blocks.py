"""Stat blocks in two columns, each in the style of its game. Only for the game master."""

from typing import Final

from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.stat_block_data import stat_block_data, with_portraits

ID: Final = "stat-blocks"


def make(source: PageInput) -> PageContent:
    """Return the stat blocks of the selected creatures, or no pages if there are none."""
    creatures = source.selected_creatures()
    blocks, pictures = with_portraits([stat_block_data(one, source) for one in creatures], creatures, source)
    data = {"style": source.rules.data.presentation.style, "creatures": blocks}
    return PageContent((Section(ID, data),), pictures) if blocks else PageContent()


KIND: Final = PageKind(ID, make)
