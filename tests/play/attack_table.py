"""A table at which attacks are made: who strikes whom with what, and what came of it."""

from __future__ import annotations

from typing import Any

from tests.play.map_table import Field
from turnwright.dice.expression import Edge, RollSpec
from turnwright.encounter.prepared import Feature
from turnwright.play.attacks import attack_request
from turnwright.play.attacks.attack_request import Attack, AttackChoices, Attacked, AttackPreview

AXE = Feature("axe", "Axe", "action", ability="str", reach=5, damage="1d8 slashing", properties=("weapon",))
SHORTBOW = Feature("shortbow", "Shortbow", "action", attack=5, range="80/320", damage="1d6+3 piercing")
SLING = Feature("sling", "Sling", "action", attack=5, range="60", damage="1d4 bludgeoning")
STRONG = (("str", 18), ("dex", 12))


class Fray(Field):
    """A field on which somebody strikes: `begin_attack("ann", "orc", "axe", 15, 4)` scripts a 15 to hit and a 4 for damage."""

    def strikes(self, who: str, target: str = "", means: str = "", *faces: int, **more: Any) -> Attacked | None:
        """Attack with faces given beforehand, and return how it went, None while something is asked before the roll."""
        self.dice(*faces)
        before = len(self.happened(Attacked))
        self.does(Attack(who, target, means, **more))
        return next(iter(self.happened(Attacked)[before:]), None)

    @property
    def last(self) -> Attacked:
        """The last attack."""
        return self.happened(Attacked)[-1]

    def preview(self, who: str, target: str, means: str | Feature = "", **more: Any) -> AttackPreview:
        """What an attack would be like."""
        return attack_request.preview_attack(self.encounter, self.rules, who, target, means, AttackChoices(**more))

    def edges(self, who: str, target: str, means: str | Feature = "", **more: Any) -> list[tuple[str, str]]:
        """The kinds of edge on an attack, each with its rule."""
        return edges(self.preview(who, target, means, **more).roll)

    def lost(self, who: str) -> int:
        """The hit points that somebody lacks."""
        return self.one(who).hp_max - self.one(who).hp


def edges(spec: RollSpec) -> list[tuple[str, str]]:
    """The kinds of edge on a roll, each with its rule."""
    return [(edge.kind, edge.rule) for edge in spec.edges if isinstance(edge, Edge)]


def parts(spec: RollSpec) -> list[tuple[int, str]]:
    """The modifiers of a roll, each with its rule."""
    return [(one.value, one.rule.removeprefix("a5e.")) for one in spec.modifiers]


def total(spec: RollSpec) -> int:
    """What a roll adds to its dice."""
    return sum(one.value for one in spec.modifiers)
