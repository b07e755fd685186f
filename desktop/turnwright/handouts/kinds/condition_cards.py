"""Condition cards to cut out, each half the size of a playing card.

The game master gets the conditions that the encounter can inflict. An encounter that inflicts none has no cards.
Players get all of the game's conditions, since a selection would reveal what awaits them.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from turnwright.encounter.prepared import Announce, Countdown, Creature, Environment
from turnwright.encounter.state import scene_of
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, card_pages
from turnwright.handouts.roster_members import RosterMembers
from turnwright.handouts.stat_block_data import ConditionText, without_citations
from turnwright.rules.system_data.dying import Condition

ID: Final = "condition-cards"
# A verb and the words after it, such as `is grappled and restrained` or `has the Frightened condition`.
_STATED = re.compile(
    r"\b(?:is|are|be|being|falls?|becomes?|knock(?:s|ed)?|makes?|leaves?|gains?|has|have|it's)\b((?: [\w-]+,?){1,6})"
)


def make(source: PageInput) -> PageContent:
    """Return condition cards sorted by name, or no pages if the game has no conditions."""
    words = ConditionText(source.rules, source.text)
    conditions = conditions_in_play(source) if source.shows_secrets else printed_conditions(source)
    cards: list[dict[str, Any]] = [
        {
            "name": condition.name,
            "text": without_citations(condition.text),
            "effects": words.effect_lines(condition),
            "valued": condition.has_levels,
            "boxes": 0 if condition.stacks else 5,
        }
        for condition in conditions
    ]
    return card_pages(ID, [card for card in cards if card["text"] or card["effects"]], source)


def printed_conditions(source: PageInput) -> list[Condition]:
    """Return the game's conditions that are printed, sorted by name."""
    conditions = (condition for condition in source.rules.data.conditions if condition.printed)
    return sorted(conditions, key=lambda condition: condition.name)


def conditions_in_play(source: PageInput) -> list[Condition]:
    """Return the conditions that an encounter can cause, sorted by name."""
    conditions = printed_conditions(source)
    causes = _causes(source, conditions)
    return [condition for condition in conditions if condition.id in causes]


def _causes(source: PageInput, conditions: Iterable[Condition]) -> set[str]:
    """Return the ids of conditions that the encounter's foes, surroundings and countdowns inflict, state or imply."""
    inflicted, texts = set[str](), list[str]()
    for feature in _rows(source):
        stages = getattr(feature, "stages", ())
        for affliction in (*feature.afflictions, *(each for stage in stages for each in stage.afflictions)):
            inflicted.add(affliction.condition)
        if getattr(feature, "ongoing", ""):
            inflicted.add(source.rules.role("ongoing"))
        texts += [feature.text]
    outcomes = (outcome for countdown in source.encounter.all(Countdown) for outcome in countdown.outcomes)
    texts += [*(one.text for one in outcomes if isinstance(one, Announce)), scene_of(source.encounter).conditions]
    words = {
        each for text in texts for match in _STATED.finditer(text.lower()) for each in re.findall(r"[\w-]+", match[1])
    }
    ids = {condition.id for condition in conditions if condition.id in inflicted or condition.name.lower() in words}
    return ids | {implied for condition in conditions if condition.id in ids for implied in condition.implies}


def _rows(source: PageInput) -> Iterator[Any]:
    """Yield the features of creatures in the roster, except the players', and the entries of environments."""
    company = RosterMembers(source)
    for id in dict.fromkeys(each.creature.id for each in company.members if not company.is_player_character(each)):
        creature = source.encounter.get(Creature, id)
        yield from creature.features if creature is not None else ()
    for environment in source.encounter.all(Environment):
        yield from (*environment.features, *environment.actions)


KIND: Final = PageKind(ID, make, for_players=True, form="cut-two-sides", shares_sheets=True)
