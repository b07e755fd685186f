"""Answers of the rules, kept from one sheet to the next by the contents of all that they were asked about.

A question about two combatants is the same again where both have the same stat blocks, effects and tracks, and all else
that a rule may look at is the same. So after an edit of one creature only what is about it is asked anew.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Final, TypeVar, cast

import msgspec

from turnwright.encounter.running import Combatant, Effect, Track
from turnwright.encounter.state import RECORD_TYPES
from turnwright.rules.parts.conditions.feature_rules import compiled_rules
from turnwright.rules.system import creature_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from turnwright.encounter.state import Encounter
    from turnwright.rules.system import RuleSystem

Answer = TypeVar("Answer")
MOST_KEPT: Final = 50_000
MOST_ALIKE: Final = 6  # bystanders to a roll of one kind are counted so far; no statement of the rules counts further
OF_COMBATANTS: Final = frozenset({"creatures", "combatants", "effects", "tracks"})
ASKED_BY_NO_RULE: Final = frozenset(
    {
        "roster", "countdowns", "waves", "handouts", "slots", "dice", "ids", "visitors", "pools", "arrivals", "prompts",
        "procedures", "announcements",
    }
)  # fmt: skip


class KnownAnswers:
    """What a game's rules were asked before, with the answers. One may serve several workers at a time."""

    def __init__(self) -> None:
        self._next = count()
        self._numbers: dict[Hashable, int] = {}
        self._answers: dict[Hashable, object] = {}

    def number_of(self, content: Hashable) -> int:
        """Return the number that stands for this content alone."""
        found = self._numbers.get(content)
        return self._numbers.setdefault(content, next(self._next)) if found is None else found

    def answer(self, key: Hashable, ask: Callable[[], Answer]) -> Answer:
        """Return the answer to a question, asked if it is a new one."""
        if key in self._answers:
            return cast("Answer", self._answers[key])
        if len(self._answers) >= MOST_KEPT:
            self._answers, self._numbers = {}, {}  # numbers are never given again
        answer = self._answers[key] = ask()
        return answer


def content_of(encounter: Encounter, one: Combatant) -> Hashable:
    """Return all by which a combatant differs from another in the answers about it."""
    held = tuple((each.name, each.value, each.by, each.source) for each in encounter.of(Effect, one.id))
    own = msgspec.structs.replace(
        one,
        id="",
        label="",
        roster="",
        creature="",
        initiative=None,
        place="",
        plan="",
        turns_ended=0,
        player="somebody" if one.player else "",
        group="",
        controller="",
    )
    tracks = tuple((track.name, track.value, track.maximum) for track in encounter.of(Track, one.id))
    return creature_of(encounter, one), own, held, tracks


_kept: dict[
    int, tuple[RuleSystem, KnownAnswers]
] = {}  # by identity, which the rules beside them keep from being reused


def known_answers(rules: RuleSystem) -> KnownAnswers:
    """Return the answers of a game's rules that the program keeps."""
    return _kept.setdefault(id(rules), (rules, KnownAnswers()))[1]


def rest_of(encounter: Encounter) -> Hashable:
    """Return all else that a rule may look at when it is asked about two combatants."""
    kinds = (kind for table, kind in RECORD_TYPES.items() if table not in OF_COMBATANTS | ASKED_BY_NO_RULE)
    others = Counter(_as_bystander(encounter, one) for one in encounter.all(Combatant))
    alike = frozenset((one, min(number, MOST_ALIKE)) for one, number in others.items())
    return tuple(tuple(encounter.all(kind)) for kind in kinds), alike


def _as_bystander(encounter: Encounter, one: Combatant) -> Hashable:
    """Return what a rule may look at in a combatant that a roll is not about: whether it could stand beside those."""
    creature = creature_of(encounter, one)
    held = frozenset((each.name, each.by) for each in encounter.of(Effect, one.id))
    return one.side, one.bystander, one.dead, one.hp > 0, one.rides, held, creature.size, compiled_rules(creature).rules
