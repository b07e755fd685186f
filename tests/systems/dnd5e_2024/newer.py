"""Fights by the rules of D&D 5e of 2024."""

from __future__ import annotations

from typing import Any

from tests.play.map_table import YARD
from tests.systems.dnd5e.fights import BOW, STRONG, SWORD, Fight
from tests.table import Table, creature, dnd5e_2024
from turnwright.encounter.prepared import Creature, Feature, Map, Scene


class NewFight(Fight):
    """A fight by the rules of 2024, past its set-up."""

    def __init__(self, *people: str | Creature, field: Map | None = YARD, **given: Any) -> None:
        super().__init__(*people, field=field, rules=dnd5e_2024(), **given)


def duel(*features: Feature, scene: Scene | None = None, orc: dict[str, Any] | None = None, **fields: Any) -> NewFight:
    """Ann and an orc of AC 15 next to each other, Ann's turn."""
    ann = creature("ann", features=features or (SWORD, BOW), **({"abilities": STRONG, "proficiency": 2} | fields))
    foe = creature("orc", **({"ac": 15, "hp": 40} | (orc or {})))
    return NewFight(ann, foe, foes=("orc",), scene=scene).puts(ann=(1, 1), orc=(2, 1))


def before_rounds(*people: str | Creature, **more: Any) -> Table:
    """A table that has not begun."""
    return Table(*people, rules=dnd5e_2024(), **more)


__all__ = ["NewFight", "before_rounds", "duel"]
