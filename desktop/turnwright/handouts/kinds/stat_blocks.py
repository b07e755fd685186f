"""Stat blocks in two columns, each in the style of its game. Only for the game master."""

from typing import Final

from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.stat_block_data import printed_portraits, selected_creatures, stat_block_data

ID: Final = "stat-blocks"


def make(source: PageInput) -> PageContent:
    """Return the stat blocks of the selected creatures, or no pages if there are none."""
    creatures = selected_creatures(source)
    portraits, pictures = printed_portraits(creatures, source)
    blocks = [
        stat_block_data(creature, source) | {"portrait": portrait}
        for creature, portrait in zip(creatures, portraits, strict=True)
    ]
    if not blocks:
        return PageContent()
    return PageContent((Section(ID, {"style": source.rules.data.presentation.style, "creatures": blocks}),), pictures)


KIND: Final = PageKind(ID, make)
