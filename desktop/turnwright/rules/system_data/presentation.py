"""How a game writes a creature down: which figures it has one for, in which order, and how it writes a price."""

from __future__ import annotations

from typing import Literal

import msgspec

TOP = ("ac", "hp", "speeds", "initiative")
ROWS = (
    "saves", "skills", "vulnerabilities", "resistances", "immunities", "mundane_immunity", "condition_immunities", "senses",
    "passives", "languages", "gear", "specialties", "rating", "level", "hit_dice", "proficiency", "maneuver_dc", "attacks",
    "extra_attack", "spellcasting", "slots", "legendary",
)  # fmt: skip


class Presentation(msgspec.Struct, frozen=True, omit_defaults=True):
    """What of a creature stands in the game's stat blocks, and so in the forms that write them; by the creature's fields.

    `top` stands above the abilities (a skill as `skill.perception`), `rows` below them, each in its order. `ask_saves`
    are the abilities that there are saves by, where that is not all of them, with what such a save is called. `pools`
    are resources of which somebody may have a figure of their own. `signs` say how the price in a resource is written:
    a sign is written as often as it is paid, a word behind the number. `with_amounts`: resistances and their opposites
    are by so much each. `leveled`: the rating is the level. `ratings` are those to choose from, where they are not the
    usual ones. `moments`: features may wait for a moment of their owner's turn. `style` is how a printed block is laid
    out: `classic` under a banner with a grid of abilities, `traits` with the level at the right and what it is in small
    boxes, `points` with its figures and points to cross off in front.
    """

    top: tuple[str, ...] = TOP
    rows: tuple[str, ...] = ROWS
    saves: tuple[tuple[str, str], ...] = ()
    pools: tuple[str, ...] = ()
    signs: tuple[tuple[str, str], ...] = ()
    figured: bool = False
    leveled: bool = False
    ratings: tuple[str, ...] = ()
    moments: bool = False
    style: Literal["classic", "traits", "points"] = "classic"

    def has(self, name: str) -> bool:
        """Return whether a field of a creature means something in this game."""
        return name in self.top or name in self.rows

    def price(self, cost: str, price: int) -> str:
        """Return how a price is written, `X` where somebody has to say; empty where the game writes none for this cost."""
        sign = dict(self.signs).get(cost, "")
        if not sign:
            return ""
        if len(sign) > 1:
            return f"{price or 'X'} {sign}"
        return sign * price if price else f"X {sign}"
