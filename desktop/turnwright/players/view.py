"""Everything that the players' screen is drawn from, as one record. It contains no ids from the encounter."""

from typing import Literal

import msgspec

ViewMode = Literal["order", "map", "picture", "text", "dice", "black"]
HealthWord = Literal["", "unhurt", "hurt", "bloodied", "down"]
LineKind = Literal["wall", "window", "curtain", "rail", "door"]
SideShape = Literal["party", "enemies", "others"]


class ShownHitPoints(msgspec.Struct, frozen=True):
    """Hit points as numbers, for sides that show them."""

    now: int
    most: int


class CombatantRow(msgspec.Struct, frozen=True):
    """A combatant in the turn order. `name` is empty while unknown; `number` distinguishes equal names (0: unique)."""

    name: str
    number: int
    side: SideShape
    health: HealthWord = ""
    hit_points: ShownHitPoints | None = None
    conditions: tuple[str, ...] = ()


class CountdownView(msgspec.Struct, frozen=True):
    """A countdown: the dice left, the faces of its last roll, and the lowest face that removes a die."""

    name: str
    dice: int
    faces: tuple[int, ...]
    removes_from: int


class SentHandout(msgspec.Struct, frozen=True):
    """A handout as it was when sent; `picture` is the content of the image file."""

    title: str = ""
    text: str = ""
    signed: str = ""
    picture: bytes = b""


class ShownLine(msgspec.Struct, frozen=True):
    """A wall, door or other line, given by its ends in squares."""

    kind: LineKind
    ends: tuple[float, float, float, float]
    is_open: bool = False


class ShownToken(msgspec.Struct, frozen=True):
    """A token on the map: its row, its upper left square, and its width in squares.

    `elevation` is in feet. `portrait` is the name under which the portrait is sent: a hash of its pixels, not its
    file name.
    """

    row: CombatantRow
    at: tuple[int, int]
    across: int = 1
    acts: bool = False
    elevation: int = 0
    portrait: bytes = b""


class ShownRuler(msgspec.Struct, frozen=True):
    """A distance that the game master shows, between the middles of two squares. If they are the same, a place."""

    ends: tuple[float, float, float, float]
    feet: int


class MapCamera(msgspec.Struct, frozen=True):
    """The visible part of the map: its centre and its width, both in squares. A width of 0 means the whole map.

    `turned` is how many quarter turns clockwise the map makes on the page.
    """

    centre: tuple[float, float] | None = None
    across: float = 0.0
    turned: int = 0


class ComposedPicture(msgspec.Struct, frozen=True):
    """The name under which the painted part of a map is sent, and its squares. It reveals no hidden part."""

    key: bytes
    at: tuple[int, int]
    size: tuple[int, int]


class PlayersMap(msgspec.Struct, frozen=True):
    """The explored part of the map, in squares from a fixed square; `feet` is the side of a square.

    `at` is the position of the first square of `fog` and `ground`, which are rows of signs: `+` is in view, `-` was
    seen before, `.` is hidden. If there is an image, `ground` is empty and `lines` are only doors. `areas` and
    `darkness` have the same rows as `fog`: `*` on squares in view with a lasting area, `:` on dim squares and `#` on
    dark ones. They are empty if there are none. `grid` is whether lines are drawn between squares, their colour, and their
    strength in percent.
    """

    feet: int
    at: tuple[int, int] = (0, 0)
    fog: tuple[str, ...] = ()
    ground: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    darkness: tuple[str, ...] = ()
    lines: tuple[ShownLine, ...] = ()
    tokens: tuple[ShownToken, ...] = ()
    has_picture: bool = False
    camera: MapCamera = MapCamera()
    picture: ComposedPicture | None = None
    grid: tuple[bool, str, int] = (True, "", 0)
    ruler: ShownRuler | None = None


class PlayersView(msgspec.Struct, frozen=True):
    """The players' view. `actor` and `next` are indexes in `order`; `turn_seconds` is the time left in the turn."""

    mode: ViewMode
    title: str = ""
    round: int = 0
    elapsed_seconds: int = 0
    light: str = ""
    actor: int | None = None
    next: int | None = None
    turn_seconds: int | None = None
    order: tuple[CombatantRow, ...] = ()
    countdowns: tuple[CountdownView, ...] = ()
    handout: SentHandout | None = None
    map: PlayersMap | None = None
    text: str = ""
