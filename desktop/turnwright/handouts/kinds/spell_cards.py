"""Spell cards to cut out: one for each spell of the selected casters, half the size of a playing card if it is short.

Casters share a card if their numbers are the same. The template joins those that differ only in a DC or in uses. Players get only their characters' spells.
"""

from typing import Any, Final

from turnwright.handouts.page_input import PageContent, PageInput, PageKind, card_pages
from turnwright.handouts.roster_members import players_characters
from turnwright.handouts.spell_texts import SpellTexts

ID: Final = "spell-cards"


def make(source: PageInput) -> PageContent:
    """Return the cards sorted by level and name, or no pages without casters."""
    cards: dict[str, dict[str, Any]] = {}
    for caster in SpellTexts(players_characters(source)).casters():
        for spell in caster["spells"]:
            new = spell | {"casters": [], "numbers": caster["numbers"]}
            cards.setdefault(str(spell), new)["casters"].append(caster["name"])
    return card_pages(ID, sorted(cards.values(), key=lambda card: (card["level"], card["name"])), source)


KIND: Final = PageKind(ID, make, for_players=True, form="cut-two-sides", shares_sheets=True)
