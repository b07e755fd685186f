"""Where creatures are: sizes, cover, senses, ground and obstacles, and how they stand to each other."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import CoverLevel


class Size(msgspec.Struct, frozen=True, omit_defaults=True):
    """A creature size: the side of its space in feet, and how many Medium creatures can stand around it.

    `or_more`: both figures are the least that a creature of this size has.
    """

    id: str
    name: str
    space: float = 5.0
    around: int = 8
    or_more: bool = False
    ledger: tuple[str, ...] = ()


class CoverGrade(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one grade of cover gives: a bonus on some rolls and figures.

    `on` names them: `ac`, rolls (`save.dex`), and tags of rolls (`hide`). `total_cover_vetoes`: nothing can be aimed at
    whoever has it, or nothing `against` which it helps (`ranged`) that lacks the property `unless`. `type` is the kind
    of bonus, in a game where those of one kind don't add up.
    """

    id: str
    name: str
    bonus: int = 0
    on: tuple[str, ...] = ()
    type: str = ""
    untargetable: bool = False
    against: str = ""
    unless: str = ""
    ledger: tuple[str, ...] = ()

    def prevents_targeting(self, tags: tuple[str, ...]) -> bool:
        """Return whether it keeps what these words describe from being aimed at somebody."""
        return (not self.against or self.against in tags) and not (self.unless and self.unless in tags)


class Sense(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sense with a range. `beats` is what hides nobody from it: `blinded`, `invisible`, `obscured`, `dark`."""

    id: str
    name: str
    beats: tuple[str, ...] = ()
    ledger: tuple[str, ...] = ()


class Terrain(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sort of ground: `extra` is what each foot on it costs beside itself. `difficult` is what the others are kinds of."""

    id: str
    name: str
    extra: int = 1
    ledger: tuple[str, ...] = ()


class CoverSource(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sort of obstacle with the cover it usually gives; `option` is the table rule under which it does."""

    id: str
    name: str
    cover: CoverLevel = "half"
    option: str = ""
    ledger: tuple[str, ...] = ()


class GridFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is usual in the game's own unit: how wide a new map's squares are, and by how much distances change.

    `speed` and `reach` are those of a creature of which nobody has said more than its name.
    """

    cell: int = 5
    step: int = 5
    speed: int = 30
    reach: int = 5


class PositionFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Figures of how creatures stand to each other.

    `flankers`: how many of a side, all with one target under melee attack, flank it where there is no grid, 0 where
    nobody can say then.
    `passing`: by how many sizes one must be larger to walk through a foe, `passing_under` by how many smaller (0: no
    size is small enough). `occupied`: squares that somebody holds are difficult, and whoever
    `leaves` them can't end a turn on one while the way off is short enough. `near`: feet that count as side by side.
    `rider_cover` is what a mount gives its rider; `creature_cover` what a creature in the way gives under
    `creature_option`. Under `beside_option` nothing shelters those on its near side; under `count_option` nobody counts
    who stands around one. `squeezing`: how many sizes smaller a gap may be fit for.
    """

    flankers: int = 3
    passing: int = 2
    passing_under: int = 0
    occupied: bool = False
    leaves: bool = False
    near: int = 5
    rider_cover: CoverLevel = "none"
    rider_cover_against: str = "melee"
    creature_cover: CoverLevel = "none"
    creature_option: str = ""
    beside_option: str = ""
    count_option: str = ""
    squeezing: int = 1
    ledger: tuple[str, ...] = ()
