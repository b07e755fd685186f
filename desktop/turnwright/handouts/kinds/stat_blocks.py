"""Stat blocks in two columns, each in the style of its game. Never for the players."""

from __future__ import annotations

from typing import Final

from turnwright.handouts.page_input import PageContent, PageInput, PageKind
from turnwright.handouts.print_document import Section
from turnwright.handouts.stat_block_data import selected_creatures, stat_block_data

ID: Final = "stat-blocks"


def make(source: PageInput) -> PageContent:
    """Return the stat blocks of the selected creatures; nothing where there is none."""
    creatures = selected_creatures(source)
    faces = [source.printable_portrait(creature) for creature in creatures]
    blocks = [
        stat_block_data(creature, source) | {"portrait": face.name if face is not None else ""}
        for creature, face in zip(creatures, faces, strict=True)
    ]
    pictures = tuple({face.name: face for face in faces if face is not None}.values())
    if not blocks:
        return PageContent()
    return PageContent((Section(ID, {"style": source.rules.data.presentation.style, "creatures": blocks}),), pictures)


KIND: Final = PageKind(ID, make)
