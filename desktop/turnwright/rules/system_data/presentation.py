"""Presentation of creatures in a game: the fields of its stat blocks, their order, and the format of prices."""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import ConditionIds, FieldSpec
from turnwright.rules.system_data.field_types import CreatureFields, ResourceIds

TOP = ("ac", "hp", "speeds", "initiative")
ROWS = (
    "saves", "skills", "vulnerabilities", "resistances", "immunities", "mundane_immunity", "condition_immunities", "senses",
    "passives", "languages", "gear", "specialties", "rating", "level", "hit_dice", "proficiency", "maneuver_dc", "attacks",
    "extra_attack", "spellcasting", "slots", "legendary",
)  # fmt: skip
RATINGS = ("0", "1/8", "1/4", "1/2", *(str(rating) for rating in range(1, 31)))


class Presentation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Fields of a creature in the game's stat blocks and in the forms that edit them.

    `top` fields are shown above the abilities (a skill as `skill.perception`), `rows` below them. `joined` rows
    continue the line of the row before them. `saves` pairs abilities with the names of their saves, if not all
    abilities have saves. `pools` are resources for which a creature may have its own maximum. `signs` pairs a resource
    with its symbol, which is repeated in prices, or its word, which follows the number. `figured`: resistances and
    their opposites have amounts. `leveled`: the rating is the level. `ratings` are the available ratings, if they
    differ from `RATINGS`. `moments`: features may wait for a moment of their owner's turn.

    `style` is the layout of a stat block: `classic` has a banner and a grid of abilities, `traits` has the level on the
    right and traits in small boxes, `points` has numbers and points to cross off in front. `bloodied`: half of the hit
    points is shown next to them. `conditions` are offered first, `evident` conditions are visible to onlookers.
    """

    top: CreatureFields = TOP
    rows: CreatureFields = ROWS
    saves: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("ability",))] = ()
    pools: ResourceIds = ()
    signs: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("resource",))] = ()
    figured: bool = False
    leveled: bool = False
    ratings: tuple[str, ...] = ()
    moments: bool = False
    style: Literal["classic", "traits", "points"] = "classic"
    joined: CreatureFields = ()
    bloodied: bool = False
    conditions: ConditionIds = ()
    evident: ConditionIds = ()

    def has(self, name: str) -> bool:
        """Return whether a creature's field is shown in this game."""
        return name in self.top or name in self.rows

    def price(self, cost: str, price: int) -> str:
        """Return a price as text, with `X` if the game master enters it. Empty if the game doesn't show this cost."""
        sign = dict(self.signs).get(cost, "")
        if not sign:
            return ""
        if len(sign) > 1:
            return f"{price or 'X'} {sign}"
        return sign * price if price else f"X {sign}"
