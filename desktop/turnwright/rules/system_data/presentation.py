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
    """The fields of a creature in the game's stat blocks and forms."""

    top: CreatureFields = TOP
    """The fields above the abilities, in order. A single skill is written as `skill.perception`."""
    rows: CreatureFields = ROWS
    """The fields below the abilities, in order."""
    saves: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("ability",))] = ()
    """The saves with their names, by ability, if not all abilities have saves. Example: `{ con = "Fort" }`."""
    pools: ResourceIds = ()
    """The resources for which a creature may have its own maximum. Example: `["action"]`."""
    signs: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("resource",))] = ()
    """The symbol or word of a resource in prices. A symbol is repeated, a word follows the number. Example: `{ action =
    "AP" }`.
    """
    figured: bool = False
    """Whether resistances and vulnerabilities have amounts."""
    leveled: bool = False
    """Whether the rating is the level."""
    ratings: tuple[str, ...] = ()
    """The ratings to choose from, if they differ from challenge ratings 0 to 30."""
    moments: bool = False
    """Whether features can have a trigger at a moment of their owner's turn."""
    style: Literal["classic", "traits", "points"] = "classic"
    """The layout: `classic` has a banner and a grid of abilities, `traits` has the level on the right and traits in
    small boxes, and `points` has numbers and points to cross off in front.
    """
    joined: CreatureFields = ()
    """Fields that continue the line of the field before them."""
    bloodied: bool = False
    """Whether half of the hit points is shown next to them."""
    conditions: ConditionIds = ()
    """The conditions that forms offer first."""
    evident: ConditionIds = ()
    """The conditions that onlookers can see."""

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
