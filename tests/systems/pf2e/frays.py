"""Blows by the rules of Pathfinder 2e: Ann and an orc of AC 15 next to each other, Ann's turn."""

from __future__ import annotations

from typing import Any

from tests.play.attack_table import Fray
from tests.play.map_table import YARD
from tests.table import creature, pf2e
from turnwright.encounter.prepared import Creature, Feature, Map, Scene
from turnwright.encounter.running import Effect
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.rules.parts.checks.ability_checks import armor_class

SWORD = Feature("longsword", "Longsword", "action", attack=7, damage="1d8+4 slashing", properties=("weapon",))
KNIFE = Feature("knife", "Knife", "action", attack=7, damage="1d4+4 piercing", properties=("weapon", "agile"))
BOW = Feature("bow", "Bow", "action", attack=7, range="30", damage="1d6 piercing", properties=("weapon",))
BREATH = Feature(
    "breath", "Breath", "action", damage="4d6 fire", save="dex", dc=20, half=True, area="15-foot cone", recharge=0
)


class Bout(Fray):
    """Everybody acts in the order named; without squares said they stand nowhere on the map."""

    def __init__(self, *people: str | Creature, field: Map | None = YARD, **given: Any) -> None:
        super().__init__(*people, field=field, rules=pf2e(), **given)

    def puts_on(self, who: str, condition: str, value: int = 0) -> None:
        """Put a condition on somebody."""
        self.does(ApplyCondition((who,), condition, value))

    def value(self, who: str, condition: str) -> int:
        """What a condition of somebody's stands at, 0 without it."""
        found = (one.value for one in self.encounter.all(Effect) if (one.target, one.name) == (who, condition))
        return max(found, default=0)

    def ac(self, who: str) -> int:
        """Somebody's AC, whoever attacks."""
        return armor_class(self.encounter, self.rules, who).total


def duel(*features: Feature, scene: Scene | None = None, orc: dict[str, Any] | None = None, **fields: Any) -> Bout:
    """Ann and an orc of AC 15 next to each other, Ann's turn."""
    ann = creature("ann", features=features or (SWORD, KNIFE, BOW), **fields)
    foe = creature("orc", **({"ac": 15, "hp": 60} | (orc or {})))
    return Bout(ann, foe, foes=("orc",), scene=scene).puts(ann=(1, 1), orc=(2, 1))


__all__ = ["BOW", "BREATH", "KNIFE", "SWORD", "Bout", "duel"]
