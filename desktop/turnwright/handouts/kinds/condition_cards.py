"""Condition cards to cut out, each half the size of a playing card.

The game master gets the conditions that the encounter can inflict, in two copies if there are several characters.
Players get all of the game's conditions, since a selection would reveal what awaits them.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Environment
from turnwright.encounter.roles import present
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.roster_members import RosterMembers
from turnwright.handouts.stat_block_data import ConditionText, without_citations
from turnwright.rules.system_data.dying import Condition

ID: Final = "condition-cards"


def make(source: PageInput) -> PageContent:
    """Return condition cards sorted by name, or no pages if the game has no conditions."""
    words = ConditionText(source.rules, source.text)
    conditions = sorted(
        (condition for condition in source.rules.data.conditions if condition.printed),
        key=lambda condition: condition.name,
    )
    causes = _causes(source, conditions) if source.shows_secrets else set()
    copies = 1
    if causes:
        conditions = [condition for condition in conditions if condition.id in causes]
        company = RosterMembers(source)
        copies = 2 if sum(company.is_player_character(member) for member in company.members) > 1 else 1
    cards: list[dict[str, Any]] = [
        {
            "name": condition.name,
            "text": without_citations(condition.text),
            "effects": words.effect_lines(condition),
            "valued": condition.has_levels,
        }
        for condition in conditions
    ]
    cards = [card for card in cards if card["text"] or card["effects"] for _ in range(copies)]
    return PageContent((Section(ID, {"cards": cards}),)) if cards else PageContent()


def _causes(source: PageInput, conditions: Iterable[Condition]) -> set[str]:
    """Return the ids of conditions that the encounter's stat blocks and environments inflict, name or imply."""
    inflicted, texts = set[str](), list[str]()
    for feature in _rows(source):
        stages = getattr(feature, "stages", ())
        for affliction in (*feature.afflictions, *(each for stage in stages for each in stage.afflictions)):
            inflicted.add(affliction.condition)
        texts += [feature.text]
    words = set(re.findall(r"[a-z][a-z-]+", " ".join(texts).lower()))
    ids = {condition.id for condition in conditions if condition.id in inflicted or condition.name.lower() in words}
    return ids | {implied for condition in conditions if condition.id in ids for implied in condition.implies}


def _rows(source: PageInput) -> Iterator[Any]:
    """Yield the features of creatures in the roster and the entries of environments."""
    for id in dict.fromkeys(roster_entry.creature for roster_entry in present(source.encounter)):
        creature = source.encounter.get(Creature, id)
        yield from creature.features if creature is not None else ()
    for environment in source.encounter.all(Environment):
        yield from (*environment.features, *environment.actions)


KIND: Final = PageKind(ID, make, for_players=True, form="cut-one-side")
