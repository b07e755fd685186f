"""Data for reading environments of another game: its ids with this game's."""

from typing import Annotated

import msgspec

from turnwright.encounter.field_specs import FieldSpec
from turnwright.rules.system_data.conditions import Condition

Pairs = tuple[tuple[str, str], ...]


class Translation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table from another game's ids to this one's; an id without an entry stays and is asked about in play.

    `origin` is the game whose environments it reads; creatures of any other game are read by it too. `saves`, `skills`
    and `conditions` pair ids, `checks` checks (`dex:stealth`), `damage` types, `costs` what is spent, `words` phrases in an entry's texts. `feet` of the origin's
    distances are `units` of this game's, each rounded to the nearest whole one, and never to nothing. `marks` are
    conditions that come with the environments themselves, where the game has none of that name.
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
