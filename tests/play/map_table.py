"""A table with a map: everybody is put on squares by commands, and rolls are made with given faces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.table import Table
from turnwright.dice.expression import Roll, RollSpec
from turnwright.dice.rolling import ScriptedFaces, roll
from turnwright.encounter.prepared import Creature, Feature, Map
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Change, Record, key_of
from turnwright.play.session import Session
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.attacks.attack_rolls import attack_roll
from turnwright.rules.parts.attacks.attack_targeting import target_armor_class
from turnwright.rules.parts.checks.ability_checks import action_check_roll

SWORD = Feature("sword", "Sword", cost="action", attack=5, reach=5, damage="1d8+3 slashing")
BOW = Feature("bow", "Bow", cost="action", attack=5, range="80/320", damage="1d8+3 piercing")
YARD = Map(columns=16, rows=16)


class Field(Table):
    """A table past its set-up, everybody's turn in the order named; `field` None plays without a grid."""

    def __init__(
        self, *people: str | Creature, field: Map | None = YARD, more: Iterable[Any] = (), **given: Any
    ) -> None:
        records = [*more, *([field] if field is not None else [])]
        super().__init__(*people, surroundings=records, **given)
        ids = [one if isinstance(one, str) else one.id for one in people]
        self.start(**{id: 20 - turn for turn, id in enumerate(ids)})
        while self.prompts:
            self.skips()

    def puts(self, **squares: tuple[int, ...]) -> Field:
        """Put some on squares: column, row, and perhaps feet of elevation."""
        for who, (column, row, *height) in squares.items():
            self.does(SetPosition(who, position=(column, row), elevation=height[0] if height else None))
        return self

    def marks(self, target: str, name: str, **fields: Any) -> str:
        """Let an effect hold for somebody as an action would leave it, and return its id."""
        effect = Effect(f"{name}-of-{target}", target, name, **fields)
        self.has(effect)
        return effect.id

    def has(self, record: Record) -> None:
        """Let a record be as it would be after a longer story."""
        change = Change(key_of(record), self.encounter.record(key_of(record)), record)
        self.session = Session(self.encounter.with_changes([change]), self.rules)

    def attack_roll(self, who: str, target: str, means: Feature = SWORD, purpose: str = "") -> RollSpec:
        """What is rolled for an attack."""
        assault = AttackInProgress(who, means, target, purpose=purpose)
        return attack_roll(self.encounter, self.rules, assault).spec

    def armor_class(self, who: str, target: str, means: Feature = SWORD) -> int:
        """The AC that an attack has to meet."""
        figure = target_armor_class(self.encounter, self.rules, AttackInProgress(who, means, target))
        assert figure is not None
        return figure.total

    def trial(self, who: str, what: str, other: str = "", *tags: str) -> RollSpec:
        """What is rolled for a check or save against somebody."""
        return action_check_roll(self.encounter, self.rules, who, what, other, tags)


def extra(spec: RollSpec) -> list[str]:
    """The extra dice of a roll."""
    return [one.dice for one in spec.extra]


def edges(spec: RollSpec) -> list[str]:
    """The kinds of edges on a roll."""
    return sorted({one.kind for one in spec.edges})


def bonus(spec: RollSpec) -> int:
    """The flat part of a roll."""
    return sum(one.value for one in spec.modifiers)


def rolled(spec: RollSpec, *faces: int) -> Roll:
    """The roll with these faces; all of them fall."""
    source = ScriptedFaces(faces)
    result = roll(spec, source)
    assert source.used == len(faces)
    return result
