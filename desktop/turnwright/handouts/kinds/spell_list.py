"""The spells of the selected casters in columns: the numbers of each caster, its slots, and what each spell does.

Players get only their characters' spells.
"""

from typing import Final

from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.roster_members import players_characters
from turnwright.handouts.spell_texts import SpellTexts

ID: Final = "spell-list"


def make(source: PageInput) -> PageContent:
    """Return the list, or no pages without casters."""
    casters = list(SpellTexts(players_characters(source)).casters())
    return PageContent((Section(ID, {"casters": casters}),)) if casters else PageContent()


KIND: Final = PageKind(ID, make, for_players=True)
