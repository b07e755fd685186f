"""Answers of the rules, cached between sheets. The key contains the contents of all records that affect the answer.

A question about two combatants has the same answer if their stat blocks, effects and tracks are the same, and
nothing else that a rule may read has changed. So after an edit to one creature, only questions about it are
asked again.
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
MOST_ALIKE: Final = 6  # identical bystanders are counted up to this number; no rule statement counts further
OF_COMBATANTS: Final = frozenset({"creatures", "combatants", "effects", "tracks"})
ASKED_BY_NO_RULE: Final = frozenset(
    {
        "roster", "countdowns", "waves", "handouts", "slots", "dice", "ids", "visitors", "pools", "arrivals", "prompts",
        "procedures", "announcements",
    }
)  # fmt: skip


class KnownAnswers:
    """A cache of questions to a game's rules and their answers. Several workers may share it."""

    def __init__(self) -> None:
        self._next = count()
        self._numbers: dict[Hashable, int] = {}
        self._answers: dict[Hashable, object] = {}

    def number_of(self, content: Hashable) -> int:
        """Return the unique number assigned to this content."""
        number = self._numbers.get(content)
        return self._numbers.setdefault(content, next(self._next)) if number is None else number

    def answer(self, key: Hashable, ask: Callable[[], Answer]) -> Answer:
        """Return the answer to a question, asking the rules only if it isn't cached."""
        if key in self._answers:
            return cast("Answer", self._answers[key])
        if len(self._answers) >= MOST_KEPT:
            self._answers, self._numbers = {}, {}  # numbers are never reused
        answer = self._answers[key] = ask()
        return answer


def content_of(encounter: Encounter, combatant: Combatant) -> Hashable:
    """Return everything about a combatant that can affect the rules' answers."""
    effects = tuple(
        (effect.name, effect.value, effect.by, effect.source) for effect in encounter.of(Effect, combatant.id)
    )
    own = msgspec.structs.replace(
        combatant,
        id="",
        label="",
        roster="",
        creature="",
        initiative=None,
        place="",
        plan="",
        turns_ended=0,
        player="somebody" if combatant.player else "",
        group="",
        controller="",
    )
    tracks = tuple((track.name, track.value, track.maximum) for track in encounter.of(Track, combatant.id))
    return creature_of(encounter, combatant), own, effects, tracks


_kept: dict[int, tuple[RuleSystem, KnownAnswers]] = {}  # keyed by the rules' id; keeping the rules prevents its reuse


def known_answers(rules: RuleSystem) -> KnownAnswers:
    """Return the shared cache of answers for a game's rules."""
    return _kept.setdefault(id(rules), (rules, KnownAnswers()))[1]


def rest_of(encounter: Encounter) -> Hashable:
    """Return everything else in the encounter that rules about two combatants may read."""
    kinds = (kind for table, kind in RECORD_TYPES.items() if table not in OF_COMBATANTS | ASKED_BY_NO_RULE)
    others = Counter(_as_bystander(encounter, combatant) for combatant in encounter.all(Combatant))
    alike = frozenset((content, min(number, MOST_ALIKE)) for content, number in others.items())
    return tuple(tuple(encounter.all(kind)) for kind in kinds), alike


def _as_bystander(encounter: Encounter, combatant: Combatant) -> Hashable:
    """Return everything that rules may read about a bystander to a roll, such as an adjacent ally."""
    creature = creature_of(encounter, combatant)
    effects = frozenset((effect.name, effect.by) for effect in encounter.of(Effect, combatant.id))
    return (
        combatant.side,
        combatant.bystander,
        combatant.dead,
        combatant.hp > 0,
        combatant.rides,
        effects,
        creature.size,
        compiled_rules(creature).rules,
    )
