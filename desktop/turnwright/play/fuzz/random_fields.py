"""Random commands of any type: each field is drawn to fit its annotation."""

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
    """Draws commands field by field from the encounter and the system's data; the same seed gives the same commands."""

    def __init__(self, session: Session, rng: random.Random) -> None:
        self.chance = rng
        self._session = session

    @property
    def encounter(self) -> Encounter:
        """Return the current encounter."""
        return self._session.encounter

    @property
    def rules(self) -> RuleSystem:
        """Return the rule system in use."""
        return self._session.rules

    def draw(self, kind: type[C], **fixed: Any) -> C | None:
        """Return a random command with these `fixed` fields, or None if a required field has no possible value.

        Optional fields are usually omitted.
        """
        drawn = dict(fixed)
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
        choices = CHOICES.get(spec.kind)
        return choices(self, drawn) if choices else ()

    def all_ids(self) -> list[str]:
        """Return the ids of all combatants."""
        return [combatant.id for combatant in self.encounter.all(Combatant)]

    def actor(self) -> str:
        """Return the id of a combatant, usually one whose turn it is."""
        active = [active_combatant.id for active_combatant in active_combatants(self.encounter)]
        return self.chance.choice(active if active and self.chance.random() < 0.8 else self.all_ids() or [""])

    def other(self, *excluded: str) -> str:
        """Return the id of a combatant that isn't excluded, or an empty string if there is none."""
        return self.chance.choice([id for id in self.all_ids() if id not in excluded] or [""])

    def some(self) -> tuple[str, ...]:
        """Return the ids of one to three combatants."""
        all_ids = self.all_ids()
        return tuple(self.chance.sample(all_ids, min(len(all_ids), self.chance.randint(1, 3))))

    def features(self, who: str) -> list[Feature]:
        """Return the features of a combatant."""
        combatant = self.encounter.get(Combatant, who)
        return list(creature_of(self.encounter, combatant).features) if combatant else []

    def squares(self, drawn: Drawn, steps: int) -> Iterator[tuple[int, int]]:
        """Yield squares of a path that starts at the drawn combatant's position, each adjacent to the previous one."""
        combatant = self.encounter.get(Combatant, drawn.get("who", ""))
        column, row = combatant.position if combatant is not None and combatant.position is not None else SQUARE
        for _ in range(steps):
            column, row = max(0, column + self.chance.randint(-1, 1)), max(0, row + self.chance.randint(-1, 1))
            yield column, row

    def damages(self) -> list[str]:
        """Return damage expressions, with and without a type."""
        kinds = ["", *(damage_type.id for damage_type in self.rules.data.damage_types)]
        return [f"{dice} {kind}".strip() for dice in DICE for kind in kinds]

    def checks(self) -> list[str]:
        """Return the ids of ability and skill checks."""
        data = self.rules.data
        return [*(ability.id for ability in data.abilities), *(f"{skill.ability}:{skill.id}" for skill in data.skills)]

    def entries(self, drawn: Drawn) -> list[str]:
        """Return the ids of the drawn environment's features and actions."""
        place = self.encounter.get(Environment, drawn.get("environment", ""))
        return [row.id for row in (*place.features, *place.actions)] if place else []

    def tracks(self, drawn: Drawn) -> list[str]:
        """Return the names of the drawn combatant's tracks."""
        return [track.name for track in self.encounter.of(Track, drawn.get("who", ""))]

    def ids_of(self, kind: type[Effect | Environment | Countdown | CountdownPool | RosterEntry | Slot]) -> list[str]:
        """Return the ids of all records of a kind."""
        return [record.id for record in self.encounter.all(kind)]


def _ids(records: Sequence[Any]) -> list[str]:
    return [record.id for record in records]


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
        "snapshot": lambda fields, _: [snapshot.id for snapshot in fields.encounter.all(Snapshot)],
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
