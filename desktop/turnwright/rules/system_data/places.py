"""Data of positions: sizes, cover, senses, terrain, obstacles, and relative positions."""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import FieldSpec, TableRuleId
from turnwright.encounter.prepared import CoverLevel
from turnwright.rules.system_data.field_types import BonusType, CheckTag, RuleIds

SquareCountId = Literal["", "centre", "half", "touch", "steps"]


class Size(msgspec.Struct, frozen=True, omit_defaults=True):
    """A creature size: the side of its space in feet, and how many Medium creatures fit around it.

    `or_more`: both numbers are minimums for creatures of this size.
    """

    id: str
    name: str
    space: float = 5.0
    around: int = 8
    or_more: bool = False
    ledger: RuleIds = ()


class CoverGrade(msgspec.Struct, frozen=True, omit_defaults=True):
    """A grade of cover, with its bonus to some rolls and numbers.

    `on` lists them: `ac`, rolls (`save.dex`), and tags of rolls (`hide`). `untargetable`: a combatant with this cover
    can't be targeted, or only not by attacks with the tag `against` (`ranged`) and without the property `unless`.
    `type` is the type of the bonus, in games where bonuses of the same type don't add up.
    """

    id: CoverLevel
    name: str
    bonus: int = 0
    on: Annotated[tuple[str, ...], FieldSpec(ids=("number or roll",))] = ()
    type: BonusType = ""
    untargetable: bool = False
    against: CheckTag = ""
    unless: Annotated[str, FieldSpec(ids=("property",))] = ""
    ledger: RuleIds = ()

    def prevents_targeting(self, tags: tuple[str, ...]) -> bool:
        """Return whether this cover prevents targeting by an attack with these tags."""
        return (not self.against or self.against in tags) and not (self.unless and self.unless in tags)


class Sense(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sense with a range. `beats` are the hindrances it overcomes: `blinded`, `invisible`, `obscured`, `dark`."""

    id: str
    name: str
    beats: tuple[Literal["blinded", "invisible", "obscured", "dark"], ...] = ()
    ledger: RuleIds = ()


class Terrain(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of terrain. `extra` is the surcharge for each foot. All other kinds are variants of `difficult`."""

    id: str
    name: str
    extra: int = 1
    ledger: RuleIds = ()


class CoverSource(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of obstacle with its default cover. `option` is the house rule under which it gives cover."""

    id: str
    name: str
    cover: CoverLevel = "half"
    option: TableRuleId = ""
    ledger: RuleIds = ()


class AreaCounts(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the squares of an area are counted, by its shape. Empty if the rules don't say and the group chooses.

    `steps`: squares within its size by the game's own distances. `diagonals` is how these count a diagonal.
    """

    burst: SquareCountId = ""
    cone: SquareCountId = ""
    line: SquareCountId = ""
    cube: SquareCountId = ""
    wall: SquareCountId = ""
    diagonals: Literal["equal", "alternating"] = "equal"

    def by_shape(self) -> tuple[tuple[str, SquareCountId], ...]:
        """Return the count for each shape. An emanation is counted by distance in every game."""
        return (
            ("burst", self.burst),
            ("cone", self.cone),
            ("line", self.line),
            ("cube", self.cube),
            ("wall", self.wall),
            ("emanation", "steps"),
        )


class GridFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Defaults in the game's own unit: the side of a new map's squares, and the step of distances.

    `speed` and `reach` are the defaults for a creature without a stat block.
    """

    cell: int = 5
    step: int = 5
    speed: int = 30
    reach: int = 5
    areas: AreaCounts = AreaCounts()


class PositionFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of relative positions.

    `flankers`: how many combatants of a side flank a target that they all have within melee reach, if there is no grid;
    0 if that is open. `passing`: how many sizes larger a combatant must be to walk through an enemy, `passing_under`
    how many sizes smaller (0: impossible). `occupied`: occupied squares are difficult terrain, and a combatant that
    `leaves` them can't end a turn on one if the way off is short enough. `near`: the distance in feet that counts as
    adjacent. `rider_cover` is the cover that a mount gives its rider; `creature_cover` the cover from a creature in
    between, under `creature_option`. Under `beside_option` an obstacle gives no cover to combatants on its near side;
    under `count_option` the number of combatants around a target isn't limited. `squeezing`: how many sizes smaller a
    gap may be.
    """

    flankers: int = 3
    passing: int = 2
    passing_under: int = 0
    occupied: bool = False
    leaves: bool = False
    near: int = 5
    rider_cover: CoverLevel = "none"
    rider_cover_against: CheckTag = "melee"
    creature_cover: CoverLevel = "none"
    creature_option: TableRuleId = ""
    beside_option: TableRuleId = ""
    count_option: TableRuleId = ""
    squeezing: int = 1
    ledger: RuleIds = ()
