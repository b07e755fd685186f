"""Data for converting environments from another game."""

from typing import Annotated

import msgspec

from turnwright.encounter.field_specs import FieldSpec
from turnwright.rules.system_data.conditions import Condition

Pairs = tuple[tuple[str, str], ...]


class Translation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table from another game's ids to this game's. Ids without an entry are kept, and asked about in play."""

    origin: Annotated[str, FieldSpec(ids=("game",))] = ""
    """The game whose environments it converts. It also converts creatures of all other games. Example: `a5e`."""
    feet: int = 1
    """The distance in the origin that equals `units` in this game. Converted distances are rounded, but never to 0."""
    units: int = 1
    """The distance in this game that equals `feet` in the origin."""
    saves: Annotated[Pairs, FieldSpec(ids=("foreign ability", "ability"))] = ()
    """The abilities of saves. Example: `{ str = "con" }`."""
    checks: Annotated[Pairs, FieldSpec(ids=("foreign check", "check"))] = ()
    """The checks. Example: `{ "dex:stealth" = "agi:stealth" }`."""
    skills: Annotated[Pairs, FieldSpec(ids=("foreign skill", "skill"))] = ()
    """The skills. Example: `{ history = "society" }`."""
    damage: Annotated[Pairs, FieldSpec(ids=("foreign damage type", "damage type"))] = ()
    """The damage types. Example: `{ thunder = "sonic" }`."""
    conditions: Annotated[Pairs, FieldSpec(ids=("foreign condition", "condition"))] = ()
    """The conditions. Example: `{ grappled = "grabbed" }`."""
    costs: Annotated[Pairs, FieldSpec(ids=("foreign resource", "resource"))] = ()
    """The resources. Example: `{ bonus = "action" }`."""
    words: Pairs = ()
    """Phrases in an entry's texts. Example: `{ "half cover" = "cover" }`."""
    marks: tuple[Condition, ...] = ()
    """Conditions that the environments need and the game doesn't have."""
