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

    `on` lists them: `ac`, rolls (`save.dex`), and tags of rolls (`hide`). `type` is the type of the bonus, in games
    where bonuses of the same type don't stack. `untargetable`: a combatant with this cover can't be targeted. If
    `against` is set, this only applies to attacks with that tag (`ranged`), and never to attacks with the property
    `unless`.
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
    """A type of terrain. `extra` is the surcharge per foot. All other types are variants of `difficult`."""

    id: str
    name: str
    extra: int = 1
    ledger: RuleIds = ()


class CoverSource(msgspec.Struct, frozen=True, omit_defaults=True):
    """A type of obstacle with its default cover. `option` is the house rule under which it gives cover."""

    id: str
    name: str
    cover: CoverLevel = "half"
    option: TableRuleId = ""
    ledger: RuleIds = ()


class AreaCounts(msgspec.Struct, frozen=True, omit_defaults=True):
    """The way in which squares of an area are counted, for each shape. Empty if the rules leave this to the group.

    `steps`: squares within its size, measured by the game's own distances. `diagonals` is how these count a diagonal.
    """

    burst: SquareCountId = ""
    cone: SquareCountId = ""
    line: SquareCountId = ""
    cube: SquareCountId = ""
    wall: SquareCountId = ""
    diagonals: Literal["equal", "alternating"] = "equal"

    def by_shape(self) -> tuple[tuple[str, SquareCountId], ...]:
        """Return the way of counting squares for each shape. Emanations are counted by distance in every game."""
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
    """Settings for relative positions.

    `flankers` is the number of combatants on a side that flank a target if all of them have it within melee reach and
    there is no grid, or 0 if that is open. `passing` is the number of sizes by which a combatant must be larger to walk
    through an enemy, `passing_under` the number by which it must be smaller (0: impossible). `occupied`: occupied
    squares are difficult terrain, and a combatant that `leaves` them can't end a turn on one if the way off is short
    enough. `near` is the distance in feet that counts as adjacent. `squeezing` is the number of sizes by which a gap
    may be smaller.

    `rider_cover` is the cover that a mount gives its rider. `creature_cover` is the cover from a creature in between,
    under `creature_option`. Under `beside_option` an obstacle gives no cover to combatants on its near side. Under
    `count_option` the number of combatants around a target isn't limited.
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
