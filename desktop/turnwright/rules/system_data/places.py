"""Data of positions: sizes, cover, senses, terrain, obstacles, and relative positions."""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import FieldSpec, Positive, TableRuleId
from turnwright.encounter.prepared import CoverLevel
from turnwright.rules.system_data.numbers import BonusType, CheckTag, RuleIds

SquareCountId = Literal["", "centre", "half", "touch", "steps"]


class Size(msgspec.Struct, frozen=True, omit_defaults=True):
    """A size of creatures."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Large`."""
    space: float = 5.0
    """The side of its space in feet. Example: `10.0`."""
    around: int = 8
    """The number of Medium creatures that fit around it."""
    or_more: bool = False
    """Whether both numbers are minimums for creatures of this size."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""


class CoverGrade(msgspec.Struct, frozen=True, omit_defaults=True):
    """A grade of cover, with its bonus."""

    id: CoverLevel
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Half cover`."""
    bonus: int = 0
    """The bonus that it gives."""
    on: Annotated[tuple[str, ...], FieldSpec(ids=("number or roll",))] = ()
    """The numbers, rolls and tags of rolls that get the bonus. Example: `["ac", "save.dex", "hide"]`."""
    type: BonusType = ""
    """The type of the bonus, in games where equal types don't stack. Example: `circumstance`."""
    untargetable: bool = False
    """Whether a combatant with this cover can't be targeted."""
    against: CheckTag = ""
    """The tag of attacks that can't target it. Empty means all attacks. Example: `ranged`."""
    unless: Annotated[str, FieldSpec(ids=("property",))] = ""
    """The property of attacks that can target it anyway."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""

    def prevents_targeting(self, tags: tuple[str, ...]) -> bool:
        """Return whether this cover prevents targeting by an attack with these tags."""
        return (not self.against or self.against in tags) and not (self.unless and self.unless in tags)


class Sense(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sense with a range."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Darkvision`."""
    beats: tuple[Literal["blinded", "invisible", "obscured", "dark", "darkness"], ...] = ()
    """The hindrances that it overcomes: `darkness` is that of the spell. Example: `["dark"]`."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""


class Terrain(msgspec.Struct, frozen=True, omit_defaults=True):
    """A type of terrain. All types except `difficult` are variants of difficult terrain."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Thick bramble`."""
    extra: int = 1
    """The extra feet of movement for each foot."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""


class LightSource(msgspec.Struct, frozen=True, omit_defaults=True):
    """A light source that creatures carry or that is placed on a map."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Torch`."""
    radius: Positive = 20
    """The radius of its light in feet (or the game's own unit)."""
    light: Literal["dim", "bright"] = "bright"
    """Its light. Bright light also gives dim light to twice the radius."""
    cone: bool = False
    """Whether it shines in a cone, which has to be aimed."""


class CoverSource(msgspec.Struct, frozen=True, omit_defaults=True):
    """A type of obstacle with its usual cover."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Tree trunk`."""
    cover: CoverLevel = "half"
    """The cover that it gives."""
    option: TableRuleId = ""
    """The house rule under which it gives cover. Empty means always."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""


class AreaCounts(msgspec.Struct, frozen=True, omit_defaults=True):
    """The squares of the map that an area covers, by shape.

    A square counts if its `centre`, `half` of it or any part (`touch`) is in the area. With `steps`, squares within its
    size count, measured by the game's own distances. If it is empty, the group decides.
    """

    burst: SquareCountId = ""
    """The squares of a burst (a sphere)."""
    cone: SquareCountId = ""
    """The squares of a cone."""
    line: SquareCountId = ""
    """The squares of a line."""
    cube: SquareCountId = ""
    """The squares of a cube."""
    wall: SquareCountId = ""
    """The squares of a wall."""
    diagonals: Literal["equal", "alternating"] = "equal"
    """The length of a diagonal for `steps`: the same as a square (`equal`), or alternately one and two squares
    (`alternating`).
    """

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
    """Defaults for maps and creatures, in the game's own unit."""

    cell: Positive = 5
    """The side of a square on a new map."""
    step: Positive = 5
    """The step in which forms change distances."""
    speed: int = 30
    """The speed of a creature without a stat block."""
    reach: int = 5
    """The reach of a creature without a stat block."""
    areas: AreaCounts = AreaCounts()
    """The squares that an area covers."""


class PositionFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for relative positions."""

    flankers: int = 3
    """Without a grid, the number of combatants with a target in melee reach that flank it together. 0 if the rules
    don't say.
    """
    forecast_flanks: bool = False
    """Whether combatants in simulated fights flank while more of their side are in melee than enemies are standing."""
    passing: int = 2
    """The number of sizes by which a combatant must be larger to walk through an enemy. 0 if it can't."""
    passing_under: int = 0
    """The number of sizes by which a combatant must be smaller to walk through an enemy. 0 if it can't."""
    occupied: bool = False
    """Whether occupied squares are difficult terrain."""
    open_sizes: Annotated[tuple[str, ...], FieldSpec(ids=("size",))] = ()
    """The sizes of creatures whose squares are open to everyone, without being difficult terrain. If there are any,
    those of allies and of incapacitated creatures are open, too, and the former aren't difficult terrain. Example:
    `["tiny"]`.
    """
    falls_prone: bool = False
    """Whether a combatant is prone if its turn ends on an occupied square, unless it is larger or of an open size."""
    leaves: bool = False
    """Whether a combatant on an occupied square can't end its turn there if it has enough movement to leave."""
    near: int = 5
    """The distance in feet that counts as adjacent."""
    rider_cover: CoverLevel = "none"
    """The cover that a mount gives its rider."""
    rider_cover_against: CheckTag = "melee"
    """The tag of attacks against which the mount gives cover."""
    creature_cover: CoverLevel = "none"
    """The cover from a creature in between."""
    creature_option: TableRuleId = ""
    """The house rule under which creatures in between give cover."""
    beside_option: TableRuleId = ""
    """The house rule under which an obstacle gives no cover to combatants on its near side."""
    count_option: TableRuleId = ""
    """The house rule under which any number of combatants fits around a target."""
    squeezing: int = 1
    """The number of sizes by which a gap may be smaller than a creature that squeezes through."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that they implement."""
