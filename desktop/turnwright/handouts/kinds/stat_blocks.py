"""Stat blocks in two columns, each in the style of its game. Never for the players."""

from __future__ import annotations

from typing import Final

from turnwright.handouts.page_input import PageContent, PageInput, PageKind
from turnwright.handouts.print_document import Section
from turnwright.handouts.stat_block_data import selected_creatures, stat_block_data

ID: Final = "stat-blocks"


def make(source: PageInput) -> PageContent:
    """Return the stat blocks of the selected creatures; nothing where there is none."""
    blocks = [stat_block_data(creature, source) for creature in selected_creatures(source)]
    if not blocks:
        return PageContent()
    return PageContent((Section(ID, {"style": source.rules.data.presentation.style, "creatures": blocks}),))


KIND: Final = PageKind(ID, make)
