"""Random commands of any kind: each field is drawn by what its annotation says that it holds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from turnwright.encounter.field_specs import FieldSpec, Kind, specs_of
from turnwright.encounter.prepared import Countdown, Environment, Feature, Map, RosterEntry
from turnwright.encounter.running import Combatant, CountdownPool, Effect, Slot, Snapshot, Track
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.commands import Command
from turnwright.play.queries.queries import active_combatants
from turnwright.play.session import Session
from turnwright.rules.system import RuleSystem, creature_of

C = TypeVar("C", bound=Command)
Drawn = Mapping[str, Any]
NUMBERS = range(21)
LEAST_NUMBER = -5
SQUARE = (3, 3)
DICE = ("3", "2d6", "1d8+2", "4d10", "60")
FACTS = ((), ("advantage",), ("flanks",), ("cover:half",))


class RandomFields:
    """Draws commands field by field from the encounter and the system's data; the same generator draws the same."""

    def __init__(self, session: Session, rng: random.Random) -> None:
        self.chance = rng
        self._session = session

    @property
    def encounter(self) -> Encounter:
        """Return the encounter as it stands."""
        return self._session.encounter

    @property
    def rules(self) -> RuleSystem:
        """Return the rule system that is played."""
        return self._session.rules

    def draw(self, kind: type[C], **given: Any) -> C | None:
        """Return a command with random fields but for those given; None where a field that it needs has no choice.

        Fields that may be left out are, more often than not.
        """
        drawn = dict(given)
        for spec in specs_of(kind):
            if spec.name in drawn or (not spec.required and self.chance.random() < 0.65):
                continue
            choices = self._choices(spec, drawn)
            if choices:
                drawn[spec.name] = self.chance.choice(choices)
            elif spec.required:
                return None
        return kind(**drawn)

    def _choices(self, spec: FieldSpec, drawn: Drawn) -> Sequence[Any]:
        if spec.name == "who" and spec.kind == "combatant":
            return [self.actor()]
        if spec.kind == "choice":
            return spec.options
        if spec.kind == "number":
            least = max(spec.least, LEAST_NUMBER) if spec.is_limited else NUMBERS.start
            numbers = range(least, min(spec.most + 1, NUMBERS.stop))
            return [5 * number for number in numbers] if spec.unit == "feet" else numbers
        found = CHOICES.get(spec.kind)
        return found(self, drawn) if found else ()

    def all_ids(self) -> list[str]:
        """Return the ids of all combatants."""
        return [one.id for one in self.encounter.all(Combatant)]

    def actor(self) -> str:
        """Return a combatant, mostly one whose turn it is."""
        active = [one.id for one in active_combatants(self.encounter)]
        return self.chance.choice(active if active and self.chance.random() < 0.8 else self.all_ids() or [""])

    def other(self, *taken: str) -> str:
        """Return a combatant that is not taken; empty where there is none."""
        return self.chance.choice([one for one in self.all_ids() if one not in taken] or [""])

    def some(self) -> tuple[str, ...]:
        """Return one to three combatants."""
        all_ids = self.all_ids()
        return tuple(self.chance.sample(all_ids, min(len(all_ids), self.chance.randint(1, 3))))

    def features(self, who: str) -> list[Feature]:
        """Return the features of a combatant."""
        one = self.encounter.get(Combatant, who)
        return list(creature_of(self.encounter, one).features) if one else []

    def squares(self, drawn: Drawn, steps: int) -> Iterator[tuple[int, int]]:
        """Yield squares on the way from where the combatant drawn stands, each beside the one before."""
        one = self.encounter.get(Combatant, drawn.get("who", ""))
        column, row = one.position if one is not None and one.position is not None else SQUARE
        for _ in range(steps):
            column, row = max(0, column + self.chance.randint(-1, 1)), max(0, row + self.chance.randint(-1, 1))
            yield column, row

    def damages(self) -> list[str]:
        """Return expressions of damage, with and without a type."""
        kinds = ["", *(one.id for one in self.rules.data.damage_types)]
        return [f"{dice} {kind}".strip() for dice in DICE for kind in kinds]

    def checks(self) -> list[str]:
        """Return the checks of abilities and skills."""
        data = self.rules.data
        return [*(one.id for one in data.abilities), *(f"{one.ability}:{one.id}" for one in data.skills)]

    def entries(self, drawn: Drawn) -> list[str]:
        """Return the features and actions of the environment drawn."""
        place = self.encounter.get(Environment, drawn.get("environment", ""))
        return [row.id for row in (*place.features, *place.actions)] if place else []

    def tracks(self, drawn: Drawn) -> list[str]:
        """Return the tracks of the combatant drawn."""
        return [one.name for one in self.encounter.of(Track, drawn.get("who", ""))]

    def ids_of(self, kind: type[Effect | Environment | Countdown | CountdownPool | RosterEntry | Slot]) -> list[str]:
        """Return the ids of all records of a kind."""
        return [one.id for one in self.encounter.all(kind)]


def _ids(records: Sequence[Any]) -> list[str]:
    return [one.id for one in records]


CHOICES: Mapping[Kind, Callable[[RandomFields, Drawn], Sequence[Any]]] = MappingProxyType(
    {
        "ability": lambda fields, _: _ids(fields.rules.data.abilities),
        "action": lambda fields, _: _ids(fields.rules.data.actions),
        "check": lambda fields, _: fields.checks(),
        "combatant": lambda fields, drawn: [fields.other(drawn.get("who", ""))],
        "combatants": lambda fields, _: [fields.some()],
        "condition": lambda fields, _: _ids(fields.rules.data.conditions),
        "countdown": lambda fields, _: fields.ids_of(Countdown),
        "dice": lambda fields, _: fields.damages(),
        "door": lambda fields, _: [door.id for field in fields.encounter.all(Map) for door in field.doors],
        "snapshot": lambda fields, _: [one.id for one in fields.encounter.all(Snapshot)],
        "effect": lambda fields, _: fields.ids_of(Effect),
        "entry": lambda fields, drawn: fields.entries(drawn),
        "environment": lambda fields, _: fields.ids_of(Environment),
        "environments": lambda fields, _: [
            tuple(id for id in fields.ids_of(Environment) if fields.chance.random() < 0.5)
        ],
        "facts": lambda _fields, _: FACTS,
        "feature": lambda fields, drawn: _ids(fields.features(drawn.get("who", ""))),
        "flag": lambda _fields, _: (False, True),
        "numbers": lambda fields, _: [tuple((id, fields.chance.choice(NUMBERS)) for id in fields.some())],
        "pool": lambda fields, _: fields.ids_of(CountdownPool),
        "prose": lambda _fields, _: ("at random",),
        "resource": lambda fields, _: _ids(fields.rules.data.resources),
        "roster": lambda fields, _: fields.ids_of(RosterEntry),
        "slot": lambda fields, _: fields.ids_of(Slot),
        "speed": lambda fields, _: ["walk", *_ids(fields.rules.data.speeds)],
        "spell": lambda fields, _: _ids(fields.rules.data.spells),
        "square": lambda fields, drawn: [*fields.squares(drawn, 1)],
        "squares": lambda fields, drawn: [tuple(fields.squares(drawn, fields.chance.randint(1, 6)))],
        "stat": lambda _fields, _: ("passive.perception",),
        "text": lambda _fields, _: ("at random",),
        "track": lambda fields, drawn: fields.tracks(drawn),
        "wave": lambda fields, _: sorted({entry.wave for entry in fields.encounter.all(RosterEntry) if entry.wave}),
    }
)
