"""Fights by the rules of D&D 5e: a table past its set-up, who stands where, and what is left to them."""

from __future__ import annotations

from typing import Any

from tests.play.attack_table import Fray
from tests.play.map_table import YARD
from tests.table import Table, creature, dnd5e
from turnwright.dice.expression import RollSpec
from turnwright.encounter.prepared import Creature, Feature, Map, Scene
from turnwright.play.queries import queries
from turnwright.play.queries.queries import ActionOffer
from turnwright.rules.parts.checks.ability_checks import save_roll

SWORD = Feature("longsword", "Longsword", "action", ability="str", damage="1d8 slashing", properties=("weapon",))
BOW = Feature(
    "longbow", "Longbow", "action", ability="dex", range="150/600", damage="1d8 piercing", properties=("weapon",)
)
STRONG = (("str", 16), ("dex", 14))


class Fight(Fray):
    """Everybody acts in the order named; without squares said they stand nowhere on the map."""

    def __init__(self, *people: str | Creature, field: Map | None = YARD, **given: Any) -> None:
        super().__init__(*people, field=field, **({"rules": dnd5e()} | given))

    def left(self, who: str) -> dict[str, int]:
        """How much of each resource somebody has."""
        return {one.resource.id: one.left for one in queries.resources_of(self.encounter, self.rules, who)}

    def feet(self, who: str, mode: str = "walk") -> int:
        """How far somebody may still move by a mode."""
        ways = queries.movement_of(self.encounter, self.rules, who)
        return next((one.left for one in ways if one.mode == mode), 0)

    def offers(self, who: str) -> dict[str, ActionOffer]:
        """What is offered to somebody, by id."""
        return {offer.action.id: offer for offer in queries.actions_for(self.encounter, self.rules, who)}

    def reactors(self) -> dict[str, list[str]]:
        """Who is asked for a reaction, with the options of each."""
        if not self.prompts or self.prompt.title != "prompt.reaction":
            return {}
        return {one.who: [option.id for option in one.options] for one in self.prompt.asks}

    def save(self, who: str, ability: str, origin: str = "") -> RollSpec:
        """What is rolled for a saving throw."""
        return save_roll(self.encounter, self.rules, who, ability, origin)


def pair(*features: Feature, scene: Scene | None = None, orc: dict[str, Any] | None = None, **fields: Any) -> Fight:
    """Ann and an orc of AC 15 next to each other, Ann's turn."""
    ann = creature("ann", features=features or (SWORD, BOW), **({"abilities": STRONG, "proficiency": 2} | fields))
    foe = creature("orc", **({"ac": 15, "hp": 40} | (orc or {})))
    return Fight(ann, foe, foes=("orc",), scene=scene).puts(ann=(1, 1), orc=(2, 1))


def before_rounds(*people: str | Creature, **more: Any) -> Table:
    """A table that has not begun."""
    return Table(*people, rules=dnd5e(), **more)


__all__ = ["BOW", "STRONG", "SWORD", "Fight", "before_rounds", "pair"]
