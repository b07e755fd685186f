"""The game's conditions on cards to cut out, each half as large as a playing card; they tell nothing of the encounter."""

from __future__ import annotations

from typing import Any, Final

from turnwright.handouts.condition_text import ConditionText, without_citations
from turnwright.handouts.page_input import PageContent, PageInput, PageKind
from turnwright.handouts.print_document import Section

ID: Final = "condition-cards"


def make(source: PageInput) -> PageContent:
    """Return a card for each condition of the game by name, nothing where it has none."""
    words = ConditionText(source.rules, source.text)
    conditions = sorted(source.rules.data.conditions, key=lambda one: one.name)
    cards: list[dict[str, Any]] = [
        {
            "name": one.name,
            "text": without_citations(one.text),
            "effects": words.effect_lines(one),
            "valued": one.has_levels,
        }
        for one in conditions
        if one.printed
    ]
    cards = [card for card in cards if card["text"] or card["effects"]]
    return PageContent((Section(ID, {"cards": cards}),)) if cards else PageContent()


KIND: Final = PageKind(ID, make, for_players=True, form="cut-one-side")
