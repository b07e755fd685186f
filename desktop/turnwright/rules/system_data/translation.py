"""Data for converting environments from another game."""

from typing import Annotated

import msgspec

from turnwright.encounter.field_specs import FieldSpec
from turnwright.rules.system_data.conditions import Condition

Pairs = tuple[tuple[str, str], ...]


class Translation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table from another game's ids to this game's. Ids without an entry are kept, and asked about in play.

    `origin` is the game whose environments it converts. It also converts creatures of all other games. `saves`,
    `skills` and `conditions` pair ids, `checks` pairs checks (`dex:stealth`), `damage` pairs damage types, `costs`
    pairs resources, and `words` pairs phrases in an entry's texts. A distance of `feet` in the origin is `units` in
    this game. Distances are rounded, but never to 0. `marks` are conditions for the environments if the game has none
    with these names.
    """

    origin: Annotated[str, FieldSpec(ids=("game",))] = ""
    feet: int = 1
    units: int = 1
    saves: Annotated[Pairs, FieldSpec(ids=("foreign ability", "ability"))] = ()
    checks: Annotated[Pairs, FieldSpec(ids=("foreign check", "check"))] = ()
    skills: Annotated[Pairs, FieldSpec(ids=("foreign skill", "skill"))] = ()
    damage: Annotated[Pairs, FieldSpec(ids=("foreign damage type", "damage type"))] = ()
    conditions: Annotated[Pairs, FieldSpec(ids=("foreign condition", "condition"))] = ()
    costs: Annotated[Pairs, FieldSpec(ids=("foreign resource", "resource"))] = ()
    words: Pairs = ()
    marks: tuple[Condition, ...] = ()
